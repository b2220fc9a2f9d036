//! The tree of branches: each session below the one it branched off. Pure.

use crate::app::SessionCard;

/// The sessions in the order of the list, each followed by its branches, with how deep each stands.
pub fn tree(cards: &[SessionCard]) -> Vec<(usize, SessionCard)> {
    let parent_of = |card: &SessionCard| {
        let parent = card.parent.as_ref()?;
        cards.iter().position(|other| other.id == parent.id && other.id != card.id)
    };
    let parents: Vec<Option<usize>> = cards.iter().map(parent_of).collect();
    let mut out = Vec::with_capacity(cards.len());
    let mut taken = vec![false; cards.len()];
    let roots = (0..cards.len()).filter(|place| parents.get(*place).is_some_and(Option::is_none));
    // Whoever hangs in a ring, as no page of ours writes it, comes last and at the root.
    for root in roots.chain(0..cards.len()) {
        let mut waiting = vec![(0, root)];
        while let Some((depth, place)) = waiting.pop() {
            let (Some(card), Some(is_taken)) = (cards.get(place), taken.get_mut(place)) else { continue };
            if std::mem::replace(is_taken, true) {
                continue;
            }
            out.push((depth, card.clone()));
            let below = parents.iter().enumerate().filter(|(_, parent)| **parent == Some(place));
            waiting.extend(below.map(|(branch, _)| (depth + 1, branch)).rev());
        }
    }
    out
}

/// The root of the tree a session stands in: its own id, where it branched off nothing that is known.
pub fn root(cards: &[SessionCard], id: &str) -> String {
    let mut id = id.to_owned();
    // No deeper than there are sessions, whatever a ring may say.
    for _ in cards {
        let parent = cards.iter().find(|card| card.id == id).and_then(|card| card.parent.as_ref());
        match parent.filter(|parent| cards.iter().any(|card| card.id == parent.id)) {
            Some(parent) => id.clone_from(&parent.id),
            None => break,
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::{root, tree};
    use crate::app::{Parent, SessionCard};

    fn cards(of: &[(&str, &str)]) -> Vec<SessionCard> {
        let parent = |id: &str| (!id.is_empty()).then(|| Parent { id: id.to_owned(), facts: 1 });
        of.iter()
            .map(|(id, of)| SessionCard {
                id: (*id).to_owned(),
                title: String::new(),
                changed_ms: 0,
                parent: parent(of),
            })
            .collect()
    }

    #[track_caller]
    fn check(of: &[(&str, &str)], expected: &[(usize, &str)]) {
        let found: Vec<(usize, String)> = tree(&cards(of)).into_iter().map(|(depth, card)| (depth, card.id)).collect();
        let found: Vec<(usize, &str)> = found.iter().map(|(depth, id)| (*depth, id.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn each_branch_stands_below_its_parent() {
        check(&[], &[]);
        check(&[("c", "b"), ("a", ""), ("b", "a"), ("d", "")], &[(0, "a"), (1, "b"), (2, "c"), (0, "d")]);
        check(&[("x", "a"), ("y", "a"), ("a", "")], &[(0, "a"), (1, "x"), (1, "y")]);
        check(&[("orphan", "gone")], &[(0, "orphan")]);
        check(&[("a", "a")], &[(0, "a")]);
        check(&[("a", "b"), ("b", "a"), ("c", "")], &[(0, "c"), (0, "a"), (1, "b")]);
    }

    #[test]
    fn the_root_is_where_everything_began() {
        let all = cards(&[("c", "b"), ("a", ""), ("b", "a"), ("o", "gone"), ("r", "s"), ("s", "r")]);
        let check = |id: &str, expected: &str| assert_eq!(root(&all, id), expected);
        check("c", "a");
        check("a", "a");
        check("o", "o");
        check("unknown", "unknown");
        assert!(["r", "s"].contains(&root(&all, "r").as_str()));
    }
}
