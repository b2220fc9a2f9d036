//! From nodes to elements.

use leptos::prelude::*;

use super::code;
use super::node::{Done, Element, Node};
use crate::view::Page;

/// The views of nodes.
pub(crate) fn views(page: Page, nodes: Vec<Node>) -> Vec<AnyView> {
    nodes.into_iter().map(|node| view(page, node)).collect()
}

fn view(page: Page, node: Node) -> AnyView {
    match node {
        Node::Text(text) => text.into_any(),
        Node::Code(text) => view! { <code>{text}</code> }.into_any(),
        Node::CodeBlock { language, text } => code::finished(page, &language, text),
        Node::Break => view! { <br /> }.into_any(),
        Node::Rule => view! { <hr /> }.into_any(),
        // A character rather than an input: nobody can tick it here.
        Node::Task(Done::Yes) => "☑ ".into_any(),
        Node::Task(Done::No) => "☐ ".into_any(),
        Node::Link { address, inside } => {
            let inside = views(page, inside);
            view! { <a href=address rel="noopener noreferrer" target="_blank">{inside}</a> }.into_any()
        }
        Node::Element(element, inside) => holding(page, element, inside),
    }
}

fn holding(page: Page, element: Element, inside: Vec<Node>) -> AnyView {
    match element {
        Element::Table => table(page, inside),
        Element::HeadRow => row(page, inside, |cell| view! { <th scope="col">{cell}</th> }.into_any()),
        Element::Row => row(page, inside, |cell| view! { <td>{cell}</td> }.into_any()),
        other => {
            let inside = views(page, inside);
            match other {
                Element::Paragraph => view! { <p>{inside}</p> }.into_any(),
                // Below the page's own headings.
                Element::Heading(1 | 2) => view! { <h3>{inside}</h3> }.into_any(),
                Element::Heading(3) => view! { <h4>{inside}</h4> }.into_any(),
                Element::Heading(_) => view! { <h5>{inside}</h5> }.into_any(),
                Element::Quote => view! { <blockquote>{inside}</blockquote> }.into_any(),
                Element::List => view! { <ul>{inside}</ul> }.into_any(),
                Element::Numbered(first) => view! { <ol start=first.to_string()>{inside}</ol> }.into_any(),
                Element::Item => view! { <li>{inside}</li> }.into_any(),
                Element::Emphasis => view! { <em>{inside}</em> }.into_any(),
                Element::Strong => view! { <strong>{inside}</strong> }.into_any(),
                Element::Struck => view! { <s>{inside}</s> }.into_any(),
                Element::Cell | Element::Table | Element::HeadRow | Element::Row => inside.into_any(),
            }
        }
    }
}

/// A wide table scrolls by itself, also by keyboard.
fn table(page: Page, rows: Vec<Node>) -> AnyView {
    let (head, body): (Vec<Node>, Vec<Node>) =
        rows.into_iter().partition(|row| matches!(row, Node::Element(Element::HeadRow, _)));
    view! {
        <div class="table" tabindex="0">
            <table>
                <thead>{views(page, head)}</thead>
                <tbody>{views(page, body)}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(page: Page, cells: Vec<Node>, draw: fn(Vec<AnyView>) -> AnyView) -> AnyView {
    let cells: Vec<AnyView> = cells
        .into_iter()
        .map(|cell| match cell {
            Node::Element(Element::Cell, inside) => draw(views(page, inside)),
            other => draw(vec![view(page, other)]),
        })
        .collect();
    view! { <tr>{cells}</tr> }.into_any()
}
