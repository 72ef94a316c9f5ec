//! What a running match shows: lines on standard output, and in a terminal a live table below them.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arbiter::tournament::{Job, Observer, Plan, Standing};
use crate::complain;
use crate::referee::laws::Verdict;
use crate::referee::score::{Decision, Results, Sprt, elo_text};

/// Writes games and standings.
#[derive(Debug)]
pub(super) struct Display {
    interval: usize,
    quiet: bool,
    sprt: Option<Sprt>,
    controls: Vec<String>,
    /// The live table, if there is a terminal.
    live: Option<ProgressBar>,
    /// Games being played.
    running: Vec<Job>,
}

impl Display {
    pub(super) fn new(plan: &Plan, interval: usize, quiet: bool) -> Self {
        let controls = plan.entrants.iter().map(|entrant| entrant.control.describe());
        let terminal = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        Self {
            interval,
            quiet,
            sprt: plan.sprt,
            controls: controls.collect(),
            live: (terminal && !quiet).then(ProgressBar::hidden),
            running: Vec::new(),
        }
    }

    /// A line, above the live table if there is one.
    fn say(&self, text: &str) {
        // Whoever listened may have left; the match goes on.
        let write = || writeln!(std::io::stdout(), "{text}");
        let _ = match &self.live {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
    }

    /// The final standing.
    pub(super) fn end(&self, standing: &Standing) {
        if let Some(bar) = &self.live {
            bar.finish_and_clear();
        }
        self.say(&self.table(standing));
        let endings: Vec<String> =
            standing.endings().iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        if !endings.is_empty() {
            self.say(&format!("Endings: {}", endings.join(", ")));
        }
        match standing.decision {
            Some(Decision::Accepted) => self.say("SPRT: elo1 accepted"),
            Some(Decision::Rejected) => self.say("SPRT: elo0 accepted"),
            None => {}
        }
        let (done, total) = (standing.finished.len(), standing.total);
        if standing.adjourned > 0 {
            let games = standing.adjourned;
            self.say(&format!("Games adjourned: {games}; the same command or resume goes on"));
        }
        if standing.stopped {
            self.say(&format!(
                "Stopped after {done} of {total} games; the same command goes on with a -pgnout file"
            ));
        } else {
            self.say(&format!("Finished match: {done} games"));
        }
    }

    fn table(&self, standing: &Standing) -> String {
        let mut text = String::new();
        if standing.names.len() == 2 {
            let results = standing.results(0, None);
            text.push_str(&line(&standing.names[0], &standing.names[1], &results));
            if let Some(sprt) = self.sprt {
                let (low, high) = sprt.bounds();
                let ratio = sprt.ratio(&results);
                let _ = write!(
                    text,
                    "\nSPRT: LLR {ratio:+.2} in ({low:.2}, {high:.2}) for [{}, {}]",
                    sprt.elo0, sprt.elo1
                );
            }
            return text;
        }
        let mut rows: Vec<(usize, Results)> =
            (0..standing.names.len()).map(|of| (of, standing.results(of, None))).collect();
        rows.sort_by(|a, b| b.1.points().0.total_cmp(&a.1.points().0));
        let width = standing.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let _ = write!(
            text,
            "{:>4} {:<width$} {:>7} {:>6} {:>7}  Elo",
            "Rank", "Name", "Points", "Games", "Score"
        );
        for (rank, (of, results)) in rows.iter().enumerate() {
            let (points, games) = results.points();
            let share = 100.0 * points / (games as f64).max(1.0);
            let name = &standing.names[*of];
            let _ = write!(
                text,
                "\n{:>4} {name:<width$} {points:>7.1} {games:>6} {share:>6.1}%  {}",
                rank + 1,
                elo(results)
            );
        }
        text
    }

    /// Draws the live table anew.
    fn refresh(&self, standing: &Standing) {
        let Some(bar) = &self.live else { return };
        let mut text = self.table(standing);
        for job in &self.running {
            let [white, black] = [job.white, job.black].map(|of| &standing.names[of]);
            let _ = write!(text, "\nPlaying game {}: {white} vs {black}", job.number + 1);
        }
        bar.set_position(standing.finished.len() as u64);
        bar.set_message(text);
    }

    fn leaves(&mut self, job: Job) {
        self.running.retain(|other| other.number != job.number);
    }
}

/// The Elo difference with its interval, as far as it is known.
fn elo(results: &Results) -> String {
    results.estimate().map_or("-".into(), |estimate| {
        let [middle, low, high] = [estimate.elo, estimate.low, estimate.high].map(elo_text);
        format!("{middle} [{low}, {high}]")
    })
}

/// A match of two in one line.
fn line(first: &str, second: &str, results: &Results) -> String {
    let [wins, draws, losses] = results.games;
    let (points, games) = results.points();
    let share = points / (games as f64).max(1.0);
    let known = results.estimate().map_or(String::new(), |estimate| {
        format!(
            "  Elo {}  nElo {:+.1}  LOS {:.1} %  pairs {:?}",
            elo(results),
            results.normalized_elo(),
            100.0 * estimate.superiority,
            results.pairs
        )
    });
    format!(
        "Score of {first} vs {second}: {wins} - {losses} - {draws}  [{share:.3}] {games}{known}"
    )
}

impl Observer for Display {
    fn begins(&mut self, standing: &Standing) {
        if self.quiet {
            return;
        }
        for (name, control) in standing.names.iter().zip(&self.controls) {
            self.say(&format!("{name}: {control}"));
        }
        let (done, total) = (standing.finished.len(), standing.total);
        if done > 0 {
            self.say(&format!("{done} of {total} games are recorded already"));
        }
        if let Some(bar) = &self.live {
            let style = ProgressStyle::with_template(
                "{msg}\n[{elapsed_precise}] {wide_bar} {pos}/{len} games, {eta_precise} to go",
            );
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_length(total as u64);
            bar.set_draw_target(ProgressDrawTarget::stderr());
            // What is recorded already took no time of this run.
            bar.set_position(done as u64);
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_secs(1));
            self.refresh(standing);
        }
    }

    fn started(&mut self, standing: &Standing, job: Job) {
        self.running.push(job);
        if self.live.is_some() {
            self.refresh(standing);
        } else if !self.quiet {
            let [white, black] = [job.white, job.black].map(|of| &standing.names[of]);
            self.say(&format!(
                "Started game {} of {} ({white} vs {black})",
                job.number + 1,
                standing.total
            ));
        }
    }

    fn adjourned(&mut self, standing: &Standing, job: Job) {
        self.leaves(job);
        if self.quiet {
            return;
        }
        let [white, black] = [job.white, job.black].map(|of| &standing.names[of]);
        self.say(&format!("Adjourned game {} ({white} vs {black})", job.number + 1));
        self.refresh(standing);
    }

    fn finished(&mut self, standing: &Standing, verdict: &Verdict) {
        let Some(job) = standing.finished.last().map(|game| game.job) else { return };
        self.leaves(job);
        if self.quiet {
            return;
        }
        let [white, black] = [job.white, job.black].map(|of| &standing.names[of]);
        self.say(&format!(
            "Finished game {} ({white} vs {black}): {} {{{verdict}}}",
            job.number + 1,
            verdict.outcome
        ));
        let done = standing.finished.len();
        let due = self.interval > 0 && done.is_multiple_of(self.interval) && done < standing.total;
        if self.live.is_some() {
            self.refresh(standing);
        } else if due {
            self.say(&self.table(standing));
        }
    }

    fn warning(&mut self, text: &str) {
        let tell = || complain!("warning: {text}");
        match &self.live {
            Some(bar) => bar.suspend(tell),
            None => tell(),
        }
    }
}
