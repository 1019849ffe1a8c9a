//! Studies: many runs of one scene, in which some keys vary.
//!
//! A [`Study`] is a TOML file that names a scene and says which of its keys vary, and how. Its expansion is
//! pure: every combination of values is a [`Unit`], a scene of its own, named by a digest of what its answer
//! follows from. A study that grows keeps what is done, and a unit of two studies is one folder:
//!
//! ```text
//! DIR/units/<digest>/scene.toml        the scene, complete
//!                    parameters.json   the values that vary
//!                    run/              its run, as `pliant run --ensure` makes it
//! ```
//!
//! Whoever runs `DIR/units/<digest>` does the same work: [`work`] on the cores of this machine, a job of a
//! cluster, another program. A [`Shard`] is a part of a study for one of several machines.
//!
//! ```
//! use pliant_sweep::{Study, Table, work};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(
//!     folder.path().join("sheet.toml"),
//!     "frames = 2\n[[body]]\nmesh = { grid = { vertices = [4, 4], size = [1.0, 1.0] } }\narea_density = 0.3\nedges = { compliance = 0.0 }\n",
//! )?;
//! std::fs::write(
//!     folder.path().join("study.toml"),
//!     "scene = \"sheet.toml\"\n[vary]\n\"solver.substeps\" = [5, 10]\n\"body.0.edges.compliance\" = { log = [1e-8, 1e-4], steps = 3 }\n",
//! )?;
//!
//! let study = Study::load(&folder.path().join("study.toml"))?;
//! let out = folder.path().join("out");
//! let units = study.expand(&out, Default::default())?;
//! assert_eq!(units.len(), 6);
//! let tally = work(&out, &units, 2, &|| false, &mut |_| {});
//! assert!(tally.is_whole());
//! assert_eq!(Table::read(&out)?.rows.len(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod chart;
mod draw;
mod error;
mod expand;
mod files;
mod outcome;
mod shard;
mod slurm;
mod sobol;
mod study;
mod table;
mod unit;
mod vary;
mod work;

pub use chart::{Chart, ChartError};
pub use draw::Method;
pub use error::SweepError;
pub use outcome::Outcome;
pub use shard::{Shard, ShardError};
pub use slurm::slurm;
pub use sobol::{DIMENSIONS, Sobol};
pub use study::Study;
pub use table::{Row, State, Table};
pub use unit::{Unit, ensure};
pub use vary::Spread;
pub use work::{Step, Tally, work};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
