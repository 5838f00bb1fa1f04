//! A cache that forgets what was not used for longest, and what is too old.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::time::{Duration, Instant};

/// How a cache behaves.
#[derive(Debug, Clone)]
pub struct Settings {
    pub capacity: usize,
    pub max_age: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { capacity: 1_024, max_age: Duration::from_secs(300) }
    }
}

/// How often the cache was asked, and how often it knew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    pub hits: u64,
    pub misses: u64,
    pub evictions: u64,
}

impl Stats {
    pub fn hit_rate(&self) -> f64 {
        let total = self.hits + self.misses;
        if total == 0 { 0.0 } else { self.hits as f64 / total as f64 }
    }
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    stored: Instant,
    used: u64,
}

/// The cache.
#[derive(Debug)]
pub struct Cache<K, V> {
    settings: Settings,
    entries: HashMap<K, Entry<V>>,
    by_use: BTreeMap<u64, K>,
    clock: u64,
    stats: Stats,
}

impl<K: Eq + Hash + Clone, V> Cache<K, V> {
    pub fn new(settings: Settings) -> Self {
        Self { settings, entries: HashMap::new(), by_use: BTreeMap::new(), clock: 0, stats: Stats::default() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn stats(&self) -> Stats {
        self.stats
    }

    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.clock += 1;
        let max_age = self.settings.max_age;
        let expired = self.entries.get(key).is_some_and(|entry| entry.stored.elapsed() > max_age);
        if expired {
            self.remove(key);
        }
        match self.entries.get_mut(key) {
            Some(entry) => {
                self.stats.hits += 1;
                self.by_use.remove(&entry.used);
                self.by_use.insert(self.clock, key.clone());
                entry.used = self.clock;
                Some(&entry.value)
            }
            None => {
                self.stats.misses += 1;
                None
            }
        }
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.clock += 1;
        let old = self.remove(&key);
        while self.entries.len() >= self.settings.capacity.max(1) {
            self.evict();
        }
        self.by_use.insert(self.clock, key.clone());
        self.entries.insert(key, Entry { value, stored: Instant::now(), used: self.clock });
        old
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.entries.remove(key)?;
        self.by_use.remove(&entry.used);
        Some(entry.value)
    }

    fn evict(&mut self) {
        if let Some((_, key)) = self.by_use.pop_first() {
            self.entries.remove(&key);
            self.stats.evictions += 1;
        }
    }
}
