//! Written by `qishou-learn fit`; made anew for each network.
//!
//! `qishou-learn fit gen0.games --degree 2`:
//! 8299 games, 977104 positions.
//! Generation 0: the hand evaluation against itself.
//! Log-likelihood of a position -0.689143 (-0.899027 without scores).

use super::WinModel;

pub(super) const MODEL: WinModel =
    WinModel { half: [467.6387, -1065.8535, 701.6408], spread: [158.7436, -158.6358, 199.9484] };
