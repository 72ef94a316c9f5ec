//! Written by `qishou-learn fit`; made anew for each network.
//!
//! `qishou-learn fit gen2.games --degree 2`:
//! 4671 games, 510862 positions.
//! Generation 2 (the embedded network) against itself.
//! Log-likelihood of a position -0.646950 (-0.897344 without scores).

use super::WinModel;

pub(super) const MODEL: WinModel =
    WinModel { half: [494.5350, -1014.6147, 617.2933], spread: [103.0491, 24.0394, 90.8640] };
