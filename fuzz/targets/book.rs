//! Polyglot books: the moves of the first positions and of those they lead to.
#![no_main]

use std::io::Cursor;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use qishou::book::{Book, choose, key};
use qishou::chess::Game;

fuzz_target!(|bytes: &[u8]| {
    // The first byte says how many entries get the key of a position that is asked for, so that
    // moves are reached.
    let Some((&count, entries)) = bytes.split_first() else { return };
    let castling = "r3k2r/pppqpppp/8/8/8/8/PPPQPPPP/R3K2R w KQkq - 0 1";
    let promotion = "8/P6k/8/8/8/8/7K/8 w - - 0 1";
    let mut games = vec![Game::default()];
    games.extend([castling, promotion].map(|fen| Game::new(fen.parse().expect("legal"))));
    let mut bytes = entries.to_vec();
    for (i, entry) in bytes.chunks_exact_mut(16).enumerate().take(count.into()) {
        entry[..8].copy_from_slice(&key(&games[i % 3]).to_be_bytes());
    }
    let Ok(mut book) = Book::of(Cursor::new(bytes), Path::new("fuzz.bin")) else { return };
    for mut game in games {
        while let Ok(moves) = book.moves(&game) {
            assert!(moves.iter().all(|known| game.position().is_legal(known.mv)));
            let Some(mv) = choose(&moves, u64::from(count) << 56) else { break };
            game.play(mv).expect("legal");
            if game.moves().len() > 8 {
                break;
            }
        }
    }
});
