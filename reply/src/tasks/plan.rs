//! A plan, and what a reply does to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::Task;
use crate::tasks::key;

/// The tasks of a plan, in their order.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{Plan, parse_tasks};
///
/// let mut plan = Plan::default();
/// plan.merge(parse_tasks("### Tasks\n1. Read\n2. Write\n").tasks, false);
/// plan.tasks[0].is_finished = true;
/// plan.merge(parse_tasks("### Tasks\n1. Check\n2. write.\n- In place\n").tasks, false);
/// let titles: Vec<&str> = plan.tasks.iter().map(|task| task.title.as_str()).collect();
/// assert_eq!(titles, ["Read", "Check", "Write"]);
/// assert_eq!(plan.tasks[2].description, "In place");
/// assert_eq!(plan.remove(&["CHECK".to_owned()]), ["Check"]);
/// assert_eq!(plan.current(Some("Check")).map(|task| task.title.as_str()), Some("Write"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// The tasks.
    pub tasks: Vec<Task>,
}

impl Plan {
    /// Takes in a list that a reply gives: finished tasks stay in front, then come the listed ones in the order of the list, then the
    /// unfinished ones that it doesn't list.
    ///
    /// A listed task that is in the plan keeps its title and its state, and gets the new description and files; a finished one is left
    /// as it is. `replace` says that the reply gives the whole plan: then unfinished tasks that it doesn't list are dropped. An empty list
    /// changes nothing.
    pub fn merge(&mut self, listed: Vec<Task>, replace: bool) {
        if listed.is_empty() {
            return;
        }
        let (finished, open): (Vec<Task>, Vec<Task>) =
            std::mem::take(&mut self.tasks).into_iter().partition(|task| task.is_finished);
        let mut seen: BTreeSet<String> = finished.iter().map(Task::key).collect();
        let mut open: Vec<(String, Option<Task>)> = open.into_iter().map(|task| (task.key(), Some(task))).collect();
        // The first of some with the same key is found first.
        let places: BTreeMap<String, usize> =
            open.iter().enumerate().rev().map(|(at, (key, _))| (key.clone(), at)).collect();
        self.tasks = finished;
        for task in listed {
            let key = task.key();
            if !seen.insert(key.clone()) {
                continue;
            }
            let known = places.get(&key).and_then(|&at| open[at].1.take());
            let Task { title, is_finished, .. } = known.unwrap_or_else(|| task.clone());
            self.tasks.push(Task { title, is_finished, ..task });
        }
        if !replace {
            self.tasks.extend(open.into_iter().filter_map(|(_, task)| task));
        }
    }

    /// Removes the tasks with these titles, finished or not; gives the titles of those that were not finished.
    pub fn remove(&mut self, titles: &[String]) -> Vec<String> {
        let keys: BTreeSet<String> = titles.iter().map(|title| key(title)).collect();
        let (removed, kept): (Vec<Task>, Vec<Task>) =
            std::mem::take(&mut self.tasks).into_iter().partition(|task| keys.contains(&task.key()));
        self.tasks = kept;
        removed.into_iter().filter(|task| !task.is_finished).map(|task| task.title).collect()
    }

    /// Gives the task to work on: the unfinished one with the title `before`, else the first that is not finished.
    #[must_use]
    pub fn current(&self, before: Option<&str>) -> Option<&Task> {
        let mut open = self.tasks.iter().filter(|task| !task.is_finished);
        let before = before.map(key);
        open.clone().find(|task| before.as_deref() == Some(&task.key())).or_else(|| open.next())
    }
}
