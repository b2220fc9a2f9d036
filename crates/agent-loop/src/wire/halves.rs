//! Characters that a server cut in two between one event and the next.
//!
//! Who passes text on in pieces of so many UTF-16 units or bytes cuts through a character now and then: one event's string
//! ends with `\ud83d` or with two bytes of four, and the next one's begins with the rest. An event that ends so waits for
//! the next; where that has the rest, the whole character goes to the first.

use std::ops::Range;

use super::json::{Half, surrogate};

/// The data of an event whose string ends within a character.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// The event's name.
    pub(crate) name: Vec<u8>,
    /// Its data.
    pub(crate) data: Vec<u8>,
    begin: Range<usize>,
}

impl Waiting {
    /// An event, if it has to wait.
    pub(crate) fn new(name: &[u8], data: &[u8]) -> Option<Waiting> {
        let begin = begin_of_character(data)?;
        Some(Waiting { name: name.to_vec(), data: data.to_vec(), begin })
    }

    /// Takes the rest of the character out of the next event, whose data without it is the answer. `None`: it has none.
    pub(crate) fn take_rest(&mut self, next: &[u8]) -> Option<Vec<u8>> {
        let rest = rest_of_character(next)?;
        let (begin, rest_of_it) = (self.data.get(self.begin.clone())?, next.get(rest.clone())?);
        let is_pair = begin.starts_with(b"\\") && rest_of_it.starts_with(b"\\");
        let joined = [begin, rest_of_it].concat();
        if !is_pair && std::str::from_utf8(&joined).map_or(true, |text| text.chars().count() != 1) {
            return None;
        }
        self.data.splice(self.begin.clone(), joined);
        let mut next = next.to_vec();
        next.drain(rest);
        Some(next)
    }
}

/// Where the last string that ends within a character does so.
fn begin_of_character(data: &[u8]) -> Option<Range<usize>> {
    let ends_string = |end: usize| data.get(end) == Some(&b'"');
    let bytes = broken(data).filter(|part| ends_string(part.end)).last();
    let is_high = |part: &Range<usize>| half(data, part) == Some(Half::High) && ends_string(part.end);
    bytes.or_else(|| escapes(data).filter(is_high).last())
}

/// Where the first string that begins within a character does so.
fn rest_of_character(data: &[u8]) -> Option<Range<usize>> {
    let mut last = 0;
    let mut low = None;
    for part in escapes(data) {
        // The quotation mark before it may be part of an escape itself.
        let begins_string = part.start > last && data.get(part.start - 1) == Some(&b'"');
        if begins_string && half(data, &part) == Some(Half::Low) {
            low = Some(part);
            break;
        }
        last = part.end;
    }
    low.or_else(|| {
        let begin = broken(data).find(|part| part.start > 0 && data.get(part.start - 1) == Some(&b'"'))?;
        let is_rest = |byte: &&u8| (0x80..0xC0).contains(*byte);
        let length = data.get(begin.start..)?.iter().take_while(is_rest).count();
        Some(begin.start..begin.start + length)
    })
}

/// The bytes that are no UTF-8.
fn broken(data: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    data.utf8_chunks().filter_map(move |chunk| {
        let start = at + chunk.valid().len();
        at = start + chunk.invalid().len();
        (start < at).then_some(start..at)
    })
}

/// The escapes: those of a UTF-16 unit are six bytes long, all others two.
fn escapes(data: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + data.get(at..)?.iter().position(|byte| *byte == b'\\')?;
        at = start + if data.get(start + 1) == Some(&b'u') { 6 } else { 2 };
        Some(start..at)
    })
}

fn half(data: &[u8], escape: &Range<usize>) -> Option<Half> {
    surrogate(std::str::from_utf8(data.get(escape.clone())?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::Waiting;

    /// The two events, the first of which waited. `None`: it does not wait, or the second has nothing for it.
    fn check(first: &[u8], second: &[u8], expected: Option<(&str, &str)>) {
        let joined = Waiting::new(b"", first).and_then(|mut waiting| {
            let next = waiting.take_rest(second)?;
            Some((String::from_utf8(waiting.data).unwrap(), String::from_utf8(next).unwrap()))
        });
        let joined = joined.as_ref().map(|(first, second)| (first.as_str(), second.as_str()));
        assert_eq!(joined, expected, "{} {}", first.escape_ascii(), second.escape_ascii());
    }

    #[test]
    fn a_character_cut_in_two_goes_whole_to_the_first() {
        check(
            br#"{"t":"a\ud83d","n":1}"#,
            br#"{"t":"\ude00 b"}"#,
            Some((r#"{"t":"a\ud83d\ude00","n":1}"#, r#"{"t":" b"}"#)),
        );
        check(b"{\"t\":\"a\xF0\x9F\"}", b"{\"t\":\"\x98\x80\"}", Some(("{\"t\":\"a😀\"}", "{\"t\":\"\"}")));
        check(b"{\"t\":\"\xF0\"}", b"{\"t\":\"\x9F\x98\x80!\"}", Some(("{\"t\":\"😀\"}", "{\"t\":\"!\"}")));
        check(b"{\"t\":\"\xE4\xBD\"}", b"{\"t\":\"\xA0\xE5\xA5\xBD\"}", Some(("{\"t\":\"你\"}", "{\"t\":\"好\"}")));
    }

    #[test]
    fn what_is_no_rest_of_it_stays_where_it_is() {
        check(br#"{"t":"a\ud83d"}"#, br#"{"t":"b"}"#, None);
        check(br#"{"t":"a\ud83d"}"#, br#"{"t":"b\ude00"}"#, None);
        check(br#"{"t":"a\ud83d"}"#, br#"{"t":"\"\ude00"}"#, None);
        check(br#"{"t":"a\ud83d\ude00"}"#, br#"{"t":"\ude00"}"#, None);
        check(br#"{"t":"a\ud83d b"}"#, br#"{"t":"\ude00"}"#, None);
        check(br#"{"t":"a\\ud83d"}"#, br#"{"t":"\ude00"}"#, None);
        check(br#"{"t":"a\ud83d"}"#, b"{\"t\":\"\x98\x80\"}", None);
        check(b"{\"t\":\"\xF0\x9F\"}", b"{\"t\":\"\x98\"}", None);
        check(b"{\"t\":\"\xF0\x9F\"}", b"{\"t\":\"\x98\x80\x80\"}", None);
        check(br#"{"t":"\u"#, br#"{"t":"\ude00"}"#, None);
    }
}
