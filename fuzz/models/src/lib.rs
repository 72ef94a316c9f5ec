//! All orders in which threads can meet at the transposition table and at the end of a search, tried
//! by loom on the program's own files: `cargo test --release --manifest-path fuzz/models/Cargo.toml`.

#[cfg(test)]
mod search;
#[cfg(test)]
mod table;
