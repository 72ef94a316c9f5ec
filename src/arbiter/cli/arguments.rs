//! Reads the description of a match.

use std::path::PathBuf;
use std::time::Duration;

use crate::arbiter::clock::{TimeControl, seconds};
use crate::arbiter::play::Conditions;
use crate::arbiter::player::Engine;
use crate::arbiter::tournament::{Entrant, Format};
use crate::referee::dead::Effort;
use crate::referee::laws::{FlagRule, Rules, WrongClaim};
use crate::referee::score::Sprt;
use crate::referee::{Adjudication, ScoreRule};

/// The openings that were asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OpeningFile {
    pub(super) path: PathBuf,
    pub(super) format: Option<String>,
    pub(super) random: bool,
    pub(super) plies: Option<usize>,
    /// The first one, from 1.
    pub(super) start: Option<usize>,
}

/// A match as it was described.
#[derive(Clone, Debug)]
pub(super) struct Description {
    pub(super) entrants: Vec<Entrant>,
    pub(super) format: Format,
    pub(super) games: usize,
    pub(super) rounds: usize,
    pub(super) concurrency: usize,
    pub(super) openings: Option<OpeningFile>,
    pub(super) seed: u64,
    pub(super) sprt: Option<Sprt>,
    pub(super) conditions: Conditions,
    pub(super) pgn: Option<PathBuf>,
    pub(super) log: Option<PathBuf>,
    pub(super) adjourn: Option<PathBuf>,
    pub(super) errors: Option<PathBuf>,
    pub(super) event: String,
    pub(super) site: String,
    pub(super) interval: usize,
    pub(super) quiet: bool,
}

impl Default for Description {
    fn default() -> Self {
        Self {
            entrants: Vec::new(),
            format: Format::default(),
            games: 2,
            rounds: 1,
            concurrency: 1,
            openings: None,
            seed: 0,
            sprt: None,
            conditions: Conditions {
                rules: Rules::fide(),
                adjudication: Adjudication::default(),
                chess960: false,
                session: None,
            },
            pgn: None,
            log: None,
            adjourn: None,
            errors: None,
            event: "Engine match".into(),
            site: "?".into(),
            interval: 10,
            quiet: false,
        }
    }
}

/// A word of the form `name=value`.
fn pair<'a>(option: &str, word: &'a str) -> Result<(&'a str, &'a str), String> {
    if word == "ponder" {
        return Ok((word, "true"));
    }
    word.split_once('=').ok_or_else(|| format!("{option}: {word:?} is no name=value"))
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option}: {text:?} is no number that fits"))
}

fn positive(option: &str, text: &str) -> Result<usize, String> {
    let value: usize = number(option, text)?;
    if value == 0 { Err(format!("{option}: must be at least 1")) } else { Ok(value) }
}

fn some_time(option: &str, text: &str) -> Result<Duration, String> {
    let time = seconds(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("{option}: {text:?} is no time"))
}

/// The value of an option that takes one.
fn single<'a>(option: &str, values: &[&'a str]) -> Result<&'a str, String> {
    match values {
        [value] => Ok(value),
        [] => Err(format!("{option} needs a value")),
        [_, odd, ..] => Err(format!("{option}: {odd:?} is one value too many")),
    }
}

fn switch(option: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(choice(option, value, "on, off, true, false")),
    }
}

fn choice(option: &str, value: &str, choices: &str) -> String {
    format!("{option}: {value:?} is none of {choices}")
}

/// Whether a word names an option rather than a value.
fn is_option(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    word.starts_with('-') && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// An engine's keys with what `-each` adds; what is the engine's own goes before.
type Keys<'a> = Vec<(&'a str, &'a str)>;

/// Reads a match.
///
/// # Errors
/// One line that names the offending word.
pub(super) fn read(words: &[&str]) -> Result<Description, String> {
    let description = read_any(words)?;
    if description.entrants.len() < 2 {
        return Err("a match needs two engines: -engine cmd=A -engine cmd=B".into());
    }
    Ok(description)
}

/// Reads a description with any number of engines.
///
/// # Errors
/// One line that names the offending word.
pub(super) fn read_any(words: &[&str]) -> Result<Description, String> {
    let mut description = Description::default();
    let mut engines: Vec<Keys<'_>> = Vec::new();
    let mut each = Keys::new();
    // The set of rules goes first wherever it stands, so that single rules change it.
    let groups = group(words)?;
    for (option, values) in &groups {
        if option == "rules" {
            let name = single("-rules", values)?;
            let rules = Rules::named(name);
            description.conditions.rules =
                rules.ok_or_else(|| choice("-rules", name, "fide, seed"))?;
        }
    }
    for (option, values) in &groups {
        let shown = format!("-{option}");
        let pairs =
            || values.iter().map(|word| pair(&shown, word)).collect::<Result<Keys<'_>, _>>();
        match option.as_str() {
            "engine" => engines.push(pairs()?),
            "each" => each.extend(pairs()?),
            "rules" => {}
            _ => set(&mut description, option, values)?,
        }
    }
    for own in &engines {
        description.entrants.push(entrant(own, &each)?);
    }
    if description.conditions.session.is_some() && description.adjourn.is_none() {
        return Err("-session needs -adjourn FILE for the games".into());
    }
    if description.adjourn.is_some() && description.pgn.is_none() {
        return Err("-adjourn needs -pgnout FILE, or finished games are not known again".into());
    }
    if description.sprt.is_some() && description.entrants.len() > 2 {
        return Err("-sprt needs two engines, no more".into());
    }
    Ok(description)
}

/// Options with their values.
fn group<'a>(words: &[&'a str]) -> Result<Vec<(String, Vec<&'a str>)>, String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for &word in words {
        if is_option(word) {
            groups.push((word.trim_start_matches('-').to_owned(), Vec::new()));
        } else if let Some((_, values)) = groups.last_mut() {
            values.push(word);
        } else {
            return Err(format!("{word:?} is no option; try --help"));
        }
    }
    Ok(groups)
}

fn set(description: &mut Description, option: &str, values: &[&str]) -> Result<(), String> {
    let shown = format!("-{option}");
    let shown = shown.as_str();
    let one = || single(shown, values);
    let path = || one().map(|value| Some(PathBuf::from(value)));
    match option {
        "games" => description.games = positive(shown, one()?)?,
        "rounds" => description.rounds = positive(shown, one()?)?,
        "concurrency" => description.concurrency = positive(shown, one()?)?,
        "ratinginterval" => description.interval = number(shown, one()?)?,
        "srand" | "seed" => description.seed = number(shown, one()?)?,
        "tournament" => {
            description.format = match one()? {
                "round-robin" | "roundrobin" => Format::RoundRobin,
                "gauntlet" => Format::Gauntlet,
                other => return Err(choice(shown, other, "round-robin, gauntlet")),
            }
        }
        "variant" => {
            description.conditions.chess960 = match one()? {
                "standard" => false,
                "fischerandom" | "chess960" => true,
                other => return Err(choice(shown, other, "standard, fischerandom, chess960")),
            }
        }
        "openings" => description.openings = Some(openings(values)?),
        "sprt" => description.sprt = Some(sprt(values)?),
        "pgnout" => description.pgn = Some(file_word(shown, values)?),
        "log" => description.log = Some(file_word(shown, values)?),
        "errors" => description.errors = path()?,
        "adjourn" => description.adjourn = path()?,
        "session" => {
            let moves = positive(shown, one()?)?;
            description.conditions.session = Some(u32::try_from(moves).unwrap_or(u32::MAX));
        }
        "event" | "site" if values.is_empty() => return Err(format!("{shown} needs a value")),
        "event" => description.event = values.join(" "),
        "site" => description.site = values.join(" "),
        "quiet" => match values {
            [] => description.quiet = true,
            [odd, ..] => return Err(format!("{shown}: {odd:?} is one value too many")),
        },
        // Pairs share their opening, engines are mended, and nothing is asked: as usual here.
        "repeat" | "recover" | "resume" | "wait" => {}
        _ => return set_rule(&mut description.conditions, option, values),
    }
    Ok(())
}

/// `FILE`, or `file=FILE` with words of other programs after it, which say what is done anyway.
fn file_word(option: &str, values: &[&str]) -> Result<PathBuf, String> {
    let first = values.first().ok_or_else(|| format!("{option} needs a file"))?;
    Ok(PathBuf::from(first.strip_prefix("file=").unwrap_or(first)))
}

fn set_rule(conditions: &mut Conditions, option: &str, values: &[&str]) -> Result<(), String> {
    let shown = format!("-{option}");
    let shown = shown.as_str();
    let one = || single(shown, values);
    let rules = &mut conditions.rules;
    match option {
        "claims" => {
            rules.automatic_claims = match one()? {
                "auto" => true,
                "players" => false,
                other => return Err(choice(shown, other, "auto, players")),
            }
        }
        "fifty" => {
            let moves = u32::try_from(positive(shown, one()?)?).unwrap_or(u32::MAX);
            rules.fifty_moves = moves.saturating_mul(2);
        }
        "flag" => {
            rules.flag = match one()? {
                "cannot-mate" => FlagRule::CannotMate,
                "lone-king" => FlagRule::LoneKing,
                other => return Err(choice(shown, other, "cannot-mate, lone-king")),
            }
        }
        "penalty" => rules.wrong_claim = penalty(one()?)?,
        "deadpositions" => {
            rules.effort = match one()? {
                "on" => Effort::MATCH,
                "off" => Effort::NONE,
                other => return Err(choice(shown, other, "on, off")),
            }
        }
        "resign" => conditions.adjudication.win = Some(score_rule(shown, values)?),
        "draw" => conditions.adjudication.draw = Some(score_rule(shown, values)?),
        "maxmoves" => {
            let moves: u32 = number(shown, one()?)?;
            conditions.adjudication.max_plies = (moves > 0).then(|| moves.saturating_mul(2));
        }
        "maxplies" => {
            let plies: u32 = number(shown, one()?)?;
            conditions.adjudication.max_plies = Some(plies.saturating_add(1));
        }
        _ => return Err(format!("unknown option {shown}; try --help")),
    }
    Ok(())
}

fn penalty(text: &str) -> Result<WrongClaim, String> {
    let parsed = text.split_once(':').and_then(|(kind, time)| {
        let time = seconds(time)?;
        match kind {
            "opponent" => Some(WrongClaim::OpponentGains(time)),
            "claimant" => Some(WrongClaim::ClaimantPays(time)),
            "half" => Some(WrongClaim::HalfOfTheRest(time)),
            _ => None,
        }
    });
    parsed.ok_or_else(|| choice("-penalty", text, "opponent:S, claimant:S, half:S"))
}

fn score_rule(option: &str, values: &[&str]) -> Result<ScoreRule, String> {
    let mut rule = ScoreRule { score: -1, moves: 1, from_ply: 0, two_sided: false };
    for word in values {
        match pair(option, word)? {
            ("score", value) => rule.score = number(option, value)?,
            ("movecount", value) => rule.moves = number::<u32>(option, value)?.max(1),
            ("movenumber", value) => {
                let number: u32 = number(option, value)?;
                rule.from_ply = number.saturating_sub(1).saturating_mul(2);
            }
            ("twosided", value) => rule.two_sided = switch(option, value)?,
            (name, _) => {
                return Err(choice(option, name, "score, movecount, movenumber, twosided"));
            }
        }
    }
    if rule.score < 0 {
        return Err(format!("{option} needs score=CENTIPAWNS, not negative"));
    }
    Ok(rule)
}

fn openings(values: &[&str]) -> Result<OpeningFile, String> {
    let option = "-openings";
    let mut file = OpeningFile::default();
    for word in values {
        match pair(option, word)? {
            ("file", value) => file.path = value.into(),
            ("format", value @ ("epd" | "pgn" | "polyglot")) => {
                file.format = Some(value.to_owned());
            }
            ("format", "bin") => file.format = Some("polyglot".to_owned()),
            ("order", "random") => file.random = true,
            ("order", "sequential") => file.random = false,
            ("plies", value) => file.plies = Some(number(option, value)?),
            ("start", value) => file.start = Some(positive(option, value)?),
            // The order of pairs is what it always is here.
            ("policy", _) => {}
            _ => return Err(format!("{option}: {word:?} is not understood")),
        }
    }
    if file.path.as_os_str().is_empty() {
        return Err(format!("{option} needs file=FILE"));
    }
    Ok(file)
}

pub(super) fn sprt(values: &[&str]) -> Result<Sprt, String> {
    values.join(" ").parse().map_err(|error| format!("-sprt: {error}"))
}

/// An engine from its own keys and those of all engines; its own win.
fn entrant(own: &Keys<'_>, each: &Keys<'_>) -> Result<Entrant, String> {
    let mut engine = Engine::new("");
    let mut control = TimeControl::default();
    let (mut time, mut limited) = (None, false);
    let mut margin = Duration::ZERO;
    for &(key, value) in each.iter().chain(own) {
        let shown = format!("-engine {key}");
        match key {
            "cmd" => {
                let mut parts = value.split_whitespace();
                engine.command = parts.next().unwrap_or_default().into();
                engine.arguments.extend(parts.map(str::to_owned));
            }
            "arg" => engine.arguments.push(value.to_owned()),
            "dir" => engine.directory = Some(value.into()),
            "name" => value.clone_into(&mut engine.name),
            "tc" => time = Some(value.parse::<TimeControl>().map_err(|error| error.to_string())?),
            "st" => control.move_time = Some(some_time(&shown, value)?),
            "nodes" => control.nodes = Some(positive(&shown, value)? as u64),
            "depth" => {
                control.depth = Some(u32::try_from(positive(&shown, value)?).unwrap_or(u32::MAX));
            }
            "timemargin" => margin = Duration::from_millis(number(&shown, value)?),
            "restart" => engine.restart = switch(&shown, value)?,
            "patience" => engine.patience = some_time(&shown, value)?,
            "stall" => engine.longest_think = some_time(&shown, value)?,
            "ponder" => engine.ponder = switch(&shown, value)?,
            "proto" if value == "uci" => {}
            _ => match key.strip_prefix("option.") {
                Some("") => return Err(format!("-engine: {key}={value} names no option")),
                Some(name) => {
                    engine.options.retain(|(old, _)| !old.eq_ignore_ascii_case(name));
                    engine.options.push((name.to_owned(), value.to_owned()));
                }
                None => return Err(format!("-engine: {key}={value} is not understood")),
            },
        }
        limited |= matches!(key, "tc" | "st" | "nodes" | "depth");
    }
    if let Some(time) = time {
        control.periods = time.periods;
        control.delay = time.delay;
        control.move_time = control.move_time.or(time.move_time);
    }
    if engine.command.as_os_str().is_empty() {
        return Err("-engine needs cmd=PROGRAM".into());
    }
    if !limited {
        return Err(format!(
            "no limit for {}: give tc, st, nodes or depth",
            engine.command.display()
        ));
    }
    Ok(Entrant { engine, control, margin })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Description, String> {
        read(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn the_words_of_other_match_runners_are_understood() {
        let description = words(
            "-engine cmd=./a name=A tc=40/60+0.6 option.Hash=16 -engine cmd=b proto=uci option.Hash=32 -each \
             tc=10+0.1 option.Hash=8 option.Threads=2 timemargin=50 -games 2 -rounds 50 -repeat -recover \
             -concurrency 2 -openings file=x.epd format=epd order=random -srand 7 -pgnout out.pgn -sprt elo0=-3 \
             elo1=1 alpha=0.05 beta=0.1 -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
             -variant fischerandom -ratinginterval 5",
        )
        .unwrap();
        assert_eq!(description.entrants[0].control.to_string(), "40/60+0.6");
        assert_eq!(description.entrants[1].control.to_string(), "10+0.1");
        let options = |i: usize| description.entrants[i].engine.options.clone();
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(options(0), [option("Threads", "2"), option("Hash", "16")]);
        assert_eq!(options(1), [option("Threads", "2"), option("Hash", "32")]);
        assert_eq!(description.entrants[1].margin, Duration::from_millis(50));
        assert_eq!((description.games, description.rounds, description.concurrency), (2, 50, 2));
        assert_eq!(description.sprt.map(|sprt| (sprt.elo0, sprt.beta)), Some((-3.0, 0.1)));
        assert!(description.conditions.chess960);
    }

    #[test]
    fn single_rules_change_the_set_wherever_they_stand() {
        let two = "-engine cmd=a -engine cmd=b -each nodes=5";
        let rules = |text: &str| words(&format!("{two} {text}")).unwrap().conditions.rules;
        assert_eq!(rules("-rules seed"), Rules::seed());
        let changed = rules("-flag cannot-mate -penalty half:180 -fifty 75 -rules seed");
        let half = WrongClaim::HalfOfTheRest(Duration::from_mins(3));
        let expected = Rules {
            flag: FlagRule::CannotMate,
            wrong_claim: half,
            fifty_moves: 150,
            ..Rules::seed()
        };
        assert_eq!(changed, expected);
        assert_eq!(rules("-deadpositions off").effort, Effort::NONE);
        assert_eq!(rules("-repeat"), Rules::fide());
    }

    #[test]
    fn games_are_adjudicated_only_if_that_is_asked_for() {
        let two = "-engine cmd=a -engine cmd=b -each nodes=5";
        let settings = |text: &str| words(&format!("{two}{text}")).unwrap().conditions.adjudication;
        assert_eq!(settings(""), Adjudication::default());
        assert_eq!(
            (settings("").win, settings("").draw, settings("").max_plies),
            (None, None, None)
        );
        let asked =
            settings(" -resign score=700 movecount=4 -draw score=8 movenumber=40 -maxmoves 200");
        let win = ScoreRule { score: 700, moves: 4, from_ply: 0, two_sided: false };
        let draw = ScoreRule { score: 8, moves: 1, from_ply: 78, two_sided: false };
        let expected = Adjudication { win: Some(win), draw: Some(draw), max_plies: Some(400) };
        assert_eq!(asked, expected);
    }

    #[test]
    fn bad_words_are_named() {
        let two = "-engine cmd=a -engine cmd=b -each nodes=5";
        for (text, told) in [
            ("-engine cmd=a nodes=5".to_owned(), "needs two engines"),
            ("nonsense".to_owned(), "\"nonsense\" is no option"),
            (format!("{two} -nonsense"), "unknown option -nonsense"),
            (format!("{two} -games x"), "\"x\""),
            (format!("{two} -games 0"), "at least 1"),
            (format!("{two} -games 2 3"), "one value too many"),
            (format!("{two} -sprt elo0=5 elo1=1"), "elo0 must be less"),
            (format!("{two} -sprt elo0=nan"), "\"elo0=nan\""),
            (format!("{two} -openings order=random"), "needs file"),
            (format!("{two} -each tc=x"), "\"x\""),
            (format!("{two} -each foo=1"), "foo=1"),
            (format!("{two} -rules chess"), "\"chess\""),
            (format!("{two} -each proto=xboard"), "proto=xboard"),
            ("-engine cmd=a -engine cmd=b".to_owned(), "no limit for a"),
            ("-engine nodes=1 -engine nodes=1".to_owned(), "needs cmd"),
            (format!("{two} -each restart=maybe"), "\"maybe\""),
            (format!("{two} -each ponder=5"), "\"5\""),
            (format!("{two} -each option.=5"), "names no option"),
            (format!("{two} -each stall=0"), "\"0\" is no time"),
            (format!("{two} -each st=x"), "\"x\" is no time"),
            (format!("{two} -each timemargin=-1"), "\"-1\""),
            (format!("{two} -resign movecount=3"), "needs score"),
            (format!("{two} -draw score=-5"), "needs score"),
            (format!("{two} -resign score=5 twosided=x"), "\"x\""),
            (format!("{two} -fifty 0"), "at least 1"),
            (format!("{two} -quiet please"), "one value too many"),
            (format!("{two} -event"), "needs a value"),
            (format!("{two} -pgnout"), "needs a file"),
            (format!("{two} -session 5"), "needs -adjourn"),
            (format!("{two} -adjourn x"), "needs -pgnout"),
            (format!("{two} -tournament swiss"), "\"swiss\""),
            (format!("{two} -variant atomic"), "\"atomic\""),
            (format!("{two} -penalty half"), "\"half\""),
            (format!("{two} -concurrency 0"), "at least 1"),
            (format!("{two} -srand -5"), "\"-5\""),
            (format!("{two} -engine cmd=c -sprt"), "two engines, no more"),
        ] {
            let error = words(&text).unwrap_err();
            assert!(error.contains(told) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
