//! The page: the time of every method in every row.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::frames::NEWTON_SWEEPS;
use super::row::{Bound, Kind, OF, Row, STEP, Specimen};
use super::{Measured, Reached, Way};

/// The lines that are printed while rows are measured.
pub(super) fn line(reached: &Reached) -> String {
    let Reached { setting, what, ms, errors, held, .. } = reached;
    let mut text = format!("{what} {setting}: {ms:.2} ms");
    for (name, [median, most, worst]) in errors {
        let _ = write!(text, ", {name} {median:.2e} / {most:.2e} / {worst:.2e}");
    }
    if !held {
        text += " (not reached)";
    }
    text
}

/// The page with a table for every row. Writing to a string cannot fail, so the results of `write!` are dropped.
pub(super) fn page(results: &BTreeMap<Row, Measured>) -> String {
    let mut text = String::from(
        "# Reaching an accuracy\n\n\
         Written by `cargo xtask reach`; the numbers are in [reach.json](reach.json).\n\n\
         A method is as fast as the cheapest of its settings that is exact enough. In every row below each method has one number to\n\
         set, and the smallest one (or the loosest accuracy) that holds the bounds of the row is looked for; where one step is taken, the\n\
         two accuracies after it are tried as well, because a closer one may save an iteration. Times are medians over the\n\
         frames, `f32`; with one thread they are times of the processor. Beside other work scenes that are larger than the cache still\n\
         take longer. Errors are given as median, 95th percentile and largest over the frames of a run; a dash means that no setting\n\
         held the bounds within the time of the search, and the last one tried is shown.\n\n\
         The *textbook* loop projects constraint after constraint in the order of the mesh. *Sweeps* are the solver's default, *coarse* adds\n\
         [coarse levels](../theory/coarse-levels.md), *newton* solves the [implicit step](../theory/newton.md) as a whole",
    );
    let _ = writeln!(text, ", where frames are simulated after {NEWTON_SWEEPS} sweeps, *auto*");
    text +=
        "[chooses](../theory/choice.md) in every frame; its number is the accuracy that it is asked for.\n\n";
    overview(&mut text, results);
    growth(&mut text, results);
    irregular(&mut text, results);
    text +=
        "\n![The time of every method in every row](reach.svg)\n\nHollow marks: the bounds were missed.\n";
    for (row, measured) in results {
        describe(&mut text, *row, measured);
    }
    text
}

/// The time of every method in every row.
fn overview(text: &mut String, results: &BTreeMap<Row, Measured>) {
    let used: Vec<Way> =
        ALL.into_iter().filter(|way| results.values().any(|row| row.ways.contains_key(way))).collect();
    let _ = write!(text, "| ms |");
    for way in &used {
        let _ = write!(text, " {} |", way.name());
    }
    let _ = write!(text, "\n|---|{}\n", "---|".repeat(used.len()));
    for (row, measured) in results {
        let _ = write!(text, "| {} |", row.name());
        for way in &used {
            let cell = match measured.ways.get(way) {
                None => String::new(),
                Some(reached) if !reached.held => "–".to_owned(),
                Some(reached) => time(reached.ms),
            };
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
}

/// How the time of blocks grows with their size, where both were measured on the same machine.
fn growth(text: &mut String, results: &BTreeMap<Row, Measured>) {
    const GROWN: [(Row, Row, Way); 2] =
        [(Row::Block500k, Row::Block2m, Way::Coarse), (Row::Elastic500k, Row::Elastic2m, Way::Newton)];
    for (small, large, way) in GROWN {
        let Some([before, after]) = on_one_machine(results, [small, large], way) else { continue };
        let _ = write!(
            text,
            "\nFrom {} to {} there are {:.2} times as many particles, and *{}* takes {:.2} times as long.\n",
            small.name(),
            large.name(),
            after.particles / before.particles,
            way.name(),
            after.ms / before.ms,
        );
    }
}

/// How the time of irregular meshes compares with that of regular ones, likewise.
fn irregular(text: &mut String, results: &BTreeMap<Row, Measured>) {
    const ALIKE: [(Row, Row); 3] =
        [(Row::Elastic50k, Row::Dolphin), (Row::Elastic500k, Row::Bunny), (Row::Sheet100, Row::DressRigid)];
    let way = Way::Newton;
    for (regular, irregular) in ALIKE {
        let Some([before, after]) = on_one_machine(results, [regular, irregular], way) else { continue };
        let _ = write!(
            text,
            "\nPer particle, *{}* takes {:.2} times as long for {} as for {}.\n",
            way.name(),
            after.ms / after.particles / (before.ms / before.particles),
            irregular.name(),
            regular.name(),
        );
    }
}

/// A number of particles, and the time that they take.
struct Cost {
    particles: f64,
    ms: f64,
}

/// What a method takes in two rows; none unless it holds the bounds of both, measured on the same machine.
fn on_one_machine(results: &BTreeMap<Row, Measured>, rows: [Row; 2], way: Way) -> Option<[Cost; 2]> {
    let [before, after] = rows.map(|row| results.get(&row));
    let (before, after) = (before?, after?);
    let cost = |row: &Measured| {
        let reached = row.ways.get(&way).filter(|reached| reached.held)?;
        Some(Cost { particles: row.particles as f64, ms: reached.ms })
    };
    if (&before.processor, before.threads) != (&after.processor, after.threads) {
        return None;
    }
    Some([cost(before)?, cost(after)?])
}

pub(super) const ALL: [Way; 7] =
    [Way::Textbook, Way::Sweeps, Way::Tethers, Way::Coarse, Way::CoarseTethers, Way::Newton, Way::Auto];

fn describe(text: &mut String, row: Row, measured: &Measured) {
    let threads = match measured.threads {
        1 => "one thread".to_owned(),
        n => format!("{n} threads"),
    };
    let where_it_holds = |bound: &Bound| match row.kind() {
        Kind::Step(_) => "in the norm of the masses",
        _ => OF[bound.of],
    };
    let bounds: Vec<String> = row
        .bounds()
        .iter()
        .map(|bound| {
            format!("{} of at most {} % {}", bound.error, 100.0 * bound.at_most, where_it_holds(bound))
        })
        .collect();
    let _ = write!(
        text,
        "\n## {}\n\n{}: {}.\n\n{}, {threads}, {} particles",
        row.name(),
        row.about(),
        bounds.join(", "),
        measured.processor,
        measured.particles,
    );
    match row.kind() {
        Kind::Step(specimen) => {
            let material = match specimen {
                Specimen::Sewn(..) => {
                    "A StVK membrane of 0.318 mm with a Young's modulus of 0.82 MPa and a Poisson's ratio of 0.24, isometric bending of 10⁻⁵ N·m, 150 g/m²"
                }
                _ => {
                    "Springs of 10⁶ N/m along the edges, neo-Hookean tetrahedra with a Young's modulus of 1 MPa and a Poisson's ratio of 0.4, 1000 kg/m³"
                }
            };
            let _ = write!(
                text,
                ". {material}; all vertices below the held\n\
                 layer are hit and move at 0.32 m/s. The error is the distance from the converged step over that of the prediction.\n\n\
                 | method | setting | ms | ns per particle | position error |\n|---|---|---|---|---|\n",
            );
            for (way, reached) in &measured.ways {
                let error = reached.errors.get(STEP[0].error).map_or(f64::NAN, |of| of[0]);
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {:.0} | {error:.2e}{} |",
                    way.name(),
                    setting(reached),
                    time(reached.ms),
                    1e6 * reached.ms / measured.particles as f64,
                    missed(reached),
                );
            }
        }
        Kind::Frames(..) => {
            let _ = write!(text, ", {} frames of 1/60 s.\n\n", measured.frames);
            let mut names: Vec<&String> =
                measured.ways.values().flat_map(|reached| reached.errors.keys()).collect();
            names.sort_unstable();
            names.dedup();
            let _ = write!(text, "| method | setting | ms |");
            for name in &names {
                let _ = write!(text, " {name} |");
            }
            let _ = write!(text, " change of energy, J |\n|---|---|---|{}---|\n", "---|".repeat(names.len()));
            for (way, reached) in &measured.ways {
                let _ = write!(
                    text,
                    "| {} | {}{} | {} |",
                    way.name(),
                    setting(reached),
                    missed(reached),
                    time(reached.ms)
                );
                for name in &names {
                    let cell = reached
                        .errors
                        .get(*name)
                        .map_or_else(String::new, |of| of.map(|value| format!("{value:.2e}")).join(" / "));
                    let _ = write!(text, " {cell} |");
                }
                let energy = reached.energy.map_or_else(String::new, |energy| format!("{energy:.3}"));
                let _ = writeln!(text, " {energy} |");
            }
        }
    }
}

/// The value of a setting with its meaning.
fn setting(reached: &Reached) -> String {
    format!("{} {}", reached.what, reached.setting)
}

fn missed(reached: &Reached) -> &'static str {
    if reached.held { "" } else { " (not reached)" }
}

/// A time, ms, with its significant digits.
fn time(ms: f64) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.2}"),
        ms if ms < 100.0 => format!("{ms:.1}"),
        ms => format!("{ms:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_row_and_says_what_was_not_reached() {
        let reached = |held| Reached {
            setting: 4.0,
            what: "substeps".into(),
            ms: 1.234,
            errors: BTreeMap::from([("mean stretch".to_owned(), [1e-3, 2e-3, 3e-3])]),
            energy: Some(-1.0),
            held,
        };
        let measured = Measured {
            processor: "a processor".into(),
            threads: 1,
            frames: 120,
            particles: 9261,
            ways: BTreeMap::from([(Way::Sweeps, reached(false)), (Way::Coarse, reached(true))]),
        };
        let of = |particles, ms| Measured {
            particles,
            ways: BTreeMap::from([(Way::Coarse, Reached { ms, ..reached(true) })]),
            ..measured.clone()
        };
        let grown = [(Row::Block500k, of(1000, 2.0)), (Row::Block2m, of(4000, 9.0))];
        let page = page(&BTreeMap::from_iter(grown.into_iter().chain([(Row::Block50k, measured)])));
        for expected in [
            "| block50k | – | 1.23 |",
            "| sweeps | substeps 4 (not reached) | 1.23 | 1.00e-3 / 2.00e-3 / 3.00e-3 | -1.000 |",
            "mean stretch of at most 0.1 % in the median frame",
            "From block500k to block2m there are 4.00 times as many particles, and *coarse* takes 4.50 times as long.",
        ] {
            assert!(page.contains(expected), "{expected} is not in\n{page}");
        }
    }
}
