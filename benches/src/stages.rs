//! How long each stage of an edit takes, by the spans of the engine.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The spans of the stages, in the order of the pipeline; `apply` is open around them all.
pub const NAMES: [&str; 10] =
    ["source", "classify", "outline", "chart", "anchor", "replacements", "rebuild", "validate", "verdict", "apply"];

/// Runs `work` and gives how long each span was open in it.
pub fn spent(work: impl FnOnce()) -> BTreeMap<&'static str, Duration> {
    let stages = Stages::default();
    let spent = Arc::clone(&stages.spent);
    tracing::subscriber::with_default(stages, work);
    std::mem::take(&mut *spent.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Adds up how long spans are open.
#[derive(Default)]
struct Stages {
    next: AtomicU64,
    open: Mutex<BTreeMap<u64, (&'static str, Option<Instant>)>>,
    spent: Arc<Mutex<BTreeMap<&'static str, Duration>>>,
}

impl Subscriber for Stages {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id, (span.metadata().name(), None));
        Id::from_u64(id)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, id: &Id) {
        if let Some((_, start)) = self.open.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&id.into_u64()) {
            *start = Some(Instant::now());
        }
    }

    fn exit(&self, id: &Id) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((name, Some(start))) = open.get(&id.into_u64()) {
            *self.spent.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default() += start.elapsed();
        }
    }

    fn try_close(&self, id: Id) -> bool {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.into_u64());
        true
    }
}
