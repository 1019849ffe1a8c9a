//! What JavaScript does besides calling the module, in Node; skipped without it.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::process::Command;

fn run(script: &str) {
    let path = format!("{}/tests/{script}", env!("CARGO_MANIFEST_DIR"));
    match Command::new("node").arg(path).output() {
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr)),
        Err(_) => eprintln!("skipped: node is not installed"),
    }
}

#[test]
fn the_loop_that_the_module_is_measured_beside_keeps_lengths_volumes_and_momentum() {
    run("textbook.mjs");
}

#[test]
fn a_duel_shows_two_simulations_as_one_and_gives_both_the_same_time() {
    run("duel.mjs");
}

#[test]
fn a_world_of_meshes_is_said_word_by_word() {
    run("core.mjs");
}
