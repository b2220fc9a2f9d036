//! What the model reads of output that was made for a terminal, and that no output can do harm.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use agent_loop::Stream;
use agent_loop::tool::{Collector, OutputRule, as_shown};
use proptest::prelude::*;

#[track_caller]
fn check(output: &str, expected: &str) {
    assert_eq!(as_shown(output), expected, "{output:?}");
}

#[test]
fn plain_text_stays_as_it_is() {
    for text in ["", "a", "a\nb\n", "\n\n", "a\tb\n\tc\n", " a  \n", "中文 e\u{301} 👩\u{200d}💻\n", "x\u{301}"] {
        check(text, text);
    }
    let long: String = (0..1000).map(|number| format!("{number}\n")).collect();
    check(&long, &long);
    let wide = "x".repeat(100_000);
    check(&wide, &wide);
}

#[test]
fn codes_that_show_nothing_go() {
    check("\u{1b}[1;31mred\u{1b}[0m", "red");
    check("\u{1b}[38:2:1:2:3mred\u{1b}[m", "red");
    check("\u{1b}[?25lhidden\u{1b}[?25h", "hidden");
    check("\u{1b}]0;title\u{7}text", "text");
    check("\u{1b}]8;;javascript:alert(1)\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link");
    check("\u{1b}]52;c;aGk=\u{7}x", "x");
    check("\u{1b}Pdevice\u{1b}\\x", "x");
    check("\u{1b}(Bx\u{1b}=y", "xy");
    check("a\u{1b}", "a");
    check("a\u{1b}[3\nb", "a\nb");
    check("\u{1b}]never ended\nnext line", "\nnext line");
    check("a\u{7}\u{0}b", "ab");
}

#[test]
fn a_progress_bar_is_its_last_state() {
    check(" 10%\r 20%\r100%\r\ndone\n", "100%\ndone\n");
    check("[#    ]\r[###  ]\r[#####]\n", "[#####]\n");
    check("a long line\rshort", "shortg line");
    check("a long line\r\u{1b}[Kshort", "short");
    check("a long line\u{1b}[2K\rshort", "short");
    check("abc\u{8}\u{8}X", "aXc");
    check("password: \u{8} \u{8}", "password: ");
    check("one\ntwo\n\u{1b}[2A\u{1b}[K1\n\u{1b}[K2\n", "1\n2\n");
    check("one\ntwo\n\u{1b}[1F2", "one\n2wo");
    check("layer 1: wait\nlayer 2: wait\n\u{1b}[2A\rlayer 1: done\u{1b}[2B\r", "layer 1: done\nlayer 2: wait\n");
    check("\u{1b}7saved\u{1b}8S", "Saved");
    check("\u{1b}[ssaved\u{1b}[uS", "Saved");
    check("abcdef\r\u{1b}[2P", "cdef");
    check("abcdef\r\u{1b}[2X", "  cdef");
    check("abcdef\u{1b}[3D\u{1b}[1K", "    ef");
    check("ab\u{1b}[10Gz", "ab       z");
}

#[test]
fn wide_characters_and_tabs_are_overwritten_as_a_terminal_does() {
    check("中文\rab", "ab文");
    check("中文\ra", "a 文");
    check("a\u{301}b\rc", "cb");
    for text in ["x\u{301}\u{302}中\t", "x\u{301}\u{302}\u{300}", "\u{301}"] {
        check(&text.repeat(5000), &text.repeat(5000));
    }
    check("a\tb\rxy", "xy      b");
    check("12345678\r\tx", "12345678x");
}

#[test]
fn a_cleared_screen_is_empty_and_what_is_above_it_stays() {
    check("old\n\u{1b}[2J\u{1b}[Hnew", "new");
    check("old\n\u{1b}[H\u{1b}[Jnew", "new");
    check("old\u{1b}cnew", "new");
    check("\u{1b}[H\u{1b}[2Jtick 1\u{1b}[H\u{1b}[2Jtick 2", "tick 2");
    let many: String = (0..30).map(|number| format!("{number}\n")).collect();
    let above: String = (0..7).map(|number| format!("{number}\n")).collect();
    check(&format!("{many}\u{1b}[H\u{1b}[2Jnew"), &format!("{above}new"));
}

#[test]
fn an_alternate_screen_leaves_nothing() {
    check("before\n\u{1b}[?1049h\u{1b}[Heditor\nlines\u{1b}[?1049lafter", "before\nafter");
    check("a\u{1b}[?47lb", "ab");
    check("before\u{1b}[?1049hstill open", "before\nstill open");
    check("\u{1b}[?1049h1\u{1b}[?1049h2\u{1b}[?1049l3", "3");
}

#[test]
fn a_few_bytes_cannot_ask_for_much() {
    check("\u{1b}[65535B\u{1b}[65535Cx", &format!("{}{}x", "\n".repeat(23), " ".repeat(240)));
    check("\u{1b}[99999999999999999999Cx", " x");
    check("\u{1b}[65535Ax\u{1b}[65535D\u{1b}[65535Py", "y");
    let hostile = "\u{1b}[240Gx\n".repeat(20_000);
    assert!(as_shown(&hostile).len() <= 31 * hostile.len());
    // Each of these would take hours if every code cost as much as the line is long.
    for code in ["\u{1b}[1K", "\u{1b}[1P", "\u{1b}[60000X", "\u{1b}[2K", "\rx\u{301}\u{301}"] {
        let hostile = "x\u{301}".repeat(200_000) + &code.repeat(100_000);
        assert!(as_shown(&hostile).len() <= hostile.len());
    }
}

/// Pieces that mean something to a terminal, and some that nearly do.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c \\t\\r\\n\u{8}]{1,4}",
        "\\x1b\\[[0-9;?]{0,6}[@A-HJKLMPSTXa-hlmnrsu`]",
        "\\x1b[\\[\\]PX^_78DEMc(]?",
        "[中e\u{301}\u{200d}🦀\u{9b}\u{9d}\u{7}\u{0}]{1,3}",
        Just("\u{1b}[?1049h".to_owned()),
        Just("\u{1b}[?1049l".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_shown_holds_no_code_and_is_shown_the_same_again(pieces in prop::collection::vec(piece(), 0..40)) {
        let shown = as_shown(&pieces.concat());
        prop_assert!(!shown.contains(|it: char| it.is_control() && it != '\n' && it != '\t'), "{shown:?}");
        prop_assert_eq!(as_shown(&shown), shown);
    }

    #[test]
    fn cuts_on_the_way_change_nothing(
        pieces in prop::collection::vec(piece(), 0..20),
        noise in prop::collection::vec(1_u8.., 0..6),
        cuts in prop::collection::vec(1_usize..9, 1..20),
    ) {
        let bytes = [pieces.concat().as_bytes(), &noise, pieces.concat().as_bytes()].concat();
        let mut whole = Collector::new(OutputRule::default());
        whole.push(Stream::Stdout, &bytes);
        let mut cut = Collector::new(OutputRule::default());
        let mut rest = bytes.as_slice();
        for length in cuts.iter().cycle() {
            if rest.is_empty() { break }
            let (piece, more) = rest.split_at((*length).min(rest.len()));
            cut.push(Stream::Stdout, piece);
            rest = more;
        }
        prop_assert_eq!(cut.text(), whole.text());
    }
}
