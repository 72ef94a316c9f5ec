//! The loss curve as a picture.

use plotters::prelude::*;

use super::run::Point;

/// A picture of the curve as SVG text; `title` stands above it.
///
/// # Errors
/// If it can't be drawn, with the reason.
pub fn svg(curve: &[Point], title: &str) -> Result<String, String> {
    let training: Vec<(f64, f64)> =
        curve.iter().map(|point| (point.step as f64, point.training)).collect();
    let held_out: Vec<(f64, f64)> = curve
        .iter()
        .filter_map(|point| point.held_out.map(|loss| (point.step as f64, loss)))
        .collect();
    let last = training.last().map_or(1.0, |&(step, _)| step.max(1.0));
    // The steep beginning would flatten the rest: the picture ends where a twentieth has passed.
    let calm = training.iter().filter(|&&(step, _)| step >= last / 20.0);
    let losses = calm.chain(&held_out).map(|&(_, loss)| loss).filter(|loss| loss.is_finite());
    let (low, high) =
        losses.fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    let (low, high) =
        if low < high { (low, high) } else { (low.min(0.1) - 1e-3, high.max(0.1) + 1e-3) };
    let margin = 0.05 * (high - low);
    let mut text = String::new();
    draw(&mut text, title, last, (low - margin)..(high + margin), training, held_out)
        .map_err(|error| error.to_string())?;
    Ok(text)
}

type DrawResult<'a> =
    Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw<'a>(
    text: &'a mut String,
    title: &str,
    last: f64,
    losses: std::ops::Range<f64>,
    training: Vec<(f64, f64)>,
    held_out: Vec<(f64, f64)>,
) -> DrawResult<'a> {
    let root = SVGBackend::with_string(text, (900, 500)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..last, losses)?;
    chart
        .configure_mesh()
        .x_desc("steps")
        .y_desc("mean squared error")
        .x_label_formatter(&|step| format!("{step:.0}"))
        .y_label_formatter(&|loss| format!("{loss:.5}"))
        .draw()?;
    for (name, line, color) in [("training", training, BLUE), ("held out", held_out, RED)] {
        chart
            .draw_series(LineSeries::new(line, &color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    root.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_becomes_a_picture() {
        let curve: Vec<Point> = (1..50)
            .map(|step| {
                let training = 0.1 / step as f64;
                Point { step, training, held_out: (step % 10 == 0).then_some(training) }
            })
            .collect();
        let picture = svg(&curve, "a run").unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("held out"));
        assert!(svg(&[], "nothing").unwrap().starts_with("<svg"));
    }
}
