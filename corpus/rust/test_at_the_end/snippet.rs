// ... existing code ...

#[cfg(test)]
mod tests {
    // ... existing code ...

    #[test]
    fn a_missing_value_is_made_once() {
        // ... existing code ...
    }

    #[test]
    fn a_removed_value_is_gone() {
        let mut cache = small();
        cache.insert(1, "one");
        assert_eq!(cache.remove(&1), Some("one"));
        assert!(cache.is_empty());
    }
}
