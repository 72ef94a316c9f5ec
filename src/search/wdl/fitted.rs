//! Written by `qishou-learn fit`; made anew for each network.
//!
//! `qishou-learn fit s113.games s114.games --degree 2`:
//! 26092 games, 2700580 positions.
//! games of generation 10, network 10.
//! Log-likelihood of a position -0.670086 (-0.914642 without scores).

use super::WinModel;

pub(super) const MODEL: WinModel =
    WinModel { half: [322.4510, -324.6594, 75.5498], spread: [-2.6523, 546.9685, -349.3496] };
