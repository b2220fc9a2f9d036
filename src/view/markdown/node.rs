//! What Markdown becomes: a tree of the few things a message can hold.

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
    Heading(usize),
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
}
