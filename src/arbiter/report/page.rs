//! The text of the page.

use std::fmt::{self, Write};

use super::{Report, plots};
use crate::html::Escaped;
use crate::referee::score::{Decision, Results, Sprt, elo_text};

const STYLE: &str = include_str!("page.css");

/// Participants, the best first.
fn ranking(report: &Report) -> Vec<(usize, Results)> {
    let standing = &report.standing;
    let mut rows: Vec<(usize, Results)> =
        (0..standing.names.len()).map(|of| (of, standing.results(of, None))).collect();
    let share = |results: &Results| {
        let (points, games) = results.points();
        points / (games as f64).max(1.0)
    };
    rows.sort_by(|a, b| share(&b.1).total_cmp(&share(&a.1)).then(a.0.cmp(&b.0)));
    rows
}

pub(super) fn page(report: &Report) -> Result<String, String> {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = write_page(&mut text, report, &pictures(report)?);
    Ok(text)
}

/// Heading, picture and what to know of it.
struct Picture {
    heading: &'static str,
    svg: String,
    note: String,
}

fn pictures(report: &Report) -> Result<Vec<Picture>, String> {
    let standing = &report.standing;
    let mut pictures = Vec::new();
    let mut add = |heading, svg: Option<String>, note: String| {
        if let Some(svg) = svg {
            pictures.push(Picture { heading, svg, note });
        }
    };
    let rows = ranking(report);
    let estimates: Vec<(&str, _)> = rows
        .iter()
        .filter_map(|(of, results)| Some((standing.names[*of].as_str(), results.estimate()?)))
        .collect();
    add(
        "Elo",
        plots::elo(&estimates)?,
        "Difference to the opponents met, with 95 % intervals from pairs of games.".into(),
    );
    if let (2, Some(sprt)) = (standing.names.len(), report.sprt) {
        let course = report.course();
        let ratios: Vec<f64> = course.iter().map(|results| sprt.ratio(results)).collect();
        add("SPRT", plots::course(&ratios, sprt.bounds())?, test_note(report, &sprt, &ratios));
    }
    let plies: Vec<usize> = standing.finished.iter().map(|game| game.plies).collect();
    let mean = plies.iter().sum::<usize>() as f64 / (plies.len() as f64).max(1.0) / 2.0;
    add("Game lengths", plots::lengths(&plies)?, format!("{mean:.1} moves on average."));
    let times: Vec<(&str, &[(u32, f64)])> = standing
        .names
        .iter()
        .map(String::as_str)
        .zip(report.times.iter().map(Vec::as_slice))
        .collect();
    let means: Vec<String> = times
        .iter()
        .filter(|(_, times)| !times.is_empty())
        .map(|(name, times)| {
            let sum: f64 = times.iter().map(|(_, time)| time).sum();
            let mean = sum / times.len() as f64;
            let text =
                if mean < 0.1 { format!("{:.1} ms", 1e3 * mean) } else { format!("{mean:.2} s") };
            format!("{}: {text} a move", Escaped(name))
        })
        .collect();
    add("Time use", plots::times(&times)?, format!("{}.", means.join(", ")));
    Ok(pictures)
}

/// What is tested, and what has come of it.
fn test_note(report: &Report, sprt: &Sprt, ratios: &[f64]) -> String {
    let [first, second] = [0, 1].map(|of| Escaped(&report.standing.names[of]));
    let kind = if sprt.normalized { "normalised Elo" } else { "Elo" };
    let (low, high) = sprt.bounds();
    let last = ratios.last().copied().unwrap_or(0.0);
    let decided = match report.course().last().and_then(|results| sprt.decision(results)) {
        Some(Decision::Accepted) => format!("{} is accepted", sprt.elo1),
        Some(Decision::Rejected) => format!("{} is accepted", sprt.elo0),
        None => "undecided".into(),
    };
    format!(
        "Log-likelihood ratio of {first} being {} against {} {kind} better than {second}, after each pair: \
         {last:+.2} in the end, bounds {low:.2} and {high:.2}, {decided}.",
        sprt.elo1, sprt.elo0,
    )
}

fn write_page(text: &mut String, report: &Report, pictures: &[Picture]) -> fmt::Result {
    let title = Escaped(&report.title);
    write!(
        text,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )?;
    let standing = &report.standing;
    if standing.finished.is_empty() {
        return text.write_str("<p>No games.</p>\n</body>\n</html>\n");
    }
    write!(text, "<p>{} games", standing.finished.len())?;
    if !report.controls.is_empty() {
        write!(text, ", time control {}", Escaped(&report.controls.join(" and ")))?;
    }
    if report.left_out > 0 {
        write!(text, "; {} records without names or a result are left out", report.left_out)?;
    }
    text.write_str(".</p>\n")?;
    write_standing(text, report)?;
    if standing.names.len() <= 40 {
        write_crosstable(text, report)?;
    }
    for picture in &pictures[..pictures.len().min(2)] {
        write_picture(text, picture)?;
    }
    write_endings(text, report)?;
    for picture in &pictures[pictures.len().min(2)..] {
        write_picture(text, picture)?;
    }
    write_games(text, report)?;
    text.write_str("</body>\n</html>\n")
}

fn write_picture(text: &mut String, picture: &Picture) -> fmt::Result {
    write!(
        text,
        "<section>\n<h2>{}</h2>\n<figure>{}<figcaption>{}</figcaption></figure>\n</section>\n",
        picture.heading, picture.svg, picture.note
    )
}

fn write_standing(text: &mut String, report: &Report) -> fmt::Result {
    text.write_str(
        "<section>\n<h2>Standing</h2>\n<table>\n<tr><th>#</th><th class=\"name\">Name</th><th>Points</th><th>Games</th>\
         <th>+</th><th>=</th><th>&minus;</th><th>Score</th><th>Elo</th><th>95 %</th><th>LOS</th>\
         <th title=\"pairs with 0, 1/2, 1, 3/2 and 2 points\">Pairs</th></tr>\n",
    )?;
    for (rank, (of, results)) in ranking(report).iter().enumerate() {
        let (points, games) = results.points();
        let [wins, draws, losses] = results.games;
        write!(
            text,
            "<tr><td>{}</td><td class=\"name\">{}</td><td>{points:.1}</td><td>{games}</td><td>{wins}</td>\
             <td>{draws}</td><td>{losses}</td><td>{:.1} %</td>",
            rank + 1,
            Escaped(&report.standing.names[*of]),
            100.0 * points / (games as f64).max(1.0),
        )?;
        match results.estimate() {
            Some(estimate) => write!(
                text,
                "<td>{}</td><td>{} to {}</td><td>{:.1} %</td>",
                elo_text(estimate.elo),
                elo_text(estimate.low),
                elo_text(estimate.high),
                100.0 * estimate.superiority
            )?,
            None => text.write_str("<td></td><td></td><td></td>")?,
        }
        let pairs = results.pairs.map(|count| count.to_string()).join(" ");
        writeln!(text, "<td>{pairs}</td></tr>")?;
    }
    text.write_str("</table>\n</section>\n")
}

fn write_crosstable(text: &mut String, report: &Report) -> fmt::Result {
    let rows = ranking(report);
    text.write_str(
        "<section>\n<h2>Crosstable</h2>\n<table>\n<tr><th>#</th><th class=\"name\">Name</th>",
    )?;
    for rank in 1..=rows.len() {
        write!(text, "<th>{rank}</th>")?;
    }
    text.write_str("</tr>\n")?;
    for (rank, (of, _)) in rows.iter().enumerate() {
        let name = Escaped(&report.standing.names[*of]);
        write!(text, "<tr><td>{}</td><td class=\"name\">{name}</td>", rank + 1)?;
        for (against, _) in &rows {
            let results = report.standing.results(*of, Some(*against));
            let (points, games) = results.points();
            if of == against || games == 0 {
                text.write_str("<td class=\"none\"></td>")?;
                continue;
            }
            // From red over white to green, as the score goes from 0 to 1.
            let share = points / games as f64;
            let hue = if share < 0.5 { 0 } else { 120 };
            let depth = 100.0 - 30.0 * (2.0 * share - 1.0).abs();
            let [wins, draws, losses] = results.games;
            write!(
                text,
                "<td class=\"score\" style=\"background:hsl({hue},60%,{depth:.0}%)\" title=\"+{wins} ={draws} -{losses}\">\
                 {points} / {games}</td>"
            )?;
        }
        text.write_str("</tr>\n")?;
    }
    text.write_str("</table>\n</section>\n")
}

fn write_endings(text: &mut String, report: &Report) -> fmt::Result {
    let endings = report.standing.endings();
    let most = endings.first().map_or(1, |(_, count)| *count) as f64;
    let total = report.standing.finished.len() as f64;
    text.write_str("<section>\n<h2>Endings</h2>\n<table class=\"bars\">\n")?;
    for (reason, count) in endings {
        writeln!(
            text,
            "<tr><td class=\"name\">{}</td><td class=\"bar\"><div style=\"width:{:.1}%\"></div></td>\
             <td>{count}</td><td>{:.1} %</td></tr>",
            Escaped(&reason),
            100.0 * count as f64 / most,
            100.0 * count as f64 / total,
        )?;
    }
    text.write_str("</table>\n</section>\n")
}

fn write_games(text: &mut String, report: &Report) -> fmt::Result {
    text.write_str(
        "<section>\n<details>\n<summary>All games</summary>\n<table>\n<tr><th>Round</th><th>Date</th>\
         <th class=\"name\">White</th><th class=\"name\">Black</th><th>Result</th><th>Moves</th>\
         <th class=\"name\">Ending</th></tr>\n",
    )?;
    for (game, (round, date)) in report.standing.finished.iter().zip(&report.rounds) {
        let [white, black] =
            [game.job.white, game.job.black].map(|of| Escaped(&report.standing.names[of]));
        writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td class=\"name\">{white}</td><td class=\"name\">{black}</td><td>{}</td>\
             <td>{}</td><td class=\"name\">{}</td></tr>",
            Escaped(round),
            Escaped(date),
            game.outcome,
            game.plies.div_ceil(2),
            Escaped(&game.reason),
        )?;
    }
    text.write_str("</table>\n</details>\n</section>\n")
}
