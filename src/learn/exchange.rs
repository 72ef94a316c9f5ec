//! Positions and games in the formats of other programs.
//!
//! | format | what it holds |
//! |---|---|
//! | text | a position a line: `FEN \| centipawns for White \| 1.0, 0.5 or 0.0 for White` |
//! | bullet | positions of 32 bytes ([`super::sample`]), from the view of the side to move |
//! | viri | whole games one after another ([`record`](super::record)), without blocks |
//!
//! Positions that are read become games of one move. Which move is not known, so a quiet one is
//! taken; and where the number of the move is not known, it is set so late that no filter of
//! first plies takes the position for an opening.

use std::io::{self, BufRead, Read, Write};

use super::filter::Filter;
use super::record::{GameRecord, half_points};
use super::sample::{self, Sample};
use crate::chess::{Color, Fen, Outcome, Position};

/// A format of other programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Lines of text.
    Text,
    /// Positions of 32 bytes.
    Bullet,
    /// Whole games.
    Viri,
}

/// Move number of positions that come without one.
const UNKNOWN_MOVE_NUMBER: u16 = 50;

/// Writes a game, or of formats of positions those the filter keeps; returns how many positions.
///
/// # Errors
/// If writing fails.
pub fn export(
    game: &GameRecord,
    format: Format,
    filter: Filter,
    out: &mut impl Write,
) -> io::Result<u64> {
    let mut bytes = Vec::new();
    let mut count = 0;
    match format {
        Format::Viri => {
            game.encode(&mut bytes);
            count = game.moves.len() as u64;
        }
        Format::Bullet => filter.for_each_kept(game, |position, score, result| {
            bytes.extend_from_slice(&Sample::new(position, score, result).to_bytes());
            count += 1;
        }),
        Format::Text => {
            let points = f64::from(half_points(game.outcome, Color::White)) / 2.0;
            filter.for_each_kept(game, |position, score, _| {
                let score = i32::from(score) * position.side_to_move().sign();
                let line = format!("{} | {score} | {points:.1}\n", Fen::of(position));
                bytes.extend_from_slice(line.as_bytes());
                count += 1;
            });
        }
    }
    out.write_all(&bytes)?;
    Ok(count)
}

/// A position as a game of one move; none if it has no move.
fn single(start: Position, score: i16, outcome: Outcome) -> Option<GameRecord> {
    let moves = start.legal_moves();
    let quiet = moves.iter().copied().find(|&mv| !start.is_noisy(mv));
    let mv = quiet.or(moves.first().copied())?;
    Some(GameRecord { start, outcome, moves: vec![(mv, score)] })
}

/// The outcome that is worth so many half points to White.
const fn outcome(half_points: u8) -> Option<Outcome> {
    match half_points {
        0 => Some(Outcome::Win(Color::Black)),
        1 => Some(Outcome::Draw),
        2 => Some(Outcome::Win(Color::White)),
        _ => None,
    }
}

/// Reads a line of the text format.
///
/// # Errors
/// What is wrong with it.
pub fn parse_line(line: &str) -> Result<Option<GameRecord>, String> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[fen, score, result] = &fields[..] else {
        return Err(format!("{} fields instead of 3 in '{line}'", fields.len()));
    };
    let position: Position = fen.parse().map_err(|error| format!("{error} in '{line}'"))?;
    let score: f64 = score.parse().map_err(|_| format!("'{score}' is no score"))?;
    let points: f64 = result.parse().map_err(|_| format!("'{result}' is no result"))?;
    let half_points = (2.0 * points).round();
    let outcome = Some(half_points)
        .filter(|&half| (half - 2.0 * points).abs() < 1e-6 && (0.0..=2.0).contains(&half))
        .and_then(|half| outcome(half as u8))
        .ok_or_else(|| format!("'{result}' is no result"))?;
    Ok(single(position, score.clamp(-32_000.0, 32_000.0) as i16, outcome))
}

/// What was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Games that were made.
    pub games: u64,
    /// Positions that were left out since they have no legal move.
    pub ended: u64,
}

/// Reads a file of other programs and calls `visit` with each game.
///
/// # Errors
/// If reading fails or something in it is wrong, with its place; the games before it have been
/// visited.
pub fn import(
    source: &mut impl BufRead,
    format: Format,
    mut visit: impl FnMut(GameRecord) -> io::Result<()>,
) -> io::Result<Imported> {
    let mut imported = Imported::default();
    let mut take = |game: Option<GameRecord>| {
        if let Some(game) = game {
            imported.games += 1;
            visit(game)
        } else {
            imported.ended += 1;
            Ok(())
        }
    };
    match format {
        Format::Text => {
            for (i, line) in source.lines().enumerate() {
                let line = line?;
                if !line.trim().is_empty() {
                    take(
                        parse_line(&line)
                            .map_err(|why| invalid(&format!("line {}", i + 1), &why))?,
                    )?;
                }
            }
        }
        Format::Bullet => {
            let mut number = 0u64;
            let mut bytes = [0; sample::SIZE];
            while read_whole(source, &mut bytes)? {
                let place = format!("byte {}", number * sample::SIZE as u64);
                take(from_sample(&bytes).map_err(|why| invalid(&place, &why))?)?;
                number += 1;
            }
        }
        Format::Viri => import_games(source, |game| take(Some(game)))?,
    }
    Ok(imported)
}

fn invalid(place: &str, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{place}: {why}"))
}

/// Fills the buffer; false at the end of the source.
fn read_whole(source: &mut impl BufRead, bytes: &mut [u8]) -> io::Result<bool> {
    if source.fill_buf()?.is_empty() {
        return Ok(false);
    }
    source.read_exact(bytes)?;
    Ok(true)
}

fn from_sample(bytes: &[u8; sample::SIZE]) -> Result<Option<GameRecord>, String> {
    let sample = Sample::from_bytes(bytes);
    let mut setup = sample.position().map_err(|error| error.to_string())?.setup();
    setup.fullmove_number = UNKNOWN_MOVE_NUMBER;
    let position = setup.position().map_err(|error| error.to_string())?;
    let outcome = outcome(sample.result).ok_or(format!("result {}", sample.result))?;
    Ok(single(position, sample.score, outcome))
}

/// Reads whole games one after another.
fn import_games(
    source: &mut impl Read,
    mut visit: impl FnMut(GameRecord) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffer = Vec::new();
    let mut offset = 0;
    loop {
        let more = source.take(1 << 20).read_to_end(&mut buffer)?;
        let mut rest = &buffer[..];
        loop {
            let before = rest;
            match GameRecord::decode(&mut rest) {
                Ok(game) => visit(game)?,
                Err(super::record::RecordError::Truncated(_)) => {
                    rest = before;
                    break;
                }
                Err(error) => {
                    let at = offset + buffer.len() - before.len();
                    return Err(invalid(&format!("game at byte {at}"), &error.to_string()));
                }
            }
        }
        let used = buffer.len() - rest.len();
        offset += used;
        buffer.drain(..used);
        if more == 0 {
            return if buffer.is_empty() {
                Ok(())
            } else {
                Err(invalid(&format!("byte {offset}"), "the last game breaks off"))
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Square};

    fn game() -> GameRecord {
        let quiet = [(Square::G1, Square::F3), (Square::G8, Square::F6)];
        let moves = quiet.map(|(from, to)| (Move::normal(from, to), 33)).to_vec();
        GameRecord { start: Position::startpos(), outcome: Outcome::Win(Color::White), moves }
    }

    fn round_trip(format: Format) -> Vec<GameRecord> {
        let mut bytes = Vec::new();
        assert_eq!(export(&game(), format, Filter::NONE, &mut bytes).unwrap(), 2);
        let mut games = Vec::new();
        let imported = import(&mut &*bytes, format, |game| {
            games.push(game);
            Ok(())
        });
        assert_eq!(imported.unwrap().games as usize, games.len());
        games
    }

    #[test]
    fn what_is_exported_can_be_imported() {
        assert_eq!(round_trip(Format::Viri), [game()]);
        let text = round_trip(Format::Text);
        assert_eq!(text[1].start.side_to_move(), Color::Black);
        assert_eq!((text[1].moves[0].1, text[1].outcome), (33, Outcome::Win(Color::White)));
        // The other format knows no colours: what was Black comes back as White.
        let bullet = round_trip(Format::Bullet);
        assert_eq!(bullet[1].start.side_to_move(), Color::White);
        assert_eq!((bullet[1].moves[0].1, bullet[1].outcome), (-33, Outcome::Win(Color::Black)));
    }

    #[test]
    fn wrong_lines_are_named() {
        let start = Fen::of(&Position::startpos()).to_string();
        for (line, word) in [
            ("8/8 | 1 | 1.0".to_owned(), "8/8"),
            (format!("{start} | x | 1.0"), "'x'"),
            (format!("{start} | 5 | 0.7"), "'0.7'"),
            (format!("{start} | 5"), "2 fields"),
        ] {
            let error = parse_line(&line).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }
}
