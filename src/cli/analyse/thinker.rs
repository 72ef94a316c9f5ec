//! Who answers: this engine in this process, or another one beside it.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use qishou::chess::{Game, Move, Position};
use qishou::search::{BestMove, Bound, Engine, Limits, Report, Sink};

use super::STOP;

/// How long each position is thought about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// Milliseconds.
    Time(u64),
    Nodes(u64),
    Depth(u32),
}

/// What was found.
#[derive(Clone, Default, Debug)]
pub(super) struct Answer {
    /// The move played.
    pub(super) best: Option<Move>,
    /// The moves to mate of the last exact score, if it is a mate; negative if the side to move is
    /// mated.
    pub(super) mate: Option<i32>,
    /// The line of that score.
    pub(super) line: Vec<Move>,
}

/// An engine that answers.
pub(super) trait Thinker {
    /// Thinks about a position as if it began a new game.
    fn think(&mut self, position: &Position) -> anyhow::Result<Answer>;

    /// After a fault: makes ready for the next position.
    fn recover(&mut self) -> anyhow::Result<()>;
}

/// This engine.
pub(super) struct Own {
    engine: Engine,
    limits: Limits,
}

impl Own {
    pub(super) fn new(limit: Limit, threads: u16, hash: u32) -> anyhow::Result<Self> {
        let mut engine = Engine::new();
        engine.set_threads(threads.into())?;
        engine.set_hash(hash as usize)?;
        // Nothing is lost on the way to oneself.
        engine.set_move_overhead(0);
        let mut limits = Limits::default();
        match limit {
            Limit::Time(milliseconds) => {
                limits.move_time = Some(Duration::from_millis(milliseconds));
            }
            Limit::Nodes(nodes) => limits.nodes = Some(nodes),
            Limit::Depth(depth) => limits.depth = Some(depth),
        }
        Ok(Self { engine, limits })
    }
}

enum Event {
    Report(Report),
    Finished(BestMove),
}

struct Channel(Sender<Event>);

impl Sink for Channel {
    fn report(&mut self, report: &Report) {
        // Nobody listens to the end of a search that was broken off.
        let _ = self.0.send(Event::Report(report.clone()));
    }

    fn finished(&mut self, best: BestMove) {
        let _ = self.0.send(Event::Finished(best));
    }
}

impl Thinker for Own {
    fn think(&mut self, position: &Position) -> anyhow::Result<Answer> {
        /// How often waiting looks at Ctrl-C.
        const LOOK: Duration = Duration::from_millis(50);
        let (sender, events) = mpsc::channel();
        self.engine.new_game();
        let game = Game::new(*position);
        self.engine.go(&game, self.limits.clone(), Box::new(Channel(sender)));
        let mut answer = Answer::default();
        loop {
            match events.recv_timeout(LOOK) {
                Ok(Event::Report(report)) => {
                    if report.multi_pv == 1 && report.bound == Bound::Exact {
                        answer.mate = report.score.moves_to_mate();
                        answer.line = report.pv;
                    }
                }
                Ok(Event::Finished(best)) => {
                    answer.best = best.best;
                    return Ok(answer);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if STOP.load(Relaxed) {
                        self.engine.stop();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the search broke down"),
            }
        }
    }

    fn recover(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "tools")]
pub(super) use other::Other;

#[cfg(feature = "tools")]
mod other {
    use anyhow::Context as _;
    use qishou::arbiter::player::{Engine, Player, Score};
    use qishou::chess::Fen;

    use super::{Answer, Duration, Limit, Move, Position, Relaxed, STOP, Thinker};

    /// What an engine may be late by before it counts as hung.
    const PATIENCE: Duration = Duration::from_mins(1);
    /// The longest search by nodes or depth.
    const LONGEST: Duration = Duration::from_hours(24);

    /// Another UCI engine, a child process.
    pub(in super::super) struct Other {
        how: Engine,
        player: Player,
        go: String,
    }

    impl Other {
        pub(in super::super) fn new(
            limit: Limit,
            command: &str,
            options: Vec<(String, String)>,
        ) -> anyhow::Result<Self> {
            let mut words = command.split_whitespace().map(str::to_owned);
            let mut how = Engine::new(words.next().context("--engine names no program")?);
            how.arguments.extend(words);
            how.options = options;
            let (go, longest) = match limit {
                Limit::Time(milliseconds) => (
                    format!("go movetime {milliseconds}"),
                    Duration::from_millis(milliseconds).saturating_add(PATIENCE),
                ),
                Limit::Nodes(nodes) => (format!("go nodes {nodes}"), LONGEST),
                Limit::Depth(depth) => (format!("go depth {depth}"), LONGEST),
            };
            how.longest_think = longest;
            let mut player = start(&how)?;
            for warning in player.take_warnings() {
                eprintln!("{warning}");
            }
            Ok(Self { how, player, go })
        }
    }

    fn start(how: &Engine) -> anyhow::Result<Player> {
        Player::start(how, false, None).with_context(|| how.command.display().to_string())
    }

    impl Thinker for Other {
        fn think(&mut self, position: &Position) -> anyhow::Result<Answer> {
            self.player.new_game()?;
            let place = format!("position fen {}", Fen::of(position));
            let go_on = || !STOP.load(Relaxed);
            let thought = self.player.think(&place, &self.go, None, go_on)?;
            let best = match thought.best.as_str() {
                "(none)" | "0000" | "" => None,
                text => Some(position.parse_uci(text)?),
            };
            let mate = match thought.info.score {
                Some(Score::Mate(moves)) => Some(moves),
                _ => None,
            };
            Ok(Answer { best, mate, line: line(position, &thought.info.line) })
        }

        fn recover(&mut self) -> anyhow::Result<()> {
            self.player = start(&self.how)?;
            Ok(())
        }
    }

    /// The moves of a line; none of them if one is illegal.
    fn line(position: &Position, words: &[String]) -> Vec<Move> {
        let mut end = *position;
        let mut moves = Vec::new();
        for word in words {
            let Ok(mv) = end.parse_uci(word) else { return Vec::new() };
            end.play(mv);
            moves.push(mv);
        }
        moves
    }
}
