//! A row of numbers from a seed: what is random here is the same on every machine.

/// The row.
///
/// # Source
///
/// `SplitMix64` (Steele, Lea and Flood 2014).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Gives a number below `n`; 0 if there is none.
    pub(crate) fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % n.max(1) as u64) as usize
    }

    /// Gives one of some things; `None` of none.
    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.roll(from.len()))
    }
}
