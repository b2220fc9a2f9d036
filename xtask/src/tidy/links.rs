//! Links between the project's own pages lead somewhere.

use std::path::{Component, Path, PathBuf};

use crate::tidy::tree::{Text, root, texts};

/// Links from `page` to files that `exists` denies, as written.
fn broken(page: &Text, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let folder = Path::new(&page.path).parent().unwrap_or(Path::new(""));
    page.text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .filter(|target| !target.contains("://") && !target.starts_with('#') && !target.starts_with("mailto:"))
        .filter(|target| {
            let file = target.split('#').next().unwrap_or(target);
            !exists(&plain(&folder.join(file)))
        })
        .map(|target| format!("{}: {target}", page.path))
        .collect()
}

/// The path without `..`, which a folder that is not there would break.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
        plain
    })
}

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let pages = texts().into_iter().filter(|text| text.path.ends_with(".md"));
    let found: Vec<String> = pages.flat_map(|page| broken(&page, |file| root.join(file).exists())).collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn broken_links_are_found() {
    let page =
        Text::new("docs/a.md", "[b](b.md#part) [up](../README.md) [out](https://example.org) [gone](c.md) [here](#a)");
    let exists = |file: &Path| [Path::new("docs/b.md"), Path::new("README.md")].contains(&file);
    assert_eq!(broken(&page, exists), ["docs/a.md: c.md"]);
}
