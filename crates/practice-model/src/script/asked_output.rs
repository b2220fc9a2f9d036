//! What a program that is asked for should print.

/// The text after "prints" or 输出 in these words: what stands between quotation marks, or else up to the end of the
/// clause. `None` if there is none, or if it cannot stand between quotation marks in Python as it is.
pub(super) fn asked_output(words: &str) -> Option<&str> {
    const VERBS: [&str; 8] = ["输出", "打印", "prints ", "print ", "printing ", "outputs ", "says ", "显示"];
    const QUOTES: [(char, char); 6] = [('"', '"'), ('\'', '\''), ('“', '”'), ('「', '」'), ('『', '』'), ('`', '`')];
    const ENDS: [&str; 17] = [
        "；",
        ";",
        "，",
        "。",
        "\n",
        ". ",
        " and run",
        " and tell",
        " and then",
        ", run",
        ", then",
        ", and ",
        " then run",
        "并运行",
        "并告诉",
        "然后",
        " 的",
    ];
    let after = VERBS.iter().find_map(|verb| words.split_once(verb))?.1.trim_start_matches([' ', ':', '：']);
    let quoted = QUOTES.iter().find_map(|(open, close)| after.strip_prefix(*open)?.split_once(*close));
    let text = match quoted {
        Some((text, _)) => text,
        None => {
            let clause = ENDS.iter().fold(after, |text, end| text.split(end).next().unwrap_or(text));
            clause.trim().trim_end_matches(['.', '!', '！'])
        }
    };
    let plain = !text.trim().is_empty() && text.len() <= 120 && !text.contains(['"', '\\', '\n']);
    plain.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::asked_output;

    #[test]
    fn words_that_name_an_output() {
        let check = |words: &str, expected: Option<&str>| assert_eq!(asked_output(words), expected, "{words}");
        check("请创建 hello.py，输出 Hello, Agent Harness；运行它并告诉我实际输出。", Some("Hello, Agent Harness"));
        check(
            "Create hello.py that prints Hello, Agent Harness; run it and tell me its actual output.",
            Some("Hello, Agent Harness"),
        );
        check("Create hello.py which prints \"Hi, you; there\" and run it", Some("Hi, you; there"));
        check("Write hello.py. It prints Good day, then run it", Some("Good day"));
        check("Make hello.py print Hello and run it.", Some("Hello"));
        check("写一个输出“你好，世界”的 hello.py", Some("你好，世界"));
        check("写一个打印 你好 的 hello.py", Some("你好"));
        check("创建 hello.py，打印：再见。", Some("再见"));
        check("创建 hello.py", None);
        check("prints \"\"", None);
        check("prints a\\b", None);
    }
}
