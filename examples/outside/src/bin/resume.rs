//! `resume SCENE FOLDER [FRAME]`: begins the run of a scene in a folder, or resumes the one that is there,
//! and leaves it after a frame, if one is given. Prints the state hash of a run that it has finished.

use std::path::Path;

use pliant::run::{Checkpoints, Intent, Options, RunFolder, Run};
use pliant::scene::Scene;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [scene, folder, rest @ ..] = &args[..] else { return Err("give a scene and a folder".into()) };
    let stop: u32 = rest.first().map_or(Ok(u32::MAX), |frame| frame.parse())?;
    let scene = Scene::load(scene)?;
    let run_folder = RunFolder::choose(Some(Path::new(folder)), scene.name(), Intent::ContinueOrBegin)?;
    let options = Options { checkpoints: Checkpoints::Frames(1), ..Options::default() };
    let mut run = Run::open(&scene, scene.build::<f32>()?, &run_folder, &options)?;
    while run.step()?.is_some() {
        if run.frame() >= stop {
            return Ok(());
        }
    }
    println!("{}", run.finish(&[])?.report.summary.state_hash);
    Ok(())
}
