//! The pictures of the page, as SVG.

use std::collections::BTreeMap;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::referee::score::Estimate;

/// Colours that people with any colour vision tell apart (P. Tol's bright scheme).
const COLORS: [RGBColor; 7] = [
    RGBColor(68, 119, 170),
    RGBColor(238, 102, 119),
    RGBColor(34, 136, 51),
    RGBColor(204, 187, 68),
    RGBColor(102, 204, 238),
    RGBColor(170, 51, 119),
    RGBColor(120, 120, 120),
];
const FONT: (&str, u32) = ("sans-serif", 14);

type Error<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws on an empty picture of this size.
fn picture(
    size: (u32, u32),
    draw: impl for<'a> FnOnce(&Area<'a>) -> Result<(), Error<'a>>,
) -> Result<Option<String>, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)
            .and_then(|()| draw(&area))
            .and_then(|()| area.present())
            .map_err(|error| error.to_string())?;
    }
    Ok(Some(text))
}

/// A range with some room at both ends, at least this wide.
fn roomy(values: impl Iterator<Item = f64>, least: f64) -> Range<f64> {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) =
        finite.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
    let room = (0.06 * (high - low)).max((least - (high - low)) / 2.0);
    low - room..high + room
}

/// The width of a name in a picture, in pixels, about.
fn width(names: impl Iterator<Item = usize>) -> u32 {
    names.max().unwrap_or(0).clamp(4, 40) as u32 * 8 + 12
}

/// Elo with intervals, a row for each participant, the first on top.
pub(super) fn elo(rows: &[(&str, Estimate)]) -> Result<Option<String>, String> {
    if rows.is_empty() {
        return Ok(None);
    }
    // An interval without end is drawn to the edge.
    let shown = |elo: f64| elo.clamp(-1200.0, 1200.0);
    let ends = rows.iter().flat_map(|(_, estimate)| [estimate.low, estimate.high]).chain([0.0]);
    let range = roomy(ends.map(shown), 10.0);
    let count = rows.len();
    picture((900, 34 * count as u32 + 60), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(width(rows.iter().map(|(name, _)| name.chars().count())))
            .build_cartesian_2d(range, (0..count - 1).into_segmented())?;
        let name = |value: &SegmentValue<usize>| match value {
            SegmentValue::CenterOf(i) if *i < count => rows[count - 1 - i].0.to_owned(),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(count)
            .y_label_formatter(&name)
            .x_desc("Elo")
            .x_label_formatter(&|elo| format!("{elo:+.0}"))
            .label_style(FONT)
            .draw()?;
        let zero = [SegmentValue::Exact(0), SegmentValue::Exact(count)].map(|y| (0.0, y));
        chart.draw_series([PathElement::new(zero, BLACK.mix(0.4))])?;
        for (i, (_, estimate)) in rows.iter().rev().enumerate() {
            let y = SegmentValue::CenterOf(i);
            let [low, middle, high] = [estimate.low, estimate.elo, estimate.high].map(shown);
            let bar = [(low, y.clone()), (high, y.clone())];
            chart.draw_series([PathElement::new(bar, COLORS[0].stroke_width(2))])?;
            chart.draw_series([Circle::new((middle, y), 5, COLORS[0].filled())])?;
        }
        Ok(())
    })
}

/// The course of a sequential test: its ratio after each pair, and the bounds.
pub(super) fn course(ratios: &[f64], bounds: (f64, f64)) -> Result<Option<String>, String> {
    if ratios.is_empty() {
        return Ok(None);
    }
    let range = roomy(ratios.iter().copied().chain([bounds.0, bounds.1]), 1.0);
    let last = ratios.len();
    picture((900, 320), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(0..last, range)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("pairs")
            .y_desc("LLR")
            .label_style(FONT)
            .draw()?;
        for (bound, color) in [(bounds.0, COLORS[1]), (bounds.1, COLORS[2])] {
            let line = [(0, bound), (last, bound)];
            chart.draw_series([PathElement::new(line, color.stroke_width(2))])?;
        }
        let points = ratios.iter().enumerate().map(|(i, &ratio)| (i + 1, ratio));
        let points = std::iter::once((0, 0.0)).chain(points);
        chart.draw_series(LineSeries::new(points, COLORS[0].stroke_width(2)))?;
        Ok(())
    })
}

/// How many games had how many moves.
pub(super) fn lengths(plies: &[usize]) -> Result<Option<String>, String> {
    const BINS: usize = 30;
    let Some(&longest) = plies.iter().max() else { return Ok(None) };
    let step = (longest.div_ceil(2) / BINS + 1).next_multiple_of(if longest > 100 { 5 } else { 1 });
    let mut counts = vec![0_u32; longest.div_ceil(2) / step + 1];
    for &plies in plies {
        counts[plies.div_ceil(2) / step] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1);
    picture((900, 320), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..(counts.len() * step) as f64, 0..most + most / 20 + 1)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("moves")
            .y_desc("games")
            .x_label_formatter(&|moves| format!("{moves:.0}"))
            .label_style(FONT)
            .draw()?;
        chart.draw_series(counts.iter().enumerate().map(|(i, &count)| {
            let left = (i * step) as f64;
            let corners = [(left, 0), (left + 0.9 * step as f64, count)];
            Rectangle::new(corners, COLORS[0].filled())
        }))?;
        Ok(())
    })
}

/// Mean time a move over the course of the game, a line for each participant.
pub(super) fn times(players: &[(&str, &[(u32, f64)])]) -> Result<Option<String>, String> {
    let lines: Vec<(&str, Vec<(f64, f64)>)> = players
        .iter()
        .filter(|(_, times)| !times.is_empty())
        .map(|(name, times)| (*name, means(times)))
        .collect();
    if lines.is_empty() {
        return Ok(None);
    }
    let points = || lines.iter().flat_map(|(_, line)| line);
    let last = points().map(|point| point.0).fold(2.0, f64::max);
    let most = points().map(|point| point.1).fold(0.001, f64::max);
    // Room for the names above the lines.
    let legend = 17 * lines.len() as u32 + 16;
    let height = 240 + legend;
    let top = 1.03 * most * f64::from(height) / f64::from(height - legend);
    picture((900, height + 56), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(64)
            .build_cartesian_2d(1.0..last, 0.0..top)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("move")
            .y_desc("seconds")
            .x_label_formatter(&|number| format!("{number:.0}"))
            .label_style(FONT)
            .draw()?;
        for (i, (name, line)) in lines.iter().enumerate() {
            let color = COLORS[i % COLORS.len()];
            chart
                .draw_series(LineSeries::new(line.iter().copied(), color.stroke_width(2)))?
                .label(*name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2))
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(FONT)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()
    })
}

/// Mean time by the number of the move, as long as a few games last: the mean of one or two is all
/// chance.
fn means(times: &[(u32, f64)]) -> Vec<(f64, f64)> {
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for &(number, time) in times {
        let sum = sums.entry(number).or_default();
        *sum = (sum.0 + time, sum.1 + 1.0);
    }
    let most = sums.values().map(|(_, count)| *count).fold(1.0, f64::max);
    sums.retain(|_, (_, count)| *count >= most / 20.0);
    sums.into_iter().map(|(number, (time, count))| (f64::from(number), time / count)).collect()
}
