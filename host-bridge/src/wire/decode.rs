//! `wire decode`: from captured bytes to the turn they tell.

use std::io::{self, BufReader, Read, Write};
use std::process::ExitCode;

use agent_loop::wire::{Decoder, Progress};

use super::turn::{Outcome, Turn};
use super::{Decode, WireError, open};

/// The exit code of an answer that was cut or failed.
const NOT_COMPLETE: u8 = 3;

/// Decodes the file and prints its turn.
pub(super) fn run(decode: &Decode) -> Result<ExitCode, WireError> {
    let turn = Turn::new(read(decode)?);
    let told = if decode.json { format!("{}\n", turn.json()) } else { turn.words() };
    // Whoever closed the pipe has seen enough.
    let _ = io::stdout().lock().write_all(told.as_bytes());
    Ok(if turn.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(NOT_COMPLETE) })
}

/// Reads as the loop does: what goes wrong after the end of an answer takes nothing of it away.
fn read(decode: &Decode) -> Result<Outcome, WireError> {
    let mut input = BufReader::new(open(&decode.file)?);
    // A capture does not say its content type; the decoder sees from the bytes what frames them.
    let mut decoder = Decoder::new(decode.dialect.into(), "");
    let (mut chunk, mut deltas) = (Vec::new(), Vec::new());
    loop {
        chunk.clear();
        let more = input.by_ref().take(decode.chunk).read_to_end(&mut chunk);
        more.map_err(|error| WireError::Unreadable(decode.file.clone(), error))?;
        if chunk.is_empty() {
            break;
        }
        let fed = decoder.feed(&chunk, &mut deltas);
        deltas.clear();
        match (decoder.progress(), fed) {
            (Progress::Ended, _) | (Progress::Terminated, Err(_)) => break,
            (Progress::Open, Err(failure)) => {
                return Ok(Outcome::Failed { draft: decoder.draft(), usage: decoder.usage(), failure });
            }
            (Progress::Open | Progress::Terminated, Ok(())) => {}
        }
    }
    decoder.end();
    let (draft, usage) = (decoder.draft(), decoder.usage());
    Ok(match decoder.finish() {
        Ok(answer) => Outcome::Complete(answer),
        Err(failure) => Outcome::Failed { draft, usage, failure },
    })
}
