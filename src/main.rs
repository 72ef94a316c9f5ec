//! `qishou`: the engine.
fn main() {}
