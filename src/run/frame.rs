//! Work that is done at most once per frame, however often it is asked for.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// A hidden tab draws no frames; its work is done after this many milliseconds.
const HIDDEN_MS: i32 = 50;

/// Something to do with the next frame.
pub struct Frame {
    is_asked: Rc<Cell<bool>>,
    tick: Closure<dyn FnMut()>,
}

impl Frame {
    /// `work` is done when it was asked for.
    pub fn new(work: impl Fn() + 'static) -> Frame {
        let is_asked = Rc::new(Cell::new(false));
        let asked = Rc::clone(&is_asked);
        let tick = Closure::new(move || {
            if asked.replace(false) {
                work();
            }
        });
        Frame { is_asked, tick }
    }

    /// Forgets that it was asked for: it has been done without a frame.
    pub fn forget(&self) {
        self.is_asked.set(false);
    }

    /// Asks for it. What was asked for before the frame is done with it.
    pub fn ask(&self) {
        if self.is_asked.replace(true) {
            return;
        }
        let tick = self.tick.as_ref().unchecked_ref();
        let asked = if document().hidden() {
            window().set_timeout_with_callback_and_timeout_and_arguments_0(tick, HIDDEN_MS)
        } else {
            window().request_animation_frame(tick)
        };
        // A browser that takes neither will be asked again with the next piece.
        self.is_asked.set(asked.is_ok());
    }
}
