//! Written by `qishou-learn fit`; made anew for each network.
//!
//! `qishou-learn fit s105.games s106.games --degree 2`:
//! 8851 games, 922295 positions.
//! games of generation 8, network 8.
//! Log-likelihood of a position -0.671601 (-0.910705 without scores).

use super::WinModel;

pub(super) const MODEL: WinModel =
    WinModel { half: [347.4328, -464.6738, 199.1919], spread: [3.3101, 524.7891, -305.0080] };
