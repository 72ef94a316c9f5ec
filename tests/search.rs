//! The search from outside: mates, draws, limits, signals.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]
#![cfg(feature = "engine")]

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use qishou::chess::{Game, Move, Position};
use qishou::search::{
    BestMove, Bound, Channel, Clock, Engine, Event, Limits, Report, Score, SearchResult, Searcher,
    Sink,
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn game(fen: &str) -> Game {
    Game::new(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// Plays moves in coordinate notation.
fn with_moves(mut game: Game, moves: &str) -> Game {
    for text in moves.split_whitespace() {
        let mv = find(game.position(), text);
        game.play(mv).unwrap();
    }
    game
}

fn find(position: &Position, text: &str) -> Move {
    let moves = position.legal_moves();
    moves.into_iter().find(|mv| mv.to_string() == text).unwrap_or_else(|| panic!("{text}"))
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn search(game: &Game, limits: &Limits) -> SearchResult {
    Searcher::new(8).unwrap().search(game, limits)
}

fn start(engine: &mut Engine, game: &Game, limits: Limits) -> Receiver<Event> {
    let (sink, events) = Channel::new();
    engine.go(game, limits, Box::new(sink));
    events
}

/// All reports and the best move of a search, which has to end in time and only once.
fn collect(engine: &mut Engine, events: &Receiver<Event>) -> (Vec<Report>, BestMove) {
    let mut reports = Vec::new();
    loop {
        match events.recv_timeout(Duration::from_secs(20)).expect("the search ends") {
            Event::Report(report) => reports.push(report),
            Event::Finished(best) => {
                engine.wait();
                assert!(events.try_recv().is_err(), "nothing comes after the end");
                return (reports, best);
            }
        }
    }
}

/// Keeps what it is told.
struct Lines(Vec<Report>);

impl Sink for Lines {
    fn report(&mut self, report: &Report) {
        self.0.push(report.clone());
    }
    fn finished(&mut self, _: BestMove) {}
}

fn assert_legal(game: &Game, pv: &[Move]) {
    let mut game = game.clone();
    for &mv in pv {
        game.play(mv).unwrap_or_else(|error| panic!("{error} in {pv:?}"));
    }
}

/// Ra6, and every move of Black's lets White mate, but passing would not.
const ZUGZWANG: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

#[test]
fn mates_are_found_and_their_lines_end_in_mate() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        (ZUGZWANG, 2),
        ("8/8/8/8/8/k1K5/8/6R1 b - - 0 1", -2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("6k1/6P1/5K1R/8/8/8/8/8 w - - 0 1", 1),
        // Smothered: Nf7+ Kg8 Nh6+ Kh8 Qg8+ Rxg8 Nf7.
        ("2r4k/6pp/8/4N1N1/2Q5/8/8/7K w - - 0 1", 1),
        // On the hundredth half move mate comes first.
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", 1),
    ] {
        let game = game(fen);
        let limits = if fen == ZUGZWANG {
            // By nodes, not by depth: it hides from null moves and reductions, not for long.
            Limits { nodes: Some(1_000_000), ..Limits::default() }
        } else {
            Limits { depth: Some(12), ..Limits::default() }
        };
        let found = search(&game, &limits);
        assert_eq!(found.score.moves_to_mate(), Some(moves), "{fen}: {found:?}");
        let plies = found.score.plies_to_mate().unwrap() as usize;
        assert_eq!(found.pv.len(), plies, "{fen}: {found:?}");
        let end = found.pv.iter().fold(*game.position(), |position, &mv| position.child(mv));
        assert!(end.in_check() && !end.has_legal_move(), "{fen}");
    }
}

#[test]
fn a_mate_limit_ends_the_search_at_the_mate() {
    let limits = Limits { mate: Some(2), ..Limits::default() };
    for lines in [1, 3] {
        let mut engine = Engine::new();
        engine.set_multi_pv(lines);
        let events = start(&mut engine, &game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), limits.clone());
        let (reports, best) = collect(&mut engine, &events);
        let first = reports.iter().rfind(|report| report.multi_pv == 1).unwrap();
        assert_eq!(first.score.moves_to_mate(), Some(2));
        assert_eq!(best.best.unwrap().to_string(), "a1a6");
    }
}

#[test]
fn no_legal_move_means_no_best_move() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        let mut engine = Engine::new();
        let events = start(&mut engine, &game(fen), depth(5));
        let (reports, best) = collect(&mut engine, &events);
        assert_eq!(best, BestMove { best: None, ponder: None }, "{fen}");
        assert!(reports.is_empty());
        let events = start(&mut engine, &game(fen), Limits { infinite: true, ..Limits::default() });
        assert!(events.recv_timeout(Duration::from_millis(50)).is_err());
        engine.stop();
        collect(&mut engine, &events);
    }
}

#[test]
fn draws_in_the_tree_are_seen() {
    for (fen, draw) in [
        // A rook down, but perpetual check: Qe8+ Kh7 Qh5+.
        ("6k1/6p1/8/7Q/r7/8/1q4P1/6K1 w - - 0 1", true),
        // With a rook that can go between it is none.
        ("6k1/6p1/r7/7Q/8/8/1q4P1/6K1 w - - 0 1", false),
        // The rook is taken and nothing is left to mate with.
        ("8/8/8/4k3/8/2r5/3K4/8 w - - 0 1", true),
        // One more half move and the fifty moves are over; no pawn to push.
        ("8/8/8/4k3/8/8/8/R3K3 w - - 99 80", true),
        ("8/8/4k3/8/8/2BKB1B1/8/8 w - - 0 1", true),
    ] {
        let found = search(&game(fen), &depth(8));
        assert_eq!(found.score == Score::DRAW, draw, "{fen}: {found:?}");
    }
}

#[test]
fn a_lost_side_repeats_a_position_of_the_game() {
    // White is a rook down; the position after Kh1 has been there twice.
    let shuffled = with_moves(
        game("6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1"),
        "g1f1 g8f8 f1g1 f8g8 g1f1 g8f8 f1g1",
    );
    let found = search(&shuffled, &depth(6));
    // Black to move wins, and does not go back to g8.
    assert_ne!(found.best.best.unwrap().to_string(), "f8g8");
    assert!(found.score > Score(200), "{found:?}");
    // One repetition alone is no draw yet when it lies before the root.
    let once = with_moves(game("6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 0 1"), "g8f8 g1f1 f8g8");
    let limits = Limits { search_moves: vec![find(once.position(), "f1g1")], ..depth(1) };
    assert!(search(&once, &limits).score < Score(-200));
    let twice = with_moves(once, "f1g1 g8f8 g1f1 f8g8");
    let limits = Limits { search_moves: vec![find(twice.position(), "f1g1")], ..depth(1) };
    assert_eq!(search(&twice, &limits).score, Score::DRAW);
}

#[test]
fn only_the_pawn_move_keeps_the_win_at_the_end_of_fifty_moves() {
    let found = search(&game("8/8/8/8/8/2k5/p7/7K b - - 99 80"), &depth(6));
    assert!(found.best.best.unwrap().promoted().is_some(), "{found:?}");
}

#[test]
fn the_same_search_takes_the_same_nodes() {
    let run = || search(&game(KIWIPETE), &depth(7));
    assert_eq!(run(), run());
}

#[test]
fn a_new_game_forgets_the_old_one() {
    let mut searcher = Searcher::new(8).unwrap();
    let fresh = searcher.search(&game(KIWIPETE), &depth(6));
    searcher.search(&Game::default(), &depth(6));
    searcher.new_game();
    assert_eq!(searcher.search(&game(KIWIPETE), &depth(6)), fresh);
}

#[test]
fn node_limits_are_exact() {
    for limit in [1, 2, 10, 100, 5000, 30_000] {
        let mut engine = Engine::new();
        let events = start(&mut engine, &game(KIWIPETE), nodes(limit));
        let (reports, best) = collect(&mut engine, &events);
        let position: Position = KIWIPETE.parse().unwrap();
        assert!(position.is_legal(best.best.unwrap()), "{limit}");
        assert!(reports.iter().any(|report| report.bound == Bound::Exact), "{limit}");
        let searched = search(&game(KIWIPETE), &nodes(limit)).nodes;
        assert_eq!(searched, limit);
    }
}

#[test]
fn a_soft_node_limit_finishes_its_iteration() {
    let limits = Limits { soft_nodes: Some(3000), ..Limits::default() };
    let found = search(&game(KIWIPETE), &limits);
    assert!(found.nodes >= 3000);
    assert_eq!(search(&game(KIWIPETE), &depth(found.depth)), found);
    assert!(search(&game(KIWIPETE), &depth(found.depth - 1)).nodes < 3000);
}

#[test]
fn a_limit_does_not_stick() {
    let mut engine = Engine::new();
    let events = start(&mut engine, &Game::default(), nodes(100));
    collect(&mut engine, &events);
    let events = start(&mut engine, &Game::default(), depth(6));
    let (reports, _) = collect(&mut engine, &events);
    assert_eq!(reports.last().unwrap().depth, 6);
}

#[test]
fn several_lines_differ_and_are_sorted() {
    let game = game(KIWIPETE);
    let mut lines = Lines(Vec::new());
    Searcher::new(8).unwrap().search_with(&game, &depth(6), 5, &mut lines);
    for depth in 1..=6 {
        let block: Vec<&Report> = lines.0.iter().filter(|report| report.depth == depth).collect();
        assert_eq!(block.len(), 5);
        for (number, pair) in block.windows(2).enumerate() {
            assert_eq!(pair[0].multi_pv as usize, number + 1);
            assert!(pair[0].score >= pair[1].score);
        }
        for report in &block {
            assert_eq!(report.bound, Bound::Exact);
            assert_legal(&game, &report.pv);
        }
        let mut firsts: Vec<u16> = block.iter().map(|report| report.pv[0].bits()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 5);
    }
}

#[test]
fn more_lines_than_moves_are_all_the_moves() {
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let mut lines = Lines(Vec::new());
    Searcher::new(8).unwrap().search_with(&game(fen), &depth(1), 500, &mut lines);
    assert_eq!(lines.0.len(), 218);
}

#[test]
fn only_the_asked_moves_are_searched() {
    let game = Game::default();
    let asked: Vec<Move> = ["a2a3", "h2h4"].map(|text| find(game.position(), text)).into();
    let limits = Limits { search_moves: asked.clone(), ..depth(6) };
    let mut lines = Lines(Vec::new());
    let found = Searcher::new(8).unwrap().search_with(&game, &limits, 4, &mut lines);
    assert!(asked.contains(&found.best.best.unwrap()));
    assert!(lines.0.iter().all(|report| asked.contains(&report.pv[0])));
    assert!(lines.0.iter().all(|report| report.multi_pv <= 2));
}

#[test]
fn illegal_search_moves_alone_are_ignored() {
    let game = Game::default();
    let elsewhere: Position = KIWIPETE.parse().unwrap();
    let limits = Limits { search_moves: vec![find(&elsewhere, "e5f7")], ..depth(3) };
    assert!(game.position().is_legal(search(&game, &limits).best.best.unwrap()));
}

#[test]
fn stop_ends_a_search_at_once_and_there_is_a_report() {
    let mut engine = Engine::new();
    for pause in [0, 0, 0, 1, 30, 200] {
        let limits = Limits { infinite: true, ..Limits::default() };
        let events = start(&mut engine, &game(KIWIPETE), limits);
        assert!(engine.is_searching());
        std::thread::sleep(Duration::from_millis(pause));
        let asked = Instant::now();
        engine.stop();
        let (reports, best) = collect(&mut engine, &events);
        // A loaded machine may be slow; the true bound is a few milliseconds.
        assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
        assert!(!engine.is_searching());
        let last = reports.iter().rfind(|report| report.multi_pv == 1).unwrap();
        assert_eq!(last.pv[0], best.best.unwrap());
        assert!(reports.iter().any(|report| report.bound == Bound::Exact));
        for report in reports {
            assert_legal(&game(KIWIPETE), &report.pv);
        }
        let after = game(KIWIPETE).position().child(best.best.unwrap());
        assert!(best.ponder.is_none_or(|mv| after.is_legal(mv)));
    }
}

#[test]
fn infinite_and_ponder_wait_even_if_nothing_is_left_to_search() {
    // Two kings: every depth is done in no time.
    let bare = game("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let clock = Some(Clock { time: 50, increment: 0, moves_to_go: None });
    for limits in [
        Limits { infinite: true, ..Limits::default() },
        Limits { infinite: true, ..depth(2) },
        Limits { ponder: true, ..depth(2) },
        Limits { ponder: true, clock, ..Limits::default() },
        Limits { ponder: true, move_time: Some(Duration::from_millis(20)), ..Limits::default() },
    ] {
        let mut engine = Engine::new();
        let events = start(&mut engine, &bare, limits.clone());
        let until = Instant::now() + Duration::from_millis(150);
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            if let Ok(Event::Finished(_)) = events.recv_timeout(left) {
                panic!("too early: {limits:?}");
            }
        }
        if limits.ponder {
            engine.ponder_hit();
        } else {
            engine.stop();
        }
        let (_, best) = collect(&mut engine, &events);
        assert!(best.best.is_some());
    }
}

#[test]
fn the_clock_of_a_ponder_search_starts_with_the_hit() {
    let mut engine = Engine::new();
    let limits =
        Limits { ponder: true, move_time: Some(Duration::from_millis(300)), ..Limits::default() };
    let events = start(&mut engine, &game(KIWIPETE), limits);
    std::thread::sleep(Duration::from_millis(400));
    let hit = Instant::now();
    engine.ponder_hit();
    collect(&mut engine, &events);
    assert!(hit.elapsed() > Duration::from_millis(200), "{:?}", hit.elapsed());
}

#[test]
fn clocks_are_kept() {
    let mut engine = Engine::new();
    for (time, increment, moves_to_go) in [
        (-100, 0, None),
        (0, 0, None),
        (1, 0, Some(1)),
        (50, 0, None),
        (300, 0, Some(1)),
        (300, 100, None),
        (1000, 0, Some(40)),
        (i64::MIN, i64::MAX, Some(0)),
    ] {
        let clock = Clock { time, increment, moves_to_go };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let begun = Instant::now();
        let events = start(&mut engine, &game(KIWIPETE), limits);
        let (_, best) = collect(&mut engine, &events);
        assert!(best.best.is_some());
        let allowed = Duration::from_millis(time.max(0).unsigned_abs() + 200);
        assert!(begun.elapsed() < allowed, "{clock:?}: {:?}", begun.elapsed());
    }
}

#[test]
fn a_forced_move_is_played_at_once() {
    let mut engine = Engine::new();
    let clock = Some(Clock { time: 600_000, increment: 0, moves_to_go: None });
    let only = game("8/8/8/8/8/1k6/7r/K7 w - - 0 1");
    assert_eq!(only.position().count_moves(), 1);
    let begun = Instant::now();
    let limits = Limits { clock, ..Limits::default() };
    let events = start(&mut engine, &only, limits.clone());
    collect(&mut engine, &events);
    assert!(begun.elapsed() < Duration::from_secs(1));

    // While it ponders it waits, however long; after the hit nothing is left to do.
    let events = start(&mut engine, &only, Limits { ponder: true, ..limits.clone() });
    std::thread::sleep(Duration::from_millis(300));
    assert!(engine.is_searching());
    let hit = Instant::now();
    engine.ponder_hit();
    collect(&mut engine, &events);
    assert!(hit.elapsed() < Duration::from_millis(500), "{:?}", hit.elapsed());

    let events = start(&mut engine, &only, Limits { infinite: true, ..limits });
    std::thread::sleep(Duration::from_millis(300));
    assert!(engine.is_searching());
    engine.stop();
    collect(&mut engine, &events);
}

/// Ends the search by a fault of its own.
struct Faulty(Sender<()>);

impl Sink for Faulty {
    fn report(&mut self, _: &Report) {
        panic!("a fault on purpose");
    }
    fn finished(&mut self, best: BestMove) {
        assert!(best.best.is_some());
        self.0.send(()).unwrap();
    }
}

#[test]
fn a_fault_in_a_search_still_gives_a_move_and_leaves_a_sound_engine() {
    let mut engine = Engine::new();
    for threads in [1, 3] {
        engine.set_threads(threads).unwrap();
        let (sender, ended) = channel();
        engine.go(&Game::default(), depth(5), Box::new(Faulty(sender)));
        engine.wait();
        let ends = ended.try_iter().count();
        // With helpers it is the sink that breaks once more, when their line is told.
        assert!(ends == 1 || threads > 1, "{ends} ends");
        assert!(!engine.is_searching());
        let events = start(&mut engine, &Game::default(), depth(5));
        collect(&mut engine, &events);
    }
}

#[test]
fn the_deepest_search_ends_by_itself_on_a_small_stack() {
    // Blocked for good: every line is as long as lines can be.
    let blocked = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1";
    let found = search(
        &game(blocked),
        &Limits { depth: Some(100_000), nodes: Some(2_000_000), ..Limits::default() },
    );
    assert!(found.best.best.is_some());
    let found = search(&game("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), &depth(u32::MAX));
    assert_eq!((found.depth as usize, found.score), (Score::MAX_PLY - 1, Score::DRAW));
}

#[test]
fn several_threads_find_mates_keep_limits_and_can_be_changed_in_between() {
    let mut engine = Engine::new();
    let mate = game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for threads in [3, 1, 2] {
        assert_eq!(engine.set_threads(threads), Ok(threads));
        let events = start(&mut engine, &mate, depth(10));
        let (reports, best) = collect(&mut engine, &events);
        assert_eq!(best.best.unwrap().to_string(), "f6a6", "{threads} threads");
        assert_eq!(reports.last().unwrap().score.moves_to_mate(), Some(3));
        engine.set_hash(threads).unwrap();
        let limits = Limits { nodes: Some(50_000), ..Limits::default() };
        let events = start(&mut engine, &game(KIWIPETE), limits);
        let (reports, best) = collect(&mut engine, &events);
        for report in &reports {
            assert_legal(&game(KIWIPETE), &report.pv);
        }
        assert_eq!(reports.last().unwrap().pv[0], best.best.unwrap());
        engine.new_game();
    }
}

#[test]
fn a_dropped_engine_stops() {
    let mut engine = Engine::new();
    let events =
        start(&mut engine, &Game::default(), Limits { infinite: true, ..Limits::default() });
    let begun = Instant::now();
    drop(engine);
    assert!(begun.elapsed() < Duration::from_secs(1));
    let ends = events.try_iter().filter(|event| matches!(event, Event::Finished(_))).count();
    assert_eq!(ends, 1);
}

#[test]
fn a_hash_that_is_too_large_leaves_the_old_one() {
    let mut engine = Engine::new();
    assert!(engine.set_hash(usize::MAX >> 10).is_err());
    engine.set_hash(1).unwrap();
    let events = start(&mut engine, &Game::default(), depth(5));
    collect(&mut engine, &events);
}
