//! What must not be found, is not found.
//!
//! Root may read any process's memory and environment. So what is looked for there as root must not be there at all, and
//! what only others are kept from is looked for as somebody else.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::os::unix::fs::PermissionsExt;

use bridge_protocol::Outcome;
use bridge_protocol::frames::Refusal;
use harness::upstream::Upstream;
use harness::{Bridge, children_of, read};

const KEY: &str = "sk-test-4f1e9c";

/// A bridge started with secrets all around it.
fn with_secrets() -> Bridge {
    Bridge::with(|command| {
        command
            .env("ANTHROPIC_API_KEY", KEY)
            .env("OPENAI_API_KEY", KEY)
            .env("GITHUB_TOKEN", KEY)
            .env("DATABASE_URL", format!("postgres://u:{KEY}@h/d"))
            .env("HTTPS_PROXY", format!("http://u:{KEY}@proxy:1"))
            .env("PLAIN", KEY)
            .env("BASH_ENV", "/nonexistent/rc")
            .env("LANG", "C.UTF-8")
            .env("VIRTUAL_ENV", "/opt/venv")
            .env("LC_TIME", "C")
            .env("RUST_LOG", "trace");
    })
}

#[tokio::test]
async fn t30_no_command_sees_a_secret() {
    let bridge = with_secrets();
    let page = &mut bridge.page().await;
    let env = page.run("env", "env").await.out();
    assert!(!env.contains(KEY) && !env.contains(&bridge.token), "{env}");
    for kept in ["PATH=", "HOME=", "VIRTUAL_ENV=/opt/venv", "LC_TIME=C", "TERM=dumb", "PAGER=cat", "LANG=C.UTF-8"] {
        assert!(env.lines().any(|line| line.starts_with(kept)), "{kept} is missing in {env}");
    }
    // Every ancestor it can find, and everything they show.
    let climb = "p=$PPID; while [ $p -gt 1 ] && tr '\\0' ' ' </proc/$p/cmdline | grep -q host-bridge; do \
                 cat /proc/$p/environ /proc/$p/cmdline; ls -l /proc/$p/fd; \
                 p=$(sed 's/.*) . \\([0-9]*\\) .*/\\1/' /proc/$p/stat); done; echo climbed $p";
    let seen = page.run("climb", climb).await;
    let all = format!("{}{}", seen.out(), seen.err());
    assert!(all.contains("climbed"), "{all}");
    assert!(!all.contains(KEY) && !all.contains(&bridge.token), "{all}");
    let curl = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{p}; printf 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:{p}\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3",
        p = bridge.port
    );
    let fetched = page.run("curl", &curl).await;
    assert!(fetched.out().starts_with("HTTP/1.1 ") && !fetched.out().contains(&bridge.token), "{}", fetched.out());
}

#[tokio::test]
async fn t31_no_process_of_the_bridge_holds_a_secret_where_others_look() {
    let bridge = with_secrets();
    let page = &mut bridge.page().await;
    page.start("1", "echo up; read -t 1000 < <(sleep 1000)", None);
    page.until_output("up").await;
    let mut pids = vec![bridge.pid().to_string()];
    pids.extend(children_of(bridge.pid()).iter().map(|stat| stat.split(' ').next().unwrap().to_owned()));
    assert!(pids.len() >= 2, "{pids:?}");
    for pid in pids {
        for file in ["environ", "cmdline"] {
            let content = match std::fs::read(format!("/proc/{pid}/{file}")) {
                Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => continue,
                content => content.unwrap(),
            };
            let content = String::from_utf8_lossy(&content);
            assert!(!content.contains(KEY) && !content.contains(&bridge.token), "{file} of {pid}: {content}");
        }
    }
    // Nobody but root may look into the bridge: what belongs to a process that is not dumpable belongs to root.
    let owner = std::fs::metadata(format!("/proc/{}/environ", bridge.pid())).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::uid(&owner), 0);
    assert_eq!(owner.permissions().mode() & 0o777, 0o400);
}

#[tokio::test]
async fn t31_a_command_cannot_look_into_the_bridge() {
    let Some(bridge) = Bridge::unprivileged(&[]) else { return };
    let page = &mut bridge.page().await;
    let pid = bridge.pid();
    for file in ["environ", "mem", "maps", "auxv", "fd/0", "cwd/."] {
        let ran = page.run(file, &format!("head -c 1 /proc/{pid}/{file} 2>&1")).await;
        assert!(ran.out().contains("Permission denied"), "{file}: {}", ran.out());
    }
    // It can do its work all the same.
    assert_eq!(page.run("works", "echo works; id -u").await.out().lines().next(), Some("works"));
    assert_eq!(page.run("ends", "setsid sleep 1000 & echo up").await.ended.leftovers.len(), 1);
}

#[tokio::test]
async fn t19_the_log_of_a_whole_session_holds_no_secret() {
    let bridge = with_secrets();
    let mut page = bridge.page().await;
    page.run("1", "echo hello").await;
    let _ = harness::page::open(bridge.port, &"f".repeat(64)).await.unwrap_err();
    let refused = bridge.ask("GET /practice/openai/v1/models", &[("x-api-key", "attempted-value")]);
    assert_eq!(refused.status, 401);
    let mut page = harness::page::reconnect(&bridge, page.cut()).await;
    assert_eq!(page.run("2", "exit 3").await.outcome(), &Outcome::Exited { code: 3 });
    let log = read(&bridge.log);
    assert!(log.contains("turned a request away"), "{log}");
    for secret in [bridge.token.as_str(), KEY, "attempted-value", &"f".repeat(64), "echo hello"] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
}

#[tokio::test]
async fn t33_nothing_in_the_workspace_changes_the_bridge() {
    let bridge = Bridge::with(|command| {
        let workspace = command.get_args().last().unwrap().to_owned();
        let workspace = std::path::Path::new(&workspace);
        std::fs::write(workspace.join(".env"), "PATH=/nonexistent\nLOOPGLASS_PORT=1\nRUST_LOG=trace\n").unwrap();
        std::fs::write(workspace.join(".bashrc"), "echo hostile").unwrap();
        std::fs::write(workspace.join("bash"), "#!/bin/sh\necho hostile").unwrap();
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(workspace.join("bash"), mode).unwrap();
        command.current_dir(workspace).env("HOME", workspace);
    });
    let page = &mut bridge.page().await;
    let ran = page.run("1", "echo fine").await;
    assert_eq!((ran.out().as_str(), ran.err().as_str()), ("fine\n", ""));
    let log = read(&bridge.log);
    let said: Vec<&str> = log.lines().filter(|line| !line.contains("built without its page")).collect();
    assert_eq!(said, ["host-bridge: sandbox off: --sandbox off; commands have all of your rights"]);
}

#[tokio::test]
async fn t33_no_file_of_the_workspace_leads_a_model_call_or_a_command_astray() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    let (configured, evil) = (Upstream::answering(answer), Upstream::answering(answer));
    let bridge = Bridge::with(|command| {
        let workspace = std::path::PathBuf::from(command.get_args().last().unwrap());
        let (url, names) =
            (evil.url(), ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "BASE_URL", "HTTP_PROXY", "ALL_PROXY"]);
        let env: String = names.iter().map(|name| format!("{name}={url}\n")).collect();
        let toml = format!("[relay.here]\nbase_url = \"{url}\"\nkey = \"sk-evil\"\n[policy]\nallow = [\"env\"]\n");
        let json = format!("{{\"env\":{{\"ANTHROPIC_BASE_URL\":\"{url}\"}},\"apiKeyHelper\":\"touch ran\"}}");
        for (name, text) in [
            (".env", &env),
            (".env.local", &env),
            (".envrc", &env),
            (".bash_profile", &env),
            ("host-bridge.toml", &toml),
            ("config.toml", &toml),
            (".loopglass.toml", &toml),
            ("loopglass/host-bridge.toml", &toml),
            (".config/loopglass/host-bridge.toml", &toml),
            (".claude/settings.json", &json),
            (".vscode/settings.json", &json),
        ] {
            let file = workspace.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        command.current_dir(&workspace).arg("--relay").arg(format!("here={}", configured.url()));
        command.args(["--relay-key", "here=MY_KEY"]).env("MY_KEY", KEY);
    });
    let json = [("Content-Type", "application/json")];
    assert_eq!(bridge.ask_with_token("POST /relay/here/v1/messages", &json, b"{}").status, 200);
    let page = &mut bridge.page().await;
    let targets = page.client.bridge().unwrap().relay.clone();
    assert!(targets.iter().all(|target| target.base_url != evil.url()), "{targets:?}");
    let env = page.run("1", "env").await.out();
    assert!(!env.contains(&evil.url()), "{env}");
    // What no rule allows is still not run unasked.
    page.client.run_unasked("2", "bash", serde_json::json!({ "command": "env" }), None).unwrap();
    assert_eq!(page.end("2").await.outcome(), &Outcome::CannotStart { why: Refusal::NotAsked });
    assert_eq!(configured.seen().iter().map(|seen| seen.header("x-api-key")).collect::<Vec<_>>(), [Some(KEY)]);
    assert_eq!(evil.seen(), []);
    assert!(!bridge.path("ran").exists());
}
