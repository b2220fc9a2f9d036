//! `wire decode`: from captured bytes to the turn they tell.

use std::io::{self, BufReader, Read, Write};
use std::process::ExitCode;

use agent_loop::capture::{Capture, Turn};
use agent_loop::wire::written_json;

use super::words::words;
use super::{Decode, WireError, open};

/// The exit code of an answer that was cut or failed.
const NOT_COMPLETE: u8 = 3;

/// Decodes the file and prints its turn.
pub(super) fn run(decode: &Decode) -> Result<ExitCode, WireError> {
    let turn = read(decode)?;
    let told = if decode.json { format!("{}\n", written_json(&turn.json())) } else { words(&turn) };
    // Whoever closed the pipe has seen enough.
    let _ = io::stdout().lock().write_all(told.as_bytes());
    Ok(if turn.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(NOT_COMPLETE) })
}

fn read(decode: &Decode) -> Result<Turn, WireError> {
    let mut input = BufReader::new(open(&decode.file)?);
    let (mut capture, mut chunk) = (Capture::new(decode.dialect.into()), Vec::new());
    loop {
        chunk.clear();
        let more = input.by_ref().take(decode.chunk).read_to_end(&mut chunk);
        more.map_err(|error| WireError::Unreadable(decode.file.clone(), error))?;
        if chunk.is_empty() || !capture.feed(&chunk) {
            return Ok(capture.finish());
        }
    }
}
