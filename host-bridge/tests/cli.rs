//! The program as a person starts and ends it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use harness::Bridge;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_host-bridge")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// One clear line on stderr, nothing on stdout, exit code 2.
#[track_caller]
fn check_mistake(arguments: &[&str], says: &[&str]) {
    let output = run(arguments);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    for part in says {
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
}

#[test]
fn a_mistake_is_told_in_one_line() {
    check_mistake(&["--no-such-flag"], &["--no-such-flag"]);
    check_mistake(&["--idle-exit", "soon"], &["soon", "--idle-exit"]);
    check_mistake(&["--port", "seven"], &["seven", "--port"]);
    check_mistake(&["--port", "65536"], &["65536", "--port"]);
    check_mistake(&["--port", "-1"], &["-1"]);
    check_mistake(&["--port"], &["--port"]);
    check_mistake(&["--grace", "soon"], &["soon", "--grace"]);
    check_mistake(&["--grace", "-1"], &["-1"]);
    check_mistake(&["--allow-origin", "http://pages.example"], &["http://pages.example", "--allow-origin"]);
    check_mistake(&["--allow-origin", "https://*.example"], &["https origin"]);
    check_mistake(&["--ping", "0"], &["0", "--ping"]);
    check_mistake(&["--ping", "1e300"], &["1e300", "--ping"]);
    check_mistake(&["--log", "loud"], &["loud", "--log"]);
    check_mistake(&["extra"], &["extra"]);
    check_mistake(&["--port", "0", "--workspace", "/no/such/dir"], &["/no/such/dir", "workspace"]);
    check_mistake(&["--port", "0", "--workspace", "/etc/passwd"], &["/etc/passwd", "workspace"]);
    check_mistake(&["--port", "0", "--workspace", ""], &["workspace"]);
    check_mistake(&["--port", "0", "--page", "/no/such/dir"], &["/no/such/dir", "page"]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    check_mistake(&["--no-open", "--port", &port], &[&port, "taken"]);
}

#[test]
fn t9_it_listens_on_this_machine_unless_the_danger_is_said() {
    let everywhere =
        ["0.0.0.0", "::", "0", "0x0", "::ffff:0.0.0.0", "", "0.0.0.0:80", "*", "[::]", "localhost", "127.1"];
    for host in everywhere {
        check_mistake(&["--port", "0", "--host", host], &["--host"]);
        check_mistake(&["--port", "0", "--dangerously-reachable", "--host", host], &["--host"]);
    }
    for host in ["192.0.2.1", "10.0.0.1", "128.0.0.1", "255.255.255.255"] {
        check_mistake(&["--port", "0", "--host", host], &[host, "other machines", "--dangerously-reachable"]);
    }
    // With it, the token is asked for all the same, and the name is the address.
    let bridge = Bridge::with(|command| {
        command.args(["--host", "127.0.0.2", "--dangerously-reachable"]);
    });
    let ask = |host: String, headers: &[(&str, &str)]| {
        let mut stream = std::net::TcpStream::connect(("127.0.0.2", bridge.port)).unwrap();
        let mut request = format!("GET /practice/openai/v1/models HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    let own = format!("127.0.0.2:{}", bridge.port);
    assert_eq!(ask(own.clone(), &[]), "401");
    assert_eq!(ask(own, &[("x-api-key", &bridge.token)]), "200");
    assert_eq!(ask(format!("127.0.0.1:{}", bridge.port), &[("x-api-key", &bridge.token)]), "403");
}

/// A configuration with this text and mode is refused, and what is said does not hold `KEY`.
#[track_caller]
fn check_configuration(text: &str, mode: u32, says: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host-bridge.toml");
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    let file = file.to_str().unwrap();
    check_mistake(&["--port", "0", "--workspace", "/usr", "--config", file], says);
    let told = run(&["--port", "0", "--workspace", "/usr", "--config", file]).stderr;
    assert!(!String::from_utf8_lossy(&told).contains("sk-in-the-file"), "{told:?}");
}

#[test]
fn a_wrong_configuration_is_told_by_its_line_and_without_its_keys() {
    check_configuration("[relay.a]\nkey = \"sk-in-the-file\" x\n", 0o600, &["host-bridge.toml", "line 2"]);
    check_configuration("[relay.a]\nkey = \"sk-in-the-file\"\n", 0o600, &["a has no base URL"]);
    check_configuration("[relay.a]\nkey = \"sk-in-the-file \\u0007\"\n", 0o600, &["line 2", "the key"]);
    check_configuration("\n[relais.a]\n", 0o600, &["line 2", "relais"]);
    check_configuration("[relay.openai]\nkey = \"sk-in-the-file\"\n", 0o644, &["others may read it", "chmod 600"]);
    check_configuration("", 0o666, &["others may write to it", "chmod 600"]);
    for (url, says) in [
        ("models.example", "no whole URL"),
        ("ftp://models.example", "neither http nor https"),
        ("https://u:sk-in-the-file@models.example", "a login"),
        ("https://models.example/?a=sk-in-the-file", "behind its path"),
        ("file:///etc/passwd", "neither http nor https"),
        ("http://models.example", "by https only"),
        ("http://127.0.0.1.nip.io", "by https only"),
        ("http://169.254.169.254", "by https only"),
    ] {
        let text = format!("[relay.a]\nbase_url = \"{url}\"\nkey = \"sk-in-the-file\"\n");
        check_configuration(&text, 0o600, &["relay a", says]);
    }
    check_mistake(&["--config", "/no/such/file"], &["/no/such/file"]);
    check_mistake(&["--relay", "anthropic"], &["--relay"]);
    check_mistake(&["--relay", "A/B=https://models.example"], &["\"A/B\"", "lower-case"]);
    check_mistake(&["--relay-key", "openai=NO_SUCH_VARIABLE_HERE"], &["NO_SUCH_VARIABLE_HERE", "not set"]);
}

#[test]
fn t33_a_configuration_in_the_workspace_is_not_read() {
    let workspace = tempfile::tempdir().unwrap();
    let folder = workspace.path().join(".config/loopglass");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("host-bridge.toml");
    std::fs::write(&file, "[relay.openai]\nbase_url = \"https://evil.example\"\n").unwrap();
    let named = ["--port", "0", "--workspace", workspace.path().to_str().unwrap(), "--config", file.to_str().unwrap()];
    check_mistake(&named, &["lies in the workspace"]);
    // A link from elsewhere leads into it all the same.
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::create_dir(elsewhere.path().join("loopglass")).unwrap();
    std::os::unix::fs::symlink(&file, elsewhere.path().join("loopglass/host-bridge.toml")).unwrap();
    for config in [workspace.path().join(".config"), elsewhere.path().to_owned()] {
        let bridge = Bridge::with(|command| {
            command.arg("--workspace").arg(workspace.path()).env("XDG_CONFIG_HOME", &config);
        });
        let log = harness::read(&bridge.log);
        assert!(log.contains("lies in the workspace, so it is not read"), "{log}");
    }
    // Nor one that a relative path would lead to.
    let bridge = Bridge::with(|command| {
        command.current_dir(workspace.path()).env("XDG_CONFIG_HOME", ".config").env("HOME", ".");
    });
    assert!(!harness::read(&bridge.log).contains("not read"));
}

#[test]
fn help_is_for_people() {
    let output = run(&["--help"]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    for part in ["--workspace", "--port", "--no-open", "--grace", "Ctrl-C", "7464", "Examples"] {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
    assert!(!told.contains("supervise"), "{told}");
    assert_eq!(run(&["--version"]).stdout, format!("host-bridge {}\n", env!("CARGO_PKG_VERSION")).into_bytes());
}

#[test]
fn t19_stdout_holds_the_link_and_nothing_else() {
    let workspace = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_host-bridge"))
        .env("XDG_STATE_HOME", workspace.path())
        .args(["--port", "0", "--no-open", "--log", "trace", "--workspace"])
        .arg(workspace.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let token = line.trim_end().rsplit_once("/#token=").unwrap().1;
    assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

/// Runs with a browser that writes down how it was called; the address it got.
#[test]
fn t19_the_browser_is_opened_without_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    let opener = folder.path().join("xdg-open");
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$@\" > {}.new\nmv {0}.new {0}\n", asked.display())).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&opener, mode).unwrap();
    std::fs::write(folder.path().join("index.html"), "<head></head>").unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let start = |display: &str| {
        let workspace = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_host-bridge"))
            .args(["--port", "0", "--workspace"])
            .arg(workspace.path())
            .arg("--page")
            .arg(folder.path())
            .env("PATH", &path)
            .env("DISPLAY", display)
            .env("XDG_STATE_HOME", workspace.path())
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (child, line.trim().to_owned())
    };
    let (mut child, link) = start(":0");
    let (origin, token) = link.split_once("/#token=").unwrap();
    let began = std::time::Instant::now();
    while !asked.exists() {
        assert!(began.elapsed() < harness::LONG, "no browser was opened");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let address = harness::read(&asked).trim().to_owned();
    assert!(address.starts_with(&format!("{origin}/open/")) && !address.contains(token), "{address}");
    // The address leads to the link, once.
    let path = address.strip_prefix(origin).unwrap();
    let port = origin.rsplit_once(':').unwrap().1.parse().unwrap();
    let ask = || harness::http::ask(port, &format!("GET {path}"));
    let first = ask();
    assert_eq!((first.status, first.header("location")), (303, Some(format!("/#token={token}").as_str())));
    assert_eq!(first.header("cache-control"), Some("no-store"));
    assert_eq!(ask().status, 404);
    child.kill().unwrap();
    child.wait().unwrap();
    // Without a screen nothing is opened, and nothing is said about it.
    std::fs::remove_file(&asked).unwrap();
    let (mut child, _) = start("");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!asked.exists());
    child.kill().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    assert!(said.starts_with("host-bridge: sandbox ") && said.lines().count() == 1, "{said}");
}

#[test]
fn without_its_page_it_says_how_to_build_it() {
    let folder = tempfile::tempdir().unwrap();
    let bridge = Bridge::with(|command| {
        command.arg("--page").arg(folder.path());
    });
    let response = bridge.ask("GET /", &[]);
    assert_eq!(response.status, 503);
    assert!(response.text().contains("cargo xtask build"), "{}", response.text());
    assert!(harness::read(&bridge.log).contains("cargo xtask build"));
}
