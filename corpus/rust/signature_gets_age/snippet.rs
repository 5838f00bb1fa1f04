// ... existing code ...

impl<K: Eq + Hash + Clone, V> Cache<K, V> {
    // ... existing code ...

    pub fn insert(&mut self, key: K, value: V, now: Instant) -> Option<V> {
        // ... existing code ...
        let slot = Slot { value, stored: now, used: self.tick };
        self.slots.insert(key, slot).map(|old| old.value)
    }

    // ... existing code ...

    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &V {
        if self.get(&key).is_none() {
            let value = make();
            self.insert(key.clone(), value, Instant::now());
        }
        &self.slots[&key].value
    }

    // ... existing code ...
}

// ... existing code ...
