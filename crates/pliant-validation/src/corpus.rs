//! `cargo xtask corpus`: every mesh of a folder with a manifest, read in a child process and judged by its row.
//!
//! The manifest is a table of tabs with a line of column names; [`judge`] documents the columns and the
//! requirements on a reader. A child reads one file and prints what it saw ([`facts`]), so that a reader that
//! panics, hangs or takes too much memory fails only its row.

mod child;
mod facts;
mod judge;
mod manifest;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;

use crate::Outcome;

use child::Limits;
use facts::Facts;
use judge::Verdict;

/// Read every file of a mesh corpus under its rule: DIR/manifest.tsv lists the content of each.
#[derive(Parser)]
pub(crate) struct Args {
    /// The folder with manifest.tsv
    #[arg(long)]
    dir: PathBuf,
    /// Only files whose path holds this text
    #[arg(long)]
    only: Option<String>,
    /// Seconds allowed for one file
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Print every file with its content
    #[arg(long)]
    verbose: bool,
    /// Read one file and print its content as JSON
    #[arg(long, hide = true)]
    child: Option<PathBuf>,
}

/// The results for the files of one format.
#[derive(Default)]
struct Tally {
    files: usize,
    passed: usize,
    meshes: usize,
    refused: usize,
    judged: usize,
    failed: usize,
}

pub(crate) fn run(args: &Args) -> Outcome {
    if let Some(file) = &args.child {
        println!("{}", serde_json::to_string(&Facts::of(file))?);
        return Ok(());
    }
    let rows = manifest::read(&args.dir)?;
    let start = Instant::now();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut judged = Vec::new();
    let mut failed = 0;
    for row in rows.iter().filter(|row| args.only.as_ref().is_none_or(|only| row.file.contains(only))) {
        let tally = tallies.entry(row.family().to_owned()).or_default();
        tally.files += 1;
        if !row.is_read() {
            tally.passed += 1;
            continue;
        }
        let path = args.dir.join(&row.file);
        let facts = child::read(&path, &Limits::of(row, args.seconds));
        if args.verbose {
            println!("{}: {facts:?}", row.file);
        }
        match judge::judge(row, &path, facts) {
            Verdict::Mesh => tally.meshes += 1,
            Verdict::Refused => tally.refused += 1,
            Verdict::Judged(reason) => {
                tally.judged += 1;
                judged.push(format!("{}: {reason}", row.file));
            }
            Verdict::Fails(why) => {
                println!("FAILS {}: {why}", row.file);
                tally.failed += 1;
                failed += 1;
                continue;
            }
        }
        tally.passed += 1;
    }
    for line in &judged {
        println!("judged {line}");
    }
    println!(
        "{:<12} {:>6} {:>7} {:>7} {:>8} {:>7} {:>6}",
        "format", "files", "passed", "meshes", "refused", "judged", "failed"
    );
    for (family, t) in &tallies {
        println!(
            "{family:<12} {:>6} {:>7} {:>7} {:>8} {:>7} {:>6}",
            t.files, t.passed, t.meshes, t.refused, t.judged, t.failed
        );
    }
    let sum = |count: fn(&Tally) -> usize| tallies.values().map(count).sum::<usize>();
    println!(
        "{:<12} {:>6} {:>7} {:>7} {:>8} {:>7} {:>6}   in {:.1} s",
        "all",
        sum(|t| t.files),
        sum(|t| t.passed),
        sum(|t| t.meshes),
        sum(|t| t.refused),
        sum(|t| t.judged),
        sum(|t| t.failed),
        start.elapsed().as_secs_f64()
    );
    if failed > 0 {
        return Err(format!("{failed} files of the corpus fail").into());
    }
    Ok(())
}
