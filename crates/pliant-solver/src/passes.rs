//! The passes that there are, one per file, and their list.

mod contacts;
mod damp;
mod drive;
mod find;
mod guard;
mod list;
mod predict;
mod sweep;
mod velocity;
mod wind;

pub use list::PassError;
pub(crate) use list::Passes;
