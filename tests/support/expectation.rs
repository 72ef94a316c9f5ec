//! What a host may expect of an engine after the lines it has sent: what to hold every
//! conversation against, however mad.
#![allow(dead_code, reason = "not every user needs all of it")]

use qishou::chess::Game;
use qishou::uci::{Change, Command, Options, Start};

/// What follows from the lines a host has sent.
#[derive(Debug, Default)]
pub(crate) struct Expectation {
    game: Option<Game>,
    /// For each `go` the game it was about; none if that is not known.
    searches: Vec<Option<Game>>,
    /// `isready` before and after `quit`.
    asked: [usize; 2],
    left: bool,
}

impl Expectation {
    pub(crate) fn new() -> Self {
        Self { game: Some(Game::default()), ..Self::default() }
    }

    /// Of all that is sent; the bytes need not be text.
    pub(crate) fn of(input: &[u8]) -> Self {
        let mut expectation = Self::new();
        for line in input.split(|&byte| byte == b'\n') {
            expectation.hear(&String::from_utf8_lossy(line));
        }
        expectation
    }

    /// How many best moves will be told.
    pub(crate) fn searches(&self) -> usize {
        self.searches.len()
    }

    /// A line has been sent.
    pub(crate) fn hear(&mut self, line: &str) {
        let Ok(Some(command)) = Command::parse(line) else { return };
        if command == Command::IsReady {
            self.asked[usize::from(self.left)] += 1;
        }
        if self.left {
            return;
        }
        match command {
            Command::Quit => self.left = true,
            Command::Go(_) => self.searches.push(self.game.clone()),
            // What is on the board then is not told again here.
            Command::Flip => self.game = None,
            Command::Position { start, moves } => {
                if let Some(game) = game(&start, &moves) {
                    self.game = Some(game);
                }
            }
            _ => {}
        }
    }

    /// What is wrong with all that the engine has said, once it has left.
    pub(crate) fn fault(&self, output: &str) -> Option<String> {
        if let Some(line) = output.lines().find(|line| line.contains(": the search broke")) {
            return Some(line.to_owned());
        }
        let ready = output.lines().filter(|&line| line == "readyok").count();
        let [before, after] = self.asked;
        if ready < before || ready > before + after {
            return Some(format!("{ready} readyok for {before} isready"));
        }
        let best: Vec<&str> =
            output.lines().filter_map(|line| line.strip_prefix("bestmove")).collect();
        if best.len() != self.searches.len() {
            return Some(format!("{} bestmove for {} go", best.len(), self.searches.len()));
        }
        let mut all = best.iter().zip(&self.searches).zip(1..);
        all.find_map(|((best, game), number)| {
            let game = game.as_ref()?;
            let fault = fault_of_move(best, game)?;
            Some(format!("bestmove{best} for go {number} ({}): {fault}", game.position()))
        })
    }
}

/// The game a `position` describes; none if the command is refused.
pub(crate) fn game(start: &Start, moves: &[String]) -> Option<Game> {
    let mut game = match start {
        Start::StartPos => Game::default(),
        Start::Fen(fen) => Game::new(fen.parse().ok()?),
    };
    for text in moves {
        let mv = game.position().parse_uci(text).ok()?;
        game.play(mv).ok()?;
    }
    Some(game)
}

fn fault_of_move(best: &str, game: &Game) -> Option<&'static str> {
    let words: Vec<&str> = best.split(' ').skip(1).collect();
    let position = game.position();
    let Some(&first) = words.first() else { return Some("no move") };
    if !position.has_legal_move() {
        return (words != ["(none)"]).then_some("there is no legal move");
    }
    let Ok(mv) = position.parse_uci(first) else { return Some("illegal") };
    match words[1..] {
        [] => None,
        ["ponder", answer] => {
            position.child(mv).parse_uci(answer).is_err().then_some("illegal ponder move")
        }
        _ => Some("more than a move"),
    }
}

/// Whether a line may be sent to an engine that is to answer soon and leave the machine as it is:
/// no large tables, few threads, no files written, no devices read.
pub(crate) fn is_harmless(line: &str) -> bool {
    const MEBIBYTES: u32 = 32;
    const THREADS: u32 = 3;
    let small = |number: Option<u32>, most| number.is_none_or(|number| number <= most);
    match Command::parse(line) {
        Ok(Some(Command::SetOption { name, value })) => {
            match Options::change(&name, value.as_deref()) {
                // No machine has so much memory as the largest sizes: those are refused.
                Ok(Change::Hash(size)) => size <= MEBIBYTES as usize || size >= 1 << 20,
                Ok(Change::Threads(count)) => count <= THREADS as usize,
                Ok(Change::DebugLogFile(_)) => false,
                Ok(Change::EvalFile(path) | Change::BookFile(path) | Change::SyzygyPath(path)) => {
                    !path.contains("/dev") && !path.contains("/proc") && !path.contains("/sys")
                }
                _ => true,
            }
        }
        Ok(Some(Command::Bench(bench))) => {
            small(bench.hash, MEBIBYTES) && small(bench.threads, THREADS)
        }
        Ok(Some(Command::SpeedTest(test))) => {
            small(test.hash, MEBIBYTES) && small(test.threads, THREADS)
        }
        Ok(Some(Command::GenFens(wanted))) => wanted.book.is_none(),
        _ => true,
    }
}
