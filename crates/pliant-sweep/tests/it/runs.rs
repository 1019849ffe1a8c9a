//! Units run, stop, go on, and fail without harm to others; the table says what they found.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_sweep::{Outcome, State, Table, Tally, work};

use crate::common::Bench;

const STUDY: &str = "[vary]\n\"solver.substeps\" = [2, 3, 4, 5, 6, 7]\n";

fn hashes(table: &Table) -> BTreeMap<String, String> {
    table.rows.iter().map(|row| (row.unit.clone(), row.state_hash.clone().unwrap_or_default())).collect()
}

/// However often the work is stopped, and with any number of workers, the answers are those of one undisturbed pass.
#[test]
fn stopped_at_any_frame_and_resumed_the_answers_are_the_same() {
    let (calm, busy) = (Bench::new(), Bench::new());
    let units = calm.units(STUDY);
    let tally = work(&calm.path("out"), &units, 1, &|| false, &mut |_| {});
    assert_eq!(tally, Tally { finished: 6, ..Tally::default() });
    let expected = hashes(&Table::read(&calm.path("out")).unwrap());
    assert_eq!(expected.values().collect::<std::collections::BTreeSet<_>>().len(), 6);

    let units = busy.units(STUDY);
    let mut passes = 0;
    loop {
        passes += 1;
        let asked = AtomicUsize::new(0);
        let tally =
            work(&busy.path("out"), &units, 3, &|| asked.fetch_add(1, Ordering::SeqCst) >= 7, &mut |_| {});
        assert!(tally.failed.is_empty() && tally.full.is_none(), "{tally:?}");
        let Tally { whole, finished, taken, stopped, waiting, .. } = tally;
        assert_eq!(whole + finished + taken + stopped + waiting, 6);
        if tally.is_whole() {
            break;
        }
        assert!(passes < 50);
    }
    assert!(passes > 1);
    assert_eq!(hashes(&Table::read(&busy.path("out")).unwrap()), expected);
    assert_eq!(work(&busy.path("out"), &units, 2, &|| false, &mut |_| {}).whole, 6);
}

#[test]
fn a_unit_that_fails_is_named_and_the_others_finish() {
    let bench = Bench::new();
    let units = bench.units("[vary]\n\"body.0.mesh\" = [{ grid = { vertices = [3, 3], size = [1, 1] } }, \"none.obj\"]\n\"body.0.pin\" = [[]]\n");
    let mut seen = Vec::new();
    let tally = work(&bench.path("out"), &units, 2, &|| false, &mut |step| {
        seen.push((step.done, step.outcome.clone()));
    });
    assert_eq!((tally.finished, tally.failed.len()), (1, 1));
    assert!(tally.failed[0].1.contains("none.obj"), "{tally:?}");
    assert_eq!(seen.iter().map(|(done, _)| *done).collect::<Vec<_>>(), [1, 2]);
    assert!(seen.iter().any(|(_, outcome)| matches!(outcome, Outcome::Failed(_))));
    let table = Table::read(&bench.path("out")).unwrap();
    let states: Vec<State> = table.rows.iter().map(|row| row.state).collect();
    assert!(states.contains(&State::Failed) && states.contains(&State::Finished));
    // A table with a list in a cell.
    assert!(table.to_csv().contains(r#""{""grid"":{"#), "{}", table.to_csv());
}

#[test]
fn the_table_has_parameters_quantities_and_hashes() {
    let bench = Bench::new();
    let units = bench.units("require = [\"stretch.max<=1e-9\"]\n[vary]\n\"solver.substeps\" = [4, 8]\n");
    let before = Table::read(&bench.path("out")).unwrap().to_csv();
    assert_eq!(before.lines().next().unwrap(), "unit,state,solver.substeps,met,verdict,state_hash");
    assert_eq!(before.matches(",waiting,").count(), 2);
    work(&bench.path("out"), &units, 2, &|| false, &mut |_| {});
    let table = Table::read(&bench.path("out")).unwrap();
    for row in &table.rows {
        assert_eq!((row.state, row.met), (State::Finished, Some(false)));
        assert!(row.quantities["stretch.max"] > 1e-9 && row.quantities["solve_s"] > 0.0);
        assert_eq!(row.state_hash.as_ref().unwrap().len(), 16);
    }
    let csv = table.to_csv();
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(columns.len() == 3 && columns.iter().all(|&count| count == columns[0]), "{csv}");
    assert!(Table::read(&bench.path("nowhere")).unwrap_err().to_string().contains("holds no units"));
}

/// A run in a unit's folder that is not the unit's is left alone.
#[test]
fn what_is_not_the_units_is_left_alone() {
    let bench = Bench::new();
    let units = bench.units("[vary]\n\"solver.substeps\" = [4]\n");
    let run = units[0].folder(&bench.path("out")).join("run");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("run.json"), "{}").unwrap();
    let tally = work(&bench.path("out"), &units, 1, &|| false, &mut |_| {});
    assert_eq!(tally.failed.len(), 1);
    assert_eq!(fs::read_to_string(run.join("run.json")).unwrap(), "{}");
}
