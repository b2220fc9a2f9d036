//! The colours of output, as nodes: what programs set with SGR sequences (ECMA-48, 8.3.117; ISO 8613-6 for those of 256 and
//! of three numbers) becomes one of a few classes, each of which can be read in both themes. Nothing is hidden, and no other
//! sequence is left in the text by now.

use leptos::prelude::*;

use super::signs::signs;

/// How many pieces of one text have colours of their own; what follows has none. So output of nothing but colours costs
/// no more than any other.
const MOST: usize = 1000;

/// The hues that are told apart; white is the usual ink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hue {
    Red,
    Yellow,
    Green,
    Cyan,
    Blue,
    Magenta,
    Grey,
}

/// How a piece is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Pen {
    ink: Option<Hue>,
    ground: Option<Hue>,
    is_bold: bool,
    is_faint: bool,
    is_italic: bool,
    is_underlined: bool,
    is_inverse: bool,
}

/// A text in its colours.
pub(crate) fn coloured(text: &str) -> AnyView {
    let piece = |(pen, text): (Pen, String)| {
        let (class, text) = (pen.class(), signs(&text).into_owned());
        if class.is_empty() { text.into_any() } else { view! { <span class=class>{text}</span> }.into_any() }
    };
    pieces(text).into_iter().map(piece).collect_view().into_any()
}

/// The pieces of a text that are written alike.
fn pieces(text: &str) -> Vec<(Pen, String)> {
    let mut pieces: Vec<(Pen, String)> = Vec::new();
    let mut pen = Pen::default();
    let mut add = |pen: Pen, text: &str| {
        let pen = if pieces.len() < MOST { pen } else { Pen::default() };
        match pieces.last_mut() {
            _ if text.is_empty() => {}
            Some((last, before)) if *last == pen => before.push_str(text),
            _ => pieces.push((pen, text.to_owned())),
        }
    };
    for (place, part) in text.split("\u{1b}[").enumerate() {
        match part.split_once('m').filter(|_| place > 0) {
            Some((parameters, rest)) => {
                pen.obey(parameters);
                add(pen, rest);
            }
            None => add(pen, part),
        }
    }
    pieces
}

impl Pen {
    fn obey(&mut self, parameters: &str) {
        let mut parts = parameters.split(';');
        while let Some(part) = parts.next() {
            // Behind colons stands what belongs to one number.
            if let Some((number, rest)) = part.split_once(':') {
                let rest: Vec<&str> = rest.split(':').filter(|part| !part.is_empty()).collect();
                match (number, rest.as_slice()) {
                    ("38", ["5", n]) => self.ink = ink_of(number_of(n)),
                    ("48", ["5", n]) => self.ground = Some(ground_of(number_of(n))),
                    ("38", ["2", .., r, g, b]) => self.ink = ink_of_rgb([r, g, b].map(|part| number_of(part))),
                    ("48", ["2", .., r, g, b]) => self.ground = Some(hue_of([r, g, b].map(|part| number_of(part)))),
                    ("4", [n]) => self.is_underlined = *n != "0",
                    _ => {}
                }
                continue;
            }
            let mut next = || number_of(parts.next().unwrap_or_default());
            match number_of(part) {
                0 => *self = Pen::default(),
                1 => self.is_bold = true,
                2 => self.is_faint = true,
                3 => self.is_italic = true,
                4 | 21 => self.is_underlined = true,
                7 => self.is_inverse = true,
                22 => (self.is_bold, self.is_faint) = (false, false),
                23 => self.is_italic = false,
                24 => self.is_underlined = false,
                27 => self.is_inverse = false,
                of @ (38 | 48) => {
                    let (ink, ground) = match next() {
                        5 => {
                            let number = next();
                            (ink_of(number), ground_of(number))
                        }
                        2 => {
                            let rgb = [next(), next(), next()];
                            (ink_of_rgb(rgb), hue_of(rgb))
                        }
                        _ => return,
                    };
                    if of == 38 { self.ink = ink } else { self.ground = Some(ground) }
                }
                39 => self.ink = None,
                49 => self.ground = None,
                number @ 30..=37 => self.ink = ink_of(number - 30),
                number @ 90..=97 => self.ink = ink_of(number - 90),
                number @ 40..=47 => self.ground = Some(ground_of(number - 40)),
                number @ 100..=107 => self.ground = Some(ground_of(number - 100)),
                _ => {}
            }
        }
    }

    /// Its classes. On a coloured ground the ink is the usual one: not every hue can be read on every other.
    fn class(self) -> String {
        let ground = if self.is_inverse { Some(self.ink.unwrap_or(Hue::Grey)) } else { self.ground };
        let colour = match (ground, self.ink) {
            (Some(Hue::Red), _) => "on-red",
            (Some(Hue::Yellow), _) => "on-yellow",
            (Some(Hue::Green), _) => "on-green",
            (Some(Hue::Cyan), _) => "on-cyan",
            (Some(Hue::Blue), _) => "on-blue",
            (Some(Hue::Magenta), _) => "on-magenta",
            (Some(Hue::Grey), _) => "on-grey",
            (None, Some(Hue::Red)) => "in-red",
            (None, Some(Hue::Yellow)) => "in-yellow",
            (None, Some(Hue::Green)) => "in-green",
            (None, Some(Hue::Cyan)) => "in-cyan",
            (None, Some(Hue::Blue)) => "in-blue",
            (None, Some(Hue::Magenta)) => "in-magenta",
            (None, Some(Hue::Grey)) => "in-grey",
            (None, None) if self.is_faint => "in-grey",
            (None, None) => "",
        };
        let and = |is_so: bool, class: &'static str| if is_so { class } else { "" };
        let classes = [
            colour,
            and(self.is_bold, "in-bold"),
            and(self.is_italic, "in-italic"),
            and(self.is_underlined, "underlined"),
        ];
        classes.into_iter().filter(|class| !class.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// A number that is left out is nought.
fn number_of(text: &str) -> u16 {
    text.parse().unwrap_or_default()
}

/// One of the 256 as ink.
fn ink_of(number: u16) -> Option<Hue> {
    match number {
        7 | 15 => None,
        0..16 => Some(ground_of(number)),
        _ => ink_of_rgb(rgb_of(number)),
    }
}

/// One of the 256 as ground.
fn ground_of(number: u16) -> Hue {
    match number {
        1 | 9 => Hue::Red,
        2 | 10 => Hue::Green,
        3 | 11 => Hue::Yellow,
        4 | 12 => Hue::Blue,
        5 | 13 => Hue::Magenta,
        6 | 14 => Hue::Cyan,
        0..16 => Hue::Grey,
        _ => hue_of(rgb_of(number)),
    }
}

/// The cube of 6 × 6 × 6, and the 24 greys behind it.
fn rgb_of(number: u16) -> [u16; 3] {
    match number {
        16..232 => {
            let step = |n: u16| if n == 0 { 0 } else { 55 + 40 * n };
            let number = number - 16;
            [step(number / 36), step(number / 6 % 6), step(number % 6)]
        }
        _ => [8 + 10 * number.saturating_sub(232).min(23); 3],
    }
}

/// What is as light as text is the usual ink: in a light theme it could not be read.
fn ink_of_rgb(rgb: [u16; 3]) -> Option<Hue> {
    let is_light = rgb.into_iter().all(|part| part >= 160);
    Some(hue_of(rgb)).filter(|hue| *hue != Hue::Grey || !is_light)
}

/// The hue of a colour, by its place on the circle.
fn hue_of(rgb: [u16; 3]) -> Hue {
    let [r, g, b] = rgb.map(|part| i32::from(part.min(255)));
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let spread = most - least;
    if spread < 40 {
        return Hue::Grey;
    }
    let degrees = if most == r {
        (60 * (g - b) / spread).rem_euclid(360)
    } else if most == g {
        120 + 60 * (b - r) / spread
    } else {
        240 + 60 * (r - g) / spread
    };
    match degrees {
        20..75 => Hue::Yellow,
        75..160 => Hue::Green,
        160..200 => Hue::Cyan,
        200..265 => Hue::Blue,
        265..340 => Hue::Magenta,
        _ => Hue::Red,
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, pieces};

    /// The pieces with their classes: `[class|text]`, and plain ones as they are.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let told = |(pen, text): (super::Pen, String)| match pen.class().as_str() {
            "" => text,
            class => format!("[{class}|{text}]"),
        };
        assert_eq!(pieces(text).into_iter().map(told).collect::<String>(), expected, "{text:?}");
    }

    #[test]
    fn the_sixteen_are_hues_or_the_usual_ink() {
        check("plain", "plain");
        check("\u{1b}[31mred\u{1b}[0m plain", "[in-red|red] plain");
        check("\u{1b}[92mgreen\u{1b}[39mplain", "[in-green|green]plain");
        check("\u{1b}[37mwhite\u{1b}[30mblack\u{1b}[mplain", "white[in-grey|black]plain");
        check(
            "\u{1b}[1;4;34mx\u{1b}[22my\u{1b}[24mz",
            "[in-blue in-bold underlined|x][in-blue underlined|y][in-blue|z]",
        );
        check("\u{1b}[3;2mx\u{1b}[23my", "[in-grey in-italic|x][in-grey|y]");
        check("\u{1b}[31;44mx\u{1b}[49my", "[on-blue|x][in-red|y]");
        check("\u{1b}[31;7mx\u{1b}[27my\u{1b}[0;7mz", "[on-red|x][in-red|y][on-grey|z]");
        check("\u{1b}[107mx\u{1b}[8;5;9mhidden", "[on-grey|xhidden]");
    }

    #[test]
    fn more_colours_are_the_nearest_hue() {
        check("\u{1b}[38;5;196mx\u{1b}[38;5;208my\u{1b}[38;5;51mz", "[in-red|x][in-yellow|y][in-cyan|z]");
        check("\u{1b}[38;5;240mx\u{1b}[38;5;252my\u{1b}[38;5;3mz", "[in-grey|x]y[in-yellow|z]");
        check("\u{1b}[38;2;255;0;200mx\u{1b}[48;2;0;0;180;1my", "[in-magenta|x][on-blue in-bold|y]");
        check(
            "\u{1b}[38:2::0:160:0mx\u{1b}[38:5:21my\u{1b}[4:3mz\u{1b}[4:0m!",
            "[in-green|x][in-blue|y][in-blue underlined|z][in-blue|!]",
        );
        check("\u{1b}[38;2;999;0mx\u{1b}[0;38;9;31my\u{1b}[38mz", "[in-red|x]yz");
    }

    #[test]
    fn what_is_no_colour_is_text_and_colours_without_end_cost_no_nodes() {
        check("a\u{1b}[31", "a31");
        check("amb", "amb");
        let many: String = (0..20_000).map(|n| format!("\u{1b}[3{}mx", n % 7)).collect();
        let pieces = pieces(&many);
        assert_eq!(pieces.len(), MOST + 1);
        assert_eq!(pieces.iter().map(|(_, text)| text.len()).sum::<usize>(), 20_000);
    }
}
