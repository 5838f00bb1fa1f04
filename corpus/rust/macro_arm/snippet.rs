// ... existing code ...

macro_rules! count_all {
    ($cache:expr, $($key:expr),* $(,)?) => {{
        let mut found = 0;
        $(
            found += usize::from($cache.get(&$key).is_some());
        )*
        found
    }};
}

// ... existing code ...
