//! What each step of the loop does. A stage awaits the world through its [`Env`] and records what happened; what it
//! means is the fold's business, and what comes next is [`LoopState::next_step`]'s.
//!
//! [`LoopState::next_step`]: crate::state::LoopState::next_step

mod call_model;
mod execute;
mod prepare;
mod settle;

use std::rc::Rc;

use crate::env::{Clock, Env};
use crate::fact::Fact;
use crate::host::{Offer, Offered};
use crate::message::Block;
use crate::session::Session;
use crate::state::Wait;

pub use call_model::call_model;
pub use execute::{execute_tool_call, take_up};
pub use prepare::prepare_request;
pub use settle::settle_tool_call;

/// Puts the results into messages.
pub fn write_back(session: &Session, env: &Env<'_>) {
    session.record(env.clock.now_ms(), Fact::WroteBack);
}

/// Waits until the next attempt of a model call is due.
pub async fn wait_for_retry(session: &Session, env: &Env<'_>, wait: Wait) {
    let left = wait.until_ms.saturating_sub(env.clock.now_ms());
    match env.stop.or(elapsed(env.clock, left)).await {
        Some(()) => session.record(env.clock.now_ms(), Fact::Waited),
        None => record_stop(session, env, Vec::new()),
    }
}

/// A person stopped the run here; `draft` is what of an answer had come.
fn record_stop(session: &Session, env: &Env<'_>, draft: Vec<Block>) {
    session.record(env.clock.now_ms(), Fact::Stopped { draft });
}

/// How long one sleep of a longer wait is, in milliseconds.
const TICK_MS: u64 = 5_000;

/// Done when this many milliseconds have passed on the wall. A timer stands still while the machine sleeps, so the clock
/// is looked at on every tick; and should somebody set the clock back, what was slept counts.
async fn elapsed(clock: &dyn Clock, ms: u64) {
    let begin_ms = clock.now_ms();
    let mut slept_ms = 0;
    loop {
        let left_ms = ms.saturating_sub(clock.now_ms().saturating_sub(begin_ms).max(slept_ms));
        if left_ms == 0 {
            return;
        }
        let tick_ms = left_ms.min(TICK_MS);
        clock.sleep(tick_ms).await;
        slept_ms += tick_ms;
    }
}

/// The host, if it is there and offers what the state says. Otherwise what it says now is recorded, and the state
/// decides what follows.
fn host_as_offered(session: &Session, env: &Env<'_>) -> Option<Offered> {
    let fact = match env.host.offer() {
        Offer::Ready(offered) if offered == *session.state().offered => return Some(offered),
        Offer::Ready(offered) => Fact::Offered { offered: Rc::new(offered) },
        Offer::Gone(why) => Fact::HostUnavailable { why },
        Offer::Connecting => Fact::HostUnavailable { why: String::new() },
    };
    session.record(env.clock.now_ms(), fact);
    None
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use futures_util::future::LocalBoxFuture;

    use super::elapsed;
    use crate::env::Clock;

    /// A clock on which each sleep moves the wall by what the script says.
    struct Wall {
        now_ms: Rc<Cell<u64>>,
        moves: RefCell<Vec<i64>>,
        sleeps: Cell<usize>,
    }

    impl Clock for Wall {
        fn now_ms(&self) -> u64 {
            self.now_ms.get()
        }

        fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
            self.sleeps.set(self.sleeps.get() + 1);
            let now_ms = Rc::clone(&self.now_ms);
            let moved = self.moves.borrow_mut().pop().unwrap_or(ms as i64);
            Box::pin(async move { now_ms.set(now_ms.get().saturating_add_signed(moved)) })
        }

        fn fresh_id(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn a_wait_ends_by_the_wall_and_at_the_latest_by_what_was_slept() {
        let check = |ms: u64, moves: &[i64], sleeps: usize| {
            let moves = RefCell::new(moves.iter().rev().copied().collect());
            let clock = Wall { now_ms: Rc::new(Cell::new(1_000_000)), moves, sleeps: Cell::new(0) };
            futures_executor::block_on(elapsed(&clock, ms));
            assert_eq!(clock.sleeps.get(), sleeps, "{ms}");
        };
        check(0, &[], 0);
        check(7_000, &[], 2);
        check(120_000, &[], 24);
        // The machine slept for an hour while the timer stood still.
        check(120_000, &[5_000, 3_600_000], 2);
        // Somebody set the clock back.
        check(20_000, &[-900_000], 4);
    }
}
