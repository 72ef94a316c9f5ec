//! Written by `qishou-learn fit`; made anew for each network.
//!
//! `qishou-learn fit s91.games --degree 2`:
//! 8128 games, 859661 positions.
//! games of generation 6, network 6.
//! Log-likelihood of a position -0.672747 (-0.919068 without scores).

use super::WinModel;

pub(super) const MODEL: WinModel =
    WinModel { half: [519.0307, -976.6476, 550.8509], spread: [78.2594, 239.9018, -92.8232] };
