//! What an answer says beside its blocks, in either dialect: who answered, how it ended, what it took.

use serde_json::Value;

use crate::message::{Answer, Block, StopReason, Usage};
use crate::wire::failure::ModelFailure;
use crate::wire::json::text;
use crate::wire::stop_reason;

/// As much of it as has been told.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    id: String,
    model: String,
    pub(crate) stop_reason: Option<StopReason>,
    pub(crate) stop_details: Option<Value>,
    pub(crate) usage: Usage,
    /// Whether anything of the dialect has come.
    pub(crate) recognised: bool,
}

impl Outline {
    /// Takes the names of the answer and its model. They are set once.
    pub(crate) fn name(&mut self, told: &Value) {
        self.recognised = true;
        for (field, key) in [(&mut self.id, "id"), (&mut self.model, "model")] {
            if field.is_empty() {
                text(told, key).clone_into(field);
            }
        }
    }

    /// Whether the names are known.
    pub(crate) fn is_named(&self) -> bool {
        !self.id.is_empty() && !self.model.is_empty()
    }

    /// Takes why the model stopped, by the endpoint's name for it. A second, milder reason does not lift a bar.
    pub(crate) fn end(&mut self, name: &str) -> Result<(), ModelFailure> {
        let Some(reason) = stop_reason::read(name) else { return Ok(()) };
        let reason = reason?;
        if !self.stop_reason.as_ref().is_some_and(StopReason::bars_calls) {
            self.stop_reason = Some(reason);
        }
        Ok(())
    }

    /// The answer with these blocks, which ended so.
    pub(crate) fn answer(self, blocks: Vec<Block>, stop_reason: StopReason) -> Answer {
        Answer {
            blocks,
            stop_reason,
            stop_details: self.stop_details,
            usage: self.usage,
            model: self.model,
            id: self.id,
            duration_ms: 0,
            first_byte_ms: None,
        }
    }
}
