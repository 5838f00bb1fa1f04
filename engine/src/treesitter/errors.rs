//! The places of a tree that its grammar rejects.

use tree_sitter::{Node, Tree};

use super::Language;

/// What is wrong at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// A token is missing; this is its kind.
    Missing(String),
    /// Text that fits nowhere.
    Unexpected,
}

/// One place that the grammar rejects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// Byte offsets.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Zero-based rows, both inclusive.
    pub(crate) first_row: usize,
    pub(crate) last_row: usize,
    /// Whether another fault lies inside.
    pub(crate) holds_others: bool,
    /// Bracket tokens that stand right in the rejected node and so belong to no node that the grammar knows:
    /// row and token, pairs left out.
    pub(crate) brackets: Vec<(usize, char)>,
    /// Rows of all other tokens that stand right in the rejected node.
    pub(crate) stray_rows: Vec<usize>,
}

impl Fault {
    fn new(node: Node<'_>) -> Self {
        let end = node.end_position();
        let start = node.start_position();
        let last_row = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
        Self {
            kind: if node.is_missing() { FaultKind::Missing(node.kind().to_owned()) } else { FaultKind::Unexpected },
            start: node.start_byte(),
            end: node.end_byte(),
            first_row: start.row,
            last_row,
            holds_others: false,
            brackets: Vec::new(),
            stray_rows: Vec::new(),
        }
    }

    /// A token without a node that is missing right before a node.
    fn missing_before(node: Node<'_>, token: &str) -> Self {
        let (end, last_row) = (node.start_byte(), node.start_position().row);
        Self { kind: FaultKind::Missing(token.to_owned()), end, last_row, ..Self::new(node) }
    }

    /// Takes note of a child of the rejected node.
    fn add_child(&mut self, child: Node<'_>) {
        if child.child_count() > 0 || child.is_extra() {
            return;
        }
        let row = child.start_position().row;
        match child.kind() {
            "(" => self.brackets.push((row, '(')),
            "[" => self.brackets.push((row, '[')),
            "{" | "${" => self.brackets.push((row, '{')),
            ")" => self.close(row, '(', ')'),
            "]" => self.close(row, '[', ']'),
            "}" => self.close(row, '{', '}'),
            _ => self.stray_rows.push(row),
        }
    }

    fn close(&mut self, row: usize, open: char, close: char) {
        if self.brackets.last().is_some_and(|&(_, last)| last == open) {
            self.brackets.pop();
        } else {
            self.brackets.push((row, close));
        }
    }
}

/// Lists the faults of a tree, outer before inner, `limit` at most. An empty list means that the tree is clean.
///
/// # Cost
///
/// Looks only into nodes that hold a fault.
pub(crate) fn faults(tree: &Tree, language: Language, limit: usize) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    // The faults that the node under the cursor lies in: depth and place in `found`.
    let mut around: Vec<(u32, usize)> = Vec::new();
    let mut cursor = tree.walk();
    let mut depth = 0_u32;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            if found.len() == limit {
                return found;
            }
            for &(_, outer) in &around {
                found[outer].holds_others = true;
            }
            around.push((depth, found.len()));
            found.push(Fault::new(node));
        } else if let Some(&(outer_depth, outer)) = around.last()
            && outer_depth + 1 == depth
        {
            found[outer].add_child(node);
        }
        if node.has_error()
            && !node.is_error()
            && let Some(hidden) = hidden_fault(node, language)
        {
            if found.len() == limit {
                return found;
            }
            for &(_, outer) in &around {
                found[outer].holds_others = true;
            }
            found.push(hidden);
        }
        if node.has_error() && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                while around.last().is_some_and(|&(outer, _)| outer >= depth) {
                    around.pop();
                }
                break;
            }
            if !cursor.goto_parent() {
                return found;
            }
            depth -= 1;
        }
    }
}

/// Finds a fault that no node below shows: some grammars have tokens without a node, such as the end of a line
/// between two statements, and those may be missing too.
fn hidden_fault(node: Node<'_>, language: Language) -> Option<Fault> {
    let mut cursor = node.walk();
    let mut last: Option<Node<'_>> = None;
    let mut is_shown = node.is_missing();
    for child in node.children(&mut cursor) {
        is_shown |= child.has_error();
        if let Some(last) = last
            && language.ends_statements_with_lines()
            && last.end_position().row == child.start_position().row
            && is_statement(last)
            && is_statement(child)
        {
            return Some(Fault::missing_before(child, "line_end"));
        }
        if !child.is_extra() {
            last = Some(child);
        }
    }
    (!is_shown).then(|| Fault::missing_before(node, "token"))
}

/// Says whether a node is of a kind that a line end or a semicolon separates from the next one.
fn is_statement(node: Node<'_>) -> bool {
    const ENDINGS: [&str; 5] = ["_statement", "_declaration", "_definition", "_spec", "_elem"];
    ENDINGS.iter().any(|ending| node.kind().ends_with(ending)) && node.is_named()
}
