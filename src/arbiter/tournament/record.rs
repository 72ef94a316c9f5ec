//! The records of a match: PGN and a log in JSON, a game at a time.
//!
//! A game is written with one call after its end. Whatever kills the arbiter, only the last game
//! of a file can be cut off; it is removed when the match goes on, and played again.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::{Finished, Job, Plan, Standing, TournamentError};
use crate::arbiter::adjourn::{Adjourned, Envelope, Envelopes};
use crate::arbiter::play::Played;
use crate::chess::{Color, Fen, Position};
use crate::files;
use crate::pgn::{self, Record};

/// The tag that tells matches apart.
const IDENTITY: &str = "MatchId";

/// The tag that says which test a game was played for, in the words of `-sprt`.
pub const SPRT_TAG: &str = "SPRT";

/// Open files and what they hold already.
#[derive(Debug)]
pub(super) struct Records<'a> {
    plan: &'a Plan,
    pgn: Option<File>,
    log: Option<Log>,
    known: Vec<Record>,
    envelopes: Envelopes,
}

/// A game to be played, with what was sealed if it was begun.
pub(super) type Task = (Job, Option<Box<Adjourned>>);

fn told(path: &Path) -> impl Fn(io::Error) -> TournamentError {
    let path = path.to_owned();
    move |error| TournamentError::File { path: path.clone(), error }
}

fn unopened(path: &Path) -> impl Fn(io::Error) -> TournamentError {
    let path = path.to_owned();
    move |error| TournamentError::Open { path: path.clone(), error }
}

/// Length of the text up to its last complete game. A game is a block of tags and a block of moves
/// that ends with a result, each with a blank line after it.
fn complete(text: &str) -> usize {
    let begin_of_last = |text: &str| text.rfind("\n\n").map_or(0, |at| at + 2);
    let ends_with_result = |block: &str| {
        block
            .split_whitespace()
            .next_back()
            .is_some_and(|word| pgn::ResultMark::parse(word).is_some())
    };
    let whole = text.strip_suffix("\n\n").unwrap_or(text);
    let begin = begin_of_last(whole);
    let block = &whole[begin..];
    if block.is_empty() || ends_with_result(block) {
        text.len()
    } else if block.starts_with('[') {
        begin
    } else {
        // The tags of these moves go with them.
        begin_of_last(text[..begin].trim_end())
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent)?;
    }
    OpenOptions::new().create(true).read(true).append(true).open(path)
}

/// A file of JSON lines: descriptions of matches, and their games.
#[derive(Debug)]
struct Log {
    file: File,
    /// The descriptions that are there already.
    headers: Vec<String>,
}

impl Log {
    /// Opens a log; half a line at its end is cut off.
    fn open(path: &Path) -> io::Result<Self> {
        let mut file = open(path)?;
        let text = files::contents(&mut file)?;
        let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if end < text.len() {
            file.set_len(end as u64)?;
        }
        let text = String::from_utf8_lossy(&text[..end]);
        let headers = text.lines().filter(|line| line.contains("\"engines\":"));
        Ok(Self { file, headers: headers.map(str::to_owned).collect() })
    }

    /// Adds a line with one write.
    fn add(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.flush())
    }
}

impl<'a> Records<'a> {
    /// Opens the files of a plan and reads which of its games they hold.
    pub(super) fn open(plan: &'a Plan) -> Result<Self, TournamentError> {
        let mut known = Vec::new();
        let pgn = match &plan.pgn {
            Some(path) => {
                let (file, records) = read_games(path, plan.identity).map_err(unopened(path))?;
                known = records;
                Some(file)
            }
            None => None,
        };
        let log = match &plan.log {
            Some(path) => Some(Log::open(path).map_err(unopened(path))?),
            None => None,
        };
        let mut envelopes = match &plan.adjourn {
            Some(path) => Envelopes::read(path).map_err(unopened(path))?,
            None => Envelopes::default(),
        };
        envelopes.arguments.clone_from(&plan.arguments);
        envelopes.directory =
            std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { plan, pgn, log, known, envelopes })
    }

    /// Describes the match at the head of the log, unless that has been done.
    pub(super) fn begin(&mut self, standing: &Standing) -> Result<(), TournamentError> {
        let plan = self.plan;
        let (Some(log), Some(path)) = (&mut self.log, &plan.log) else { return Ok(()) };
        let engines = standing
            .names
            .iter()
            .zip(&plan.entrants)
            .map(|(name, entrant)| json!({"name": name, "limit": entrant.control.describe()}));
        let test = plan.sprt.map(|sprt| {
            let (low, high) = sprt.bounds();
            json!({
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "alpha": sprt.alpha,
                "beta": sprt.beta,
                "normalized": sprt.normalized,
                "bounds": [low, high],
            })
        });
        let header = json!({
            "match": plan.identity,
            "event": plan.event,
            "engines": engines.collect::<Vec<_>>(),
            "games": standing.total,
            "sprt": test,
        });
        let header = header.to_string();
        if log.headers.contains(&header) {
            return Ok(());
        }
        log.add(&header).map_err(told(path))
    }

    /// These games in the order they are to be played: adjourned ones first.
    pub(super) fn take_up(&mut self, jobs: impl Iterator<Item = Job>) -> Vec<Task> {
        let identity = self.plan.identity;
        let (ours, others): (Vec<Envelope>, Vec<Envelope>) =
            std::mem::take(&mut self.envelopes.games)
                .into_iter()
                .partition(|envelope| envelope.identity == identity);
        let mut sealed: HashMap<String, Envelope> =
            ours.into_iter().map(|envelope| (envelope.round.clone(), envelope)).collect();
        // A game that was finished just before a kill has an envelope still; it is forgotten here.
        self.envelopes.games = others;
        let mut tasks: Vec<Task> = Vec::new();
        for job in jobs {
            let envelope = sealed.remove(&job.round());
            self.envelopes.games.extend(envelope.clone());
            tasks.push((job, envelope.map(|envelope| Box::new(envelope.game))));
        }
        tasks.sort_by_key(|(job, sealed)| (sealed.is_none(), job.number));
        tasks
    }

    /// How many games of the match stand adjourned.
    pub(super) fn adjourned(&self) -> usize {
        let ours = |envelope: &&Envelope| envelope.identity == self.plan.identity;
        self.envelopes.games.iter().filter(ours).count()
    }

    /// Keeps an adjourned game, or forgets one that was finished.
    pub(super) fn keep(
        &mut self,
        job: Job,
        names: [&str; 2],
        adjourned: Option<Adjourned>,
    ) -> Result<(), TournamentError> {
        let Some(path) = &self.plan.adjourn else { return Ok(()) };
        let (identity, round) = (self.plan.identity, job.round());
        let before = self.envelopes.games.len();
        let other = |envelope: &Envelope| envelope.identity != identity || envelope.round != round;
        self.envelopes.games.retain(other);
        if adjourned.is_none() && self.envelopes.games.len() == before {
            return Ok(());
        }
        self.envelopes.games.extend(adjourned.map(|game| Envelope {
            identity,
            round,
            players: names.map(str::to_owned),
            game,
        }));
        self.envelopes.write(path).map_err(told(path))
    }

    /// The games among these that are recorded.
    pub(super) fn finished(&self, jobs: &[Job]) -> Vec<Finished> {
        let mut finished: Vec<Finished> = Vec::new();
        let rounds: HashMap<String, Job> = jobs.iter().map(|job| (job.round(), *job)).collect();
        let mut seen = HashSet::new();
        for record in &self.known {
            let job = record.tag("Round").and_then(|round| rounds.get(round));
            let outcome = record.result.and_then(pgn::ResultMark::outcome);
            let (Some(&job), Some(outcome)) = (job, outcome) else { continue };
            if seen.insert(job.number) {
                let reason = record.tag("TerminationDetails").unwrap_or_default().to_owned();
                let plies = record.game.moves().len();
                finished.push(Finished { job, outcome, reason, plies });
            }
        }
        finished
    }

    /// Adds a game to the files.
    pub(super) fn add(
        &mut self,
        job: Job,
        names: [&str; 2],
        played: &Played,
    ) -> Result<(), TournamentError> {
        let plan = self.plan;
        if let (Some(file), Some(path)) = (&mut self.pgn, &plan.pgn) {
            let text = record_of(plan, job, names, played).to_string();
            file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(told(path))?;
        }
        if let (Some(log), Some(path)) = (&mut self.log, &plan.log) {
            let line = json!({
                "match": plan.identity,
                "game": job.number + 1,
                "round": job.round(),
                "white": names[0],
                "black": names[1],
                "result": played.verdict.outcome.to_string(),
                "termination": played.verdict.termination(),
                "reason": played.verdict.to_string(),
                "rulings": played.sheet.rulings,
                "plies": played.game.moves().len(),
                "white_seconds": played.sheet.used[Color::White].as_secs_f64(),
                "black_seconds": played.sheet.used[Color::Black].as_secs_f64(),
                "start": Fen::of(played.game.start()).to_string(),
            });
            log.add(&line.to_string()).map_err(told(path))?;
        }
        Ok(())
    }
}

/// Opens a file of games and reads those of a match; half a game at its end is cut off.
fn read_games(path: &Path, identity: u32) -> io::Result<(File, Vec<Record>)> {
    let mut file = open(path)?;
    let bytes = files::contents(&mut file)?;
    let text = String::from_utf8_lossy(&bytes);
    // With replaced bytes the lengths differ: then the text is not all ours, and stays as it is.
    let whole = text.len() == bytes.len();
    let end = if whole { complete(&text) } else { text.len() };
    if end < text.len() {
        file.set_len(end as u64)?;
    } else if !text.is_empty() && !text.ends_with("\n\n") {
        file.write_all(b"\n\n")?;
    }
    let identity = identity.to_string();
    let mut records = pgn::read(&text[..end]);
    records.retain(|record| record.tag(IDENTITY) == Some(identity.as_str()));
    Ok((file, records))
}

/// A game as PGN.
fn record_of(plan: &Plan, job: Job, names: [&str; 2], played: &Played) -> Record {
    let mut record = Record {
        game: played.game.clone(),
        remarks: played.sheet.remarks.clone(),
        result: Some(played.verdict.outcome.into()),
        ..Record::default()
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(now / 86_400);
    let mut tag = |name: &str, value: String| record.set_tag(name, value);
    tag("Event", plan.event.clone());
    tag("Site", plan.site.clone());
    tag("Date", format!("{year:04}.{month:02}.{day:02}"));
    tag("Round", job.round());
    tag("White", names[0].to_owned());
    tag("Black", names[1].to_owned());
    tag(IDENTITY, plan.identity.to_string());
    let start = *played.game.start();
    if start != Position::startpos() {
        tag("SetUp", "1".into());
        let fen = if plan.conditions.chess960 { Fen::shredder(&start) } else { Fen::of(&start) };
        tag("FEN", fen.to_string());
    }
    if plan.conditions.chess960 {
        tag("Variant", "Chess960".into());
    }
    if let Some(sprt) = plan.sprt {
        tag(SPRT_TAG, sprt.to_string());
    }
    let [white, black] = [job.white, job.black].map(|of| plan.entrants[of].control.to_string());
    if white != black {
        tag("WhiteTimeControl", white.clone());
        tag("BlackTimeControl", black);
    }
    tag("TimeControl", white);
    tag("Termination", played.verdict.termination().into());
    tag("TerminationDetails", played.verdict.to_string());
    if !played.sheet.rulings.is_empty() {
        tag("Rulings", played.sheet.rulings.join("; "));
    }
    tag("PlyCount", played.game.moves().len().to_string());
    let reason = played.verdict.to_string();
    let place = record.remarks.last_mut().map_or(&mut record.preface, |last| &mut last.comment);
    if !place.is_empty() {
        place.push_str(", ");
    }
    place.push_str(&reason);
    record
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar.
fn date(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_787, (2026, 11, 30)),
            (20_818, (2026, 12, 31)),
        ] {
            assert_eq!(date(days), expected);
        }
    }

    #[test]
    fn half_a_game_is_cut_off_and_nothing_else() {
        let game = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 *\n\n";
        for cut in 1..game.len() {
            let text = format!("{game}{}", &game[..cut]);
            // With its result it is a game, even without the blank line.
            let whole = cut >= game.len() - 2;
            assert_eq!(complete(&text), if whole { text.len() } else { game.len() }, "{cut}");
            assert_eq!(complete(&game[..cut]), if whole { cut } else { 0 }, "{cut}");
        }
        assert_eq!(complete(game), game.len());
        assert_eq!(complete("1. e4 *"), 7);
        assert_eq!(complete(""), 0);
    }
}
