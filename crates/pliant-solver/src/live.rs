//! What is changed while a simulation runs: handles of bodies, springs that drag, pins, forces, settings, obstacles.
//!
//! A call takes effect with the next [`advance`](crate::Simulation::advance). Everything that calls have changed is part of a [`Snapshot`](crate::Snapshot), so the same calls at the same frames give the same bits, from a
//! checkpoint on too.

pub(crate) mod bodies;
pub(crate) mod carry;
pub(crate) mod compliance;
pub(crate) mod error;
pub(crate) mod forces;
pub(crate) mod frame;
pub(crate) mod grabs;
pub(crate) mod medium;
pub(crate) mod numbers;
pub(crate) mod obstacles;
pub(crate) mod pins;
pub(crate) mod rebuild;
pub(crate) mod state;
