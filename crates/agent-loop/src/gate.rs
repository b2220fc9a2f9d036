//! The three moments at which a person can look, edit, refuse or stop: before the model, before a tool, after a tool.

use futures_util::future::LocalBoxFuture;

use crate::fact::Edit;
use crate::host::Review;
use crate::message::{ToolCall, ToolResult};
use crate::tool::Arguments;
use crate::wire::Request;

/// Who is asked at the seams. A pause is a gate that takes its time; the loop watches for stop meanwhile.
pub trait Gate {
    /// Before exactly this request is sent.
    fn before_model(&self, request: &Request) -> LocalBoxFuture<'static, ModelSeam>;

    /// Before this call runs. It has been parsed and validated, and the host's policy did not deny it.
    fn before_tool(&self, call: &ToolCall, arguments: &Arguments, review: &Review)
    -> LocalBoxFuture<'static, ToolSeam>;

    /// After a tool ran and before the model sees the result.
    fn after_tool(&self, call: &ToolCall, result: &ToolResult) -> LocalBoxFuture<'static, ResultSeam>;
}

/// What to do before the model is called.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelSeam {
    /// Send it.
    Go,
    /// Change messages or settings; the request is made again and asked about again.
    Edit(Vec<Edit>),
    /// Stop here.
    Stop,
}

/// What to do before a tool runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolSeam {
    /// Run it.
    Run,
    /// Use these arguments (JSON text) instead; the call passes all layers again and is asked about again.
    Edit(String),
    /// Do not run it; the model is told that the user denied it.
    Deny,
    /// Stop here.
    Stop,
}

/// What to do with a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultSeam {
    /// Keep it.
    Keep,
    /// The model shall read this instead.
    Edit(String),
    /// Keep it and stop.
    Stop,
}
