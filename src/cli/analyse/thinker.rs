//! Who answers: this engine in this process, or another one beside it.

use std::time::Duration;

use anyhow::Context as _;
use qishou::chess::{Game, Move, Position};
use qishou::search::{BestMove, Bound, Engine, Limits, Report};

use super::STOP;

/// How long each position is thought about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// Milliseconds.
    Time(u64),
    Nodes(u64),
    Depth(u32),
}

impl Limit {
    fn limits(self) -> Limits {
        let mut limits = Limits::default();
        match self {
            Self::Time(milliseconds) => {
                limits.move_time = Some(Duration::from_millis(milliseconds));
            }
            Self::Nodes(nodes) => limits.nodes = Some(nodes),
            Self::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Time(milliseconds) => write!(f, "{milliseconds} ms"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
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
    /// How long each position is thought about, if that was said.
    pub(super) limit: Option<Limit>,
}

impl Own {
    pub(super) fn new(limit: Option<Limit>, threads: u16, hash: u32) -> anyhow::Result<Self> {
        let mut engine = Engine::new();
        engine.set_threads(threads.into())?;
        engine.set_hash(hash as usize)?;
        // Nothing is lost on the way to oneself.
        engine.set_move_overhead(0);
        Ok(Self { engine, limit })
    }

    /// What comes has nothing to do with what was.
    pub(super) fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Thinks, and gives the last exact report of each of the best lines, the best first.
    pub(super) fn lines(
        &mut self,
        game: &Game,
        limit: Limit,
        lines: usize,
    ) -> anyhow::Result<Vec<Report>> {
        Ok(self.search(game, limit, lines)?.1)
    }

    fn search(
        &mut self,
        game: &Game,
        limit: Limit,
        lines: usize,
    ) -> anyhow::Result<(BestMove, Vec<Report>)> {
        self.engine.set_multi_pv(lines);
        let mut found: Vec<Report> = Vec::new();
        let told = |report: Report| {
            let place = report.multi_pv as usize - 1;
            if report.bound != Bound::Exact {
                return;
            }
            match found.get_mut(place) {
                Some(old) => *old = report,
                None => found.push(report),
            }
        };
        let best = self.engine.think(game, limit.limits(), &STOP, told);
        Ok((best.context("the search broke down")?, found))
    }
}

impl Thinker for Own {
    fn think(&mut self, position: &Position) -> anyhow::Result<Answer> {
        self.new_game();
        let limit = self.limit.context("no limit was given")?;
        let (best, mut found) = self.search(&Game::new(*position), limit, 1)?;
        let mut answer = Answer { best: best.best, ..Answer::default() };
        if let Some(report) = found.pop() {
            answer.mate = report.score.moves_to_mate();
            answer.line = report.pv;
        }
        Ok(answer)
    }

    fn recover(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "tools")]
pub(super) use other::Other;

#[cfg(feature = "tools")]
mod other {
    use std::sync::atomic::Ordering::Relaxed;

    use anyhow::Context as _;
    use qishou::arbiter::player::{Engine, Player, Score};
    use qishou::chess::Fen;

    use super::{Answer, Duration, Limit, Move, Position, STOP, Thinker};

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
                qishou::complain!("{warning}");
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
