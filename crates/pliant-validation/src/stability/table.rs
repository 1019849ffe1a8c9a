//! The table of the results of the scenes.

use std::fmt::Write as _;

use pliant_scene::model::Precision;
use pliant_solver::Grade;

use super::{PRECISIONS, Run};

/// How many runs of a number of substeps there are, and how many have which fault.
struct Row {
    substeps: u32,
    runs: usize,
    good: usize,
    rough: usize,
    creates: usize,
    inverts: usize,
}

fn rows(runs: &[Run], substeps: &[u32], precision: &str) -> Vec<Row> {
    let of = |n: u32| {
        let these = || runs.iter().filter(move |run| run.substeps == n && run.precision == precision);
        let graded = |grade: Grade| {
            these()
                .filter(|run| run.judgement.as_ref().is_ok_and(|judgement| judgement.grade() == grade))
                .count()
        };
        Row {
            substeps: n,
            runs: these().count(),
            good: graded(Grade::Good),
            rough: graded(Grade::Rough),
            creates: these().filter(|run| run.creates()).count(),
            inverts: these().filter(|run| run.inverts()).count(),
        }
    };
    substeps.iter().map(|&n| of(n)).collect()
}

/// The table as Markdown.
pub(super) fn text(runs: &[Run], substeps: &[u32]) -> String {
    let mut text = String::from(
        "| precision | substeps | runs | good | rough | energy from nowhere | inside out at the end |\n|---|---|---|---|---|---|---|\n",
    );
    for precision in PRECISIONS.map(Precision::name) {
        for Row { substeps, runs, good, rough, creates, inverts } in rows(runs, substeps, precision) {
            let _ = writeln!(
                text,
                "| `{precision}` | {substeps} | {runs} | {good} | {rough} | {creates} | {inverts} |"
            );
        }
    }
    text
}

/// The page of the book.
pub(super) fn page(runs: &[Run], substeps: &[u32], frames: u32, scenes: u64) -> String {
    format!(
        "# Stability\n\n\
         Every example of `pliant new` but the presets of the book, and {scenes} scenes made at random (meshes, materials, densities over three decades, compliances over twelve, pins, obstacles, seeds), \
         run for {frames} frames with few and with many substeps, in the precision that a scene takes by itself (`auto`) and in both others. The verdict of the solver says what became of them. This page is written by `cargo xtask stability`; \
         [why directions of sweeps and rounding matter](../theory/stability.md).\n\n{}\n{}\nWith many substeps rounding to `f32` would create energy: `auto` is `f64` where that would show, and `f32` becomes `f64` where it could ruin the run.\n",
        text(runs, substeps),
        failures(runs)
    )
}

/// What went wrong in the precision that scenes take by themselves, by scene.
fn failures(runs: &[Run]) -> String {
    let mut text = String::new();
    for run in runs.iter().filter(|run| run.precision == Precision::Auto.name()) {
        let first = match &run.judgement {
            Ok(judgement) => {
                judgement.findings.iter().find(|f| f.grade == Grade::Untrusted).map(|f| f.what.clone())
            }
            Err(error) => Some(error.clone()),
        };
        if let Some(first) = first.filter(|_| run.inverts() || run.creates()) {
            let _ = writeln!(text, "| {} | {} | {first} |", run.scene, run.substeps);
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "The runs of `auto` that fail, and what their verdict says:\n\n| scene | substeps | verdict |\n|---|---|---|\n{text}"
    )
}
