//! Several threads that search the same position (lazy SMP): each by itself, with its own
//! histories, but all with one transposition table, so that each finds there what others have
//! found. The first keeps the limits and reports; at the end all vote.
//!
//! The threads live as long as the team; between searches they sleep until they get an order.
//! Invariant: nothing is locked while a tree is searched.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use thiserror::Error;

use super::clock::Signals;
use super::root::Settings;
use super::table::{Table, available_memory};
use super::tables::Tables;
use super::worker::Worker;
use super::{Limits, Sink};
use crate::chess::Game;
use crate::eval::{Evaluator, Network};

mod task;
mod vote;

use task::Task;

/// A search as deep as [`Score::MAX_PLY`](super::Score::MAX_PLY) needs more stack than a thread
/// has by default. Only what is used of it takes memory.
const STACK: usize = 16 << 20;

/// Address space that an allocator may set aside for a thread's own use, of which little is used.
const ARENA: usize = 128 << 20;

/// Why there are not so many search threads; the old number stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no {threads} threads: {reason}")]
pub struct ThreadsError {
    /// The number asked for.
    pub threads: usize,
    /// Why not.
    pub reason: String,
}

/// The nodes and table hits one thread has told of; alone on its cache lines, so that threads that
/// count don't slow down each other.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counter {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

impl Counter {
    /// So many by now.
    pub(crate) fn set(&self, nodes: u64, table_hits: u64) {
        self.nodes.store(nodes, Relaxed);
        self.table_hits.store(table_hits, Relaxed);
    }

    /// The nodes last told.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The hits of endgame tables last told.
    pub(crate) fn table_hits(&self) -> u64 {
        self.table_hits.load(Relaxed)
    }
}

/// What a thread does with its worker.
type Order = Box<dyn FnOnce(&mut Worker) + Send>;

/// A search thread. It ends when its orders can't come any more.
struct Member {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
}

impl Member {
    /// Starts a thread and waits until its worker is there.
    fn start(name: &str, make: impl FnOnce() -> Worker + Send + 'static) -> Result<Self, String> {
        let (orders, received) = mpsc::channel();
        let (ready, is_ready) = mpsc::channel();
        let thread = thread::Builder::new().name(name.to_owned()).stack_size(STACK);
        let life = move || {
            // The worker is made where it works, so that its memory lies near.
            let worker = make();
            // Can't fail: this is waited for.
            let _ = ready.send(());
            serve(worker, &received);
        };
        let thread = thread.spawn(life).map_err(|error| error.to_string())?;
        is_ready.recv().map_err(|_| "a thread broke down".to_owned())?;
        Ok(Self { orders, thread })
    }

    fn order(&self, order: impl FnOnce(&mut Worker) + Send + 'static) {
        // Can't fail: the thread listens as long as this end exists.
        let _ = self.orders.send(Box::new(order));
    }
}

/// The life of a thread.
fn serve(mut worker: Worker, orders: &Receiver<Order>) {
    for order in orders {
        if catch_unwind(AssertUnwindSafe(|| order(&mut worker))).is_err() {
            worker = worker.anew();
        }
    }
}

/// Ends threads and waits until they have.
fn dismiss(members: impl Iterator<Item = Member>) {
    // Nobody gives orders from here on.
    let threads: Vec<JoinHandle<()>> = members.map(|member| member.thread).collect();
    for thread in threads {
        // What went wrong in it was caught and told in there.
        let _ = thread.join();
    }
}

/// The search threads of an engine, at least one; they keep what they have learned between
/// searches.
pub(crate) struct Team {
    table: Arc<Table>,
    signals: Arc<Signals>,
    network: Option<Arc<Network>>,
    tables: Tables,
    members: Vec<Member>,
    /// Hangs up when the search under way has ended.
    under_way: Option<Receiver<()>>,
}

impl Team {
    /// A team of one.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub(crate) fn new(
        table: Arc<Table>,
        signals: Arc<Signals>,
        network: Option<Arc<Network>>,
    ) -> Result<Self, ThreadsError> {
        let members = Vec::new();
        let tables = Tables::default();
        let mut team = Self { table, signals, network, tables, members, under_way: None };
        team.resize(1)?;
        Ok(team)
    }

    /// The network all evaluate with; none means by hand.
    pub(crate) const fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// How many threads there are.
    pub(crate) const fn size(&self) -> usize {
        self.members.len()
    }

    /// From now on there are so many threads, at least one. Those that stay keep what they know.
    ///
    /// # Errors
    /// If the system does not give that many; then there are as many as before.
    pub(crate) fn resize(&mut self, count: usize) -> Result<(), ThreadsError> {
        self.wait();
        let (old, count) = (self.members.len(), count.max(1));
        dismiss(self.members.drain(count.min(old)..));
        let mut failure = Self::lacks_memory(count - self.members.len());
        while self.members.len() < count && failure.is_none() {
            match self.recruit() {
                Ok(member) => self.members.push(member),
                Err(reason) => failure = Some(reason),
            }
        }
        let Some(reason) = failure else { return Ok(()) };
        dismiss(self.members.drain(old..));
        Err(ThreadsError { threads: count, reason })
    }

    /// What is wrong if so many more workers don't fit into memory.
    fn lacks_memory(more: usize) -> Option<String> {
        let needed = Worker::BYTES.saturating_mul(more) as u64;
        let available = available_memory().filter(|&available| needed > available)?;
        let [needed, available] = [needed, available].map(|bytes| bytes >> 20);
        Some(format!("they need {needed} MiB, and only {available} MiB are available"))
    }

    /// One more thread.
    fn recruit(&self) -> Result<Member, String> {
        // A thread that finds no memory takes the program with it, so it is asked for before.
        let mut room: Vec<u8> = Vec::new();
        let reserved = room.try_reserve_exact(STACK + ARENA + Worker::BYTES);
        // What is never looked at would never be asked for.
        black_box(&room);
        reserved.map_err(|_| "the system has not so much memory".to_owned())?;
        drop(room);
        let (table, signals) = (Arc::clone(&self.table), Arc::clone(&self.signals));
        let (network, tables) = (self.network.clone(), self.tables.clone());
        let name = if self.members.is_empty() { "search" } else { "helper" };
        Member::start(name, move || {
            let mut worker = Worker::new(table, signals, network);
            worker.tables = tables;
            worker
        })
    }

    /// From now on all evaluate with this network, or by hand.
    pub(crate) fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network.clone_from(&network);
        self.all(move |worker| worker.evaluator = Evaluator::new(network.clone()));
    }

    /// From now on all ask these endgame tables.
    pub(crate) fn set_endgame_tables(&mut self, tables: Tables) {
        self.tables.clone_from(&tables);
        self.all(move |worker| worker.tables.clone_from(&tables));
    }

    /// From now on all use this table. None refers to the old one any more.
    pub(crate) fn set_table(&mut self, table: &Arc<Table>) {
        self.table = Arc::clone(table);
        let table = Arc::clone(table);
        self.all(move |worker| worker.table = Arc::clone(&table));
    }

    /// A new game begins.
    pub(crate) fn new_game(&mut self) {
        self.all(Worker::new_game);
    }

    /// All carry out an order; returns when they have.
    fn all(&mut self, order: impl Fn(&mut Worker) + Clone + Send + 'static) {
        self.wait();
        let (done, all_done) = mpsc::channel::<()>();
        for member in &self.members {
            let (order, done) = (order.clone(), done.clone());
            member.order(move |worker| {
                let _done = done;
                order(worker);
            });
        }
        drop(done);
        // Nothing is ever sent: the last to let go ends the call.
        let _ = all_done.recv();
    }

    /// Begins a search and returns at once; the sink hears how it ends. A fault of the search is
    /// told and still leads to a legal move.
    pub(crate) fn begin(
        &mut self,
        game: &Game,
        limits: Limits,
        settings: Settings,
        sink: Box<dyn Sink>,
    ) {
        self.wait();
        let Some((first, mut helpers)) = self.members.split_first() else { return };
        if settings.elo.is_some() {
            // A weak player needs no help.
            helpers = &[];
        }
        self.signals.begin(limits.ponder);
        self.table.next_age();
        let counters = (0..=helpers.len()).map(|_| Counter::default()).collect();
        let task = Arc::new(Task { game: game.clone(), limits, settings, counters });
        let (sender, findings) = mpsc::channel();
        for (helper, number) in helpers.iter().zip(1..) {
            let (task, sender) = (Arc::clone(&task), sender.clone());
            helper.order(move |worker| {
                // Nobody waits for it if the first has failed.
                let _ = sender.send(task.help(worker, number));
            });
        }
        drop(sender);
        let (hang_up, under_way) = mpsc::channel();
        let ending = Ending { signals: Arc::clone(&self.signals), _hang_up: hang_up };
        first.order(move |worker| {
            let ending = ending;
            // Goes before the end is told, however that comes.
            let mut sink = sink;
            let best = task.lead(worker, &findings, &mut *sink);
            task.linger(&ending.signals);
            ending.signals.end();
            sink.finished(best);
        });
        self.under_way = Some(under_way);
    }

    /// Tells the search under way to look at its signals again.
    pub(crate) fn wake(&self) {
        if let Some(first) = self.members.first() {
            first.thread.thread().unpark();
        }
    }

    /// Waits until the search under way has ended.
    pub(crate) fn wait(&mut self) {
        if let Some(under_way) = self.under_way.take() {
            // Nothing is ever sent.
            let _ = under_way.recv();
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.signals.stop();
        self.wake();
        self.wait();
        dismiss(self.members.drain(..));
    }
}

/// Tells that a search has ended, even by a fault.
struct Ending {
    signals: Arc<Signals>,
    _hang_up: Sender<()>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.signals.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;
    use crate::search::searcher::Silence;
    use crate::search::{BestMove, Bound, Report};

    /// A search that nobody hears.
    fn search(team: &mut Team, limits: Limits) {
        team.begin(&Game::default(), limits, Settings::PLAIN, Box::new(Silence));
    }

    fn team() -> Team {
        let table = Arc::new(Table::new(1).unwrap());
        Team::new(table, Arc::new(Signals::new()), None).unwrap()
    }

    #[test]
    fn those_that_stay_keep_what_they_have_learned() {
        let mut team = team();
        let threads = |team: &Team| {
            let ids = team.members.iter().map(|member| member.thread.thread().id());
            ids.collect::<Vec<_>>()
        };
        let first = threads(&team);
        for count in [3, 2, 5, 1] {
            team.resize(count).unwrap();
            search(&mut team, Limits { depth: Some(3), ..Limits::default() });
            assert_eq!(threads(&team).len(), count);
            assert_eq!(threads(&team)[0], first[0], "the same thread all the time");
        }
    }

    #[test]
    fn more_threads_than_there_is_memory_for_are_refused() {
        let mut team = team();
        team.resize(2).unwrap();
        if available_memory().is_some() {
            let error = team.resize(usize::MAX / Worker::BYTES / 2).unwrap_err();
            assert!(error.to_string().contains("MiB are available"), "{error}");
        }
        assert_eq!(team.members.len(), 2);
        search(&mut team, Limits { depth: Some(3), ..Limits::default() });
        team.wait();
    }

    #[test]
    fn a_fault_of_one_order_does_not_end_the_thread() {
        let mut team = team();
        team.resize(2).unwrap();
        for member in &team.members {
            member.order(|_| panic!("a fault on purpose"));
        }
        let (sender, heard) = mpsc::channel();
        team.all(move |worker| sender.send(worker.nodes).unwrap());
        assert_eq!(heard.iter().collect::<Vec<_>>(), [0, 0]);
    }

    /// Breaks the search down with the report of an iteration, and keeps what comes then.
    struct Breaking {
        at_depth: u32,
        best: Option<Move>,
        told: Sender<(Option<Move>, BestMove, Vec<String>)>,
        notes: Vec<String>,
    }

    impl Sink for Breaking {
        fn report(&mut self, report: &Report) {
            if report.bound != Bound::Upper {
                self.best = report.pv.first().copied();
            }
            assert!(report.depth < self.at_depth, "a fault on purpose");
        }

        fn note(&mut self, text: &str) {
            self.notes.push(text.to_owned());
        }

        fn finished(&mut self, best: BestMove) {
            self.told.send((self.best, best, std::mem::take(&mut self.notes))).unwrap();
        }
    }

    #[test]
    fn a_search_that_breaks_down_plays_the_best_move_so_far() {
        let mut team = team();
        for at_depth in [1, 2, 5] {
            let (told, heard) = mpsc::channel();
            let sink = Breaking { at_depth, best: None, told, notes: Vec::new() };
            let limits = Limits { depth: Some(9), ..Limits::default() };
            // A capture that must be made, and comes late in the list of moves.
            let game = Game::new("7k/8/8/8/8/6q1/7P/7K w - - 0 1".parse().unwrap());
            team.begin(&game, limits, Settings::PLAIN, Box::new(sink));
            let (so_far, played, notes) = heard.recv().unwrap();
            assert_eq!(notes, ["error: the search broke off"]);
            assert_eq!(played.best, so_far, "depth {at_depth}");
            assert!(played.best.is_some());
        }
        search(&mut team, Limits { depth: Some(3), ..Limits::default() });
        team.wait();
    }

    #[test]
    fn a_team_that_is_dropped_ends_its_search() {
        let mut team = team();
        team.resize(3).unwrap();
        search(&mut team, Limits { infinite: true, ..Limits::default() });
        drop(team);
    }
}
