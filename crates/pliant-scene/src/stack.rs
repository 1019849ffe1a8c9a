//! Stack files: an animated mesh, the deformers that it goes through, and its output.
//!
//! A stack file is TOML like a [scene](crate::Scene) and goes through the same three stages: [`StackModel`]
//! is the file, the checks judge every choice and name, and [`StackFile::build`] reads the meshes and makes a
//! [`pliant_deform::Stack`] of it.

mod build;
mod check;
mod load;
pub mod model;
mod template;

pub use build::{BuiltStack, FrameError, Posed};
pub use load::StackFile;
pub use model::StackModel;
pub use template::{StackTemplate, stack_templates};
