//! The page of a run, through the built program and in a browser.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod common;

use std::fs;

use common::Bench;
use common::browser::Browser;
use serde_json::Value;

/// The bytes that a page may have.
const MOST: u64 = 20_000_000;

#[test]
fn a_page_holds_everything_and_asks_for_nothing() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--html", "report.html"]);
    let page = fs::read_to_string(bench.path("report.html")).unwrap();
    assert!(page.len() as u64 <= MOST);
    assert!(page.contains("<title>small · Pliant</title>") && page.contains("residual of edges"));
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert!(page.matches("<svg").count() >= 4, "energy, residuals, stretch and volume are plotted");
    // Nothing is fetched: no address but those that name the language of the plots.
    let fetched = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!fetched.contains("http://") && !fetched.contains("https://") && !fetched.contains("src="));

    // The same from the finished run, and a part of its frames.
    bench.good(&["render", "out", "-o", "again.html"]);
    assert_eq!(fs::read_to_string(bench.path("again.html")).unwrap(), page);
    bench.good(&["render", "out", "-q", "-o", "few.html", "--every", "3"]);
    let few = fs::read_to_string(bench.path("few.html")).unwrap();
    assert!(few.contains(r#""numbers":[0,3,4]"#), "every third frame, and the last");
}

#[test]
fn what_cannot_be_a_page_is_refused() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    bench.refused(&["render", "out", "-o", "a.html", "--size", "10x10"], &["are for pictures"]);
    bench.refused(&["render", "out/pc2/sheet.obj", "-o", "a.html"], &["a page is made of a run"]);
    fs::remove_file(bench.path("out/run.json")).unwrap();
    bench.refused(&["render", "out", "-o", "a.html"], &["run.json", "finished run"]);
    bench.write("caches.toml", format!("{}\n[output]\nformats = [\"pc2\"]\n", common::SCENE));
    bench.refused(&["run", "caches.toml", "--html", "a.html"], &["among its formats"]);
}

#[test]
fn a_scene_that_asks_for_pictures_has_them() {
    let bench = Bench::new();
    let scene = format!(
        "{}\n[output.pictures]\nsize = [96, 72]\ncolor_by = \"strain\"\n\n[output.camera]\nazimuth = -30\n",
        common::SCENE
    );
    bench.write("pictures.toml", &scene);
    let ran = bench.good(&["run", "pictures.toml", "-o", "out"]);
    assert!(ran.out.contains("sheet.png") && ran.out.contains("animation.gif"), "{}", ran.out);
    assert_eq!(&fs::read(bench.path("out/sheet.png")).unwrap()[1..4], b"PNG");
    assert_eq!(&fs::read(bench.path("out/animation.gif")).unwrap()[..6], b"GIF89a");
    // They are the run's own: a new one takes them away.
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--force"]);
    assert!(!bench.path("out/animation.gif").exists());

    bench.write(
        "none.toml",
        scene.replace("[output.pictures]", "[output]\nformats = [\"pc2\"]\n\n[output.pictures]"),
    );
    bench.refused(&["check", "none.toml"], &["among the formats"]);
}

#[test]
fn a_browser_plays_it_without_an_error_or_a_request() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--html", "report.html"]);
    let mut browser = match Browser::start(&bench.path("profile")) {
        Ok(browser) => browser,
        Err(reason) => {
            eprintln!("skipped: {reason}");
            return;
        }
    };
    browser.open(&bench.path("report.html")).unwrap();
    let playback = browser.value_when("document.body?.dataset.playback", Value::is_string).unwrap();
    if playback == "none" {
        eprintln!("skipped: this browser has no WebGL 2 here");
        return;
    }
    let shown = browser
        .value_when("+document.body.dataset.shown", |shown| shown.as_f64().is_some_and(|n| n > 3.0))
        .unwrap();
    assert!(shown.as_f64().unwrap() > 3.0, "the playback advances: {shown} pictures were drawn");
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    assert_eq!(browser.value("document.body.dataset.requests").unwrap(), "0");
    assert_eq!(browser.errors, Vec::<String>::new());
    let asked: Vec<_> =
        browser.requests.iter().filter(|address| !address.ends_with("/report.html")).collect();
    assert!(asked.is_empty(), "it asks for nothing but itself: {asked:?}");
}
