//! The plot: mean stretch against the time of a frame, both logarithmic, one panel per scene.

use std::fmt::Write as _;

use super::measure::Method;
use super::{Results, SceneResults};

/// Size of a panel and its margins, px.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 44.0;
const PANELS_PER_ROW: usize = 2;

/// Colours that people with any kind of colour vision can distinguish (Okabe & Ito 2008), with dashes for print.
fn style(method: Method) -> (&'static str, &'static str) {
    match method {
        Method::Textbook => ("#d55e00", "2 3"),
        Method::Sequential => ("#cc79a7", "8 3 2 3"),
        Method::Ordered => ("#e69f00", "4 2"),
        Method::Clustered => ("#0072b2", "none"),
        Method::Coarse => ("#000000", "none"),
    }
}

/// A logarithmic axis from `low` to `high`, drawn from `start` to `end`, px.
struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// Whole decades around the values.
    fn around(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Option<Self> {
        let (low, high) = values
            .filter(|v| *v > 0.0 && v.is_finite())
            .fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = (low.log10().floor(), high.log10().ceil());
        (low.is_finite() && high.is_finite()).then_some(Self { low, high: high.max(low + 1.0), start, end })
    }

    fn at(&self, value: f64) -> f64 {
        self.start + (value.log10() - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    /// The decades.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let high = self.high;
        std::iter::successors(Some(self.low), |e| Some(e + 1.0))
            .take_while(move |e| *e <= high)
            .map(|e| 10_f64.powf(e))
    }
}

/// The plot as an SVG file. Writing to a string cannot fail, so the results of `write!` are dropped.
pub(super) fn plot(results: &Results) -> String {
    let count = results.scenes.len().max(1);
    let columns = count.min(PANELS_PER_ROW);
    let (width, height) = (WIDTH * columns as f64, HEIGHT * count.div_ceil(PANELS_PER_ROW) as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (i, (name, scene)) in results.scenes.iter().enumerate() {
        let (x, y) = ((i % PANELS_PER_ROW) as f64 * WIDTH, (i / PANELS_PER_ROW) as f64 * HEIGHT);
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        panel(&mut svg, name, scene);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

fn panel(svg: &mut String, name: &str, scene: &SceneResults) {
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{name}</text>");
    let points = |method| {
        let curve = scene.curves[&method].iter();
        curve
            .filter_map(|p| Some((p.ms_per_frame, p.errors?.stretch_mean)))
            .filter(|(t, e)| *t > 0.0 && *e > 0.0)
    };
    let all = || scene.curves.keys().flat_map(|&method| points(method));
    let x = Axis::around(all().map(|p| p.0), LEFT, WIDTH - RIGHT);
    let y = Axis::around(all().map(|p| p.1), HEIGHT - BOTTOM, TOP);
    let (Some(x), Some(y)) = (x, y) else { return };
    for value in x.ticks() {
        let (at, low) = (x.at(value), HEIGHT - BOTTOM);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {TOP}V{low}\" stroke=\"#ddd\"/>");
        let _ =
            writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>", low + 16.0);
    }
    for value in y.ticks() {
        let (at, end) = (y.at(value), WIDTH - RIGHT);
        let label = (value * 1e8).round() / 1e6;
        let _ = writeln!(svg, "<path d=\"M{LEFT} {at:.1}H{end}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label} %</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">time of a frame, ms</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0
    );
    for (row, &method) in scene.curves.keys().enumerate() {
        let (colour, dash) = style(method);
        let line: Vec<String> =
            points(method).map(|(t, e)| format!("{:.1},{:.1}", x.at(t), y.at(e))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>",
            line.join(" ")
        );
        for point in &line {
            let (cx, cy) = point.split_once(',').unwrap_or_default();
            let _ = writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let (lx, ly) = (WIDTH - RIGHT - 96.0, TOP + 14.0 + 16.0 * row as f64);
        let _ = writeln!(
            svg,
            "<path d=\"M{lx} {:.1}h22\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\
             <text x=\"{}\" y=\"{ly}\">{method}</text>",
            ly - 4.0,
            lx + 28.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn axes_span_whole_decades() {
        let axis = Axis::around([0.5, 30.0].into_iter(), 0.0, 300.0).expect("there are values");
        let ticks: Vec<f64> = axis.ticks().collect();
        assert_eq!(ticks, [0.1, 1.0, 10.0, 100.0]);
        assert!((axis.at(1.0) - 100.0).abs() < 1e-9 && (axis.at(100.0) - 300.0).abs() < 1e-9);
        assert!(Axis::around([0.0, f64::NAN].into_iter(), 0.0, 1.0).is_none());
    }
}
