//! Anthropic Messages: the answer, read from its events or its whole body, and the messages, written for a request.

mod assembler;
mod block;
mod encode;
mod event;

pub(crate) use assembler::Assembler;
pub(crate) use encode::{head, message};
