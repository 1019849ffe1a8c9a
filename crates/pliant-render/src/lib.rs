//! Pictures of meshes without a GPU: shaded pictures, animations, contact sheets and plots.
//!
//! Simulations often run on machines without a screen or graphics card, and their results should be visible all the
//! same. This crate draws triangle meshes, the surfaces of tetrahedral meshes, lines and points in software: smooth
//! shading, soft shadows on a ground, edges without jags, and colours for numbers with a legend. It does not deal with
//! physics or scene files: positions and triangles in, pixels out.
//!
//! ```
//! use pliant_mesh::TriMesh;
//! use pliant_render::{Drawable, Drawing, Renderer, Size, StageFit, Style, View};
//!
//! let ball = TriMesh::icosphere(0.5, 12)?;
//! let size = Size::new(160, 120)?;
//!
//! // The camera sees everything in every frame; here there is one frame.
//! let mut fit = StageFit::new(View::default(), size)?;
//! fit.add(ball.positions());
//!
//! let renderer = Renderer::new(size, fit.stage()).style(Style::default().ground(-0.5));
//! let drawing = Drawing::new(vec![Drawable::cloth(ball.positions(), ball.triangles())]);
//! let png: Vec<u8> = renderer.render(&drawing)?.picture.to_png()?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a picture is made
//!
//! The positions of a frame are projected and rounded to 256ths of a pixel. Each pixel has up to sixteen
//! samples, and for each of them the nearest surface is found by exact integer arithmetic, so that
//! neighbouring triangles leave no gap and share no sample. Then each pixel is coloured once for every
//! surface that its samples see. The work is shared among the threads of the rayon pool by bands of rows; the
//! picture is the same to the last bit for any number of threads. A frame of 20 000 triangles at 640 × 480,
//! with eight samples and a ground, takes less than 0.1 s on one core.
//!
//! Nothing here panics on the data of a failed simulation: triangles with a position that is not finite
//! are left out and counted ([`Rendered::skipped`]), an empty mesh is a picture of the background, and sizes are
//! limited ([`Size`]).
//!
//! | for | use |
//! |---|---|
//! | a camera that sees a whole animation | [`StageFit`] |
//! | cloth, a solid, rods, balls | [`Drawable`], [`TetSurface`] |
//! | a field in colour, with a legend | [`Drawable::vertex_field`], [`Scale`], [`ColourMap`] |
//! | a wall that hides nothing from behind | [`Drawable::opacity`] |
//! | a place pointed at, through whatever hides it | [`Mark`] |
//! | a ground, another light, a dark room | [`Style`] |
//! | a picture | [`Renderer::render`], [`Picture::write_png`] |
//! | an animation | [`encode_gif`], [`encode_apng`], [`write_gif`], [`write_apng`] |
//! | an animation at a glance | [`contact_sheet`] |
//! | a curve over time | [`Plot`] |
//! | whether a picture is still as it was | [`Golden`] |
#![forbid(unsafe_code)]

mod animation;
mod assemble;
mod band;
mod camera;
mod colour;
mod colour_map;
mod coverage;
mod drawing;
mod error;
mod file;
mod gif_file;
mod golden;
mod legend;
mod lighting;
mod mark;
mod palette;
mod picture;
#[cfg(not(target_arch = "wasm32"))]
mod plot;
mod png_file;
mod project;
mod renderer;
mod shade;
mod shadow;
mod sheet;
mod style;
mod text;
#[cfg(not(target_arch = "wasm32"))]
mod vacant;

use std::path::Path;

pub use camera::{Camera, Stage, StageFit, View};
pub use colour::Rgb;
pub use colour_map::{ColourMap, Scale};
pub use drawing::{Drawable, Drawing, Paint, Primitives, TetSurface};
pub use error::RenderError;
pub use gif_file::encode_gif;
pub use golden::Golden;
pub use lighting::Lighting;
pub use mark::Mark;
pub use picture::{Picture, Size};
#[cfg(not(target_arch = "wasm32"))]
pub use plot::{Axis, Plot, Series};
pub use png_file::encode_apng;
pub use renderer::{Rendered, Renderer};
pub use sheet::contact_sheet;
pub use style::{Ground, Smoothing, Style};

/// Writes an animation as GIF, see [`encode_gif`]; the file appears whole or not at all.
///
/// # Errors
///
/// As [`encode_gif`], or if the file cannot be written.
pub fn write_gif(path: impl AsRef<Path>, frames: &[Picture], seconds: f64) -> Result<(), RenderError> {
    file::write(path.as_ref(), &encode_gif(frames, seconds)?)
}

/// Writes an animation as APNG, see [`encode_apng`]; the file appears whole or not at all.
///
/// # Errors
///
/// As [`encode_apng`], or if the file cannot be written.
pub fn write_apng(path: impl AsRef<Path>, frames: &[Picture], seconds: f64) -> Result<(), RenderError> {
    file::write(path.as_ref(), &encode_apng(frames, seconds)?)
}

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
