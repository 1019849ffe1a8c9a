//! Files out: single meshes, and animations frame by frame.

mod abaqus;
mod atomic;
mod columns;
mod error;
mod frame;
mod glb;
mod mdd;
mod medit;
mod mesh;
mod msh;
mod number;
mod obj;
mod off;
mod outside;
mod pc2;
mod ply;
mod pvd;
mod sequence;
mod stl;
mod tetgen;
mod usda;
mod vtk_legacy;
mod vtu;
mod vtu_series;

pub use error::ExportError;
pub use frame::{Field, FieldValues, Frame, FrameWriter};
pub use glb::GlbAnimation;
pub use mdd::MddWriter;
pub use mesh::{write_mesh, write_mesh_with};
pub use pc2::{Pc2Options, Pc2Writer};
pub use sequence::MeshSequence;
pub use usda::{UpAxis, UsdaOptions, UsdaWriter};
pub use vtu::{Precision, VtuEncoding, VtuOptions};
pub use vtu_series::VtuSeries;
