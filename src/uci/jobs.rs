//! Prompt commands that take long and run beside the session: `perft`, `bench`, `speedtest`,
//! `genfens`.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::command::{Bench, GenFens, SpeedTest};
use super::print::Printer;
use super::session::Event;
use crate::chess::perft::perft;
use crate::chess::{Fen, Game, Position};
use crate::eval::Network;
use crate::openings::{Openings, read_book};
use crate::search::{BenchResult, Engine, Limits, Report, Searcher, bench_positions, bench_until};

/// A job that runs.
#[derive(Debug)]
pub(super) struct Job {
    cancelled: Arc<AtomicBool>,
}

/// Tells the session that the job has ended, however it ended.
struct Ending(Sender<Event>);

impl Drop for Ending {
    fn drop(&mut self) {
        let ended = if thread::panicking() { Event::BrokenDown } else { Event::Done };
        let _ = self.0.send(ended);
    }
}

impl Job {
    /// Starts `work` in a thread of its own; it looks now and then whether it is to end early.
    pub(super) fn start(
        events: Sender<Event>,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> io::Result<Self> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&cancelled);
        thread::Builder::new().name("job".to_owned()).spawn(move || {
            let _ending = Ending(events);
            work(&seen);
        })?;
        Ok(Self { cancelled })
    }

    /// Asks the job to end soon.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Searches the bench positions and prints what that took; the last line is
/// `N nodes M nps`.
pub(super) fn bench(
    settings: Bench,
    network: Option<Arc<Network>>,
    printer: &Printer,
    cancelled: &AtomicBool,
) {
    let hash = settings.hash.unwrap_or(Bench::HASH) as usize;
    let threads = settings.threads.unwrap_or(1) as usize;
    let depth = settings.depth.unwrap_or(Bench::DEPTH);
    let each = |number: usize, of: usize, so_far: &BenchResult| {
        printer.line(format_args!("position {number} of {of}: {} nodes in all", so_far.nodes));
    };
    match bench_until(cancelled, network, hash, threads, depth, each) {
        Err(error) => printer.error(error),
        Ok(_) if cancelled.load(Ordering::Relaxed) => {
            printer.line("info string bench was stopped");
        }
        Ok(result) => {
            let (nodes, speed) = (result.nodes, result.speed());
            printer.line(format_args!("time {} ms", result.time.as_millis()));
            printer.line(format_args!("{nodes} nodes {speed} nps"));
        }
    }
}

/// Counts leaves; none if cancelled. Looks at the flag in the upper part of the tree only: three
/// plies take milliseconds even with two hundred moves in each position.
fn count(position: &Position<()>, depth: u32, cancelled: &AtomicBool) -> Option<u64> {
    if cancelled.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= 3 {
        return Some(perft(position, depth));
    }
    position.legal_moves().into_iter().try_fold(0, |nodes, mv| {
        let mut child = *position;
        child.play(mv);
        Some(nodes + count(&child, depth - 1, cancelled)?)
    })
}

/// Prints the leaves below each root move, and their sum.
pub(super) fn divide(
    position: &Position,
    depth: u32,
    chess960: bool,
    printer: &Printer,
    cancelled: &AtomicBool,
) {
    let position = position.without_keys();
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for mv in position.legal_moves() {
            let mut child = position;
            child.play(mv);
            let Some(nodes) = count(&child, depth - 1, cancelled) else {
                return printer.line("info string perft was stopped");
            };
            total += nodes;
            printer.line(format_args!("{}: {nodes}", position.uci(mv, chess960)));
        }
    }
    printer.line(format_args!("\nNodes searched: {total}"));
}

/// Searches some of the bench positions with all processors for a fixed time; the last line is
/// `N nodes M nps`.
pub(super) fn speed_test(
    settings: SpeedTest,
    network: Option<Arc<Network>>,
    printer: &Printer,
    cancelled: &AtomicBool,
) {
    const POSITIONS: usize = 10;
    let processors = thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let threads = settings.threads.unwrap_or(processors);
    let hash = settings.hash.unwrap_or(16_u32.saturating_mul(threads));
    let seconds = settings.seconds.unwrap_or(20);
    let mut engine = Engine::new();
    engine.set_network(network);
    if let Err(error) = engine.set_hash(hash as usize) {
        return printer.error(error);
    }
    if let Err(error) = engine.set_threads(threads as usize) {
        return printer.error(error);
    }
    engine.set_move_overhead(0);
    printer.line(format_args!("{threads} threads, hash {hash} MiB, {seconds} s"));
    let each = Duration::from_secs(seconds.into()) / POSITIONS as u32;
    let began = Instant::now();
    let mut total = 0;
    for position in bench_positions().take(POSITIONS) {
        let mut nodes = 0;
        let limits = Limits { move_time: Some(each), ..Limits::default() };
        let told = |report: Report| nodes = report.nodes;
        // A search that breaks down has told so.
        let _ = engine.think(&Game::new(position), limits, cancelled, told);
        if cancelled.load(Ordering::Relaxed) {
            return printer.line("info string speedtest was stopped");
        }
        total += nodes;
    }
    let time = began.elapsed();
    let speed = (total as f64 / time.as_secs_f64()) as u64;
    printer.line(format_args!("time {} ms", time.as_millis()));
    printer.line(format_args!("{total} nodes {speed} nps"));
}

/// Prints positions after eight or nine random moves that a short search finds near to level, for
/// `OpenBench`'s data generation. They follow from the seed.
pub(super) fn gen_fens(
    settings: &GenFens,
    network: Option<Arc<Network>>,
    printer: &Printer,
    cancelled: &AtomicBool,
) -> Result<(), Box<dyn std::error::Error>> {
    /// Further from level than this, in centipawns, the game would be over before it has begun.
    const LEVEL: i32 = 350;
    const NODES: u64 = 1000;
    let book = match &settings.book {
        Some(path) => read_book(Path::new(path))?,
        None => Vec::new(),
    };
    let openings = Openings { book, dfrc_percent: settings.dfrc_percent, random_plies: 8 };
    let mut chance = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut searcher = Searcher::new(1)?;
    searcher.set_network(network);
    let mut left = settings.count;
    while left > 0 && !cancelled.load(Ordering::Relaxed) {
        let Some(game) = openings.draw(&mut chance) else { continue };
        searcher.new_game();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        if searcher.search(&game, &limits).score.0.abs() <= LEVEL {
            printer.line(format_args!("info string genfens {}", Fen::of(game.position())));
            left -= 1;
        }
    }
    Ok(())
}
