//! Stop: pressed once by a person, seen everywhere at once.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures_util::future::{Either, select};

/// A stop button. Clones are the same button; it stays pressed.
#[derive(Debug, Clone, Default)]
pub struct Stop(Rc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    pressed: Cell<bool>,
    waiting: RefCell<Vec<Waker>>,
}

impl Stop {
    /// A button that is not pressed.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Presses it.
    pub fn press(&self) {
        self.0.pressed.set(true);
        let waiting = self.0.waiting.take();
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Whether it has been pressed.
    pub fn is_pressed(&self) -> bool {
        self.0.pressed.get()
    }

    /// Done when it is pressed.
    pub fn pressed(&self) -> impl Future<Output = ()> + 'static {
        let inner = Rc::clone(&self.0);
        poll_fn(move |context| {
            if inner.pressed.get() {
                return Poll::Ready(());
            }
            let mut waiting = inner.waiting.borrow_mut();
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
    }

    /// The work's value, or `None` if stop was pressed first.
    pub async fn or<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        futures_util::pin_mut!(work);
        let pressed = self.pressed();
        futures_util::pin_mut!(pressed);
        match select(pressed, work).await {
            Either::Left(_) => None,
            Either::Right((value, _)) => Some(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stop;

    #[test]
    fn a_pressed_stop_wins_over_work_that_never_ends() {
        let stop = Stop::new();
        stop.clone().press();
        assert_eq!(futures_executor::block_on(stop.or(std::future::pending::<()>())), None);
        assert_eq!(futures_executor::block_on(Stop::new().or(async { 7 })), Some(7));
    }
}
