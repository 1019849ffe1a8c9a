//! The page: curves read at given errors.

use std::fmt::Write as _;

use super::measure::{Errors, Method, Point};
use super::{Results, SceneResults};

/// An error with the values at which the curves are read.
struct ErrorKind {
    name: &'static str,
    of: fn(&Errors) -> Option<f64>,
    targets: &'static [f64],
}

const KINDS: [ErrorKind; 4] = [
    ErrorKind { name: "mean stretch", of: |e| Some(e.stretch_mean), targets: &[0.03, 0.01, 0.003, 0.001] },
    ErrorKind {
        name: "largest stretch",
        of: |e| Some(e.stretch_max),
        targets: &[3.0, 1.0, 0.3, 0.1, 0.03, 0.01],
    },
    ErrorKind { name: "mean volume error", of: |e| e.volume_mean, targets: &[0.01, 0.003, 0.001, 0.0003] },
    ErrorKind { name: "largest volume error", of: |e| e.volume_max, targets: &[0.1, 0.03, 0.01] },
];

/// Time at which a curve reaches an error.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reached {
    /// Between two points, or at one, ms.
    At(f64),
    /// The first point is better already, ms.
    Within(f64),
    Never,
}

/// The page with a table for every scene.
pub(super) fn page(results: &Results) -> String {
    let mut text = String::from(
        "# Time to a given error\n\n\
         Written by `cargo xtask converge`; the numbers are in [time-to-error.json](time-to-error.json).\n\n\
         What counts is not the time of a projection but the time after which a frame is good enough. Rigid edges and volumes, 1/60 s per\n\
         frame, one iteration per substep, `f32`. *Coarse* is the clustered order with [coarse levels](../theory/coarse-levels.md). Every order of projection runs with more and more substeps. The error is the median over the last\n\
         half of the frames, the time the median over all. A time is that from which on more substeps keep the error; between two\n\
         runs it is interpolated on logarithmic axes. ≤ means that the fewest substeps were good enough already, – that the\n\
         error was not reached, or not kept, within the time allowed for the measurement.\n\n\
         ![Mean stretch against the time of a frame](time-to-error.svg)\n",
    );
    for (name, scene) in &results.scenes {
        describe(&mut text, name, scene);
    }
    text
}

/// Writing to a string cannot fail, so the results of `write!` are dropped.
fn describe(text: &mut String, name: &str, scene: &SceneResults) {
    let threads =
        if scene.threads == 1 { "one thread".to_owned() } else { format!("{} threads", scene.threads) };
    let _ = writeln!(text, "\n## {name}\n\n{}, {threads}, {} frames.\n", scene.processor, scene.frames);
    let methods: Vec<Method> = scene.curves.keys().copied().collect();
    let names = methods.iter().map(|m| format!("{m}, ms | ")).collect::<String>();
    let _ = writeln!(text, "| error | {names}fastest |\n|---|{}---|", "---:|".repeat(methods.len()));
    for kind in &KINDS {
        for &target in kind.targets {
            let times: Vec<Reached> =
                methods.iter().map(|m| reach(&scene.curves[m], kind.of, target)).collect();
            // Such rows would not distinguish the orders.
            let is_open = |time: &Reached| matches!(time, Reached::Within(_));
            if times.iter().all(|time| *time == Reached::Never) || times.iter().all(is_open) {
                continue;
            }
            let cells = times.iter().map(|time| format!("{} | ", time.cell())).collect::<String>();
            let fastest = methods.iter().zip(&times).min_by(|a, b| a.1.time().total_cmp(&b.1.time()));
            let fastest = fastest.map_or_else(String::new, |(method, _)| method.to_string());
            let _ = writeln!(text, "| {} {} % | {cells}{fastest} |", kind.name, percent(target));
        }
    }
    let broken: Vec<String> = scene
        .curves
        .iter()
        .filter_map(|(method, points)| {
            let of: Vec<String> =
                points.iter().filter(|p| p.errors.is_none()).map(|p| p.substeps.to_string()).collect();
            (!of.is_empty()).then(|| format!("{method} with {} substeps", of.join(", ")))
        })
        .collect();
    if !broken.is_empty() {
        let _ = writeln!(text, "\nBroke down (positions grew without bound): {}.", broken.join("; "));
    }
}

/// A share as percent without the noise of binary fractions.
fn percent(share: f64) -> f64 {
    (share * 1e6).round() / 1e4
}

impl Reached {
    fn time(self) -> f64 {
        match self {
            Self::At(time) | Self::Within(time) => time,
            Self::Never => f64::INFINITY,
        }
    }

    fn cell(self) -> String {
        match self {
            Self::At(time) => short(time),
            Self::Within(time) => format!("≤ {}", short(time)),
            Self::Never => "–".to_owned(),
        }
    }
}

/// Three digits.
fn short(time: f64) -> String {
    let decimals = if time >= 100.0 { 0 } else { usize::from(time < 10.0) + 1 };
    format!("{time:.decimals$}")
}

/// The time from which a curve, in the order of its substeps, stays below an error.
fn reach(points: &[Point], of: fn(&Errors) -> Option<f64>, target: f64) -> Reached {
    let error = |point: &Point| point.errors.as_ref().and_then(of);
    let good = points.iter().rev().take_while(|p| error(p).is_some_and(|e| e <= target)).count();
    let first = points.len() - good;
    let Some(at) = points.get(first) else { return Reached::Never };
    let Some(before) = first.checked_sub(1).map(|i| &points[i]) else {
        return Reached::Within(at.ms_per_frame);
    };
    // Without an earlier error, or with an error of zero, interpolation is not possible.
    match (error(before), error(at)) {
        (Some(above), Some(below)) if below > 0.0 => {
            let share = (above / target).ln() / (above / below).ln();
            let (a, b) = (before.ms_per_frame.ln(), at.ms_per_frame.ln());
            Reached::At((a + share * (b - a)).exp())
        }
        _ => Reached::At(at.ms_per_frame),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(u32, f64, Option<f64>)]) -> Vec<Point> {
        let errors =
            |e: f64| Errors { stretch_mean: e, stretch_max: 2.0 * e, volume_mean: None, volume_max: None };
        let point = |&(substeps, ms_per_frame, e): &(u32, f64, Option<f64>)| Point {
            substeps,
            ms_per_frame,
            errors: e.map(errors),
        };
        points.iter().map(point).collect()
    }

    #[test]
    fn curves_are_read_between_their_points() {
        // error = 1/time², a straight line on logarithmic axes.
        let points = curve(&[(1, 1.0, Some(1.0)), (4, 4.0, Some(1.0 / 16.0)), (8, 8.0, Some(1.0 / 64.0))]);
        let mean = |target| reach(&points, |e| Some(e.stretch_mean), target);
        let Reached::At(time) = mean(0.04) else { panic!("{:?}", mean(0.04)) };
        assert!((time - 5.0).abs() < 1e-12);
        assert_eq!(mean(2.0), Reached::Within(1.0));
        assert_eq!(mean(0.01), Reached::Never);
        assert_eq!(reach(&points, |e| e.volume_mean, 0.1), Reached::Never);
        // A curve that rises again has not reached it yet.
        let mut rising = points.clone();
        rising.insert(0, curve(&[(1, 0.5, Some(0.01))]).remove(0));
        assert_eq!(reach(&rising, |e| Some(e.stretch_mean), 0.02), mean(0.02));
        let broken = curve(&[(1, 1.0, None), (4, 4.0, Some(0.001))]);
        assert_eq!(reach(&broken, |e| Some(e.stretch_mean), 0.01), Reached::At(4.0));
    }

    #[test]
    fn the_page_names_the_fastest_and_what_broke_down() {
        let curves = [
            (Method::Textbook, curve(&[(2, 5.0, None), (4, 10.0, Some(0.005))])),
            (Method::Clustered, curve(&[(2, 1.0, Some(0.02)), (4, 2.0, Some(0.002))])),
        ];
        let scene = SceneResults { processor: "P".to_owned(), threads: 1, frames: 4, curves: curves.into() };
        let text = page(&Results { scenes: [("cloth100".to_owned(), scene)].into() });
        for part in [
            "## cloth100",
            "| mean stretch 1 % | 10.0 | 1.23 | clustered |",
            "| mean stretch 0.3 % | – | 1.77 | clustered |",
            "textbook with 2 substeps",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(!text.contains("volume error 1 %") && !text.contains("stretch 0.1 %"), "{text}");
    }
}
