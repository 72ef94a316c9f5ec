//! A match as one page that a browser shows: tables and pictures, nothing loaded from elsewhere.
//!
//! It is made from recorded games alone, so it can be made of any PGN file; what other programs do
//! not write (times, the match a game belongs to) is left out or guessed.

use std::collections::HashMap;

use super::tournament::{Finished, Job, SPRT_TAG, Standing};
use crate::chess::Color;
use crate::pgn::{Record, ResultMark};
use crate::referee::score::{Results, Sprt, half_points};

mod page;
mod plots;

/// Seconds spent by a participant on a move, with the number of the move.
type Spent = Vec<(u32, f64)>;

/// What a page tells.
#[derive(Debug)]
pub struct Report {
    /// Names of the events, joined.
    title: String,
    standing: Standing,
    /// How the games of `standing` are called in the records: round and date.
    rounds: Vec<(String, String)>,
    /// Moves and their times by participant.
    times: Vec<Spent>,
    /// What the games were limited by, as far as told.
    controls: Vec<String>,
    sprt: Option<Sprt>,
    /// Records without two names and a result.
    left_out: usize,
}

/// Names in the order they are met.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        *self.numbers.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }
}

/// Pairs of games with either colour; games without such a partner stay alone.
#[derive(Default)]
struct Pairs {
    count: usize,
    /// First games, by what they have in common with the second: number of the pair, who had White.
    open: HashMap<String, (usize, usize)>,
}

impl Pairs {
    fn number(&mut self, key: String, white: usize) -> usize {
        match self.open.get(&key) {
            Some(&(pair, first)) if first != white => {
                self.open.remove(&key);
                pair
            }
            _ => {
                self.count += 1;
                self.open.insert(key, (self.count - 1, white));
                self.count - 1
            }
        }
    }
}

/// A value at the end of a list, if it is not there.
fn add_new(values: &mut Vec<String>, value: Option<&str>) {
    if let Some(value) = value.filter(|value| !values.iter().any(|known| known == value)) {
        values.push(value.to_owned());
    }
}

/// The time in a comment: a word of a number and `s`, as match runners write it.
fn seconds(comment: &str) -> Option<f64> {
    let mut words = comment.split([' ', ',']);
    words.find_map(|word| word.strip_suffix('s')?.parse().ok().filter(|time: &f64| *time >= 0.0))
}

impl Report {
    /// What these records say. The course of `sprt` is drawn if there are two players; without it,
    /// that of the test the records were made for, if they name one.
    pub fn of(records: &[Record], sprt: Option<Sprt>) -> Self {
        let (mut names, mut pairs) = (Names::default(), Pairs::default());
        let (mut events, mut controls) = (Vec::new(), Vec::new());
        let mut report = Self {
            title: String::new(),
            standing: Standing {
                names: Vec::new(),
                total: 0,
                finished: Vec::new(),
                adjourned: 0,
                decision: None,
                stopped: false,
            },
            rounds: Vec::new(),
            times: Vec::new(),
            controls: Vec::new(),
            sprt: sprt.or_else(|| recorded_test(records)),
            left_out: 0,
        };
        for record in records {
            let outcome = record.result.and_then(ResultMark::outcome);
            let (Some(white), Some(black), Some(outcome)) =
                (record.tag("White"), record.tag("Black"), outcome)
            else {
                report.left_out += 1;
                continue;
            };
            let [white, black] = [white, black].map(|name| names.number(name));
            report.times.resize_with(names.names.len(), Vec::new);
            report.note_times(record, [white, black]);
            add_new(&mut events, record.tag("Event").filter(|event| *event != "?"));
            for tag in ["TimeControl", "BlackTimeControl"] {
                add_new(
                    &mut controls,
                    record.tag(tag).filter(|control| !matches!(*control, "-" | "?")),
                );
            }
            let round = record.tag("Round").unwrap_or("?");
            let pair = pairs.number(pair_key(record, round, [white, black]), white);
            let number = report.standing.finished.len();
            let job = Job { number, pair, second: white > black, opening: pair, white, black };
            report.standing.finished.push(Finished {
                job,
                outcome,
                reason: reason(record),
                plies: record.game.moves().len(),
            });
            let date = record.tag("Date").unwrap_or("?");
            report.rounds.push((round.to_owned(), date.to_owned()));
        }
        report.standing.total = report.standing.finished.len();
        report.standing.names = names.names;
        report.title = if events.is_empty() { "Engine match".into() } else { events.join(", ") };
        report.controls = controls;
        report
    }

    fn note_times(&mut self, record: &Record, players: [usize; Color::COUNT]) {
        let start = record.game.start();
        let black_begins = usize::from(start.side_to_move() == Color::Black);
        for (i, remarks) in record.remarks.iter().enumerate() {
            let Some(time) = seconds(&remarks.comment) else { continue };
            let ply = i + black_begins;
            let number = start.fullmove_number() + (ply / 2) as u32;
            self.times[players[ply % 2]].push((number, time));
        }
    }

    /// Results after each pair, in the order the pairs were finished; of two players only.
    fn course(&self) -> Vec<Results> {
        let mut course = Vec::new();
        let mut results = Results::default();
        let mut open = HashMap::new();
        for game in &self.standing.finished {
            let side = if game.job.white == 0 { Color::White } else { Color::Black };
            let points = half_points(game.outcome, side);
            match open.remove(&game.job.pair) {
                Some(first) => {
                    results.add_both([first, points]);
                    course.push(results);
                }
                None => {
                    open.insert(game.job.pair, points);
                }
            }
        }
        course
    }

    /// The page, as HTML.
    ///
    /// # Errors
    /// If a picture can't be drawn, with the reason.
    pub fn page(&self) -> Result<String, String> {
        page::page(self)
    }
}

/// The test that the last of the records was played for.
fn recorded_test(records: &[Record]) -> Option<Sprt> {
    records.iter().rev().find_map(|record| record.tag(SPRT_TAG)?.parse().ok())
}

/// What the two games of a pair have in common: the match, the round without the game's number
/// in it, and who plays.
fn pair_key(record: &Record, round: &str, players: [usize; 2]) -> String {
    let round = round.strip_suffix(".1").or_else(|| round.strip_suffix(".2")).unwrap_or(round);
    let identity = record.tag("MatchId").unwrap_or_default();
    let [low, high] = [players[0].min(players[1]), players[0].max(players[1])];
    format!("{identity} {round} {low} {high}")
}

/// Why a game ended, without the side it ended for.
fn reason(record: &Record) -> String {
    let told = record.tag("TerminationDetails").or_else(|| record.tag("Termination"));
    let told = told.unwrap_or("not told");
    let general = told
        .replace("White's", "")
        .replace("Black's", "")
        .replace("White", "")
        .replace("Black", "");
    let general = general.trim_start_matches([' ', ':']).split_whitespace();
    let mut text =
        general.collect::<Vec<_>>().join(" ").replace(", but can't mate", ", can't mate");
    if let Some(at) = text.find("illegal move") {
        text.truncate(at + "illegal move".len());
    }
    if let Some(at) = text.find(':').filter(|_| !text.starts_with("adjudicated")) {
        text.truncate(at);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    fn game(round: &str, white: &str, black: &str, result: &str, details: &str) -> String {
        format!(
            "[Event \"Test\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[TimeControl \"10+0.1\"]\n\
             [Result \"{result}\"]\n[TerminationDetails \"{details}\"]\n\n1. e4 {{+0.20/5 0.250s}} e5 {{book}} 2. Nf3 \
             {{-M2/5 0.750s [%clk 0:00:09.000], {details}}} {result}\n\n",
        )
    }

    fn two_pairs() -> Report {
        let text = game("1.1", "A", "B<&>", "1-0", "Black resigns")
            + &game("2.1", "A", "B<&>", "1/2-1/2", "threefold repetition")
            + &game("1.2", "B<&>", "A", "0-1", "White resigns")
            + &game("2.2", "B<&>", "A", "1-0", "Black: illegal move e9e9")
            + "[White \"A\"]\n\n1. e4 *\n\n";
        Report::of(&pgn::read(&text), Some(Sprt::default()))
    }

    #[test]
    fn games_are_put_in_pairs_and_counted() {
        let report = two_pairs();
        assert_eq!(report.left_out, 1);
        assert_eq!(report.standing.names, ["A", "B<&>"]);
        let results = report.standing.results(0, None);
        assert_eq!((results.games, results.pairs), ([2, 1, 1], [0, 1, 0, 0, 1]));
        assert_eq!(report.course().len(), 2);
        assert_eq!(report.course()[1], results);
        // Games with the same colours are no pair.
        let text = game("?", "A", "B", "1-0", "x").repeat(3) + &game("?", "B", "A", "1-0", "x");
        let alike = Report::of(&pgn::read(&text), None);
        assert_eq!(alike.standing.results(0, None).pairs, [0, 0, 1, 0, 0]);
        // Two games of White a side, two timed moves each.
        assert_eq!(report.times[0].len(), 4);
        assert_eq!(report.times[0][1], (2, 0.75));
        let endings = report.standing.endings();
        assert_eq!(endings[0], ("resigns".to_owned(), 2));
        assert!(endings.contains(&("illegal move".to_owned(), 1)), "{endings:?}");
    }

    #[test]
    fn the_course_of_a_test_is_drawn_if_one_is_recorded_or_given() {
        let plain = game("1.1", "A", "B", "1-0", "x") + &game("1.2", "B", "A", "1-0", "x");
        let tested = plain.replace("[Round", "[SPRT \"elo0=-2 elo1=3\"]\n[Round");
        let given: Sprt = "elo0=0 elo1=9".parse().unwrap();
        for (text, given, elo1) in [
            (&plain, None, None),
            (&plain, Some(given), Some(9.0)),
            (&tested, None, Some(3.0)),
            (&tested, Some(given), Some(9.0)),
        ] {
            let report = Report::of(&pgn::read(text), given);
            assert_eq!(report.sprt.map(|sprt| sprt.elo1), elo1);
            assert_eq!(report.page().unwrap().contains("<h2>SPRT"), elo1.is_some());
        }
    }

    #[test]
    fn the_page_is_complete_and_loads_nothing() {
        let page = two_pairs().page().unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
        for text in
            ["Crosstable", "Elo", "SPRT", "Endings", "Game lengths", "Time", "B&lt;&amp;&gt;"]
        {
            assert!(page.contains(text), "{text}");
        }
        assert!(page.matches("<svg").count() >= 4);
        let outside = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!outside.contains("http") && !outside.contains("src=") && !page.contains("<&>"));
        // No games at all make a page, too.
        assert!(Report::of(&[], None).page().unwrap().contains("No games"));
    }
}
