//! What an engine is given in one run: the input of every oracle, and the content of every find.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use treegraft::{Edit, Pair, Shape};

/// Time for each parse where none is set: the machine may be busy, and what is judged is the result.
const PATIENT: Duration = Duration::from_secs(60);

/// One edit, and what a trusted result of it must be where that is known.
///
/// Finds are kept as JSON of this and not as a fuzzer's bytes: they mean the same when the generators change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The file's name, which decides the language.
    pub path: String,
    /// The file as it is.
    pub original: String,
    /// What the model wrote.
    pub snippet: String,
    /// In place of a snippet: old, new, count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<(String, String, usize)>,
    /// The shape that the snippet is forced to be read as, by its stable name.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "shape_name")]
    pub shape: Option<Shape>,
    /// What the model said about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether a reference is implied at the snippet's edges.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub add_missing_edges: bool,
    /// Milliseconds for each parse; without it a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_ms: Option<u64>,
    /// The only text that may be trusted, blank lines and trailing blanks apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
}

mod shape_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use treegraft::Shape;

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
    pub(super) fn serialize<S: Serializer>(shape: &Option<Shape>, serializer: S) -> Result<S::Ok, S::Error> {
        shape.map(Shape::as_str).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Shape>, D::Error> {
        let named = |name: String| Shape::from_name(&name).ok_or_else(|| Error::custom(format!("no shape `{name}`")));
        Option::<String>::deserialize(deserializer)?.map(named).transpose()
    }
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_yes(value: &bool) -> bool {
    *value
}

impl Given {
    /// Makes an edit without a description.
    #[must_use]
    pub fn new(path: &str, original: &str, snippet: &str) -> Self {
        Self {
            path: path.to_owned(),
            original: original.to_owned(),
            snippet: snippet.to_owned(),
            pairs: Vec::new(),
            shape: None,
            description: String::new(),
            add_missing_edges: true,
            budget_ms: None,
            wanted: None,
        }
    }

    /// Adds what the model said.
    #[must_use]
    pub fn description(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// Gives the edit as the engine takes it.
    #[must_use]
    pub fn edit(&self) -> Edit<'_> {
        self.edit_of(&self.original)
    }

    /// Gives the same edit of another original.
    #[must_use]
    pub fn edit_of<'a>(&'a self, original: &'a str) -> Edit<'a> {
        let pairs: Vec<Pair<'a>> =
            self.pairs.iter().map(|(old, new, count)| Pair::new(old, new).count(*count)).collect();
        let edit = match &pairs[..] {
            [] => Edit::new(&self.path, original, &self.snippet),
            pairs => Edit::pairs(&self.path, original, pairs),
        };
        let edit = edit
            .description(&self.description)
            .add_missing_edges(self.add_missing_edges)
            .budget(self.budget_ms.map_or(PATIENT, Duration::from_millis));
        match self.shape {
            Some(shape) => edit.shape(shape),
            None => edit,
        }
    }

    /// Says whether two runs must agree: whether the clock has no say.
    #[must_use]
    pub fn is_timeless(&self) -> bool {
        self.budget_ms.is_none_or(|time| time == 0)
    }

    /// Reads a find.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, in words.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Gives the content of a find's file.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings and numbers alone: there is nothing that JSON can't say.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_find_is_read_as_it_was_written() {
        let mut given = Given::new("a.rs", "a\r\n\u{feff}\0\u{202e}", "\"\\\u{1b}\r").description("Type: add\n");
        for (edges, budget, wanted) in [(true, None, None), (false, Some(0), Some("x".to_owned()))] {
            (given.add_missing_edges, given.budget_ms, given.wanted) = (edges, budget, wanted);
            assert_eq!(serde_json::from_str::<Given>(&given.to_json()).unwrap(), given);
        }
        given.shape = Some(Shape::SearchReplace);
        given.pairs = vec![("a".to_owned(), String::new(), 2)];
        assert_eq!(serde_json::from_str::<Given>(&given.to_json()).unwrap(), given);
        assert!(serde_json::from_str::<Given>("{\"path\":\"\",\"original\":\"\",\"snippet\":\"\",\"x\":1}").is_err());
    }
}
