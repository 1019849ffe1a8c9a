//! Servers over plain connections.

use std::path::Path;
use std::thread;

use pliant_render::{RenderError, Size};
use pliant_scene::{Scene, SceneError};
use pliant_view::{Command, Exhibit, Problem, Refusal, Server, Show, Still, Stop};
use serde_json::Value;

use crate::client::{Page, connect, get, parts, post, raw, raw_bytes};

/// A sheet that hangs by two corners.
const SHEET: &str = "name = \"sheet\"\n[solver]\nsubsteps = 5 # few\n\n[[body]]\nname = \"cloth\"\n\
    mesh = { grid = { vertices = [9, 9], size = [1, 1] } }\nedges = { compliance = 1e-6 }\narea_density = 0.2\n\
    pin = [{ vertices = [0, 8] }]\n";

/// A server in a thread of its own, stopped at the end.
struct Running {
    address: String,
    stop: Stop,
    thread: Option<thread::JoinHandle<()>>,
}

impl Running {
    fn start(server: Server, scene: Scene) -> Self {
        let (address, stop) = (server.address(), server.stopper());
        let run = move || server.run(&mut Show::of_scene(scene).unwrap()).unwrap();
        Self { address, stop, thread: Some(thread::spawn(run)) }
    }

    fn of(text: &str) -> Self {
        Self::start(Server::bind(0).unwrap(), Scene::parse(text, ".").unwrap())
    }

    fn end(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The position of a vertex of the only body.
fn place(numbers: &[f32], vertex: usize) -> [f32; 3] {
    [0, 1, 2].map(|k| numbers[3 * vertex + k])
}

#[test]
fn only_the_secret_address_of_this_machine_is_served() {
    let running = Running::of(SHEET);
    let address = running.address.as_str();
    let (host, path) = parts(address);
    let (port, secret) = (host.rsplit(':').next().unwrap(), path.trim_matches('/'));
    assert_eq!(secret.len(), 32);
    let (status, page) = get(address, path, host);
    assert!(status == 200 && page.starts_with("<!DOCTYPE html>") && !page.contains(secret));
    assert_eq!(get(address, path, &format!("localhost:{port}")).0, 200);

    // Another name that leads here: DNS rebinding.
    for other in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        &format!("127.0.0.1.evil.example:{port}"),
    ] {
        assert_eq!(get(address, path, other).0, 403, "{other}");
    }
    assert_eq!(raw(address, &format!("GET {path} HTTP/1.1\r\n\r\n")).0, 403, "without a host");
    let twice = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n");
    assert_eq!(raw(address, &twice).0, 403, "two hosts");
    // Other paths: without the secret, with another, beside the page, and out of it.
    let wrong = secret.chars().rev().collect::<String>();
    for other in [
        "/",
        "/frames",
        "//",
        &format!("/{wrong}/"),
        &format!("/{wrong}/frames"),
        &format!("/{wrong}/still.png"),
        &format!("/{}/", &secret[1..]),
        &format!("{path}scene.toml"),
        &format!("{path}../../etc/passwd"),
        &format!("{path}%2e%2e/"),
        "http://evil.example/",
    ] {
        let (status, body) = get(address, other, host);
        assert_eq!((status, body.as_str()), (404, "there is nothing here\n"), "{other}");
    }
    for request in
        ["", "GET\r\n\r\n", "GET / HTTP/2\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n"]
    {
        let mut stream = connect(address);
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{request:?}: {answer}");
    }
}

#[test]
fn a_browser_without_scripts_is_shown_how_it_stands() {
    let running = Running::of(SHEET);
    let (address, (host, path)) = (running.address.as_str(), parts(&running.address));
    let (_, page) = get(address, path, host);
    assert!(page.contains("<figure id=\"still\"><noscript><img alt=\"\" src=\"still.png\"></noscript>"));
    assert!(page.contains("img-src data: 'self'"), "its policy lets it");
    let picture =
        |host: &str| raw_bytes(address, &format!("GET {path}still.png HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(picture("evil.example").0, 403);
    let (status, begins) = picture(host);
    assert!(status == 200 && begins.starts_with(b"\x89PNG"));
    // Nothing runs while nobody watches, and what is seen then is what there is.
    assert!(picture(host).1 == begins, "it has gone on");
    let mut page = Page::open(address);
    page.order(r#"{"do":"pause"}"#);
    page.order(r#"{"do":"restart"}"#);
    page.order(r#"{"do":"step","frames":40}"#);
    page.until(|_, frame| frame.head["frame"] == 40);
    let mut show = Show::of_scene(Scene::parse(SHEET, ".").unwrap()).unwrap();
    (0..40).for_each(|_| show.step().unwrap());
    let expected = show.picture(Size::new(960, 640).unwrap()).unwrap().to_png().unwrap();
    let hangs = picture(host).1;
    assert!(hangs != begins && hangs == expected, "it is not the state after 40 frames");
}

#[test]
fn commands_come_from_the_own_page_only() {
    let running = Running::of(SHEET);
    let (address, host) = (running.address.as_str(), parts(&running.address).0);
    let page = Page::open(address);
    let own = format!("http://{host}");
    let pause = r#"{"do":"pause"}"#;
    assert_eq!(post(address, page.number, &own, pause).0, 200);
    for origin in [
        "http://evil.example",
        "null",
        "https://evil.example",
        &format!("https://{host}"),
        &format!("http://{host}.evil.example"),
    ] {
        assert_eq!(post(address, page.number, origin, pause).0, 403, "{origin}");
    }
    let path = parts(address).1;
    let bare = format!("POST {path}do HTTP/1.1\r\nHost: {host}\r\nContent-Length: 14\r\n\r\n{pause}");
    assert_eq!(raw(address, &bare).0, 403, "without an origin");
    // What a form of another page could send.
    let form = format!(
        "POST {path}do HTTP/1.1\r\nHost: {host}\r\nOrigin: {own}\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\n{pause}"
    );
    assert_eq!(raw(address, &form).0, 403, "as text");
    let long = format!(
        "POST {path}do HTTP/1.1\r\nHost: {host}\r\nOrigin: {own}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"
    );
    assert_eq!(raw(address, &long).0, 400, "too long");
    assert_eq!(page.ask("{}").0, 400);
    assert_eq!(page.ask(r#"{"do":"save"}"#).0, 422, "it has no place to write to");
    let (status, body) = page.ask(r#"{"do":"set","key":"solver.substeps","value":0}"#);
    assert!(status == 422 && body.contains("substeps"), "{body}");
}

#[test]
fn one_page_has_the_controls_and_hands_them_over() {
    let running = Running::of(SHEET);
    let mut first = Page::open(&running.address);
    let mut second = Page::open(&running.address);
    second.frame();
    assert!(first.controls && !second.controls);
    assert_eq!(second.ask(r#"{"do":"pause"}"#).0, 409);
    second.order(r#"{"do":"take"}"#);
    second.until(|page, _| page.controls);
    first.until(|page, _| !page.controls);
    second.order(r#"{"do":"pause"}"#);
    assert_eq!(first.ask(r#"{"do":"play"}"#).0, 409);
    second.leave();
    first.until(|page, _| page.controls);
    first.order(r#"{"do":"play"}"#);
}

#[test]
fn it_pauses_steps_restarts_and_goes_on() {
    let running = Running::of(SHEET);
    let mut page = Page::open(&running.address);
    assert_eq!(page.stage["bodies"][0]["name"], "cloth");
    page.until(|_, frame| frame.head["frame"].as_u64() > Some(2));
    page.order(r#"{"do":"pause"}"#);
    let still = page.until(|_, frame| frame.head["playing"] == false);
    let number = still.head["frame"].as_u64().unwrap();
    page.order(r#"{"do":"step","frames":3}"#);
    let stepped = page.until(|_, frame| frame.head["frame"] != number);
    assert_eq!(stepped.head["frame"], number + 3);
    page.order(r#"{"do":"restart"}"#);
    let start = page.until(|_, frame| frame.head["frame"] == 0);
    assert_eq!(start.numbers.len(), 3 * 81);
    page.order(r#"{"do":"step","frames":3}"#);
    let again = page.until(|_, frame| frame.head["frame"] == 3);
    assert_ne!(again.head["hash"], start.head["hash"]);
    // The same frames by the library have the same bits.
    let mut show = Show::of_scene(Scene::parse(SHEET, ".").unwrap()).unwrap();
    (0..3).for_each(|_| show.step().unwrap());
    assert_eq!(again.head["hash"], format!("{:016x}", show.state_hash()));
}

#[test]
fn a_hand_moves_a_vertex_and_what_hangs_on_it() {
    let running = Running::of(SHEET);
    let mut page = Page::open(&running.address);
    page.order(r#"{"do":"pause"}"#);
    page.order(r#"{"do":"restart"}"#);
    page.order(r#"{"do":"step","frames":60}"#);
    let before = page.until(|_, frame| frame.head["frame"] == 60);
    let vertex = 80;
    let from = place(&before.numbers, vertex);
    let held = page.order(&format!(r#"{{"do":"grab","hand":1,"body":0,"vertex":{vertex}}}"#));
    assert!(held["stiffness"].as_f64() > Some(0.0));
    let to = [from[0] + 0.1, from[1] + 0.3, from[2] + 0.2];
    for share in 1..=10_u8 {
        let at: Vec<f32> = from.iter().zip(to).map(|(a, b)| a + (b - a) * f32::from(share) / 10.0).collect();
        page.order(&format!(r#"{{"do":"move","hand":1,"to":[{},{},{}]}}"#, at[0], at[1], at[2]));
        page.order(r#"{"do":"step","frames":4}"#);
    }
    let after = page.until(|_, frame| frame.head["frame"] == 100);
    let moved = place(&after.numbers, vertex);
    let away = |a: [f32; 3], b: [f32; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt();
    assert!(away(moved, to) < 0.05, "{moved:?} is not at {to:?}");
    assert_eq!(after.head["hands"][0]["hand"], 1);
    let beside = vertex - 1;
    assert!(
        away(place(&after.numbers, beside), place(&before.numbers, beside)) > 0.1,
        "it takes its neighbours along"
    );
    page.order(r#"{"do":"release","hand":1}"#);
    page.until(|_, frame| frame.head["hands"].as_array().is_some_and(Vec::is_empty));
    assert_eq!(page.ask(r#"{"do":"move","hand":1,"to":[0,0,0]}"#).0, 422);
    assert_eq!(page.ask(r#"{"do":"grab","hand":1,"body":0,"vertex":81}"#).0, 422);
}

#[test]
fn an_edited_file_is_taken_and_a_broken_one_is_shown_where_it_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sheet.toml");
    // Written as editors do, in place of the old one.
    let write = |text: &str| {
        let part = folder.path().join("part");
        std::fs::write(&part, text).unwrap();
        std::fs::rename(part, &file).unwrap();
    };
    write(SHEET);
    let server = Server::bind(0).unwrap().watching(&file).saving_beside(&file);
    let running = Running::start(server, Scene::load(&file).unwrap());
    let mut page = Page::open(&running.address);
    page.frame();
    write(&SHEET.replace("substeps = 5", "substeps = 0"));
    page.until(|page, _| !page.stage["problem"].is_null());
    let place = &page.stage["problem"]["place"];
    assert_eq!((place["line"].as_u64(), place["column"].as_u64()), (Some(3), Some(12)), "{place}");
    assert!(place["lines"][2].as_str().unwrap().starts_with("substeps = 0"), "{place}");
    write(&SHEET.replace("[9, 9]", "[5, 5]"));
    let frame = page.until(|page, frame| page.stage["problem"].is_null() && frame.numbers.len() == 3 * 25);
    assert_eq!(frame.head["version"], page.stage["version"]);

    // As changed by a slider: a new file, with the comments of the old one.
    page.order(r#"{"do":"set","key":"solver.substeps","value":7}"#);
    let saved = page.order(r#"{"do":"save"}"#);
    let saved = Path::new(saved["path"].as_str().unwrap()).to_owned();
    assert_eq!(saved, folder.path().join("sheet-changed.toml"));
    let text = std::fs::read_to_string(saved).unwrap();
    assert_eq!(text, SHEET.replace("[9, 9]", "[5, 5]").replace("substeps = 5", "substeps = 7"));
    assert!(std::fs::read_to_string(&file).unwrap().contains("substeps = 5"), "the own file stays");
}

#[test]
fn a_page_finds_the_server_that_comes_after() {
    let mut running = Running::of(SHEET);
    let address = running.address.clone();
    Page::open(&address).frame();
    running.end();
    let again = Server::again(&address).unwrap();
    assert_eq!(again.address(), address);
    let _running = Running::start(again, Scene::parse(&SHEET.replace("[9, 9]", "[4, 4]"), ".").unwrap());
    assert_eq!(Page::open(&address).frame().numbers.len(), 3 * 16);
    for wrong in ["http://127.0.0.1:80/", "http://evil.example:80/00000000000000000000000000000000/", "x"] {
        assert!(Server::again(wrong).unwrap_err().to_string().contains("no address"), "{wrong}");
    }
}

#[test]
fn a_page_that_does_not_read_misses_frames_and_stops_nothing() {
    // Half a megabyte a frame: the buffers of a connection, which grow to some ten, do not hold many.
    let running = Running::of(&SHEET.replace("[9, 9]", "[200, 200]").replace("substeps = 5", "substeps = 1"));
    let mut slow = Page::open(&running.address);
    let mut fast = Page::open(&running.address);
    fast.frame();
    fast.order_when_it_has_the_controls(r#"{"do":"speed","value":0}"#);
    let begun = slow.frame().head["frame"].as_u64().unwrap();
    let mut seen = 0;
    fast.until(|_, frame| frame.head["frame"].as_u64().unwrap() > begun + 160);
    // What it reads now was kept by the system; then come the newest.
    let mut last = begun;
    let mut gap = 0;
    while seen < 120 && gap < 20 {
        let frame = slow.frame().head["frame"].as_u64().unwrap();
        (gap, last, seen) = (frame - last, frame, seen + 1);
    }
    assert!(gap >= 20, "no frames were left out");
}

/// A simulation whose program breaks in the third frame.
struct Breaking(Show<'static>, u32);

impl Exhibit for Breaking {
    fn step(&mut self) -> Result<(), Refusal> {
        self.1 += 1;
        assert!(self.1 < 3, "broken on purpose");
        self.0.step()
    }

    fn version(&self) -> u64 {
        self.0.version()
    }

    fn is_playing(&self) -> bool {
        self.0.is_playing()
    }

    fn pace(&self) -> f64 {
        self.0.pace()
    }

    fn state_hash(&self) -> u64 {
        self.0.state_hash()
    }

    fn act(&mut self, command: &Command) -> Result<Value, Refusal> {
        self.0.act(command)
    }

    fn stage(&self) -> Value {
        self.0.stage()
    }

    fn frame(&self) -> Vec<u8> {
        self.0.frame()
    }

    fn let_go(&mut self) {
        self.0.let_go();
    }

    fn text(&self) -> Option<String> {
        None
    }

    fn reload(&mut self, _: &Path) -> Result<(), SceneError> {
        Ok(())
    }

    fn complain(&mut self, _: Problem) {}

    fn still(&self, size: Size) -> Result<Still, RenderError> {
        self.0.still(size)
    }
}

#[test]
fn a_program_that_breaks_ends_and_leaves_no_page_waiting() {
    let server = Server::bind(0).unwrap();
    let address = server.address();
    let scene = Scene::parse(SHEET, ".").unwrap();
    let run = move || server.run(&mut Breaking(Show::of_scene(scene).unwrap(), 0));
    let thread = thread::spawn(run);
    Page::open(&address).read_to_the_end();
    assert!(thread.join().is_err(), "what broke was hidden");
}

impl Page {
    /// Takes the controls first.
    fn order_when_it_has_the_controls(&mut self, command: &str) -> Value {
        self.order(r#"{"do":"take"}"#);
        self.until(|page, _| page.controls);
        self.order(command)
    }
}
