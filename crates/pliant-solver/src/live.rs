//! Changes while a simulation runs: handles of bodies, springs that drag, pins, forces, settings, obstacles.
//!
//! A call takes effect with the next [`advance`](crate::Simulation::advance). Everything that calls have
//! changed is part of a [`Snapshot`](crate::Snapshot), so the same calls at the same frames give the same
//! bits, also after a checkpoint.
//!
//! | file | what |
//! |---|---|
//! | `state.rs` | what a snapshot keeps |
//! | `bodies.rs` | handles of bodies, and lists of their positions |
//! | `grabs.rs`, `pins.rs`, `forces.rs` | what acts on particles |
//! | `medium.rs`, `compliance.rs`, `obstacles.rs` | what they are made of and move among |
//! | `rebuild.rs`, `carry.rs` | bodies that are added and removed, and the state of the others |
//! | `cues.rs` | moments with which motions begin |
//! | `frame.rs` | what happens at the start of a frame, and when a state is restored |
//! | `changes.rs` | all changes, without what the simulation was built with, for records and files |

pub(crate) mod bodies;
pub(crate) mod carry;
pub(crate) mod changes;
pub(crate) mod compliance;
pub(crate) mod cues;
pub(crate) mod error;
pub(crate) mod forces;
pub(crate) mod frame;
pub(crate) mod grabs;
pub(crate) mod medium;
pub(crate) mod obstacles;
pub(crate) mod pins;
pub(crate) mod rebuild;
pub(crate) mod state;
