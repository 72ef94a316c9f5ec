//! What is kept of a soak: a line of JSON for each game, so that runs add up and a kill loses the
//! last game at most; and what the lines come to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::variety::Round;
use crate::arbiter::play::Played;

/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trouble {
    /// The engine has ended.
    Crash,
    /// A flag fell.
    Time,
    /// A move or an answer that can't be.
    Fault,
}

impl Trouble {
    const ALL: [Self; 3] = [Self::Crash, Self::Time, Self::Fault];

    const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Time => "time",
            Self::Fault => "fault",
        }
    }
}

/// What is kept of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entry {
    /// The run it was played in.
    pub run: u64,
    /// Seconds from the beginning of the run to the end of what belongs to the game.
    pub seconds: f64,
    /// How the engine names itself.
    pub engine: String,
    /// The control.
    pub control: String,
    /// Whether it was a Chess960 game.
    pub chess960: bool,
    /// Options it was played with.
    pub options: Vec<(String, String)>,
    /// The result and why.
    pub result: String,
    /// Plies played.
    pub plies: usize,
    /// What went wrong, in words.
    pub troubles: Vec<(Trouble, String)>,
    /// The least time, in seconds, that was left to either side when it moved.
    pub least: Option<f64>,
    /// How long `isready` was answered after, in the midst of searches.
    pub ready: Vec<Duration>,
    /// How long `stop` was answered after.
    pub stop: Vec<Duration>,
    /// Processes with their memory in bytes, after games with the options of the start.
    pub memory: Vec<(u32, u64)>,
}

/// A duration in whole microseconds.
fn micros(times: &[Duration]) -> Vec<u64> {
    times.iter().map(|time| time.as_micros() as u64).collect()
}

impl Entry {
    /// What is known of a game before it is played.
    pub fn of(round: &Round) -> Self {
        Self {
            control: round.name.clone(),
            chess960: round.chess960,
            options: round.options.clone(),
            ..Self::default()
        }
    }

    /// What has come of it.
    pub fn add_game(&mut self, played: &Played) {
        self.result = format!("{} {{{}}}", played.verdict.outcome, played.verdict);
        self.plies = played.game.moves().len();
        self.least = played.least.iter().copied().flatten().reduce(f64::min);
        let trouble = Trouble::of_verdict(&played.verdict);
        self.troubles.extend(trouble.map(|kind| (kind, played.verdict.to_string())));
    }

    /// The line of JSON.
    pub fn to_json(&self) -> Value {
        let options: serde_json::Map<String, Value> =
            self.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let troubles = self.troubles.iter().map(|(kind, text)| json!([kind.name(), text]));
        json!({
            "run": self.run,
            "seconds": self.seconds,
            "engine": self.engine,
            "control": self.control,
            "chess960": self.chess960,
            "options": options,
            "result": self.result,
            "plies": self.plies,
            "troubles": troubles.collect::<Vec<_>>(),
            "least_seconds_left": self.least,
            "isready_us": micros(&self.ready),
            "stop_us": micros(&self.stop),
            "memory_bytes": self.memory,
        })
    }

    /// Reads a line of JSON; none if it is another one.
    pub fn of_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let times = |name: &str| -> Option<Vec<Duration>> {
            let micros = value[name].as_array()?.iter().map(Value::as_u64);
            micros.map(|micros| micros.map(Duration::from_micros)).collect()
        };
        let trouble = |value: &Value| {
            let kind = Trouble::ALL.into_iter().find(|kind| value[0] == kind.name())?;
            Some((kind, value[1].as_str()?.to_owned()))
        };
        let memory =
            |value: &Value| Some((u32::try_from(value[0].as_u64()?).ok()?, value[1].as_u64()?));
        let option =
            |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
        Some(Self {
            run: value["run"].as_u64()?,
            seconds: value["seconds"].as_f64()?,
            engine: text("engine")?,
            control: text("control")?,
            chess960: value["chess960"].as_bool()?,
            options: value["options"].as_object()?.iter().map(option).collect::<Option<_>>()?,
            result: text("result")?,
            plies: usize::try_from(value["plies"].as_u64()?).ok()?,
            troubles: value["troubles"].as_array()?.iter().map(trouble).collect::<Option<_>>()?,
            least: value["least_seconds_left"].as_f64(),
            ready: times("isready_us")?,
            stop: times("stop_us")?,
            memory: value["memory_bytes"].as_array()?.iter().map(memory).collect::<Option<_>>()?,
        })
    }
}

/// What a process held at its first, its last and its greatest measurement, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Held {
    start: u64,
    end: u64,
    most: u64,
}

/// Games under one control and the least time left in any.
type ByControl = (usize, Option<f64>);

/// What games come to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    games: usize,
    chess960: usize,
    plies: usize,
    engines: BTreeSet<String>,
    /// Seconds of each run.
    runs: BTreeMap<u64, f64>,
    troubles: BTreeMap<Trouble, Vec<String>>,
    controls: BTreeMap<String, ByControl>,
    ready: Vec<Duration>,
    stop: Vec<Duration>,
    /// By run and process.
    memory: BTreeMap<(u64, u32), Held>,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, entry: &Entry) {
        self.games += 1;
        self.chess960 += usize::from(entry.chess960);
        self.plies += entry.plies;
        if !entry.engine.is_empty() {
            self.engines.insert(entry.engine.clone());
        }
        let seconds = self.runs.entry(entry.run).or_default();
        *seconds = seconds.max(entry.seconds);
        for (kind, text) in &entry.troubles {
            let told = format!("{} ({text})", entry.control);
            self.troubles.entry(*kind).or_default().push(told);
        }
        let (games, least) = self.controls.entry(entry.control.clone()).or_default();
        *games += 1;
        *least = [*least, entry.least].into_iter().flatten().reduce(f64::min);
        self.ready.extend(&entry.ready);
        self.stop.extend(&entry.stop);
        for &(process, bytes) in &entry.memory {
            let new = Held { start: bytes, end: bytes, most: bytes };
            let held = self.memory.entry((entry.run, process)).or_insert(new);
            *held = Held { end: bytes, most: held.most.max(bytes), ..*held };
        }
    }

    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        self.troubles.is_empty()
    }

    /// Games counted.
    pub const fn games(&self) -> usize {
        self.games
    }
}

/// Half, 99 of a hundred and all are at most so long.
fn quantiles(times: &[Duration]) -> Option<[f64; 3]> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    let at = |share: f64| sorted[(last as f64 * share).ceil() as usize].as_secs_f64() * 1e3;
    Some([at(0.5), at(0.99), at(1.0)])
}

/// The report, in lines for people.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines: Vec<&str> = self.engines.iter().map(String::as_str).collect();
        let seconds: f64 = self.runs.values().sum();
        writeln!(
            f,
            "{}: {} games, {} of them Chess960, {} moves, in {} and {} run(s)",
            engines.join(", "),
            self.games,
            self.chess960,
            self.plies,
            hours(seconds),
            self.runs.len(),
        )?;
        for kind in Trouble::ALL {
            let told = self.troubles.get(&kind).map_or(&[][..], Vec::as_slice);
            let name = match kind {
                Trouble::Crash => "crashes",
                Trouble::Time => "lost on time",
                Trouble::Fault => "other faults",
            };
            writeln!(f, "{name}: {}", told.len())?;
            for text in told.iter().take(10) {
                writeln!(f, "  {text}")?;
            }
        }
        self.write_memory(f)?;
        for (name, times) in [("isready", &self.ready), ("stop", &self.stop)] {
            match quantiles(times) {
                Some([median, high, most]) => writeln!(
                    f,
                    "{name} while searching: median {median:.2} ms, 99 % below {high:.2} ms, {most:.2} ms at most, {} times",
                    times.len()
                )?,
                None => writeln!(f, "{name} while searching: never asked")?,
            }
        }
        writeln!(f, "least time left by control:")?;
        for (control, (games, least)) in &self.controls {
            let least = least.map_or("no clock".into(), |least| format!("{:.1} ms", 1e3 * least));
            writeln!(f, "  {control:<24} {games:>6} games {least:>12}")?;
        }
        Ok(())
    }
}

/// Hours, minutes and seconds.
fn hours(seconds: f64) -> String {
    let whole = seconds as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

impl Tally {
    fn write_memory(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let growth = |held: &Held, to: u64| 100.0 * (to as f64 / held.start as f64 - 1.0);
        let worst =
            self.memory.values().max_by(|a, b| growth(a, a.most).total_cmp(&growth(b, b.most)));
        let Some(held) = worst else {
            return writeln!(f, "memory: not looked at");
        };
        let [start, end, most] = [held.start, held.end, held.most].map(|b| b as f64 / 1_048_576.0);
        writeln!(
            f,
            "memory with the options of the start: {} processes; the one that grew most: {start:.1} MiB at the start, \
             {end:.1} at the end ({:+.1} %), {most:.1} at most ({:+.1} %)",
            self.memory.len(),
            growth(held, held.end),
            growth(held, held.most),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        let ms = Duration::from_millis;
        Entry {
            run: 7,
            seconds: 61.5,
            engine: "Q".into(),
            control: "1+0.01 ponder".into(),
            chess960: true,
            options: vec![("Hash".into(), "16".into())],
            result: "1-0 {White mates}".into(),
            plies: 40,
            troubles: Vec::new(),
            least: Some(0.25),
            ready: vec![ms(1), ms(2)],
            stop: vec![ms(3)],
            memory: vec![(11, 100), (12, 1_000_000)],
        }
    }

    #[test]
    fn entries_are_written_and_read() {
        let mut bad = entry();
        bad.troubles = vec![(Trouble::Time, "White loses on time".into())];
        bad.least = None;
        for entry in [entry(), bad] {
            let value: Value = serde_json::from_str(&entry.to_json().to_string()).unwrap();
            assert_eq!(Entry::of_json(&value), Some(entry));
        }
        assert_eq!(Entry::of_json(&json!({"run": 1})), None);
    }

    #[test]
    fn games_of_several_runs_add_up() {
        let mut tally = Tally::default();
        let second = Entry { run: 8, seconds: 3_600.0, least: Some(-0.001), ..entry() };
        let mut third = Entry { memory: vec![(11, 103), (12, 1_010_000)], ..second.clone() };
        third.seconds = 3_605.0;
        for entry in [&entry(), &second, &third] {
            tally.add(entry);
        }
        assert!(tally.is_clean());
        let text = tally.to_string();
        for part in [
            "Q: 3 games, 3 of them Chess960, 120 moves, in 1:01:06 and 2 run(s)",
            "crashes: 0",
            "4 processes; the one that grew most: 0.0 MiB",
            "(+3.0 %), 0.0 at most (+3.0 %)",
            "isready while searching: median 2.00 ms, 99 % below 2.00 ms, 2.00 ms at most, 6 times",
            "3 games      -1.0 ms",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        third.troubles = vec![(Trouble::Crash, "White: disconnects".into())];
        tally.add(&third);
        assert!(!tally.is_clean());
        let text = tally.to_string();
        assert!(text.contains("crashes: 1\n  1+0.01 ponder (White: disconnects)"), "{text}");
    }
}
