//! Model calls by way of the bridge: what goes on, what stays, and what is refused.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::mpsc;

use harness::http::Response;
use harness::upstream::{self, Upstream};
use harness::{Bridge, LONG, read};

const KEY: &str = "sk-relay-0123456789";
const OK: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

/// A bridge that relays to this upstream under the name `here`, with the key in the environment.
fn relaying_to(upstream: &Upstream) -> Bridge {
    Bridge::with(|command| {
        command.arg("--relay").arg(format!("here={}", upstream.url()));
        command.args(["--relay-key", "here=MY_KEY"]).env("MY_KEY", KEY);
    })
}

fn post(bridge: &Bridge, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
    bridge.ask_with_token(&format!("POST {path}"), &[&[("Content-Type", "application/json")], headers].concat(), body)
}

#[test]
fn t35_the_key_is_added_and_what_a_browser_adds_stays_here() {
    let upstream = Upstream::answering(OK);
    let bridge = relaying_to(&upstream);
    let origin = format!("http://127.0.0.1:{}", bridge.port);
    let added = [
        ("Origin", origin.as_str()),
        ("Cookie", "session=1"),
        ("Referer", "http://127.0.0.1/"),
        ("X-Forwarded-For", "10.0.0.1"),
        ("Forwarded", "for=10.0.0.1"),
        ("Proxy-Authorization", "Basic eA=="),
        ("x-api-key", "page"),
        ("api-key", "page"),
        ("x-goog-api-key", "page"),
        ("anthropic-dangerous-direct-browser-access", "true"),
        ("anthropic-version", "2023-06-01"),
        ("Accept", "text/event-stream"),
    ];
    let response = post(&bridge, "/relay/here/v1/messages", &added, b"{\"a\":1}");
    assert_eq!((response.status, response.content().0), (200, b"{}".to_vec()));
    post(&bridge, "/relay/here/chat/completions", &added, b"{\"b\":2}");
    let seen = upstream.seen();
    let names: Vec<&str> = seen[0].headers.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "content-type",
        "anthropic-version",
        "accept",
        "accept-encoding",
        "x-api-key",
        "content-length",
        "user-agent",
        "host",
    ];
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(sorted(&names), sorted(&expected));
    assert_eq!((seen[0].line.as_str(), seen[0].body.as_slice()), ("POST /v1/messages HTTP/1.1", &b"{\"a\":1}"[..]));
    assert_eq!(seen[0].header("x-api-key"), Some(KEY));
    assert_eq!(seen[0].header("host"), Some(format!("127.0.0.1:{}", upstream.port).as_str()));
    assert_eq!(
        (seen[1].line.as_str(), seen[1].body.as_slice()),
        ("POST /chat/completions HTTP/1.1", &b"{\"b\":2}"[..])
    );
    assert_eq!(seen[1].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(seen[1].header("x-api-key"), None);
}

#[test]
fn t35_a_list_of_models_is_asked_for_with_the_key_and_nothing_else_is_by_get() {
    let upstream = Upstream::answering(OK);
    let bridge = Bridge::with(|command| {
        for (name, dialect) in [("chat", "CHAT"), ("anthropic", "ANTHROPIC")] {
            command.arg("--relay").arg(format!("{name}={}", upstream.url()));
            command.arg("--relay-key").arg(format!("{name}={dialect}_KEY")).env(format!("{dialect}_KEY"), KEY);
        }
    });
    let host = format!("127.0.0.1:{}", bridge.port);
    let bearer = format!("Bearer {}", bridge.token);
    let get = |path: &str, headers: &[(&str, &str)]| {
        let all: Vec<(&str, &str)> = [("Host", host.as_str())].into_iter().chain(headers.iter().copied()).collect();
        bridge.ask_raw(&format!("GET {path}"), &all, b"").status
    };
    let token = ("Authorization", bearer.as_str());
    assert_eq!(get("/relay/chat/models", &[token]), 200);
    assert_eq!(get("/relay/anthropic/v1/models", &[token, ("x-relay-key", "sk-typed-in-the-page")]), 200);
    assert_eq!(get("/relay/chat/models", &[]), 401);
    assert_eq!(get("/relay/chat/models", &[token, ("Origin", "https://evil.example")]), 403);
    assert_eq!(get("/relay/chat/models?limit=1", &[token]), 404);
    assert_eq!(get("/relay/chat/v1/messages", &[token]), 405);
    assert_eq!(get("/relay/chat/files", &[token]), 405);
    let seen = upstream.seen();
    let asked: Vec<_> = seen.iter().map(|one| (one.line.as_str(), one.body.len())).collect();
    assert_eq!(asked, [("GET /models HTTP/1.1", 0), ("GET /v1/models?limit=1000 HTTP/1.1", 0)]);
    let bearer_of_it = format!("Bearer {KEY}");
    assert_eq!(seen[0].header("authorization"), Some(bearer_of_it.as_str()));
    assert_eq!(seen[1].header("x-api-key"), Some("sk-typed-in-the-page"));
}

#[test]
fn t35_nobody_relays_without_the_token() {
    let upstream = Upstream::answering(OK);
    let bridge = relaying_to(&upstream);
    let own = format!("127.0.0.1:{}", bridge.port);
    let bearer = format!("Bearer {}", bridge.token);
    let path = "POST /relay/here/v1/messages";
    let json = ("Content-Type", "application/json");
    let refused = |headers: &[(&str, &str)]| bridge.ask_raw(path, headers, b"{}").status;
    assert_eq!(refused(&[("Host", &own), json]), 401);
    assert_eq!(refused(&[("Host", &own), json, ("x-relay-key", &bridge.token)]), 401);
    assert_eq!(refused(&[("Host", &own), ("Content-Type", "text/plain"), ("Authorization", &bearer)]), 415);
    assert_eq!(refused(&[("Host", &own), json, ("Authorization", &bearer), ("Origin", "https://evil.example")]), 403);
    assert_eq!(refused(&[("Host", "attacker.test"), json, ("Authorization", &bearer)]), 403);
    assert_eq!(upstream.seen(), []);
}

#[test]
fn t35_only_a_few_paths_of_configured_services_are_there() {
    let upstream = Upstream::answering(OK);
    let bridge = relaying_to(&upstream);
    for path in [
        "/relay/here/v1/files",
        "/relay/here/v1/models",
        "/relay/here/v1/messages/",
        "/relay/here//v1/messages",
        "/relay/here/v1//messages",
        "/relay/here/./v1/messages",
        "/relay/here/v1/messages/../../admin",
        "/relay/here/%2e%2e/v1/messages",
        "/relay/here/v1%2fmessages",
        "/relay/here/v1/messages%00",
        "/relay/here/v1/messages?beta=true",
        "/relay/here/v1/messages?",
        "/relay/here/V1/messages",
        "/relay/here/@evil.example/v1/messages",
        "/relay/here/http://evil.example/v1/messages",
        "/relay/here@evil.example/v1/messages",
        "/relay/HERE/v1/messages",
        "/relay/%68ere/v1/messages",
        "/relay/nobody/v1/messages",
        "/relay/127.0.0.1:1/v1/messages",
        "/relay/here",
        "/relay/here/",
        "/relay//v1/messages",
    ] {
        let response = post(&bridge, path, &[], b"{}");
        assert!([404, 405].contains(&response.status), "{path}: {}", response.status);
    }
    assert_eq!(upstream.seen(), []);
}

#[test]
fn an_answer_streams_as_it_comes_and_so_does_a_request() {
    let (told, heard) = mpsc::channel::<Vec<u8>>();
    let (go, gone) = mpsc::channel::<()>();
    let gone = std::sync::Mutex::new(gone);
    let upstream = Upstream::with(move |stream, _| {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        upstream::head(&mut reader);
        for _ in 0..2 {
            told.send(upstream::chunk(&mut reader)).unwrap();
        }
        assert_eq!(upstream::chunk(&mut reader), b"");
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            .unwrap();
        for part in ["data: 1\n\n", "data: 2\n\n"] {
            gone.lock().unwrap().recv().unwrap();
            stream.write_all(format!("{:x}\r\n{part}\r\n", part.len()).as_bytes()).unwrap();
        }
        stream.write_all(b"0\r\n\r\n").unwrap();
    });
    let bridge = relaying_to(&upstream);
    let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    let head = format!(
        "POST /relay/here/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nx-api-key: {}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        bridge.port, bridge.token
    );
    stream.write_all(head.as_bytes()).unwrap();
    // Each part has to arrive before the next is written.
    for part in ["{\"one\":", "1}"] {
        stream.write_all(format!("{:x}\r\n{part}\r\n", part.len()).as_bytes()).unwrap();
        assert_eq!(heard.recv_timeout(LONG).unwrap(), part.as_bytes());
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let mut came = String::new();
    for part in ["data: 1\n\n", "data: 2\n\n"] {
        go.send(()).unwrap();
        while !came.contains(part) {
            let mut bytes = [0; 1024];
            let len = stream.read(&mut bytes).unwrap();
            assert!(len > 0, "{came}");
            came.push_str(&String::from_utf8_lossy(&bytes[..len]));
        }
    }
    assert!(came.contains("content-type: text/event-stream"), "{came}");
}

#[test]
fn who_lets_go_of_the_answer_ends_the_request() {
    for says_something in [false, true] {
        let (told, heard) = mpsc::channel();
        let upstream = Upstream::with(move |stream, _| {
            upstream::read(&mut BufReader::new(stream.try_clone().unwrap()));
            if says_something {
                let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n";
                stream.write_all(head).unwrap();
            }
            told.send(false).unwrap();
            told.send(upstream::is_let_go(stream)).unwrap();
        });
        let bridge = relaying_to(&upstream);
        let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
        let request = format!(
            "POST /relay/here/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nx-api-key: {}\r\n\
             Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
            bridge.port, bridge.token
        );
        stream.write_all(request.as_bytes()).unwrap();
        assert!(!heard.recv_timeout(LONG).unwrap());
        drop(stream);
        assert!(heard.recv_timeout(LONG).unwrap(), "the service is left waiting");
    }
}

#[test]
fn t35_no_redirect_is_followed() {
    let elsewhere = Upstream::answering(OK);
    for status in [301, 302, 303, 307, 308] {
        let location = format!("{}/v1/messages", elsewhere.url());
        let upstream = Upstream::answering(format!(
            "HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        ));
        let bridge = relaying_to(&upstream);
        let response = post(&bridge, "/relay/here/v1/messages", &[], b"{}");
        assert_eq!((response.status, response.header("location")), (502, None));
        assert!(response.text().contains("another address"), "{}", response.text());
    }
    assert_eq!(elsewhere.seen(), []);
}

#[test]
fn an_answer_cannot_speak_for_the_bridge() {
    let upstream = Upstream::answering(format!(
        "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nSet-Cookie: a=b\r\nx-quoted: {KEY}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Private-Network: true\r\nClear-Site-Data: \"*\"\r\n\
         Content-Security-Policy: default-src *\r\nWWW-Authenticate: Basic\r\nRefresh: 0; url=/\r\nretry-after: 7\r\n\
         anthropic-ratelimit-tokens-limit: 9\r\nrequest-id: {KEY}\r\nx-request-id: r1\r\nConnection: close\r\n\r\n\
         {{\"error\":{{\"message\":\"bad key {KEY}\"}}}}"
    ));
    let bridge = relaying_to(&upstream);
    let response = post(&bridge, "/relay/here/v1/messages", &[], b"{}");
    assert_eq!(response.status, 401);
    let raw = String::from_utf8_lossy(&response.raw);
    assert!(!raw.contains(KEY) && !raw.contains(&bridge.token), "{raw}");
    assert!(raw.contains("bad key (the key)"), "{raw}");
    for (name, _) in &response.headers {
        assert!(!name.starts_with("access-control") && !name.starts_with("x-quoted"), "{name}");
        assert!(!["set-cookie", "clear-site-data", "www-authenticate", "refresh"].contains(&name.as_str()), "{name}");
    }
    assert!(response.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(response.header("retry-after"), Some("7"));
    assert_eq!(response.header("anthropic-ratelimit-tokens-limit"), Some("9"));
    assert_eq!((response.header("request-id"), response.header("x-request-id")), (None, Some("r1")));
}

#[test]
fn a_typed_key_goes_along_once_and_is_kept_nowhere() {
    let upstream = Upstream::answering(OK);
    let bridge = Bridge::with(|command| {
        command.arg("--relay").arg(format!("here={}", upstream.url())).args(["--log", "trace"]);
    });
    let typed = "sk-typed-0123456789";
    let path = "/relay/here/v1/chat/completions";
    assert_eq!(post(&bridge, path, &[("x-relay-key", typed)], b"{}").status, 200);
    assert_eq!(post(&bridge, path, &[], b"{}").status, 200);
    assert_eq!(post(&bridge, path, &[("x-relay-key", " ")], b"{}").status, 200);
    assert_eq!(post(&bridge, path, &[("x-relay-key", "two words")], b"{}").status, 400);
    assert_eq!(post(&bridge, path, &[("x-relay-key", typed), ("x-relay-key", typed)], b"{}").status, 400);
    let keys: Vec<_> = upstream.seen().iter().map(|seen| seen.header("authorization").map(str::to_owned)).collect();
    assert_eq!(keys, [Some(format!("Bearer {typed}")), None, None]);
    let log = read(&bridge.log);
    assert!(log.contains("relayed") && !log.contains(typed) && !log.contains(&bridge.token), "{log}");
}

#[test]
fn a_service_that_closes_the_connections_it_promised_to_keep_fails_nothing() {
    // It closes at the moment the connection is used again.
    let upstream = Upstream::with(|stream, remember| {
        remember(upstream::read(&mut BufReader::new(stream.try_clone().unwrap())));
        stream.write_all(OK.as_bytes()).unwrap();
        let _ = stream.read(&mut [0]);
    });
    let bridge = relaying_to(&upstream);
    let statuses = [(); 3].map(|()| post(&bridge, "/relay/here/v1/messages", &[], b"{}").status);
    assert_eq!(statuses, [200; 3]);
}

#[test]
fn a_typed_key_counts_more_than_the_bridge_s() {
    let upstream = Upstream::answering(OK);
    let bridge = relaying_to(&upstream);
    post(&bridge, "/relay/here/v1/messages", &[("x-relay-key", "sk-typed-0123456789")], b"{}");
    assert_eq!(upstream.seen()[0].header("x-api-key"), Some("sk-typed-0123456789"));
}

#[test]
fn t35_a_request_has_a_largest_size() {
    let upstream = Upstream::with(|stream, _| {
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let bridge = relaying_to(&upstream);
    let head = |how: &str| {
        format!(
            "POST /relay/here/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nx-api-key: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\n{how}\r\n\r\n",
            bridge.port, bridge.token
        )
        .into_bytes()
    };
    assert_eq!(bridge.send_bytes(&head("Content-Length: 40000000")).status, 413);
    // One that does not say how large it is.
    let piece = [format!("{:x}\r\n", 1 << 20).as_bytes(), &vec![b' '; 1 << 20], b"\r\n"].concat();
    let mut request = head("Transfer-Encoding: chunked");
    (0..40).for_each(|_| request.extend(&piece));
    assert_eq!(bridge.send_bytes(&request).status, 413);
}

#[test]
fn an_answer_that_breaks_off_is_seen_to() {
    let upstream = Upstream::answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
    let bridge = relaying_to(&upstream);
    let response = post(&bridge, "/relay/here/v1/messages", &[], b"{}");
    assert_eq!(response.status, 200);
    assert_eq!(response.content(), (b"half".to_vec(), false));
}

#[test]
fn a_service_that_is_not_there_is_told_as_a_service_would() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let bridge = Bridge::with(|command| {
        command.arg("--relay").arg(format!("here=http://127.0.0.1:{closed}"));
    });
    let response = post(&bridge, "/relay/here/v1/messages", &[], b"{}");
    assert_eq!((response.status, response.header("content-type")), (502, Some("application/json")));
    let told: serde_json::Value = serde_json::from_slice(&response.content().0).unwrap();
    assert_eq!((&told["type"], &told["error"]["type"]), (&"error".into(), &"relay_error".into()));
    assert!(told["error"]["message"].as_str().unwrap().contains("could not reach the service"), "{told}");
}

/// Where a key of the environment goes: which of two services sees which key.
#[track_caller]
fn check_environment(variables: &[(&str, &str)], path: &str, expected: Option<(&str, &str)>) {
    let upstream = Upstream::answering(OK);
    let bridge = Bridge::with(|command| {
        for (name, value) in variables {
            command.env(name, value.replace("HERE", &upstream.url()));
        }
    });
    let status = post(&bridge, path, &[], b"{}").status;
    let seen = upstream.seen();
    match expected {
        Some((name, value)) => {
            assert_eq!((status, seen[0].header(name)), (200, Some(value)), "{variables:?}");
        }
        None => {
            let names = ["x-api-key", "authorization"];
            assert!(seen.iter().all(|seen| names.iter().all(|name| seen.header(name).is_none())), "{variables:?}");
        }
    }
}

#[test]
fn t33_a_key_of_the_environment_goes_to_its_own_address_alone() {
    let messages = "/relay/anthropic/v1/messages";
    let both = [("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", "HERE")];
    check_environment(&both, messages, Some(("x-api-key", KEY)));
    // The account's token is not for a custom address.
    check_environment(&[("ANTHROPIC_AUTH_TOKEN", KEY), ("ANTHROPIC_BASE_URL", "HERE")], messages, None);
    check_environment(
        &[both[0], both[1], ("ANTHROPIC_AUTH_TOKEN", "other-secret")],
        messages,
        Some(("x-api-key", KEY)),
    );
    let unnamed = [("API_KEY", KEY), ("BASE_URL", "HERE"), ("MODEL_ID", "m")];
    check_environment(&unnamed, "/relay/custom/v1/messages", Some(("x-api-key", KEY)));
    let openai = [("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", "HERE/v1")];
    let bearer = format!("Bearer {KEY}");
    check_environment(&openai, "/relay/openai/chat/completions", Some(("authorization", &bearer)));
    check_environment(&[("BASE_URL", "HERE"), ("OPENAI_API_KEY", KEY)], "/relay/custom/v1/messages", None);
}

/// A bridge with this configuration; its folder is kept as long as the bridge.
fn configured(text: &str, change: impl FnOnce(&mut Command)) -> (Bridge, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host-bridge.toml");
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let bridge = Bridge::with(|command| {
        command.arg("--config").arg(&file);
        change(command);
    });
    (bridge, folder)
}

#[test]
fn a_key_never_goes_to_an_address_it_did_not_come_with() {
    let upstream = Upstream::answering(OK);
    let url = upstream.url();
    let text = format!("[relay.openai]\nbase_url = \"{url}\"\n[relay.mine]\nbase_url = \"{url}\"\nkey = \"{KEY}\"\n");
    let (bridge, _folder) = configured(&text, |command| {
        command.env("OPENAI_API_KEY", "sk-of-the-environment");
    });
    post(&bridge, "/relay/openai/v1/chat/completions", &[], b"{}");
    post(&bridge, "/relay/mine/v1/chat/completions", &[], b"{}");
    let keys: Vec<_> = upstream.seen().iter().map(|seen| seen.header("authorization").map(str::to_owned)).collect();
    assert_eq!(keys, [None, Some(format!("Bearer {KEY}"))]);
    // Nor does a flag's address get a key of the environment that it does not name.
    let bridge = Bridge::with(|command| {
        command.arg("--relay").arg(format!("openai={url}")).env("OPENAI_API_KEY", "sk-of-the-environment");
    });
    post(&bridge, "/relay/openai/v1/chat/completions", &[], b"{}");
    assert_eq!(upstream.seen()[2].header("authorization"), None);
}

#[tokio::test]
async fn the_page_is_told_what_is_served_and_no_key() {
    let (bridge, _folder) = configured(
        "[relay.mine]\nbase_url = \"https://models.example/v1/\"\nmodel = \"m1\"\ndialect = \"messages\"\n",
        |command| {
            command.env("DASHSCOPE_API_KEY", KEY);
        },
    );
    let page = bridge.page().await;
    let hello = page.client.bridge().unwrap();
    let told: Vec<(&str, &str, bool, bool)> =
        hello.relay.iter().map(|it| (it.name.as_str(), it.base_url.as_str(), it.has_key, it.admits_pages)).collect();
    assert!(told.contains(&("anthropic", "https://api.anthropic.com", false, true)), "{told:?}");
    let dashscope = "https://dashscope.aliyuncs.com/compatible-mode/v1";
    assert!(told.contains(&("dashscope", dashscope, true, false)), "{told:?}");
    assert!(told.contains(&("mine", "https://models.example/v1", false, false)), "{told:?}");
    assert!(!format!("{hello:?}").contains(KEY));
}

#[tokio::test]
async fn t32_no_command_finds_the_key_of_the_relay() {
    let upstream = Upstream::answering(OK);
    let bridge = relaying_to(&upstream);
    let page = &mut bridge.page().await;
    let port = bridge.port;
    let look = format!(
        "env; cat /proc/$PPID/environ /proc/$PPID/cmdline; ls -l /proc/$PPID/fd /proc/self/fd; \
         exec 3<>/dev/tcp/127.0.0.1/{port}; printf 'POST /relay/here/v1/messages HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\
         Content-Type: application/json\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\n{{}}' >&3; cat <&3"
    );
    let ran = page.run("look", &look).await;
    let all = format!("{}{}", ran.out(), ran.err());
    assert!(all.contains("HTTP/1.1 401") && !all.contains(KEY), "{all}");
    assert!(!all.contains("LOOPGLASS_SEALED"), "{all}");
    let own = std::fs::read(format!("/proc/{}/environ", bridge.pid())).unwrap();
    assert!(!String::from_utf8_lossy(&own).contains(KEY));
    assert_eq!(upstream.seen(), []);
}
