//! How far does a hanging sheet stretch? A study over the compliance of its edges and the number of substeps,
//! as a table and a plot.
//!
//! `cargo run -p pliant-sweep --example compliance [FOLDER]`
#![allow(clippy::print_stdout, reason = "an example reports what it does")]

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

use pliant_render::Size;
use pliant_sweep::{Chart, Shard, Study, Table, work};

const SCENE: &str = r#"frames = 60
[[body]]
name = "sheet"
mesh = { grid = { vertices = [15, 15], size = [1.0, 1.0] } }
edges = { compliance = 1e-5 }
pin = [{ vertices = [0, 14] }]
[output]
formats = ["pc2"]
"#;

const STUDY: &str = r#"scene = "sheet.toml"
[vary]
"body.0.edges.compliance" = { log = [1e-6, 1e-2] }
"solver.substeps" = [5, 20]
[sample]
method = "sobol"
samples = 16
seed = 1
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| "compliance-study".into(), PathBuf::from);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("sheet.toml"), SCENE)?;
    fs::write(folder.join("study.toml"), STUDY)?;
    let study = Study::load(&folder.join("study.toml"))?;
    let units = study.expand(&folder, Shard::default())?;
    let cores = available_parallelism().map_or(1, NonZero::get);
    let tally = work(&folder, &units, cores, &|| false, &mut |step| {
        println!("{} of {}: {:?}", step.done, step.of, step.outcome);
    });
    println!("{} finished, {} were there before", tally.finished, tally.whole);
    let table = Table::read(&folder)?;
    fs::write(folder.join("table.csv"), table.to_csv())?;
    let chart = Chart {
        quantity: "stretch.max".to_owned(),
        over: "body.0.edges.compliance".to_owned(),
        by: Some("solver.substeps".to_owned()),
    };
    chart.plot(&table)?.write_png(folder.join("stretch.png"), Size::new(960, 600)?)?;
    println!("{}", folder.join("stretch.png").display());
    Ok(())
}
