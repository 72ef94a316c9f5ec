//! What a search tells its caller, as plain data.

use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use super::Score;
use crate::chess::Move;

/// How exact a score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of thinking.
#[derive(Clone, Debug)]
pub struct Report {
    /// Iteration, in plies.
    pub depth: u32,
    /// The deepest line looked at, in plies.
    pub selective_depth: u32,
    /// Which of the best lines this is, from 1.
    pub multi_pv: u32,
    /// From the side to move's view.
    pub score: Score,
    /// How exact the score is.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// How full the transposition table is, in permille.
    pub hash_full: u32,
    /// Successful tablebase probes.
    pub table_hits: u64,
    /// The line, the root move first.
    pub pv: Vec<Move>,
}

/// What a search decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move; none if there is no legal one.
    pub best: Option<Move>,
    /// The expected answer, legal after it.
    pub ponder: Option<Move>,
}

/// Receives what a search tells. Called from the search thread.
pub trait Sink: Send {
    /// A line of thinking.
    fn report(&mut self, report: &Report);
    /// The root move now being looked at; only in long searches.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: u32) {}
    /// Something worth telling a person, in one line.
    fn note(&mut self, _text: &str) {}
    /// The end: called exactly once for each search, after the last report.
    fn finished(&mut self, best: BestMove);
}

/// What a search told a [`Channel`].
#[derive(Clone, Debug)]
pub enum Event {
    /// A line of thinking.
    Report(Report),
    /// The end; nothing comes after it.
    Finished(BestMove),
}

/// A sink that hands on what it is told, for whoever waits with the other end.
#[derive(Clone, Debug)]
pub struct Channel(Sender<Event>);

impl Channel {
    /// Both ends. If the search breaks down, the other end hears that nobody sends any more.
    pub fn new() -> (Self, Receiver<Event>) {
        let (sender, events) = mpsc::channel();
        (Self(sender), events)
    }
}

impl Sink for Channel {
    fn report(&mut self, report: &Report) {
        // Nobody may be listening any more, here and below.
        let _ = self.0.send(Event::Report(report.clone()));
    }

    fn finished(&mut self, best: BestMove) {
        let _ = self.0.send(Event::Finished(best));
    }
}
