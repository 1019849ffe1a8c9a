//! Runs of several stages and with seams that close: the same bits for any number of threads, and wherever
//! they are interrupted.

use std::path::Path;

use pliant_run::{Checkpoints, Intent, Options, Run, RunFolder};
use pliant_scene::Scene;

/// Two panels that are sewn together without weight, and then hang from a corner in the wind. The widest gap
/// closes after the third frame.
const SCENE: &str = r#"
    frames = 8
    [solver]
    substeps = 5
    [[stage]]
    name = "sew"
    gravity = [0, 0, 0]
    drag = 2
    substeps = 8
    [[stage]]
    name = "hang"
    start = 0.083
    damping = 1
    wind = { velocity = [1, 0, 0] }
    [[body]]
    name = "left"
    mesh = { grid = { vertices = [7, 7], size = [0.3, 0.3] } }
    edges = { compliance = 1e-6 }
    collide = true
    pin = [{ vertices = [0] }]
    [[body]]
    name = "right"
    mesh = { grid = { vertices = [7, 7], size = [0.3, 0.3] } }
    rotate = [0, 5, 0]
    translate = [0.35, 0, 0]
    edges = { compliance = 1e-6 }
    collide = true
    [[seam]]
    bodies = ["left", "right"]
    close_time = 0.06
    borders = [
        { half_space = { point = [1, 0, 0], normal = [1, 0, 0] }, relative = true },
        { vertices = [0, 7, 14, 21, 28, 35, 42] },
    ]
"#;

/// The run, dropped and taken up again after every so many frames; its hash, and the report.
fn run(folder: &Path, stops: u32) -> (String, pliant_run::report::Report) {
    run_of(SCENE, folder, stops)
}

fn run_of(text: &str, folder: &Path, stops: u32) -> (String, pliant_run::report::Report) {
    let scene = Scene::parse_named("sewn", text, ".").unwrap();
    let options = Options { checkpoints: Checkpoints::Frames(1), ..Options::default() };
    let open = |intent| {
        let run_folder = RunFolder::choose(Some(folder), scene.name(), intent).unwrap();
        Run::open(&scene, scene.build::<f32>().unwrap(), &run_folder, &options).unwrap()
    };
    let mut run = open(Intent::Begin);
    while run.step().unwrap().is_some() {
        if stops > 0 && run.frame() % stops == 0 && run.frame() < run.frames() {
            let done = run.frame();
            drop(run);
            run = open(Intent::Continue);
            assert_eq!(run.frame(), done);
        }
    }
    let report = run.finish(&[]).unwrap().report;
    (report.summary.state_hash.clone(), report)
}

#[test]
fn neither_stops_nor_threads_change_a_bit() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (whole, report) = run(&at("whole"), 0);
    for stops in [1, 3] {
        let (hash, again) = run(&at(&format!("stops-{stops}")), stops);
        assert_eq!(hash, whole, "stopped after every {stops}");
        assert_eq!(again.verdict, report.verdict);
        let work = |report: &pliant_run::report::Report| {
            report.frames.iter().map(|frame| frame.report.pin_work).collect::<Vec<_>>()
        };
        assert_eq!(work(&again), work(&report));
    }
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (hash, _) = pool.install(|| run(&at(&format!("threads-{threads}")), 0));
        assert_eq!(hash, whole, "{threads} threads");
    }
}

#[test]
fn the_report_has_the_stages_and_how_far_open_the_seam_is() {
    let folder = tempfile::tempdir().unwrap();
    let (_, report) = run(folder.path(), 0);
    let stages: Vec<_> =
        report.stages.iter().map(|stage| (stage.name.as_str(), stage.first, stage.last)).collect();
    assert_eq!(stages, [("sew", 1, 5), ("hang", 6, 8)]);
    assert!(report.stages.iter().all(|stage| stage.speed_at_end.is_some_and(|speed| speed > 0.0)));
    let substeps: Vec<_> = report.frames.iter().map(|frame| frame.report.substeps).collect();
    assert_eq!(substeps, [8, 8, 8, 8, 8, 5, 5, 5]);
    let widest: Vec<_> = report.frames.iter().map(|frame| frame.report.seams[0].max.value).collect();
    assert!(widest[0] > 0.05 && widest[4] < 0.5 * widest[0], "{widest:?}");
}

/// The same, but the first stage lasts until the seam is closed, and the pin moves when the second begins.
fn floating(until: &str) -> String {
    SCENE
        .replace("frames = 8", "frames = 14")
        .replace("start = 0.083\n", "")
        .replace("name = \"sew\"", &format!("name = \"sew\"\n    until = {until}"))
        .replace(
            "pin = [{ vertices = [0] }]",
            "pin = [{ vertices = [0], motion = { velocity = [0, 0, 1], start = \"hang\" } }]",
        )
}

#[test]
fn a_stage_lasts_until_the_seam_is_closed_and_the_motion_begins_then() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = floating("{ seams = 1e-3, at_most = 0.2 }");
    let (whole, report) = run_of(&text, &at("whole"), 0);
    let widest: Vec<_> = report.frames.iter().map(|frame| frame.report.seams[0].max.value).collect();
    let closed = report.stages[0].last;
    assert!((2..10).contains(&closed), "{widest:?}");
    // It is as narrow as it should be, it was not long before, and it stays closed with weight.
    assert!(widest[closed as usize - 1..].iter().all(|&gap| gap <= 1e-3), "{closed}: {widest:?}");
    assert!(widest[..closed as usize - 3].iter().all(|&gap| gap > 1e-3), "{closed}: {widest:?}");
    let stages: Vec<_> =
        report.stages.iter().map(|stage| (stage.name.as_str(), stage.first, stage.last, stage.met)).collect();
    assert_eq!(stages, [("sew", 1, closed, Some(true)), ("hang", closed + 1, 14, None)]);
    assert_eq!(report.stages[0].remark(), None);
    // The substeps are those of the stages, and the pin works only when it moves.
    for (frame, record) in report.frames.iter().enumerate() {
        let sews = (frame as u32) < closed;
        assert_eq!(record.report.substeps, if sews { 8 } else { 5 }, "frame {frame}");
        assert_eq!(record.report.pin_work.unwrap() == 0.0, sews, "frame {frame}");
    }
    for stops in [1, 3] {
        let (hash, again) = run_of(&text, &at(&format!("stops-{stops}")), stops);
        assert_eq!(hash, whole, "stopped after every {stops}");
        assert_eq!((again.stages, again.verdict), (report.stages.clone(), report.verdict.clone()));
    }
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (hash, _) = pool.install(|| run_of(&text, &at(&format!("threads-{threads}")), 0));
        assert_eq!(hash, whole, "{threads} threads");
    }
}

#[test]
fn a_stage_that_does_not_come_to_rest_ends_in_time_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (_, report) = run_of(&floating("{ speed = 1e-9, at_most = 0.1 }"), &at("limit"), 0);
    let stages: Vec<_> = report.stages.iter().map(|stage| (stage.first, stage.last, stage.met)).collect();
    assert_eq!(stages, [(1, 6, Some(false)), (7, 14, None)]);
    let remark = report.stages[0].remark().unwrap();
    assert!(remark.contains("the stage \"sew\" ended after its longest time, 0.1 s"), "{remark}");
    // Nothing to wait for: it lasts so long.
    let (_, report) = run_of(&floating("{ at_most = 0.05 }"), &at("lasts"), 0);
    assert_eq!((report.stages[1].first, report.stages[0].met), (4, None));
    // The run is over before.
    let (_, report) = run_of(&floating("{ speed = 1e-9, at_most = 10 }"), &at("over"), 0);
    assert_eq!(report.stages.len(), 1);
    let remark = report.stages[0].remark().unwrap();
    assert!(remark.contains("the run ended in the stage \"sew\", with its `until` not met"), "{remark}");
}
