//! The command `eval`: an evaluation taken apart, as text.

use std::fmt;

use crate::chess::{File, Piece, Position, Rank, Square};
use crate::eval::Trace;
use crate::search::WinModel;

/// A board with what each man is worth below it, then what the network's parts say, then the
/// evaluation; all in pawns from White's view, of which one wins every other time.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluationText<'a> {
    pub(super) position: &'a Position,
    pub(super) trace: &'a Trace,
}

impl fmt::Display for EvaluationText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |value: i32| WinModel::FITTED.shown(f64::from(value)) / 100.0;
        let line = format!("+{}", "-------+".repeat(8));
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f, "{line}")?;
            let squares = File::ALL.map(|file| Square::new(file, rank));
            for square in squares {
                let man = self.position.piece_on(square).map_or(' ', Piece::letter);
                write!(f, "|   {man}   ")?;
            }
            writeln!(f, "|")?;
            for square in squares {
                match self.trace.worth[square] {
                    Some(worth) => write!(f, "|{:^+7.2}", pawns(worth))?,
                    None => write!(f, "|       ")?,
                }
            }
            writeln!(f, "|")?;
        }
        writeln!(f, "{line}")?;
        for (bucket, &value) in self.trace.buckets.iter().enumerate() {
            let mark = if Some(bucket) == self.trace.bucket { " <- in use" } else { "" };
            writeln!(f, "bucket {bucket}: {:+.2}{mark}", pawns(value))?;
        }
        write!(f, "Final evaluation {:+.2} (white side)", pawns(self.trace.evaluation))
    }
}
