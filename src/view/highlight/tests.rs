//! What code is told apart into. Parts that stay plain are left out of what is expected, so that a case names what it is
//! about; that nothing is lost is checked for each.

use super::Kind::{Added, Atom, Comment, Keyword, Meta, Name, Removed, Text};
use super::{Kind, Language, Reader};

#[track_caller]
fn check(language: &str, source: &str, expected: &[(Kind, &str)]) {
    let parts = Reader::new(Language::named(language).0).read(source);
    assert_eq!(parts.iter().map(|(_, part)| *part).collect::<String>(), source);
    let told: Vec<(Kind, &str)> = parts.into_iter().filter(|(kind, _)| *kind != Kind::Plain).collect();
    assert_eq!(told, expected, "{source}");
    // Line by line it is the same, but for where parts of two lines meet.
    let mut reader = Reader::new(Language::named(language).0);
    let lines: Vec<(Kind, String)> = source
        .split_inclusive('\n')
        .flat_map(|line| reader.read(line))
        .flat_map(|(kind, part)| part.chars().map(move |character| (kind, character.to_string())).collect::<Vec<_>>())
        .collect();
    let whole: Vec<(Kind, String)> = Reader::new(Language::named(language).0)
        .read(source)
        .into_iter()
        .flat_map(|(kind, part)| part.chars().map(move |character| (kind, character.to_string())).collect::<Vec<_>>())
        .collect();
    assert_eq!(lines, whole);
}

#[test]
fn shell() {
    check("bash", "", &[]);
    check(
        "bash",
        "find . -name '*.py' | sort # all\n",
        &[(Name, "find"), (Text, "'*.py'"), (Name, "sort"), (Comment, "# all")],
    );
    check("sh", "A=1 B=\"x $HOME\" make -j4", &[(Text, "\"x "), (Atom, "$HOME"), (Text, "\""), (Name, "make")]);
    check(
        "sh",
        "for f in *.txt; do cat \"$f\"; done",
        &[
            (Keyword, "for"),
            (Keyword, "in"),
            (Keyword, "do"),
            (Name, "cat"),
            (Text, "\""),
            (Atom, "$f"),
            (Text, "\""),
            (Keyword, "done"),
        ],
    );
    check(
        "sh",
        "if ! true; then exit 1; fi",
        &[(Keyword, "if"), (Keyword, "!"), (Name, "true"), (Keyword, "then"), (Name, "exit"), (Keyword, "fi")],
    );
    check("sh", "cd a && ls 2>&1 >out &", &[(Name, "cd"), (Name, "ls")]);
    check(
        "sh",
        "echo a#b ${x:-y} $1 $'it\\'s'",
        &[(Name, "echo"), (Atom, "${x:-y}"), (Atom, "$1"), (Text, "$'it\\'s'")],
    );
    check("sh", "make \\\n  all\nls", &[(Name, "make"), (Name, "ls")]);
    check(
        "sh",
        "case $1 in a) ls ;; esac",
        &[(Keyword, "case"), (Atom, "$1"), (Keyword, "in"), (Name, "ls"), (Keyword, "esac")],
    );
}

#[test]
fn here_documents() {
    check(
        "bash",
        "cat > a.py <<'EOF'\nprint(\"$x\")\nEOF\nls\n",
        &[(Name, "cat"), (Meta, "<<'EOF'"), (Text, "print(\"$x\")\n"), (Meta, "EOF\n"), (Name, "ls")],
    );
    check(
        "bash",
        "cat <<-A <<B\n1\n\tA\n2\nB\nls",
        &[
            (Name, "cat"),
            (Meta, "<<-A"),
            (Meta, "<<B"),
            (Text, "1\n"),
            (Meta, "\tA\n"),
            (Text, "2\n"),
            (Meta, "B\n"),
            (Name, "ls"),
        ],
    );
    check(
        "bash",
        "git commit -m \"$(cat <<'EOF'\nIt's\nEOF\n)\" && ls",
        &[
            (Name, "git"),
            (Text, "\""),
            (Name, "cat"),
            (Meta, "<<'EOF'"),
            (Text, "It's\n"),
            (Meta, "EOF\n"),
            (Text, "\""),
            (Name, "ls"),
        ],
    );
    check("bash", "cat <<< word", &[(Name, "cat")]);
}

/// What runs never looks like a comment, whatever quotes stand before it.
#[test]
fn no_comment_where_the_shell_sees_none() {
    check(
        "bash",
        "echo \"$(true \" # \" ; rm -rf /)\"",
        &[(Name, "echo"), (Text, "\""), (Name, "true"), (Text, "\" # \""), (Name, "rm"), (Text, "\"")],
    );
    check(
        "bash",
        "echo \\# 'a' \"b\"# $x# ${x#y}",
        &[(Name, "echo"), (Text, "'a'"), (Text, "\"b\""), (Atom, "$x"), (Atom, "${x#y}")],
    );
}

#[test]
fn python() {
    check(
        "python",
        "@app.route\ndef f(x):\n    return None  # nothing\n",
        &[
            (Meta, "@app.route"),
            (Keyword, "def"),
            (Name, "f"),
            (Keyword, "return"),
            (Atom, "None"),
            (Comment, "# nothing"),
        ],
    );
    check("py", "x = f\"a\\\"b\" + 'c' * 1.5e3", &[(Text, "f\"a\\\"b\""), (Text, "'c'"), (Atom, "1.5e3")]);
    check(
        "py",
        "\"\"\"one\n# two\n\"\"\"\nclass A: pass",
        &[(Text, "\"\"\"one\n# two\n\"\"\""), (Keyword, "class"), (Name, "A"), (Keyword, "pass")],
    );
    check("py", "print('open\nnext()", &[(Name, "print"), (Text, "'open"), (Name, "next")]);
}

#[test]
fn json() {
    check(
        "json",
        "{\"a\": [1, -2.5, true], \"b\" : \"c:\"}",
        &[(Name, "\"a\""), (Atom, "1"), (Atom, "2.5"), (Atom, "true"), (Name, "\"b\""), (Text, "\"c:\"")],
    );
}

#[test]
fn rust() {
    check(
        "rust",
        "#[test]\nfn a<'a>(x: &'a str) -> char { println!(\"{x}\"); 'b' }",
        &[
            (Meta, "#[test]"),
            (Keyword, "fn"),
            (Name, "a"),
            (Atom, "'a"),
            (Atom, "'a"),
            (Name, "println"),
            (Text, "\"{x}\""),
            (Text, "'b'"),
        ],
    );
    check(
        "rs",
        "/* a /* b */\nc */ let x = r#\"a\"b\"#; 0..10 != '\\n'",
        &[
            (Comment, "/* a /* b */\nc */"),
            (Keyword, "let"),
            (Text, "r#\"a\"b\"#"),
            (Atom, "0"),
            (Atom, "10"),
            (Text, "'\\n'"),
        ],
    );
}

#[test]
fn scripts() {
    check("ts", "const a = `x\n${y}`; // end", &[(Keyword, "const"), (Text, "`x\n${y}`"), (Comment, "// end")]);
    check("js", "a = b / c; d = /[/\"]\\/x/g.test('e')", &[(Text, "/[/\"]\\/x/g"), (Name, "test"), (Text, "'e'")]);
    check(
        "js",
        "/* a\nb */ class A extends B {}",
        &[(Comment, "/* a\nb */"), (Keyword, "class"), (Name, "A"), (Keyword, "extends")],
    );
}

#[test]
fn diffs() {
    check(
        "diff",
        "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n",
        &[(Meta, "--- a\n+++ b\n@@ -1 +1 @@\n"), (Removed, "-old\n"), (Added, "+new\n")],
    );
}

#[test]
fn others() {
    check("toml", "[a]\nname = \"x\" # y\n", &[(Meta, "[a]"), (Name, "name"), (Text, "\"x\""), (Comment, "# y")]);
    check("yaml", "- key: true\n  url: http://a#b\n", &[(Name, "- key"), (Atom, "true"), (Name, "url")]);
    check(
        "c",
        "#include <a.h>\nint main(void) { return i--; } /* b */",
        &[(Meta, "#include"), (Name, "main"), (Keyword, "void"), (Keyword, "return"), (Comment, "/* b */")],
    );
    check("sql", "SELECT a FROM b -- c", &[(Keyword, "SELECT"), (Keyword, "FROM"), (Comment, "-- c")]);
    check("", "# no language, \"no\" colours\n", &[]);
    check("text", "if 1", &[]);
}

/// A hundred kilobytes of anything are read before a person notices; quadratic work would take minutes.
#[test]
fn hostile_code_ends_and_nothing_is_lost() {
    let pieces =
        ["\"", "'", "`", "$(", "${", "/*", "r#\"", "<<A\n", "#", "/", "\\", "(", ")", "@", "字", "a=", "\n", "é'"];
    for language in ["bash", "py", "json", "rust", "js", "diff", "toml", "go", ""] {
        for piece in pieces {
            let source = piece.repeat(100_000 / piece.len());
            let parts = Reader::new(Language::named(language).0).read(&source);
            assert_eq!(parts.iter().map(|(_, part)| part.len()).sum::<usize>(), source.len(), "{language} {piece:?}");
        }
        let mixed = pieces.concat().repeat(50);
        let parts = Reader::new(Language::named(language).0).read(&mixed);
        assert_eq!(parts.iter().map(|(_, part)| *part).collect::<String>(), mixed, "{language}");
    }
}
