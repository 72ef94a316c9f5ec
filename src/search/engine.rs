//! The engine as an object: set it up, let it think, stop it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use thiserror::Error;

use super::clock::Signals;
use super::root::Settings;
use super::table::{Table, give_large_blocks_back};
use super::tables::Tables;
use super::team::{Team, ThreadsError};
use super::{BestMove, Channel, Event, Limits, Report, Sink};
use crate::chess::Game;
use crate::eval::Network;

/// The table of a new engine, in MiB.
const DEFAULT_HASH: usize = 16;
/// Time lost for each move unless set otherwise, in milliseconds.
const DEFAULT_OVERHEAD: u64 = 10;
/// More threads than any machine has processors.
const MOST_THREADS: usize = 1024;

/// Why a transposition table can't be had; the old one is kept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no hash of {mebibytes} MiB: {reason}")]
pub struct HashError {
    /// The size asked for.
    pub mebibytes: usize,
    /// Why not.
    pub reason: String,
}

/// A chess engine: owns its transposition table and search threads. The threads live as long as
/// it does and sleep between searches; dropping it ends a search that runs.
///
/// ```
/// use qishou::chess::Game;
/// use qishou::search::{Channel, Engine, Event, Limits};
///
/// let mut engine = Engine::new();
/// let (sink, events) = Channel::new();
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// engine.go(&Game::default(), limits, Box::new(sink));
/// for event in events {
///     match event {
///         Event::Report(report) => assert_eq!(report.multi_pv, 1),
///         Event::Finished(found) => assert!(found.best.is_some()),
///     }
/// }
/// ```
pub struct Engine {
    table: Arc<Table>,
    signals: Arc<Signals>,
    settings: Settings,
    team: Team,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("table", &self.table)
            .field("settings", &self.settings)
            .field("searching", &self.is_searching())
            .finish_non_exhaustive()
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with a table of 16 MiB, one thread, and the embedded network if there is one.
    ///
    /// # Panics
    /// If there are no 16 MiB, or the system has no thread left.
    pub fn new() -> Self {
        give_large_blocks_back();
        let table = Arc::new(Table::new(DEFAULT_HASH).expect("a small table fits into memory"));
        let signals = Arc::new(Signals::new());
        let team = Team::new(Arc::clone(&table), Arc::clone(&signals), Network::usual());
        Self {
            table,
            signals,
            settings: Settings {
                multi_pv: 1,
                move_overhead: DEFAULT_OVERHEAD,
                nodes_per_ms: 0,
                elo: None,
            },
            team: team.expect("the system can start a thread"),
        }
    }

    /// Changes the size of the transposition table, in MiB. Waits for a running search.
    ///
    /// # Errors
    /// If there is not so much memory; the old table stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        self.wait();
        let table = Arc::new(Table::instead_of(Some(&self.table), mebibytes)?);
        self.team.set_table(&table);
        self.table = table;
        // The old one is gone. Several threads take the pages now, which would otherwise come one
        // by one in the middle of a search, on its clock.
        self.table.clear();
        Ok(())
    }

    /// Evaluates with this network from now on, or with the evaluation by hand. Waits for a
    /// running search; what was learned with another evaluation is forgotten.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.new_game();
        self.team.set_network(network);
    }

    /// The network it evaluates with; none means by hand.
    pub const fn network(&self) -> Option<&Arc<Network>> {
        self.team.network()
    }

    /// Asks these endgame tables from now on. Waits for a running search. What the transposition
    /// table holds of others stays until [`Self::new_game`].
    pub fn set_endgame_tables(&mut self, tables: Tables) {
        self.team.set_endgame_tables(tables);
    }

    /// Forgets everything learned from earlier positions: a new game begins. Waits for a running
    /// search.
    pub fn new_game(&mut self) {
        self.wait();
        self.table.clear();
        self.team.new_game();
    }

    /// Sets the number of search threads and returns how many there are now: from 1 to 1024. Waits
    /// for a running search.
    ///
    /// # Errors
    /// If the system does not give so many; there are as many as before.
    pub fn set_threads(&mut self, threads: usize) -> Result<usize, ThreadsError> {
        let threads = threads.clamp(1, MOST_THREADS);
        self.team.resize(threads)?;
        Ok(threads)
    }

    /// How many search threads there are.
    pub const fn threads(&self) -> usize {
        self.team.size()
    }

    /// How many best lines are reported.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.settings.multi_pv = lines.max(1);
    }

    /// Time lost between engine and clock for each move, in milliseconds.
    pub fn set_move_overhead(&mut self, milliseconds: u64) {
        self.settings.move_overhead = milliseconds;
    }

    /// Counts time in nodes from now on, so many a millisecond, with a clock of its own: games are
    /// the same on every machine. 0 for the real time.
    pub fn set_nodes_per_millisecond(&mut self, nodes: u64) {
        self.settings.nodes_per_ms = nodes;
    }

    /// Plays as strong as somebody with this Elo, from [`LEAST_ELO`](super::LEAST_ELO) to
    /// [`MOST_ELO`](super::MOST_ELO); none for full strength.
    pub fn set_strength(&mut self, elo: Option<u32>) {
        self.settings.elo = elo;
    }

    /// Begins to think about the present position of `game` and returns at once. Waits first for
    /// a search that still runs: an endless one has to be stopped before.
    pub fn go(&mut self, game: &Game, limits: Limits, sink: Box<dyn Sink>) {
        self.team.begin(game, limits, self.settings, sink);
    }

    /// Thinks as [`Self::go`] does and waits for the end; `told` hears every report. When
    /// `cancelled` is set, the search is stopped soon. None if it broke down.
    pub fn think(
        &mut self,
        game: &Game,
        limits: Limits,
        cancelled: &AtomicBool,
        mut told: impl FnMut(Report),
    ) -> Option<BestMove> {
        /// How often waiting looks at the flag.
        const LOOK: Duration = Duration::from_millis(10);
        let (sink, events) = Channel::new();
        self.go(game, limits, Box::new(sink));
        loop {
            match events.recv_timeout(LOOK) {
                Ok(Event::Report(report)) => told(report),
                Ok(Event::Finished(best)) => return Some(best),
                Err(RecvTimeoutError::Timeout) if cancelled.load(Relaxed) => self.stop(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Whether a search runs, or waits for a stop or a ponder hit.
    pub fn is_searching(&self) -> bool {
        self.signals.is_searching()
    }

    /// Asks the running search to end soon; its best move goes to its sink.
    pub fn stop(&self) {
        self.signals.stop();
        self.team.wake();
    }

    /// The expected move was played: the clock starts now.
    pub fn ponder_hit(&self) {
        self.signals.ponder_hit();
        self.team.wake();
    }

    /// Waits until the search has ended.
    pub fn wait(&mut self) {
        self.team.wait();
    }
}
