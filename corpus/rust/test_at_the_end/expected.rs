//! A cache with a limit on entries and on their age.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// Limits of a [`Cache`].
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub entries: usize,
    pub age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { entries: 1_024, age: Duration::from_secs(300) }
    }
}

/// What happened in a cache so far.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Stats {
    pub hits: u64,
    pub misses: u64,
    pub evicted: u64,
}

impl Stats {
    pub fn rate(&self) -> f64 {
        let all = self.hits + self.misses;
        if all == 0 {
            return 0.0;
        }
        self.hits as f64 / all as f64
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} hits, {} misses, {} evicted", self.hits, self.misses, self.evicted)
    }
}

struct Slot<V> {
    value: V,
    stored: Instant,
    used: u64,
}

/// A cache that evicts what was used least recently.
pub struct Cache<K, V> {
    slots: HashMap<K, Slot<V>>,
    limits: Limits,
    stats: Stats,
    tick: u64,
}

impl<K: Eq + Hash + Clone, V> Cache<K, V> {
    pub fn new(limits: Limits) -> Self {
        Cache { slots: HashMap::new(), limits, stats: Stats::default(), tick: 0 }
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.tick += 1;
        let tick = self.tick;
        let age = self.limits.age;
        match self.slots.get_mut(key) {
            Some(slot) if slot.stored.elapsed() <= age => {
                slot.used = tick;
                self.stats.hits += 1;
                Some(&slot.value)
            }
            _ => {
                self.stats.misses += 1;
                None
            }
        }
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.tick += 1;
        if self.slots.len() >= self.limits.entries && !self.slots.contains_key(&key) {
            self.evict();
        }
        let slot = Slot { value, stored: Instant::now(), used: self.tick };
        self.slots.insert(key, slot).map(|old| old.value)
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.slots.remove(key).map(|slot| slot.value)
    }

    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &V {
        if self.get(&key).is_none() {
            let value = make();
            self.insert(key.clone(), value);
        }
        &self.slots[&key].value
    }

    fn evict(&mut self) {
        let oldest = self.slots.iter().min_by_key(|(_, slot)| slot.used).map(|(key, _)| key.clone());
        if let Some(key) = oldest {
            self.slots.remove(&key);
            self.stats.evicted += 1;
        }
    }

    pub fn purge(&mut self) -> usize {
        let before = self.slots.len();
        let age = self.limits.age;
        self.slots.retain(|_, slot| slot.stored.elapsed() <= age);
        before - self.slots.len()
    }
}

impl<K, V> fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("len", &self.slots.len()).field("stats", &self.stats).finish()
    }
}

macro_rules! count_all {
    ($cache:expr, $($key:expr),* $(,)?) => {{
        let mut found = 0;
        $(
            if $cache.get(&$key).is_some() {
                found += 1;
            }
        )*
        found
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Cache<u32, &'static str> {
        Cache::new(Limits { entries: 2, ..Limits::default() })
    }

    #[test]
    fn a_value_comes_back() {
        let mut cache = small();
        cache.insert(1, "one");
        assert_eq!(cache.get(&1), Some(&"one"));
        assert_eq!(cache.stats().hits, 1);
    }

    #[test]
    fn the_least_recently_used_goes() {
        let mut cache = small();
        cache.insert(1, "one");
        cache.insert(2, "two");
        cache.get(&1);
        cache.insert(3, "three");
        assert_eq!(count_all!(cache, 1, 2, 3), 2);
        assert_eq!(cache.get(&2), None);
    }

    #[test]
    fn old_entries_are_misses() {
        let mut cache = Cache::new(Limits { entries: 2, age: Duration::ZERO });
        cache.insert(1, "one");
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(cache.get(&1), None);
        assert_eq!(cache.purge(), 1);
    }

    #[test]
    fn a_missing_value_is_made_once() {
        let mut cache = small();
        let mut made = 0;
        for _ in 0..3 {
            cache.get_or_insert_with(7, || {
                made += 1;
                "seven"
            });
        }
        assert_eq!(made, 1);
    }

    #[test]
    fn a_removed_value_is_gone() {
        let mut cache = small();
        cache.insert(1, "one");
        assert_eq!(cache.remove(&1), Some("one"));
        assert!(cache.is_empty());
    }
}
