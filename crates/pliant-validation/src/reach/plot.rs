//! The plot: a line for every row, with a mark for every method at the time that it takes; hollow if it
//! misses the bounds.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::row::Row;
use super::{Measured, Way};

/// Place and size, in units of the drawing.
const LEFT: f64 = 110.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 60.0;
const LINE: f64 = 26.0;

/// Colours of the methods, told apart by those who do not see red and green alike.
fn colour(way: Way) -> &'static str {
    match way {
        Way::Textbook => "#888888",
        Way::Sweeps => "#0072b2",
        Way::Tethers => "#56b4e9",
        Way::Coarse => "#d55e00",
        Way::CoarseTethers => "#e69f00",
        Way::Newton => "#009e73",
        Way::Auto => "#cc79a7",
    }
}

/// The plot as an SVG file. Writing to a string cannot fail, so the results of `write!` are dropped.
pub(super) fn plot(results: &BTreeMap<Row, Measured>) -> String {
    let times = || results.values().flat_map(|row| row.ways.values()).map(|reached| reached.ms);
    let least = times().fold(f64::MAX, f64::min).max(1e-3).log10().floor();
    let most = times().fold(f64::MIN, f64::max).max(1e-2).log10().ceil().max(least + 1.0);
    let at = |ms: f64| LEFT + (RIGHT - LEFT) * (ms.max(1e-3).log10() - least) / (most - least);
    let low = TOP + LINE * results.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        low + 40.0
    );
    for (place, way) in super::page::ALL.into_iter().enumerate() {
        let (x, y) = (LEFT + 130.0 * (place % 4) as f64, 16.0 + 18.0 * (place / 4) as f64);
        mark(&mut svg, x, y - 4.0, way, true);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", x + 10.0, way.name());
    }
    let mut decade = least;
    while decade <= most {
        let x = at(f64::powf(10.0, decade));
        let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{low}\" stroke=\"#dddddd\"/>");
        let ms = f64::powf(10.0, decade);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{ms}</text>", low + 16.0);
        decade += 1.0;
    }
    let _ = writeln!(svg, "<text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">ms</text>", low + 32.0);
    for (place, (row, measured)) in results.iter().enumerate() {
        let y = TOP + LINE * (place as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            y + 4.0,
            row.name()
        );
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y}H{RIGHT}\" stroke=\"#eeeeee\"/>");
        for (way, reached) in &measured.ways {
            mark(&mut svg, at(reached.ms), y, *way, reached.held);
        }
    }
    svg + "</svg>\n"
}

fn mark(svg: &mut String, x: f64, y: f64, way: Way, held: bool) {
    let (colour, fill) = (colour(way), if held { colour(way) } else { "white" });
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
    );
}
