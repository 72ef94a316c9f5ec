//! Files of games: against the crate `viriformat`, and what damage costs.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]
#![cfg(feature = "tools")]

use std::fs;
use std::path::PathBuf;

use qishou::chess::{Color, Outcome, Position};
use qishou::learn::blocks::{self, Damage, MAGIC, Reader, Writer};
use qishou::learn::record::{GameRecord, RecordError};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use viriformat::dataformat::Game as OracleGame;

/// Random games from standard and shuffled starts, so that every kind of move occurs.
fn random_games(count: usize, seed: u64) -> Vec<GameRecord> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let outcomes = [Outcome::Win(Color::White), Outcome::Draw, Outcome::Win(Color::Black)];
    let mut games = Vec::new();
    for i in 0..count {
        let start = if i % 2 == 0 {
            Position::startpos()
        } else {
            let (white, black) = (rng.random_range(0..960), rng.random_range(0..960));
            Position::double_chess960(white, black).unwrap()
        };
        let mut game = GameRecord { start, outcome: outcomes[i % 3], moves: Vec::new() };
        let mut position = start;
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Castling, en passant and promotion whenever they come up.
            let special = moves.iter().copied().find(|mv| mv.bits() >> 14 != 0);
            let any = moves[rng.random_range(0..moves.len())];
            let mv = special.filter(|_| rng.random_range(0..2) == 0).unwrap_or(any);
            game.moves.push((mv, rng.random_range(-32_000..=32_000)));
            position.play(mv);
        }
        games.push(game);
    }
    games
}

fn encoded(game: &GameRecord) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.encode(&mut bytes);
    bytes
}

#[test]
fn viriformat_reads_our_games_and_writes_the_same_bytes() {
    let mut special = [0; 4];
    for game in random_games(200, 1) {
        let bytes = encoded(&game);
        let oracle = OracleGame::deserialise_from(&mut &*bytes, Vec::new()).unwrap();
        // It plays the moves through on its own board, which would fail on a wrong one.
        let mut positions = 0;
        oracle.visit_positions(|_, _| positions += 1);
        assert_eq!(positions, game.moves.len());
        for (theirs, (ours, _)) in oracle.moves().zip(&game.moves) {
            special[usize::from(ours.bits() >> 14)] += 1;
            assert_eq!(theirs.display(true).to_string(), ours.to_string());
            assert_eq!(theirs.is_castle(), ours.is_castling());
        }
        let mut back = Vec::new();
        oracle.serialise_into(&mut back).unwrap();
        assert_eq!(bytes, back);
        assert_eq!(GameRecord::decode(&mut &*bytes).unwrap(), game);
    }
    assert!(special.iter().all(|&count| count > 20), "every kind of move: {special:?}");
}

#[test]
fn viriformat_sees_the_same_first_position() {
    for game in random_games(50, 2) {
        let bytes = encoded(&game);
        let oracle = OracleGame::deserialise_from(&mut &*bytes, Vec::new()).unwrap();
        let mut board = oracle.initial_position();
        let mut theirs: Vec<String> =
            board.legal_moves().iter().map(|mv| mv.display(true).to_string()).collect();
        let mut ours: Vec<String> =
            game.start.legal_moves().iter().map(ToString::to_string).collect();
        theirs.sort();
        ours.sort();
        assert_eq!(ours, theirs);
    }
}

/// A file that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("qishou-{}-{name}", std::process::id()));
        drop(fs::remove_file(&path));
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}

/// Writes the games one a block and returns where the blocks end.
fn write(file: &Scratch, games: &[GameRecord]) -> Vec<u64> {
    let mut writer = Writer::append(&file.0).unwrap();
    let mut ends = Vec::new();
    for game in games {
        writer.set_next_game(writer.next_game() + 1);
        writer.push(game).unwrap();
        writer.flush().unwrap();
        ends.push(fs::metadata(&file.0).unwrap().len());
    }
    ends
}

fn read(file: &Scratch) -> (Vec<GameRecord>, Vec<Damage>) {
    let (mut games, mut damages) = (Vec::new(), Vec::new());
    let files = [file.0.clone()];
    blocks::for_each_game(&files, |damage| damages.push(damage), |game| games.push(game)).unwrap();
    (games, damages)
}

#[test]
fn a_torn_tail_is_cut_away_wherever_it_was_torn() {
    let file = Scratch::new("torn");
    let games = random_games(3, 3);
    let ends = write(&file, &games);
    let whole = fs::read(&file.0).unwrap();
    for length in ends[1]..ends[2] {
        fs::write(&file.0, &whole[..length as usize]).unwrap();
        let mut writer = Writer::append(&file.0).unwrap();
        assert_eq!(writer.next_game(), 2, "torn at {length}");
        writer.push(&games[2]).unwrap();
        writer.flush().unwrap();
        let (found, damages) = read(&file);
        assert_eq!((found.len(), damages.len()), (3, 0), "torn at {length}");
    }
}

#[test]
fn a_damaged_block_is_named_and_the_sound_rest_is_used() {
    let file = Scratch::new("damaged");
    let games = random_games(5, 4);
    let ends = write(&file, &games);
    let whole = fs::read(&file.0).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for block in 0..4 {
        let begin = if block == 0 { 0 } else { ends[block - 1] };
        for _ in 0..20 {
            let mut bytes = whole.clone();
            let at = rng.random_range(begin..ends[block]) as usize;
            bytes[at] ^= 1 << rng.random_range(0..8);
            fs::write(&file.0, &bytes).unwrap();
            let (found, damages) = read(&file);
            let mut sound = games.clone();
            sound.remove(block);
            assert_eq!(found, sound, "byte {at}");
            assert_eq!(damages.len(), 1, "byte {at}");
            assert_eq!((damages[0].offset, damages[0].skipped), (begin, ends[block] - begin));
        }
    }
}

#[test]
fn what_is_no_file_of_games_is_not_touched() {
    let file = Scratch::new("foreign");
    fs::write(&file.0, "a letter to my aunt").unwrap();
    let error = Writer::append(&file.0).unwrap_err();
    assert!(error.to_string().contains("no file of games"), "{error}");
    assert_eq!(fs::read_to_string(&file.0).unwrap(), "a letter to my aunt");
    fs::write(&file.0, &MAGIC[..5]).unwrap();
    Writer::append(&file.0).unwrap();
    assert_eq!(fs::metadata(&file.0).unwrap().len(), 0);
}

#[test]
fn random_bytes_never_panic_the_reader() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..200 {
        let mut bytes: Vec<u8> = (0..500).map(|_| rng.random()).collect();
        for at in [0, 90, 300] {
            bytes[at..at + 8].copy_from_slice(&MAGIC);
            bytes[at + 9..at + 12].fill(0);
        }
        let mut reader = Reader::new(&*bytes, "random".into());
        while let Some(item) = reader.next_block().unwrap() {
            assert!(item.is_err());
        }
        assert_eq!(reader.offset(), 500);
        let game = GameRecord::decode(&mut &*bytes);
        assert!(game.is_err_and(|error| !matches!(error, RecordError::Move(0, _))));
    }
}
