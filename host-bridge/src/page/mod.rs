//! The page: files that were built into this program, or, while the page is being worked on, a folder.
//!
//! Nothing else of the disk is ever served. A file `NAME.br` or `NAME.gz` beside `NAME` is the same file compressed
//! before, sent to whoever accepts it.

mod encoding;

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bridge_protocol::frames::SUBPROTOCOL;
use rust_embed::RustEmbed;

use crate::bridge::Bridge;
use encoding::Encoding;

/// Where the page comes from.
#[derive(Debug, Clone)]
pub enum Page {
    /// It is part of this program.
    Embedded,
    /// It is read from this folder, anew for every request.
    Folder(PathBuf),
}

#[derive(RustEmbed)]
#[folder = "../dist"]
#[allow_missing = true]
struct Assets;

/// A file of the page.
struct File {
    bytes: Cow<'static, [u8]>,
    etag: String,
}

impl Page {
    /// Whether there is a page at all.
    pub fn exists(&self) -> bool {
        self.file("index.html").is_some()
    }

    /// A file by its name, which is a plain relative path.
    fn file(&self, name: &str) -> Option<File> {
        let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if name.is_empty() || !is_plain || name.contains(['\\', '\0']) {
            return None;
        }
        match self {
            Self::Embedded => {
                let asset = Assets::get(name)?;
                let etag = asset.metadata.sha256_hash().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
                Some(File { bytes: asset.data, etag })
            }
            Self::Folder(folder) => {
                let path = folder.join(name).canonicalize().ok().filter(|path| path.starts_with(folder))?;
                let bytes = std::fs::read(&path).ok()?;
                let changed = path.metadata().and_then(|data| data.modified()).ok()?;
                let age = changed.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
                Some(File { etag: format!("{:x}-{:x}", age.as_nanos(), bytes.len()), bytes: bytes.into() })
            }
        }
    }
}

/// Answers `GET /` and every path below it that is no other route.
pub async fn serve(State(bridge): State<Arc<Bridge>>, uri: Uri, headers: HeaderMap) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    if name == "index.html" {
        return index(&bridge.page, &headers);
    }
    // The compressed files are forms of a file, not files.
    if Encoding::ALL.iter().any(|encoding| name.ends_with(encoding.suffix())) {
        return not_found();
    }
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let compressed = encoding::accepted(accepted).find_map(|encoding| {
        bridge.page.file(&format!("{name}{}", encoding.suffix())).map(|file| (Some(encoding), file))
    });
    let Some((encoding, file)) = compressed.or_else(|| bridge.page.file(name).map(|file| (None, file))) else {
        return not_found();
    };
    let mut response = respond(file, content_type(name), &headers);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    response
}

/// The document itself, with the sign by which the page knows that it has a bridge. That makes it another text than its
/// compressed forms, and it is small.
fn index(page: &Page, headers: &HeaderMap) -> Response {
    let Some(File { bytes, etag }) = page.file("index.html") else {
        let text = "This bridge was built without its page. Run `cargo xtask build`, which builds both.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let html = announce(&String::from_utf8_lossy(&bytes));
    respond(
        File { bytes: html.into_bytes().into(), etag: format!("{etag}-{SUBPROTOCOL}") },
        content_type(".html"),
        headers,
    )
}

/// Adds the sign as the first thing in `<head>`.
fn announce(html: &str) -> String {
    let meta = format!(r#"<meta name="loopglass-bridge" content="{SUBPROTOCOL}">"#);
    let head = html
        .match_indices('<')
        .find(|(at, _)| {
            let tag = html.get(at + 1..at + 6).unwrap_or_default();
            tag.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("head")) && tag.ends_with(['>', ' ', '\n', '\t'])
        })
        .and_then(|(at, _)| html.get(at..)?.find('>').map(|end| at + end + 1));
    let (before, after) = html.split_at(head.unwrap_or(0));
    format!("{before}{meta}{after}")
}

/// The file, or the news that the browser's copy is still right. Every use asks: after an upgrade no page is stale.
fn respond(file: File, content_type: &'static str, headers: &HeaderMap) -> Response {
    let etag = format!("\"{}\"", file.etag);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let caching = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, etag.clone())];
    if known.split(',').any(|known| known.trim() == etag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, [(header::CONTENT_TYPE, content_type)], file.bytes).into_response()
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let meta = r#"<meta name="loopglass-bridge" content="loopglass.v1">"#;
        assert_eq!(announce(html), expected.replace("META", meta));
    }

    #[test]
    fn the_sign_is_the_first_thing_in_the_head() {
        check("<html><head><title>t</title></head>", "<html><head>META<title>t</title></head>");
        check("<html><HEAD lang=\"en\">\n<title>", "<html><HEAD lang=\"en\">META\n<title>");
        check("<header>h</header><head>x", "<header>h</header><head>METAx");
        check("no head", "METAno head");
    }

    #[track_caller]
    fn check_name(name: &str, is_there: bool) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
        assert_eq!(Page::Folder(folder).file(name).is_some(), is_there, "{name}");
    }

    #[test]
    fn only_files_of_the_folder_are_served() {
        check_name("Cargo.toml", true);
        check_name("src/lib.rs", true);
        check_name("", false);
        check_name("src", false);
        check_name("../Cargo.toml", false);
        check_name("src/../../Cargo.toml", false);
        check_name("/etc/passwd", false);
        check_name("src\\lib.rs", false);
        check_name("%2e%2e/Cargo.toml", false);
        check_name("src/\0lib.rs", false);
    }
}
