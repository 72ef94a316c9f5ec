//! Network files: as they are, and with their sizes filled up and their checksum made right, so
//! that numbers are reached. A network that is accepted can be evaluated with: no sum overflows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qishou::chess::Position;
use qishou::eval::{Network, trace};

/// Where the text that tells how it was made begins.
const TEXT: usize = 32;
const POSITIONS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

/// The header as given; numbers repeated from the rest until the payload is as long as the sizes say.
fn completed(bytes: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let (hidden, buckets, text) = (word(12)?, word(16)?, word(28)?);
    if hidden > 512 || buckets > 8 || text > 1 << 12 {
        return None;
    }
    let payload = 2 * (768 * hidden + hidden + buckets * 2 * hidden) + 4 * buckets;
    let mut whole = bytes.get(..TEXT + text)?.to_vec();
    let numbers = bytes.get(TEXT + text + 8..)?;
    whole.extend((payload as u64).to_le_bytes());
    let pattern: &[u8] = if numbers.is_empty() { &[0] } else { numbers };
    whole.extend(pattern.iter().cycle().take(payload));
    whole.extend(crc32fast::hash(&whole).to_le_bytes());
    Some(whole)
}

fn read(bytes: &[u8]) {
    let Ok(network) = Network::from_bytes(bytes) else { return };
    assert_eq!(network.to_bytes(), bytes);
    for fen in POSITIONS {
        let position: Position = fen.parse().expect("a legal position");
        let _ = trace(Some(&network), &position);
    }
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    if let Some(bytes) = completed(bytes) {
        read(&bytes);
    }
});
