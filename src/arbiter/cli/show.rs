//! What a running match shows.

use crate::arbiter::tournament::{Job, Observer, Plan, Standing};
use crate::referee::laws::Verdict;
use crate::referee::score::{Decision, Results, Sprt};

/// Writes games and standings to standard output.
#[derive(Debug)]
pub(super) struct Display {
    interval: usize,
    quiet: bool,
    sprt: Option<Sprt>,
    controls: Vec<String>,
}

impl Display {
    pub(super) fn new(plan: &Plan, interval: usize, quiet: bool) -> Self {
        let controls = plan.entrants.iter().map(|entrant| {
            let control = &entrant.control;
            match (control.nodes, control.depth) {
                (Some(nodes), _) => format!("{control} nodes {nodes}"),
                (None, Some(depth)) => format!("{control} depth {depth}"),
                (None, None) => control.to_string(),
            }
        });
        Self { interval, quiet, sprt: plan.sprt, controls: controls.collect() }
    }

    /// The final standing.
    pub(super) fn end(&self, standing: &Standing) {
        self.table(standing);
        let endings: Vec<String> =
            standing.endings().iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        if !endings.is_empty() {
            println!("Endings: {}", endings.join(", "));
        }
        match standing.decision {
            Some(Decision::Accepted) => println!("SPRT: elo1 accepted"),
            Some(Decision::Rejected) => println!("SPRT: elo0 accepted"),
            None => {}
        }
        let (done, total) = (standing.finished.len(), standing.total);
        if standing.stopped {
            println!(
                "Stopped after {done} of {total} games; the same command goes on with a -pgnout file"
            );
        } else {
            println!("Finished match: {done} games");
        }
    }

    fn table(&self, standing: &Standing) {
        if standing.names.len() == 2 {
            let results = standing.results(0, None);
            println!("{}", line(&standing.names[0], &standing.names[1], &results));
            if let Some(sprt) = self.sprt {
                let (low, high) = sprt.bounds();
                let ratio = sprt.ratio(&results);
                println!(
                    "SPRT: LLR {ratio:+.2} in ({low:.2}, {high:.2}) for [{}, {}]",
                    sprt.elo0, sprt.elo1
                );
            }
            return;
        }
        let mut rows: Vec<(usize, Results)> =
            (0..standing.names.len()).map(|of| (of, standing.results(of, None))).collect();
        rows.sort_by(|a, b| b.1.points().0.total_cmp(&a.1.points().0));
        let width = standing.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        println!(
            "{:>4} {:<width$} {:>7} {:>6} {:>7}  Elo",
            "Rank", "Name", "Points", "Games", "Score"
        );
        for (rank, (of, results)) in rows.iter().enumerate() {
            let (points, games) = results.points();
            let share = 100.0 * points / (games as f64).max(1.0);
            let name = &standing.names[*of];
            println!(
                "{:>4} {name:<width$} {points:>7.1} {games:>6} {share:>6.1}%  {}",
                rank + 1,
                elo(results)
            );
        }
    }
}

/// The Elo difference with its interval, as far as it is known.
fn elo(results: &Results) -> String {
    results.estimate().map_or("-".into(), |estimate| {
        format!("{:+.1} [{:+.1}, {:+.1}]", estimate.elo, estimate.low, estimate.high)
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
            println!("{name}: {control}");
        }
        if !standing.finished.is_empty() {
            println!(
                "{} of {} games are recorded already",
                standing.finished.len(),
                standing.total
            );
        }
    }

    fn started(&mut self, standing: &Standing, job: Job) {
        if !self.quiet {
            let [white, black] = [job.white, job.black].map(|of| &standing.names[of]);
            println!("Started game {} of {} ({white} vs {black})", job.number + 1, standing.total);
        }
    }

    fn finished(&mut self, standing: &Standing, verdict: &Verdict) {
        let Some(game) = standing.finished.last().filter(|_| !self.quiet) else { return };
        let job = game.job;
        let [white, black] = [job.white, job.black].map(|of| &standing.names[of]);
        println!(
            "Finished game {} ({white} vs {black}): {} {{{verdict}}}",
            job.number + 1,
            verdict.outcome
        );
        let done = standing.finished.len();
        if self.interval > 0 && done.is_multiple_of(self.interval) && done < standing.total {
            self.table(standing);
        }
    }

    fn warning(&mut self, text: &str) {
        eprintln!("warning: {text}");
    }
}
