//! Written by `qishou-learn fit`; made anew for each network.
//!
//! `qishou-learn fit s111.games s112.games --degree 2`:
//! 11882 games, 1236795 positions.
//! games of generation 9, network 9.
//! Log-likelihood of a position -0.677703 (-0.917061 without scores).

use super::WinModel;

pub(super) const MODEL: WinModel =
    WinModel { half: [466.4339, -783.2493, 398.5243], spread: [59.5446, 331.5990, -188.4496] };
