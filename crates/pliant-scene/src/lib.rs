//! Scene files: their data model, their checks, and the simulations that are built from them.
//!
//! A scene is a TOML file. It goes through three stages, each with its own kind of error:
//!
//! 1. **Model** ([`model`]): plain structures; every unknown key, wrong type and number out of its bounds is
//!    an error of the parser.
//! 2. **Check** ([`Scene::load`], [`Scene::parse`], [`Scene::check`]): every choice made exactly once, every
//!    name known, and numbers that depend on others.
//! 3. **Build** ([`Scene::build`]): meshes are read or generated, placed and judged; pins select their vertices; the
//!    [`Simulation`](pliant_solver::Simulation) is planned.
//!
//! The model does not store places of the text. A fault names the [field](FieldPath) that it is about; the
//! text is parsed again for the line and column of that field only when an error is made. Therefore scenes
//! made by programs and scenes from files are one type, and errors of both say where they are:
//! [`SceneError`].
//!
//! ```text
//! scene.toml:12:24: the compliance is -1e-6; expected 0 (rigid) or a positive number, m/N (at body[0].edges.compliance: `-1e-6`)
//! ```
//!
//! A [`StackFile`] is the same for a stack of deformers that an animated mesh goes through ([`pliant_deform`]).
//!
//! [`templates`] and [`stack_templates`] are commented examples that show all features; [`schema`] and
//! [`stack_schema`] are JSON schemas for editors.
#![forbid(unsafe_code)]

mod build;
mod check;
mod choice;
mod clip;
mod edit;
mod elsewhere;
mod end_state;
mod error;
mod field;
mod foresight;
mod keys;
mod load;
mod materials;
pub mod model;
mod moduli;
mod noun;
#[cfg(feature = "f64")]
mod precise;
mod schema;
mod source;
mod stack;
mod suggest;
mod template;
mod toml_reader;
mod toml_writer;

pub use build::{Binding, Built, BuiltBody, FinePlaces, FineSurfaces, Visual, rigid_motion};
pub use end_state::{EndBody, EndSeam, EndState};
pub use error::{Invalid, SceneError, SourceSpan};
pub use field::FieldPath;
pub use foresight::{Feature, Number, Remark, RemarkKind};
pub use keys::set_key;
pub use load::{Scene, parse_part};
pub use materials::{Fabric, Material, MaterialRanges, MaterialValues, materials};
pub use model::{Precision, SceneModel};
#[cfg(feature = "f64")]
pub use precise::Precise;
#[cfg(feature = "schemars")]
pub use schema::generated as generated_schema;
pub use schema::{SCHEMA_FILE, STACK_SCHEMA_FILE, schema, stack_schema};
pub use stack::{
    BuiltStack, FrameError, Posed, StackFile, StackModel, StackTemplate, model as stack_model,
    stack_templates,
};
pub use suggest::nearest;
pub use template::{Template, templates};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
