// ... existing code ...

impl<K, V> fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("len", &self.slots.len()).field("limits", &self.limits).field("stats", &self.stats).finish()
    }
}

// ... existing code ...
