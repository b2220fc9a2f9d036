//! Which entries are drawn: the newest, by the leaf. What fills the screen is drawn at once; what is above it, and what a
//! person goes back to, follows a leaf per frame, so that no press of a key and no move of the slider waits for it.

use std::ops::Range;

use leptos::prelude::*;

/// Entries are drawn by the leaf, each of so many, so that earlier ones can be put before others without touching these.
pub(super) const LEAF: usize = 2;

/// So many leaves are drawn in the end of a session that is opened, and of each moment of it.
const DRAWN: usize = 30;

/// So many more each time a person goes back to where they end.
const MORE: usize = 20;

/// The leaves that are drawn: from one of them on, all.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    first: RwSignal<usize>,
    /// What `first` comes to, leaf by leaf.
    wanted: StoredValue<usize>,
    is_coming: StoredValue<bool>,
    /// Where they ended when their end was shown last.
    end: StoredValue<usize>,
}

impl Window {
    /// All there are.
    pub(crate) fn new() -> Window {
        Window {
            first: RwSignal::new(0),
            wanted: StoredValue::new(0),
            is_coming: StoredValue::new(false),
            end: StoredValue::new(0),
        }
    }

    /// The first leaf that is drawn. Tracked.
    pub(crate) fn first(self) -> usize {
        self.first.get()
    }

    /// Shows the end of so many entries, of which the last ones are a `screenful`. Where most of them are `alike`, what is
    /// drawn of them stays.
    pub(super) fn show_end(self, entries: usize, screenful: usize, alike: bool) {
        let end = entries.div_ceil(LEAF);
        let drawn = if alike { self.first.get_untracked()..self.end.get_value() } else { 0..0 };
        self.end.set_value(end);
        self.wanted.set_value(end.saturating_sub(DRAWN));
        self.draw(first(drawn, entries, screenful));
        self.come();
    }

    /// There are so many entries by now; what is drawn stays.
    pub(super) fn grow(self, entries: usize) {
        self.end.set_value(entries.div_ceil(LEAF));
    }

    /// More of what is above.
    pub(super) fn draw_earlier(self) {
        self.wanted.update_value(|wanted| *wanted = (*wanted).min(self.first.get_untracked().saturating_sub(MORE)));
        self.come();
    }

    /// Whatever this entry needs, now.
    pub(super) fn draw_from(self, place: usize) {
        self.draw(self.first.get_untracked().min(place / LEAF));
    }

    fn draw(self, first: usize) {
        if self.first.get_untracked() != first {
            self.first.set(first);
        }
    }

    /// The next leaf, after a frame.
    fn come(self) {
        if self.first.get_untracked() <= self.wanted.get_value() || self.is_coming.get_value() {
            return;
        }
        self.is_coming.set_value(true);
        // After the frame, not in it: what a person has just done is painted first.
        request_animation_frame(move || {
            let draw = move || {
                self.is_coming.set_value(false);
                let first = self.first.get_untracked();
                if first > self.wanted.get_value() {
                    self.draw(first - 1);
                }
                self.come();
            };
            set_timeout(draw, std::time::Duration::ZERO);
        });
    }
}

/// The first leaf to draw when the end of so many entries is to be seen, and these leaves are drawn already: all that can
/// stay, unless more than a screenful would have to be drawn at once.
fn first(drawn: Range<usize>, entries: usize, screenful: usize) -> usize {
    let end = entries.div_ceil(LEAF);
    let at_once = entries.saturating_sub(screenful) / LEAF;
    let missing = end.saturating_sub(drawn.end);
    if drawn.start >= end || drawn.is_empty() || missing > end - at_once {
        return at_once;
    }
    at_once.min(drawn.start.max(end.saturating_sub(DRAWN)))
}

#[cfg(test)]
mod tests {
    use super::{DRAWN, LEAF, first};

    #[test]
    fn what_is_drawn_stays_and_no_more_than_a_screenful_is_drawn_at_once() {
        let check = |drawn: std::ops::Range<usize>, end: usize, expected: usize| {
            assert_eq!(first(drawn.clone(), end * LEAF, 2 * LEAF), expected, "{drawn:?} {end}");
        };
        check(0..0, 0, 0);
        check(0..0, 2, 0);
        check(0..0, 50, 48);
        check(70..100, 100, 70);
        check(70..100, 99, 70);
        check(70..100, 71, 69);
        check(70..100, 70, 68);
        check(70..100, 10, 8);
        check(70..100, 102, 72);
        check(70..100, 103, 101);
        check(98..100, 100, 98);
        check(0..100, 100, 100 - DRAWN);
        check(0..2, 3, 0);
        assert_eq!(first(0..0, 101, 4), 48, "entries 96 to 100");
    }
}
