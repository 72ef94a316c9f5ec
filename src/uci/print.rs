//! Output: reports as text, and the one thread that writes.
//!
//! Lines are handed over whole and written whole, with a flush after each hand-over. The thread
//! that searches never waits for a host that does not read.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::log::{EndOfLog, Log, Speaker};
use super::options::Options;
use crate::chess::Position;
use crate::search::{BestMove, Bound, Chances, Report, Score, WinModel};

/// Hands text to the thread that writes.
#[derive(Clone, Debug)]
pub(super) struct Printer {
    lines: Sender<String>,
}

/// Tells when everything has been written.
#[derive(Debug)]
pub(super) struct Finish(Receiver<()>);

impl Printer {
    /// Starts the thread. `broken` is called once if the output can't be written any more.
    pub(super) fn start<W: Write + Send + 'static>(
        mut writer: W,
        log: Log,
        broken: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<(Self, Finish)> {
        let (lines, received) = mpsc::channel::<String>();
        let (finished, finish) = mpsc::channel();
        thread::Builder::new().name("printer".to_owned()).spawn(move || {
            for mut text in received {
                if let Err(error) = log.note(Speaker::Engine, &text) {
                    let _ = writeln!(text, "info string error: {}", EndOfLog(error));
                }
                if let Err(error) = writer.write_all(text.as_bytes()).and_then(|()| writer.flush())
                {
                    broken(error);
                    break;
                }
            }
            // Nobody may be waiting any more.
            let _ = finished.send(());
        })?;
        Ok((Self { lines }, Finish(finish)))
    }

    /// Prints one line, or several that stay together.
    pub(super) fn line(&self, text: impl fmt::Display) {
        // Fails only when the output is broken, which has been told by then.
        let _ = self.lines.send(format!("{text}\n"));
    }

    /// Tells that something could not be done.
    pub(super) fn error(&self, text: impl fmt::Display) {
        self.line(format_args!("info string error: {text}"));
    }
}

impl Finish {
    /// Waits until every printer is gone and everything is written, but not longer than `longest`,
    /// if one is given: a host may have stopped reading without closing the pipe.
    pub(super) fn wait(&self, longest: Option<Duration>) {
        let _ = match longest {
            Some(longest) => self.0.recv_timeout(longest).ok(),
            None => self.0.recv().ok(),
        };
    }
}

/// How a win of the endgame tables is written, less the plies to it: above every evaluation.
const TABLE_WIN: i64 = 20_000;

/// A score as UCI writes it: `cp 20` or `mate -3`, then what else belongs right behind it: a bound,
/// or the chances (`wdl 310 520 170`) if the host wants them. A bound has no chances.
///
/// Centipawns are not the search's own but those of which a hundred win every other time.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreText {
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// The men on the board where the search began.
    pub(super) men: usize,
    pub(super) wdl: bool,
}

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = WinModel::FITTED;
        if let Some(moves) = self.score.moves_to_mate() {
            write!(f, "mate {moves}")?;
        } else if let Some(plies) = self.score.plies_to_table() {
            let height = TABLE_WIN - i64::from(plies);
            write!(f, "cp {}", if self.score.is_win() { height } else { -height })?;
        } else {
            let centipawns = model.shown(f64::from(self.score.0));
            write!(f, "cp {}", centipawns.round() as i64)?;
        }
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => return write!(f, " lowerbound"),
            Bound::Upper => return write!(f, " upperbound"),
        }
        if self.wdl {
            let Chances { win, draw, loss } = model.chances(self.score, self.men);
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        Ok(())
    }
}

/// A line of thinking, with its fields in the order that every host can read: bound and chances
/// right after the score, the moves last.
#[derive(Clone, Copy, Debug)]
pub(super) struct InfoLine<'a> {
    pub(super) report: &'a Report,
    /// Where the search began.
    pub(super) position: &'a Position,
    pub(super) options: Options,
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { depth, selective_depth, multi_pv, score, nodes, time, .. } = *self.report;
        write!(f, "info depth {depth} seldepth {selective_depth} multipv {multi_pv}")?;
        let men = self.position.occupied().len() as usize;
        let (bound, wdl) = (self.report.bound, self.options.show_wdl);
        write!(f, " score {}", ScoreText { score, bound, men, wdl })?;
        // A search of less than a millisecond has no meaningful speed; never divide by nothing.
        let speed = u128::from(nodes) * 1000 / time.as_millis().max(1);
        write!(f, " nodes {nodes} nps {speed} hashfull {}", self.report.hash_full)?;
        write!(f, " tbhits {} time {}", self.report.table_hits, time.as_millis())?;
        if !self.report.pv.is_empty() {
            write!(f, " pv")?;
            let mut position = *self.position;
            for &mv in &self.report.pv {
                // Whatever the search says, a host gets legal moves only.
                if !position.is_legal(mv) {
                    debug_assert!(false, "{mv} in a line of thinking");
                    break;
                }
                write!(f, " {}", position.uci(mv, self.options.chess960))?;
                position.play(mv);
            }
        }
        Ok(())
    }
}

/// What a search decided: `bestmove e2e4 ponder e7e5`, or `bestmove (none)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestMoveLine<'a> {
    pub(super) found: BestMove,
    /// Where the search began.
    pub(super) position: &'a Position,
    pub(super) chess960: bool,
}

impl fmt::Display for BestMoveLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(mv) = self.found.best else { return write!(f, "bestmove (none)") };
        write!(f, "bestmove {}", self.position.uci(mv, self.chess960))?;
        let mut after = *self.position;
        after.play(mv);
        match self.found.ponder.filter(|&answer| after.is_legal(answer)) {
            Some(answer) => write!(f, " ponder {}", after.uci(answer, self.chess960)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Square};

    const E2E4: Move = Move::normal(Square::E2, Square::E4);
    const E7E5: Move = Move::normal(Square::E7, Square::E5);
    const CASTLES: Move = Move::castling(Square::E1, Square::H1);

    fn report() -> Report {
        Report {
            depth: 7,
            selective_depth: 12,
            multi_pv: 1,
            score: Score(31),
            bound: Bound::Exact,
            nodes: 4000,
            time: Duration::from_millis(20),
            hash_full: 3,
            table_hits: 0,
            pv: vec![E2E4, E7E5],
        }
    }

    fn line(report: &Report, options: Options) -> String {
        InfoLine { report, position: &Position::startpos(), options }.to_string()
    }

    #[test]
    fn info_lines_have_the_order_every_host_reads() {
        let head = "info depth 7 seldepth 12 multipv 1 score";
        let tail = "nodes 4000 nps 200000 hashfull 3 tbhits 0 time 20 pv e2e4 e7e5";
        let half = WinModel::FITTED.half_at(WinModel::MIDDLE);
        let cp = |score: i32| format!("cp {:.0}", 100.0 * f64::from(score) / half);
        let cases = [
            (Score(0), Bound::Exact, "cp 0".to_owned()),
            (Score(31), Bound::Exact, cp(31)),
            (Score(-20), Bound::Exact, cp(-20)),
            (Score(40), Bound::Lower, cp(40) + " lowerbound"),
            (Score(-40), Bound::Upper, cp(-40) + " upperbound"),
            (Score::mate_in(1), Bound::Exact, "mate 1".to_owned()),
            (Score::mate_in(5), Bound::Exact, "mate 3".to_owned()),
            (Score::mated_in(2), Bound::Exact, "mate -1".to_owned()),
            (Score::mated_in(0), Bound::Exact, "mate 0".to_owned()),
            (Score::TABLE_WIN, Bound::Exact, "cp 20000".to_owned()),
            (Score::table_loss_in(7), Bound::Exact, "cp -19993".to_owned()),
        ];
        for (score, bound, text) in cases {
            let line = line(&Report { score, bound, ..report() }, Options::default());
            assert_eq!(line, format!("{head} {text} {tail}"));
        }
    }

    #[test]
    fn chances_stand_behind_exact_scores_if_they_are_wanted() {
        let options = Options { show_wdl: true, ..Options::default() };
        let of = |score, bound| line(&Report { score, bound, ..report() }, options);
        let Chances { win, draw, loss } = WinModel::FITTED.chances(Score(70), 32);
        assert!(win > loss);
        let level = of(Score(70), Bound::Exact);
        assert!(level.contains(&format!(" wdl {win} {draw} {loss} nodes ")), "{level}");
        assert!(of(Score::mate_in(3), Bound::Exact).contains(" score mate 2 wdl 1000 0 0 nodes "));
        assert!(
            of(Score::mated_in(2), Bound::Exact).contains(" score mate -1 wdl 0 0 1000 nodes ")
        );
        for (bound, text) in
            [(Bound::Lower, " lowerbound nodes "), (Bound::Upper, " upperbound nodes ")]
        {
            let line = of(Score(70), bound);
            assert!(line.contains(text) && !line.contains("wdl"), "{line}");
        }
    }

    #[test]
    fn no_time_and_no_moves_are_no_trouble() {
        let report = Report { time: Duration::ZERO, nodes: 1, pv: Vec::new(), ..report() };
        let line = line(&report, Options::default());
        assert!(line.ends_with("nodes 1 nps 1000 hashfull 3 tbhits 0 time 0"), "{line}");
    }

    #[test]
    fn best_moves_are_written_as_the_host_wants_castling() {
        let cases = [
            (Some(E2E4), None, false, "bestmove e2e4"),
            (Some(E2E4), Some(E7E5), false, "bestmove e2e4 ponder e7e5"),
            (Some(E2E4), Some(E2E4), false, "bestmove e2e4"),
            (Some(CASTLES), None, false, "bestmove e1g1"),
            (Some(CASTLES), None, true, "bestmove e1h1"),
            (None, None, false, "bestmove (none)"),
        ];
        let position: Position = "4k3/4p3/8/8/8/8/4P3/4K2R w K - 0 1".parse().unwrap();
        for (best, ponder, chess960, text) in cases {
            let found = BestMove { best, ponder };
            let line = BestMoveLine { found, position: &position, chess960 };
            assert_eq!(line.to_string(), text);
        }
    }

    /// An output nobody reads.
    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_broken_output_is_told_once_and_never_panics() {
        let (told, heard) = mpsc::channel();
        let (printer, finish) =
            Printer::start(Broken, Log::default(), move |error| told.send(error).unwrap()).unwrap();
        printer.line("one");
        assert_eq!(heard.recv().unwrap().kind(), io::ErrorKind::BrokenPipe);
        printer.line("two");
        finish.wait(None);
        assert!(heard.recv().is_err(), "told twice");
    }
}
