//! From nodes to elements. What is drawn here does not change any more, so the page keeps no hold of it: a view of each
//! element would stay in the page's memory for as long as the message is shown, many times as large as its words.

use leptos::prelude::document;
use web_sys::{Element as Drawn, Node as Place};

use super::code;
use super::node::{Done, Element, Node};
use crate::view::Page;

/// Draws nodes at the end of `place`. Where the browser makes no element, what would stand in it is left out.
pub(super) fn draw(page: Page, place: &Place, nodes: &[Node]) {
    for node in nodes {
        let _ = draw_one(page, place, node);
    }
}

fn draw_one(page: Page, place: &Place, node: &Node) -> Option<()> {
    match node {
        Node::Text(text) => add_text(place, text),
        Node::Code(text) => add_text(&*add(place, "code", &[])?, text),
        Node::CodeBlock { language, text } => code::finished(page, place, language, text)?,
        Node::Break => drop(add(place, "br", &[])?),
        Node::Rule => drop(add(place, "hr", &[])?),
        // A character rather than an input: nobody can tick it here.
        Node::Task(Done::Yes) => add_text(place, "☑ "),
        Node::Task(Done::No) => add_text(place, "☐ "),
        Node::Link { address, inside } => {
            let attributes = [("href", address.as_str()), ("rel", "noopener noreferrer"), ("target", "_blank")];
            draw(page, &*add(place, "a", &attributes)?, inside);
        }
        Node::Element(element, inside) => holding(page, place, *element, inside)?,
    }
    Some(())
}

fn holding(page: Page, place: &Place, element: Element, inside: &[Node]) -> Option<()> {
    let drawn = match element {
        Element::Table => return table(page, place, inside),
        Element::Paragraph => add(place, "p", &[])?,
        // Below the page's own headings.
        Element::Heading(1 | 2) => add(place, "h3", &[])?,
        Element::Heading(3) => add(place, "h4", &[])?,
        Element::Heading(_) => add(place, "h5", &[])?,
        Element::Quote => add(place, "blockquote", &[])?,
        Element::List => add(place, "ul", &[])?,
        Element::Numbered(first) => add(place, "ol", &[("start", &first.to_string())])?,
        Element::Item => add(place, "li", &[])?,
        Element::Emphasis => add(place, "em", &[])?,
        Element::Strong => add(place, "strong", &[])?,
        Element::Struck => add(place, "s", &[])?,
        Element::HeadRow | Element::Row => add(place, "tr", &[])?,
        Element::Cell => add(place, "td", &[])?,
    };
    draw(page, &drawn, inside);
    Some(())
}

/// A wide table scrolls by itself, also by keyboard.
fn table(page: Page, place: &Place, rows: &[Node]) -> Option<()> {
    let table = add(&*add(place, "div", &[("class", "table"), ("tabindex", "0")])?, "table", &[])?;
    let (head, body) = (add(&table, "thead", &[])?, add(&table, "tbody", &[])?);
    for row in rows {
        let Node::Element(Element::HeadRow, cells) = row else {
            draw_one(page, &body, row)?;
            continue;
        };
        let row = add(&head, "tr", &[])?;
        for cell in cells {
            let inside = match cell {
                Node::Element(Element::Cell, inside) => inside.as_slice(),
                other => std::slice::from_ref(other),
            };
            draw(page, &*add(&row, "th", &[("scope", "col")])?, inside);
        }
    }
    Some(())
}

/// A new element at the end of `place`.
pub(super) fn add(place: &Place, name: &str, attributes: &[(&str, &str)]) -> Option<Drawn> {
    let drawn = document().create_element(name).ok()?;
    for (name, value) in attributes {
        drawn.set_attribute(name, value).ok()?;
    }
    place.append_child(&drawn).ok()?;
    Some(drawn)
}

/// Words at the end of `place`, as text. Where the browser takes none there is nothing to say it with.
pub(super) fn add_text(place: &Place, text: &str) {
    let _ = place.append_child(&document().create_text_node(text));
}
