//! Families of languages, as data: what begins a comment and a text, which words are the language's own.

/// A family.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Grammar {
    /// What begins a comment up to the end of the line.
    pub(super) comments: &'static [&'static str],
    /// Comments with an end.
    pub(super) block: Option<Block>,
    /// Quotes, the longer of two that begin alike first.
    pub(super) quotes: &'static [Quote],
    /// Words that may stand directly before a quote and belong to it.
    pub(super) prefixes: &'static [&'static str],
    /// The language's own words.
    pub(super) keywords: &'static [&'static str],
    /// Its constants.
    pub(super) atoms: &'static [&'static str],
    /// Words before a name that is being defined.
    pub(super) defines: &'static [&'static str],
    /// What names a field.
    pub(super) fields: Fields,
    /// What speaks about code.
    pub(super) meta: Meta,
    /// What a single quote or a slash may be.
    pub(super) marks: Marks,
}

/// A comment with an end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) nesting: Nesting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nesting {
    Flat,
    Nested,
}

/// A text in quotes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) escapes: Escapes,
    pub(super) lines: Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    Backslash,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    One,
    Many,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    None,
    /// A text before a colon.
    Quoted,
    /// What a line begins with, before a colon or an equals sign.
    Leading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meta {
    None,
    /// `@name` at the beginning of a line.
    Decorator,
    /// `#[…]`.
    Attribute,
    /// `#name` at the beginning of a line.
    Directive,
    /// `[name]` at the beginning of a line.
    Section,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    None,
    /// A single quote begins a character or a lifetime; `name!` is called.
    Rust,
    /// A slash may begin a regular expression.
    Slash,
}

const fn quote(open: &'static str, close: &'static str, escapes: Escapes, lines: Lines) -> Quote {
    Quote { open, close, escapes, lines }
}

const DOUBLE: Quote = quote("\"", "\"", Escapes::Backslash, Lines::One);
const SINGLE: Quote = quote("'", "'", Escapes::Backslash, Lines::One);
const SLASHED: Block = Block { open: "/*", close: "*/", nesting: Nesting::Flat };

pub(crate) static PYTHON: Grammar = Grammar {
    comments: &["#"],
    block: None,
    quotes: &[
        quote("\"\"\"", "\"\"\"", Escapes::Backslash, Lines::Many),
        quote("'''", "'''", Escapes::Backslash, Lines::Many),
        DOUBLE,
        SINGLE,
    ],
    prefixes: &["f", "r", "b", "u", "fr", "rf", "br", "rb", "F", "R", "B"],
    keywords: &[
        "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
        "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or",
        "pass", "raise", "return", "try", "while", "with", "yield",
    ],
    atoms: &["None", "True", "False", "self", "cls"],
    defines: &["class", "def"],
    fields: Fields::None,
    meta: Meta::Decorator,
    marks: Marks::None,
};

pub(crate) static JSON: Grammar = Grammar {
    comments: &["//"],
    block: None,
    quotes: &[DOUBLE],
    prefixes: &[],
    keywords: &[],
    atoms: &["true", "false", "null"],
    defines: &[],
    fields: Fields::Quoted,
    meta: Meta::None,
    marks: Marks::None,
};

pub(crate) static RUST: Grammar = Grammar {
    comments: &["//"],
    block: Some(Block { open: "/*", close: "*/", nesting: Nesting::Nested }),
    quotes: &[
        quote("r##\"", "\"##", Escapes::None, Lines::Many),
        quote("r#\"", "\"#", Escapes::None, Lines::Many),
        quote("r\"", "\"", Escapes::None, Lines::Many),
        quote("\"", "\"", Escapes::Backslash, Lines::Many),
    ],
    prefixes: &["b", "c"],
    keywords: &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn", "for",
        "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct",
        "super", "trait", "type", "unsafe", "use", "where", "while",
    ],
    atoms: &["true", "false", "self", "Self", "None", "Some", "Ok", "Err"],
    defines: &["fn", "struct", "enum", "trait", "mod", "type"],
    fields: Fields::None,
    meta: Meta::Attribute,
    marks: Marks::Rust,
};

pub(crate) static SCRIPT: Grammar = Grammar {
    comments: &["//"],
    block: Some(SLASHED),
    quotes: &[quote("`", "`", Escapes::Backslash, Lines::Many), DOUBLE, SINGLE],
    prefixes: &[],
    keywords: &[
        "abstract",
        "as",
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "declare",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "finally",
        "for",
        "from",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "of",
        "private",
        "protected",
        "public",
        "readonly",
        "return",
        "static",
        "super",
        "switch",
        "throw",
        "try",
        "type",
        "typeof",
        "var",
        "void",
        "while",
        "yield",
    ],
    atoms: &["true", "false", "null", "undefined", "this", "NaN"],
    defines: &["class", "function", "interface", "enum", "type"],
    fields: Fields::None,
    meta: Meta::Decorator,
    marks: Marks::Slash,
};

pub(crate) static CONFIGURATION: Grammar = Grammar {
    comments: &["#"],
    block: None,
    quotes: &[DOUBLE, quote("'", "'", Escapes::None, Lines::One)],
    prefixes: &[],
    keywords: &[],
    atoms: &["true", "false", "null", "yes", "no", "on", "off"],
    defines: &[],
    fields: Fields::Leading,
    meta: Meta::Section,
    marks: Marks::None,
};

/// What most other languages have in common.
pub(crate) static GENERIC: Grammar = Grammar {
    comments: &["//", "-- ", "# "],
    block: Some(SLASHED),
    quotes: &[DOUBLE, SINGLE],
    prefixes: &[],
    keywords: &[
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "def",
        "default",
        "defer",
        "do",
        "else",
        "end",
        "enum",
        "extends",
        "final",
        "finally",
        "for",
        "fun",
        "func",
        "function",
        "go",
        "goto",
        "if",
        "implements",
        "import",
        "in",
        "interface",
        "let",
        "local",
        "map",
        "namespace",
        "new",
        "package",
        "private",
        "protected",
        "public",
        "range",
        "return",
        "select",
        "static",
        "struct",
        "switch",
        "template",
        "then",
        "throw",
        "try",
        "type",
        "use",
        "using",
        "val",
        "var",
        "void",
        "while",
        "SELECT",
        "FROM",
        "WHERE",
        "JOIN",
        "ON",
        "GROUP",
        "ORDER",
        "BY",
        "LIMIT",
        "INSERT",
        "INTO",
        "VALUES",
        "UPDATE",
        "SET",
        "DELETE",
        "CREATE",
        "TABLE",
        "AND",
        "OR",
        "NOT",
        "AS",
    ],
    atoms: &["true", "false", "null", "nil", "NULL", "this", "self"],
    defines: &["class", "struct", "interface", "enum", "def", "func", "fun", "function", "namespace", "package"],
    fields: Fields::None,
    meta: Meta::Directive,
    marks: Marks::None,
};
