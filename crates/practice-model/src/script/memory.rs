//! Lesson 3: what a model "remembers" is what the request brings along. It reads the user's name from the history that
//! was sent; without the history it cannot know it.

use super::list_files::list_files;
use crate::{conversation::Conversation, reply::Reply};

/// Understands being told a name, being asked for it, and questions about the files here.
pub(super) fn memory(conversation: &Conversation<'_>) -> Option<Reply> {
    if asks_for_name(conversation) {
        return Some(match conversation.earlier.iter().rev().find_map(|words| name_in(words)) {
            Some(name) => conversation.tell(
                "You said your name is {0}. I read that in the messages sent with this request; I keep nothing myself.",
                "你刚才说你叫{0}。这是我从这次请求带来的 messages 里读到的，我自己什么都不保存。",
                &[name],
            ),
            None => conversation.tell(
                "I cannot know: the messages sent with this request hold no name. I keep nothing myself, so what is \
                 not sent is not there.",
                "我无从知道：这次请求带来的 messages 里没有名字。我自己什么都不保存，没有发来的就等于不存在。",
                &[],
            ),
        });
    }
    if let Some(name) = name_in(conversation.words) {
        return Some(conversation.tell(
            "Hello, {0}. Ask me later what your name is: I can tell as long as these messages are sent along.",
            "你好，{0}。等会儿可以问我你叫什么：只要这些 messages 一起发来，我就答得上。",
            &[name],
        ));
    }
    list_files(conversation)
}

pub(super) fn asks_for_name(conversation: &Conversation<'_>) -> bool {
    let chinese = ["我叫什么", "我叫啥", "我是谁", "名字是什么", "名字叫什么", "记得我"];
    let english = [
        "what is my name",
        "what's my name",
        "my name was",
        "who am i",
        "remember my name",
        "remember me",
        "do you know my name",
    ];
    conversation.mentions(&chinese) || conversation.mentions(&english)
}

/// The name a person gives in these words.
pub(super) fn name_in(words: &str) -> Option<&str> {
    let lower = words.to_ascii_lowercase();
    for told in ["我的名字是", "我的名字叫", "我叫"] {
        let Some((_, after)) = words.split_once(told) else { continue };
        let after = after.trim_start_matches(['：', ':', ' ', '“', '"']);
        let end = after.find(ends_name).unwrap_or(after.len());
        let name = after.get(..end)?;
        let question = ["什么", "啥", "谁", "你", "他", "她"].iter().any(|word| name.contains(word));
        if !name.is_empty() && !question && name.chars().count() <= 20 {
            return Some(name);
        }
    }
    for told in ["my name is ", "my name's ", "call me ", "i am called "] {
        let Some(at) = lower.find(told) else { continue };
        let after = words.get(at + told.len()..)?.trim_start_matches(['"', '“', ' ']);
        let end = after
            .split_inclusive(' ')
            .take_while(|word| word.starts_with(|char: char| char.is_ascii_uppercase() || !char.is_ascii()))
            .map(str::len)
            .sum::<usize>();
        if end == 0 && told == "call me " {
            continue;
        }
        // A name without capitals is one word.
        let name = if end == 0 { after.split(' ').next()? } else { after.get(..end)? };
        let name = name.split(['.', ',', ';', '!', '?', '"', '”', '\n', '，', '。']).next()?.trim();
        if !name.is_empty() {
            return Some(name);
        }
    }
    None
}

/// Anything but a letter or digit; of the others than ASCII, punctuation.
fn ends_name(char: char) -> bool {
    match char {
        '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' => true,
        _ => char.is_ascii() && !char.is_ascii_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::name_in;

    #[test]
    fn names_people_give() {
        let check = |words: &str, expected: Option<&str>| assert_eq!(name_in(words), expected, "{words}");
        check("我叫小明", Some("小明"));
        check("你好，我叫小明，请记住。", Some("小明"));
        check("我的名字是 Ada。", Some("Ada"));
        check("我叫阿凡提·买买提！", Some("阿凡提·买买提"));
        check("我叫什么？", None);
        check("我叫你去看看文件", None);
        check("My name is Ada", Some("Ada"));
        check("Hi, my name is Ada Lovelace and I like sums.", Some("Ada Lovelace"));
        check("my name is ada.", Some("ada"));
        check("my name is 小明", Some("小明"));
        check("call me when it is done", None);
        check("Call me Ishmael.", Some("Ishmael"));
        check("my name is", None);
        check("nothing here", None);
    }
}
