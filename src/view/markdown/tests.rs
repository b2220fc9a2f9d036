//! What texts become, in a notation close to HTML.

use super::blocks::{nodes, start_of_last};
use super::node::{Done, Element, Node};

fn shown(nodes: &[Node]) -> String {
    nodes.iter().map(show).collect()
}

fn show(node: &Node) -> String {
    let (name, inside) = match node {
        Node::Text(text) => return text.replace('<', "‹"),
        Node::Code(text) => return format!("<code>{text}</code>"),
        Node::CodeBlock { language, text } => return format!("<pre {language}>{text}</pre>"),
        Node::Break => return "<br>".to_owned(),
        Node::Rule => return "<hr>".to_owned(),
        Node::Task(Done::Yes) => return "<x>".to_owned(),
        Node::Task(Done::No) => return "<o>".to_owned(),
        Node::Link { address, inside } => return format!("<a {address}>{}</a>", shown(inside)),
        Node::Element(element, inside) => (element, inside),
    };
    let name = match name {
        Element::Paragraph => "p".to_owned(),
        Element::Heading(level) => format!("h{level}"),
        Element::Quote => "q".to_owned(),
        Element::List => "ul".to_owned(),
        Element::Numbered(first) => format!("ol{first}"),
        Element::Item => "li".to_owned(),
        Element::Emphasis => "em".to_owned(),
        Element::Strong => "strong".to_owned(),
        Element::Struck => "s".to_owned(),
        Element::Table => "table".to_owned(),
        Element::HeadRow => "head".to_owned(),
        Element::Row => "row".to_owned(),
        Element::Cell => "cell".to_owned(),
    };
    format!("<{name}>{}</{name}>", shown(inside))
}

#[track_caller]
fn check(markdown: &str, expected: &str) {
    assert_eq!(shown(&nodes(markdown)), expected, "{markdown:?}");
}

#[test]
fn markup_is_text() {
    check("<script>x</script>", "<p>‹script>x‹/script></p>");
    check("a <img src=x onerror=y> b", "<p>a ‹img src=x onerror=y> b</p>");
    check("![alt](https://a/b.png)", "<p>alt</p>");
    check("&lt;b&gt; &amp; &copy;", "<p>‹b> & &copy;</p>");
}

#[test]
fn control_characters_are_seen() {
    check("a\0\u{1b}c\u{7f}\u{9b}b", "<p>a␀␛c␡\u{fffd}b</p>");
    check("a<b x='\0'> `\u{7}`", "<p>a‹b x='␀'> <code>␇</code></p>");
}

#[test]
fn only_the_web_and_mail_are_linked() {
    check("[x](https://a.b/c_(d))", "<p><a https://a.b/c_(d)>x</a></p>");
    check("[x](HTTP://a \"title\")", "<p><a HTTP://a>x</a></p>");
    check("[**x**](<mailto:a@b>)", "<p><a mailto:a@b><strong>x</strong></a></p>");
    check("<https://a>", "<p><a https://a>https://a</a></p>");
    for address in ["javascript:alert(1)", "data:text/html,x", "//a", "file:///a", "java\tscript:x", "#a", "a", ""] {
        check(&format!("[x]({address})"), "<p>x</p>");
    }
    check("[x] (https://a)", "<p>[x] (https://a)</p>");
    check("[x](https://a", "<p>[x](https://a</p>");
}

#[test]
fn lines() {
    check("a\nb", "<p>a\nb</p>");
    check("a  \nb\\\nc", "<p>a<br>b<br>c</p>");
    check(
        "*a* **b** ***c*** _d_ ~~e~~",
        "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <em>d</em> <s>e</s></p>",
    );
    check("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>");
    check("**一**：二", "<p><strong>一</strong>：二</p>");
    check("snake_case_name 2 * 3 * 4", "<p>snake_case_name 2 * 3 * 4</p>");
    check("*a **b*", "<p>*a *<em>b</em></p>");
    check("\\*a\\* \\q", "<p>*a* \\q</p>");
    check("`a*b*` ``c`d`` ` e", "<p><code>a*b*</code> <code>c`d</code> ` e</p>");
    check("` a `", "<p><code>a</code></p>");
}

#[test]
fn blocks() {
    check("", "");
    check("# a #\n## b\ntext\n#c", "<h1>a</h1><h2>b</h2><p>text\n#c</p>");
    check("a\n===\nb\n---", "<h1>a</h1><h2>b</h2>");
    check("a\n\n---\n***", "<p>a</p><hr><hr>");
    check("> a\nb\n> > c\n\nd", "<q><p>a\nb</p><q><p>c</p></q></q><p>d</p>");
    check("```py\nprint()\n\n```\nafter", "<pre py>print()\n\n</pre><p>after</p>");
    check("~~~\n<b>\n```", "<pre ><b>\n```\n</pre>");
    check("a\n\n    code\n\n    more\n\nb", "<p>a</p><pre >code\n\nmore\n</pre><p>b</p>");
}

#[test]
fn lists() {
    check("- a\n- b", "<ul><li>a</li><li>b</li></ul>");
    check("3. `a`\n4. **b**", "<ol3><li><code>a</code></li><li><strong>b</strong></li></ol3>");
    check(
        "- a\n  more\n  - b\n    1. c\n- d",
        "<ul><li>a\nmore<ul><li>b<ol1><li>c</li></ol1></li></ul></li><li>d</li></ul>",
    );
    check("- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>");
    check("1. a\n\n   ```\n   x\n   ```\n2. b", "<ol1><li><p>a</p><pre >x\n</pre></li><li><p>b</p></li></ol1>");
    check("- [x] a\n- [ ] b", "<ul><li><x>a</li><li><o>b</li></ul>");
    check("- a\n\ntext", "<ul><li>a</li></ul><p>text</p>");
    check("- a\n* b", "<ul><li>a</li></ul><ul><li>b</li></ul>");
    check("text\n- a", "<p>text</p><ul><li>a</li></ul>");
    check("in 2024.\n2024. a", "<p>in 2024.\n2024. a</p>");
}

#[test]
fn tables() {
    check(
        "| a | b |\n|---|:-:|\n| `c` | d \\| e |\n| f |\n\nafter",
        "<table><head><cell>a</cell><cell>b</cell></head><row><cell><code>c</code></cell><cell>d | e</cell></row>\
         <row><cell>f</cell><cell></cell></row></table><p>after</p>",
    );
    check(
        "a | b\n--|--\nc | d",
        "<table><head><cell>a</cell><cell>b</cell></head><row><cell>c</cell><cell>d</cell></row></table>",
    );
    check("a | b\nc", "<p>a | b\nc</p>");
}

/// A hundred kilobytes of anything are read before a person notices; quadratic work would take minutes.
#[test]
fn hostile_texts_end() {
    let pieces = [
        "> ", "- ", "[", "[a](", "*a ", "a* ", "**a* ", "*a* ", "_", "`", "` `` ", "<", "<http://", "|", "\\", "&",
        "\n>",
    ];
    for piece in pieces {
        let text = piece.repeat(100_000 / piece.len());
        assert!(!nodes(&text).is_empty() || text.trim().is_empty(), "{piece:?}");
    }
}

/// Cut where the last block begins, both parts read alone give what the whole gives.
#[track_caller]
fn check_cut(text: &str, last: &str) {
    let (done, growing) = text.split_at(start_of_last(text));
    assert_eq!(growing, last);
    assert_eq!([nodes(done), nodes(growing)].concat(), nodes(text));
}

#[test]
fn a_text_is_cut_before_its_last_block() {
    check_cut("", "");
    check_cut("one", "one");
    check_cut("one\n\ntwo", "two");
    check_cut("# one\ntwo\n\n- a\n- b\n", "- a\n- b\n");
    check_cut("a\n\n```py\nx = 1\n\ny", "```py\nx = 1\n\ny");
    check_cut("a\n\n| b |\n|---|\n| c |\n", "| b |\n|---|\n| c |\n");
    check_cut("a\r\n\r\n---\r\n", "---\r\n");
}
