//! The passes, one per file, and their list.

mod coarse;
mod conclude;
mod contacts;
mod damp;
pub(crate) mod damping;
pub(crate) mod direction;
mod draw;
mod find;
mod forces;
mod guard;
pub(crate) mod integrate;
pub(crate) mod kinematics;
mod list;
mod move_held;
mod newton;
mod predict;
mod rebound;
mod sweep;
mod velocity;
mod wind;
pub(crate) mod wind_field;

pub use list::PassError;
pub(crate) use list::Passes;
