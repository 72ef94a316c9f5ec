//! Time counted in nodes (the option nodestime): a game whose clock is independent of the machine.
//!
//! The host's clock goes on in real time, so from the second move on it tells nothing; the engine
//! keeps its own. It starts with the time of the first move, or of a new period.

use super::{Clock, Limits};

/// The engine's own clock, in milliseconds of so many nodes each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeClock {
    /// What is left after the last move; none before the first.
    left: Option<i64>,
    moves_to_go: Option<u32>,
}

impl NodeClock {
    /// Puts what is really left into the limits of the next move.
    pub(super) fn set(&mut self, limits: &mut Limits) {
        let Some(clock) = &mut limits.clock else { return };
        let new_period = clock.moves_to_go > self.moves_to_go;
        self.moves_to_go = clock.moves_to_go;
        let left = self.left.filter(|_| !new_period);
        let time = left.map_or(clock.time, |left| left.saturating_add(clock.increment.max(0)));
        self.left = Some(time);
        *clock = Clock { time, ..*clock };
    }

    /// A move took so many nodes, `per_ms` of them a millisecond.
    pub(super) fn spend(&mut self, nodes: u64, per_ms: u64) {
        let time = i64::try_from(nodes / per_ms.max(1)).unwrap_or(i64::MAX);
        self.left = self.left.map(|left| left.saturating_sub(time));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(time: i64, increment: i64, moves_to_go: Option<u32>) -> Limits {
        Limits { clock: Some(Clock { time, increment, moves_to_go }), ..Limits::default() }
    }

    #[test]
    fn the_own_clock_runs_by_nodes_and_the_hosts_is_not_looked_at() {
        let mut clock = NodeClock::default();
        let mut first = limits(1000, 10, None);
        clock.set(&mut first);
        assert_eq!(first, limits(1000, 10, None));
        clock.spend(60_000, 100);
        let mut second = limits(77, 10, None);
        clock.set(&mut second);
        assert_eq!(second, limits(410, 10, None));
    }

    #[test]
    fn a_new_period_brings_the_hosts_time() {
        let mut clock = NodeClock::default();
        for (moves_to_go, told, expected) in [(2, 1000, 1000), (1, 999, 900), (2, 1900, 1900)] {
            let mut limits = limits(told, 0, Some(moves_to_go));
            clock.set(&mut limits);
            assert_eq!(limits.clock.unwrap().time, expected);
            clock.spend(10_000, 100);
        }
    }

    #[test]
    fn other_limits_stay() {
        let mut limits = Limits { depth: Some(3), ..Limits::default() };
        NodeClock::default().set(&mut limits);
        assert_eq!(limits, Limits { depth: Some(3), ..Limits::default() });
    }
}
