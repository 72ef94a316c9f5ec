//! Written by `qishou-learn fit`; made anew for each network.
//!
//! `qishou-learn fit gen3.games --degree 2`:
//! 4399 games, 474675 positions.
//! Generation 3 (the embedded network) against itself.
//! Log-likelihood of a position -0.653749 (-0.895809 without scores).

use super::WinModel;

pub(super) const MODEL: WinModel =
    WinModel { half: [414.1551, -729.8351, 404.1825], spread: [67.8855, 178.1952, -34.0808] };
