//! Time controls, and what is left of them. Pure logic: the time used is handed in.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// Some moves, or all the rest, in some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// The moves to make; none for the rest of the game.
    pub moves: Option<u32>,
    /// The time for them, on top of what was saved before (RULES 3.1).
    pub time: Duration,
    /// Given after each move.
    pub increment: Duration,
}

/// What limits a player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// The periods; the last one repeats if it has a number of moves. Empty: no clock runs.
    pub periods: Vec<Period>,
    /// At each move the clock runs only after this.
    pub delay: Duration,
    /// A fixed time a move.
    pub move_time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth of each search.
    pub depth: Option<u32>,
}

/// Why a text is no time control. It carries the text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TimeControlError {
    /// A part is no `[MOVES/]SECONDS[+INCREMENT]`.
    #[error("time control: {0:?} is no [moves/]seconds[+increment]")]
    Period(String),
    /// A period of all the rest of the game stands before another.
    #[error("time control: {0:?} has no number of moves but is not the last period")]
    NotLast(String),
    /// No time at all.
    #[error("time control: {0:?} gives no time")]
    NoTime(String),
}

/// Longest time read, in seconds: more than three years.
const LONGEST: f64 = 1e8;

/// A number of seconds; none if it is no number, negative or beyond three years.
pub fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    let value: f64 = text.parse().ok().filter(|_| plain)?;
    // Nanoseconds of a decimal fraction are rounded, not cut.
    (value <= LONGEST).then(|| Duration::from_nanos((value * 1e9).round() as u64))
}

/// Reads `[MINUTES:]SECONDS`.
fn minutes_and_seconds(text: &str) -> Option<Duration> {
    match text.split_once(':') {
        Some((minutes, rest)) => Some(seconds(minutes)? * 60 + seconds(rest)?),
        None => seconds(text),
    }
}

fn period(text: &str) -> Option<Period> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves: &u32| moves > 0)?), rest),
        None => (None, text),
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => (time, seconds(increment)?),
        None => (rest, Duration::ZERO),
    };
    Some(Period { moves, time: minutes_and_seconds(time)?, increment })
}

/// Whether a part between colons is the seconds of what stands before it: two digits exactly.
fn are_seconds(text: &str) -> bool {
    let digits = text.split(['.', '+', 'd']).next().unwrap_or_default();
    digits.len() == 2 && digits.bytes().all(|c| c.is_ascii_digit()) && !text.contains('/')
}

/// `40/9000:20/3600:900+30` as PGN writes it (seconds); minutes as match runners write them, with
/// two digits of seconds (`40/5:00+0.1`); `0.5/move`; `900+0d5` or `900d5` with five seconds of delay; `inf`.
///
/// ```
/// use qishou::arbiter::clock::TimeControl;
/// let control: TimeControl = "40/9000:20/3600:900+30".parse()?;
/// assert_eq!(control.periods.len(), 3);
/// assert_eq!(control.to_string(), "40/9000:20/3600:900+30");
/// assert_eq!("5:30".parse::<TimeControl>()?.to_string(), "330");
/// # Ok::<(), qishou::arbiter::clock::TimeControlError>(())
/// ```
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let wrong = |part: &str| TimeControlError::Period(part.to_owned());
        if matches!(text, "inf" | "infinite" | "-") {
            return Ok(Self::default());
        }
        if let Some(time) = text.strip_suffix("/move") {
            let move_time = minutes_and_seconds(time).ok_or_else(|| wrong(text))?;
            if move_time.is_zero() {
                return Err(TimeControlError::NoTime(text.to_owned()));
            }
            return Ok(Self { move_time: Some(move_time), ..Self::default() });
        }
        let (main, delay) = match text.split_once('d') {
            Some((main, delay)) => (main, seconds(delay).ok_or_else(|| wrong(text))?),
            None => (text, Duration::ZERO),
        };
        let mut parts: Vec<String> = Vec::new();
        for part in main.split(':') {
            match parts.last_mut() {
                Some(last) if are_seconds(part) && !last.contains([':', '+']) => {
                    last.push(':');
                    last.push_str(part);
                }
                _ => parts.push(part.to_owned()),
            }
        }
        let mut periods = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let period = period(part).ok_or_else(|| wrong(part))?;
            if period.moves.is_none() && i + 1 < parts.len() {
                return Err(TimeControlError::NotLast(part.clone()));
            }
            periods.push(period);
        }
        let first =
            periods.first().is_some_and(|first| (first.time + first.increment + delay).is_zero());
        if first {
            return Err(TimeControlError::NoTime(text.to_owned()));
        }
        Ok(Self { periods, delay, ..Self::default() })
    }
}

/// Seconds without needless zeros.
fn write_seconds(f: &mut impl Write, time: Duration) -> fmt::Result {
    if time.subsec_nanos() == 0 {
        return write!(f, "{}", time.as_secs());
    }
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    f.write_str(text.trim_end_matches('0'))
}

/// As the `TimeControl` tag of PGN has it; `-` if no clock runs. Delay and seconds a move are
/// written as they are read, since PGN has no form for them.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(time) = self.move_time {
            write_seconds(f, time)?;
            return f.write_str("/move");
        }
        if self.periods.is_empty() {
            return f.write_str("-");
        }
        for (i, period) in self.periods.iter().enumerate() {
            if i > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = period.moves {
                write!(f, "{moves}/")?;
            }
            // After a colon two digits would be read as seconds of minutes.
            let ambiguous =
                i > 0 && period.moves.is_none() && (10..100).contains(&period.time.as_secs());
            if ambiguous {
                f.write_str("0")?;
            }
            write_seconds(f, period.time)?;
            if !period.increment.is_zero() {
                f.write_str("+")?;
                write_seconds(f, period.increment)?;
            }
        }
        if !self.delay.is_zero() {
            f.write_str("d")?;
            write_seconds(f, self.delay)?;
        }
        Ok(())
    }
}

impl TimeControl {
    /// The time with nodes and depth, for people to read.
    pub fn describe(&self) -> String {
        match (self.nodes, self.depth) {
            (Some(nodes), _) => format!("{self} nodes {nodes}"),
            (None, Some(depth)) => format!("{self} depth {depth}"),
            (None, None) => self.to_string(),
        }
    }
}

/// A clock's flag fell: by how much the time was overrun.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("time overrun by {0:?}")]
pub struct FlagFell(pub Duration);

/// What a clock shows, without its setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The time left for the present period.
    pub left: Duration,
    /// The present period, from 0.
    pub period: usize,
    /// Moves made in it.
    pub moves: u32,
}

/// What is left to one player.
///
/// ```
/// use std::time::Duration;
/// use qishou::arbiter::clock::{Clock, TimeControl};
/// let control: TimeControl = "2/10:5+1".parse()?;
/// let mut clock = Clock::new(control, Duration::ZERO);
/// clock.spend(Duration::from_secs(3))?;
/// clock.spend(Duration::from_secs(3))?;
/// // Four seconds saved, five for the second period.
/// assert_eq!(clock.left(), Some(Duration::from_secs(9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// Overrun that is forgiven at each move: the cost of pipes and schedulers.
    margin: Duration,
    /// What is left for the present period, with what was saved before.
    reading: Reading,
}

impl Clock {
    /// A clock at the beginning of a game.
    pub fn new(control: TimeControl, margin: Duration) -> Self {
        let left = control.periods.first().map_or(Duration::ZERO, |period| period.time);
        Self { control, margin, reading: Reading { left, period: 0, moves: 0 } }
    }

    /// The clock with what it showed when a game was adjourned (RULES 4.2).
    ///
    /// What its control can't show (a period or moves it does not have) becomes the nearest it can.
    pub fn set_to(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self.reading.period = reading.period.min(self.control.periods.len().saturating_sub(1));
        if let Some(moves) = self.present().and_then(|period| period.moves) {
            self.reading.moves = reading.moves.min(moves - 1);
        }
        self
    }

    /// What it shows.
    pub const fn reading(&self) -> Reading {
        self.reading
    }

    /// What it was set to.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    fn present(&self) -> Option<&Period> {
        self.control.periods.get(self.reading.period)
    }

    /// The time left; none if no clock runs.
    pub fn left(&self) -> Option<Duration> {
        self.present().map(|_| self.reading.left)
    }

    /// What each move adds.
    pub fn increment(&self) -> Duration {
        self.present().map_or(Duration::ZERO, |period| period.increment)
    }

    /// Moves until more time comes; none if no more comes.
    pub fn moves_to_go(&self) -> Option<u32> {
        Some(self.present()?.moves? - self.reading.moves)
    }

    /// How long the player may think now before the flag falls; none for as long as it likes.
    pub fn allowance(&self) -> Option<Duration> {
        let by_clock = self.left().map(|left| left + self.control.delay + self.margin);
        let by_move = self.control.move_time.map(|time| time + self.margin);
        match (by_clock, by_move) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        }
    }

    /// Seconds left before the flag after thinking so long, without the margin: negative if that
    /// was needed; none if nothing limits the time.
    pub fn spare(&self, used: Duration) -> Option<f64> {
        let allowance = self.allowance()?.as_secs_f64() - self.margin.as_secs_f64();
        Some(allowance - used.as_secs_f64())
    }

    /// A move was made after thinking so long.
    ///
    /// # Errors
    /// If the flag fell before it; the clock stands at zero.
    pub fn spend(&mut self, used: Duration) -> Result<(), FlagFell> {
        if let Some(allowance) = self.allowance()
            && used > allowance
        {
            self.reading.left = Duration::ZERO;
            return Err(FlagFell(used.saturating_sub(allowance) + self.margin));
        }
        let Some(&period) = self.present() else { return Ok(()) };
        self.reading.left =
            self.reading.left.saturating_sub(used.saturating_sub(self.control.delay));
        self.reading.left += period.increment;
        self.reading.moves += 1;
        if period.moves == Some(self.reading.moves) {
            self.reading.moves = 0;
            self.reading.period = (self.reading.period + 1).min(self.control.periods.len() - 1);
            self.reading.left += self.control.periods[self.reading.period].time;
        }
        Ok(())
    }

    /// The arbiter gives time.
    pub fn give(&mut self, time: Duration) {
        self.reading.left += time;
    }

    /// The arbiter takes time (RULES 2.11).
    ///
    /// # Errors
    /// If there was not that much left: the flag falls.
    pub fn take(&mut self, time: Duration) -> Result<(), FlagFell> {
        if self.present().is_none() {
            return Ok(());
        }
        let over = time.saturating_sub(self.reading.left);
        let enough = time <= self.reading.left;
        self.reading.left = self.reading.left.saturating_sub(time);
        if enough { Ok(()) } else { Err(FlagFell(over)) }
    }
}

/// What `go` says to the side with the first of the two clocks; the other one is the opponent's. A
/// side without a clock is reported as having the mover's, since engines expect both.
pub fn go_command(mover: &Clock, opponent: &Clock, mover_is_white: bool) -> String {
    let mut text = String::from("go");
    let mut say = |word: &str, value: u128| {
        let _ = write!(text, " {word} {value}");
    };
    if let Some(left) = mover.left() {
        // Whole milliseconds, never more than there are, but zero would mean "none".
        let whole = |time: Duration| time.as_millis().max(1);
        let other =
            opponent.left().map_or((left, mover.increment()), |left| (left, opponent.increment()));
        let own = (left, mover.increment());
        let (white, black) = if mover_is_white { (own, other) } else { (other, own) };
        say("wtime", whole(white.0));
        say("btime", whole(black.0));
        if !(white.1 + black.1).is_zero() {
            say("winc", white.1.as_millis());
            say("binc", black.1.as_millis());
        }
        if let Some(moves) = mover.moves_to_go() {
            say("movestogo", u128::from(moves));
        }
    }
    let control = mover.control();
    if let Some(time) = control.move_time {
        say("movetime", time.as_millis().max(1));
    }
    if let Some(nodes) = control.nodes {
        say("nodes", u128::from(nodes));
    }
    if let Some(depth) = control.depth {
        say("depth", u128::from(depth));
    }
    if text == "go" {
        // Nothing limits the engine: it would think for ever.
        text.push_str(" movetime 1000");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().unwrap(), Duration::ZERO)
    }

    #[test]
    fn controls_are_read_and_written() {
        for (text, written) in [
            ("40/9000:20/3600:900+30", "40/9000:20/3600:900+30"),
            ("300", "300"),
            ("2+0.02", "2+0.02"),
            ("40/60+0.6", "40/60+0.6"),
            ("0:30+1", "30+1"),
            ("40/5:00", "40/300"),
            ("40/90:00:20/45:00", "40/5400:20/2700"),
            ("40/9000:0:30", "40/9000:030"),
            ("40/9000:030", "40/9000:030"),
            ("0.1/move", "0.1/move"),
            ("900d5", "900d5"),
            ("900+2d5", "900+2d5"),
            ("inf", "-"),
            ("0+1", "0+1"),
        ] {
            let control: TimeControl =
                text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(control.to_string(), written, "{text}");
            assert_eq!(written.parse(), Ok(control), "{text}");
        }
        for text in [
            "",
            "x",
            "40/",
            "/40",
            "0/40",
            "-5",
            "1e3",
            "5+-1",
            "5+",
            "300:40/20",
            "0",
            "nan",
            "1e99",
            "5d",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text:?}");
        }
    }

    /// RULES 3.1: several periods, and time saved is carried over.
    #[test]
    fn rule_3_1_periods_follow_each_other_and_saved_time_is_kept() {
        for (control, times, left, to_go) in [
            ("40/9000:20/3600", vec![60_000; 40], 9_000 - 2_400 + 3_600, Some(20)),
            ("40/9000:20/3600", vec![60_000; 60], 9_000 + 3_600 * 2 - 3_600, Some(20)),
            ("40/7200:20/3600:900+30", vec![60_000; 60], 7_200 + 3_600 + 900 - 3_600, None),
            ("2/10", vec![1_000; 5], 10 * 3 - 5, Some(1)),
            ("300", vec![1_000; 5], 295, None),
        ] {
            let mut clock = clock(control);
            for time in times {
                clock.spend(ms(time)).unwrap();
            }
            assert_eq!(clock.left(), Some(Duration::from_secs(left)), "{control}");
            assert_eq!(clock.moves_to_go(), to_go, "{control}");
        }
    }

    /// RULES 3.2: the flag decides, to the nanosecond, with nothing forgiven but the margin.
    #[test]
    fn rule_3_2_the_flag_falls_when_more_is_used_than_there_is() {
        let nano = Duration::from_nanos(1);
        for (control, margin, used, falls) in [
            ("1", 0, ms(1000), false),
            ("1", 0, ms(1000) + nano, true),
            ("1", 100, ms(1100), false),
            ("1", 100, ms(1100) + nano, true),
            ("1d5", 0, ms(6000), false),
            ("1d5", 0, ms(6000) + nano, true),
            ("0.1/move", 0, ms(100), false),
            ("0.1/move", 0, ms(100) + nano, true),
            ("1/1", 0, ms(1000) + nano, true),
            ("inf", 0, ms(1_000_000), false),
        ] {
            let mut clock = Clock::new(control.parse().unwrap(), ms(margin));
            // What is spared is counted without what is forgiven.
            let spare = clock.spare(used);
            let forgiven = ms(margin).as_secs_f64();
            assert_eq!(spare.is_some_and(|spare| spare + forgiven < -1e-10), falls);
            assert_eq!(clock.spend(used).is_err(), falls, "{control} {used:?}");
        }
    }

    /// RULES 3.3: increment, delay, sudden death, fixed time, nodes, depth.
    #[test]
    fn rule_3_3_modern_clocks() {
        for (control, used, left) in [
            ("10+1", 3_000, Some(8_000)),
            ("10d5", 3_000, Some(10_000)),
            ("10d5", 6_000, Some(9_000)),
            ("10+1d5", 6_000, Some(10_000)),
            ("10", 3_000, Some(7_000)),
            ("3/move", 3_000, None),
        ] {
            let mut clock = clock(control);
            clock.spend(ms(used)).unwrap();
            assert_eq!(clock.left(), left.map(ms), "{control}");
        }
    }

    #[test]
    fn go_tells_each_side_its_own_clock() {
        let nodes = TimeControl { nodes: Some(500), ..TimeControl::default() };
        let depth = TimeControl { depth: Some(7), ..TimeControl::default() };
        let odds = [clock("60+1"), clock("40/30")];
        let text = |a: &Clock, b: &Clock, white| go_command(a, b, white);
        assert_eq!(text(&odds[0], &odds[1], true), "go wtime 60000 btime 30000 winc 1000 binc 0");
        let black = "go wtime 60000 btime 30000 winc 1000 binc 0 movestogo 40";
        assert_eq!(text(&odds[1], &odds[0], false), black);
        let nodes = Clock::new(nodes, Duration::ZERO);
        assert_eq!(text(&nodes, &odds[0], true), "go nodes 500");
        assert_eq!(text(&odds[1], &nodes, true), "go wtime 30000 btime 30000 movestogo 40");
        assert_eq!(text(&Clock::new(depth, Duration::ZERO), &nodes, true), "go depth 7");
        assert_eq!(text(&clock("0.1/move"), &nodes, true), "go movetime 100");
    }

    /// RULES 2.11: what a wrong claim takes can let the flag fall.
    #[test]
    fn taking_more_than_there_is_lets_the_flag_fall() {
        let mut clock = clock("300");
        assert_eq!(clock.take(ms(300_000)), Ok(()));
        assert_eq!(clock.take(ms(1)), Err(FlagFell(ms(1))));
        clock.give(ms(5));
        assert_eq!(clock.left(), Some(ms(5)));
    }
}
