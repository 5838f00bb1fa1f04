//! What a reply did not say as it should have.

use std::fmt;

/// Something that was lost, guessed or put right while reading. It never ends the reading.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{WarningCode, parse};
///
/// let reply = parse("### Remove Files\n-\n- `a.go`\n<EndPlandexFileOps/>\n");
/// assert_eq!(reply.operations.len(), 1);
/// assert_eq!((reply.warnings[0].line, reply.warnings[0].code), (2, WarningCode::EmptyPath));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The line it is about, one-based.
    pub line: usize,
    /// What it is.
    pub code: WarningCode,
    /// One sentence for a person.
    pub detail: String,
    /// Index of the operation that it casts doubt on, in the operations of the reply; `None` if on none of them alone.
    pub operation: Option<usize>,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $code:literal $doubt:literal,)*) => {
        /// The kind of a [`Warning`].
        ///
        /// # Examples
        ///
        /// ```
        /// use treegraft_reply::WarningCode;
        ///
        /// assert_eq!(WarningCode::LabelConflict.as_str(), "label_conflict");
        /// // The label and the tag name two files: somebody has to look.
        /// assert!(WarningCode::LabelConflict.is_doubt());
        /// // A fence around the whole body is packaging.
        /// assert!(!WarningCode::FencedBody.is_doubt());
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum WarningCode {
            $($(#[$doc])* $name,)*
        }

        impl WarningCode {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Gives the name in reports, in `snake_case`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// Says whether what was read may not be what the model meant, so that a person has to look before the operation
            /// of the warning, or the reply if it names none, is carried out.
            #[must_use]
            pub const fn is_doubt(self) -> bool {
                match self {
                    $(Self::$name => $doubt,)*
                }
            }
        }
    };
}

codes! {
    /// Bytes that are not UTF-8 became U+FFFD.
    InvalidUtf8 "invalid_utf8" true,
    /// A label and the `path` of its tag differ, and the tag's was taken: the label doesn't look like a path.
    LabelMismatch "label_mismatch" false,
    /// A label and the `path` of its tag are both paths and differ. The label's was taken.
    LabelConflict "label_conflict" true,
    /// The only name of a file looks like a sentence.
    LabelUnlikely "label_unlikely" true,
    /// A block names no file and was skipped.
    BlockWithoutPath "block_without_path" true,
    /// A tag is written in another way than it should be: quotes, upper or lower case.
    TagForm "tag_form" false,
    /// `<PlandexBlock` without a `>` on the line: read as prose.
    UnfinishedTag "unfinished_tag" true,
    /// Text behind the opening tag on its line is the first line of the body.
    TextAfterTag "text_after_tag" true,
    /// The closing tag stands on a line with other text.
    CloseOnCodeLine "close_on_code_line" true,
    /// The body holds a line that is the closing tag: the last such line was taken for the close.
    CloseInBody "close_in_body" true,
    /// The body holds an opening tag: a closing tag may be missing.
    OpeningInBody "opening_in_body" true,
    /// A closing tag where no block is open.
    StrayClose "stray_close" true,
    /// A code fence around the whole body was taken off.
    FencedBody "fenced_body" false,
    /// A block or section stands inside of a code fence, and may be meant as an example.
    BlockInFence "block_in_fence" true,
    /// A section of file operations has no end tag.
    ImplicitSectionEnd "implicit_section_end" false,
    /// The reply ends in a section of file operations: more of them may be missing.
    SectionAtEnd "section_at_end" true,
    /// A line of prose stands in a section.
    TextInSection "text_in_section" false,
    /// An end tag of a section where no section is open.
    StraySectionEnd "stray_section_end" true,
    /// A line of a section is no operation and was left out.
    UnreadOperation "unread_operation" true,
    /// A diff removes a file; whether its lines are those of the file is not compared.
    RemovalUnchecked "removal_unchecked" true,
    /// An operation has an empty path and was left out.
    EmptyPath "empty_path" true,
    /// A path is named twice in one section; the first counts.
    DuplicateOperation "duplicate_operation" false,
    /// Text behind a path was taken for a comment; it may say that the operation is not to be done.
    CommentAfterPath "comment_after_path" true,
    /// The reply ends inside a block.
    Truncated "truncated" true,
    /// A reply has tagged blocks, and this block is written in another form.
    MixedForms "mixed_forms" true,
    /// A code fence is not closed: files behind it may have been read as its text.
    UnclosedFence "unclosed_fence" true,
    /// A code fence inside another one may have ended it early, or may be a file that is lost in it.
    FenceInFence "fence_in_fence" true,
    /// What looks like an edit of a file is written in a way that is not read, or in a code fence near a path that may be no illustration.
    UnreadBlock "unread_block" true,
    /// A code fence below a path is in a language of another kind than the file, and was taken for an illustration.
    FenceLanguage "fence_language" false,
    /// A line of a patch belongs to no file or is no patch line.
    PatchLine "patch_line" true,
    /// A patch has no `*** End Patch`.
    ImplicitPatchEnd "implicit_patch_end" true,
    /// A heading of a task list has no task below it.
    NoTasks "no_tasks" true,
    /// Two tasks of a list have the same title.
    DuplicateTask "duplicate_task" false,
    /// There are two task lists; the first counts.
    SecondTaskList "second_task_list" true,
    /// A numbered line stands behind prose that ended the task list.
    TaskBehindEnd "task_behind_end" true,
    /// A title to be removed could not be read.
    TaskRemoval "task_removal" true,
}

impl fmt::Display for WarningCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
