//! What a line of a test suite asks, and whether an answer is right.

use anyhow::{Context as _, bail};
use qishou::chess::{Epd, Move, Position};

use super::thinker::Answer;

/// A position and what is to be found in it.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) position: Position,
    /// Its name in the suite, if it has one.
    pub(super) id: Option<String>,
    goal: Goal,
}

/// What is to be found.
#[derive(Debug, PartialEq, Eq)]
enum Goal {
    /// A mate in so many moves of the winning side; negative if the side to move is mated.
    Mate(i32),
    Moves {
        /// `bm`: one of these, if there are any.
        best: Vec<Move>,
        /// `am`: none of these.
        avoided: Vec<Move>,
        /// `c0`: what moves are worth.
        points: Vec<(Move, u32)>,
    },
}

/// What an answer is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub(super) solved: bool,
    pub(super) points: u32,
}

impl Question {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is no position with operations, or asks nothing.
    pub(super) fn read(line: &str) -> anyhow::Result<Self> {
        let epd: Epd = line.parse()?;
        let goal = goal(&epd)?;
        Ok(Self { id: epd.id().map(str::to_owned), position: epd.position, goal })
    }

    /// Whether an answer is what was to be found.
    pub(super) fn judge(&self, answer: &Answer) -> Verdict {
        match &self.goal {
            Goal::Mate(moves) => {
                Verdict { solved: shows_mate(&self.position, *moves, answer), points: 0 }
            }
            Goal::Moves { best, avoided, points } => {
                let Some(played) = answer.best else { return Verdict { solved: false, points: 0 } };
                let worth = |mv| points.iter().find(|(known, _)| *known == mv).map_or(0, |p| p.1);
                let most = points.iter().map(|&(_, points)| points).max();
                let good = if best.is_empty() {
                    most.is_none_or(|most| worth(played) == most)
                } else {
                    best.contains(&played)
                };
                Verdict { solved: good && !avoided.contains(&played), points: worth(played) }
            }
        }
    }
}

fn goal(epd: &Epd) -> anyhow::Result<Goal> {
    let operations = &epd.operations;
    let mate = operations.operand("dm").or_else(|| operations.operand("bm")?.strip_prefix('#'));
    if let Some(text) = mate {
        let moves = epd.mate_in().filter(|&moves| moves != 0);
        return Ok(Goal::Mate(moves.with_context(|| format!("{text:?} is no length of a mate"))?));
    }
    let best = epd.best_moves().context("bm")?;
    let avoided = epd.avoid_moves().context("am")?;
    let points = match operations.operand("c0") {
        Some(comment) => points(&epd.position, comment).context("c0")?,
        None => Vec::new(),
    };
    if best.is_empty() && avoided.is_empty() && points.is_empty() {
        bail!("asks nothing: no bm, am, dm or points in c0");
    }
    Ok(Goal::Moves { best, avoided, points })
}

/// The points of a comment such as `f5=10, Be5+=2`; none if it is some other comment.
///
/// # Errors
/// If a move among moves with points is illegal.
fn points(position: &Position, comment: &str) -> anyhow::Result<Vec<(Move, u32)>> {
    // Promotions have an equals sign of their own.
    let pair = |part: &str| -> Option<(String, u32)> {
        let (mv, points) = part.trim().rsplit_once('=')?;
        Some((mv.trim().to_owned(), points.trim().parse().ok()?))
    };
    let Some(pairs) = comment.split(',').map(pair).collect::<Option<Vec<_>>>() else {
        return Ok(Vec::new());
    };
    let moves: Vec<_> = pairs.iter().map(|(mv, _)| position.parse_san(mv)).collect();
    if moves.iter().all(Result::is_err) {
        return Ok(Vec::new());
    }
    let worth = pairs.iter().map(|&(_, points)| points);
    moves.into_iter().zip(worth).map(|(mv, points)| Ok((mv?, points))).collect()
}

/// Whether the score is a mate at least as near as the one asked for, and the line is that mate.
fn shows_mate(position: &Position, wanted: i32, answer: &Answer) -> bool {
    let Some(found) = answer.mate else { return false };
    let near = found.signum() == wanted.signum() && found.unsigned_abs() <= wanted.unsigned_abs();
    let plies = 2 * found.unsigned_abs() as usize - usize::from(found > 0);
    near && answer.line.len() == plies && ends_in_mate(position, &answer.line)
}

fn ends_in_mate(position: &Position, line: &[Move]) -> bool {
    let mut position = *position;
    for &mv in line {
        if !position.is_legal(mv) {
            return false;
        }
        position.play(mv);
    }
    position.in_check() && !position.has_legal_move()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";
    /// Undermining, of the Strategic Test Suite (Corbit and Swaminathan): points for several moves.
    const STRATEGY: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -";
    const PROMOTION: &str = "8/P6k/8/8/8/8/8/K7 w - -";

    /// An answer: a move, a mate if the word after it is one, and a line. Words of no legal move
    /// end the line.
    fn answer(position: &Position, best: &str, mate: Option<i32>, line: &str) -> Answer {
        let mut end = *position;
        let mut moves = Vec::new();
        for word in line.split_whitespace() {
            let mv = end.parse_san(word).unwrap();
            end.play(mv);
            moves.push(mv);
        }
        Answer { best: position.parse_san(best).ok(), mate, line: moves }
    }

    #[test]
    fn moves_are_judged_by_what_the_line_asks() {
        let strategy = "bm f5; c0 \"f5=10, Be5+=2, Bf2=3, Bg4=2\";";
        for (fen, operations, played, solved, points) in [
            (BACK_RANK, "bm Ra8#;", "Ra8", true, 0),
            (BACK_RANK, "bm Ra8 Ra7;", "Ra7", true, 0),
            (BACK_RANK, "bm Ra8;", "Ra7", false, 0),
            (BACK_RANK, "bm Ra8;", "", false, 0),
            (BACK_RANK, "am Ra7 Ra6;", "Ra7", false, 0),
            (BACK_RANK, "am Ra7 Ra6;", "Ra8", true, 0),
            (BACK_RANK, "am Ra7;", "", false, 0),
            (BACK_RANK, "bm Ra8 Ra7; am Ra7;", "Ra7", false, 0),
            (BACK_RANK, "bm Ra8; c0 \"Capablanca, 1921\";", "Ra8", true, 0),
            (BACK_RANK, "bm Ra8; c0 \"diff=10\";", "Ra8", true, 0),
            (STRATEGY, strategy, "f5", true, 10),
            (STRATEGY, strategy, "Bf2", false, 3),
            (STRATEGY, strategy, "Be5+", false, 2),
            (STRATEGY, strategy, "h4", false, 0),
            (STRATEGY, "c0 \"f5=10, Bf2=3\";", "f5", true, 10),
            (STRATEGY, "c0 \"f5=10, Bf2=3\";", "Bf2", false, 3),
            (PROMOTION, "bm a8=Q; c0 \"a8=Q=7,a8=R=5\";", "a8=R", false, 5),
            (PROMOTION, "bm a8=Q; c0 \"a8=Q=7,a8=R=5\";", "a8=Q", true, 7),
        ] {
            let question = Question::read(&format!("{fen} {operations}")).unwrap();
            let answer = answer(&question.position, played, None, "");
            let expected = Verdict { solved, points };
            assert_eq!(question.judge(&answer), expected, "{operations} {played:?}");
        }
    }

    #[test]
    fn a_mate_is_found_with_its_score_and_its_line() {
        let two = "kbK5/pp6/1P6/8/8/8/8/R7 w - -";
        let (line, mated) = ("Ra6 bxa6 b7#", "8/8/8/8/8/k1K5/8/6R1 b - -");
        for (fen, operation, mate, line, solved) in [
            (two, "dm 2;", Some(2), line, true),
            (two, "bm #2;", Some(2), line, true),
            // The length counts, not the move.
            (two, "bm Rh1; dm 2;", Some(2), line, true),
            // A nearer mate will do, a farther one not.
            (two, "dm 3;", Some(2), line, true),
            (two, "dm 1;", Some(2), line, false),
            // No mate score; a score of another length than the line; lines that stop before mate.
            (two, "dm 2;", None, line, false),
            (two, "dm 2;", Some(1), line, false),
            (two, "dm 3;", Some(3), line, false),
            (two, "dm 2;", Some(2), "Ra6 bxa6", false),
            (two, "dm 2;", Some(2), "Ra6 bxa6 Kd7", false),
            (two, "dm 2;", Some(2), "", false),
            (two, "dm 2;", Some(-2), line, false),
            (mated, "dm -2;", Some(-2), "Ka4 Rg5 Ka3 Ra5#", true),
            (mated, "bm #-2;", Some(-2), "Ka4 Rg5 Ka3 Ra5#", true),
            (mated, "dm 2;", Some(-2), "Ka4 Rg5 Ka3 Ra5#", false),
            (mated, "dm -1;", Some(-2), "Ka4 Rg5 Ka3 Ra5#", false),
            // Too short for what the score says, and no mate.
            (mated, "dm -2;", Some(-1), "Ka2 Ra1", false),
        ] {
            let question = Question::read(&format!("{fen} {operation}")).unwrap();
            let answer = answer(&question.position, "", mate, line);
            assert_eq!(question.judge(&answer).solved, solved, "{operation} {mate:?} {line}");
        }
    }

    #[test]
    fn a_line_that_is_not_legal_shows_no_mate() {
        let question = Question::read(&format!("{BACK_RANK} dm 1;")).unwrap();
        let mate = question.position.parse_san("Ra8#").unwrap();
        let strange = Position::startpos().parse_san("Nf3").unwrap();
        for (line, solved) in [(vec![mate], true), (vec![strange], false), (vec![], false)] {
            let answer = Answer { best: Some(mate), mate: Some(1), line };
            assert_eq!(question.judge(&answer).solved, solved);
        }
    }

    #[test]
    fn lines_that_ask_nothing_or_cannot_be_read_are_named() {
        for (line, message) in [
            ("6k1/8/8/8/8/8/8/R3K3 x - -", "\"x\""),
            (&format!("{BACK_RANK} c5 \"draw\";"), "asks nothing"),
            (&format!("{BACK_RANK} bm Ra9;"), "\"Ra9\""),
            (&format!("{BACK_RANK} am Rb2;"), "illegal move \"Rb2\""),
            (&format!("{BACK_RANK} dm soon;"), "\"soon\" is no length of a mate"),
            (&format!("{BACK_RANK} dm 0;"), "\"0\" is no length of a mate"),
            (&format!("{BACK_RANK} bm #x;"), "\"x\" is no length of a mate"),
            (&format!("{BACK_RANK} c0 \"Ra8=10, Rb7=1\";"), "illegal move \"Rb7\""),
        ] {
            let error = format!("{:#}", Question::read(line).unwrap_err());
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
