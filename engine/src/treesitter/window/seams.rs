//! What a tree says of the places where something is left out.

use tree_sitter::{Tree, TreeCursor};

use crate::treesitter::Language;
use crate::treesitter::view::View;

/// How many nodes may lie around a seam. Items are cut apart at a depth of six, and few nodes make an item.
const DEEPEST: usize = 64;

/// The kinds of the nodes that something was left out of, outer before inner.
pub(super) type Seam = Vec<u16>;

/// Bytes before and behind a seam: where the part before it ends and the part behind it starts.
type Place = (usize, usize);

/// Lists what lies around each seam of a view; `None` if something was left out of a token, a string or a comment. Of YAML
/// what the text is comes last: a list, a mapping or a value, which the lines that are left out must be as well.
///
/// # Cost
///
/// Linear in the children of the nodes that hold a seam.
pub(super) fn of(tree: &Tree, view: &View<'_>, language: Language) -> Option<Vec<Seam>> {
    let places: Vec<Place> = view.kept().windows(2).map(|pair| (pair[0].0.end, pair[1].0.start)).collect();
    let mut seams = vec![vec![tree.root_node().kind_id()]; places.len()];
    descend(&mut tree.walk(), &places, &mut seams, DEEPEST)?;
    if language == Language::Yaml {
        seams.push(of_content(tree));
    }
    Some(seams)
}

/// Lists the kinds of the first nodes inside of each other, and of all that the root holds.
fn of_content(tree: &Tree) -> Seam {
    let mut cursor = tree.walk();
    let mut content = Vec::new();
    let documents: Vec<_> = tree.root_node().named_children(&mut cursor).filter(|node| !node.is_extra()).collect();
    for document in documents {
        content.push(document.kind_id());
        let mut node = document;
        for _ in 0..2 {
            let mut cursor = node.walk();
            let Some(inner) = node.named_children(&mut cursor).find(|node| !node.is_extra()) else { break };
            content.push(inner.kind_id());
            node = inner;
        }
    }
    content
}

/// Adds the nodes inside of the cursor's that hold one of the places.
fn descend(cursor: &mut TreeCursor<'_>, places: &[Place], seams: &mut [Seam], depth: usize) -> Option<()> {
    if depth == 0 {
        return None;
    }
    if places.is_empty() || !cursor.goto_first_child() {
        return Some(());
    }
    let mut next = 0;
    loop {
        let node = cursor.node();
        // What lies before the node lies between two children.
        next += places[next..].partition_point(|&(end, _)| end <= node.start_byte());
        let len = places[next..].partition_point(|&(_, start)| start < node.end_byte());
        if len > 0 {
            if node.child_count() == 0 || is_text(node.kind()) {
                return None;
            }
            for seam in &mut seams[next..next + len] {
                seam.push(node.kind_id());
            }
            descend(cursor, &places[next..next + len], &mut seams[next..next + len], depth - 1)?;
            next += len;
        }
        if next == places.len() || !cursor.goto_next_sibling() {
            break;
        }
    }
    cursor.goto_parent();
    Some(())
}

/// Says whether a kind of node holds text that isn't code.
fn is_text(kind: &str) -> bool {
    ["string", "comment", "template", "text", "regex", "heredoc", "scalar"].iter().any(|part| kind.contains(part))
}
