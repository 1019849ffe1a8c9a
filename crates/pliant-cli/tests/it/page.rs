//! The page of a run, through the built program and in a browser.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Bench;
use crate::common::browser::Browser;
use base64::Engine as _;
use pliant_render::{Golden, Lighting, Picture};
use serde_json::{Value, json};

use crate::common;

/// The largest size of a page, bytes, also for 120 frames of the default scene.
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
    let titles: Vec<&str> = page
        .split("aria-label=\"Largest residual")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert_eq!(
        titles,
        [" of lengths", " of volumes", " of angles"],
        "one plot for each unit, and its own title"
    );
    // Nothing is fetched: the only addresses are those of the XML namespaces of the plots.
    let fetched = page.replace("http://www.w3.org/2000/svg", "").replace("src=\"data:", "");
    assert!(!fetched.contains("http://") && !fetched.contains("https://") && !fetched.contains("src="));

    let still = page.split_once("<figure id=\"still\"><img alt=\"\" src=\"data:image/png;base64,").unwrap().1;
    let png = base64::engine::general_purpose::STANDARD.decode(still.split('"').next().unwrap()).unwrap();
    assert_eq!(&png[1..4], b"PNG", "a browser that cannot play shows the end");

    // The same page from the finished run, and one with a part of its frames.
    bench.good(&["render", "out", "-o", "again.html"]);
    assert_eq!(fs::read_to_string(bench.path("again.html")).unwrap(), page);
    bench.good(&["render", "out", "-q", "-o", "few.html", "--every", "3"]);
    let few = fs::read_to_string(bench.path("few.html")).unwrap();
    assert!(few.contains(r#""numbers":[0,3,4]"#), "every third frame, and the last");
}

#[test]
fn a_deformed_mesh_has_a_page_with_what_each_deformer_did() {
    let bench = Bench::new();
    bench.good(&["new", "elbow"]);
    bench.good(&["deform", "elbow.toml", "-q", "-o", "out", "--frames", "6"]);
    bench.good(&["render", "out", "-q", "-o", "elbow.html"]);
    let page = bench.read("elbow.html");
    assert!(page.contains("<title>elbow · Pliant</title>"), "{}", &page[..2000]);
    assert!(page.contains("<td>skinning</td>") && page.contains("<td>relax</td>"));
    assert!(!page.contains("Over time"));
    let Some(mut browser) = playing(&bench, &bench.path("elbow.html")) else { return };
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    let drawn = browser.value_when("document.getElementById('still').hidden", |hidden| hidden == true);
    assert_eq!(drawn.unwrap(), true, "the playback replaces the picture");
}

#[test]
fn what_cannot_be_a_page_is_refused() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    bench.refused(&["render", "out", "-o", "a.html", "--size", "10x10"], &["apply to pictures"]);
    bench.refused(&["render", "out/pc2/sheet.obj", "-o", "a.html"], &["a page is made of a run"]);
    fs::remove_file(bench.path("out/run.json")).unwrap();
    bench.refused(&["render", "out", "-o", "a.html"], &["run.json", "finished run"]);
    bench.write("caches.toml", format!("{}\n[output]\nformats = [\"glb\"]\n", common::SCENE));
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
    for kind in ["energy", "residual", "stretch", "volume"] {
        assert!(bench.read(&format!("out/plots/{kind}.svg")).starts_with("<svg"));
        assert_eq!(&fs::read(bench.path(&format!("out/plots/{kind}.png"))).unwrap()[1..4], b"PNG");
    }
    let told = bench.json("out/run.json");
    assert!(told["files"].as_array().unwrap().iter().any(|file| file == "plots/residual.svg"), "{told}");
    // They belong to the run: a new run removes them.
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--force"]);
    assert!(!bench.path("out/animation.gif").exists());

    let only = |format: &str| {
        scene
            .replace("[output.pictures]", &format!("[output]\nformats = [\"{format}\"]\n\n[output.pictures]"))
    };
    for cache in ["pc2", "mdd"] {
        bench.write("cache.toml", only(cache));
        bench.good(&["check", "cache.toml"]);
    }
    bench.write("none.toml", only("glb"));
    bench.refused(&["check", "none.toml"], &["among the formats"]);
}

#[test]
fn a_browser_plays_the_default_scene_without_an_error_or_a_request() {
    let bench = Bench::new();
    bench.good(&["run", "-q", "--frames", "120", "-o", "out", "--html", "report.html"]);
    let bytes = fs::metadata(bench.path("report.html")).unwrap().len();
    assert!(bytes <= MOST, "{bytes} bytes");
    let Some(mut browser) = playing(&bench, &bench.path("report.html")) else { return };
    let shown = browser
        .value_when("+document.body.dataset.shown", |shown| shown.as_f64().is_some_and(|n| n > 3.0))
        .unwrap();
    assert!(shown.as_f64().unwrap() > 3.0, "the playback advances: {shown} pictures were drawn");
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    assert_eq!(browser.value("document.body.dataset.requests").unwrap(), "0");
    assert_eq!(browser.errors, Vec::<String>::new());
    let asked: Vec<_> =
        browser.requests.iter().filter(|a| !a.ends_with("/report.html") && !a.starts_with("data:")).collect();
    assert!(asked.is_empty(), "it asks for nothing but itself: {asked:?}");
}

#[test]
fn a_page_is_coloured_by_the_numbers_that_the_run_wrote_and_fits_a_phone() {
    let bench = Bench::new();
    bench.write(
        "fields.toml",
        format!("{}\n[output]\nfields = [\"velocity\", \"volume_error\", \"residual\"]\n", common::SCENE),
    );
    bench.good(&["run", "fields.toml", "-q", "-o", "out", "--html", "report.html"]);
    let Some(mut browser) = playing(&bench, &bench.path("report.html")) else { return };
    let offered = "[...document.getElementById('colour').options].map(option => option.value)";
    let offered = browser.value(offered).unwrap();
    let offered: Vec<&str> = offered.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(offered[..2], ["body", "strain"]);
    assert!(offered.contains(&"volume_error") && offered.contains(&"residual.edges"), "{offered:?}");
    assert!(!offered.contains(&"velocity"), "a vector has no place on a scale");

    let bodies = canvas(&mut browser, 4);
    let by = |field: &str| {
        format!(
            "(colour => {{ colour.value = '{field}'; colour.onchange();
                return ['least', 'most', 'what'].map(id => document.getElementById(id).innerText).join('|'); }})(document.getElementById('colour'))"
        )
    };
    let legend = browser.value(&by("residual.edges")).unwrap();
    let legend = legend.as_str().unwrap();
    assert!(
        legend.starts_with("0|") && [" m|", " m or more|"].iter().any(|unit| legend.contains(unit)),
        "{legend}"
    );
    assert!(legend.ends_with("|residual of edges, the largest at a vertex"), "{legend}");
    let edges = canvas(&mut browser, 4);
    browser.value(&by("volume_error")).unwrap();
    let volumes = canvas(&mut browser, 4);
    assert!(edges != bodies && volumes != edges, "each has its own colours");

    browser.resize(360, 740).unwrap();
    let beyond = "(root => root.scrollWidth - root.clientWidth)(document.documentElement)";
    assert_eq!(browser.value(beyond).unwrap(), json!(0), "nothing sticks out at the side");
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// A browser that plays a page; `None`, with a line that says why, if there is no such browser.
fn playing(bench: &Bench, page: &Path) -> Option<Browser> {
    let skipped = |reason: &str| {
        eprintln!("skipped: {reason}");
        None
    };
    let mut browser = match Browser::start(&bench.path("profile")) {
        Ok(browser) => browser,
        Err(reason) => return skipped(&reason),
    };
    browser.resize(500, 420).unwrap();
    browser.open(page).unwrap();
    let playback = browser.value_when("document.body?.dataset.playback", Value::is_string).unwrap();
    if playback == "none" {
        return skipped("this browser has no WebGL 2 here");
    }
    Some(browser)
}

/// The picture of the canvas, on white, once a frame has been chosen and drawn.
fn canvas(browser: &mut Browser, frame: usize) -> Picture {
    let choose = format!(
        "const at = document.getElementById('at'); at.value = {frame}; at.dispatchEvent(new Event('input'))"
    );
    let on_white = "copy => {
        const pen = copy.getContext('2d');
        pen.globalCompositeOperation = 'destination-over';
        pen.fillStyle = 'white';
        pen.fillRect(0, 0, copy.width, copy.height);
        return copy.toDataURL('image/png');
    }";
    let url = browser.canvas_after(&choose, on_white).unwrap();
    let data = url.as_str().unwrap().strip_prefix("data:image/png;base64,").unwrap();
    Picture::from_png(&base64::engine::general_purpose::STANDARD.decode(data).unwrap()).unwrap()
}

/// Compares the picture of a canvas with its approved reference.
fn compare(name: &str, drawn: &Picture) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/golden").join(format!("{name}.png"));
    // Browsers smooth edges differently; a missing, black or displaced body changes a twentieth of the picture.
    let golden = Golden { tolerance: 24, share: 0.02, ..Golden::new(file, root.join("comparisons")) };
    golden.check(drawn).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_slope_a_plane_that_moves_and_a_container_are_in_the_canvas() {
    let bench = Bench::new();
    let obstacles = "[[obstacle]]\nplane = { point = [-0.5, 0, 0], normal = [1, 0.8, 0] }\n\
                     [[obstacle]]\nplane = { point = [0, 0, -0.4], normal = [0, 0.4, 1] }\nmotion = { velocity = [0, 0, -1] }\n\
                     [[obstacle]]\ncontainer = { min = [-0.7, 0, -0.7], max = [0.7, 1.3, 0.7] }\n";
    bench.write("walls.toml", format!("{}{obstacles}", common::SCENE));
    bench.good(&["run", "walls.toml", "-q", "-o", "out", "--frames", "12", "--html", "report.html"]);
    let Some(mut browser) = playing(&bench, &bench.path("report.html")) else { return };
    let first = canvas(&mut browser, 0);
    let last = canvas(&mut browser, 12);
    compare("page-walls", &last);
    assert!(first != last, "one of them moves");
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn the_canvas_shows_what_it_showed_when_it_was_found_good_and_turns_with_the_mouse() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--frames", "12", "--html", "report.html"]);
    let Some(mut browser) = playing(&bench, &bench.path("report.html")) else { return };
    let bodies = canvas(&mut browser, 12);
    compare("page-bodies", &bodies);
    assert!(canvas(&mut browser, 0) != bodies, "frames differ");
    browser
        .value("document.getElementById('colour').value = 'strain'; document.getElementById('colour').onchange()")
        .unwrap();
    let strain = canvas(&mut browser, 12);
    compare("page-strain", &strain);
    let black = strain.bytes().chunks(3).filter(|pixel| pixel.iter().all(|c| *c < 80)).count();
    assert_eq!(black, 0, "every number has a colour that can be told");

    let corner = "(r => [r.left, r.top])(document.getElementById('view').getBoundingClientRect())";
    let corner = browser.value(corner).unwrap();
    let at = |x: f64, y: f64| [corner[0].as_f64().unwrap() + x, corner[1].as_f64().unwrap() + y];
    let button =
        |kind: &str, clicks: u32| json!({"type": kind, "button": "left", "buttons": 1, "clickCount": clicks});
    let before = canvas(&mut browser, 12);
    browser.mouse(at(100.0, 100.0), button("mousePressed", 1)).unwrap();
    browser.mouse(at(220.0, 100.0), button("mouseMoved", 0)).unwrap();
    browser.mouse(at(220.0, 100.0), button("mouseReleased", 1)).unwrap();
    let turned = canvas(&mut browser, 12);
    assert!(turned != before, "dragging turns");
    let wheel = json!({"type": "mouseWheel", "deltaX": 0, "deltaY": -300});
    browser.mouse(at(200.0, 100.0), wheel).unwrap();
    let zoomed = canvas(&mut browser, 12);
    assert!(zoomed != turned, "the wheel zooms");
    for clicks in [1, 2] {
        browser.mouse(at(200.0, 100.0), button("mousePressed", clicks)).unwrap();
        browser.mouse(at(200.0, 100.0), button("mouseReleased", clicks)).unwrap();
    }
    assert!(canvas(&mut browser, 12) == before, "a double click leads back");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn keys_fingers_and_addresses_lead_through_a_page() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--frames", "30", "--html", "report.html"]);
    let page = fs::read_to_string(bench.path("report.html")).unwrap();
    let [x, y, z] = Lighting::STUDIO.key_from;
    assert!(page.contains(&format!("\"key_from\":[{x},{y},{z}]")), "the light of pictures");
    let Some(mut browser) = playing(&bench, &bench.path("report.html#frame=7")) else { return };
    let state = |browser: &mut Browser, wanted: &str| {
        let state = "[document.body.dataset.frame, location.hash, document.getElementById('play').textContent].join(' ')";
        let told = browser.value_when(state, |value| value == wanted).unwrap();
        assert_eq!(told, wanted);
    };
    state(&mut browser, "7 #frame=7 Play");
    let press = |key: &str, shift: bool| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', shiftKey: {shift}, bubbles: true }}))"
        )
    };
    for (key, shift, frame) in [
        ("ArrowRight", false, 8),
        ("ArrowRight", true, 18),
        ("ArrowLeft", false, 17),
        ("ArrowLeft", true, 7),
        ("ArrowLeft", true, 0),
        ("End", false, 30),
        ("ArrowRight", false, 30),
        ("Home", false, 0),
    ] {
        browser.value(&press(key, shift)).unwrap();
        state(&mut browser, &format!("{frame} #frame={frame} Play"));
    }
    let button = "document.getElementById('play').textContent";
    for told in ["Pause", "Play"] {
        browser.value(&press(" ", false)).unwrap();
        assert_eq!(browser.value(button).unwrap(), told);
    }
    browser.value("location.hash = '#frame=12'").unwrap();
    state(&mut browser, "12 #frame=12 Play");

    let corner = "(r => [r.left, r.top])(document.getElementById('view').getBoundingClientRect())";
    let corner = browser.value(corner).unwrap();
    let at = |x: f64, y: f64| [corner[0].as_f64().unwrap() + x, corner[1].as_f64().unwrap() + y];
    let mut shown = vec![canvas(&mut browser, 12)];
    for gesture in [
        // Turns, zooms and moves.
        [vec![at(100.0, 100.0)], vec![at(180.0, 100.0)]],
        [vec![at(150.0, 100.0), at(200.0, 100.0)], vec![at(100.0, 100.0), at(250.0, 100.0)]],
        [vec![at(150.0, 100.0), at(200.0, 100.0)], vec![at(150.0, 160.0), at(200.0, 160.0)]],
    ] {
        browser.touch("touchStart", &gesture[0]).unwrap();
        browser.touch("touchMove", &gesture[1]).unwrap();
        browser.touch("touchEnd", &[]).unwrap();
        let now = canvas(&mut browser, 12);
        assert!(!shown.contains(&now), "each gesture does something else");
        shown.push(now);
    }

    let paper = "getComputedStyle(document.body).backgroundColor";
    let light = browser.value(paper).unwrap();
    browser.value("document.getElementById('theme').click()").unwrap();
    assert_ne!(browser.value(paper).unwrap(), light, "it can be dark");
    assert!(!shown.contains(&canvas(&mut browser, 12)), "and so is the ground");
    assert_eq!(browser.value("document.getElementById('full') !== null").unwrap(), true);
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    assert_eq!(browser.errors, Vec::<String>::new());
}
