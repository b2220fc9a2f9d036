//! OpenAI Chat Completions and what is compatible with it: the answer, read from its chunks or its whole body, and the
//! messages, written for a request.

mod assembler;
mod calls;
mod encode;
mod quick;

pub(crate) use assembler::Assembler;
pub(crate) use encode::{head, message, tail};
