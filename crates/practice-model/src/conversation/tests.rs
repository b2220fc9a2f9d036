use super::{Language, Outcome, language_of, mentions, only_says_continue, outcome};

#[track_caller]
fn check(result: &str, error: bool, expected: Outcome) {
    assert_eq!(outcome(result, error), expected, "{result}");
}

#[test]
fn results_tell_how_a_call_went() {
    for fine in [
        "",
        "app.py",
        "(no output)",
        "exit code: 0",
        "a\n[exit code 0]",
        "exited with code 0",
        "(no output, exit code 0)",
        "Errors are fun",
        "执行完成，但没有输出。",
        "10 exit codes",
    ] {
        check(fine, false, Outcome::Fine);
    }
    check("anything", true, Outcome::Failed);
    for failed in [
        "Traceback (most recent call last):\n  …",
        "SyntaxError: invalid syntax",
        "bash: x: command not found",
        "ls: cannot access 'x': No such file or directory",
        "(exit code 1)",
        "[exit status: 127]",
        "exited with code 2",
        "exit_code=3",
        "退出码：1",
        "Error: Timeout (120s)",
        "Error: missing command.",
        "(ended by signal 9)",
        "Error: Interrupted while it ran; its outcome is unknown and it may have had effects.",
    ] {
        check(failed, false, Outcome::Failed);
    }
    for refused in [
        "Error: Denied by the user; nothing was run.",
        "Error: Dangerous command blocked",
        "Error: command contains dangerous keywords.",
        "Error: Not allowed here: read only",
        "Error: Not run: the user stopped or went on before its turn came.",
    ] {
        check(refused, false, Outcome::Refused);
    }
}

#[test]
fn language_follows_the_words() {
    let check = |words: &str, expected: Option<Language>| assert_eq!(language_of(words), expected, "{words}");
    check("List files", Some(Language::English));
    check("列出 Python 文件", Some(Language::Chinese));
    check("请运行：\n$ ls", Some(Language::Chinese));
    check("$ echo 你好", None);
    check("run this\n$ echo 你好", Some(Language::English));
    check("123 !?", None);
}

#[test]
fn latin_words_are_found_whole() {
    let check = |words: &str, word: &str, expected: bool| assert_eq!(mentions(words, &[word]), expected, "{words}");
    check("Which files?", "file", true);
    check("FILE", "file", true);
    check("profile", "file", false);
    check("filed", "file", false);
    check("tools and calls", "ls", false);
    check("app.py", ".py", true);
    check("app.pyc", ".py", false);
    check("有哪些文件", "文件", true);
    check("请fix它", "fix", true);
}

#[test]
fn going_on_is_no_new_task() {
    for words in ["continue", "Continue.", "go on!", "继续", "请继续。"] {
        assert!(only_says_continue(words), "{words}");
    }
    for words in ["continue with the second file", "", "go"] {
        assert!(!only_says_continue(words), "{words}");
    }
}
