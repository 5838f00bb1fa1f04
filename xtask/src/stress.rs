//! A server under fire: honest edits beside hostile ones, in one process, for as long as it takes.
//!
//! First the honest edits run alone, then beside threads that do nothing but hostile ones. What is asked: every edit is
//! answered, honest ones with the same text as when they are alone; their latency stays bounded; memory doesn't grow.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use treegraft::{Edit, Engine, SyntaxStatus};
use treegraft_oracles::corpus;

use crate::pairs::say;

/// By how many percent memory may be higher in the last quarter than in the second: the first fills the allocator.
const MOST_GROWTH: usize = 25;

/// How much slower than alone the slow honest edits (95 of 100 are faster) may be beside hostile ones: the threads share
/// the cores, so twice is what is fair with as many hostile threads as honest ones.
const MOST_SLOWDOWN: u32 = 6;

/// How long a thread waits for the next honest edit. Longer: fewer are measured; shorter: they take all cores.
const PAUSE: Duration = Duration::from_millis(5);

/// An edit that is kept whole.
struct Job {
    path: String,
    original: String,
    snippet: String,
    description: String,
}

impl Job {
    fn edit(&self) -> Edit<'_> {
        Edit::new(&self.path, &self.original, &self.snippet).description(&self.description)
    }
}

/// Runs so many edits, half of them hostile, with so many threads of each kind; gives how many demands are not met.
pub(crate) fn serve(n_edits: usize, n_threads: usize) -> usize {
    let engine = Engine::default();
    let (honest, hostile) = (honest(), hostile());
    say(&format!("{} honest edits, {} hostile ones, {n_threads} threads of each kind", honest.len(), hostile.len()));
    let wanted: Vec<Option<String>> = honest.iter().map(|job| text(&engine, job)).collect();

    let alone = round(&engine, &honest, &wanted, &[], n_edits / 8, n_threads);
    say(&format!("alone:  {}", alone.told()));
    let beside = round(&engine, &honest, &wanted, &hostile, n_edits / 2, n_threads);
    say(&format!("beside: {}", beside.told()));

    let mut n_broken = 0;
    let mut demand = |met: bool, what: &str| {
        if !met {
            n_broken += 1;
            say(&format!("not met: {what}"));
        }
    };
    demand(alone.n_other + beside.n_other == 0, "honest edits have the text they have alone");
    demand(alone.n_lost + beside.n_lost == 0, "every edit is answered");
    demand(beside.percentile(95) <= alone.percentile(95) * MOST_SLOWDOWN, "honest edits stay quick");
    demand(beside.growth().is_none_or(|percent| percent <= MOST_GROWTH), "memory doesn't grow");
    n_broken
}

fn text(engine: &Engine, job: &Job) -> Option<String> {
    engine.apply(&job.edit()).ok().map(treegraft::Outcome::into_text)
}

/// What came of a round.
#[derive(Default)]
struct Round {
    /// How long the honest edits took, rising.
    latencies: Vec<Duration>,
    slowest_hostile: Duration,
    n_hostile: usize,
    n_other: usize,
    n_timed_out: usize,
    n_lost: usize,
    /// Resident memory, in MiB, every half second.
    memory: Vec<usize>,
}

impl Round {
    fn percentile(&self, percent: usize) -> Duration {
        let at = (self.latencies.len() * percent / 100).min(self.latencies.len().saturating_sub(1));
        self.latencies.get(at).copied().unwrap_or_default()
    }

    /// Says by how many percent memory is higher in the last quarter than in the second; `None` if it wasn't seen.
    fn growth(&self) -> Option<usize> {
        let quarter = self.memory.len() / 4;
        let middle = |range: &[usize]| {
            let mut range = range.to_vec();
            range.sort_unstable();
            range.get(range.len() / 2).copied()
        };
        let before = middle(self.memory.get(quarter..2 * quarter)?)?;
        let after = middle(self.memory.get(3 * quarter..)?)?;
        (quarter >= 2).then(|| after.saturating_sub(before) * 100 / before.max(1))
    }

    fn told(&self) -> String {
        let [half, most, slow] = [50, 95, 99].map(|percent| self.percentile(percent));
        format!(
            "{} honest answers, half within {half:.1?}, 95 of 100 within {most:.1?}, 99 within {slow:.1?}, all within \
             {:.1?}; {} timed out, {} other texts, {} lost; {} hostile answers, all within {:.1?}; memory {} MiB at most, \
             growth {} %",
            self.latencies.len(),
            self.latencies.last().copied().unwrap_or_default(),
            self.n_timed_out,
            self.n_other,
            self.n_lost,
            self.n_hostile,
            self.slowest_hostile,
            self.memory.iter().max().unwrap_or(&0),
            self.growth().map_or_else(|| "?".to_owned(), |percent| percent.to_string()),
        )
    }
}

/// Runs `n_edits` honest edits, and as many hostile ones beside them; whoever is done first goes on until the others are.
fn round(
    engine: &Engine,
    honest: &[Job],
    wanted: &[Option<String>],
    hostile: &[Job],
    n_edits: usize,
    n_threads: usize,
) -> Round {
    let (next, next_hostile, done) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let mut round = Round::default();
    thread::scope(|scope| {
        let honest_work = || {
            let mut part = Round::default();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                // For as long as there are hostile ones beside them.
                if n >= n_edits && (hostile.is_empty() || next_hostile.load(Ordering::Relaxed) >= n_edits) {
                    return part;
                }
                thread::sleep(PAUSE);
                let at = n % honest.len();
                let start = Instant::now();
                let answer = engine.apply(&honest[at].edit());
                part.latencies.push(start.elapsed());
                let timed_out = |status| status == SyntaxStatus::TimedOut;
                part.n_timed_out +=
                    usize::from(answer.as_ref().is_ok_and(|outcome| timed_out(outcome.validation().status)));
                part.n_other += usize::from(answer.ok().map(treegraft::Outcome::into_text) != wanted[at]);
            }
        };
        let hostile_work = || {
            let mut part = Round::default();
            while !hostile.is_empty() {
                let n = next_hostile.fetch_add(1, Ordering::Relaxed);
                if n >= n_edits && next.load(Ordering::Relaxed) >= n_edits {
                    break;
                }
                let start = Instant::now();
                let _answer = engine.apply(&hostile[n % hostile.len()].edit());
                part.slowest_hostile = part.slowest_hostile.max(start.elapsed());
                part.n_hostile += 1;
            }
            part
        };
        let watch = scope.spawn(|| {
            let mut memory = Vec::new();
            while !done.load(Ordering::Relaxed) {
                memory.extend(resident());
                thread::sleep(Duration::from_millis(500));
            }
            memory
        });
        let jobs: Vec<_> = (0..n_threads).flat_map(|_| [scope.spawn(honest_work), scope.spawn(hostile_work)]).collect();
        for job in jobs {
            match job.join() {
                Ok(part) => {
                    round.latencies.extend(part.latencies);
                    round.slowest_hostile = round.slowest_hostile.max(part.slowest_hostile);
                    round.n_hostile += part.n_hostile;
                    round.n_other += part.n_other;
                    round.n_timed_out += part.n_timed_out;
                }
                // A thread that panicked takes its answers with it.
                Err(_) => round.n_lost += 1,
            }
        }
        done.store(true, Ordering::Relaxed);
        round.memory = watch.join().unwrap_or_default();
    });
    round.n_lost += n_edits.saturating_sub(round.latencies.len());
    round.latencies.sort_unstable();
    round
}

/// Gives the process's resident memory in MiB, where the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<usize>().ok()? / 1024)
}

/// Edits as they come in: the corpus, and a file of some thousand lines.
fn honest() -> Vec<Job> {
    let mut jobs: Vec<Job> = corpus::known_edits()
        .iter()
        .map(|given| Job {
            path: given.path.clone(),
            original: given.original.clone(),
            snippet: given.snippet.clone(),
            description: given.description.clone(),
        })
        .collect();
    let function = |n: usize, more: &str| {
        format!("func task{n}(x int) error {{\n\tif x > {n} {{\n\t\treturn work({n})\n\t}}\n{more}\treturn nil\n}}\n\n")
    };
    let original: String = (0..600).map(|n| function(n, "")).collect();
    for at in [3, 300, 597] {
        let more = format!("\tlog(\"task {at}\")\n");
        let snippet = format!("// ... existing code ...\n\n{}// ... existing code ...\n", function(at, &more));
        let (path, description) = ("large.go".to_owned(), String::new());
        jobs.push(Job { path, original: format!("package p\n\n{original}"), snippet, description });
    }
    jobs
}

/// Edits made to cost much: tokens without an end, nesting without an end, text that repeats, long lines.
fn hostile() -> Vec<Job> {
    const SIZE: usize = 600_000;
    let texts = [
        ("a.rs", "r#\""),
        ("a.rs", "/*"),
        ("a.rs", "- "),
        ("a.go", "`"),
        ("a.go", "("),
        ("a.py", "f\"{"),
        ("a.py", "if a:\n "),
        ("a.js", "`${"),
        ("a.js", "/"),
        ("a.ts", "<a>"),
        ("a.tsx", "<a>"),
        ("a.json", "["),
        ("a.json", "{\"a\":"),
        ("a.yaml", "- "),
        ("a.yaml", "a: "),
        ("a.rb", "<<A\n"),
        ("a.rb", "\"#{"),
        ("a.html", "<a>"),
        ("a.html", "<script>"),
        ("a.md", "> "),
        ("a.md", "- > "),
        ("a.sh", "$("),
        ("a.sh", "<<A\n"),
        ("a.c", "#if a\n"),
        ("a.cpp", "R\"a("),
        ("a.cpp", " "),
        ("a.php", "<?php <<<A\n"),
        ("a.kt", "\"${"),
        ("a.swift", "{ a in\n"),
        ("a.css", "a{"),
        ("a.txt", "}\n"),
        ("a.txt", "x"),
        ("a.go", "\treturn nil\n"),
    ];
    let snippets = [
        "// ... existing code ...\n}\nx\n// ... existing code ...\n".to_owned(),
        "}\n".repeat(400),
        "// ... existing code ...\n\treturn nil\n".repeat(200),
    ];
    let mut jobs = Vec::new();
    for (n, (path, part)) in texts.iter().enumerate() {
        let original = part.repeat(SIZE / part.len());
        let job = |original: String, snippet: String| Job {
            path: (*path).to_owned(),
            original,
            snippet,
            description: "Type: replace\nReplace: lines 1-999999999".repeat(n % 2),
        };
        jobs.push(job(original.clone(), snippets[n % snippets.len()].clone()));
        jobs.push(job("a\nb\n".repeat(2_000), original));
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_of_the_last_quarter_over_the_second() {
        let round = |memory: &[usize]| Round { memory: memory.to_vec(), ..Round::default() };
        assert_eq!(round(&[1, 1, 100, 100, 100, 100, 150, 150]).growth(), Some(50));
        assert_eq!(round(&[1, 1, 100, 100, 100, 100, 90, 90]).growth(), Some(0));
        assert_eq!(round(&[1, 2, 3]).growth(), None);
    }

    #[test]
    fn all_edits_are_answered_with_their_text() {
        let engine = Engine::default();
        let honest: Vec<Job> = honest().into_iter().filter(|job| job.original.len() < 1_000).take(8).collect();
        let wanted: Vec<_> = honest.iter().map(|job| text(&engine, job)).collect();
        let fine = round(&engine, &honest, &wanted, &[], 20, 2);
        assert_eq!((fine.latencies.len(), fine.n_other, fine.n_lost), (20, 0, 0));
        // A planted other answer is seen.
        let other = vec![None; honest.len()];
        assert_eq!(round(&engine, &honest, &other, &[], 20, 2).n_other, 20);
    }
}
