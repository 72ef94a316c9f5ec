//! Games looked at again, as one page for the browser that needs nothing else: no network, no fonts
//! of chessmen, no other file. It shows a board, the moves and a graph of the evaluation.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use super::{Mark, Review, View};
use crate::chess::{Color, Fen, Move, Position};
use crate::html::Escaped;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Drawn for this page: `<symbol>`s named by the letters of FEN.
const MEN: &str = include_str!("men.svg");

/// The page of these games.
pub fn page(reviews: &[Review]) -> String {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = write_page(&mut text, reviews);
    text
}

fn tag<'a>(review: &'a Review, name: &str) -> Option<&'a str> {
    review.record.tag(name).filter(|value| !matches!(*value, "" | "?"))
}

/// What stands above a game.
fn title(review: &Review) -> String {
    match (tag(review, "White"), tag(review, "Black")) {
        (None, None) => match review.record.tag("FEN") {
            Some(fen) => fen.to_owned(),
            None => "A game".to_owned(),
        },
        (white, black) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    }
}

/// Where and when it was played, and how it ended.
fn subtitle(review: &Review) -> String {
    let date = tag(review, "Date").filter(|date| !date.starts_with('?'));
    let round = tag(review, "Round").filter(|round| *round != "-");
    let round = round.map(|round| format!("round {round}"));
    let known = [tag(review, "Event"), tag(review, "Site"), date, round.as_deref()];
    let mut parts: Vec<String> = known.into_iter().flatten().map(str::to_owned).collect();
    parts.extend(review.record.result.map(|mark| mark.to_string()).filter(|mark| mark != "*"));
    parts.join(", ")
}

fn write_page(text: &mut String, reviews: &[Review]) -> fmt::Result {
    let name = match reviews {
        [only] => title(only),
        _ => format!("{} games", reviews.len()),
    };
    let name = Escaped(&name);
    write!(
        text,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{MEN}"
    )?;
    if reviews.len() > 1 {
        text.write_str("<p><label>Game <select id=\"choice\">\n")?;
        for (number, review) in reviews.iter().enumerate() {
            let title = title(review);
            writeln!(text, "<option value=\"{number}\">{}. {}", number + 1, Escaped(&title))?;
        }
        text.write_str("</select></label></p>\n")?;
    }
    for (number, review) in reviews.iter().enumerate() {
        write_game(text, review, number > 0)?;
    }
    if reviews.is_empty() {
        text.write_str("<p>No games.</p>\n")?;
    }
    write!(
        text,
        "<noscript><p>The board needs JavaScript; moves, scores and graph don't.</p></noscript>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn write_game(text: &mut String, review: &Review, hidden: bool) -> fmt::Result {
    let hidden = if hidden { " hidden" } else { "" };
    let (title, subtitle) = (title(review), subtitle(review));
    write!(
        text,
        "<section class=\"game\"{hidden}>\n<h1>{}</h1>\n<p class=\"where\">{}</p>\n\
         <div class=\"sides\">\n<div class=\"left\">\n\
         <div class=\"play\"><div class=\"bar\" title=\"White's share of the points to expect\">\
         <div></div></div><svg class=\"board\" viewBox=\"0 0 360 360\" role=\"img\" \
         aria-label=\"the board\"></svg></div>\n\
         <p class=\"steps\"><button data-step=\"first\" title=\"to the start\">&laquo;</button>\
         <button data-step=\"back\" title=\"a move back\">&lsaquo;</button>\
         <button data-step=\"on\" title=\"a move on\">&rsaquo;</button>\
         <button data-step=\"last\" title=\"to the end\">&raquo;</button>\
         <button data-step=\"flip\" title=\"turn the board\">turn</button></p>\n\
         <p class=\"said\"></p>\n</div>\n<div class=\"right\">\n",
        Escaped(&title),
        Escaped(&subtitle)
    )?;
    write_moves(text, review)?;
    write_others(text, review)?;
    write_summary(text, review)?;
    text.write_str("</div>\n</div>\n")?;
    write_graph(text, review)?;
    // A script ends at the first `</`, whatever stands around it.
    let data = data(review).to_string().replace('<', "\\u003c");
    write!(text, "<script type=\"application/json\">{data}</script>\n</section>\n")
}

fn write_moves(text: &mut String, review: &Review) -> fmt::Result {
    let mut position = *review.record.game.start();
    text.write_str("<p class=\"moves\">")?;
    if !review.record.preface.is_empty() {
        write!(text, "<span class=\"words\">{}</span> ", Escaped(&review.record.preface))?;
    }
    for (ply, &mv) in review.record.game.moves().iter().enumerate() {
        let number = position.fullmove_number();
        match position.side_to_move() {
            // The blank keeps a number with its move.
            Color::White => write!(text, "<span class=\"number\">{number}.&nbsp;</span>")?,
            Color::Black if ply == 0 => {
                write!(text, "<span class=\"number\">{number}...&nbsp;</span>")?;
            }
            Color::Black => {}
        }
        let mark = review.mark(ply);
        let (class, sign) = mark.map_or(("", ""), |mark| (mark.name(), mark.sign()));
        let san = position.san(mv);
        let ply = ply + 1;
        write!(text, "<button class=\"move {class}\" data-ply=\"{ply}\">{san}{sign}</button> ")?;
        position.play(mv);
    }
    match review.record.result {
        Some(mark) => writeln!(text, "<b>{mark}</b></p>"),
        None => text.write_str("</p>\n"),
    }
}

/// Other lines from the first position.
fn write_others(text: &mut String, review: &Review) -> fmt::Result {
    if review.others.is_empty() {
        return Ok(());
    }
    let start = review.record.game.start();
    text.write_str("<ol class=\"lines\">\n")?;
    for opinion in review.opinions[0].iter().chain(&review.others) {
        let score = View { opinion, mover: start.side_to_move() }.score();
        writeln!(text, "<li><b>{score}</b> {}", line(start, &opinion.line))?;
    }
    text.write_str("</ol>\n")
}

/// How many marks each side has.
fn write_summary(text: &mut String, review: &Review) -> fmt::Result {
    let plies = review.record.game.moves().len();
    let losses = |color: Color| {
        let own = (0..plies).filter(move |&ply| review.mover(ply) == color);
        own.filter_map(|ply| review.loss(ply)).collect::<Vec<f64>>()
    };
    if plies == 0 || review.alone {
        return Ok(());
    }
    text.write_str("<table>\n<tr><th></th>")?;
    for mark in Mark::ALL {
        write!(text, "<th class=\"{}\">{}</th>", mark.name(), plural(mark))?;
    }
    text.write_str("<th title=\"of a point, at each move\">thrown away</th></tr>\n")?;
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let losses = losses(color);
        let name = tag(review, name).unwrap_or(name);
        write!(text, "<tr><td>{}</td>", Escaped(name))?;
        for mark in Mark::ALL {
            let marks = losses.iter().filter(|&&loss| Mark::of_loss(loss) == Some(mark));
            write!(text, "<td>{}</td>", marks.count())?;
        }
        let mean = losses.iter().sum::<f64>() / (losses.len() as f64).max(1.0);
        writeln!(text, "<td>{:.1} %</td></tr>", 100.0 * mean)?;
    }
    text.write_str("</table>\n")
}

fn plural(mark: Mark) -> String {
    match mark {
        Mark::Inaccuracy => "inaccuracies".to_owned(),
        _ => format!("{}s", mark.name()),
    }
}

/// Width and height of the graph.
const GRAPH: (f64, f64) = (1000.0, 160.0);

/// White's share of the points to expect, over the game.
fn write_graph(text: &mut String, review: &Review) -> fmt::Result {
    let plies = review.opinions.len() - 1;
    let known: Vec<(usize, f64)> =
        (0..=plies).filter_map(|ply| Some((ply, review.view(ply)?.points()))).collect();
    if known.len() < 3 {
        return Ok(());
    }
    let (width, height) = GRAPH;
    let x = |ply: usize| width * ply as f64 / plies as f64;
    let y = |share: f64| height * (1.0 - share);
    write!(
        text,
        "<svg class=\"graph\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" \
         data-plies=\"{plies}\" role=\"img\" aria-label=\"evaluation over the game\">\n\
         <rect width=\"{width}\" height=\"{height}\" class=\"black\"/><path class=\"white\" d=\"M"
    )?;
    for &(ply, share) in &known {
        write!(text, "{:.1} {:.1}L", x(ply), y(share))?;
    }
    let (first, last) = (x(known[0].0), x(known[known.len() - 1].0));
    writeln!(
        text,
        "{last:.1} {height}L{first:.1} {height}Z\"/>\
         <path class=\"middle\" d=\"M0 {half}H{width}\"/>",
        half = height / 2.0
    )?;
    for &(after, share) in &known {
        let Some(mark) = after.checked_sub(1).and_then(|ply| review.mark(ply)) else { continue };
        // A line, since the picture is stretched: a circle would become an egg.
        let (x, y) = (x(after), y(share));
        writeln!(text, "<path class=\"{}\" d=\"M{x:.1} {y:.1}h0\"/>", mark.name())?;
    }
    writeln!(text, "<path class=\"now\" d=\"M0 0V{height}\"/></svg>")
}

/// Moves with their numbers; as far as they are legal.
fn line(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for (i, &mv) in moves.iter().enumerate() {
        if !position.is_legal(mv) {
            break;
        }
        match position.side_to_move() {
            Color::White => words.push(format!("{}.", position.fullmove_number())),
            Color::Black if i == 0 => words.push(format!("{}...", position.fullmove_number())),
            Color::Black => {}
        }
        words.push(position.san(mv).to_string());
        position.play(mv);
    }
    words.join(" ")
}

/// What the script needs of each position.
fn data(review: &Review) -> Value {
    let moves = review.record.game.moves();
    let mut position = *review.record.game.start();
    let mut steps = Vec::new();
    let mut last = None;
    for ply in 0..=moves.len() {
        let fen = Fen::of(&position).to_string();
        let mut step = json!({ "men": fen.split(' ').next() });
        if let Some(view) = review.view(ply) {
            let opinion = view.opinion;
            step["share"] = json!(view.points());
            step["score"] = json!(view.score());
            step["depth"] = json!(opinion.depth);
            step["line"] = json!(line(&position, &opinion.line));
            if let Some(&best) = opinion.line.first() {
                step["best"] = json!(position.uci(best, false).to_string());
            }
        }
        if let Some(before) = ply.checked_sub(1) {
            step["last"] = json!(last);
            let remarks = review.record.remarks.get(before);
            let words = remarks.map(|remarks| super::without_scores(&remarks.comment));
            step["words"] = json!(words.filter(|words| !words.is_empty()));
            step["mark"] = json!(review.mark(before).map(Mark::name));
        }
        steps.push(step);
        if let Some(&mv) = moves.get(ply) {
            last = Some(position.uci(mv, false).to_string());
            position.play(mv);
        }
    }
    Value::Array(steps)
}
