//! Mesh files in, animation files out.
//!
//! # Reading
//!
//! [`read_mesh`] recognises the format by the content, or else by the name. It returns the mesh *as the file
//! has it* together with an [`ImportReport`]: nothing is reordered, merged, scaled or repaired silently, so
//! that vertex 17 of the file is vertex 17 of the mesh, and pins, caches and other programs refer to the same
//! vertex. (STL has no shared vertices: corners at exactly the same place become one, and the report counts
//! them.)
//!
//! | format | read | attributes and groups read | written by [`write_mesh`] |
//! |---|---|---|---|
//! | Wavefront OBJ | polygons, negative numbers, groups, continued lines | `g`, `o`, `usemtl`; colours behind vertices; `vt` as `uv`, but not on seams | surfaces |
//! | PLY | text and binary of either byte order, all number types, strips | all properties of vertices and faces but lists | binary surfaces |
//! | STL | text and binary | names of solids in text; not the two bytes of a binary triangle | binary surfaces |
//! | OFF | text, with colours and normals | none | surfaces |
//! | glTF 2.0, GLB | triangles, strips, fans; transforms applied; buffers embedded or beside | `COLOR_n`, `TEXCOORD_n`, `_NAME`; names of nodes and materials | GLB surfaces |
//! | USD as text (`.usda`) | polygons, tetrahedra; transforms applied; first values in time | primvars of vertices and faces without indices; names of meshes, `GeomSubset` | surfaces |
//! | TetGen `.node`, `.ele` | either file finds the other, from 0 or 1 | `tetgen:attr1`…, markers and regions as `tetgen:ref` | solids, both files |
//! | Gmsh MSH | 1 to 4.1, text and binary | physical groups, `gmsh:physical`, `gmsh:geometrical`, `$NodeData`, `$ElementData` | 2.2, text |
//! | legacy VTK | text and binary, 1.0 to 5.1 | `POINT_DATA`, `CELL_DATA`: all numbers | 3.0, text |
//! | VTK XML (VTU, VTP) | text, base64, raw; zlib, LZ4, LZMA | `PointData`, `CellData`: all numbers | VTU, and VTP for surfaces: raw, zlib |
//! | MEDIT `.mesh` | text | references as `medit:ref` and as groups such as `Triangles 3` | text |
//! | Abaqus `.inp` | nodes and elements, parts | `*NSET`, `*ELSET` | nodes and elements |
//! | `.t` of Gaia, `.msh` of MuJoCo | all | there are none | – |
//!
//! Polygons are split around their first corner, and concave ones that would fold by clipping ears.
//! Hexahedra, wedges and pyramids are split into tetrahedra so that neighbours fit, and curved cells reduced
//! to their corners; the report says so. A file with tetrahedra becomes a solid, one with triangles and
//! polygons a surface ([`Mesh`]). An index out of range, a coordinate that is not finite and a vertex twice
//! in one tetrahedron are errors; a face that names a vertex twice is left out and counted; inverted, flat or
//! repeated elements are in the report, and the caller decides whether they matter. Errors name the file, the
//! line or byte, what was found and what was expected. No file, however damaged, makes a reader panic, hang,
//! or allocate far beyond the size of the file: counts in headers are checked against the bytes that are
//! there.
//!
//! ```
//! use pliant_io::{Format, read_mesh_bytes};
//!
//! // As `read_mesh("square.obj")`, without a file.
//! let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let (mesh, report) = read_mesh_bytes(Format::Obj, text, "square.obj")?.into_tri()?;
//! assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
//! assert_eq!(report.polygons_fanned, 1);
//! assert!(report.is_clean());
//!
//! let error = read_mesh_bytes(Format::Obj, b"v 0 0 0\nf 1 2 3\n", "broken.obj").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "broken.obj, line 2: refers to vertex 3, but the vertices are numbered 1 to 1"
//! );
//! # Ok::<(), pliant_io::ImportError>(())
//! ```
//!
//! # Attributes and groups
//!
//! On request by [`ReadOptions`], a reader keeps the data of single vertices and elements: [`Attributes`] by
//! name. They follow the mesh: where a cell is split, each part has its numbers and is in its groups. A group
//! of cells that are not elements of the mesh (lines, or triangles beside tetrahedra) becomes one of their
//! vertices, which is what a pin needs. NaN stands where a file has no number. [`write_mesh_with`] writes
//! them as far as the format supports them.
//!
//! ```
//! use pliant_io::{Format, Location, ReadOptions};
//!
//! let text = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"top\"\n$EndPhysicalNames\n\
//!     $Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
//!     $Elements\n2\n1 2 2 1 1 2 3 4\n2 4 2 0 1 1 2 3 4\n$EndElements\n";
//! let solid = ReadOptions::with_attributes().read_bytes(Format::Msh, text, "solid.msh")?;
//! assert_eq!(solid.attributes.group("top", Location::Vertices).unwrap().members(), [1, 2, 3]);
//! # Ok::<(), pliant_io::ImportError>(())
//! ```
//!
//! # Writing
//!
//! An animation goes frame by frame to any number of [`FrameWriter`]s:
//!
//! | writer | for | holds |
//! |---|---|---|
//! | [`VtuSeries`] | ParaView, PyVista: open the `.pvd` | elements, positions, velocities, normals, any fields |
//! | [`Pc2Writer`], [`MddWriter`] | Blender's Mesh Cache modifier, and most packages | positions as f32 |
//! | [`UsdaWriter`] | USD: Houdini, Maya, Omniverse, Blender | positions, velocities, normals, fields of vertices |
//! | [`GlbAnimation`] | browsers and presentations: short clips | positions and normals as f32 |
//! | [`MeshSequence`] | everything else: numbered OBJ or PLY files | positions, triangles, normals; PLY also velocities and fields of vertices |
//!
//! Every file appears under its name when it is whole, and an index after the frames that it lists: an
//! interrupted run leaves complete files that can be opened, never half a file. [`PointCache`] reads PC2 and
//! MDD files back and [`Sequence`] numbered meshes, for vertices that are led along a given path and for
//! meshes that another program has animated. [`read_character`] reads skinned glTF meshes with skeleton and
//! animations.
#![forbid(unsafe_code)]

mod attributes;
mod character;
mod error;
mod finish;
mod format;
mod load;
mod location;
mod point_cache;
mod polygon;
mod progress;
mod quote;
mod raw;
mod raw_attributes;
mod read;
mod read_character;
mod report;
mod same_polygons;
mod sequence;
mod source;
mod text;
mod utf16;
mod write;

pub use attributes::{Attribute, AttributeError, Attributes, Group};
pub use character::Character;
pub use error::{ImportError, Place, unreadable};
pub use format::Format;
pub use location::Location;
pub use point_cache::PointCache;
pub use progress::Reading;
#[doc(hidden)]
pub use quote::cut;
pub use read::{MeshFile, ReadOptions, read_mesh, read_mesh_bytes};
pub use read_character::{read_character, read_character_bytes};
pub use report::{ImportReport, Imported, Mesh};
pub use sequence::Sequence;
pub use write::{
    ExportError, Field, FieldValues, Frame, FrameWriter, GlbAnimation, MddWriter, MeshSequence, Pc2Options,
    Pc2Writer, Precision, UpAxis, UsdaOptions, UsdaWriter, VtuEncoding, VtuOptions, VtuSeries, write_mesh,
    write_mesh_with,
};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
