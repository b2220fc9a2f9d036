//! Commands that only look, allowed at once where the configuration says `read_only = true`.
//!
//! Each is listed with the options that are known to write nothing, run nothing and read nothing but what stands among
//! the arguments; any other option asks. Files must lie in the workspace, links followed, because a look at a key outside
//! of it is more than a look. Git is not among them: it runs what the repository's own configuration names. And a program
//! that the workspace itself brings under one of these names is not the program that is meant.

use std::io;
use std::path::{Component, Path, PathBuf};

/// What stands behind the options of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// None may.
    Nothing,
    /// Names of files.
    Files,
    /// A text, then names of files.
    TextAndFiles,
    /// Texts.
    Texts,
}

struct Command {
    name: &'static str,
    /// Letters of options without a value.
    flags: &'static str,
    /// Letters of options with a number, behind them or in the next word.
    numbers: &'static str,
    operands: Operands,
    /// Whether the shell has it inside itself.
    is_builtin: bool,
}

const fn file(name: &'static str, flags: &'static str, numbers: &'static str) -> Command {
    Command { name, flags, numbers, operands: Operands::Files, is_builtin: false }
}

const fn builtin(name: &'static str, flags: &'static str, operands: Operands) -> Command {
    Command { name, flags, numbers: "", operands, is_builtin: true }
}

/// By the manual pages of GNU coreutils 9 and grep 3. Left out on purpose: `-f` of grep, tail and date, `--files0-from`
/// of wc and du, `-o` of sort, the second operand of uniq, `-r` of diff, which follows
/// links, and all of find, sed, awk, xargs, less and tree.
const COMMANDS: [Command; 16] = [
    builtin("pwd", "LP", Operands::Nothing),
    builtin("true", "", Operands::Nothing),
    builtin("false", "", Operands::Nothing),
    builtin("echo", "neE", Operands::Texts),
    file("ls", "1AaBFGhilNnopQqRrSstUuvXxdck", ""),
    file("cat", "AbEensTtuv", ""),
    file("head", "qvz", "nc"),
    file("tail", "qvz", "nc"),
    file("wc", "clmLw", ""),
    file("stat", "Lt", ""),
    file("du", "abchkmsx", "d"),
    file("cmp", "bls", "n"),
    file("diff", "abBcdEiNpquwy", "CUW"),
    file("sha256sum", "bt", ""),
    file("nl", "", ""),
    Command { operands: Operands::TextAndFiles, ..file("grep", "EFGHILUZabchilnoqrsvwxz", "ABCm") },
];

/// Whether a simple command of these words only looks. `workspace` is absolute and without links; `path` is the `PATH`
/// that commands have.
pub(super) fn only_looks(words: &[String], workspace: &Path, path: &str) -> bool {
    let Some((name, arguments)) = words.split_first() else { return false };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else { return false };
    let Some(operands) = operands(command, arguments) else { return false };
    let is_the_real_one = command.is_builtin || is_from_elsewhere(name, path, workspace);
    let files = match command.operands {
        Operands::Nothing if !operands.is_empty() => return false,
        Operands::Nothing | Operands::Texts => &[],
        Operands::Files => operands.as_slice(),
        Operands::TextAndFiles => match operands.split_first() {
            Some((_, files)) => files,
            None => return false,
        },
    };
    is_the_real_one && files.iter().all(|file| is_within(file, workspace))
}

/// What stands behind the options, if each of those is listed.
fn operands<'a>(command: &Command, arguments: &'a [String]) -> Option<Vec<&'a str>> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut operands = Vec::new();
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        let Some(letters) = argument.strip_prefix('-') else {
            operands.push(argument);
            continue;
        };
        match letters {
            // An option behind `--` is a name, but echo prints it; standard input is empty.
            "" | "-" => return None,
            // `head -5`.
            digits if is_number(digits) && command.numbers.contains('n') => {}
            _ => {
                let mut rest = letters.chars();
                while let Some(letter) = rest.next() {
                    if command.numbers.contains(letter) {
                        let value = rest.as_str();
                        let value = if value.is_empty() { arguments.next()? } else { value };
                        if !is_number(value) {
                            return None;
                        }
                        break;
                    }
                    if !command.flags.contains(letter) {
                        return None;
                    }
                }
            }
        }
    }
    Some(operands)
}

/// Whether the program that a command of this name would start is one that the workspace cannot have brought: neither
/// where it is found nor where that leads.
fn is_from_elsewhere(name: &str, path: &str, workspace: &Path) -> bool {
    // An entry that is not absolute is the workspace, by whatever name.
    if path.split(':').any(|folder| !folder.starts_with('/')) {
        return false;
    }
    let found = path.split(':').map(|folder| Path::new(folder).join(name)).find(|program| program.is_file());
    let is_apart = |path: io::Result<PathBuf>| path.is_ok_and(|path| !path.starts_with(workspace));
    found.is_some_and(|found| {
        found.parent().is_some_and(|folder| is_apart(folder.canonicalize())) && is_apart(found.canonicalize())
    })
}

/// Whether a name leads into the workspace, links followed. What is not there leads nowhere.
fn is_within(name: &str, workspace: &Path) -> bool {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    is_plain && workspace.join(name).canonicalize().map_or(true, |real| real.starts_with(workspace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::words::simple;

    #[track_caller]
    fn check(command: &str, expected: bool) {
        let folder = tempfile::tempdir().unwrap();
        let (workspace, outside) = (folder.path().join("work"), folder.path().join("secret"));
        std::fs::create_dir_all(workspace.join("bin")).unwrap();
        std::fs::write(workspace.join("a.txt"), "a").unwrap();
        std::fs::write(&outside, "secret").unwrap();
        std::os::unix::fs::symlink(&outside, workspace.join("leads-out")).unwrap();
        std::os::unix::fs::symlink(folder.path(), workspace.join("folder-out")).unwrap();
        let workspace = workspace.canonicalize().unwrap();
        let words = simple(command).unwrap_or_else(|| panic!("{command} is not simple"));
        assert_eq!(only_looks(&words, &workspace, "/usr/bin:/bin"), expected, "{command}");
    }

    #[test]
    fn looking_at_the_workspace_is_only_looking() {
        for command in [
            "pwd",
            "ls",
            "ls -la",
            "ls -l bin a.txt",
            "cat a.txt",
            "cat ./a.txt",
            "cat not-there",
            "head -n 5 a.txt",
            "head -n5 a.txt",
            "head -5 a.txt",
            "tail -c 100 a.txt",
            "wc -l a.txt",
            "grep -rn 'a b' .",
            "grep -A 3 a a.txt",
            "echo anything at all",
            "true",
            "du -sh bin",
            "diff -u a.txt a.txt",
            "stat a.txt",
        ] {
            check(command, true);
        }
    }

    #[test]
    fn anything_more_is_not() {
        for command in [
            "cat /etc/passwd",
            "cat ../secret",
            "cat bin/../../secret",
            "cat leads-out",
            "cat folder-out/secret",
            "ls folder-out",
            "ls /",
            "ls ..",
            "ls --hyperlink",
            "cat -",
            "cat -- a.txt",
            "grep -f /etc/passwd a.txt",
            "grep -f/etc/passwd a.txt",
            "grep --file=/etc/passwd a",
            "grep -R a .",
            "grep",
            "wc --files0-from=/etc/passwd",
            "tail -f a.txt",
            "tail -n x a.txt",
            "head -n",
            "diff -r . folder-out",
            "diff --to-file=/etc/passwd a.txt",
            "pwd x",
            "find .",
            "sort -o x a.txt",
            "uniq a.txt b.txt",
            "sed p a.txt",
            "git status",
            "env",
            "cd bin",
            "rm a.txt",
            "Ls",
            "bin/ls",
            "/bin/ls",
            "./ls",
            "tree -o x",
            "date -s 0",
            "rg --pre x a",
            "less a.txt",
        ] {
            check(command, false);
        }
    }

    #[test]
    fn a_program_of_the_workspace_is_another_program() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let workspace = folder.path().canonicalize().unwrap();
        let bin = workspace.join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("ls"), "").unwrap();
        std::os::unix::fs::symlink("/bin/cat", bin.join("cat")).unwrap();
        std::os::unix::fs::symlink(bin.join("ls"), outside.path().join("wc")).unwrap();
        let check = |name: &str, path: String, expected| {
            assert_eq!(only_looks(&[name.to_owned()], &workspace, &path), expected, "{name} in {path}");
        };
        check("ls", "/usr/bin:/bin".to_owned(), true);
        check("ls", format!("{}:/bin", bin.display()), false);
        check("ls", format!("/usr/bin:/bin:{}", bin.display()), true);
        check("cat", format!("{}:/bin", bin.display()), false);
        check("wc", format!("{}:/bin", outside.path().display()), false);
        for path in [".:/bin", ":/bin", "/bin:", "bin:/bin", ""] {
            check("ls", path.to_owned(), false);
        }
        check("echo", String::new(), true);
    }
}
