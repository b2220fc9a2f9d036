//! A small service of a model, byte by byte: it remembers what it was sent and answers as a test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::LONG;

/// One request, as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// `POST /v1/messages HTTP/1.1`.
    pub line: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }
}

/// Listens for as long as the test runs.
pub struct Upstream {
    pub port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Upstream {
    /// One that reads each request to its end and then answers with these bytes.
    pub fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::with(move |stream, remember| {
            remember(read(&mut BufReader::new(stream.try_clone().unwrap())));
            stream.write_all(&answer).unwrap();
        })
    }

    /// One that does this with each connection.
    pub fn with(serve: impl Fn(&mut TcpStream, &dyn Fn(Seen)) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let remembered = seen.clone();
        let serve = Arc::new(serve);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, remembered, serve) = (stream.unwrap(), remembered.clone(), serve.clone());
                stream.set_read_timeout(Some(LONG)).unwrap();
                std::thread::spawn(move || serve(&mut stream, &|one| remembered.lock().unwrap().push(one)));
            }
        });
        Self { port, seen }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

/// Reads a head: its first line and its headers.
pub fn head(stream: &mut impl BufRead) -> Seen {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut lines = lines.into_iter();
    let line = lines.next().unwrap_or_default();
    let headers = lines.filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_lowercase(), value.trim().to_owned()))
    });
    Seen { line, headers: headers.collect(), body: Vec::new() }
}

/// Reads one chunk of a chunked body; empty at its end.
pub fn chunk(stream: &mut impl BufRead) -> Vec<u8> {
    let mut size = String::new();
    stream.read_line(&mut size).unwrap();
    let mut bytes = vec![0; usize::from_str_radix(size.trim(), 16).unwrap_or(0) + 2];
    stream.read_exact(&mut bytes).unwrap();
    bytes.truncate(bytes.len() - 2);
    bytes
}

/// Reads a whole request.
pub fn read(stream: &mut impl BufRead) -> Seen {
    let mut seen = head(stream);
    if let Some(length) = seen.header("content-length") {
        seen.body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut seen.body).unwrap();
    } else if seen.header("transfer-encoding").is_some() {
        loop {
            match chunk(stream) {
                end if end.is_empty() => break,
                bytes => seen.body.extend(bytes),
            }
        }
    }
    seen
}

/// Whether the other side lets go within the time of a hang guard.
pub fn is_let_go(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let began = std::time::Instant::now();
    while began.elapsed() < LONG {
        match stream.read(&mut [0; 64]) {
            Ok(0) => return true,
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
            Err(_) => return true,
            Ok(_) => {}
        }
    }
    false
}
