//! Chance: numbers that nobody can foretell, for moves of a book and for play that is to vary.

use rand::SeedableRng;
use rand::rngs::{SmallRng, SysRng};

/// A generator with a seed of the system's; with a fixed one should the system have none to give.
pub(crate) fn generator() -> SmallRng {
    SmallRng::try_from_rng(&mut SysRng).unwrap_or_else(|_| SmallRng::seed_from_u64(0))
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn no_two_generators_are_alike() {
        assert_ne!(generator().next_u64(), generator().next_u64());
    }
}
