//! Takes out of the page's scripts what only their authors read: the generated glue is a fifth comments and indents.

use std::fs;
use std::io;
use std::path::Path;

use crate::failure::Failure;

/// Works on the scripts in the folder `staging`.
pub(crate) fn bare_all(staging: &Path) -> Result<(), Failure> {
    let unreadable = |error: io::Error| Failure::Step(format!("the scripts of the page: {error}"));
    for name in ["loopglass.js", "__wasm_split.js", "start.js"] {
        let script = staging.join(name);
        let text = fs::read_to_string(&script).map_err(unreadable)?;
        fs::write(&script, bare(&text)).map_err(unreadable)?;
    }
    Ok(())
}

/// A script without indents, empty lines, and lines that are nothing but comment. One with a text over several lines is
/// left as it is: in that a line is no line of the script.
fn bare(script: &str) -> String {
    if script.lines().any(|line| line.matches('`').count() % 2 == 1) {
        return script.to_owned();
    }
    let mut out = String::with_capacity(script.len());
    let mut is_comment = false;
    for line in script.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            out.push_str(line);
            out.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[track_caller]
    fn check(script: &str, expected: &str) {
        assert_eq!(bare(script), expected);
    }

    #[test]
    fn what_a_browser_reads_stays() {
        check("", "");
        check("// a\nb(); // c\n\n  d(`//`);\n", "b(); // c\nd(`//`);\n");
        check("/** a\n * b\n */\nc();\n/* d */\ne();", "c();\ne();\n");
        check("a(`\n  // b\n`);\n", "a(`\n  // b\n`);\n");
    }
}
