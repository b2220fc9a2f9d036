//! Requests written byte by byte, so that they can be wrong.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::{Bridge, LONG};

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// All of it, as it came.
    pub raw: Vec<u8>,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// The body without its chunks, and whether it ended as it should.
    pub fn content(&self) -> (Vec<u8>, bool) {
        let mut rest = self.body.as_slice();
        if self.header("transfer-encoding") != Some("chunked") {
            return (rest.to_vec(), true);
        }
        let mut content = Vec::new();
        while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
            let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
            if size == 0 {
                return (content, true);
            }
            content.extend(&rest[end + 2..(end + 2 + size).min(rest.len())]);
            rest = rest.get(end + 2 + size + 2..).unwrap_or_default();
        }
        (content, false)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Bridge {
    /// `METHOD PATH` with the right `Host` and these headers, and no body.
    pub fn ask(&self, request: &str, headers: &[(&str, &str)]) -> Response {
        let host = format!("127.0.0.1:{}", self.port);
        let mut all = vec![("Host", host.as_str())];
        all.extend(headers);
        self.ask_raw(request, &all, b"")
    }

    /// `METHOD PATH` with exactly these headers, and the body.
    pub fn ask_raw(&self, request: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut text = format!("{request} HTTP/1.1\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        if !headers.iter().any(|(name, _)| *name == "Connection") {
            text.push_str("Connection: close\r\n");
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(body);
        self.send_bytes(&bytes)
    }

    pub fn send_bytes(&self, bytes: &[u8]) -> Response {
        send(self.port, bytes)
    }

    /// All that comes back, which may be nothing.
    pub fn answer_to(&self, bytes: &[u8]) -> Vec<u8> {
        exchange(self.port, bytes)
    }
}

/// `METHOD PATH` of a bridge on this port, with the right `Host` and nothing else.
pub fn ask(port: u16, request: &str) -> Response {
    send(port, format!("{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").as_bytes())
}

fn send(port: u16, bytes: &[u8]) -> Response {
    parse(exchange(port, bytes))
}

fn exchange(port: u16, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    // The bridge may have heard enough before all is said.
    let _ = stream.write_all(bytes);
    let mut raw = Vec::new();
    let _ = stream.read_to_end(&mut raw);
    raw
}

fn parse(raw: Vec<u8>) -> Response {
    let end = raw.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| {
        panic!("no response: {:?}", String::from_utf8_lossy(&raw));
    });
    let head = String::from_utf8_lossy(&raw[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines
        .map(|line| line.split_once(':').unwrap())
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    Response { status, headers, body: raw[end + 4..].to_vec(), raw }
}
