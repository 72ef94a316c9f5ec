//! `fit`: what scores are worth.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::super::fit::{Comparison, Fit as Fitted, LIMIT, Results};
use crate::files;
use crate::search::{Coefficients, WinModel};
use crate::{console, say};

/// Fits the model that turns scores into chances to the results of games.
///
/// Prints how likely the games are by models of three sizes, what the chosen one expects beside
/// what happened, and its constants. They belong into the program:
/// `qishou-learn fit GAMES --out src/search/wdl/fitted.rs`.
#[derive(Debug, Args)]
pub(super) struct Fit {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Source file to write with the constants.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Degree of the polynomials in the number of men.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=2))]
    degree: u8,
    /// Words to write beside the constants about the games: who played them, and how.
    #[arg(long, default_value = "")]
    note: String,
}

impl Fit {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut results = Results::default();
        super::read_games(&self.files, |game| results.add_game(&game))?;
        let fits = (0..=2).map(|degree| results.fit(degree)).collect::<Result<Vec<_>, _>>()?;
        say!("{} games, {} positions within +-{LIMIT}", results.games, results.positions);
        say!("log-likelihood of a position:");
        say!("  {:<28} {:.6}", "the same chances everywhere", results.log_likelihood_of_nothing());
        for (degree, fit) in fits.iter().enumerate() {
            say!("  {:<28} {:.6}", format!("degree {degree}"), fit.log_likelihood);
        }
        let before = results.log_likelihood_by(&WinModel::FITTED);
        say!("  {:<28} {before:.6}", "the model in this program");
        let fit = fits[usize::from(self.degree)];
        console::print(format_args!("{}", Comparison { results: &results, model: &fit.model }));
        say!("men   50 % at   odds x e");
        for men in [4, 8, 12, 16, 20, 24, 28, 32] {
            let (half, spread) = (fit.model.half_at(men), fit.model.spread_at(men));
            say!("{men:>3}   {half:>7.1}   {spread:>8.1}");
        }
        let source = self.source(&results, &fit);
        match &self.out {
            Some(path) => files::replace(path, source.as_bytes())
                .with_context(|| format!("{}", path.display()))?,
            None => console::print(format_args!("{source}")),
        }
        Ok(())
    }

    /// The constants as a source file.
    fn source(&self, results: &Results, fit: &Fitted) -> String {
        let name =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = self.files.iter().map(name).collect::<Vec<_>>().join(" ");
        let model = rounded(&fit.model);
        let mut text =
            String::from("//! Written by `qishou-learn fit`; made anew for each network.\n//!\n");
        let mut line = |words: &str| {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{words}");
        };
        line(&format!("//! `qishou-learn fit {files} --degree {}`:", self.degree));
        line(&format!("//! {} games, {} positions.", results.games, results.positions));
        if !self.note.is_empty() {
            line(&format!("//! {}.", self.note.trim_end_matches('.')));
        }
        let likelihood = results.log_likelihood_by(&model);
        let none = results.log_likelihood_of_nothing();
        line(&format!(
            "//! Log-likelihood of a position {likelihood:.6} ({none:.6} without scores)."
        ));
        line("\nuse super::WinModel;\n");
        line("pub(super) const MODEL: WinModel =");
        line(&format!(
            "    WinModel {{ half: {:.4?}, spread: {:.4?} }};",
            model.half, model.spread
        ));
        text
    }
}

/// The model with its numbers as they are written.
fn rounded(model: &WinModel) -> WinModel {
    let round = |numbers: Coefficients| numbers.map(|number| (1e4 * number).round() / 1e4);
    WinModel { half: round(model.half), spread: round(model.spread) }
}
