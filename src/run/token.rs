//! The bridge's token: it comes in the link's fragment, lives in this tab's session storage, and is handed to tabs that
//! wait for it. It never stands in the address bar once a request has gone out.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::{BroadcastChannel, MessageEvent};

/// The key in session storage, and the name of the channel between tabs. Both belong to this origin alone.
const NAME: &str = "loopglass-token";

/// Whether a bridge serves this page: it says so in a `meta` that it adds.
pub fn is_served_by_bridge() -> bool {
    document().query_selector("meta[name=loopglass-bridge]").is_ok_and(|found| found.is_some())
}

/// The port of a bridge elsewhere, in session storage.
const PORT: &str = "loopglass-bridge";

/// The origin of the bridge on this machine that a hosted page was opened for, now or before a reload: the fragment says
/// `bridge=127.0.0.1:PORT`, and can say no other machine.
pub fn bridge_elsewhere() -> Option<String> {
    let storage = window().session_storage().ok().flatten();
    let named = window().location().hash().ok().and_then(|fragment| port_in(&fragment));
    if let (Some(port), Some(storage)) = (named, &storage) {
        // As with the token: a browser that keeps nothing asks for the link again after a reload.
        let _ = storage.set_item(PORT, &port.to_string());
    }
    let kept = || storage.as_ref()?.get_item(PORT).ok()??.parse().ok();
    named.or_else(kept).map(|port| format!("http://127.0.0.1:{port}"))
}

/// The token this page was opened with, or came to before a reload. To be called before the first request.
pub fn take() -> Option<String> {
    from_address().or_else(kept)
}

/// The token in the address, if there is one: takes it out of there, keeps it, and tells other tabs.
pub fn from_address() -> Option<String> {
    let location = window().location();
    let fragment = location.hash().ok()?;
    let token = from_fragment(&fragment)?;
    keep(token);
    let path = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    if let Ok(history) = window().history() {
        // Refused only where the page has no address to speak of; then there is no address bar either.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&path));
    }
    if let Ok(channel) = BroadcastChannel::new(NAME) {
        // Nobody may be listening.
        let _ = channel.post_message(&JsValue::from_str(token));
        channel.close();
    }
    Some(token.to_owned())
}

/// Calls `receive` with every token that another tab of this origin was opened with.
pub fn listen(receive: impl Fn(String) + 'static) {
    let Ok(channel) = BroadcastChannel::new(NAME) else { return };
    let listener = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        if let Some(token) = message.data().as_string().filter(|token| is_token(token)) {
            receive(token);
        }
    });
    channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // Both as long as the page.
    listener.forget();
    std::mem::forget(channel);
}

/// Keeps it over a reload of this tab.
pub fn keep(token: &str) {
    if let Ok(Some(storage)) = window().session_storage() {
        // A browser that keeps nothing asks for the link again after a reload.
        let _ = storage.set_item(NAME, token);
    }
}

fn kept() -> Option<String> {
    let storage = window().session_storage().ok()??;
    storage.get_item(NAME).ok()?.filter(|token| is_token(token))
}

fn from_fragment(fragment: &str) -> Option<&str> {
    let fields = fragment.strip_prefix('#')?.split('&');
    fields.filter_map(|field| field.strip_prefix("token=")).find(|token| is_token(token))
}

fn port_in(fragment: &str) -> Option<u16> {
    let mut fields = fragment.strip_prefix('#')?.split('&');
    fields.find_map(|field| field.strip_prefix("bridge=127.0.0.1:")?.parse().ok())
}

/// Only characters that a WebSocket subprotocol may hold: any other text is no token of a bridge.
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~'))
}

#[cfg(test)]
mod tests {
    use super::{from_fragment, port_in};

    #[track_caller]
    fn check(fragment: &str, expected: Option<&str>) {
        assert_eq!(from_fragment(fragment), expected, "{fragment}");
    }

    #[test]
    fn the_token_stands_in_the_fragment() {
        check("#token=aB3-_x", Some("aB3-_x"));
        check("#lesson=2&token=aB3", Some("aB3"));
        check("#token=", None);
        check("#token=a b", None);
        check("#token=a,b", None);
        check("#mytoken=a", None);
        check("", None);
        check("token=a", None);
    }

    #[test]
    fn a_bridge_elsewhere_is_on_this_machine() {
        let check = |fragment: &str, expected: Option<u16>| assert_eq!(port_in(fragment), expected, "{fragment}");
        check("#bridge=127.0.0.1:7464&token=aB3", Some(7464));
        check("#token=aB3&bridge=127.0.0.1:80", Some(80));
        check("#bridge=127.0.0.1", None);
        check("#bridge=127.0.0.1:80@evil.example", None);
        check("#bridge=127.0.0.1:99999", None);
        check("#bridge=evil.example:80", None);
        check("#token=aB3", None);
    }
}
