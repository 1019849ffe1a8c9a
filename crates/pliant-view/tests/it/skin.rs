//! Skins by their commands, and on a server.

use std::thread;

use pliant_render::Size;
use pliant_scene::{StackFile, stack_templates};
use pliant_view::{Command, Exhibit as _, FrameMessage, Server, Skin};
use serde_json::{Value, json};

use crate::client::{get, parts, raw_bytes};

/// A tube that bends, relaxed.
const TUBE: &str = "name = \"tube\"\nframe_rate = 10\n[input.chain]\nblend = 0.2\n\
    mesh = { cylinder = { radius = 0.1, height = 1, segments = 12, rings = 16, caps = \"capped\" } }\n\
    joint = [{ at = [0, -0.5, 0] }, { at = [0, 0, 0], key = [{ time = 0 }, { time = 0.4, rotate = { axis = [0, 0, 1], degrees = 100 } }] }]\n\
    [[deformer]]\nrelax = { iterations = 20, push = 0.1 } # soft\n";

fn skin() -> Skin {
    Skin::of_stack(StackFile::parse(TUBE, ".").unwrap()).unwrap()
}

fn frame(skin: &Skin) -> FrameMessage {
    FrameMessage::read(&skin.frame()).unwrap()
}

fn set(skin: &mut Skin, key: &str, value: Value) -> Result<Value, pliant_view::Refusal> {
    skin.act(&Command::Set { key: key.to_owned(), value })
}

#[test]
fn every_stack_can_be_shown() {
    for template in stack_templates().iter().filter(|template| template.name != "character") {
        let mut skin = Skin::of_stack(template.stack().unwrap()).unwrap();
        skin.step().unwrap();
        let (stage, frame) = (skin.stage(), frame(&skin));
        assert_eq!(frame.numbers.len() as u64, 3 * stage["bodies"][0]["vertices"].as_u64().unwrap());
        assert!(stage["radius"].as_f64() > Some(0.0) && frame.numbers.iter().all(|x| x.is_finite()));
        assert_eq!(frame.head["report"]["residuals"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn frames_come_round_with_the_same_bits() {
    let mut skin = skin();
    let first: Vec<u64> = (0..5)
        .map(|_| {
            let hash = skin.state_hash();
            skin.step().unwrap();
            hash
        })
        .collect();
    let second: Vec<u64> = (0..5)
        .map(|_| {
            let hash = skin.state_hash();
            skin.step().unwrap();
            hash
        })
        .collect();
    assert_eq!(first, second);
    assert_ne!(first[0], first[4]);
    skin.act(&Command::Step { frames: 2 }).unwrap();
    assert!(!skin.is_playing() && frame(&skin).head["frame"] == 2);
    skin.act(&Command::Restart).unwrap();
    assert_eq!((frame(&skin).head["frame"].as_u64(), skin.state_hash()), (Some(0), first[0]));
}

#[test]
fn what_is_seen_goes_from_before_to_after() {
    let mut skin = skin();
    skin.act(&Command::Step { frames: 4 }).unwrap();
    let hash = skin.state_hash();
    let mut seen = |after: f64| {
        set(&mut skin, "view.after", json!(after)).unwrap();
        assert_eq!(skin.state_hash(), hash, "what is seen is no part of the state");
        frame(&skin).numbers
    };
    let [before, between, after] = [0.0, 0.25, 1.0].map(&mut seen);
    assert_ne!(before, after);
    for ((a, m), b) in before.iter().zip(&between).zip(&after) {
        assert!((m - (0.75 * a + 0.25 * b)).abs() < 1e-6, "{a} {m} {b}");
    }
    assert!(!skin.stage()["changed"].as_bool().unwrap());
    let head = frame(&skin).head;
    let strain = |k: usize| head["report"]["residuals"][k]["max"].as_f64().unwrap();
    assert!(strain(1) < strain(0) && strain(1) > 0.0);
    for wrong in [json!(1.5), json!("all")] {
        let refusal = set(&mut skin, "view.after", wrong).unwrap_err().to_string();
        assert!(refusal.contains("from 0 to 1"), "{refusal}");
    }
}

#[test]
fn sliders_change_the_stack_where_it_stands() {
    let mut skin = skin();
    skin.act(&Command::Step { frames: 4 }).unwrap();
    let (soft, version) = (skin.state_hash(), skin.version());
    set(&mut skin, "deformer.0.relax.push", json!(0.5)).unwrap();
    assert!(skin.version() > version && skin.state_hash() != soft);
    let stage = skin.stage();
    assert_eq!((frame(&skin).head["frame"].as_u64(), stage["changed"].as_bool()), (Some(4), Some(true)));
    assert_eq!(stage["text"], TUBE.replace("push = 0.1", "push = 0.5"));
    let error = set(&mut skin, "deformer.0.relax.push", json!(7)).unwrap_err().to_string();
    assert!(
        error.contains("`deformer.0.relax.push` cannot be 7") && error.contains("from 0 to 1"),
        "{error}"
    );
    skin.act(&Command::Undo).unwrap();
    assert_eq!((skin.state_hash(), skin.stage()["changed"].as_bool()), (soft, Some(false)));
    // Fewer frames than it is at, and another mesh.
    set(&mut skin, "frames", json!(3)).unwrap();
    assert_eq!(frame(&skin).head["frame"], 2);
    let before = frame(&skin).numbers.len();
    let finer = TUBE.replace("rings = 16", "rings = 20");
    skin.act(&Command::Text { toml: finer }).unwrap();
    assert!(frame(&skin).numbers.len() > before);
    let refusal = skin.act(&Command::Text { toml: TUBE.replace("blend = 0.2", "blend = -1") }).unwrap_err();
    assert!(refusal.0.place.is_some() && skin.step().is_ok());
}

#[test]
fn a_hand_pulls_the_skin_along() {
    let mut skin = skin();
    skin.act(&Command::Pause).unwrap();
    let still = frame(&skin).numbers;
    let at: Vec<f64> = still[60..63].iter().map(|&c| f64::from(c)).collect();
    skin.act(&Command::Grab { hand: 3, body: 0, vertex: 20, stiffness: None }).unwrap();
    assert_eq!(frame(&skin).numbers, still, "to take hold moves nothing");
    skin.act(&Command::Move { hand: 3, to: [at[0] + 0.2, at[1], at[2]] }).unwrap();
    let pulled = frame(&skin);
    assert!(pulled.numbers[60] > still[60] + 0.05 && pulled.head["hands"][0]["hand"] == 3);
    assert!(pulled.numbers.iter().zip(&still).filter(|(a, b)| a != b).count() > 30);
    skin.act(&Command::Field { name: Some("strain".to_owned()) }).unwrap();
    assert_eq!(frame(&skin).numbers.len(), still.len() / 3 * 4);
    assert!(frame(&skin).head["largest"].as_f64() > Some(1.0));
    skin.act(&Command::Field { name: None }).unwrap();
    skin.act(&Command::Release { hand: 3 }).unwrap();
    assert_eq!(frame(&skin).numbers, still);
    for wrong in [
        Command::Move { hand: 3, to: [0.0; 3] },
        Command::Release { hand: 3 },
        Command::Grab { hand: 1, body: 0, vertex: 1_000_000, stiffness: None },
        Command::Grab { hand: 1, body: 4, vertex: 0, stiffness: None },
        Command::Push { body: 0, by: [1.0; 3] },
        Command::Field { name: Some("speed".to_owned()) },
        Command::Speed { value: -1.0 },
        Command::Record { on: true },
        Command::Save,
    ] {
        assert!(skin.act(&wrong).is_err(), "{wrong:?}");
    }
    assert_eq!(frame(&skin).numbers, still);
}

#[test]
fn a_server_takes_a_skin_and_draws_it() {
    let picture = skin().picture(Size::new(64, 48).unwrap()).unwrap();
    let (middle, corner) = (picture.pixel(32, 24), picture.pixel(0, 0));
    assert_ne!(middle, corner, "the tube is in the middle of the sky");
    let server = Server::bind(0).unwrap();
    let (address, stop) = (server.address(), server.stopper());
    let serving = thread::spawn(move || server.run(&mut skin()).unwrap());
    let (host, path) = parts(&address);
    assert_eq!(get(&address, path, host).0, 200);
    let request = format!("GET {path}still.png HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let (status, png) = raw_bytes(&address, &request);
    assert!(status == 200 && png.starts_with(b"\x89PNG"));
    stop.stop();
    serving.join().unwrap();
}
