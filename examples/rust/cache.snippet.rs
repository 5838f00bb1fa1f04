// ... existing code ...

impl<K: Eq + Hash + Clone, V> Cache<K, V> {
    // ... existing code ...

    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.clock += 1;
        if self.is_expired(key) {
            self.remove(key);
        }
        match self.entries.get_mut(key) {
            // ... existing code ...
        }
    }

    fn is_expired(&self, key: &K) -> bool {
        self.entries.get(key).is_some_and(|entry| entry.stored.elapsed() > self.settings.max_age)
    }

    // ... existing code ...
}
