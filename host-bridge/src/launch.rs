//! Opening the page in the person's browser without showing the token to the machine.
//!
//! A browser is started with the address as an argument, and arguments can be read by every user of the machine for as
//! long as the browser runs. So the address holds a code instead, which is exchanged for the link once, within a minute,
//! and is worthless after that. (A file that only the person can read would do as well, but browsers in a sandbox of
//! their own cannot read it either.)

use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::bridge::Bridge;
use crate::token::Token;

const CODE_LIVES: Duration = Duration::from_secs(60);

/// The code that is out, if any.
#[derive(Debug, Default)]
pub struct Launch(Mutex<Option<(Token, Instant)>>);

impl Launch {
    /// A new code; the one before is void.
    pub fn code(&self) -> Result<Token, getrandom::Error> {
        let code = Token::new()?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((code.clone(), Instant::now()));
        Ok(code)
    }

    /// Whether this is the code; it is void afterwards.
    fn redeem(&self, offered: &str) -> bool {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_right =
            slot.as_ref().is_some_and(|(code, since)| code.is(offered.as_bytes()) && since.elapsed() < CODE_LIVES);
        if is_right {
            *slot = None;
        }
        is_right
    }
}

/// Answers `GET /open/CODE`.
pub async fn open(State(bridge): State<Arc<Bridge>>, Path(code): Path<String>) -> Response {
    if !bridge.launch.redeem(&code) {
        let text = "This address worked once. The link in the terminal still works.\n";
        return (StatusCode::NOT_FOUND, text).into_response();
    }
    let link = format!("/#token={}", bridge.token.reveal());
    (StatusCode::SEE_OTHER, [(header::LOCATION, link)]).into_response()
}

/// Opens the page where there is a screen. Where there is none, the printed link is all there is to say.
pub fn browse(bridge: &Bridge) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let has_screen = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some_and(|it| !it.is_empty()));
    if !has_screen {
        return;
    }
    let Ok(code) = bridge.launch.code() else { return };
    let address = format!("{}/open/{}", bridge.authority.origin(), code.reveal());
    let opened = tokio::process::Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    match opened {
        // Tokio reaps a child that is let go.
        Ok(_child) => {}
        Err(error) => tracing::info!(%error, "could not start {opener}; open the link yourself"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_works_once() {
        let launch = Launch::default();
        assert!(!launch.redeem(""));
        let code = launch.code().unwrap();
        assert!(!launch.redeem(&"0".repeat(64)));
        assert!(launch.redeem(code.reveal()));
        assert!(!launch.redeem(code.reveal()));
    }

    #[test]
    fn a_new_code_voids_the_one_before() {
        let launch = Launch::default();
        let old = launch.code().unwrap();
        let new = launch.code().unwrap();
        assert!(!launch.redeem(old.reveal()));
        assert!(launch.redeem(new.reveal()));
    }
}
