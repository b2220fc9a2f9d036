//! Requests as they have to be, so that one thing at a time can be wrong.

use bridge_protocol::frames::{SUBPROTOCOL, TOKEN_PREFIX};
use tempfile::TempDir;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;

use super::Bridge;
use super::http::Response;
use super::page::upgrade;

/// A bridge with a page to serve, in a folder: the binary under test need not have one inside.
pub fn with_page() -> (Bridge, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
    write("index.html", b"<!doctype html><html><head><title>t</title></head><body></body></html>");
    write("app.wasm", b"\0asm");
    write("app.wasm.br", b"brotli");
    write("app.wasm.gz", b"gzip");
    write("start.js", b"start()");
    write("style.css", b"body {}");
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link.txt")).unwrap();
    let bridge = Bridge::with(|command| {
        command.arg("--page").arg(folder.path());
    });
    (bridge, folder)
}

/// What a page offers with this token.
pub fn offer(token: &str) -> String {
    format!("{SUBPROTOCOL}, {TOKEN_PREFIX}{token}")
}

/// The status of an upgrade that is refused.
pub async fn refused(bridge: &Bridge, protocols: &str, origin: &str) -> u16 {
    match connect_async(upgrade(bridge.port, protocols, origin)).await {
        Err(Error::Http(response)) => response.status().as_u16(),
        other => panic!("{other:?}"),
    }
}

impl Bridge {
    /// The one name it answers to.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The origin of its own page.
    pub fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    /// A request with the right name and the token, and what else is given.
    pub fn ask_with_token(&self, request: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let (host, bearer) = (self.host(), format!("Bearer {}", self.token));
        let all = [&[("Host", host.as_str()), ("Authorization", bearer.as_str())], headers].concat();
        self.ask_raw(request, &all, body)
    }
}
