//! Runs of Pliant: from a scene to a folder with an animation, a report and a certificate. A run can be interrupted and
//! resumed.
//!
//! ```
//! use pliant_run::{Checkpoints, Intent, Options, RunFolder, Run};
//! use pliant_scene::Scene;
//!
//! let folder = tempfile::tempdir()?;
//! let [whole, halved] = ["whole", "halved"].map(|name| folder.path().join(name));
//! let scene = Scene::parse(
//!     r#"
//!     frames = 6
//!     [[body]]
//!     mesh = { grid = { vertices = [8, 8], size = [1.0, 1.0] } }
//!     area_density = 0.3
//!     edges = "rigid"
//!     pin = [{ vertices = [0] }]
//!     "#,
//!     ".",
//! )?;
//! let options = Options { checkpoints: Checkpoints::Frames(1), ..Options::default() };
//!
//! let run_folder = RunFolder::choose(Some(&whole), scene.name(), Intent::Begin)?;
//! let mut run = Run::open(&scene, scene.build::<f32>()?, &run_folder, &options)?;
//! while let Some(frame) = run.step()? {
//!     assert!(frame.report.is_some());
//! }
//! let uninterrupted = run.finish(&[])?.report.summary.state_hash;
//!
//! // The same, dropped after three frames …
//! let run_folder = RunFolder::choose(Some(&halved), scene.name(), Intent::Begin)?;
//! let mut run = Run::open(&scene, scene.build::<f32>()?, &run_folder, &options)?;
//! for _ in 0..3 {
//!     run.step()?;
//! }
//! drop(run);
//!
//! // … and resumed, as by `pliant run --continue`.
//! let run_folder = RunFolder::choose(Some(&halved), scene.name(), Intent::Continue)?;
//! let mut run = Run::open(&scene, scene.build::<f32>()?, &run_folder, &options)?;
//! assert_eq!(run.frame(), 3);
//! while run.step()?.is_some() {}
//! assert_eq!(run.finish(&[])?.report.summary.state_hash, uninterrupted);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Run`] combines everything. Its parts can be used alone: [`RunFolder`] and [`Folder`] give a folder to one
//! run at a time and know which files in it belong to the run, [`Sink`] writes the animation of one mesh in
//! one format, and [`report`], [`CertificateFile`] and [`saved`] are the files that runs leave.
#![forbid(unsafe_code)]

mod animation;
mod certificate;
mod certifier;
mod checkpoints;
mod chosen;
mod error;
pub mod files;
mod folder;
mod journal;
mod lock;
mod log;
mod measured;
mod names;
mod options;
mod origin;
mod output;
mod owned;
mod recording;
mod repaired;
pub mod report;
mod residuals;
mod run;
mod run_folder;
pub mod saved;
mod series;
mod stage;
mod state;
mod stepped;
mod tensors;
mod whole;

pub use animation::{Sink, Subject};
#[cfg(feature = "schemars")]
pub use certificate::generated_schema as generated_certificate_schema;
pub use certificate::{CertificateFile, certificate_schema};
pub use certifier::{FINE_CROSSINGS, fine_crossings};
pub use checkpoints::{Checkpoints, CheckpointsError};
pub use chosen::Chosen;
pub use error::RunError;
pub use folder::Folder;
pub use names::{ANIMATION, COMPLETE, Origin, PLOTS, SHEET, UNFINISHED};
pub use options::{Options, SubstepRange};
pub use origin::digest;
pub use recording::Recording;
pub use residuals::RESIDUAL;
pub use run::{Finished, Run};
pub use run_folder::{Claim, Intent, RunFolder};
pub use stepped::Stepped;
pub use whole::whole;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
