//! Long games on a running clock, as a host plays them: the program may be late nowhere.
//!
//! The moves are scripted, since an engine against itself would not play on for so long; what the
//! engine answers is checked and thrown away, but its time counts.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]
#![cfg(feature = "engine")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use qishou::chess::{Color, Game, Move};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

#[path = "support/host.rs"]
mod host;

/// What a busy machine may steal from a player: an idle one stays within a tenth of it.
const FORGIVEN: Duration = Duration::from_millis(300);

/// How the time of a side is counted.
struct Control {
    name: &'static str,
    plies: usize,
    time: Duration,
    increment: Duration,
    /// Moves in a period, after which the time comes once more.
    period: Option<u32>,
}

const CONTROLS: [Control; 2] = [
    Control {
        name: "600 plies with an increment",
        plies: 600,
        time: Duration::from_secs(2),
        increment: Duration::from_millis(20),
        period: None,
    },
    Control {
        name: "periods of 40 moves, one after the other",
        plies: 200,
        time: Duration::from_secs(1),
        increment: Duration::ZERO,
        period: Some(40),
    },
];

/// The clock of a side.
struct SideClock {
    left: Duration,
    to_go: Option<u32>,
}

impl SideClock {
    fn new(control: &Control) -> Self {
        Self { left: control.time, to_go: control.period }
    }

    /// A move was made in this time.
    fn spend(&mut self, used: Duration, control: &Control) -> Result<(), Duration> {
        if used > self.left + FORGIVEN {
            return Err(used.saturating_sub(self.left));
        }
        self.left = self.left.saturating_sub(used) + control.increment;
        if let Some(to_go) = &mut self.to_go {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = control.period.unwrap();
                self.left += control.time;
            }
        }
        Ok(())
    }
}

/// A legal move by chance that leaves the game open: no mate, no stalemate, no bare kings, and the
/// fifty moves begin anew in time.
fn scripted_move(game: &Game, random: &mut ChaCha8Rng) -> Move {
    let position = game.position();
    let men = position.occupied().len();
    let goes_on = |&mv: &Move| {
        let child = position.child(mv);
        child.has_legal_move() && (child.occupied().len() == men || men > 12)
    };
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(goes_on).collect();
    let resets = |&mv: &Move| position.child(mv).halfmove_clock() == 0;
    // Pawns and captures are saved up.
    let wanted = position.halfmove_clock() > 70;
    let choice: Vec<Move> = moves.iter().copied().filter(|mv| resets(mv) == wanted).collect();
    let choice = if choice.is_empty() { &moves } else { &choice };
    choice[random.random_range(0..choice.len())]
}

fn play(control: &Control) {
    let mut host = host::program();
    host.say(&["uci", "ucinewgame", "isready"]);
    host.until("readyok");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut game = Game::default();
    let mut clocks = [SideClock::new(control), SideClock::new(control)];
    let mut line = "position startpos moves".to_owned();
    let mut least = control.time;
    for ply in 0..control.plies {
        let mover = game.position().side_to_move();
        let left = |color: Color| clocks[color].left.as_millis();
        let (white, black) = (left(Color::White), left(Color::Black));
        let increment = control.increment.as_millis();
        let mut go = format!("go wtime {white} btime {black} winc {increment} binc {increment}");
        if let Some(to_go) = clocks[mover].to_go {
            write!(go, " movestogo {to_go}").unwrap();
        }
        host.say(&[&line, &go]);
        let began = Instant::now();
        let answer = host.best_move();
        let used = began.elapsed();
        let mv = game.position().parse_uci(&answer);
        assert!(mv.is_ok(), "{}: {answer} at ply {ply}", control.name);
        if let Err(late) = clocks[mover].spend(used, control) {
            panic!("{}: {late:?} late at ply {ply} after {go:?}", control.name);
        }
        least = least.min(clocks[mover].left);
        let mv = scripted_move(&game, &mut random);
        write!(line, " {}", game.position().uci(mv, false)).unwrap();
        game.play(mv).unwrap();
    }
    // Whoever hardly thinks is in no danger, but plays no chess either.
    let left = clocks.iter().map(|clock| clock.left).max().unwrap();
    assert!(left < control.time, "{}: {left:?} left of {:?}", control.name, control.time);
    eprintln!("{}: least on a clock {least:?}", control.name);
    host.say(&["quit"]);
    host.farewell();
}

#[test]
fn no_move_of_a_long_game_is_late() {
    for control in &CONTROLS {
        play(control);
    }
}
