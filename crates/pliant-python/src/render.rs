//! Pictures as the bytes of a PNG file.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_render::{Drawable, Drawing, Renderer, Rgb, Size, StageFit, Style, View};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{elements, points};
use crate::error;
use crate::mesh::PyTriMesh;
use crate::pool::everywhere;
use crate::scene::PyScene;

/// Obstacles are grey.
const GREY: Rgb = Rgb(150, 152, 156);

/// Positions and triangles, the number of a colour, and whether the surface is closed.
type Given<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<usize>, bool);

/// A picture of surfaces: positions and triangles of each, the number of its colour, and whether it is
/// closed. One of no colour is an obstacle.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "named on the other side")]
pub(crate) fn render<'py>(
    py: Python<'py>,
    surfaces: Vec<Given<'py>>,
    size: (u32, u32),
    azimuth: f64,
    elevation: f64,
    ground: Option<f64>,
    caption: String,
) -> PyResult<Bound<'py, PyBytes>> {
    type Surface = (Vec<Vector3<f64>>, Vec<[u32; 3]>, Option<usize>, bool);
    let surfaces: Vec<Surface> = surfaces
        .into_iter()
        .map(|(x, t, colour, closed)| {
            Ok((points(&x, "positions")?, elements(&t, "triangles")?, colour, closed))
        })
        .collect::<PyResult<_>>()?;
    let drawn = everywhere(py, || {
        let size = Size::new(size.0, size.1)?;
        let mut fit = StageFit::new(View { azimuth, elevation, ..View::default() }, size)?;
        surfaces.iter().for_each(|(x, ..)| fit.add(x));
        let style = ground.map_or_else(Style::default, |height| Style::default().ground(height));
        let drawables = surfaces
            .iter()
            .map(|(x, t, colour, closed)| {
                let surface = if *closed { Drawable::solid(x, t) } else { Drawable::cloth(x, t) };
                match colour {
                    Some(body) => surface.colour(Rgb::of_body(*body)),
                    None => surface.colour(GREY),
                }
            })
            .collect();
        let frame = Drawing::new(drawables).caption(caption);
        Renderer::new(size, fit.stage()).style(style).render(&frame)?.picture.to_png()
    })?;
    let bytes = drawn.map_err(|error| error::plain(py, "RenderError", error))?;
    Ok(PyBytes::new(py, &bytes))
}

#[pymethods]
impl PyScene {
    /// What obstacles look like: the height of the floor, and the surfaces of those that stay where they are
    /// and have one.
    fn scenery(&self, py: Python<'_>) -> PyResult<(Option<f64>, Vec<PyTriMesh>)> {
        let mut surfaces = Vec::new();
        let mut floor = None;
        for (number, obstacle) in self.scene.model.obstacles.iter().enumerate() {
            if obstacle.motion.is_some() {
                continue;
            }
            let made = if let Some(model) = &obstacle.floor {
                floor = Some(model.height.get());
                None
            } else if let Some(ball) = &obstacle.sphere {
                TriMesh::icosphere(ball.radius.get(), 12)
                    .ok()
                    .and_then(|mesh| mesh.translated(ball.centre).ok())
            } else if let Some(shape) = &obstacle.solid_box {
                let [min, max] = [shape.min, shape.max].map(Vector3::from);
                let size = (max - min).into();
                let block = TetMesh::block([1; 3], size, Split::Five).ok();
                block.and_then(|block| block.translated(min).ok()).map(|block| block.surface().mesh)
            } else {
                self.scene.obstacle_surface(number).map_err(|error| self.unbuilt(py, &error))?
            };
            surfaces.extend(made.map(PyTriMesh));
        }
        Ok((floor, surfaces))
    }
}
