//! The tables of `rules.rs`, looked up by a grammar's numbers for node kinds.

use std::sync::OnceLock;

use super::Language;
use super::rules::{Rule, Rules};

/// What a node kind means.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Role {
    pub(super) part: Part,
    /// Declares something.
    pub(super) declares: Option<&'static Rule>,
    /// Opens a pair of this number.
    pub(super) opens: Option<u8>,
    /// Closes a pair of this number.
    pub(super) closes: Option<u8>,
}

/// What a node is beside declarations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// Nothing of note.
    #[default]
    Other,
    /// Lends its rows to the declaration inside.
    Wrapper,
    /// Belongs to the declaration after it.
    Attribute,
    /// Holds attributes and keywords in front of a declaration.
    Modifiers,
    /// Makes the variables inside locals.
    Locals,
    /// A comment.
    Comment,
    /// Text that isn't code.
    Literal,
    /// Holds bare names that are members.
    MemberList,
    /// Is such a name, in a list of them.
    BareMember,
}

/// The bracket tokens; the pairs of a grammar's own follow them in number.
const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// The roles of one grammar's node kinds.
#[derive(Debug)]
pub(super) struct Roles(Vec<Role>);

impl Roles {
    /// Gives the roles of a language; `None` without a grammar. They are made once in a process.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        static ALL: [OnceLock<Option<Roles>>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        let place = ALL.get(Language::ALL.iter().position(|&other| other == language)?)?;
        place.get_or_init(|| language.grammar().map(|grammar| Self::new(&grammar, Rules::of(language)))).as_ref()
    }

    fn new(grammar: &tree_sitter::Language, rules: &'static Rules) -> Self {
        let ids = 0..u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        Self(ids.map(|id| Self::role(grammar, rules, id)).collect())
    }

    fn role(grammar: &tree_sitter::Language, rules: &'static Rules, id: u16) -> Role {
        let Some(kind) = grammar.node_kind_for_id(id) else { return Role::default() };
        // Several openers may share a closer, so the first pair with that closer numbers them all.
        let pairs = || BRACKETS.iter().chain(rules.pairs);
        let number = |closer: &str| pairs().zip(0_u8..).find(|((_, close), _)| *close == closer).map(|(_, at)| at);
        let opens = pairs().find(|(open, _)| *open == kind).and_then(|(_, close)| number(close));
        let closes = number(kind);
        // The keyword `class` is a token of the same name as the node.
        if !grammar.node_kind_is_named(id) {
            return Role { opens, closes, ..Role::default() };
        }
        let part = match rules.bare_members {
            Some((list, _)) if list == kind => Part::MemberList,
            Some((_, member)) if member == kind => Part::BareMember,
            _ if rules.wrappers.contains(&kind) => Part::Wrapper,
            _ if rules.attributes.contains(&kind) => Part::Attribute,
            _ if rules.modifiers.contains(&kind) => Part::Modifiers,
            _ if rules.locals.contains(&kind) => Part::Locals,
            _ if rules.comments.contains(&kind) => Part::Comment,
            _ if rules.literals.contains(&kind) => Part::Literal,
            _ => Part::Other,
        };
        Role { part, declares: rules.declarations.iter().find(|rule| rule.node == kind), opens, closes }
    }

    /// Gives the role of a node. ERROR nodes and kinds in no table have none.
    pub(super) fn get(&self, node: &tree_sitter::Node<'_>) -> Role {
        self.0.get(usize::from(node.kind_id())).copied().unwrap_or_default()
    }
}
