//! `pliant view` through the built program and in a browser.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::common::Bench;
use crate::common::browser::Browser;

/// A sheet that hangs by two corners, large in the picture.
const SHEET: &str = "name = \"hung\"\n[solver]\nsubsteps = 5\n[[body]]\nmesh = { grid = { vertices = [13, 13], size = [1, 1] } }\n\
    rotate = [90, 0, 0]\nedges = { compliance = 1e-6 }\narea_density = 0.2\npin = [{ vertices = [0, 12] }]\n\
    [output.camera]\nazimuth = 0\nelevation = 0\n";

/// The program while it serves.
struct Serving {
    process: Child,
    address: String,
}

impl Serving {
    fn start(bench: &Bench, args: &[&str]) -> Self {
        let mut command = bench.command(&[&["view"], args].concat());
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { process, address: address.trim_end().to_owned() }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser; without one the test is skipped.
fn browser(bench: &Bench) -> Option<Browser> {
    match Browser::start(&bench.path("profile")) {
        Ok(mut browser) => {
            browser.resize(900, 640).unwrap();
            Some(browser)
        }
        Err(reason) => {
            eprintln!("skipped: {reason}");
            None
        }
    }
}

fn until(browser: &mut Browser, expression: &str) {
    let value = browser.value_when(expression, |value| value == true).unwrap();
    let state = browser.value("JSON.stringify(document.body.dataset)").unwrap();
    assert_eq!(value, true, "{expression}: {state}");
}

/// Whether an open page draws with WebGL 2; without it the test is skipped.
fn has_webgl(browser: &mut Browser) -> bool {
    let has = browser.value("document.body.dataset.view").unwrap() == "webgl2";
    if !has {
        eprintln!("skipped: this browser has no WebGL 2 here");
    }
    has
}

/// The middle of the canvas.
fn middle(browser: &mut Browser) -> [f64; 2] {
    let box_of = "(r => [r.left + r.width / 2, r.top + r.height / 2])(document.getElementById('view').getBoundingClientRect())";
    let at = browser.value(box_of).unwrap();
    [0, 1].map(|k| at[k].as_f64().unwrap())
}

fn press(browser: &mut Browser, id: &str) {
    browser.value(&format!("document.getElementById('{id}').click()")).unwrap();
}

const FRAME: &str = "+document.body.dataset.frame";

#[test]
fn hands_keys_sliders_and_edits_reach_the_simulation() {
    let bench = Bench::new();
    bench.write("hung.toml", SHEET);
    let Some(mut browser) = browser(&bench) else { return };
    let serving = Serving::start(&bench, &["hung.toml"]);
    browser.go(&serving.address).unwrap();
    until(&mut browser, "document.body?.dataset.frame > 10");
    if !has_webgl(&mut browser) {
        return;
    }
    // A mouse drags; the spring and its force are shown.
    let [x, y] = middle(&mut browser);
    let mouse =
        |kind: &str, clicks: u32| json!({"type": kind, "button": "left", "buttons": 1, "clickCount": clicks});
    browser.mouse([x, y], mouse("mousePressed", 1)).unwrap();
    for step in 1..=6 {
        browser.mouse([x + 12.0 * f64::from(step), y], mouse("mouseMoved", 0)).unwrap();
    }
    let lines = "document.querySelectorAll('#hands line').length";
    until(&mut browser, &format!("{lines} === 1"));
    until(&mut browser, "document.querySelector('#hands text').textContent.includes('N/m')");
    // The vertex comes to the pointer.
    let near = "(c => Math.hypot(c[0].cx.baseVal.value - c[1].cx.baseVal.value, c[0].cy.baseVal.value - c[1].cy.baseVal.value) < 12)([...document.querySelectorAll('#hands circle')])";
    until(&mut browser, near);
    browser.mouse([x + 72.0, y], mouse("mouseReleased", 1)).unwrap();
    until(&mut browser, &format!("{lines} === 0"));
    // So does a finger.
    browser.touch("touchStart", &[[x, y]]).unwrap();
    browser.touch("touchMove", &[[x + 30.0, y + 20.0]]).unwrap();
    until(&mut browser, &format!("{lines} === 1"));
    browser.touch("touchEnd", &[]).unwrap();
    until(&mut browser, &format!("{lines} === 0"));

    press(&mut browser, "play");
    until(&mut browser, "document.body.dataset.playing === 'false'");
    let still = browser.value(FRAME).unwrap().as_f64().unwrap();
    press(&mut browser, "step");
    until(&mut browser, &format!("{FRAME} === {}", still + 1.0));
    press(&mut browser, "restart");
    until(&mut browser, &format!("{FRAME} === 0"));

    let slide = "(k => { k.value = 1000; k.oninput(); })(document.getElementById('knob-solver.gravity.1'))";
    browser.value(slide).unwrap();
    until(&mut browser, "!document.getElementById('save').hidden");
    press(&mut browser, "save");
    until(&mut browser, "!document.getElementById('saved').hidden");
    assert!(bench.read("hung-changed.toml").contains("gravity = [0.0, 10.0, 0.0]"));
    assert_eq!(bench.read("hung.toml"), SHEET);

    fs::write(bench.path("hung.toml"), SHEET.replace("substeps = 5", "substeps = 0")).unwrap();
    until(&mut browser, "document.body.dataset.problem.includes('substeps')");
    until(&mut browser, "document.querySelector('#problem pre b').textContent === '0'");
    fs::write(bench.path("hung.toml"), SHEET.replace("substeps = 5", "substeps = 7")).unwrap();
    until(&mut browser, "document.body.dataset.problem === ''");
    until(&mut browser, "document.querySelector('.knob output').textContent.startsWith('7 ')");

    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    let outside: Vec<_> = browser
        .requests
        .iter()
        .filter(|request| !request.starts_with(&serving.address) && !request.starts_with("data:"))
        .collect();
    assert!(outside.is_empty(), "it asks for nothing else: {outside:?}");
    assert_eq!(browser.errors, Vec::<String>::new());

    // The program ends and comes back: the page goes on.
    let address = serving.address.clone();
    drop(serving);
    until(&mut browser, "document.body.dataset.controls === 'gone'");
    let _again = Serving::start(&bench, &["hung.toml", "--at", &address]);
    until(&mut browser, "document.body.dataset.controls === 'true'");
}

/// An arm that bends, relaxed, large in the picture.
const ARM: &str = "name = \"arm\"\n[input.chain]\nblend = 0.2\n\
    mesh = { cylinder = { radius = 0.3, height = 1, segments = 16, rings = 12, caps = \"capped\" } }\n\
    joint = [{ at = [0, -0.5, 0] }, { at = [0, 0, 0], key = [{ time = 0 }, { time = 2, rotate = { axis = [0, 0, 1], degrees = 60 } }] }]\n\
    [[deformer]]\nrelax = { iterations = 8, push = 0.1 } # soft\n";

#[test]
fn a_skin_is_seen_before_and_after_its_deformers() {
    let bench = Bench::new();
    bench.write("arm.toml", ARM);
    bench.refused(&["view", "arm.toml", "--record", "out"], &["arm.toml", "pliant deform"]);
    let Some(mut browser) = browser(&bench) else { return };
    let serving = Serving::start(&bench, &["arm.toml"]);
    browser.go(&serving.address).unwrap();
    until(&mut browser, "document.body?.dataset.frame > 3");
    if !has_webgl(&mut browser) {
        return;
    }
    press(&mut browser, "play");
    until(&mut browser, "document.body.dataset.playing === 'false'");
    let hash = browser.value("document.body.dataset.hash").unwrap();
    let slide = |key: &str, place: u32| {
        format!("(k => {{ k.value = {place}; k.oninput(); }})(document.getElementById('knob-{key}'))")
    };
    // What is seen is no part of the stack, so there is nothing to save.
    browser.value(&slide("view.after", 0)).unwrap();
    until(&mut browser, "document.querySelector('.knob output').textContent.startsWith('0 ')");
    assert_eq!(browser.value("document.getElementById('save').hidden").unwrap(), true);
    assert_eq!(browser.value("document.body.dataset.hash").unwrap(), hash);
    // A hand pulls at it, without a spring.
    let [x, y] = middle(&mut browser);
    let mouse = |kind: &str| json!({"type": kind, "button": "left", "buttons": 1, "clickCount": 1});
    browser.mouse([x, y], mouse("mousePressed")).unwrap();
    (1..=4).for_each(|k| browser.mouse([x + 12.0 * f64::from(k), y], mouse("mouseMoved")).unwrap());
    until(&mut browser, "document.querySelectorAll('#hands line').length === 1");
    until(&mut browser, &format!("document.body.dataset.hash !== {hash}"));
    assert_eq!(browser.value("document.querySelectorAll('#hands text').length").unwrap(), 0);
    browser.mouse([x + 48.0, y], mouse("mouseReleased")).unwrap();
    until(&mut browser, &format!("document.body.dataset.hash === {hash}"));
    // A slider of a deformer, saved beside the file.
    browser.value(&slide("deformer.0.relax.push", 500)).unwrap();
    until(&mut browser, "!document.getElementById('save').hidden");
    until(&mut browser, &format!("document.body.dataset.hash !== {hash}"));
    press(&mut browser, "save");
    until(&mut browser, "!document.getElementById('saved').hidden");
    assert_eq!(bench.read("arm-changed.toml"), ARM.replace("push = 0.1", "push = 0.5"));
    // The file is taken again, with and without an error.
    fs::write(bench.path("arm.toml"), ARM.replace("push = 0.1", "push = 3")).unwrap();
    until(&mut browser, "document.querySelector('#problem pre b')?.textContent === '3'");
    fs::write(bench.path("arm.toml"), ARM.replace("iterations = 8", "iterations = 9")).unwrap();
    until(&mut browser, "document.body.dataset.problem === ''");
    until(
        &mut browser,
        "[...document.querySelectorAll('.knob output')].some(out => out.textContent === '9 ')",
    );
    assert_eq!(browser.value("document.getElementById('energy').parentElement.hidden").unwrap(), true);
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn the_camera_makes_room_for_what_falls_until_somebody_touches_the_picture() {
    let bench = Bench::new();
    // It begins level, and comes to hang below the first picture.
    bench.write("hung.toml", SHEET.replace("rotate = [90, 0, 0]\n", ""));
    let Some(mut browser) = browser(&bench) else { return };
    let serving = Serving::start(&bench, &["hung.toml"]);
    // Whether something is drawn, and whether in the lowest rows of the canvas, which is clear elsewhere.
    let below = |browser: &mut Browser| {
        let drawn = "copy => {
            const pen = copy.getContext('2d');
            const drawn = (y, rows) => pen.getImageData(0, y, copy.width, rows).data.some((x, i) => i % 4 === 3 && x > 128);
            return [drawn(0, copy.height), drawn(copy.height - 12, 12)];
        }";
        browser.canvas_after("document.getElementById('lines').click()", drawn).unwrap()
    };
    browser.go(&serving.address).unwrap();
    until(&mut browser, "document.body?.dataset.frame > 3");
    if !has_webgl(&mut browser) {
        return;
    }
    until(&mut browser, &format!("{FRAME} > 240"));
    press(&mut browser, "play");
    until(&mut browser, "document.body.dataset.playing === 'false'");
    assert_eq!(below(&mut browser), json!([true, false]), "the whole sheet is in the picture");

    // A picture that somebody has touched stays as it is.
    browser.go(&serving.address).unwrap();
    press_when(&mut browser, "restart");
    until(&mut browser, &format!("{FRAME} < 240"));
    // On a busy machine the camera is still on its way back from where the sheet hung.
    assert_eq!(below(&mut browser)[1], false, "the camera has not come back");
    let [x, _] = middle(&mut browser);
    let mouse = |kind: &str| json!({"type": kind, "button": "left", "buttons": 1, "clickCount": 1});
    browser.mouse([x, 60.0], mouse("mousePressed")).unwrap();
    browser.mouse([x, 60.0], mouse("mouseReleased")).unwrap();
    press(&mut browser, "play");
    until(&mut browser, &format!("{FRAME} > 240"));
    press(&mut browser, "play");
    until(&mut browser, "document.body.dataset.playing === 'false'");
    assert_eq!(below(&mut browser), json!([true, true]), "the sheet has left the picture");
}

/// Pictures that take 150 ms, one after the other: their fences are passed no earlier.
const SLOW_PICTURES: &str = "{
    const prototype = WebGL2RenderingContext.prototype, due = new WeakMap(), { fenceSync, getSyncParameter } = prototype;
    let free = 0;
    prototype.fenceSync = function (...args) {
        const fence = fenceSync.apply(this, args);
        free = Math.max(free, performance.now()) + 150;
        due.set(fence, free);
        return fence;
    };
    prototype.getSyncParameter = function (fence, name) {
        return performance.now() < due.get(fence) ? this.UNSIGNALED : getSyncParameter.call(this, fence, name);
    };
}";

#[test]
fn slow_pictures_are_coarse_while_they_move_and_fine_once_they_rest() {
    let bench = Bench::new();
    bench.write("hung.toml", SHEET);
    let Some(mut browser) = browser(&bench) else { return };
    let serving = Serving::start(&bench, &["hung.toml"]);
    browser.prepare(SLOW_PICTURES).unwrap();
    browser.go(&serving.address).unwrap();
    until(&mut browser, "document.body?.dataset.frame > 2");
    if !has_webgl(&mut browser) {
        return;
    }
    // Pixels of the picture along one of the window's.
    let share = "(c => c.width / c.clientWidth)(document.getElementById('view'))";
    until(&mut browser, &format!("document.body.dataset.shown > 5 && {share} < 0.6"));
    // No picture waits for more than the two before it.
    let frames = browser.value("[+document.body.dataset.shown, performance.now()]").unwrap();
    until(&mut browser, &format!("performance.now() > {} + 2000", frames[1]));
    let later = browser.value("[+document.body.dataset.shown, performance.now()]").unwrap();
    let [number, ms] = [0, 1].map(|k| later[k].as_f64().unwrap() - frames[k].as_f64().unwrap());
    assert!(number <= ms / 150.0 + 2.0, "{number} pictures in {ms} ms");

    press(&mut browser, "play");
    until(&mut browser, "document.body.dataset.playing === 'false'");
    // What the simulation still has to say may come after that; then nothing is drawn, and the last picture is fine.
    let rests = "(now => {
        const { shown } = document.body.dataset;
        if (shown !== globalThis.last?.shown) globalThis.last = { shown, now };
        return now > last.now + 1500;
    })(performance.now())";
    until(&mut browser, rests);
    assert_eq!(browser.value(&format!("{share} >= 1")).unwrap(), true);
}

/// Presses a button once the page has begun.
fn press_when(browser: &mut Browser, id: &str) {
    until(browser, "document.body?.dataset.frame > 0");
    press(browser, id);
    until(browser, &format!("{FRAME} === 0"));
}

#[test]
fn a_browser_without_a_graphics_card_shows_a_sentence_and_a_picture() {
    let bench = Bench::new();
    bench.write("hung.toml", SHEET);
    let Some(mut browser) = browser(&bench) else { return };
    let serving = Serving::start(&bench, &["hung.toml"]);
    let painted = "(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((x, i) => i % 4 === 3 && x === 255).length > 2000)(document.getElementById('view'))";
    let without = "const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : get.call(this, kind, ...rest); };";
    browser.prepare(without).unwrap();
    browser.go(&serving.address).unwrap();
    until(&mut browser, "document.body?.dataset.frame > 3");
    until(&mut browser, painted);
    assert_eq!(
        browser.value("document.getElementById('hint').textContent.includes('WebGL 2')").unwrap(),
        Value::Bool(true)
    );
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    // So does a report.
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--html", "report.html"]);
    browser.open(&bench.path("report.html")).unwrap();
    until(&mut browser, "document.body?.dataset.playback === 'none'");
    until(&mut browser, painted);
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
}

#[test]
fn a_browser_that_does_not_run_the_scripts_shows_a_sentence_and_how_it_stands() {
    let bench = Bench::new();
    bench.write("hung.toml", SHEET);
    let Some(mut browser) = browser(&bench) else { return };
    let serving = Serving::start(&bench, &["hung.toml"]);
    let seen = |id: &str| {
        format!(
            "(e => !!e && getComputedStyle(e).display !== 'none' && e.getBoundingClientRect().height > 0)(document.querySelector('{id}'))"
        )
    };
    let (sentence, picture) =
        (seen("#still figcaption"), "document.querySelector('#still img').naturalWidth === 960");
    browser.scripts(false).unwrap();
    browser.go(&serving.address).unwrap();
    until(&mut browser, "document.readyState === 'complete' && !!document.querySelector('#still img')");
    until(&mut browser, &format!("{sentence} && {} && {picture}", seen("#still img")));
    // One that runs them shows neither, and does not ask for the picture.
    browser.scripts(true).unwrap();
    browser.requests.clear();
    browser.go(&serving.address).unwrap();
    until(&mut browser, "document.body?.dataset.frame > 3");
    until(&mut browser, &format!("!{sentence} && document.querySelector('#still img') === null"));
    assert_eq!(browser.errors, Vec::<String>::new());
    assert!(browser.requests.iter().all(|request| !request.ends_with(".png")), "{:?}", browser.requests);
    // One that is too old for the syntax of the scripts: a name that is taken stops them just as early.
    browser.prepare("const createView = null;").unwrap();
    browser.go(&serving.address).unwrap();
    until(&mut browser, &format!("document.readyState === 'complete' && {}", seen("#still img")));
    until(&mut browser, &format!("{sentence} && {picture}"));
}

#[test]
fn a_run_is_played_and_what_is_neither_is_refused() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    let serving = Serving::start(&bench, &["out"]);
    let rest = serving.address.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_at(rest.find('/').unwrap());
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    std::io::Write::write_all(&mut stream, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
        .unwrap();
    let mut page = String::new();
    std::io::Read::read_to_string(&mut stream, &mut page).unwrap();
    assert!(page.contains("<title>small · Pliant</title>") && page.contains("\"numbers\":[0,1,2,3,4]"));

    bench.write("broken.toml", SHEET.replace("substeps = 5", "substeps = 0"));
    bench.refused(&["view", "broken.toml"], &["broken.toml:3:12"]);
    bench.refused(&["view", "none.toml"], &["no such file"]);
    bench.refused(&["view", "small.toml", "--at", "http://example.org/"], &["no address of a view"]);
}

#[test]
fn what_a_page_shows_is_recorded_and_played_back() {
    let bench = Bench::new();
    bench.write("hung.toml", SHEET);
    let Some(mut browser) = browser(&bench) else { return };
    let mut serving = Serving::start(&bench, &["hung.toml", "--record", "first"]);
    browser.go(&serving.address).unwrap();
    let recording = "document.body?.dataset.recording";
    until(&mut browser, &format!("document.body?.dataset.frame > 3 && {recording} === 'first'"));
    press(&mut browser, "record");
    until(&mut browser, "document.body.dataset.recorded === 'first'");
    until(&mut browser, "document.getElementById('recorded').textContent.includes('pliant view first')");
    // The button takes the next free folder.
    press(&mut browser, "record");
    until(&mut browser, &format!("{recording} === 'runs/hung-1'"));
    until(&mut browser, "+document.getElementById('record').textContent.split(' ').pop() > 5");
    // When the program is asked to end it completes what it records.
    if cfg!(unix) {
        let id = serving.process.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
        assert!(serving.process.wait().unwrap().success());
    } else {
        press(&mut browser, "record");
        until(&mut browser, "document.body.dataset.recorded === 'runs/hung-1'");
    }
    assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    for folder in ["first", "runs/hung-1"] {
        let report: Value = serde_json::from_str(&bench.read(&format!("{folder}/run.json"))).unwrap();
        let frames = report["summary"]["frames"].as_u64().unwrap();
        assert!(frames > 3 && report["recorded"]["frame"].is_u64(), "{folder}: {frames}");
        bench.good(&["render", folder, "-q", "-o", "last.png"]);
        let played = Serving::start(&bench, &[folder]);
        browser.go(&played.address).unwrap();
        until(
            &mut browser,
            "document.body?.dataset.playback === 'ready' || +document.body?.dataset.shown > 0",
        );
        assert_eq!(browser.value("document.body.dataset.failures").unwrap(), "");
    }
    bench.refused(&["view", "hung.toml", "--record", "first"], &["already holds a run", "--force"]);
    bench.refused(&["view", "first", "--record", "second"], &["is a finished run"]);
}
