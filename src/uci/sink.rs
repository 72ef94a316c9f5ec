//! Where a search tells what it thinks: to the printer, and its end to the session.

use std::sync::mpsc::Sender;

use super::options::Options;
use super::print::{BestMoveLine, InfoLine, Printer};
use super::session::Event;
use crate::chess::{Move, Position};
use crate::search::{BestMove, Report, Sink};

/// Writes the reports of one search and exactly one `bestmove`, even if the search breaks down.
#[derive(Debug)]
pub(super) struct Announcer {
    printer: Printer,
    events: Sender<Event>,
    options: Options,
    /// Where the search begins.
    position: Position,
    /// Whether anything with a score was printed.
    reported: bool,
    /// What is played if the search breaks down: the best move so far, at first any legal one.
    fallback: Option<Move>,
    ended: bool,
}

impl Announcer {
    pub(super) fn new(
        printer: Printer,
        events: Sender<Event>,
        position: &Position,
        options: Options,
    ) -> Self {
        Self {
            printer,
            events,
            options,
            position: *position,
            reported: false,
            fallback: position.legal_moves().first().copied(),
            ended: false,
        }
    }

    /// The end of a search that need not be made: the book knows the move. Hosts want a line with a
    /// score before each move, so one says as much as a book does.
    pub(super) fn book_move(&mut self, mv: Move) {
        let text = self.position.uci(mv, self.options.chess960);
        self.printer.line("info string a move of the book");
        let wdl = if self.options.show_wdl { " wdl 0 1000 0" } else { "" };
        self.printer.line(format_args!(
            "info depth 1 seldepth 1 multipv 1 score cp 0{wdl} nodes 1 nps 1000 hashfull 0 tbhits 0 time 0 pv {text}"
        ));
        self.end(BestMove { best: Some(mv), ponder: None });
    }

    fn end(&mut self, found: BestMove) {
        if self.ended {
            return;
        }
        self.ended = true;
        if found.best.is_none() && !self.reported {
            let score = match (self.position.in_check(), self.options.show_wdl) {
                (true, false) => "mate 0",
                (true, true) => "mate 0 wdl 0 0 1000",
                (false, false) => "cp 0",
                (false, true) => "cp 0 wdl 0 1000 0",
            };
            self.printer.line(format_args!("info depth 0 score {score}"));
        }
        self.printer.line(BestMoveLine {
            found,
            position: &self.position,
            chess960: self.options.chess960,
        });
        // Nobody listens any more when the session has left.
        let _ = self.events.send(Event::Done);
    }
}

impl Sink for Announcer {
    fn report(&mut self, report: &Report) {
        self.reported = true;
        if report.multi_pv == 1
            && let Some(&mv) = report.pv.first()
        {
            self.fallback = Some(mv);
        }
        self.printer.line(InfoLine { report, position: &self.position, options: self.options });
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: u32) {
        let mv = self.position.uci(mv, self.options.chess960);
        self.printer.line(format_args!("info depth {depth} currmove {mv} currmovenumber {number}"));
    }

    fn note(&mut self, text: &str) {
        self.printer.line(format_args!("info string {text}"));
    }

    fn finished(&mut self, best: BestMove) {
        self.end(best);
    }
}

/// A sink that goes without having heard the end belonged to a search that broke down. The host
/// still gets a legal move, and the session goes on.
impl Drop for Announcer {
    fn drop(&mut self) {
        if !self.ended {
            self.printer.error("the search broke down");
            self.end(BestMove { best: self.fallback, ponder: None });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex, mpsc};

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn said(fen: &str, options: Options, speak: impl FnOnce(Announcer)) -> (String, usize) {
        let output = Shared::default();
        let (printer, finish) =
            Printer::start(output.clone(), super::super::log::Log::default(), |_| ()).unwrap();
        let (events, heard) = mpsc::channel();
        speak(Announcer::new(printer, events, &fen.parse().unwrap(), options));
        finish.wait(None);
        let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
        (text, heard.iter().count())
    }

    #[test]
    fn a_search_that_breaks_down_still_answers_once() {
        let (text, ends) = said("7k/8/8/8/8/8/8/K7 w - - 0 1", Options::default(), drop);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "info string error: the search broke down");
        assert!(lines[1].starts_with("bestmove a1"), "{text}");
        assert_eq!((lines.len(), ends), (2, 1));
    }

    #[test]
    fn without_a_legal_move_the_score_says_why() {
        let cases = [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", false, "mate 0"),
            ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", false, "cp 0"),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true, "mate 0 wdl 0 0 1000"),
            ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", true, "cp 0 wdl 0 1000 0"),
        ];
        for (fen, show_wdl, score) in cases {
            let options = Options { show_wdl, ..Options::default() };
            let (text, ends) = said(fen, options, |mut announcer| {
                announcer.finished(BestMove { best: None, ponder: None });
            });
            assert_eq!(text, format!("info depth 0 score {score}\nbestmove (none)\n"));
            assert_eq!(ends, 1);
        }
    }
}
