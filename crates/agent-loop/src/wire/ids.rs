//! The ids and names of calls as an endpoint accepts them, whatever the model or another provider made of them.
//!
//! An id is sent as it came wherever it can be. Otherwise it is mapped, the same way for the call and for its result,
//! and so that the same history always gives the same ids.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::message::{CallKey, Message};
use crate::settings::{CallIdShape, Dialect};
use crate::wire::form::Form;
use crate::wire::sent::is_own;

/// The longest tool name. Source: both services' request checks.
const NAME_CAP: usize = 64;

/// The ids of the calls of one message, in order.
pub(crate) type CallIds<'a> = Vec<(CallKey, Cow<'a, str>)>;

/// Gives ids to the calls of one message after another: no id stands twice in a request.
#[derive(Debug, Default)]
pub(crate) struct IdGiver<'a>(HashSet<Cow<'a, str>>);

impl<'a> IdGiver<'a> {
    /// The ids of the next message's calls.
    pub(crate) fn give(&mut self, message: &'a Message, form: &Form) -> CallIds<'a> {
        let is_own = is_own(message, form);
        let give = |(key, id): (CallKey, &'a str)| {
            if form.profile.call_ids == CallIdShape::NineCharacters {
                return (key, self.nine_characters(id, key));
            }
            let legal = match form.profile.dialect {
                Dialect::OpenAi if is_own && !id.is_empty() => Cow::Borrowed(id),
                Dialect::OpenAi => legal(id, key, 40),
                Dialect::Anthropic => legal(id, key, 64),
            };
            // An id that stands already gets its call's own name added, which costs the same at every length of history.
            let base = |cap: usize| legal.chars().take(cap).collect::<String>();
            let mut unique = legal.clone();
            let mut count = 1_u32;
            while !self.0.insert(unique.clone()) {
                unique = Cow::Owned(match count {
                    1 => format!("{}_{}_{}", base(20), key.fact, key.index),
                    _ => format!("{}_{}_{}_{count}", base(14), key.fact, key.index),
                });
                count += 1;
            }
            (key, unique)
        };
        message.tool_calls().map(|call| (call.key, call.id.as_str())).map(give).collect()
    }

    /// An id of nine letters and digits: the one that came, or a hash of it and, should that be taken, of its call.
    fn nine_characters(&mut self, id: &'a str, key: CallKey) -> Cow<'a, str> {
        let is_plain = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let mut nine = if is_plain { Cow::Borrowed(id) } else { Cow::Owned(nine_of(id, key)) };
        let mut count = 0_u32;
        while !self.0.insert(nine.clone()) {
            nine = Cow::Owned(nine_of(&format!("{id}/{}/{}/{count}", key.fact, key.index), key));
            count += 1;
        }
        nine
    }
}

/// The id of a message's nth result.
pub(crate) fn id_of_result<'i>(ids: &'i CallIds<'_>, nth: usize, call: CallKey) -> &'i str {
    let same = |(key, _): &&(CallKey, Cow<'_, str>)| *key == call;
    ids.get(nth).filter(same).or_else(|| ids.iter().find(same)).map_or("unknown", |(_, id)| id)
}

/// A hash of ids, for the form of a message that holds them.
pub(crate) fn hash(ids: &CallIds<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    ids.iter().for_each(|(_, id)| id.hash(&mut hasher));
    hasher.finish()
}

/// A tool's name as endpoints accept it in the history, where a model may have made it up.
pub(crate) fn legal_name(name: &str) -> Cow<'_, str> {
    match name {
        "" => Cow::Borrowed("unknown"),
        _ if name.len() <= NAME_CAP && name.bytes().all(is_legal) => Cow::Borrowed(name),
        _ => Cow::Owned(sanitised(name, NAME_CAP)),
    }
}

fn legal(id: &str, key: CallKey, cap: usize) -> Cow<'_, str> {
    if id.is_empty() {
        return Cow::Owned(format!("call_{}_{}", key.fact, key.index));
    }
    if id.len() <= cap && id.bytes().all(is_legal) {
        return Cow::Borrowed(id);
    }
    // FNV-1a: short, and the same for ever, so that a replayed history has the same ids.
    let hash = id.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Cow::Owned(format!("{}_{hash:08x}", sanitised(id, 30)))
}

fn nine_of(id: &str, key: CallKey) -> String {
    let named;
    let id = match id {
        "" => {
            named = format!("{}/{}", key.fact, key.index);
            &named
        }
        id => id,
    };
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut rest = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, hash);
    let mut nine = String::with_capacity(9);
    for _ in 0..9 {
        let digit = u32::try_from(rest % 36).ok().and_then(|digit| char::from_digit(digit, 36));
        nine.push(digit.unwrap_or('0'));
        rest /= 36;
    }
    nine
}

fn sanitised(text: &str, cap: usize) -> String {
    text.chars().take(cap).map(|c| if c.is_ascii() && is_legal(c as u8) { c } else { '_' }).collect()
}

/// Source: `^[a-zA-Z0-9_-]+$`, Anthropic's pattern for ids and names; OpenAI's for names is the same.
fn is_legal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::{legal, legal_name};
    use crate::message::CallKey;

    #[test]
    fn ids_and_names_are_legal_and_stay_apart() {
        let check = |id: &str, expected: &str| assert_eq!(legal(id, CallKey { fact: 7, index: 1 }, 40), expected);
        check("toolu_01-A", "toolu_01-A");
        check("", "call_7_1");
        check("call_1|fc_2", "call_1_fc_2_70065bd5");
        check("call_1/fc_2", "call_1_fc_2_2c04590c");
        check(&"x".repeat(41), &format!("{}_fb64f7a7", "x".repeat(30)));
        assert_eq!(legal_name("tool:run it"), "tool_run_it");
        assert_eq!(legal_name("跑"), "_");
        assert_eq!(legal_name(""), "unknown");
        assert_eq!(legal_name(&"n".repeat(70)).len(), 64);
    }
}
