//! What a script answers, before it is written for a service.

/// Blocks in order, and why the model stopped after them.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) blocks: Vec<Block>,
    pub(crate) stop: Stop,
}

#[derive(Debug)]
pub(crate) enum Block {
    Text(String),
    /// A call of one of the request's tools (or of none: some scripts do that on purpose).
    Call {
        name: String,
        /// JSON text, or what a scenario sends instead of it.
        arguments: String,
    },
    /// Chat Completions only: words of refusal, which stand beside `content`.
    Refusal(String),
    /// Messages only: a tool that the service runs itself.
    ServerSearch {
        query: String,
    },
    /// Messages only: the end of a search that an earlier, paused turn began. It found nothing.
    ServerSearchResult {
        tool_use_id: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    EndTurn,
    ToolUse,
    MaxTokens,
    /// Holds the sequence that matched.
    Sequence(String),
    PauseTurn,
    /// Holds the explanation.
    Refusal(String),
    ContentFilter,
    ContextWindow,
}

impl Reply {
    pub(crate) fn text(text: String) -> Self {
        Self { blocks: vec![Block::Text(text)], stop: Stop::EndTurn }
    }

    /// Words, and then calls.
    pub(crate) fn calls(text: String, calls: impl IntoIterator<Item = Block>) -> Self {
        let mut blocks = vec![Block::Text(text)];
        blocks.extend(calls);
        Self { blocks, stop: Stop::ToolUse }
    }
}
