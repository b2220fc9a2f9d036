//! The whole output of a call, as the bridge has kept it: fetched when a person asks for it, and read piece by piece. The
//! browser holds it, on its disk where it is long.

use agent_loop::{CallKey, Fact};
use js_sys::{ArrayBuffer, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Headers, RequestCache, RequestCredentials, RequestInit, Response};

use crate::app::App;

/// How much of it is read at once, in bytes.
pub const PIECE: u64 = 32 * 1024;

/// Where binary output is looked for: a NUL in so many bytes.
const HEAD: u64 = 4096;

/// What was fetched.
#[derive(Clone)]
pub struct Whole {
    /// The bytes, both streams in order of arrival.
    pub blob: Blob,
    /// How many the command has written; the bridge may have kept fewer.
    pub written: u64,
    /// Whether they are no text.
    pub is_binary: bool,
}

/// Why there is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The bridge does not keep it any more, or is another one by now.
    Gone,
    /// The bridge does not answer.
    Unreachable,
}

/// The run of a call that the bridge knows it by; `None` where it ran elsewhere, or did not.
pub fn run_of(app: App, call: CallKey) -> Option<String> {
    let session = app.session.get_untracked();
    (0..session.len()).rev().find_map(|number| match &session.fact(number)?.fact {
        Fact::ToolStarted { call: of, run_id, host } if *of == call && host == "host-bridge" => Some(run_id.clone()),
        _ => None,
    })
}

/// Fetches it.
pub async fn fetch(app: App, run_id: &str) -> Result<Whole, Missing> {
    let tab = app.tab();
    let token = tab.link.token().ok_or(Missing::Unreachable)?;
    let id = String::from(js_sys::encode_uri_component(run_id));
    let response = ask(&format!("{}/output/{id}", tab.place.origin), &token).await.ok_or(Missing::Unreachable)?;
    match response.status() {
        200 => {}
        404 | 410 => return Err(Missing::Gone),
        _ => return Err(Missing::Unreachable),
    }
    let written = response.headers().get("x-output-bytes").ok().flatten().and_then(|number| number.parse().ok());
    let body = response.blob().map_err(|_| Missing::Unreachable)?;
    let blob: Blob = JsFuture::from(body).await.ok().and_then(|blob| blob.dyn_into().ok()).ok_or(Missing::Gone)?;
    let head = bytes(&blob, 0, HEAD).await.ok_or(Missing::Gone)?;
    Ok(Whole { written: written.unwrap_or(blob.size() as u64), is_binary: head.contains(&0), blob })
}

/// The text from byte `from` on, a piece of it: whole characters, those that begin in it.
pub async fn piece(blob: &Blob, from: u64) -> Option<String> {
    // The last character may end beyond the piece, by three bytes at most.
    let bytes = bytes(blob, from, from + PIECE + 3).await?;
    Some(characters(&bytes, from > 0))
}

/// The characters that begin within a piece. Behind another piece, it may begin with the rest of that one's last.
fn characters(bytes: &[u8], is_later: bool) -> String {
    let continues = |byte: &u8| byte & 0xc0 == 0x80;
    let length = usize::try_from(PIECE).unwrap_or(usize::MAX);
    let start = if is_later { bytes.iter().take(3).take_while(|byte| continues(byte)).count() } else { 0 };
    let end = match bytes.get(length..) {
        Some(beyond) => length + beyond.iter().take_while(|byte| continues(byte)).count(),
        None => bytes.len(),
    };
    String::from_utf8_lossy(bytes.get(start..end).unwrap_or_default()).into_owned()
}

/// A part of a blob.
pub async fn bytes(blob: &Blob, from: u64, to: u64) -> Option<Vec<u8>> {
    let part = blob.slice_with_f64_and_f64(from as f64, to as f64).ok()?;
    let buffer: ArrayBuffer = JsFuture::from(part.array_buffer()).await.ok()?.dyn_into().ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

async fn ask(url: &str, token: &str) -> Option<Response> {
    let headers = Headers::new().ok()?;
    headers.set("authorization", &format!("Bearer {token}")).ok()?;
    let init = RequestInit::new();
    init.set_headers(&headers);
    init.set_credentials(RequestCredentials::Omit);
    init.set_cache(RequestCache::NoStore);
    JsFuture::from(window().fetch_with_str_and_init(url, &init)).await.ok()?.dyn_into().ok()
}

#[cfg(test)]
mod tests {
    use super::{PIECE, characters};

    #[test]
    fn pieces_together_are_the_text() {
        for text in ["", "short", &"a中b🦀".repeat(20_000), &"中".repeat(30_000), &"x".repeat(3 * PIECE as usize)] {
            let bytes = text.as_bytes();
            let pieces = (0..bytes.len()).step_by(PIECE as usize).map(|from| {
                let to = (from + PIECE as usize + 3).min(bytes.len());
                characters(&bytes[from..to], from > 0)
            });
            assert!(pieces.collect::<String>() == text, "{} bytes", text.len());
        }
        assert_eq!(characters(b"a\xffb", false), "a\u{fffd}b");
    }
}
