//! Recordings: what is shown, as the folder of a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pliant_run::{Intent, Options, Run, RunFolder};
use pliant_scene::Scene;
use pliant_view::{Command, FrameMessage, Show};
use serde_json::{Value, json};

/// A sheet that hangs by two corners, for five frames.
const SHEET: &str = "name = \"sheet\"\nframes = 5\n[solver]\nsubsteps = 5\n[[body]]\nname = \"cloth\"\n\
    mesh = { grid = { vertices = [5, 5], size = [1, 1] } }\nedges = { compliance = 1e-6 }\narea_density = 0.2\n\
    pin = [{ vertices = [0, 4] }]\n[output]\nformats = [\"vtu\", \"mdd\"]\n";

fn show() -> Show<'static> {
    Show::of_scene(Scene::parse(SHEET, ".").unwrap()).unwrap()
}

fn begin(folder: &Path) -> RunFolder {
    RunFolder::choose(Some(folder), "sheet", Intent::Begin).unwrap()
}

fn report(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap()
}

/// What pages are told.
fn told(show: &Show<'_>) -> Value {
    FrameMessage::read(&show.frame()).unwrap().head["recording"].clone()
}

/// The files of meshes in a folder, with their content.
fn meshes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = report(folder)["files"].clone();
    let names = names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
    let of_meshes = names.filter(|name| name.starts_with("vtu/") || name.starts_with("mdd/"));
    of_meshes.map(|name| (name.clone(), fs::read(folder.join(&name)).unwrap())).collect()
}

#[test]
fn a_recording_that_nobody_touches_is_the_run_of_its_scene() {
    let place = tempfile::tempdir().unwrap();
    let [own, run] = ["own", "run"].map(|name| place.path().join(name));
    let mut show = show();
    show.record(&begin(&own)).unwrap();
    assert_eq!(told(&show)["now"], json!({ "folder": own.display().to_string(), "frames": 0 }));
    assert!(own.join("run.unfinished").is_file() && own.join("run.lock").is_file());
    for _ in 0..5 {
        show.step().unwrap();
    }
    assert_eq!(show.end_recording().unwrap().as_deref(), Some(own.as_path()));
    assert_eq!(
        told(&show),
        json!({ "now": null, "last": { "folder": own.display().to_string(), "frames": 5 } })
    );
    assert!(!own.join("run.unfinished").exists() && !own.join("run.lock").exists());

    let scene = Scene::parse(SHEET, ".").unwrap();
    let built = scene.build::<f32>().unwrap();
    let mut whole = Run::open(&scene, built, &begin(&run), &Options::default()).unwrap();
    while whole.step().unwrap().is_some() {}
    whole.finish(&[]).unwrap();
    let files = meshes(&own);
    assert!(files.len() > 7 && files == meshes(&run), "{:?}", files.keys());
    let table = |folder: &Path| fs::read_to_string(folder.join("certificate.csv")).unwrap();
    assert_eq!(table(&own), table(&run));
    let [own_report, run_report] = [&own, &run].map(|folder| report(folder));
    for key in ["state_hash", "frames", "simulated_s"] {
        assert_eq!(own_report["summary"][key], run_report["summary"][key], "{key}");
    }
    // It is not taken for that run, though: nobody knows what hands did.
    assert_eq!(own_report["recorded"], json!({ "frame": 0, "time": 0.0 }));
    assert!(own_report.get("origin").is_none() && run_report.get("recorded").is_none());
    assert!(pliant_run::whole(&own, &scene, &Options::default()).is_err());
}

#[test]
fn a_recording_begins_anywhere_and_has_what_hands_do() {
    let place = tempfile::tempdir().unwrap();
    let mut show = show();
    for _ in 0..3 {
        show.step().unwrap();
    }
    show.record(&begin(place.path())).unwrap();
    show.act(&Command::Grab { hand: 1, body: 0, vertex: 22, stiffness: None }).unwrap();
    show.act(&Command::Move { hand: 1, to: [0.5, 2.0, 0.5] }).unwrap();
    show.act(&Command::Set { key: "solver.substeps".to_owned(), value: json!(8) }).unwrap();
    show.act(&Command::Step { frames: 4 }).unwrap();
    show.end_recording().unwrap();
    let report = report(place.path());
    let frames = report["frames"].as_array().unwrap();
    let numbers: Vec<_> = frames.iter().map(|frame| frame["frame"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert_eq!(frames[0]["substeps"], 8);
    // Times are those of the simulation, by which obstacles move.
    assert!((frames[3]["time"].as_f64().unwrap() - 7.0 / 60.0).abs() < 1e-6);
    assert!((report["summary"]["simulated_s"].as_f64().unwrap() - 4.0 / 60.0).abs() < 1e-6);
    assert_eq!(report["recorded"]["frame"], 3);
    assert_eq!(report["summary"]["state_hash"], format!("{:016x}", show.state_hash()));
    assert!(place.path().join("vtu/cloth/cloth_0004.vtu").is_file());
}

#[test]
fn a_folder_that_is_taken_or_full_is_refused_and_kept() {
    let place = tempfile::tempdir().unwrap();
    let to = begin(place.path());
    let [mut one, mut two] = [show(), show()];
    one.record(&to).unwrap();
    let error = two.record(&to).unwrap_err().to_string();
    assert!(error.contains("still in progress"), "{error}");
    let error = one.record(&to).unwrap_err().to_string();
    assert!(error.contains("being recorded to") && error.contains("already"), "{error}");
    one.step().unwrap();
    one.end_recording().unwrap();
    let before = fs::read(place.path().join("run.json")).unwrap();
    let error = two.record(&to).unwrap_err().to_string();
    assert!(error.contains("already holds a run"), "{error}");
    assert_eq!(fs::read(place.path().join("run.json")).unwrap(), before);

    // What is somebody else's is not written over.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("scene.toml"), "mine").unwrap();
    let error = two.record(&begin(other.path())).unwrap_err().to_string();
    assert!(error.contains("scene.toml"), "{error}");
    assert_eq!(fs::read_to_string(other.path().join("scene.toml")).unwrap(), "mine");
}

#[test]
fn a_restart_and_a_new_simulation_end_it_and_a_page_may_only_if_it_is_told_so() {
    let place = tempfile::tempdir().unwrap();
    let mut show = show();
    assert_eq!(show.stage()["records"], false);
    let error = show.act(&Command::Record { on: true }).unwrap_err().to_string();
    assert!(error.contains("cannot write"), "{error}");
    let changes = [
        Command::Restart,
        Command::Set { key: "body.0.area_density".to_owned(), value: json!(0.3) },
        Command::Text { toml: SHEET.replace("[5, 5]", "[6, 6]").replace("[0, 4]", "[0, 5]") },
    ];
    for (number, change) in changes.iter().enumerate() {
        let folder = place.path().join(number.to_string());
        show.record(&begin(&folder)).unwrap();
        show.step().unwrap();
        show.act(change).unwrap();
        assert_eq!(told(&show)["now"], Value::Null, "{change:?}");
        assert_eq!(report(&folder)["summary"]["frames"], 1, "{change:?}");
    }
    let copy = fs::read_to_string(place.path().join("2/scene.toml")).unwrap();
    assert!(copy.contains("area_density = 0.3"), "the scene as changed: {copy}");
    assert_eq!(show.recorded_by_pages().stage()["records"], true);
}

#[test]
fn a_recording_that_cannot_be_written_stops_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let mut show = show();
    show.record(&begin(&folder)).unwrap();
    show.step().unwrap();
    fs::remove_dir_all(folder.join("vtu")).unwrap();
    show.step().unwrap();
    assert!(!show.is_playing() && told(&show)["now"].is_null());
    let problem = show.stage()["problem"]["what"].as_str().unwrap().to_owned();
    assert!(problem.contains("out"), "{problem}");
    assert!(folder.join("run.unfinished").is_file() && !folder.join("run.json").exists());
    // The simulation is whole.
    show.act(&Command::Play).unwrap();
    show.step().unwrap();
}
