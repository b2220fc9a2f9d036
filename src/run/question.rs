//! One question to the person at a time: it stands in [`App::ask`](crate::app::App) as long as somebody waits for the
//! answer, and goes when it was answered or nobody waits any more.

use std::cell::RefCell;
use std::rc::Rc;

use futures_channel::oneshot;
use leptos::prelude::*;

use crate::app::Ask;

/// Where questions with answers of one kind are asked.
pub struct Desk<T>(Rc<Inner<T>>);

struct Inner<T> {
    ask: RwSignal<Option<Ask>, LocalStorage>,
    waiting: RefCell<Option<oneshot::Sender<T>>>,
}

impl<T> Desk<T> {
    /// A desk that shows its questions in `ask`.
    pub fn new(ask: RwSignal<Option<Ask>, LocalStorage>) -> Desk<T> {
        Desk(Rc::new(Inner { ask, waiting: RefCell::new(None) }))
    }

    /// Asks and waits. `None`: the question was replaced by another.
    pub async fn ask(&self, question: Ask) -> Option<T> {
        let (sender, answer) = oneshot::channel();
        self.0.waiting.replace(Some(sender));
        self.0.ask.set(Some(question));
        // Also when the wait itself is given up.
        let _withdraw = Withdraw(self.clone());
        answer.await.ok()
    }

    /// Answers the question that is on show; an answer to none is lost.
    pub fn answer(&self, answer: T) {
        if let Some(waiting) = self.0.waiting.take() {
            // Who asked may be gone; then there is nothing to answer.
            let _ = waiting.send(answer);
        }
    }
}

impl<T> Clone for Desk<T> {
    fn clone(&self) -> Desk<T> {
        Desk(Rc::clone(&self.0))
    }
}

struct Withdraw<T>(Desk<T>);

impl<T> Drop for Withdraw<T> {
    fn drop(&mut self) {
        self.0.0.waiting.take();
        self.0.0.ask.try_set(None);
    }
}
