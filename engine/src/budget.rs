//! What an edit may take: time, steps, bytes. The only module that reads a clock.
//!
//! Loops that can be more than linear call [`Meter::spend`]; the clock is read once every [`STEPS_BETWEEN_LOOKS`]
//! steps, so spending costs about an addition. The parsers, whose steps are long, call [`Meter::look`].

use std::cell::Cell;
use std::time::{Duration, Instant};

/// How many steps pass between two looks at the clock. Larger: an overrun is seen later (a step is about a
/// nanosecond to a microsecond); smaller: the clock itself costs.
const STEPS_BETWEEN_LOOKS: u64 = 1_024;

/// Steps that are counted at each look of a parser: it asks every hundred operations, and for each piece of text that it
/// reads.
const STEPS_OF_A_LOOK: u64 = 100;

/// Limits on the work of an edit.
///
/// Time and steps are had by each of three parts: outlining the original, outlining the snippet, and the syntax check.
/// What is cut falls back to what is known without it, and the verdict says so
/// ([`Validation::cut_by`](crate::Validation::cut_by), [`ReasonKind::CutShort`](crate::ReasonKind::CutShort)).
///
/// Which edits run out of time depends on the machine. Where equal edits must end alike everywhere, `time` is `None` and
/// `steps` bounds the work: then no clock has a say.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use treegraft::{Budget, Edit, Engine, Limit, Options};
///
/// let mut options = Options::default();
/// options.budget = Budget::of_steps(1_000);
/// let long = format!("[{}0]\n", "0, ".repeat(5_000));
/// let result = format!("[{}1]\n", "0, ".repeat(5_000));
/// let outcome = Engine::new(options).apply(&Edit::new("a.json", &long, &result))?;
/// assert_eq!(outcome.validation().cut_by, Some(Limit::Steps));
///
/// // An edit may have its own.
/// let edit = Edit::new("a.json", &long, &result).budget(Duration::from_secs(10));
/// assert_eq!(Engine::default().apply(&edit)?.validation().cut_by, None);
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// Wall time of each part; `None` for as long as it takes. Default: 500 ms.
    pub time: Option<Duration>,
    /// Steps of each part, and of the merge: operations of a parser (about one for each byte of text), nodes of a
    /// tree that are looked at, nodes of an alignment. `None` for as many as it takes, but for what bounds each merge
    /// anyway. Default: `None`.
    pub steps: Option<u64>,
    /// Largest text that is parsed, in bytes. A tree takes up to 53 times its text in memory. Default: 32 MiB.
    pub bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { time: Some(Duration::from_millis(500)), steps: None, bytes: 32 << 20 }
    }
}

impl Budget {
    /// Makes a budget of steps alone: equal edits end alike on every machine.
    #[must_use]
    pub fn of_steps(steps: u64) -> Self {
        Self { time: None, steps: Some(steps), ..Self::default() }
    }

    /// Makes the budget that options of a command or fields of a request name; `None` where they name nothing.
    ///
    /// What isn't named is the default. Steps without a time go without a clock.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::Budget;
    ///
    /// assert_eq!(Budget::asked_for(None, Some(7), None), Some(Budget::of_steps(7)));
    /// assert_eq!(Budget::asked_for(Some(500), None, None), Some(Budget::default()));
    /// assert_eq!(Budget::asked_for(None, None, None), None);
    /// ```
    #[must_use]
    pub fn asked_for(milliseconds: Option<u64>, steps: Option<u64>, bytes: Option<usize>) -> Option<Self> {
        if milliseconds.is_none() && steps.is_none() && bytes.is_none() {
            return None;
        }
        let default = Self::default();
        let time = match (milliseconds, steps) {
            (Some(time), _) => Some(Duration::from_millis(time)),
            (None, Some(_)) => None,
            (None, None) => default.time,
        };
        Some(Self { time, steps, bytes: bytes.unwrap_or(default.bytes) })
    }

    /// A budget that is spent: nothing is parsed.
    pub(crate) const NONE: Self = Self { time: Some(Duration::ZERO), steps: None, bytes: 0 };
}

/// A budget of time, with the default limits for all else.
impl From<Duration> for Budget {
    fn from(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }
}

/// Which limit of a [`Budget`] ended a part before its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Budget::time`].
    Time,
    /// [`Budget::steps`].
    Steps,
    /// [`Budget::bytes`], or the memory for a parser's stack.
    Bytes,
    /// None that can be set: the text would end the process in its grammar's own scanner, and was not given to it.
    Grammar,
}

impl Limit {
    /// Gives the stable name used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Steps => "steps",
            Self::Bytes => "bytes",
            Self::Grammar => "grammar",
        }
    }

    /// Says of what there was too little, or too much.
    pub(crate) fn said(self) -> &'static str {
        match self {
            Self::Time => "in time",
            Self::Steps => "in as many steps as are allowed",
            Self::Bytes => "in as much memory as is allowed",
            Self::Grammar => "since its grammar can't take what is nested or named in it",
        }
    }
}

/// Counts what one part of the work takes against a [`Budget`]. Once it is spent it stays so.
#[derive(Debug)]
pub(crate) struct Meter {
    bytes: usize,
    deadline: Option<Instant>,
    most_steps: u64,
    steps: Cell<u64>,
    next_look: Cell<u64>,
    cut_by: Cell<Option<Limit>>,
}

impl Meter {
    /// Starts the clock.
    #[allow(clippy::disallowed_methods, reason = "this module owns the clock")]
    pub(crate) fn start(budget: Budget) -> Self {
        Self {
            bytes: budget.bytes,
            // A time too long to be reckoned with is none.
            deadline: budget.time.and_then(|time| Instant::now().checked_add(time)),
            most_steps: budget.steps.unwrap_or(u64::MAX),
            steps: Cell::new(0),
            next_look: Cell::new(STEPS_BETWEEN_LOOKS),
            cut_by: Cell::new(None),
        }
    }

    /// Counts `steps` and says whether work may go on.
    #[must_use]
    pub(crate) fn spend(&self, steps: u64) -> bool {
        let steps = self.steps.get().saturating_add(steps);
        self.steps.set(steps);
        if steps > self.most_steps {
            self.cut(Limit::Steps);
        } else if steps >= self.next_look.get() {
            self.next_look.set(steps.saturating_add(STEPS_BETWEEN_LOOKS));
            return self.is_on();
        }
        self.cut_by.get().is_none()
    }

    /// Counts a look of a parser, and looks at the clock.
    #[must_use]
    pub(crate) fn look(&self) -> bool {
        self.spend(STEPS_OF_A_LOOK) && self.is_on()
    }

    /// Looks at the clock, and says whether work may go on.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "this module owns the clock")]
    pub(crate) fn is_on(&self) -> bool {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.cut(Limit::Time);
        } else if self.steps.get() >= self.most_steps {
            self.cut(Limit::Steps);
        }
        self.cut_by.get().is_none()
    }

    /// Notes that a limit ends the work. The first one counts.
    pub(crate) fn cut(&self, limit: Limit) {
        self.cut_by.set(self.cut_by.get().or(Some(limit)));
    }

    /// Gives the limit that ended the work.
    pub(crate) fn cut_by(&self) -> Option<Limit> {
        self.cut_by.get()
    }

    /// Gives what is left for further work. What is spent on it must be told with [`Meter::charge`], but for the time.
    #[allow(clippy::disallowed_methods, reason = "this module owns the clock")]
    pub(crate) fn left(&self) -> Budget {
        let steps = (self.most_steps < u64::MAX).then(|| self.most_steps.saturating_sub(self.steps.get()));
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Budget { time, steps, bytes: self.bytes }
    }

    /// Counts the steps that another meter counted, which had what was left of this one.
    pub(crate) fn charge(&self, other: &Self) {
        self.steps.set(self.steps.get().saturating_add(other.steps.get()));
        if let Some(limit) = other.cut_by() {
            self.cut(limit);
        }
    }
}

/// Measures how long a stage takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[allow(clippy::disallowed_methods, reason = "this module owns the clock")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Gives the time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spent_budget_stays_spent() {
        let meter = Meter::start(Duration::ZERO.into());
        assert!(meter.spend(1), "the clock is not read at every step");
        assert!(!meter.spend(STEPS_BETWEEN_LOOKS));
        assert!(!meter.spend(0));
        assert_eq!(meter.cut_by(), Some(Limit::Time));
    }

    #[test]
    fn steps_are_counted_without_a_clock() {
        let meter = Meter::start(Budget::of_steps(250));
        assert!(meter.spend(50) && meter.look());
        assert_eq!(meter.left(), Budget::of_steps(100));
        let part = Meter::start(meter.left());
        assert!(!part.spend(101));
        meter.charge(&part);
        assert_eq!((meter.cut_by(), meter.left().steps), (Some(Limit::Steps), Some(0)));
        assert!(!Meter::start(meter.left()).is_on(), "no steps are left");
    }

    #[test]
    fn without_limits_nothing_is_cut() {
        let meter = Meter::start(Budget { time: None, ..Budget::default() });
        assert!(meter.spend(u64::MAX - 1) && meter.is_on());
        assert_eq!((meter.left().time, meter.left().steps), (None, None));
        assert!(Meter::start(Duration::MAX.into()).is_on(), "a time that can't be reckoned with is none");
    }
}
