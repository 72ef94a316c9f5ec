//! `train`: a network from games.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::json;

use super::super::filter::Filter;
use super::super::sample::Sample;
use super::super::train::run::{self, Event, Settings, Trained};
use super::super::train::source::Source;
use super::super::train::{curve, quantise};
use crate::files;
use crate::{complain, say};

/// Trains an evaluation network on files of games and writes it.
///
/// Ctrl-C stores the run; the same command goes on from there. Beside the network stand its log
/// (`.json`, a line for each run) and its loss curve (`.svg`).
#[derive(Debug, Args)]
pub(super) struct Train {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Network file to write.
    #[arg(long)]
    out: PathBuf,
    /// Neurons of one perspective: a multiple of 32.
    #[arg(long, default_value_t = 128)]
    hidden: usize,
    /// Output buckets by number of men: 1, 2, 4 or 8.
    #[arg(long, default_value_t = 8)]
    buckets: usize,
    /// How often each position is trained on.
    #[arg(long, default_value_t = 40)]
    epochs: u32,
    /// Positions of a step.
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Learning rate at the beginning.
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
    /// Learning rate at the end.
    #[arg(long, default_value_t = 5e-6)]
    end_rate: f32,
    /// Steps over which the rate rises from zero.
    #[arg(long, default_value_t = 200)]
    warm_up: u64,
    /// How much of the target is the game's result (0 to 1); the rest is the search's score. Few games
    /// bear little of it.
    #[arg(long, default_value_t = 0.1)]
    wdl: f32,
    /// The same at the end, if it is to change on the way.
    #[arg(long)]
    end_wdl: Option<f32>,
    /// Centipawns at which the logistic function has its unit.
    #[arg(long, default_value_t = 400.0)]
    scale: f32,
    /// All randomness follows from this.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; their number is part of what makes a network bit-identical.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// One game in so many is held out to judge by.
    #[arg(long, default_value_t = 50)]
    hold_out: u32,
    /// Positions before this ply are left out.
    #[arg(long, default_value_t = Filter::TRAINING.min_ply)]
    min_ply: u32,
    /// Positions with a score further from zero are left out.
    #[arg(long, default_value_t = Filter::TRAINING.max_score)]
    max_score: i32,
    /// Keep positions in check.
    #[arg(long)]
    checks: bool,
    /// Keep positions whose best move captures or promotes.
    #[arg(long)]
    noisy: bool,
    /// Memory for positions, in MiB; larger data is read again in each epoch.
    #[arg(long, default_value_t = 4096)]
    memory: usize,
    /// Minutes between checkpoints.
    #[arg(long, default_value_t = 5.0)]
    checkpoint_minutes: f64,
    /// Words to write into the network file about how it was made.
    #[arg(long, default_value = "")]
    note: String,
}

/// Bytes of a position in memory: the sample and its place in the order.
const POSITION_BYTES: usize = size_of::<Sample>() + 4;

impl Train {
    fn settings(&self) -> anyhow::Result<Settings> {
        ensure!(
            self.hidden > 0 && self.hidden.is_multiple_of(32),
            "--hidden {}: a multiple of 32 is needed",
            self.hidden
        );
        ensure!(
            matches!(self.buckets, 1 | 2 | 4 | 8),
            "--buckets {}: 1, 2, 4 or 8 are possible",
            self.buckets
        );
        for (name, share) in [("--wdl", self.wdl), ("--end-wdl", self.end_wdl.unwrap_or(0.0))] {
            ensure!((0.0..=1.0).contains(&share), "{name} {share} is not within 0 to 1");
        }
        ensure!(self.scale >= 1.0 && self.scale.fract() == 0.0, "--scale: whole centipawns");
        ensure!(self.batch > 0, "--batch 0");
        let minutes = self.checkpoint_minutes;
        Ok(Settings {
            source: Source {
                files: self.files.clone(),
                filter: Filter {
                    min_ply: self.min_ply,
                    max_score: self.max_score,
                    checks: self.checks,
                    noisy: self.noisy,
                },
                hold_out: self.hold_out,
                capacity: (self.memory << 20) / POSITION_BYTES,
                seed: self.seed,
            },
            hidden: self.hidden,
            buckets: self.buckets,
            epochs: self.epochs,
            batch: self.batch,
            rate: (self.rate, self.end_rate),
            warm_up: self.warm_up,
            result_share: (self.wdl, self.end_wdl.unwrap_or(self.wdl)),
            scale: self.scale,
            seed: self.seed,
            threads: self.threads.max(1),
            checkpoint: Some(beside(&self.out, "checkpoint")),
            checkpoint_every: Duration::try_from_secs_f64(60.0 * minutes)
                .context("--checkpoint-minutes")?,
        })
    }

    pub(super) fn run(self) -> anyhow::Result<()> {
        let settings = self.settings()?;
        let stop = super::stop_flag()?;
        let begun = Instant::now();
        let mut monitor = Monitor::new(self.batch);
        let trained = run::train(&settings, &stop, |event| monitor.hear(&event))?;
        monitor.bar.finish_and_clear();
        if !trained.finished {
            bail!("stopped after {} steps; the same command goes on", trained.model.steps());
        }
        self.finish(&settings, &trained, begun.elapsed(), monitor.rate())
    }

    /// Writes network, log and curve.
    fn finish(
        &self,
        settings: &Settings,
        trained: &Trained,
        time: Duration,
        rate: f64,
    ) -> anyhow::Result<()> {
        let model = &trained.model;
        let made_with = json!({ "note": self.note, "training": trained.description }).to_string();
        let (shape, parameters) = (model.shape(), model.parameters());
        let network = quantise::network(shape, parameters, settings.scale, &made_with)?;
        files::replace(&self.out, &network.to_bytes())
            .with_context(|| format!("{}", self.out.display()))?;
        let network = Arc::new(network);
        let few = &trained.held_out[..trained.held_out.len().min(4096)];
        // Training has seen the rounded weights; what is left is the arithmetic in whole numbers.
        let error = quantise::error(shape, &model.parameters_as_read(), &network, few);
        let last = trained.curve.last().context("no step was made")?;
        let held_out = last.held_out.unwrap_or(f64::NAN);
        say!(
            "{}: {} steps, training loss {:.6}, held out {held_out:.6}, {:.0} s, {:.0} positions/s",
            self.out.display(),
            model.steps(),
            last.training,
            time.as_secs_f64(),
            rate,
        );
        say!(
            "whole numbers cost {:.2} centipawns on average, {:.1} at most, over {} positions",
            error.mean,
            error.largest,
            error.positions
        );
        let points: Vec<_> =
            trained.curve.iter().map(|p| json!([p.step, p.training, p.held_out])).collect();
        let log = json!({
            "network": self.out,
            "checksum": format!("{:08x}", network.checksum()),
            "made_with": trained.description,
            "note": self.note,
            "files": self.files,
            "steps": model.steps(),
            "training_loss": last.training,
            "held_out_loss": last.held_out,
            "seconds": time.as_secs_f64(),
            "positions_per_second": rate,
            "rounding": {
                "mean": error.mean, "largest": error.largest, "positions": error.positions,
            },
            "curve": points,
        });
        let log_file = beside(&self.out, "json");
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log_file)
            .with_context(|| format!("{}", log_file.display()))?;
        writeln!(file, "{log}")?;
        let name = self.out.file_stem().unwrap_or_default().to_string_lossy();
        let title =
            format!("{name}: {} samples, {} neurons", trained.description["samples"], self.hidden);
        match curve::svg(&trained.curve, &title) {
            Ok(picture) => files::replace(&beside(&self.out, "svg"), picture.as_bytes())?,
            Err(reason) => complain!("warning: no loss curve: {reason}"),
        }
        Ok(())
    }
}

/// The file of the same name with another ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    path.with_extension(ending)
}

/// Shows how far a run is.
struct Monitor {
    bar: indicatif::ProgressBar,
    batch: usize,
    begun: Instant,
    steps: u64,
    smooth: f64,
    told: Instant,
}

impl Monitor {
    fn new(batch: usize) -> Self {
        let bar = super::progress_bar(None, "steps");
        let now = Instant::now();
        Self { bar, batch, begun: now, steps: 0, smooth: f64::NAN, told: now }
    }

    /// Positions a second.
    fn rate(&self) -> f64 {
        self.steps as f64 * self.batch as f64 / self.begun.elapsed().as_secs_f64()
    }

    fn hear(&mut self, event: &Event<'_>) {
        match *event {
            Event::Damage(damage) => complain!("warning: {damage}"),
            Event::Begun { samples, held_out, resident, steps, from } => {
                let from_disk = if resident { "" } else { ", read from disk in each epoch" };
                complain!("{samples} samples, {held_out} held out{from_disk}; {steps} steps");
                if from > 0 {
                    complain!("going on after {from} steps");
                }
                self.bar.set_length(steps);
                self.bar.reset();
                self.bar.set_position(from);
                self.begun = Instant::now();
            }
            Event::Step { step, loss, rate } => {
                self.steps += 1;
                self.smooth =
                    if self.smooth.is_finite() { 0.99 * self.smooth + 0.01 * loss } else { loss };
                self.bar.set_position(step);
                let text = format!(
                    "loss {:.6}, rate {rate:.1e}, {:.0}k positions/s",
                    self.smooth,
                    self.rate() / 1e3
                );
                if self.bar.is_hidden() && self.told.elapsed() > Duration::from_secs(30) {
                    self.told = Instant::now();
                    complain!("step {step}: {text}");
                }
                self.bar.set_message(text);
            }
            Event::Epoch { epoch, curve } => {
                if let Some(last) = curve.last() {
                    let held_out = last.held_out.unwrap_or(f64::NAN);
                    let line = format!(
                        "epoch {epoch}: training {:.6}, held out {held_out:.6}",
                        last.training
                    );
                    if self.bar.is_hidden() {
                        complain!("{line}");
                    } else {
                        self.bar.println(line);
                    }
                }
            }
        }
    }
}
