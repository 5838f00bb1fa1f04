// ... existing code ...

    fn evict(&mut self) {
        let oldest = self.slots.iter().min_by_key(|(_, slot)| slot.used).map(|(key, _)| key.clone());
        if let Some(key) = oldest {
            self.slots.remove(&key);
            self.stats.evicted += 1;
        }
    }
    // Plandex: removed code
}

// ... existing code ...
