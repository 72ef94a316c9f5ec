//! One position to one depth.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use qishou::chess::perft::{Below, Divided, Divider, Kinds, PerftTable, breakdown};
use qishou::chess::{Bitboard, Color, Fen, File, Position, Square};
use qishou::complain;
use serde_json::json;

use super::{Arguments, INTERRUPTED, STOP, bar, speed};

/// The position asked for, and whether castling is written as in Chess960.
fn position(arguments: &Arguments) -> anyhow::Result<(Position, bool)> {
    let mut position = match &arguments.fen {
        None => Position::startpos(),
        Some(fen) => fen.parse::<Position>().with_context(|| format!("--fen {fen:?}"))?,
    };
    let chess960 = needs_chess960(&position);
    for text in &arguments.moves {
        position.play(position.parse_san(text).context("--moves")?);
    }
    Ok((position, chess960))
}

/// Whether a right to castle is left that standard chess does not know.
fn needs_chess960(position: &Position) -> bool {
    let corners = Bitboard::from_iter([Square::A1, Square::H1, Square::A8, Square::H8]);
    let kings_at_home = Color::ALL.into_iter().all(|color| {
        let rights = position.castling_rooks() & position.side(color);
        rights.is_empty() || position.king(color).file() == File::E
    });
    !kings_at_home || !(position.castling_rooks() - corners).is_empty()
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (position, chess960) = position(arguments)?;
    let depth = arguments.depth.unwrap_or(1);
    let table = (arguments.hash > 0).then(|| PerftTable::new(arguments.hash as usize));
    let divider = Divider {
        threads: arguments.threads.into(),
        table: table.as_ref(),
        bulk: !arguments.no_bulk,
        stop: &STOP,
    };
    let bar = bar(None);
    let start = Instant::now();
    let divided = divider.divide(&position, depth, &|leaves| bar.inc(leaves));
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let kinds = (arguments.breakdown && divided.is_complete()).then(|| breakdown(&position, depth));
    let text = |mv| position.uci(mv, chess960).to_string();
    let mut out = io::stdout().lock();
    if arguments.json {
        let moves: serde_json::Map<String, serde_json::Value> =
            divided.moves.iter().map(|below| (text(below.mv), json!(below.leaves))).collect();
        let result = json!({
            "fen": Fen::of(&position).to_string(),
            "depth": depth,
            "complete": divided.is_complete(),
            "nodes": divided.total(),
            "seconds": seconds,
            "moves": moves,
            "breakdown": kinds.map(|depths| depths.iter().map(kinds_as_json).collect::<Vec<_>>()),
        });
        writeln!(out, "{result:#}")?;
    } else {
        for Below { mv, leaves, complete } in &divided.moves {
            let rest = if *complete { "" } else { " (not finished)" };
            writeln!(out, "{}: {leaves}{rest}", text(*mv))?;
        }
        if let Some(depths) = kinds {
            writeln!(out)?;
            write_breakdown(&mut out, &depths)?;
        }
        writeln!(out, "\nNodes searched: {}", divided.total())?;
        out.flush()?;
        complain!("{seconds:.3} s, {:.0} Mnps", speed(divided.total(), seconds));
    }
    Ok(exit_code(&divided))
}

fn exit_code(divided: &Divided) -> ExitCode {
    if divided.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) }
}

fn kinds_as_json(kinds: &Kinds) -> serde_json::Value {
    json!({
        "nodes": kinds.nodes,
        "captures": kinds.captures,
        "en_passants": kinds.en_passants,
        "castles": kinds.castles,
        "promotions": kinds.promotions,
        "checks": kinds.checks,
        "mates": kinds.mates,
    })
}

fn write_breakdown(out: &mut impl Write, depths: &[Kinds]) -> io::Result<()> {
    writeln!(
        out,
        "{:>5} {:>14} {:>13} {:>11} {:>11} {:>12} {:>12} {:>9}",
        "depth", "nodes", "captures", "e.p.", "castles", "promotions", "checks", "mates"
    )?;
    for (depth, kinds) in (1..).zip(depths) {
        writeln!(
            out,
            "{depth:>5} {:>14} {:>13} {:>11} {:>11} {:>12} {:>12} {:>9}",
            kinds.nodes,
            kinds.captures,
            kinds.en_passants,
            kinds.castles,
            kinds.promotions,
            kinds.checks,
            kinds.mates
        )?;
    }
    Ok(())
}
