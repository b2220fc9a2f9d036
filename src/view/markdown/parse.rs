//! From Markdown text to a tree of the few things a message can hold.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    /// Words.
    Text(String),
    /// Code in a line.
    Code(String),
    /// A block of code and the language it names.
    CodeBlock { language: String, text: String },
    /// A forced line break.
    Break,
    /// A rule.
    Rule,
    /// The box of a task.
    Task(Done),
    /// A link whose address passed.
    Link { address: String, inside: Vec<Node> },
    /// Anything that holds others.
    Element(Element, Vec<Node>),
}

/// Whether a task is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// Its box is ticked.
    Yes,
    /// It is not.
    No,
}

/// What holds other nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    /// A paragraph.
    Paragraph,
    /// A heading, of level 1 to 6.
    Heading(u8),
    /// A quotation.
    Quote,
    /// A list with bullets.
    List,
    /// A list with numbers, from this one.
    Numbered(u64),
    /// An entry of a list.
    Item,
    /// Emphasised.
    Emphasis,
    /// Strong.
    Strong,
    /// Struck out.
    Struck,
    /// A table.
    Table,
    /// Its row of headings.
    HeadRow,
    /// Another row.
    Row,
    /// A cell.
    Cell,
    /// Nothing of its own.
    Group,
}

/// What is understood beyond CommonMark.
pub(crate) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// The nodes of a text.
pub(crate) fn nodes(text: &str) -> Vec<Node> {
    let mut open: Vec<(Opened, Vec<Node>)> = Vec::new();
    let mut done = Vec::new();
    for event in Parser::new_ext(text, OPTIONS) {
        let node = match event {
            Event::Start(tag) => {
                open.push((Opened::of(tag), Vec::new()));
                continue;
            }
            Event::End(TagEnd::HtmlBlock) | Event::End(_) => {
                let Some((opened, inside)) = open.pop() else { continue };
                opened.close(inside)
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => Node::Text(text.into_string()),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => Node::Code(text.into_string()),
            Event::FootnoteReference(name) => Node::Text(format!("[^{name}]")),
            Event::SoftBreak => Node::Text("\n".to_owned()),
            Event::HardBreak => Node::Break,
            Event::Rule => Node::Rule,
            Event::TaskListMarker(true) => Node::Task(Done::Yes),
            Event::TaskListMarker(false) => Node::Task(Done::No),
        };
        open.last_mut().map_or(&mut done, |(_, inside)| inside).push(node);
    }
    done
}

/// A tag that has begun.
enum Opened {
    Element(Element),
    Code(String),
    Link(String),
}

impl Opened {
    fn of(tag: Tag<'_>) -> Opened {
        Opened::Element(match tag {
            Tag::Paragraph => Element::Paragraph,
            Tag::Heading { level, .. } => Element::Heading(rank(level)),
            Tag::BlockQuote(_) => Element::Quote,
            Tag::CodeBlock(CodeBlockKind::Fenced(language)) => return Opened::Code(language.into_string()),
            Tag::CodeBlock(CodeBlockKind::Indented) => return Opened::Code(String::new()),
            Tag::List(None) => Element::List,
            Tag::List(Some(first)) => Element::Numbered(first),
            Tag::Item => Element::Item,
            Tag::Emphasis => Element::Emphasis,
            Tag::Strong => Element::Strong,
            Tag::Strikethrough => Element::Struck,
            Tag::Table(_) => Element::Table,
            Tag::TableHead => Element::HeadRow,
            Tag::TableRow => Element::Row,
            Tag::TableCell => Element::Cell,
            Tag::HtmlBlock => Element::Paragraph,
            Tag::Link { dest_url, .. } if is_safe(&dest_url) => return Opened::Link(dest_url.into_string()),
            Tag::Link { .. }
            | Tag::Image { .. }
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => Element::Group,
        })
    }

    fn close(self, inside: Vec<Node>) -> Node {
        match self {
            Opened::Element(element) => Node::Element(element, inside),
            Opened::Link(address) => Node::Link { address, inside },
            Opened::Code(language) => {
                let text =
                    inside.into_iter().map(|node| if let Node::Text(text) = node { text } else { String::new() });
                Node::CodeBlock { language, text: text.collect() }
            }
        }
    }
}

fn rank(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Only the web and mail, and only spelled so that no browser reads something else: it drops tabs and line breaks, and
/// leading spaces, before it looks at the scheme.
fn is_safe(address: &str) -> bool {
    let begins = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    !address.chars().any(char::is_control) && (begins("https://") || begins("http://") || begins("mailto:"))
}

#[cfg(test)]
mod tests {
    use super::{Done, Element, Node, nodes};

    fn text(text: &str) -> Node {
        Node::Text(text.to_owned())
    }

    fn paragraph(inside: Vec<Node>) -> Node {
        Node::Element(Element::Paragraph, inside)
    }

    #[track_caller]
    fn check(markdown: &str, expected: Vec<Node>) {
        assert_eq!(nodes(markdown), expected, "{markdown:?}");
    }

    #[test]
    fn markup_is_text() {
        check("<script>x</script>", vec![paragraph(vec![text("<script>x</script>")])]);
        check(
            "a <img src=x onerror=y> b",
            vec![paragraph(vec![text("a "), text("<img src=x onerror=y>"), text(" b")])],
        );
        check("![alt](https://a/b.png)", vec![paragraph(vec![Node::Element(Element::Group, vec![text("alt")])])]);
    }

    #[test]
    fn only_the_web_and_mail_are_linked() {
        for address in ["https://a.b/c", "HTTP://a", "mailto:a@b"] {
            let link = Node::Link { address: address.to_owned(), inside: vec![text("x")] };
            check(&format!("[x]({address})"), vec![paragraph(vec![link])]);
        }
        for address in ["javascript:alert(1)", "data:text/html,x", "//a", "file:///a", "java&Tab;script:x", "#a", "a"] {
            let words = Node::Element(Element::Group, vec![text("x")]);
            check(&format!("[x]({address})"), vec![paragraph(vec![words])]);
        }
    }

    #[test]
    fn what_messages_hold() {
        let code =
            |language: &str, text: &str| Node::CodeBlock { language: language.to_owned(), text: text.to_owned() };
        check("```py\nprint()\n```", vec![code("py", "print()\n")]);
        check("```\n<b>", vec![code("", "<b>")]);
        check("---", vec![Node::Rule]);
        let item = |inside| Node::Element(Element::Item, inside);
        check(
            "3. `a`\n4. **b**",
            vec![Node::Element(
                Element::Numbered(3),
                vec![
                    item(vec![Node::Code("a".to_owned())]),
                    item(vec![Node::Element(Element::Strong, vec![text("b")])]),
                ],
            )],
        );
        check("- [x] a", vec![Node::Element(Element::List, vec![item(vec![Node::Task(Done::Yes), text("a")])])]);
        let cell = |words: &str| Node::Element(Element::Cell, vec![text(words)]);
        check(
            "| a |\n|---|\n| b |",
            vec![Node::Element(
                Element::Table,
                vec![Node::Element(Element::HeadRow, vec![cell("a")]), Node::Element(Element::Row, vec![cell("b")])],
            )],
        );
    }
}
