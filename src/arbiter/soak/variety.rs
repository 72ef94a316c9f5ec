//! What each game of a soak is like: control, options, where it begins. All of it follows from the
//! seed and the game's number.

use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::arbiter::clock::TimeControl;
use crate::chess::{Game, Position};

/// Time controls and limits, each with whether the opponent's time is thought on.
const CONTROLS: [(&str, bool); 13] = [
    ("1+0.01", false),
    ("1", false),
    ("20/0.5", false),
    ("10/0.4:8/0.3:0.4+0.01", false),
    ("0.2+0.02", false),
    ("0.3d0.02", false),
    ("0.03/move", false),
    ("1+0.01", true),
    ("1", true),
    ("20/0.5", true),
    ("0.02/move", true),
    ("nodes=3000", false),
    ("depth=6", false),
];

/// Values that options have in turn; an engine that does not know one is not told.
const OPTIONS: [(&str, &[&str]); 4] = [
    ("Threads", &["1", "2"]),
    ("Hash", &["1", "8", "16", "64"]),
    ("MultiPV", &["1", "1", "3"]),
    ("UCI_ShowWDL", &["false", "true"]),
];

/// Random plies at the beginning of an ordinary game.
const OPENING: usize = 8;

/// A game that is to be played.
#[derive(Clone, Debug)]
pub struct Round {
    /// What limits both sides.
    pub control: TimeControl,
    /// The name of that, with whether they ponder.
    pub name: String,
    /// They think on the opponent's time.
    pub ponder: bool,
    /// It begins from a Chess960 position.
    pub chess960: bool,
    /// It has the options of the start, and memory is looked at after it.
    pub base: bool,
    /// Options that are set before it.
    pub options: Vec<(String, String)>,
    /// The first moves.
    pub opening: Game,
    /// Where in the game manners are looked at, as a part of it, and after how long a think.
    pub probes: [(f64, Duration); 2],
}

impl Round {
    /// The game with this number. In the base ones `base` goes before what is drawn.
    pub fn of(seed: u64, number: u64, at_base: bool, base: &[(String, String)]) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let (text, ponder) = CONTROLS[(number % CONTROLS.len() as u64) as usize];
        let chess960 = rng.random_range(0..3) == 0;
        let mut options = Vec::new();
        for (name, values) in OPTIONS {
            let same = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
            let told = base.iter().find(same).map(|(_, value)| value.as_str());
            let drawn = *values.choose(&mut rng).unwrap_or(&values[0]);
            let value = if at_base { told.unwrap_or(default(name)) } else { drawn };
            // Whatever was set before, the same way leads to the base.
            let away = values.iter().find(|other| at_base && **other != value);
            let steps = away.copied().into_iter().chain([value]);
            options.extend(steps.map(|value| (name.to_owned(), value.to_owned())));
        }
        options.push(("UCI_Chess960".into(), chess960.to_string()));
        options.push(("Ponder".into(), ponder.to_string()));
        let probes = [0, 1].map(|_| {
            let think = Duration::from_millis(rng.random_range(2..60));
            (rng.random_range(0.0..0.9), think)
        });
        Self {
            control: control(text),
            name: format!("{text}{}", if ponder { " ponder" } else { "" }),
            ponder,
            chess960,
            base: at_base,
            options,
            opening: opening(chess960, &mut rng),
            probes,
        }
    }
}

/// What an option comes back to if the engine was started without it.
fn default(name: &str) -> &'static str {
    match name {
        "Threads" => "2",
        "Hash" => "16",
        "MultiPV" => "1",
        _ => "false",
    }
}

/// A limit of the table.
fn control(text: &str) -> TimeControl {
    let number = |name: &str| text.strip_prefix(name).and_then(|number| number.parse().ok());
    if let Some(nodes) = number("nodes=") {
        return TimeControl { nodes: Some(nodes), ..TimeControl::default() };
    }
    if let Some(depth) = number("depth=") {
        return TimeControl { depth: Some(depth as u32), ..TimeControl::default() };
    }
    text.parse().expect("a test reads all controls of the table")
}

/// A beginning that is not over: random moves, or one of the 960 × 960 arrays.
fn opening(chess960: bool, rng: &mut impl Rng) -> Game {
    if chess960 {
        let arrays = [0, 1].map(|_| rng.random_range(0..960));
        // Half of the games have the same array for both.
        let black = if rng.random() { arrays[0] } else { arrays[1] };
        return Position::double_chess960(arrays[0], black).map(Game::new).unwrap_or_default();
    }
    loop {
        let mut game = Game::default();
        for _ in 0..OPENING {
            let moves = game.position().legal_moves();
            let Some(&mv) = moves.choose(rng) else { break };
            game.play(mv).expect("a legal move");
        }
        if game.ending().is_none() {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_is_read_and_every_kind_of_game_comes() {
        let (mut chess960, mut ordinary) = (0, 0);
        for number in 0..200 {
            let round = Round::of(5, number, false, &[]);
            assert!(round.opening.ending().is_none());
            chess960 += usize::from(round.chess960);
            ordinary += usize::from(!round.chess960);
            let again = Round::of(5, number, false, &[]);
            assert_eq!(round.opening.moves(), again.opening.moves());
            assert_eq!(round.options, again.options);
        }
        assert!(chess960 > 40 && ordinary > 80);
    }

    #[test]
    fn options_come_back_to_those_of_the_start() {
        let base = [("hash".to_owned(), "32".to_owned())];
        for number in 0..20 {
            let round = Round::of(1, number, true, &base);
            let values = |name: &str| -> Vec<&str> {
                let same = |(known, _): &&(String, String)| known == name;
                round.options.iter().filter(same).map(|(_, value)| value.as_str()).collect()
            };
            assert_eq!((values("Hash"), values("Threads")), (vec!["1", "32"], vec!["1", "2"]));
        }
    }
}
