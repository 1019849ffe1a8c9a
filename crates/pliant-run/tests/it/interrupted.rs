//! Runs that are dropped and resumed, and those that cannot be resumed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pliant_run::report::Report;
use pliant_run::{Checkpoints, Intent, Options, Run, RunError, RunFolder, SubstepRange};
use pliant_scene::Scene;
use pliant_scene::model::Count;

/// A sheet that hangs from a corner, falls on a ball, and leaves files of three kinds.
fn scene() -> Scene {
    let text = r#"
        frames = 5
        [output]
        formats = ["vtu", "pc2", "ply"]
        fields = ["velocity", "residual"]
        [[body]]
        mesh = { grid = { vertices = [7, 7], size = [1.0, 1.0] } }
        area_density = 0.3
        edges = { compliance = 1e-6 }
        pin = [{ vertices = [0] }]
        [[obstacle]]
        sphere = { centre = [0.0, -0.3, 0.0], radius = 0.25 }
    "#;
    Scene::parse_named("sheet", text, ".").unwrap()
}

fn open<'a>(
    scene: &'a Scene,
    folder: &Path,
    intent: Intent,
    options: &Options,
) -> Result<Run<'a, f32>, RunError> {
    let run_folder = RunFolder::choose(Some(folder), scene.name(), intent)?;
    Run::open(scene, scene.build().unwrap(), &run_folder, options)
}

fn every_frame() -> Options {
    Options { checkpoints: Checkpoints::Frames(1), ..Options::default() }
}

/// All files below a folder with their content; the report without its times.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            let mut bytes = fs::read(&path).unwrap();
            if name == "run.json" {
                let mut report: Report = serde_json::from_slice(&bytes).unwrap();
                report.summary = Default::default();
                for frame in &mut report.frames {
                    (frame.solve_ms, frame.report_ms, frame.write_ms) = (0.0, 0.0, 0.0);
                }
                bytes = report.to_json().into_bytes();
            }
            all.insert(name, bytes);
        }
    }
    all
}

#[test]
fn a_run_that_is_dropped_after_any_frame_goes_on_to_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene();
    let options = [
        every_frame(),
        Options { report_every: 2, ..every_frame() },
        Options {
            adaptive: Some(SubstepRange::Within(2..=64)),
            require: vec!["residual.edges<=1e-4".to_owned()],
            save_multipliers: true,
            ..every_frame()
        },
    ];
    for (k, options) in options.iter().enumerate() {
        let at = |name: &str| folder.path().join(format!("{k}-{name}"));
        let mut run = open(&scene, &at("whole"), Intent::Begin, options).unwrap();
        while run.step().unwrap().is_some() {}
        let whole = run.finish(&[]).unwrap();
        let expected = files(&whole.folder);
        assert!(
            ["certificate.json", "vtu/body-1.pvd", "pc2/body-1.pc2"]
                .iter()
                .all(|name| expected.contains_key(*name))
        );
        for frames in 0..5 {
            let part = at(&format!("part-{frames}"));
            let mut run = open(&scene, &part, Intent::Begin, options).unwrap();
            for _ in 0..frames {
                run.step().unwrap();
            }
            drop(run);
            assert!(part.join("run.unfinished").is_file());
            let mut run = open(&scene, &part, Intent::Continue, options).unwrap();
            // A run is not resumed from a frame that is not certified.
            let every = options.report_every;
            assert_eq!((run.frame(), run.goes_on()), (frames / every * every, true));
            while run.step().unwrap().is_some() {}
            let finished = run.finish(&[]).unwrap();
            assert_eq!(finished.report.summary.state_hash, whole.report.summary.state_hash);
            drop(finished);
            let found = files(&part);
            let names = |files: &BTreeMap<String, Vec<u8>>| {
                files.keys().filter(|name| *name != "run.lock").cloned().collect::<Vec<_>>()
            };
            assert_eq!(names(&found), names(&expected));
            for name in names(&found) {
                assert!(found[&name] == expected[&name], "{name} differs after {frames} frames");
            }
        }
    }
}

#[test]
fn a_folder_belongs_to_one_run_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene();
    let run = open(&scene, folder.path(), Intent::Begin, &every_frame()).unwrap();
    let refused = open(&scene, folder.path(), Intent::Replace, &every_frame()).map(drop);
    assert!(refused.unwrap_err().to_string().contains("still in progress"));
    drop(run);
    open(&scene, folder.path(), Intent::Replace, &every_frame()).map(drop).unwrap();
}

#[test]
fn another_run_does_not_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene();
    open(&scene, folder.path(), Intent::Begin, &every_frame()).unwrap().step().unwrap();
    let said = |scene: &Scene, options: &Options| {
        open(scene, folder.path(), Intent::Continue, options).map(drop).unwrap_err().to_string()
    };
    let required = Options { require: vec!["motion<=1".to_owned()], ..every_frame() };
    assert!(said(&scene, &required).contains("Options::require is not what it started with"));
    let mut longer = scene.clone();
    longer.model.frames = Count::new(6).unwrap();
    assert!(said(&longer, &every_frame()).contains("the number of frames"));
    // Without an interrupted run there is nothing to resume.
    let empty = folder.path().join("empty");
    let error = open(&scene, &empty, Intent::Continue, &every_frame()).map(drop).unwrap_err();
    assert!(error.to_string().contains("Intent::ContinueOrBegin"), "{error}");
    assert!(!empty.exists());
}

#[test]
fn a_run_is_finished_at_its_last_frame() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene();
    let mut run = open(&scene, folder.path(), Intent::Begin, &every_frame()).unwrap();
    for _ in 0..4 {
        assert!(run.step().unwrap().is_some());
    }
    let error = run.finish(&[]).map(drop).unwrap_err();
    assert!(error.to_string().contains("at frame 4 of 5"), "{error}");
    let mut run = open(&scene, folder.path(), Intent::Continue, &every_frame()).unwrap();
    assert!(run.step().unwrap().is_some());
    assert!(run.step().unwrap().is_none());
    let finished = run.finish(&["sheet.png".to_owned()]).unwrap();
    assert_eq!(finished.report.files.last().unwrap(), "sheet.png");
    assert!(finished.report.verdict.is_some());
}

#[test]
fn when_checkpoints_are_made_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene();
    let mut expected = None;
    let when = [Checkpoints::Auto, Checkpoints::Frames(2), Checkpoints::Seconds(1e-9), Checkpoints::Never];
    for (k, checkpoints) in when.into_iter().enumerate() {
        let options = Options { checkpoints, ..Options::default() };
        let at = folder.path().join(format!("{k}"));
        let mut run = open(&scene, &at, Intent::Begin, &options).unwrap();
        let last = k % 2 == 0;
        for _ in 0..4 {
            run.step().unwrap();
        }
        if last {
            drop(run);
            run = open(&scene, &at, Intent::Continue, &options).unwrap();
            let done = if checkpoints == Checkpoints::Auto { 0 } else { 4 };
            assert_eq!(run.frame(), done, "{checkpoints}");
        }
        while run.step().unwrap().is_some() {}
        run.finish(&[]).unwrap();
        let mut found = files(&at);
        found.remove("run.lock");
        let expected = expected.get_or_insert_with(|| found.clone());
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        assert!(found == *expected, "{checkpoints}");
    }
}

#[test]
fn frames_are_written_once_and_can_be_read_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene();
    let mut run = open(&scene, folder.path(), Intent::Begin, &every_frame()).unwrap();
    let at = |name: &str| folder.path().join(name);
    for frames in 1..4 {
        run.step().unwrap();
        let index = fs::read_to_string(at("vtu/body-1.pvd")).unwrap();
        assert_eq!(index.matches("<DataSet").count(), 1 + frames);
        assert!(index.ends_with("</Collection>\n</VTKFile>\n"));
    }
    drop(run);
    // Neither VTU, PLY nor PC2 files need frames of their own.
    assert!(at("continue/state.bin").is_file() && !at("continue/frames.bin").exists());
    let kept = ["vtu/body-1/body-1_0002.vtu", "ply/body-1/body-1_0002.ply"].map(at);
    let written = || kept.each_ref().map(|file| fs::metadata(file).unwrap().modified().unwrap());
    let (before, samples) = (written(), fs::metadata(at("pc2/.body-1.pc2.kept.part")).unwrap().len());
    assert_eq!(samples, 32 + 4 * 49 * 12);
    drop(open(&scene, folder.path(), Intent::Continue, &every_frame()).unwrap());
    assert_eq!(written(), before);

    // A lost file is reported, and nothing is touched.
    fs::remove_file(&kept[0]).unwrap();
    let error = open(&scene, folder.path(), Intent::Continue, &every_frame()).map(drop).unwrap_err();
    assert!(error.to_string().contains("vtu/body-1/body-1_0002.vtu is missing; start over"), "{error}");
    // A run that replaces it leaves none of its partial files.
    let run = open(&scene, folder.path(), Intent::Replace, &every_frame()).unwrap();
    assert_eq!(run.frame(), 0);
}
