//! A training run from data to network.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::checkpoint::{Checkpoint, CheckpointError};
use super::model::{Labels, Model, shuffled};
use super::shape::Shape;
use super::source::{Contents, Pool, Source};
use crate::learn::blocks::Damage;
use crate::learn::sample::Sample;

/// Everything that makes a network what it becomes, but for the data.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where samples come from.
    pub source: Source,
    /// Neurons of one perspective, a multiple of 32.
    pub hidden: usize,
    /// Output buckets: 1, 2, 4 or 8.
    pub buckets: usize,
    /// How often each sample is trained on.
    pub epochs: u32,
    /// Samples of a step.
    pub batch: usize,
    /// Learning rate after the warm-up and at the end; half a cosine lies between.
    pub rate: (f32, f32),
    /// Steps over which the rate rises from zero.
    pub warm_up: u64,
    /// How much of the target is the result, at the beginning and at the end.
    pub result_share: (f32, f32),
    /// Centipawns of an output of 1.0.
    pub scale: f32,
    /// What the first weights follow from; the order of the data follows from the source's.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Where the run is stored from time to time; it goes on from there if the file exists.
    pub checkpoint: Option<PathBuf>,
    /// How often.
    pub checkpoint_every: Duration,
}

/// A point of the loss curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Steps made.
    pub step: u64,
    /// Mean squared error of the steps since the point before.
    pub training: f64,
    /// Mean squared error of the samples held out; only at the end of epochs.
    pub held_out: Option<f64>,
}

/// What a run tells while it works.
#[derive(Debug)]
pub enum Event<'a> {
    /// A part of the data could not be used.
    Damage(&'a Damage),
    /// The data is known.
    Begun {
        /// Samples to train on.
        samples: u64,
        /// Samples held out.
        held_out: usize,
        /// Whether the data fits the memory.
        resident: bool,
        /// Steps of the whole run.
        steps: u64,
        /// Steps made by an earlier run.
        from: u64,
    },
    /// A step was made.
    Step {
        /// Steps so far.
        step: u64,
        /// Its mean squared error.
        loss: f64,
        /// Its learning rate.
        rate: f32,
    },
    /// An epoch has ended.
    Epoch {
        /// How many have.
        epoch: u32,
        /// The curve so far.
        curve: &'a [Point],
    },
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file of games can't be read.
    #[error("training data: {0}")]
    Data(#[from] io::Error),
    /// The checkpoint can't be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint is that of a run with other settings or data.
    #[error("{} was written by another run: {differences}", path.display())]
    OtherRun {
        /// The checkpoint.
        path: PathBuf,
        /// What differs, as `name: there instead of here`.
        differences: String,
    },
    /// There is less data than a batch.
    #[error("{0} samples are less than a batch of {1}")]
    TooFew(u64, usize),
    /// The loss is no number any more.
    #[error("the loss is no number after {0} steps: the learning rate is too high")]
    Diverged(u64),
}

/// What a run has made.
#[derive(Debug)]
pub struct Trained {
    /// The network.
    pub model: Model,
    /// The loss curve.
    pub curve: Vec<Point>,
    /// Whether it came to its end rather than being stopped.
    pub finished: bool,
    /// Some of the samples held out.
    pub held_out: Vec<Sample>,
    /// What made it, for the log.
    pub description: Value,
}

impl Settings {
    fn describe(&self, contents: &Contents) -> Value {
        let filter = self.source.filter;
        json!({
            "hidden": self.hidden,
            "buckets": self.buckets,
            "epochs": self.epochs,
            "batch": self.batch,
            "rate": [self.rate.0, self.rate.1],
            "warm_up": self.warm_up,
            "result_share": [self.result_share.0, self.result_share.1],
            "scale": self.scale,
            "seed": self.seed,
            "threads": self.threads,
            "min_ply": filter.min_ply,
            "max_score": filter.max_score,
            "checks": filter.checks,
            "noisy": filter.noisy,
            "hold_out": self.source.hold_out,
            // The order of the data depends on it only if it does not fit.
            "capacity": contents.samples.is_none().then_some(self.source.capacity),
            "samples": contents.count,
            "checksum": contents.checksum,
        })
    }

    /// The learning rate of a step.
    fn rate(&self, step: u64, steps: u64) -> f32 {
        if step < self.warm_up {
            return self.rate.0 * (step + 1) as f32 / self.warm_up as f32;
        }
        let done =
            (step - self.warm_up) as f32 / (steps.saturating_sub(self.warm_up)).max(1) as f32;
        let cosine = 0.5 * (1.0 + (std::f32::consts::PI * done.min(1.0)).cos());
        self.rate.1 + (self.rate.0 - self.rate.1) * cosine
    }

    fn labels(&self, step: u64, steps: u64) -> Labels {
        let done = step as f32 / steps.max(1) as f32;
        let (first, last) = self.result_share;
        Labels { result_share: first + (last - first) * done.min(1.0), scale: self.scale }
    }
}

/// The run's own bookkeeping.
struct Course<'a> {
    settings: &'a Settings,
    description: Value,
    model: Model,
    curve: Vec<Point>,
    steps: u64,
    epoch: u32,
    /// Steps of this epoch that have been made.
    in_epoch: u64,
    /// Steps of this epoch that an earlier run has made.
    skip: u64,
    since_point: (f64, u64),
    saved: Instant,
}

impl Course<'_> {
    fn checkpoint(&self) -> Result<(), CheckpointError> {
        let Some(path) = &self.settings.checkpoint else { return Ok(()) };
        let points = self.curve.iter().map(|p| json!([p.step, p.training, p.held_out]));
        let progress = json!({
            "epoch": self.epoch,
            "in_epoch": self.in_epoch,
            "curve": points.collect::<Vec<_>>(),
            "since_point": [self.since_point.0, self.since_point.1],
        });
        let run = self.description.clone();
        Checkpoint { run, progress, state: self.model.state() }.save(path)
    }

    /// Goes on from the checkpoint if there is one.
    fn resume(&mut self) -> Result<(), TrainError> {
        let Some(path) = self.settings.checkpoint.as_ref().filter(|path| path.exists()) else {
            return Ok(());
        };
        let checkpoint = Checkpoint::load(path)?;
        let differences = differences(&checkpoint.run, &self.description);
        if !differences.is_empty() {
            return Err(TrainError::OtherRun { path: path.clone(), differences });
        }
        let shape = self.model.shape();
        let progress = &checkpoint.progress;
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        self.epoch = number(&progress["epoch"]) as u32;
        self.skip = number(&progress["in_epoch"]);
        let since = &progress["since_point"];
        self.since_point = (since[0].as_f64().unwrap_or(0.0), number(&since[1]));
        let points = progress["curve"].as_array().into_iter().flatten();
        self.curve = points
            .map(|point| Point {
                step: number(&point[0]),
                training: point[1].as_f64().unwrap_or(f64::NAN),
                held_out: point[2].as_f64(),
            })
            .collect();
        self.model = Model::from_state(shape, self.settings.threads, checkpoint.state);
        self.saved = Instant::now();
        Ok(())
    }

    fn point(&mut self, held_out: Option<f64>) {
        let (sum, count) = std::mem::take(&mut self.since_point);
        let training = if count > 0 {
            sum / count as f64
        } else {
            self.curve.last().map_or(f64::NAN, |point| point.training)
        };
        self.curve.push(Point { step: self.model.steps(), training, held_out });
    }

    /// Trains on a pool; false when the run is to end.
    fn train(
        &mut self,
        pool: &Pool,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<bool, TrainError> {
        let settings = self.settings;
        for batch in pool.order.chunks_exact(settings.batch) {
            if self.in_epoch < self.skip {
                self.in_epoch += 1;
                continue;
            }
            let step = self.model.steps();
            let rate = settings.rate(step, self.steps);
            let labels = settings.labels(step, self.steps);
            let loss = self.model.step(&pool.samples, batch, labels, rate);
            if !loss.is_finite() {
                return Err(TrainError::Diverged(step));
            }
            self.in_epoch += 1;
            self.since_point.0 += loss;
            self.since_point.1 += 1;
            // About two hundred points on the way, however long it is.
            if (step + 1).is_multiple_of((self.steps / 200).max(1)) {
                self.point(None);
            }
            tell(Event::Step { step: step + 1, loss, rate });
            let stopped = stop.load(Ordering::Relaxed);
            if stopped || self.saved.elapsed() >= settings.checkpoint_every {
                self.checkpoint()?;
                self.saved = Instant::now();
            }
            if stopped {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What two descriptions of runs don't have in common.
fn differences(there: &Value, here: &Value) -> String {
    let names = here.as_object().into_iter().flatten();
    let differing = names.filter(|(name, value)| there[name.as_str()] != **value);
    let texts: Vec<String> = differing
        .map(|(name, value)| format!("{name} is {} there and {value} here", there[name.as_str()]))
        .collect();
    texts.join(", ")
}

/// Trains a network. When `stop` is set, the run is stored in its checkpoint and ends.
///
/// # Errors
/// If data or checkpoint can't be used, or training diverges.
pub fn train(
    settings: &Settings,
    stop: &AtomicBool,
    mut tell: impl FnMut(Event<'_>),
) -> Result<Trained, TrainError> {
    let mut contents = settings.source.survey()?;
    contents.damages.iter().for_each(|damage| tell(Event::Damage(damage)));
    if contents.count < settings.batch as u64 {
        return Err(TrainError::TooFew(contents.count, settings.batch));
    }
    let description = settings.describe(&contents);
    let mut resident = contents.samples.take().map(|samples| Pool { samples, order: Vec::new() });
    // Pools that are read from disk may leave a part of a batch each; the last steps are not made.
    let steps = contents.count / settings.batch as u64 * u64::from(settings.epochs);
    let shape = Shape { hidden: settings.hidden, buckets: settings.buckets };
    let mut course = Course {
        settings,
        description,
        model: Model::new(shape, settings.threads, settings.seed),
        curve: Vec::new(),
        steps,
        epoch: 0,
        in_epoch: 0,
        skip: 0,
        since_point: (0.0, 0),
        saved: Instant::now(),
    };
    course.resume()?;
    tell(Event::Begun {
        samples: contents.count,
        held_out: contents.held_out.len(),
        resident: resident.is_some(),
        steps,
        from: course.model.steps(),
    });
    let mut finished = true;
    while finished && course.epoch < settings.epochs {
        course.in_epoch = 0;
        let number = u64::from(course.epoch);
        if let Some(pool) = &mut resident {
            pool.order = shuffled(pool.samples.len(), settings.source.seed, number << 24);
        }
        let mut failure = None;
        settings.source.epoch(number, resident.as_ref(), |pool| {
            match course.train(pool, stop, &mut tell) {
                Ok(go_on) => finished = go_on,
                Err(error) => failure = Some(error),
            }
            finished && failure.is_none()
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        if finished {
            course.epoch += 1;
            (course.skip, course.in_epoch) = (0, 0);
            let labels = settings.labels(course.model.steps(), steps);
            let held_out = &contents.held_out;
            let loss = (!held_out.is_empty()).then(|| course.model.loss(held_out, labels));
            course.point(loss);
            course.checkpoint()?;
            tell(Event::Epoch { epoch: course.epoch, curve: &course.curve });
        }
    }
    let Course { model, curve, description, .. } = course;
    Ok(Trained { model, curve, finished, held_out: contents.held_out, description })
}
