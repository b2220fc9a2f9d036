//! What a new session is told of an earlier one: a person reads and changes it before it is sent.

use std::rc::Rc;

use agent_loop::{Message, Producer};

use crate::words::stops::Stops;

/// How many characters of each thing that was said are kept.
const KEPT: usize = 400;

/// What was asked, and what was answered before the next was asked.
pub fn summary(messages: &[Rc<Message>], words: &Stops) -> String {
    let mut lines = vec![words.summary_head.to_owned()];
    let mut answer = String::new();
    for message in messages {
        let text = message.extract_text();
        match message.producer {
            Producer::Person => {
                answered(&mut lines, &mut answer, words);
                lines.push(format!("- {}: {}", words.summary_asked, beginning(&text)));
            }
            Producer::Model if !text.trim().is_empty() => answer = text,
            Producer::Model | Producer::Harness | Producer::Host => {}
        }
    }
    answered(&mut lines, &mut answer, words);
    lines.join("\n")
}

fn answered(lines: &mut Vec<String>, answer: &mut String, words: &Stops) {
    if !answer.is_empty() {
        lines.push(format!("- {}: {}", words.summary_answered, beginning(answer)));
        answer.clear();
    }
}

/// Its beginning, in one line.
fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(KEPT) {
        Some((cut, _)) => format!("{}…", line.split_at(cut).0),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use agent_loop::{Block, Message, Producer, Role};

    use super::summary;
    use crate::app::Language;
    use crate::words::session::session;

    #[test]
    fn a_summary_has_what_was_asked_and_the_last_answer_to_it() {
        let model = |text: &str| {
            Rc::new(Message::new(Role::Assistant, Producer::Model, vec![Block::Text { text: text.into() }]))
        };
        let person = |text: &str| Rc::new(Message::person(text));
        let messages =
            [person("List\n the files."), model("I look."), model("There are two."), person("And now?"), model(" ")];
        let expected = "This continues an earlier session. What happened there:\n- I asked: List the files.\n- You answered: \
                        There are two.\n- I asked: And now?";
        assert_eq!(summary(&messages, &session(Language::En).stops), expected);
        let long = summary(&[person(&"字".repeat(500))], &session(Language::Zh).stops);
        assert!(long.ends_with(&format!("我问: {}…", "字".repeat(400))), "{long}");
    }
}
