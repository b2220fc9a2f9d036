//! One scenario for each reason to stop. Where a service has no such reason, the answer says so.

use crate::{
    Service,
    conversation::Conversation,
    limits::OUTPUT_LIMIT,
    reply::{Block, Reply, Stop},
};

/// So many numbers are together more tokens than any request lets through.
const ENDLESS: usize = OUTPUT_LIMIT;

/// Counts until it is cut off.
pub(super) fn max_tokens(conversation: &Conversation<'_>) -> Option<Reply> {
    let numbers: Vec<String> = (1..=ENDLESS).map(|number| number.to_string()).collect();
    Some(conversation.tell(
        "I count until the limit on my output cuts me off (`max_tokens`, or my own): {0}",
        "我一直数，数到输出上限把我截断（`max_tokens`，或我自己的上限）：{0}",
        &[&numbers.join(", ")],
    ))
}

/// Is cut off inside the arguments of a call: nothing of it may run.
pub(super) fn max_tokens_in_call(conversation: &Conversation<'_>) -> Option<Reply> {
    let numbers: Vec<String> = (1..=ENDLESS).map(|number| number.to_string()).collect();
    let command = format!("cat > numbers.txt <<'EOF'\n{}\nEOF", numbers.join("\n"));
    let text = conversation.say("I write a very long file.", "我来写一个很长的文件。", &[]);
    Some(conversation.ask_for(text, [command.as_str()]))
}

/// Writes the request's first stop sequence.
pub(super) fn stop_sequence(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(match conversation.request.stop_sequences.first() {
        Some(sequence) => conversation.tell(
            "One, two, three: now I write your stop sequence, and nothing after it arrives. {0} You cannot read this.",
            "一、二、三：接下来我写出你的停止序列，之后的内容都不会到达。{0}这里你读不到。",
            &[sequence],
        ),
        None => conversation.tell(
            "This request has no stop sequence, so nothing stops me early. Set one (such as END) and ask again.",
            "这次请求没有停止序列，所以没有什么会让我提前停下。设一个（例如 END）再试。",
            &[],
        ),
    })
}

pub(super) fn refusal(conversation: &Conversation<'_>) -> Option<Reply> {
    let why = conversation.say(
        "Scripted: practice/stop-refusal refuses everything; nothing was judged.",
        "这是脚本：practice/stop-refusal 对一切都拒绝，并没有判断任何内容。",
        &[],
    );
    let block = match conversation.request.service {
        Service::AnthropicMessages => {
            Block::Text(conversation.say("I begin an answer, and then", "我开始回答，然后", &[]))
        }
        Service::ChatCompletions => Block::Refusal(why.clone()),
    };
    Some(Reply { blocks: vec![block], stop: Stop::Refusal(why) })
}

/// Pauses in a search of the service's own; handed back, the turn goes on and ends.
pub(super) fn pause_turn(conversation: &Conversation<'_>) -> Option<Reply> {
    if conversation.request.service == Service::ChatCompletions {
        return Some(lacks(conversation, "pause_turn", "Chat Completions"));
    }
    let Some(id) = conversation.paused else {
        let text = conversation.say(
            "I search the web with a tool of the service's own.",
            "我用服务端自己的工具搜索网络。",
            &[],
        );
        let search = Block::ServerSearch { query: "agent loop".to_owned() };
        return Some(Reply { blocks: vec![Block::Text(text), search], stop: Stop::PauseTurn });
    };
    let text = conversation.say(
        "The turn was paused and you handed it back, so it went on here. Nothing was searched (this is a script), so \
         nothing was found.",
        "这一轮被暂停，你把它原样交回，于是从这里继续。其实什么都没有搜索（这是脚本），所以没有结果。",
        &[],
    );
    let found = Block::ServerSearchResult { tool_use_id: id.to_owned() };
    Some(Reply { blocks: vec![found, Block::Text(text)], stop: Stop::EndTurn })
}

pub(super) fn content_filter(conversation: &Conversation<'_>) -> Option<Reply> {
    if conversation.request.service == Service::AnthropicMessages {
        return Some(lacks(conversation, "content_filter", "Messages"));
    }
    let text = conversation.say(
        "I begin an answer, and a filter (scripted; nothing was judged) takes away",
        "我开始回答，然后过滤器（脚本安排的，没有判断任何内容）拿走了",
        &[],
    );
    Some(Reply { blocks: vec![Block::Text(text)], stop: Stop::ContentFilter })
}

pub(super) fn context_window(conversation: &Conversation<'_>) -> Option<Reply> {
    let text = conversation.say(
        "I write until messages and answer together fill the context window (scripted: it is not really full), and",
        "我写到 messages 加上回答填满上下文窗口为止（脚本安排的，其实没有满），然后",
        &[],
    );
    Some(Reply { blocks: vec![Block::Text(text)], stop: Stop::ContextWindow })
}

/// What a spoiled answer would have said.
pub(super) fn fault_text(conversation: &Conversation<'_>) -> Option<Reply> {
    Some(conversation.tell(
        "This answer is scripted to go wrong on its way to you. It says nothing of importance, but it is long enough to \
         see the difference between the beginning of an answer and a whole one.",
        "这个回答会按脚本在途中出错。内容并不重要，但长度足够让人看出一个回答的开头和完整的回答有什么不同。",
        &[],
    ))
}

/// What a spoiled answer would have asked for.
pub(super) fn fault_call(conversation: &Conversation<'_>) -> Option<Reply> {
    let text = conversation.say("I ask for a command.", "我请求运行一条命令。", &[]);
    let command = "echo 'the whole of this command never arrives, so nothing of it may run'";
    Some(conversation.ask_for(text, [command]))
}

fn lacks(conversation: &Conversation<'_>, reason: &str, service: &str) -> Reply {
    conversation.tell(
        "{1} has no `{0}`: only the other of the two services can stop for that reason.",
        "{1} 没有 `{0}`：只有另一种服务会因为这个原因停下。",
        &[reason, service],
    )
}
