//! Search: from a game and limits to the best move.
//!
//! Invariant: nothing here reads or writes text, and nothing here prints.
//!
//! [`Engine`] thinks on threads of its own and tells a [`Sink`]; [`Searcher`] thinks on the caller's
//! and returns a [`SearchResult`]. Both drive the same worker: `root` deepens, `node` is the
//! alpha-beta search, `quiescence` its leaves. What a score means for the result of the game,
//! [`WinModel`] knows.

mod ablation;
mod bench;
mod clock;
mod correction;
mod cycles;
mod draws;
mod engine;
mod extension;
#[cfg(feature = "faults")]
mod faults;
mod history;
mod limits;
mod node;
mod node_clock;
mod pace;
mod params;
mod picker;
mod pruning;
mod pv;
mod quiescence;
mod reduction;
mod report;
mod root;
mod score;
mod searcher;
mod see;
mod stack;
mod strength;
mod table;
mod tables;
mod team;
mod threats;
mod wdl;
mod worker;

pub use ablation::FAMILIES;
#[cfg(feature = "tune")]
pub use ablation::switch_off;
pub use bench::{
    BENCH_DEPTH, BENCH_HASH, BenchError, BenchResult, bench, bench_positions, bench_until,
};
pub use engine::{Engine, HashError};
#[cfg(feature = "faults")]
#[doc(hidden)]
pub use faults::break_down_at;
pub use limits::{Clock, Limits};
#[cfg(feature = "tune")]
pub use params::set_parameter;
pub use params::{PARAMETERS, Parameter};
pub use report::{BestMove, Bound, Channel, Event, Report, Sink};
pub use score::Score;
pub use searcher::{SearchResult, Searcher};
pub use strength::{FULL_SKILL, LEAST_ELO, MOST_ELO, elo_of_skill};
pub use tables::Tables;
pub use team::ThreadsError;
pub use wdl::{Chances, Coefficients, WinModel};
