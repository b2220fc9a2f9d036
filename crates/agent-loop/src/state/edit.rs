//! What a person's edits change. Like every fact they change nothing where they do not fit.

use std::collections::HashSet;
use std::rc::Rc;

use super::{CallStatus, LoopState, Phase, Rest, calls, whole_exchanges};
use crate::fact::Edit;
use crate::message::{Block, CallKey, Message};

impl LoopState {
    /// `number` is that of the fact.
    pub(super) fn edit(&mut self, number: usize, edit: &Edit) {
        match edit {
            Edit::Settings { settings } => self.configure(settings),
            Edit::Message { message, blocks } => self.edit_message(number, *message, blocks),
            Edit::Arguments { call, arguments } => self.edit_arguments(*call, arguments),
            Edit::Forget { messages } => self.forget(*messages),
            Edit::Result { call, content } => {
                let Phase::Calls(open) = &mut self.phase else { return };
                let Some(state) = calls::find(open, *call) else { return };
                let CallStatus::Done(result) = &mut state.status else { return };
                let result = Rc::make_mut(result);
                let before = std::mem::replace(&mut result.content, content.clone());
                result.original_content.get_or_insert(before);
            }
        }
    }

    /// Only up to where a person speaks, so that what stays is whole: no result without its call.
    fn forget(&mut self, count: usize) {
        if whole_exchanges(&self.messages).contains(&count) {
            self.forgotten.extend(self.messages.drain(..count));
            self.counted = None;
            self.remake_request();
        }
    }

    fn edit_message(&mut self, number: usize, message: usize, blocks: &[Block]) {
        let blocks = self.with_calls_apart(number, message, blocks);
        let Some(place) = self.messages.get_mut(message) else { return };
        let original = place.original.clone().unwrap_or_else(|| Rc::clone(place));
        *place = Rc::new(Message { blocks, original: Some(original), ..(**place).clone() });
        self.counted = None;
        self.remake_request();
        self.match_calls();
    }

    /// The blocks with every call under a name of its own: a call that was copied, or comes from elsewhere, is a new one.
    fn with_calls_apart(&self, number: usize, message: usize, blocks: &[Block]) -> Vec<Block> {
        let others = self.messages.iter().enumerate().filter(|(place, _)| *place != message);
        let mut taken: HashSet<CallKey> =
            others.flat_map(|(_, other)| other.tool_calls()).map(|call| call.key).collect();
        let mut fresh = (0..).map(|index| CallKey { fact: number, index });
        let mut blocks = blocks.to_vec();
        for block in &mut blocks {
            if let Block::ToolUse(call) = block
                && (call.key.fact >= number || !taken.insert(call.key))
            {
                call.key = fresh.next().unwrap_or(call.key);
            }
        }
        blocks
    }

    /// After the last message was edited: calls that are gone from it are gone from the turn, new ones join it, and one
    /// that was changed has to be settled again, unless it runs already.
    fn match_calls(&mut self) {
        let Phase::Calls(open) = &self.phase else { return };
        let Some(last) = self.messages.last() else { return };
        let mut next = calls::unruled(last);
        for state in &mut next {
            let known = open.iter().find(|known| known.call.key == state.call.key);
            if let Some(known) =
                known.filter(|known| known.call == state.call || matches!(known.status, CallStatus::Running { .. }))
            {
                (state.status, state.left) = (known.status.clone(), known.left.clone());
            }
        }
        if !next.is_empty() {
            self.phase = Phase::Calls(Rc::new(next));
        } else if self.queued.is_empty() {
            self.phase = Phase::Idle;
            self.rest_at(Rest::EndTurn);
        } else if self.goes_on() {
            self.deliver();
        } else {
            self.phase = Phase::Ready;
        }
    }

    fn edit_arguments(&mut self, key: CallKey, arguments: &str) {
        let Phase::Calls(open) = &mut self.phase else { return };
        let Some(state) = calls::find(open, key) else { return };
        if state.status != CallStatus::Unruled {
            return;
        }
        let before = std::mem::replace(&mut state.call.arguments, arguments.to_owned());
        state.call.original_arguments.get_or_insert(before);
        let edited = state.call.clone();
        let Some(place) = self.messages.last_mut() else { return };
        let original = place.original.clone().unwrap_or_else(|| Rc::clone(place));
        let mut message = (**place).clone();
        for block in &mut message.blocks {
            match block {
                Block::ToolUse(call) if call.key == key => *call = edited.clone(),
                Block::Text { .. }
                | Block::Thinking { .. }
                | Block::ToolUse(_)
                | Block::ToolResult(_)
                | Block::Opaque { .. } => {}
            }
        }
        message.original = Some(original);
        *place = Rc::new(message);
    }
}
