//! A bell between two parts of the page: one rings, one waits. Rung while nobody waits, it is heard by the next who does.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::task::{Poll, Waker};

/// Rung by anybody, heard by one.
#[derive(Debug, Default)]
pub struct Bell {
    rung: Cell<bool>,
    waiting: RefCell<Option<Waker>>,
}

impl Bell {
    /// Rings it.
    pub fn ring(&self) {
        self.rung.set(true);
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    /// Forgets that it was rung.
    pub fn hush(&self) {
        self.rung.set(false);
    }

    /// Done when it has been rung; it is silent again after that.
    pub fn rung(&self) -> impl Future<Output = ()> + '_ {
        poll_fn(|context| {
            if self.rung.replace(false) {
                return Poll::Ready(());
            }
            self.waiting.replace(Some(context.waker().clone()));
            Poll::Pending
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::Bell;

    #[test]
    fn a_ring_is_heard_once_also_by_who_comes_later() {
        let bell = Bell::default();
        assert_eq!(bell.rung().now_or_never(), None);
        bell.ring();
        bell.ring();
        assert_eq!(bell.rung().now_or_never(), Some(()));
        assert_eq!(bell.rung().now_or_never(), None);
        bell.ring();
        bell.hush();
        assert_eq!(bell.rung().now_or_never(), None);
    }
}
