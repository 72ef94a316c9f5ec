//! Training data: files of blocks (as they are, and as games in a block with a right checksum),
//! packed positions, games of other programs' formats.
#![no_main]

use std::io::BufReader;

use libfuzzer_sys::fuzz_target;
use qishou::learn::blocks::{MAGIC, Reader};
use qishou::learn::exchange::{Format, export, import};
use qishou::learn::filter::Filter;
use qishou::learn::packed::Labelled;
use qishou::learn::record::GameRecord;
use qishou::learn::sample::Sample;
use qishou::learn::stats::Survey;

fn blocks(bytes: &[u8]) -> Vec<GameRecord> {
    let mut reader = Reader::new(bytes, "fuzz".into());
    let mut games = Vec::new();
    while let Some(item) = reader.next_block().expect("memory can be read") {
        match item {
            Ok(block) => games.extend(block.games),
            Err(damage) => assert!(damage.skipped > 0, "{damage}"),
        }
    }
    assert_eq!(reader.offset(), bytes.len() as u64);
    games
}

/// The bytes as the games of one block.
fn wrapped(games: &[u8]) -> Vec<u8> {
    let length = (games.len() as u32).to_le_bytes();
    let next = 7_u64.to_le_bytes();
    let crc = crc32fast::hash(&[&length[..], &next, games].concat()).to_le_bytes();
    [&MAGIC[..], &length, &crc, &next, games].concat()
}

fuzz_target!(|bytes: &[u8]| {
    let mut games = blocks(bytes);
    games.extend(blocks(&wrapped(bytes)));
    let mut rest = bytes;
    if let Ok(game) = GameRecord::decode(&mut rest) {
        let mut again = Vec::new();
        game.encode(&mut again);
        assert_eq!(GameRecord::decode(&mut &*again).as_ref(), Ok(&game));
        games.push(game);
    }
    for chunk in bytes.as_chunks::<32>().0.iter().take(8) {
        if let Ok(labelled) = Labelled::from_bytes(chunk) {
            assert_eq!(Labelled::from_bytes(&labelled.to_bytes()), Ok(labelled));
        }
        let _ = Sample::from_bytes(chunk).position();
    }
    for format in [Format::Text, Format::Bullet, Format::Viri] {
        let _ = import(&mut BufReader::new(bytes), format, |game| {
            games.push(game);
            Ok(())
        });
    }
    let filter = Filter::NONE;
    let mut survey = Survey::new(filter);
    for game in games.iter().take(32) {
        survey.add(game);
        for format in [Format::Text, Format::Bullet, Format::Viri] {
            export(game, format, filter, &mut Vec::new()).expect("memory can be written");
        }
    }
    let _ = (survey.to_string(), survey.warnings());
});
