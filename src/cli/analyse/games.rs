//! Games and positions, looked at move by move; out come PGN and a page for the browser.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context as _, bail};
use indicatif::ProgressBar;
use qishou::chess::{Game, Position};
use qishou::complain;
use qishou::pgn::{Flaw, Record};
use qishou::review::{Opinion, Review, page};
use qishou::uci;

use super::subject::Subject;
use super::thinker::{Limit, Own};
use super::{INTERRUPTED, STOP, bar};

/// Half a second for a move of a game.
const MOVE: Limit = Limit::Time(500);
/// Three seconds for a position alone.
const ALONE: Limit = Limit::Time(3000);
/// How many lines a position alone gets.
const LINES: usize = 3;

/// Where the results go.
pub(super) struct Output {
    pgn: Option<Box<dyn Write>>,
    html: Option<(PathBuf, File)>,
}

impl Output {
    /// Opens the files, so that one that can't be written is known before the work.
    pub(super) fn open(
        pgn: Option<&Path>,
        html: Option<&Path>,
        subjects: &[Subject],
    ) -> anyhow::Result<Self> {
        let create = |path: &Path| {
            let same = |other: &Path| match (fs::canonicalize(path), fs::canonicalize(other)) {
                (Ok(a), Ok(b)) => a == b,
                _ => false,
            };
            for subject in subjects {
                if let Subject::Games { path: source, .. } = subject
                    && same(source)
                {
                    bail!("{} would be written over while it is read", source.display());
                }
            }
            File::create(path).with_context(|| path.display().to_string())
        };
        let html = html.map(|path| Ok::<_, anyhow::Error>((path.to_owned(), create(path)?)));
        let html = html.transpose()?;
        let pgn: Option<Box<dyn Write>> = match pgn {
            Some(path) => Some(Box::new(create(path)?)),
            None if html.is_some() => None,
            None => Some(Box::new(io::stdout())),
        };
        Ok(Self { pgn, html })
    }

    fn write(&mut self, review: &Review, limit: Limit) -> anyhow::Result<()> {
        let Some(pgn) = &mut self.pgn else { return Ok(()) };
        let mut record = review.annotated();
        record.set_tag("Annotator", format!("{}, {limit}", uci::NAME));
        // Each game at once: a person may be reading along.
        write!(pgn, "{record}").and_then(|()| pgn.flush()).context("can't write the games")
    }

    fn finish(self, reviews: &[Review]) -> anyhow::Result<()> {
        let Some((path, mut file)) = self.html else { return Ok(()) };
        let written = file.write_all(page(reviews).as_bytes());
        written.with_context(|| path.display().to_string())
    }
}

/// One thing to look at.
enum Work {
    Game(Box<Record>),
    Position(Position),
}

/// Everything to look at, and whether moves of a record could not be read.
fn work(subjects: Vec<Subject>) -> (Vec<Work>, bool) {
    let mut all = Vec::new();
    let mut lost = false;
    for subject in subjects {
        match subject {
            Subject::Position(position) => all.push(Work::Position(*position)),
            Subject::Games { path, records } => {
                for record in records {
                    for flaw in &record.flaws {
                        complain!("{} line {}: {flaw}", path.display(), record.line);
                        lost |= matches!(
                            flaw,
                            Flaw::Move { .. } | Flaw::NullMove { .. } | Flaw::Fen(_)
                        );
                    }
                    all.push(Work::Game(Box::new(record)));
                }
            }
            Subject::Suite(_) => {}
        }
    }
    (all, lost)
}

/// What is thought of one position; none if that was broken off.
fn think(own: &mut Own, game: &Game, limit: Limit, lines: usize) -> anyhow::Result<Vec<Opinion>> {
    if let Some(opinion) = Opinion::of_the_rules(game.position()) {
        return Ok(vec![opinion]);
    }
    let reports = own.lines(game, limit, lines)?;
    Ok(if STOP.load(Relaxed) { Vec::new() } else { reports.into_iter().map(Opinion::of).collect() })
}

/// Looks at every position of a game, the first first, as long as nobody stops it.
fn look_at(
    own: &mut Own,
    record: Record,
    limit: Limit,
    bar: &ProgressBar,
) -> anyhow::Result<Review> {
    let mut review = Review::new(record);
    let mut game = review.game_before(0);
    for ply in 0..review.opinions.len() {
        review.opinions[ply] = think(own, &game, limit, 1)?.pop();
        if STOP.load(Relaxed) {
            break;
        }
        bar.inc(1);
        if let Some(&mv) = review.record.game.moves().get(ply) {
            game.play(mv)?;
        }
    }
    Ok(review)
}

pub(super) fn run(
    subjects: Vec<Subject>,
    own: &mut Own,
    mut output: Output,
) -> anyhow::Result<ExitCode> {
    let (works, lost) = work(subjects);
    let count = |work: &Work| match work {
        Work::Game(record) => record.game.moves().len() + 1,
        Work::Position(_) => 1,
    };
    let all: usize = works.iter().map(count).sum();
    let games = works.len();
    let bar = bar(all, &format!("positions, game {{msg}} of {games}"));
    let mut reviews = Vec::new();
    for (work, number) in works.into_iter().zip(1..) {
        bar.set_message(number.to_string());
        own.new_game();
        let (review, limit) = match work {
            Work::Game(record) => {
                let limit = own.limit.unwrap_or(MOVE);
                (look_at(own, *record, limit, &bar)?, limit)
            }
            Work::Position(position) => {
                let limit = own.limit.unwrap_or(ALONE);
                let lines = think(own, &Game::new(position), limit, LINES)?;
                bar.inc(u64::from(!lines.is_empty()));
                (Review::of_position(position, lines), limit)
            }
        };
        bar.suspend(|| output.write(&review, limit))?;
        reviews.push(review);
        if STOP.load(Relaxed) {
            break;
        }
    }
    let done = bar.position() as usize;
    bar.finish_and_clear();
    output.finish(&reviews)?;
    if done < all {
        complain!("broken off: {} of {all} positions were not looked at", all - done);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if lost { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
