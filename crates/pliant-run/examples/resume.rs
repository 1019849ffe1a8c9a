//! Runs an example scene to a folder; started again after an interruption, it resumes from the last checkpoint.
//!
//! `cargo run --release -p pliant-run --example resume -- FOLDER`; press Ctrl-C during the run and start it again.
#![allow(clippy::print_stdout, reason = "an example speaks on standard output")]

use std::path::PathBuf;

use pliant_run::{Checkpoints, Intent, Options, Run, RunFolder};
use pliant_scene::Template;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("resumed"), PathBuf::from);
    let scene = Template::default_scene().scene()?;
    let run_folder = RunFolder::choose(Some(&folder), scene.name(), Intent::ContinueOrBegin)?;
    let options = Options { checkpoints: Checkpoints::Frames(10), ..Options::default() };
    let mut run = Run::open(&scene, scene.build::<f32>()?, &run_folder, &options)?;
    if run.goes_on() {
        println!("resuming from frame {}", run.frame());
    }
    while let Some(stepped) = run.step()? {
        println!("frame {} of {}: {:.1} ms", run.frame(), run.frames(), stepped.solve_ms);
    }
    let finished = run.finish(&[])?;
    println!(
        "state {}, verdict: {}",
        finished.report.summary.state_hash,
        finished.certificate.judgement().grade()
    );
    Ok(())
}
