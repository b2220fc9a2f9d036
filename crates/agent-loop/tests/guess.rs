//! The dialect of a capture is guessed from its bytes: for no recorded answer is it the other one.

use std::path::Path;

use agent_loop::Dialect;
use agent_loop::wire::guess_dialect;

#[test]
fn no_recorded_answer_is_taken_for_the_other_dialect() {
    let check = |folder: &str, dialect: Dialect, most_unknown: usize| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire").join(folder);
        let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let is_capture = |path: &&std::path::PathBuf| path.extension().is_some_and(|ending| ending == "sse");
        let is_other = |path: &&std::path::PathBuf| path.ends_with("other-dialect.sse");
        let captures: Vec<_> = files.iter().filter(is_capture).filter(|path| !is_other(path)).collect();
        let guesses = captures.iter().map(|path| (path, guess_dialect(&std::fs::read(path).unwrap())));
        let unknown: Vec<_> = guesses
            .inspect(|(path, guess)| assert!(guess.is_none_or(|guess| guess == dialect), "{}", path.display()))
            .filter(|(_, guess)| guess.is_none())
            .map(|(path, _)| path)
            .collect();
        assert!(captures.len() > 60, "{}", captures.len());
        assert!(unknown.len() <= most_unknown, "{unknown:?}");
    };
    // Errors alone, keep-alives and empty bodies look alike in both.
    check("anthropic", Dialect::Anthropic, 4);
    check("openai", Dialect::OpenAi, 20);
}
