//! The icons: strokes on a 16 × 16 grid, in the colour of the text beside them. Always beside or instead of words that
//! a screen reader is told otherwise.

use leptos::prelude::*;

/// What an icon shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Icon {
    Run,
    Step,
    Pause,
    Stop,
    Send,
    Settings,
    Add,
    Delete,
    Close,
    Copy,
    Sessions,
    Inspector,
    System,
    Light,
    Dark,
    Person,
    Model,
    Harness,
    Host,
    Round,
    Down,
    Warning,
    Earlier,
    Later,
    Edit,
    Compare,
    Breakpoint,
}

impl Icon {
    /// Its strokes.
    fn path(self) -> &'static str {
        match self {
            Icon::Run => "M5 3.2v9.6l7.6-4.8z",
            Icon::Step => "M4 3.2v9.6L10.4 8zM12.6 3.2v9.6",
            Icon::Pause => "M5.2 3.2v9.6M10.8 3.2v9.6",
            Icon::Stop => "M4 4h8v8H4z",
            Icon::Send => "M8 13V3.4M3.8 7.4 8 3.2l4.2 4.2",
            Icon::Settings => "M2 4.6h6.4M11.6 4.6H14M2 11.4h2.4M7.6 11.4H14M10 3v3.2M6 9.8V13",
            Icon::Add => "M8 3v10M3 8h10",
            Icon::Delete => "M3 4.6h10M6.4 4.4V3h3.2v1.4M4.4 4.6l.6 8.4h6l.6-8.4",
            Icon::Close => "M4 4l8 8M12 4l-8 8",
            Icon::Copy => "M6 6h7v7H6zM10 6V3H3v7h3",
            Icon::Sessions => "M2.5 3h11v10h-11zM6.2 3v10",
            Icon::Inspector => "M2.5 3h11v10h-11zM9.8 3v10",
            Icon::System => "M2.5 3h11v7.4h-11zM5.6 13h4.8M8 10.4V13",
            Icon::Light => {
                "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1"
            }
            Icon::Dark => "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z",
            Icon::Person => "M8 2.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM3 13.4c.6-2.8 2.4-4 5-4s4.4 1.2 5 4",
            Icon::Model => "M8 2.2 13 5v6l-5 2.8L3 11V5zM3 5l5 2.9L13 5M8 7.9v5.9",
            Icon::Harness => "M3 5.4h10M3 10.6h10M5.4 3v10M10.6 3v10",
            Icon::Host => "M2.5 3.2h11v9.6h-11zM5 6.2 7 8 5 9.8M8.4 10h2.6",
            Icon::Round => "M12.8 8a4.8 4.8 0 1 1-1.6-3.6M12.9 2.2v2.9H10",
            Icon::Down => "M8 3v9.6M3.8 8.6 8 12.8l4.2-4.2",
            Icon::Warning => "M8 2.6 14 13H2zM8 6.6v3M8 11.2v.3",
            Icon::Earlier => "M10 3.6 5.6 8l4.4 4.4",
            Icon::Edit => "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.2 4.6l2.2 2.2",
            Icon::Compare => "M2.5 3h4.4v10H2.5zM9.1 3h4.4v10H9.1z",
            Icon::Breakpoint => "M8 4.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6zM8 1.6v2.2M8 12.2v2.2",
            Icon::Later => "M6 3.6 10.4 8 6 12.4",
        }
    }
}

/// Draws it.
pub(crate) fn icon(icon: Icon) -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d=icon.path() />
        </svg>
    }
    .into_any()
}

/// Draws it at the end of an element that no view holds.
pub(crate) fn icon_in(place: &web_sys::Node, icon: Icon) -> Option<()> {
    let element = |name: &str| document().create_element_ns(Some("http://www.w3.org/2000/svg"), name).ok();
    let (svg, path) = (element("svg")?, element("path")?);
    for (name, value) in [("class", "icon"), ("viewBox", "0 0 16 16"), ("aria-hidden", "true")] {
        svg.set_attribute(name, value).ok()?;
    }
    path.set_attribute("d", icon.path()).ok()?;
    svg.append_child(&path).and_then(|_| place.append_child(&svg)).ok()?;
    Some(())
}
