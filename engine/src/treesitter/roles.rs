//! The tables of `rules.rs`, looked up by a grammar's numbers for node kinds.

use std::sync::OnceLock;

use super::Language;
use super::rules::{Rule, Rules};

/// What a node kind means. A kind may mean several things at once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Role {
    pub(super) rule: Option<&'static Rule>,
    pub(super) wrapper: bool,
    pub(super) attribute: bool,
    pub(super) locals: bool,
    pub(super) comment: bool,
    pub(super) literal: bool,
    /// Holds bare names that are members.
    pub(super) member_list: bool,
    /// Is such a name, in a list of them.
    pub(super) bare_member: bool,
    /// Opens a pair of this number.
    pub(super) opens: Option<u8>,
    /// Closes a pair of this number.
    pub(super) closes: Option<u8>,
}

/// The bracket tokens; the pairs of a grammar's own follow them in number.
const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// The roles of one grammar's node kinds.
#[derive(Debug)]
pub(super) struct Roles(Vec<Role>);

impl Roles {
    /// Gives the roles of a language; `None` without a grammar. They are made once in a process.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        static GO: OnceLock<Option<Roles>> = OnceLock::new();
        static PYTHON: OnceLock<Option<Roles>> = OnceLock::new();
        static JAVASCRIPT: OnceLock<Option<Roles>> = OnceLock::new();
        static TYPESCRIPT: OnceLock<Option<Roles>> = OnceLock::new();
        static TSX: OnceLock<Option<Roles>> = OnceLock::new();
        static RUST: OnceLock<Option<Roles>> = OnceLock::new();
        static JSON: OnceLock<Option<Roles>> = OnceLock::new();
        let place = match language {
            Language::Go => &GO,
            Language::Python => &PYTHON,
            Language::JavaScript => &JAVASCRIPT,
            Language::TypeScript => &TYPESCRIPT,
            Language::Tsx => &TSX,
            Language::Rust => &RUST,
            Language::Json => &JSON,
        };
        place.get_or_init(|| language.grammar().map(|grammar| Self::new(&grammar, Rules::of(language)))).as_ref()
    }

    fn new(grammar: &tree_sitter::Language, rules: &'static Rules) -> Self {
        let ids = 0..u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        Self(ids.map(|id| Self::role(grammar, rules, id)).collect())
    }

    fn role(grammar: &tree_sitter::Language, rules: &'static Rules, id: u16) -> Role {
        let Some(kind) = grammar.node_kind_for_id(id) else { return Role::default() };
        let pairs = || BRACKETS.iter().chain(rules.pairs).zip(0_u8..);
        let opens = pairs().find(|((open, _), _)| *open == kind).map(|(_, number)| number);
        let closes = pairs().find(|((_, close), _)| *close == kind).map(|(_, number)| number);
        // The keyword `class` is a token of the same name as the node.
        if !grammar.node_kind_is_named(id) {
            return Role { opens, closes, ..Role::default() };
        }
        Role {
            rule: rules.declarations.iter().find(|rule| rule.node == kind),
            wrapper: rules.wrappers.contains(&kind),
            attribute: rules.attributes.contains(&kind),
            locals: rules.locals.contains(&kind),
            comment: rules.comments.contains(&kind),
            literal: rules.literals.contains(&kind),
            member_list: rules.bare_members.is_some_and(|(list, _)| list == kind),
            bare_member: rules.bare_members.is_some_and(|(_, member)| member == kind),
            opens,
            closes,
        }
    }

    /// Gives the role of a node. ERROR nodes and kinds in no table have none.
    pub(super) fn get(&self, node: &tree_sitter::Node<'_>) -> Role {
        self.0.get(usize::from(node.kind_id())).copied().unwrap_or_default()
    }
}
