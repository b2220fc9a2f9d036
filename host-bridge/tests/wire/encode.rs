//! `host-bridge wire encode`: histories of every kind, and the bodies that become of them.

use serde_json::{Value, json};

use crate::{data, decoded, run};

/// Runs `encode` and gives the body on stdout and the lines on stderr.
#[track_caller]
fn encoded(arguments: &[&str], messages: &str) -> (Value, Vec<String>) {
    let output = run(&[&["encode"], arguments, &["-"]].concat(), messages.as_bytes());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
    let told = told.lines().map(|line| line.strip_prefix("host-bridge: ").unwrap().to_owned()).collect();
    (serde_json::from_slice(&output.stdout).unwrap(), told)
}

/// The messages of the body and the lines on stderr, for a history that is wrong in some way.
#[track_caller]
fn check_history(provider: &str, history: Value, expected: Value, told: &[&str]) {
    let dialect = if provider == "anthropic" { "anthropic" } else { "openai" };
    let arguments = ["--dialect", dialect, "--provider", provider, "--model", "m"];
    let (body, lines) = encoded(&arguments, &history.to_string());
    assert_eq!(body["messages"], expected, "{history}");
    assert_eq!(lines, told, "{history}");
}

#[test]
fn a_history_that_is_wrong_is_read_as_what_it_must_mean() {
    let go = json!({ "role": "user", "content": "go" });
    let call = |id: &str| json!({ "type": "tool_use", "id": id, "name": "bash", "input": {} });
    let result = |id: &str, content: Value| json!({ "type": "tool_result", "tool_use_id": id, "content": content });
    let asks = |content: Value| json!({ "role": "assistant", "content": content });
    let user = |content: Value| json!({ "role": "user", "content": content });

    // Results that stand in the answer, name no call, or are what Chat Completions has.
    check_history(
        "anthropic",
        json!([go, asks(json!([call("a"), result("a", json!("x"))]))]),
        json!([go, asks(json!([call("a")])), user(json!([result("a", json!("x"))]))]),
        &[],
    );
    check_history(
        "anthropic",
        json!([
            go,
            asks(json!([call("a"), call("b")])),
            user(json!([{ "type": "tool_result", "content": "x" }, result("b", json!("y"))]))
        ]),
        json!([
            go,
            asks(json!([call("a"), call("b")])),
            user(json!([result("a", json!("x")), result("b", json!("y"))]))
        ]),
        &[],
    );
    let chat = json!([
        go,
        { "role": "assistant", "content": null, "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "bash", "arguments": "{\"command\":\"ls\"}" } },
        ] },
        { "role": "tool", "tool_call_id": "a", "content": "x" },
    ]);
    let used = json!({ "type": "tool_use", "id": "a", "name": "bash", "input": { "command": "ls" } });
    let expected = json!([go, asks(json!([used])), user(json!([result("a", json!("x"))]))]);
    check_history("anthropic", chat.clone(), expected, &[]);
    check_history("openai", chat.clone(), chat, &[]);

    // Whatever a result holds is told.
    let image = json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AA==" } });
    let contents = [
        (json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]), "a\nb", 0),
        (json!([image, "c"]), "[image left out]\nc", 1),
        (json!([]), "(no output)", 0),
        (json!(""), "(no output)", 0),
        (json!(null), "(no output)", 0),
        (json!({ "type": "text", "text": "d" }), "d", 0),
        (json!({ "exit": 0 }), "{\"exit\":0}", 0),
        (json!(7), "7", 0),
    ];
    for (content, words, left_out) in contents {
        check_history(
            "openai",
            json!([go, asks(json!([call("a")])), user(json!([result("a", content)]))]),
            json!([
                go,
                { "role": "assistant", "content": null, "tool_calls": [
                    { "id": "a", "type": "function", "function": { "name": "bash", "arguments": "{}" } },
                ] },
                { "role": "tool", "tool_call_id": "a", "content": words },
            ]),
            &["not sent: a block image of a result in message 3"][..left_out],
        );
    }

    // Blocks that cannot stand where they do, and blocks without a type.
    check_history(
        "anthropic",
        json!([
            user(json!([{ "text": "go" }, call("a"), 7, null, { "what": 1 }])),
            asks(json!([{ "text": "x" }, { "what": 2 }])),
            go
        ]),
        json!([go, asks(json!([{ "type": "text", "text": "x" }])), go]),
        &[
            "not sent: a block tool_use in message 1",
            "not sent: a block without a type in message 1",
            "not sent: a block without a type in message 1",
            "not sent: a block without a type in message 2",
        ],
    );
    check_history("openai", json!([{ "role": "user", "content": { "type": "text", "text": "go" } }]), json!([go]), &[]);
    let roles = json!([{ "role": "User", "content": "go" }, { "role": "model", "content": "x" }, { "role": "human", "content": "go" }]);
    check_history("openai", roles, json!([go, asks(json!("x")), go]), &[]);
}

#[test]
fn a_call_of_the_service_itself_is_sent_with_its_result_or_not_at_all() {
    let go = json!({ "role": "user", "content": "go" });
    let search = json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} });
    let found = json!({ "type": "web_search_tool_result", "tool_use_id": "s", "content": [] });
    let answer =
        |content: Value, reason: &str| json!({ "role": "assistant", "content": content, "stop_reason": reason });
    let sent = |content: Value| json!({ "role": "assistant", "content": content });
    let text = json!({ "type": "text", "text": "x" });
    let whole = json!([go, answer(json!([text, search, found]), "end_turn"), go]);
    check_history("anthropic", whole, json!([go, sent(json!([text, search, found])), go]), &[]);
    let paused = json!([go, answer(json!([text, search]), "pause_turn")]);
    check_history("anthropic", paused, json!([go, sent(json!([text, search]))]), &[]);
    let taken_up = json!([go, answer(json!([search]), "pause_turn"), answer(json!([found, text]), "end_turn"), go]);
    check_history("anthropic", taken_up, json!([go, sent(json!([search])), sent(json!([found, text])), go]), &[]);
    for reason in ["pause_turn", "end_turn"] {
        let left = json!([go, answer(json!([text, search]), reason), go]);
        let told = ["repaired: server call dropped (message 2)"];
        check_history("anthropic", left, json!([go, sent(json!([text])), go]), &told);
    }
}

const HISTORY: &str = r#"[
    {"role": "user", "content": "go"},
    {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "Hm", "signature": "sig"},
        {"type": "text", "text": ""},
        {"type": "tool_use", "id": "call_1|fc_2", "name": "bash", "input": {"command": "ls"}},
        {"type": "tool_use", "id": "b", "name": "tool:x", "input_error": "cut", "arguments": "{\"command\": \"x"}]},
    {"role": "user", "content": [
        {"type": "text", "text": "also \ud83d"},
        {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "two"}], "is_error": true}]},
    {"role": "assistant", "content": "Sure: "}]"#;

#[test]
fn messages_become_the_repaired_body_of_messages() {
    let (body, told) = encoded(&["--dialect", "anthropic", "--model", "m"], HISTORY);
    let interrupted = "Error: Interrupted; the command may have partly run.";
    assert_eq!(
        body,
        json!({ "model": "m", "max_tokens": 8000, "stream": true, "messages": [
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "Hm", "signature": "sig" },
                { "type": "tool_use", "id": "call_1_fc_2_70065bd5", "name": "bash", "input": { "command": "ls" } },
                { "type": "tool_use", "id": "b", "name": "tool_x", "input": {} },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "call_1_fc_2_70065bd5", "content": interrupted, "is_error": true },
                { "type": "tool_result", "tool_use_id": "b", "content": "two", "is_error": true },
                { "type": "text", "text": "also \u{fffd}" },
            ] },
            { "role": "assistant", "content": [{ "type": "text", "text": "Sure: " }] },
            { "role": "user", "content": "Continue." },
        ] })
    );
    assert_eq!(
        told,
        [
            "repaired: result added (message 2)",
            "repaired: results moved (message 2)",
            "repaired: user message added (message 5)",
        ]
    );
}

#[test]
fn messages_become_the_repaired_body_of_chat_completions() {
    let (body, _) = encoded(&["--dialect", "openai", "--provider", "deepseek", "--model", "m"], HISTORY);
    let call = |id: &str, name: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
    assert_eq!(
        body,
        json!({ "model": "m", "messages": [
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": null, "reasoning_content": "", "tool_calls": [
                call("call_1_fc_2_70065bd5", "bash", r#"{"command":"ls"}"#),
                call("b", "tool_x", "{}"),
            ] },
            { "role": "tool", "tool_call_id": "call_1_fc_2_70065bd5", "content": "Error: Interrupted; the command may have partly run." },
            { "role": "tool", "tool_call_id": "b", "content": "two" },
            { "role": "user", "content": "also \u{fffd}" },
            { "role": "assistant", "content": "Sure: ", "reasoning_content": "" },
            { "role": "user", "content": "Continue." },
        ], "max_tokens": 8000, "stream": true, "stream_options": { "include_usage": true } })
    );
}

#[test]
fn a_body_may_say_more_than_messages() {
    let said = json!({
        "model": "from the file", "system": [{ "type": "text", "text": "Be." }], "max_tokens": 7, "stream": false,
        "stop_sequences": ["STOP"], "temperature": 1,
        "tools": [{ "name": "bash", "description": "Run.", "input_schema": { "type": "object" } }],
        "messages": [{ "role": "system", "content": "At {cwd}." }, { "role": "user", "content": "hi" }],
    })
    .to_string();
    let (body, told) = encoded(&["--dialect", "openai"], &said);
    assert_eq!(
        body,
        json!({ "model": "from the file", "messages": [
            { "role": "system", "content": "Be.\n\nAt {cwd}." },
            { "role": "user", "content": "hi" },
        ], "tools": [{ "type": "function", "function": { "name": "bash", "description": "Run.", "parameters": { "type": "object" } } }],
        "max_completion_tokens": 7, "stop": ["STOP"] })
    );
    assert_eq!(told, ["not sent: the field temperature"]);
    let (body, _) = encoded(&["--dialect", "anthropic", "--model", "m"], &said);
    assert_eq!(
        (&body["model"], &body["system"], &body["stop_sequences"]),
        (&json!("m"), &json!("Be.\n\nAt {cwd}."), &json!(["STOP"]))
    );
    let (body, told) = encoded(&["--dialect", "openai"], "\u{feff}[]");
    assert_eq!((&body["model"], told.len()), (&json!("MODEL"), 2));
}

#[test]
fn a_providers_own_data_goes_back_to_it_alone() {
    /// Decodes a capture of Chat Completions and encodes the turn for a provider.
    fn again(capture: &str, arguments: &[&str]) -> Value {
        let (_, mut turn) =
            decoded(&["--dialect", "openai", data().join("openai").join(capture).to_str().unwrap()], b"");
        turn["provider"] = "gemini".into();
        let messages = json!([{ "role": "user", "content": "go" }, turn, { "role": "user", "content": "more" }]);
        encoded(&[arguments, &["--model", "m"]].concat(), &messages.to_string()).0["messages"][1].clone()
    }
    let signed = again("o30-thought-signature.sse", &["--dialect", "openai", "--provider", "gemini"]);
    assert_eq!(signed["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "c2ln");
    assert_eq!(signed["extra_content"]["google"]["thought_signature"], "dGV4dA");
    let reasoned = again("o27-reasoning-content.sse", &["--dialect", "openai", "--provider", "gemini"]);
    assert!(!reasoned["reasoning_content"].as_str().unwrap().is_empty());
    for arguments in [&["--dialect", "openai", "--provider", "groq"][..], &["--dialect", "anthropic"]] {
        let elsewhere = again("o30-thought-signature.sse", arguments).to_string();
        assert!(!elsewhere.contains("signature"), "{elsewhere}");
        let elsewhere = again("o27-reasoning-content.sse", arguments).to_string();
        assert!(!elsewhere.contains("reasoning"), "{elsewhere}");
    }
}

#[test]
fn results_find_their_calls_under_one_id() {
    let call = |input: &str| json!({ "type": "tool_use", "id": "same", "name": "bash", "input": { "command": input } });
    let result = |content: &str| json!({ "type": "tool_result", "tool_use_id": "same", "content": content });
    let messages = json!([
        { "role": "user", "content": "go" },
        { "role": "assistant", "content": [call("a"), call("b")] },
        { "role": "user", "content": [result("one"), result("two")] },
        { "role": "assistant", "content": [call("c")] },
        { "role": "user", "content": [result("three")] },
    ]);
    let (body, told) = encoded(&["--dialect", "openai", "--model", "m"], &messages.to_string());
    let results: Vec<&Value> =
        body["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool").collect();
    let told_of: Vec<&str> = results.iter().map(|result| result["content"].as_str().unwrap()).collect();
    assert_eq!((told_of, told.len()), (vec!["one", "two", "three"], 0));
    let ids: std::collections::HashSet<&str> =
        results.iter().map(|result| result["tool_call_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 3);
}

#[test]
fn calls_of_a_cut_turn_are_not_sent() {
    let messages = json!([
        { "role": "user", "content": "go" },
        { "role": "assistant", "stop_reason": "max_tokens", "content": [
            { "type": "text", "text": "Writing" }, { "type": "tool_use", "id": "t", "name": "bash", "input": {} }] },
        { "role": "user", "content": "smaller pieces, please" },
    ]);
    let (body, told) = encoded(&["--dialect", "anthropic", "--model", "m"], &messages.to_string());
    assert_eq!(body["messages"][1], json!({ "role": "assistant", "content": [{ "type": "text", "text": "Writing" }] }));
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn what_decode_tells_is_sent_back_byte_for_byte() {
    let check = |dialect: &str, file: &str, provider: &str, expected: &[&str]| {
        let file = data().join(dialect).join(file);
        let told = run(&["decode", "--json", "--dialect", dialect, file.to_str().unwrap()], b"");
        let told = String::from_utf8(told.stdout).unwrap();
        let sent = run(&["encode", "--dialect", dialect, "--provider", provider, "--model", "m", "-"], told.as_bytes());
        let body = String::from_utf8(sent.stdout).unwrap();
        for expected in expected {
            assert!(body.contains(expected), "{expected} is not in {body}");
        }
        let words = run(&["decode", "--dialect", dialect, file.to_str().unwrap()], b"");
        let words = String::from_utf8(words.stdout).unwrap();
        for text in [told, body, words] {
            assert!(!text.contains("loopglass"), "{text}");
        }
    };
    check(
        "anthropic",
        "a19-numbers-as-written.sse",
        "anthropic",
        &[
            r#"{"type":"thinking","thinking":"Hm","signature":"sig/==","weight":0.10}"#,
            r#"{"type":"scored","score":1.20,"id":12345678901234567890123,"#,
            r#""input":{"command":"ls","limit":18446744073709551616},"priority":2.0e0}"#,
        ],
    );
    check(
        "openai",
        "o28-numbers-as-written.sse",
        "openrouter",
        &[
            r#""index":0,"score":1.10}]"#,
            r#""mood":{"n":12345678901234567890123}"#,
            r#""arguments":"{\"command\":\"ls\",\"limit\":0.10}""#,
        ],
    );
}
