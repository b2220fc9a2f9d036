//! Who comes in, and what they are told.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bridge_protocol::frames::{SUBPROTOCOL, TOKEN_PREFIX};
use harness::door::{offer, refused, with_page};
use harness::http::Response;
use harness::page::upgrade;
use harness::{Bridge, LONG, children_of};
use host_bridge::door::{Access, table};
use tokio_tungstenite::connect_async;

/// What every response carries, and what none does.
#[track_caller]
fn check_protected(bridge: &Bridge, response: &Response) {
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self' ws://127.0.0.1:{} https: http://127.0.0.1:* http://localhost:*; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        bridge.port
    );
    let expected = [
        ("content-security-policy", policy.as_str()),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    for (name, value) in expected {
        assert_eq!(response.header(name), Some(value), "{name}");
    }
    for (name, _) in &response.headers {
        assert!(!name.starts_with("access-control-") && name != "set-cookie", "{name}");
    }
    let raw = String::from_utf8_lossy(&response.raw);
    assert!(!raw.contains(&bridge.token), "the token is in a response");
}

#[track_caller]
fn check_refused(bridge: &Bridge, response: &Response, statuses: &[u16], what: &str) {
    assert!(statuses.contains(&response.status), "{what}: {}", response.status);
    check_protected(bridge, response);
    assert!(response.body.len() < 200 && !response.text().contains("<html"), "{what}: {}", response.text());
}

#[test]
fn t12_every_route_refuses_what_it_must() {
    let (bridge, _page) = with_page();
    let (own, own_origin) = (bridge.host(), bridge.origin());
    let bearer = format!("Bearer {}", bridge.token);
    let offer = offer(&bridge.token);
    let json = "application/json";
    let mut routes: Vec<(String, String, Access)> = table()
        .into_iter()
        .map(|route| {
            let path = route.path.replace("{*path}", "app.wasm").replace("{code}", "0");
            (route.method.to_string(), path, route.access)
        })
        .collect();
    assert!(routes.iter().any(|(_, _, access)| *access == Access::Socket), "the table has no socket");
    assert!(routes.iter().any(|(_, _, access)| *access == Access::Key), "the table has no key route");
    routes.push(("GET".to_owned(), "/nothing/here".to_owned(), Access::Static));
    for (method, path, access) in routes {
        let request = format!("{method} {path}");
        // Everything right, so that one thing at a time can be wrong.
        let right = |leave_out: &str| -> Vec<(&str, &str)> {
            let all = [
                ("Host", own.as_str()),
                ("Origin", &own_origin),
                ("Authorization", &bearer),
                ("Sec-WebSocket-Protocol", &offer),
                ("Connection", "upgrade"),
                ("Upgrade", "websocket"),
                ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
                ("Content-Type", json),
            ];
            let is_socket = |name: &str| name.starts_with("Sec-") || name == "Upgrade" || name == "Connection";
            all.into_iter()
                .filter(|(name, _)| *name != leave_out && (access == Access::Socket || !is_socket(name)))
                .collect()
        };
        let with = |name: &'static str, value: &str| {
            let mut headers = right(name);
            let value = value.to_owned();
            headers.push((name, &value));
            let body: &[u8] = if method == "POST" { b"{}" } else { b"" };
            bridge.ask_raw(&request, &headers, body)
        };
        let without = |name: &str| {
            let body: &[u8] = if method == "POST" { b"{}" } else { b"" };
            bridge.ask_raw(&request, &right(name), body)
        };
        for host in hosts(bridge.port) {
            check_refused(&bridge, &with("Host", &host), &[400, 403], &format!("{request} at {host:?}"));
        }
        check_refused(&bridge, &without("Host"), &[400, 403], &format!("{request} without a host"));
        for origin in origins(bridge.port) {
            check_refused(&bridge, &with("Origin", &origin), &[403], &format!("{request} from {origin:?}"));
        }
        let twice = [right("").as_slice(), &[("Origin", own_origin.as_str())]].concat();
        check_refused(&bridge, &bridge.ask_raw(&request, &twice, b""), &[403], &format!("{request} from two"));
        let options = bridge.ask_raw(&format!("OPTIONS {path}"), &right(""), b"");
        check_refused(&bridge, &options, &[403, 405], &format!("OPTIONS {path}"));
        for other in ["PUT", "DELETE", "PATCH", "TRACE", if method == "GET" { "POST" } else { "GET" }] {
            let response = bridge.ask_raw(&format!("{other} {path}"), &right(""), b"");
            check_refused(&bridge, &response, &[404, 405], &format!("{other} {path}"));
        }
        match access {
            Access::Static => {}
            Access::Socket => {
                check_refused(&bridge, &without("Origin"), &[403], &format!("{request} from nowhere"));
                check_refused(&bridge, &without("Sec-WebSocket-Protocol"), &[401], &format!("{request} without"));
                for token in tokens(&bridge.token) {
                    let response = with("Sec-WebSocket-Protocol", &harness::door::offer(&token));
                    check_refused(&bridge, &response, &[401], &format!("{request} with {token:?}"));
                }
                let response = with("Sec-WebSocket-Protocol", &format!("{offer}, {TOKEN_PREFIX}{}", bridge.token));
                check_refused(&bridge, &response, &[401], &format!("{request} with two tokens"));
                let response = with("Sec-WebSocket-Protocol", &format!("{TOKEN_PREFIX}{}", bridge.token));
                check_refused(&bridge, &response, &[400], &format!("{request} without the protocol"));
            }
            Access::Key => {
                check_refused(&bridge, &without("Authorization"), &[401], &format!("{request} without"));
                for token in tokens(&bridge.token) {
                    let response = with("Authorization", &format!("Bearer {token}"));
                    check_refused(&bridge, &response, &[401], &format!("{request} with {token:?}"));
                }
                let basic = with("Authorization", &format!("Basic {}", bridge.token));
                check_refused(&bridge, &basic, &[401], &format!("{request} with another scheme"));
                if method == "POST" {
                    for media in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]
                    {
                        let response = with("Content-Type", media);
                        check_refused(&bridge, &response, &[415], &format!("{request} as {media:?}"));
                    }
                    check_refused(&bridge, &without("Content-Type"), &[415], &format!("{request} untyped"));
                }
            }
        }
    }
    // Nothing but the waiting supervisors was ever started.
    assert!(children_of(bridge.pid()).len() <= 2);
}

fn hosts(port: u16) -> Vec<String> {
    let other = port ^ 1;
    vec![
        format!("attacker.test:{port}"),
        format!("127.0.0.1.attacker.test:{port}"),
        format!("127.0.0.1:{port}.attacker.test"),
        format!("127.0.0.1:{other}"),
        format!("127.0.0.1:{port}1"),
        format!("localhost:{port}"),
        format!("0.0.0.0:{port}"),
        format!("[::1]:{port}"),
        format!("127.1:{port}"),
        format!("user@127.0.0.1:{port}"),
        format!("127.0.0.1.:{port}"),
        "127.0.0.1".to_owned(),
        String::new(),
    ]
}

fn origins(port: u16) -> Vec<String> {
    vec![
        "https://evil.example".to_owned(),
        format!("http://attacker.test:{port}"),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("http://127.0.0.1:{port}1"),
        format!("http://127.0.0.1:{}", port ^ 1),
        "http://127.0.0.1".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://localhost:{port}"),
        format!("http://localhost.evil.example:{port}"),
        format!("http://127.0.0.1:{port}/"),
        format!("http://user@127.0.0.1:{port}"),
        format!("HTTP://127.0.0.1:{port}"),
        format!("file://127.0.0.1:{port}"),
        "null".to_owned(),
        String::new(),
        "http://\u{e9}".to_owned(),
    ]
}

fn tokens(right: &str) -> Vec<String> {
    let flipped = if right.starts_with('0') { "1" } else { "0" };
    vec![
        String::new(),
        "0".repeat(64),
        right[..63].to_owned(),
        format!("{right}0"),
        format!("{right}{right}"),
        format!("{flipped}{}", &right[1..]),
        right.to_uppercase() + "A",
        format!("{right}x"),
    ]
}

#[test]
fn t5_localhost_is_told_the_right_link() {
    let (bridge, _page) = with_page();
    let response = bridge.ask_raw("GET /", &[("Host", &format!("localhost:{}", bridge.port))], b"");
    assert_eq!(response.status, 403);
    assert!(response.text().contains(&format!("http://127.0.0.1:{}/", bridge.port)), "{}", response.text());
}

#[test]
fn t5_a_target_may_not_name_another_host() {
    let (bridge, _page) = with_page();
    let own = bridge.host();
    let ask = |target: &str| bridge.ask_raw(&format!("GET {target}"), &[("Host", &own)], b"").status;
    assert_eq!(ask("http://attacker.test/"), 403);
    assert_eq!(ask(&format!("http://{own}/")), 200);
    let twice = [("Host", own.as_str()), ("Host", "attacker.test")];
    assert!([400, 403].contains(&bridge.ask_raw("GET /", &twice, b"").status));
    // HTTP/1.0 knows no Host.
    assert_eq!(bridge.send_bytes(b"GET / HTTP/1.0\r\n\r\n").status, 403);
}

/// Requests that are nearly right, or none at all: nothing of the page, no socket, and the next request is answered.
#[test]
fn t5_t16_no_odd_spelling_of_a_request_gets_in() {
    let (bridge, _page) = with_page();
    let (own, port) = (bridge.host(), bridge.port);
    let offer = offer(&bridge.token);
    let upgrade = format!(
        "Origin: {}\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {offer}\r\n",
        bridge.origin()
    );
    let mut requests: Vec<Vec<u8>> = [
        format!("Host: {own}\r\nHost: {own}"),
        format!("Host : {own}"),
        format!(" Host: {own}"),
        format!("Host: {own}\r\n .evil.com"),
        format!("Host: {own},evil.com"),
        format!("Host: {own}/"),
        format!("Host: {own}#"),
        format!("Host: http://{own}"),
        format!("Host: 127.0.0.1:0{port}"),
        format!("Host: 127.0.0.1:+{port}"),
        format!("Host: 127.0.0.1:{port}\0"),
        format!("Host: 127.0.0.1:{port}\u{e9}"),
        format!("Host: \u{ff11}27.0.0.1:{port}"),
        format!("Host: 127.0.0.01:{port}"),
        format!("X-Forwarded-Host: {own}"),
        format!(":authority: {own}"),
    ]
    .iter()
    .flat_map(|host| {
        [format!("GET / HTTP/1.1\r\n{host}\r\n\r\n"), format!("GET /bridge HTTP/1.1\r\n{host}\r\n{upgrade}\r\n")]
    })
    .map(String::into_bytes)
    .collect();
    let close = format!("Host: {own}\r\nConnection: close\r\n");
    for request in [
        format!("GET http://user@{own}/ HTTP/1.1\r\n{close}\r\n"),
        format!("CONNECT {own} HTTP/1.1\r\n{close}\r\n"),
        format!("CONNECT evil.com:443 HTTP/1.1\r\n{close}\r\n"),
        format!("OPTIONS * HTTP/1.1\r\n{close}\r\n"),
        format!("get / HTTP/1.1\r\n{close}\r\n"),
        format!("GET / HTTP/3.0\r\n{close}\r\n"),
        "GET /\r\n\r\n".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        "\r\n".repeat(50_000),
        format!("POST /bridge HTTP/1.1\r\nHost: {own}\r\n{upgrade}\r\n"),
        format!("GET /bridge HTTP/1.0\r\nHost: {own}\r\n{}\r\n", upgrade.replace("upgrade\r\n", "close\r\n")),
        format!("GET /nothing HTTP/1.1\r\nHost: {own}\r\n{upgrade}\r\n"),
        format!(
            "POST /relay/x/v1/messages HTTP/1.1\r\n{close}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
    ] {
        requests.push(request.into_bytes());
    }
    // The first words of TLS.
    requests.push([b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".as_slice(), &[7; 600]].concat());
    for request in requests {
        let answer = String::from_utf8_lossy(&bridge.answer_to(&request)).into_owned();
        let asked = String::from_utf8_lossy(&request).chars().take(200).collect::<String>();
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.0 4"),
            "{asked:?}: {answer}"
        );
        assert!(!answer.contains("<title>") && !answer.contains(&bridge.token), "{asked:?}: {answer}");
    }
    assert_eq!(bridge.ask("GET /", &[]).status, 200);
}

#[tokio::test]
async fn t1e_the_right_page_gets_a_socket_that_never_repeats_the_token() {
    let bridge = Bridge::start();
    for right in [
        offer(&bridge.token),
        format!("{TOKEN_PREFIX}{},{SUBPROTOCOL}", bridge.token),
        format!("other.v2, {}", offer(&bridge.token)),
    ] {
        let (_socket, response) = connect_async(upgrade(bridge.port, &right, &bridge.origin())).await.unwrap();
        let told: Vec<_> = response.headers().get_all("sec-websocket-protocol").iter().collect();
        assert_eq!(told, [SUBPROTOCOL]);
        assert!(!format!("{response:?}").contains(&bridge.token));
    }
    assert_eq!(refused(&bridge, &offer("wrong"), &bridge.origin()).await, 401);
}

#[test]
fn t21_a_token_of_an_earlier_start_is_dead() {
    let old = Bridge::start();
    let token = old.token.clone();
    drop(old);
    let bridge = Bridge::start();
    assert_ne!(bridge.token, token);
    let ask = |token: &str| bridge.ask("GET /practice/openai/v1/models", &[("x-api-key", token)]).status;
    assert_eq!((ask(&token), ask(&bridge.token)), (401, 200));
}

/// What the page's file is served as.
#[track_caller]
fn check_file(bridge: &Bridge, path: &str, accept: &str, expected: (u16, &str, Option<&str>, &[u8])) {
    let response = bridge.ask(&format!("GET {path}"), &[("Accept-Encoding", accept)]);
    check_protected(bridge, &response);
    let content_type = response.header("content-type").unwrap_or_default();
    let told = (response.status, content_type, response.header("content-encoding"), response.body.as_slice());
    assert_eq!(told, expected, "{path} as {accept:?}");
}

#[test]
fn t29_the_page_and_nothing_else_is_served() {
    let (bridge, _page) = with_page();
    let index = b"<!doctype html><html><head><meta name=\"loopglass-bridge\" content=\"loopglass.v1\"><title>t</title></head><body></body></html>";
    let html = "text/html; charset=utf-8";
    check_file(&bridge, "/", "br", (200, html, None, index));
    check_file(&bridge, "/index.html", "", (200, html, None, index));
    check_file(&bridge, "/?x=1", "", (200, html, None, index));
    check_file(&bridge, "/app.wasm", "gzip, br", (200, "application/wasm", Some("br"), b"brotli"));
    check_file(&bridge, "/app.wasm", "gzip", (200, "application/wasm", Some("gzip"), b"gzip"));
    check_file(&bridge, "/app.wasm", "", (200, "application/wasm", None, b"\0asm"));
    check_file(&bridge, "/start.js", "br", (200, "text/javascript; charset=utf-8", None, b"start()"));
    check_file(&bridge, "/style.css", "br", (200, "text/css; charset=utf-8", None, b"body {}"));
    std::fs::write(bridge.path("mine.html"), "secret").unwrap();
    for path in [
        "/mine.html",
        "/app.wasm.br",
        "/link.txt",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/./start.js/",
        "/..\\start.js",
        "/start.js%00",
        "/open/0",
        "/open/",
    ] {
        let response = bridge.ask(&format!("GET {path}"), &[]);
        check_refused(&bridge, &response, &[404], path);
    }
}

#[test]
fn a_browser_s_copy_is_asked_about_every_time() {
    let (bridge, page) = with_page();
    for path in ["/", "/start.js"] {
        let first = bridge.ask(&format!("GET {path}"), &[]);
        assert_eq!(first.header("cache-control"), Some("no-cache"));
        let etag = first.header("etag").unwrap();
        let again = bridge.ask(&format!("GET {path}"), &[("If-None-Match", etag)]);
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
    }
    let etag = bridge.ask("GET /start.js", &[]).header("etag").unwrap().to_owned();
    std::fs::write(page.path().join("start.js"), "start(2)").unwrap();
    assert_eq!(bridge.ask("GET /start.js", &[("If-None-Match", &etag)]).status, 200);
}

#[test]
fn t16_oversized_requests_are_turned_away() {
    let bridge = Bridge::start();
    let long = "x".repeat(64 * 1024);
    assert_eq!(bridge.ask("GET /", &[("X-Long", &long)]).status, 431);
    let many: Vec<(&str, &str)> = (0..200).map(|_| ("X-Many", "x")).collect();
    assert_eq!(bridge.ask("GET /", &many).status, 431);
    let head = format!(
        "POST /practice/openai/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nx-api-key: {}\r\n\
         Content-Type: application/json\r\nContent-Length: 40000000\r\n\r\n",
        bridge.port, bridge.token
    );
    assert_eq!(bridge.send_bytes(&[head.as_bytes(), &vec![b' '; 40_000_000]].concat()).status, 413);
}

#[test]
fn t16_who_asks_and_does_not_listen_is_let_go() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<html><head></head></html>").unwrap();
    // More than any buffer on the way takes.
    std::fs::write(folder.path().join("app.wasm"), vec![0; 64 << 20]).unwrap();
    let bridge = Bridge::with(|command| {
        command.args(["--ping", "0.2", "--idle-exit", "0.2", "--page"]).arg(folder.path());
    });
    let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
    let request = format!("GET /app.wasm HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", bridge.port);
    stream.write_all(request.as_bytes()).unwrap();
    // A bridge that still has somebody there would not end.
    let mut bridge = bridge;
    assert_eq!(bridge.wait(), Some(0));
    drop(stream);
}

#[test]
fn t16_only_so_many_connections_are_there_at_once() {
    let bridge = Bridge::start();
    let connect = || TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
    let request = format!("GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", bridge.port);
    let is_answered = || {
        let mut stream = connect();
        stream.set_read_timeout(Some(LONG)).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        !answer.is_empty()
    };
    assert!(is_answered());
    // They are let go after some seconds, and a machine may be slow to make so many.
    let is_full = |_: &i32| {
        let idle: Vec<TcpStream> = (0..128).map(|_| connect()).collect();
        let is_full = !is_answered();
        drop(idle);
        is_full
    };
    assert!((0..5).any(|attempt| is_full(&attempt)), "there is no bound");
    let began = Instant::now();
    while !is_answered() {
        assert!(began.elapsed() < LONG, "nobody is answered any more");
    }
}

#[test]
fn t16_connections_that_say_nothing_are_closed() {
    let bridge = Bridge::start();
    let connect = |first: &[u8]| {
        let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(first).unwrap();
        stream
    };
    let began = Instant::now();
    let host = format!("Host: 127.0.0.1:{}\r\n", bridge.port);
    let mut idle: Vec<TcpStream> = (0..16).map(|_| connect(b"")).collect();
    idle.push(connect(b"GET / HT"));
    idle.push(connect(format!("GET / HTTP/1.1\r\n{host}").as_bytes()));
    // One that is kept open after an answer.
    idle.push(connect(format!("GET /nothing HTTP/1.1\r\n{host}\r\n").as_bytes()));
    for stream in &mut idle {
        // A reset is an end as well.
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(bridge.ask("GET /nothing", &[]).status, 404);
}
