//! The time and the steps an edit may take. The only module that reads a clock.
//!
//! Loops that can be more than linear call [`Budget::spend`]; the clock is read once every
//! [`STEPS_BETWEEN_LOOKS`] steps, so spending costs about an addition.

use std::time::{Duration, Instant};

/// How many steps pass between two looks at the clock. Larger: an overrun is seen later (a step is about a
/// nanosecond to a microsecond); smaller: the clock itself costs.
const STEPS_BETWEEN_LOOKS: u64 = 1_024;

/// A deadline and a count of steps.
///
/// # Examples
///
/// ```
/// let mut budget = treegraft::Budget::unlimited();
/// assert!(budget.spend(10));
/// assert_eq!(budget.steps(), 10);
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    deadline: Option<Instant>,
    steps: u64,
    next_look: u64,
    spent: bool,
}

impl Budget {
    /// Makes a budget that ends after `time`.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "this module owns the clock")]
    pub fn new(time: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(time), ..Self::unlimited() }
    }

    /// Makes a budget that never ends; steps are counted all the same.
    #[must_use]
    pub fn unlimited() -> Self {
        Self { deadline: None, steps: 0, next_look: STEPS_BETWEEN_LOOKS, spent: false }
    }

    /// Counts `steps` and says whether work may go on.
    #[must_use]
    pub fn spend(&mut self, steps: u64) -> bool {
        self.steps += steps;
        if self.steps >= self.next_look {
            self.next_look = self.steps + STEPS_BETWEEN_LOOKS;
            self.spent = self.spent || self.remaining() == Some(Duration::ZERO);
        }
        !self.spent
    }

    /// Gives the time left: zero once spent, `None` without a deadline.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "this module owns the clock")]
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Counts the steps spent so far; tests pin the growth of the work with it.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
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
        let mut budget = Budget::new(Duration::ZERO);
        assert!(budget.spend(1), "the clock is not read at every step");
        assert!(!budget.spend(STEPS_BETWEEN_LOOKS));
        assert!(!budget.spend(0));
        assert_eq!(budget.steps(), STEPS_BETWEEN_LOOKS + 1);
    }

    #[test]
    fn an_unlimited_budget_only_counts() {
        let mut budget = Budget::unlimited();
        assert!(budget.spend(10 * STEPS_BETWEEN_LOOKS));
        assert_eq!(budget.remaining(), None);
    }
}
