//! Whether anybody is using the bridge: a request, a page or a command.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Counts what is going on.
#[derive(Debug)]
pub struct Activity(Mutex<State>);

#[derive(Debug)]
struct State {
    under_way: usize,
    quiet_since: Instant,
}

/// Something that is going on for as long as this lives.
#[derive(Debug)]
pub struct Busy(Arc<Activity>);

impl Activity {
    /// Nothing yet.
    pub fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(State { under_way: 0, quiet_since: Instant::now() })))
    }

    /// Something begins.
    pub fn begin(self: &Arc<Self>) -> Busy {
        self.state().under_way += 1;
        Busy(self.clone())
    }

    /// Returns when nothing has gone on for so long.
    pub async fn idle(&self, long: Duration) {
        loop {
            let left = {
                let state = self.state();
                let quiet = if state.under_way > 0 { Duration::ZERO } else { state.quiet_since.elapsed() };
                long.saturating_sub(quiet)
            };
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.under_way = state.under_way.saturating_sub(1);
        state.quiet_since = Instant::now();
    }
}
