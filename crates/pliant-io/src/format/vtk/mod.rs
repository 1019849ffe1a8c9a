//! The common parts of the legacy and the XML format of VTK.
//!
//! Source: VTK file formats (<https://docs.vtk.org/en/latest/vtk_file_formats/index.html>) and the user's guide of VTK.

pub(crate) mod cell_list;
pub(crate) mod cell_types;
pub(crate) mod compression;
pub(crate) mod legacy_cells;
pub(crate) mod legacy_data;
pub(crate) mod legacy_field;
pub(crate) mod legacy_numbers;
pub(crate) mod scalar;
pub(crate) mod xml_data;
pub(crate) mod xml_tree;
