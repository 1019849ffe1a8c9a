//! The pages, made from the results alone.

use std::fmt::Write as _;
use std::path::Path;

use super::check::{Check, Verdict};
use super::experiment::Experiment;
use super::experiments::EXPERIMENTS;
use super::results::{Measured, Results};
use crate::problem::Problem;

/// The page of all verdicts.
const INDEX: &str = "results.md";

/// Writes the index, and the pages and plots of the experiments that were measured again.
pub(super) fn write(folder: &Path, results: &Results, measured: &[&Experiment]) -> Result<(), Problem> {
    for experiment in measured {
        let Some(measured) = results.experiments.get(experiment.name) else { continue };
        std::fs::write(folder.join(file(experiment)), page(experiment, measured))?;
        for figure in &measured.findings.figures {
            figure.write(&folder.join(figure.file(experiment.name)))?;
        }
    }
    std::fs::write(folder.join(INDEX), index(results))?;
    Ok(())
}

/// Pages that differ from those made from the results, and missing plots.
pub(super) fn differences(folder: &Path, results: &Results) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut compare = |name: &str, text: &str| {
        if std::fs::read_to_string(folder.join(name)).is_ok_and(|found| found == text) {
            return;
        }
        wrong.push(format!("{name} is not what results.json makes it"));
    };
    compare(INDEX, &index(results));
    for experiment in &EXPERIMENTS {
        if let Some(measured) = results.experiments.get(experiment.name) {
            compare(&file(experiment), &page(experiment, measured));
        }
    }
    for (name, measured) in &results.experiments {
        let plots = measured.findings.figures.iter().map(|figure| figure.file(name));
        wrong.extend(
            plots.filter(|plot| !folder.join(plot).is_file()).map(|plot| format!("{plot} is missing")),
        );
        if EXPERIMENTS.iter().all(|e| e.name != *name) {
            wrong.push(format!("results.json has an experiment {name} that there is not"));
        }
    }
    wrong
}

fn file(experiment: &Experiment) -> String {
    format!("{}.md", experiment.name)
}

/// Writing to a string cannot fail, so the results of `write!` are dropped.
fn index(results: &Results) -> String {
    let mut text = String::from(
        "# Results\n\n\
         Every line is measured by `cargo xtask validate EXPERIMENT`, which rewrites its page; `cargo xtask validate` does so for all of them, \
         and `cargo xtask validate --list` names them. The numbers of all pages are in [results.json](results.json).\n\n\
         | experiment | met | not met | known not to be met | reported | time, s |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let (mut totals, mut time) = ([0; 4], 0.0);
    for experiment in &EXPERIMENTS {
        let Some(Measured { seconds, findings }) = results.experiments.get(experiment.name) else { continue };
        let counts = [Verdict::Met, Verdict::Missed, Verdict::Known, Verdict::Reported]
            .map(|verdict| findings.count(verdict));
        for (total, count) in totals.iter_mut().zip(counts) {
            *total += count;
        }
        time += seconds;
        let [met, missed, known, reported] = counts;
        let _ = writeln!(
            text,
            "| [{}]({}) | {met} | {missed} | {known} | {reported} | {seconds:.1} |",
            experiment.title,
            file(experiment)
        );
    }
    let [met, missed, known, reported] = totals;
    let _ = writeln!(text, "| **all** | {met} | {missed} | {known} | {reported} | {time:.0} |");
    text.push_str(
        "\n*Met* and *not met* compare with a number that comes from elsewhere: a closed form, another program, a publication; the pages say which. *Known not to be met* \
         is a demand that this method, or this mesh, does not reach; its page says why. *Reported* numbers are published without a demand. Times are those of each experiment on one thread of a slow \
         machine; two run side by side on two cores.\n\n\
         `cargo xtask validate --check` measures everything, writes nothing, and fails if a verdict is *not met* or if a number is another than the book says: by more than a tenth of its \
         tolerance, or 2 % where nothing is demanded. With `--quick` it measures only the rows that take little time; that form is part of the continuous integration.\n",
    );
    text
}

fn page(experiment: &Experiment, measured: &Measured) -> String {
    let findings = &measured.findings;
    let mut text = format!("# {}\n\n", experiment.title);
    let _ = writeln!(
        text,
        "Measured by `cargo xtask validate {}`: {}.\n\n{}",
        experiment.name,
        findings.summary().replace("NOT MET", "**not met**"),
        experiment.what.trim()
    );
    checks(&mut text, &findings.checks);
    for remark in &findings.remarks {
        let _ = writeln!(text, "\n{remark}");
    }
    for table in &findings.tables {
        let _ = writeln!(text, "\n## {}\n\n| {} |", table.title, cells(&table.columns));
        let _ = writeln!(text, "|---|{}", "---:|".repeat(table.columns.len().saturating_sub(1)));
        for row in &table.rows {
            let _ = writeln!(text, "| {} |", cells(row));
        }
    }
    for figure in &findings.figures {
        let _ = writeln!(text, "\n![{}]({})", figure.title, figure.file(experiment.name));
    }
    text
}

/// The cells of a row; an upright bar within one must not end it.
fn cells(row: &[String]) -> String {
    row.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | ")
}

fn checks(text: &mut String, checks: &[Check]) {
    text.push_str("\n| | expected | measured | tolerance | verdict |\n|---|---:|---:|---:|---|\n");
    for check in checks {
        // The source of the requirement stands below the name, in small letters.
        let source = if check.source.is_empty() {
            String::new()
        } else {
            format!("<br><small>{}</small>", check.source)
        };
        let row = [
            format!("{}{source}", check.name),
            check.expected_text(),
            check.measured_text(),
            check.tolerance_text(),
            check.verdict().words().to_owned(),
        ];
        let _ = writeln!(text, "| {} |", cells(&row));
    }
    let mut reasons: Vec<&String> = Vec::new();
    for check in checks.iter().filter(|check| check.verdict() == Verdict::Known) {
        let reason = check.known.as_ref().into_iter();
        reasons.extend(reason.filter(|reason| !reasons.contains(reason)).collect::<Vec<_>>());
    }
    for reason in reasons {
        let _ = writeln!(text, "\n*Known not to be met:* {reason}");
    }
}

#[cfg(test)]
mod tests {
    use super::cells;

    #[test]
    fn bars_do_not_end_cells() {
        assert_eq!(cells(&["|C|".to_owned(), "1".to_owned()]), "\\|C\\| | 1");
    }
}
