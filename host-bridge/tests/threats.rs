//! The threats of docs/security.md by their names, one request or one socket at a time. What a row needs a browser, a
//! command or the relay for stands beside those; the table there says where.
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

use bridge_protocol::frames::{SUBPROTOCOL, TOKEN_PREFIX};
use harness::door::{offer, refused, with_page};
use harness::http::Response;
use harness::page::upgrade;
use harness::{Bridge, LONG, children_of};
use host_bridge::door::{Access, table};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;

#[tokio::test]
async fn t1_a_foreign_page_with_the_token_gets_no_socket_and_starts_nothing() {
    let bridge = Bridge::start();
    let before = children_of(bridge.pid()).len();
    assert_eq!(refused(&bridge, &offer(&bridge.token), "https://evil.example").await, 403);
    assert_eq!(children_of(bridge.pid()).len(), before);
}

const GUEST: &str = "https://pages.example";

/// A bridge that lets the pages of one other origin in.
fn with_guest() -> Bridge {
    Bridge::with(|command| {
        command.args(["--allow-origin", "https://other.example", "--allow-origin", GUEST]);
    })
}

/// What an answer of CORS says, by the names of the headers without what they have in common.
fn cors(response: &Response) -> Vec<(&str, &str)> {
    let headers = response.headers.iter();
    headers.filter_map(|(name, value)| Some((name.strip_prefix("access-control-")?, value.as_str()))).collect()
}

#[tokio::test]
async fn t1_a_guest_needs_the_token_as_well_and_gets_the_socket_with_it() {
    let bridge = with_guest();
    for protocols in [SUBPROTOCOL.to_owned(), offer(""), offer("wrong")] {
        assert_eq!(refused(&bridge, &protocols, GUEST).await, 401, "{protocols}");
    }
    let (_, response) = connect_async(upgrade(bridge.port, &offer(&bridge.token), GUEST)).await.unwrap();
    assert_eq!(response.headers().get("sec-websocket-protocol").unwrap(), SUBPROTOCOL);
    assert_eq!(refused(&bridge, &offer(&bridge.token), "https://evil.example").await, 403);
}

#[tokio::test]
async fn t3_no_other_spelling_of_a_guest_is_let_in() {
    let bridge = with_guest();
    for origin in [
        "http://pages.example",
        "https://pages.example:443",
        "https://pages.example:8443",
        "https://pages.example/",
        "https://pages.example.",
        "https://pages.example.evil.example",
        "https://evil.pages.example",
        "https://evilpages.example",
        "https://pages.example@evil.example",
        "https://me@pages.example",
        "HTTPS://pages.example",
        "https://PAGES.example",
        "https://pages.example, https://other.example",
        "https://pages.example https://other.example",
        "null",
        "*",
        "",
    ] {
        assert_eq!(refused(&bridge, &offer(&bridge.token), origin).await, 403, "{origin}");
        let asked = bridge.ask_with_token("GET /practice/openai/v1/models", &[("Origin", origin)], b"");
        assert_eq!((asked.status, cors(&asked)), (403, Vec::new()), "{origin}");
        let preflight = bridge.ask("OPTIONS /practice/openai/v1/models", &[("Origin", origin)]);
        assert_eq!((preflight.status, cors(&preflight)), (405, Vec::new()), "{origin}");
    }
    let twice = [("Origin", GUEST), ("Origin", GUEST)];
    assert_eq!(bridge.ask_with_token("GET /practice/openai/v1/models", &twice, b"").status, 403);
}

#[test]
fn t11_a_guest_alone_is_answered_by_cors_and_only_with_its_own_origin() {
    let bridge = with_guest();
    let read = [("allow-origin", GUEST), ("expose-headers", "*")];
    let asked = bridge.ask_with_token("GET /practice/openai/v1/models", &[("Origin", GUEST)], b"");
    assert_eq!((asked.status, cors(&asked), asked.header("vary")), (200, read.to_vec(), Some("origin")));
    // It may read why it was turned away.
    let without = bridge.ask("GET /practice/openai/v1/models", &[("Origin", GUEST)]);
    assert_eq!((without.status, cors(&without)), (401, read.to_vec()));
    // Our page is no business of another one.
    let page = bridge.ask("GET /", &[("Origin", GUEST)]);
    assert_eq!(page.status, 403);
    let foreign = bridge.ask_with_token("GET /practice/openai/v1/models", &[("Origin", "https://evil.example")], b"");
    assert_eq!((foreign.status, cors(&foreign)), (403, Vec::new()));
    let rebound = [("Host", "pages.example"), ("Origin", GUEST), ("x-api-key", bridge.token.as_str())];
    let rebound = bridge.ask_raw("GET /practice/openai/v1/models", &rebound, b"");
    assert_eq!((rebound.status, cors(&rebound)), (403, Vec::new()));
    // No flag, no guest.
    let closed = Bridge::start();
    let asked = closed.ask_with_token("GET /practice/openai/v1/models", &[("Origin", GUEST)], b"");
    assert_eq!((asked.status, cors(&asked)), (403, Vec::new()));
}

#[test]
fn t11_a_guest_s_browser_is_told_what_it_may_ask() {
    let bridge = with_guest();
    let headers = "authorization, content-type, accept, x-api-key, x-relay-key, anthropic-version, anthropic-beta, \
                   anthropic-dangerous-direct-browser-access";
    let told =
        [("allow-origin", GUEST), ("expose-headers", "*"), ("allow-methods", "GET, POST"), ("allow-headers", headers)];
    let asks = [("Origin", GUEST), ("Access-Control-Request-Method", "POST")];
    let preflight = bridge.ask("OPTIONS /practice/anthropic/v1/messages", &asks);
    assert_eq!((preflight.status, cors(&preflight), preflight.body.len()), (204, told.to_vec(), 0));
    let private = [asks.as_slice(), &[("Access-Control-Request-Private-Network", "true")]].concat();
    let preflight = bridge.ask("OPTIONS /practice/anthropic/v1/messages", &private);
    let told = [told.as_slice(), &[("allow-private-network", "true")]].concat();
    assert_eq!((preflight.status, cors(&preflight)), (204, told));
    // The answer to a question is not the thing itself.
    let body = bridge.ask_with_token("POST /practice/openai/v1/chat/completions", &[("Origin", GUEST)], b"{}");
    assert_eq!(body.status, 415);
}

#[tokio::test]
async fn t2_only_the_whole_token_once_opens_the_socket() {
    let bridge = Bridge::start();
    let right = &bridge.token;
    for protocols in [
        SUBPROTOCOL.to_owned(),
        offer(""),
        offer("wrong"),
        offer(&right[..63]),
        offer(&format!("{right}{right}")),
        offer(&right.to_uppercase().replace('A', "a")),
        format!("{}, {TOKEN_PREFIX}{right}", offer(right)),
        format!("{SUBPROTOCOL}, {right}"),
    ] {
        // A token that is its own capitals is one in very many; it would be the right one.
        if protocols != offer(right) {
            assert_eq!(refused(&bridge, &protocols, &bridge.origin()).await, 401, "{protocols}");
        }
    }
    // In the address it is nothing.
    let asked = bridge.ask(&format!("GET /bridge?token={right}"), &[("Origin", &bridge.origin())]);
    assert_eq!(asked.status, 401);
}

#[test]
fn t3_no_other_spelling_of_an_origin_is_ours() {
    let bridge = Bridge::start();
    let port = bridge.port;
    let mut origins: Vec<Vec<u8>> = [
        format!("http://127.0.0.1:{port}.evil.com"),
        format!("http://127.0.0.1:{port}1"),
        "http://127.0.0.1".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://localhost.evil.com:{port}"),
        format!("http://localhost:{port}"),
        format!("http://[::1]:{port}"),
        format!("http://127.1:{port}"),
        format!("http://2130706433:{port}"),
        format!("http://0x7f.1:{port}"),
        format!("http://127.0.0.1:0{port}"),
        format!("http://127.0.0.1.:{port}"),
        format!("http://evil.com@127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}@evil.com"),
        format!("http://127.0.0.1:{port}#@evil.com"),
        format!("http://127.0.0.1:{port}, https://evil.com"),
        format!("http://127.0.0.1:{port} https://evil.com"),
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}\\.evil.com"),
        format!("chrome-extension://127.0.0.1:{port}"),
        "null".to_owned(),
        "*".to_owned(),
        String::new(),
    ]
    .into_iter()
    .map(String::into_bytes)
    .collect();
    origins.push(format!("http://127.0.0.1:{port}\u{e9}").into_bytes());
    origins.push([format!("http://127.0.0.1:{port}").as_bytes(), b"\xff"].concat());
    let routes = [
        format!(
            "GET /bridge HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                 Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {}\r\n",
            offer(&bridge.token)
        ),
        format!("GET /practice/openai/v1/models HTTP/1.1\r\nConnection: close\r\nx-api-key: {}\r\n", bridge.token),
        "GET / HTTP/1.1\r\nConnection: close\r\n".to_owned(),
    ];
    for route in &routes {
        let ask = |origins: &[&[u8]]| {
            let mut request = format!("{route}Host: 127.0.0.1:{port}\r\n").into_bytes();
            for origin in origins {
                request.extend([b"Origin: ", *origin, b"\r\n"].concat());
            }
            request.extend(b"\r\n");
            bridge.send_bytes(&request).status
        };
        for origin in &origins {
            let status = ask(&[origin]);
            assert!([400, 403].contains(&status), "{status} from {:?}", String::from_utf8_lossy(origin));
        }
        let own = bridge.origin().into_bytes();
        assert_eq!(ask(&[&own, b"https://evil.com"]), 403);
        assert_eq!(ask(&[b"https://evil.com", &own]), 403);
        assert_eq!(ask(&[&own, &own]), 403);
    }
}

#[tokio::test]
async fn t4_a_socket_needs_an_origin() {
    let bridge = Bridge::start();
    let mut request = upgrade(bridge.port, &offer(&bridge.token), &bridge.origin());
    request.headers_mut().remove("origin");
    match connect_async(request).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 403),
        other => panic!("{other:?}"),
    }
}

#[test]
fn t5_another_name_gets_nothing_of_the_page() {
    let (bridge, _page) = with_page();
    let host = format!("evil.com:{}", bridge.port);
    let origin = format!("http://{host}");
    let bearer = format!("Bearer {}", bridge.token);
    for path in ["/", "/app.wasm", "/bridge", "/nothing", "/relay/anthropic/v1/messages", "/practice/openai/v1/models"]
    {
        let headers = [("Host", host.as_str()), ("Origin", origin.as_str()), ("Authorization", bearer.as_str())];
        let response = bridge.ask_raw(&format!("GET {path}"), &headers, b"");
        assert_eq!(response.status, 403, "{path}");
        assert!(!response.text().contains("<title>") && !response.body.starts_with(b"\0asm"), "{path}");
    }
}

#[test]
fn t6_what_anybody_may_fetch_holds_no_secret() {
    const KEY: &str = "sk-anybody-0123456789";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<html><head></head></html>").unwrap();
    let bridge = Bridge::with(|command| {
        command.arg("--page").arg(folder.path()).env("ANTHROPIC_API_KEY", KEY);
    });
    let forms = |secret: &str| {
        let percent: String = secret.bytes().map(|byte| format!("%{byte:02x}")).collect();
        // Base64 at each of the three places it can begin at, without its ends.
        let base64 = (0..3).map(|skip| base64(&secret.as_bytes()[skip..]));
        let base64: Vec<String> = base64.map(|text| text.trim_end_matches('=')[..20].to_owned()).collect();
        [vec![secret.to_owned(), percent], base64].concat()
    };
    for path in ["/", "/index.html", "/nothing", "/open/0", "/bridge", "/output/x"] {
        let raw = String::from_utf8_lossy(&bridge.ask(&format!("GET {path}"), &[]).raw).into_owned();
        for secret in forms(&bridge.token).into_iter().chain(forms(KEY)) {
            assert!(!raw.contains(&secret), "{path} holds {secret}");
        }
    }
}

/// RFC 4648, 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let is_there = place <= three.len();
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if is_there { char::from(letter) } else { '=' });
        }
    }
    text
}

#[test]
fn t10_what_a_page_can_send_unasked_changes_nothing() {
    let bridge = Bridge::start();
    for path in ["/practice/openai/v1/chat/completions", "/relay/anthropic/v1/messages"] {
        for media in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json"]
        {
            assert_eq!(bridge.ask_with_token(&format!("POST {path}"), &[("Content-Type", media)], b"{}").status, 415);
        }
        let foreign = [("Content-Type", "application/json"), ("Origin", "https://evil.example")];
        assert_eq!(bridge.ask_with_token(&format!("POST {path}"), &foreign, b"{}").status, 403);
        assert!([404, 405].contains(&bridge.ask_with_token(&format!("GET {path}"), &[], b"").status));
    }
    // Nothing that ends or changes the bridge has an address.
    for path in ["/shutdown", "/exit", "/stop", "/kill", "/run?command=ls", "/exec", "/log", "/config", "/policy"] {
        assert_eq!(bridge.ask_with_token(&format!("GET {path}"), &[], b"").status, 404, "{path}");
    }
    assert_eq!(bridge.ask("GET /nothing", &[]).status, 404);
}

#[test]
fn t11_no_answer_lets_another_origin_in() {
    let (bridge, _page) = with_page();
    let origin = bridge.origin();
    for route in table() {
        let path = route.path.replace("{*path}", "app.wasm").replace("{name}", "anthropic");
        for (method, from) in [("OPTIONS", origin.as_str()), ("OPTIONS", "https://evil.example"), ("GET", &origin)] {
            let headers = [
                ("Origin", from),
                ("Access-Control-Request-Method", "POST"),
                ("Access-Control-Request-Headers", "authorization"),
                ("Access-Control-Request-Private-Network", "true"),
            ];
            let response = bridge.ask_with_token(&format!("{method} {path}"), &headers, b"");
            assert!(method != "OPTIONS" || [403, 405].contains(&response.status), "{path}: {}", response.status);
            assert!(!response.headers.iter().any(|(name, _)| name.starts_with("access-control-")), "{path}");
        }
    }
}

#[test]
fn t13_a_neighbour_on_this_machine_is_a_foreign_page() {
    let bridge = Bridge::start();
    let neighbour = format!("http://127.0.0.1:{}", bridge.port ^ 1);
    let cookie = format!("token={0}; loopglass-token={0}", bridge.token);
    let headers = [("Origin", neighbour.as_str()), ("Cookie", cookie.as_str()), ("Content-Type", "application/json")];
    assert_eq!(bridge.ask_with_token("POST /practice/openai/v1/chat/completions", &headers, b"{}").status, 403);
    // A cookie is no token, from whatever page, and none is ever set.
    let own = bridge.origin();
    let headers = [("Origin", own.as_str()), ("Cookie", cookie.as_str()), ("Sec-WebSocket-Protocol", SUBPROTOCOL)];
    assert_eq!(bridge.ask("GET /bridge", &headers).status, 401);
    assert_eq!(bridge.ask("GET /", &headers).header("set-cookie"), None);
}

#[test]
fn t14_an_address_is_no_key() {
    let bridge = Bridge::start();
    for header in ["X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Forwarded-Host", "Client-IP", "X-Remote-User"] {
        for value in ["127.0.0.1", "for=127.0.0.1", "localhost", "root"] {
            for route in table().into_iter().filter(|route| route.access == Access::Key) {
                let path = route.path.replace("{*path}", "v1/messages").replace("{name}", "anthropic");
                let headers = [(header, value), ("Content-Type", "application/json")];
                assert_eq!(bridge.ask(&format!("{} {path}", route.method), &headers).status, 401, "{header} {path}");
            }
        }
    }
}

#[test]
fn t17_no_page_can_frame_or_hold_this_one() {
    let (bridge, _page) = with_page();
    for path in ["/", "/app.wasm", "/nothing", "/bridge"] {
        let response = bridge.ask(&format!("GET {path}"), &[]);
        let policy = response.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        let told = ["x-frame-options", "cross-origin-opener-policy", "cross-origin-resource-policy"]
            .map(|name| response.header(name).unwrap_or_default());
        assert_eq!(told, ["DENY", "same-origin", "same-origin"], "{path}");
    }
}

#[test]
fn t24_the_policy_admits_the_page_and_nothing_else() {
    let (bridge, _page) = with_page();
    let response = bridge.ask("GET /", &[]);
    let policy = response.header("content-security-policy").unwrap();
    for part in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval';",
        "style-src 'self';",
        "base-uri 'none'",
        "form-action 'none'",
    ] {
        assert!(policy.contains(part), "{part} is not in {policy}");
    }
    for part in [
        "'unsafe-eval'",
        "unsafe-inline",
        "unsafe-hashes",
        "strict-dynamic",
        " *",
        "data: blob:",
        "script-src 'self' https:",
    ] {
        assert!(!policy.contains(part), "{part} is in {policy}");
    }
}

#[test]
fn t25_the_policy_names_the_socket_itself() {
    let (bridge, _page) = with_page();
    let response = bridge.ask("GET /", &[]);
    let policy = response.header("content-security-policy").unwrap();
    let connect = policy.split("; ").find_map(|part| part.strip_prefix("connect-src ")).unwrap();
    let sources: Vec<&str> = connect.split(' ').collect();
    assert!(sources.contains(&"'self'") && sources.contains(&format!("ws://127.0.0.1:{}", bridge.port).as_str()));
    assert!(!sources.iter().any(|source| ["ws:", "wss:", "*", "http:"].contains(source)), "{connect}");
}

#[tokio::test]
async fn t20_no_file_holds_the_token() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    page.run("1", "seq 1 100000").await;
    let mut folders = vec![bridge.workspace.path().to_owned(), bridge.elsewhere.path().to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                files += 1;
                let text = std::fs::read(entry.path()).unwrap();
                assert!(!String::from_utf8_lossy(&text).contains(&bridge.token), "{}", entry.path().display());
            }
        }
    }
    // The log and the audit log at least.
    assert!(files >= 2, "{files}");
}

#[tokio::test]
async fn t32_a_command_that_calls_the_bridge_is_a_stranger() {
    let bridge = Bridge::start();
    let page = &mut bridge.page().await;
    let port = bridge.port;
    let call = |request: &str| {
        format!(
            "exec 3<>/dev/tcp/127.0.0.1/{port}; printf '{request}Host: 127.0.0.1:{port}\\r\\nConnection: close\\r\\n\\r\\n' >&3; head -1 <&3"
        )
    };
    let upgrade = format!(
        "GET /bridge HTTP/1.1\\r\\nOrigin: http://127.0.0.1:{port}\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Protocol: {SUBPROTOCOL}\\r\\n"
    );
    let relay = "POST /relay/anthropic/v1/messages HTTP/1.1\\r\\nContent-Type: application/json\\r\\n";
    for (id, request) in [upgrade.as_str(), relay, "GET /output/x HTTP/1.1\\r\\n"].iter().enumerate() {
        let ran = page.run(&id.to_string(), &call(request)).await;
        assert!(ran.out().starts_with("HTTP/1.1 401 "), "{request}: {}", ran.out());
    }
}

#[test]
fn t16_a_head_that_never_ends_is_not_kept() {
    let bridge = Bridge::start();
    let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream.write_all(format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", bridge.port).as_bytes()).unwrap();
    let began = std::time::Instant::now();
    // A header now and then keeps nobody in.
    while stream.write_all(b"X-A: b\r\n").is_ok() {
        assert!(began.elapsed() < LONG, "it waits for ever");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let _ = stream.read_to_end(&mut Vec::new());
}
