//! `stats`: what is in files of games.

use std::path::PathBuf;

use clap::Args;

use super::super::filter::Filter;
use super::super::stats::Survey;
use crate::{console, say};

/// Counts what files of games hold and checks that labels make sense.
#[derive(Debug, Args)]
pub(super) struct Stats {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut survey = Survey::new(Filter::TRAINING);
        let damaged = super::read_games(&self.files, |game| survey.add(&game))?;
        console::print(format_args!("{survey}"));
        say!("damaged blocks     {damaged}");
        Ok(())
    }
}
