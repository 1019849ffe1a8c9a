//! The bytes that a host exchanges with the module, natively.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

use pliant_view::FrameMessage;
use pliant_wasm::Host;
use serde_json::{Value, json};

const SHEET: &str = "[[body]]\nmesh = { grid = { vertices = [5, 5], size = [1, 1] } }\nmaterial = \"cotton\"\npin = [{ vertices = [0, 4] }]\n";

fn say(host: &mut Host, text: &str) {
    host.input = text.as_bytes().to_vec();
}

fn heard(host: &Host) -> Value {
    serde_json::from_slice(&host.output).unwrap()
}

#[test]
fn a_scene_comes_in_and_positions_go_out() {
    let mut host = Host::default();
    assert!(!host.step(1) && heard(&host)["what"].as_str().unwrap().contains("open a scene"));
    say(&mut host, SHEET);
    assert!(host.open() && host.step(3));
    host.stage();
    assert_eq!(heard(&host)["bodies"][0]["vertices"], 25);
    host.frame();
    let frame = FrameMessage::read(&host.output).unwrap();
    assert_eq!((frame.head["frame"].as_u64(), frame.numbers.len()), (Some(3), 75));
    say(&mut host, &json!({ "do": "grab", "hand": 1, "body": 0, "vertex": 12 }).to_string());
    assert!(host.act());
    assert_eq!(heard(&host)["particle"], 12);
}

#[test]
fn a_stack_of_deformers_comes_in_too() {
    let tube = "[input.chain]\nmesh = { cylinder = { radius = 0.1, height = 1, segments = 8, rings = 4 } }\nblend = 0.2\njoint = [{ at = [0, 0, 0] }, { at = [0, 0.2, 0] }]\n";
    let mut host = Host::default();
    say(&mut host, tube);
    assert!(host.open() && host.step(1));
    host.stage();
    assert_eq!(heard(&host)["knobs"][0]["key"], "view.after");
    say(&mut host, &tube.replace("blend = 0.2", "blend = -1"));
    assert!(!host.open());
    assert_eq!(heard(&host)["place"]["line"], 3);
    assert!(host.step(1), "what was open stays");
}

#[test]
fn problems_say_where_they_are() {
    let mut host = Host::default();
    say(&mut host, &SHEET.replace("[5, 5]", "[5, 1]"));
    assert!(!host.open());
    assert_eq!(heard(&host)["place"]["line"], 2);
    say(&mut host, "{ \"do\": \"dance\" }");
    assert!(!host.act() && heard(&host)["what"].as_str().unwrap().contains("dance"));
}
