//! How bytes reach a model and come back. The loop encodes and decodes; a transport only carries.

use futures_util::stream::LocalBoxStream;

/// Carries one request to an endpoint.
pub trait Transport {
    /// Sends; the stream gives [`Reply::Head`] once, then the body's bytes. Dropping it aborts the request.
    fn send(&self, request: &HttpRequest) -> LocalBoxStream<'static, Result<Reply, TransportError>>;
}

/// A POST, or a GET where the body is empty. What the inspector shows is this, with the key redacted.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The whole URL.
    pub url: String,
    /// The headers we set, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, JSON; empty for a question without one.
    pub body: Vec<u8>,
}

/// Part of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Status and headers (names in lower case), once and first.
    Head {
        /// HTTP status.
        status: u16,
        /// The headers that could be read.
        headers: Vec<(String, String)>,
    },
    /// The next bytes of the body, cut anywhere.
    Bytes(Vec<u8>),
}

/// Why no (more) bytes came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransportError {
    /// No answer at all: no network, wrong address, or the browser may not read it (CORS). The text is the browser's.
    Unreachable(String),
    /// The answer broke off.
    Broken(String),
}
