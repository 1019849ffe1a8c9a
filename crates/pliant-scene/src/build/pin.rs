//! Pins: which vertices they hold.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::Aabb;
use pliant_solver::Pin;

use super::motion::{Clock, pin_motion};
use super::place::unit;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{PinModel, SelectBox};
use crate::source::Source;

/// The body that a pin holds.
pub(super) struct Held<'a> {
    pub(super) body: &'a str,
    pub(super) mesh: &'a Mesh,
    /// The number here of each vertex of the file, where some were removed.
    pub(super) renumbered: Option<&'a [Option<u32>]>,
}

impl Held<'_> {
    /// Number of vertices of the file.
    pub(super) fn file_vertices(&self) -> usize {
        self.renumbered.map_or(self.mesh.positions().len(), <[_]>::len)
    }

    /// The number in the file of each vertex.
    pub(super) fn file_numbers(&self) -> Vec<usize> {
        match self.renumbered {
            None => (0..self.mesh.positions().len()).collect(),
            // Removal keeps the order, so that those that were kept are numbered as they come.
            Some(renumbered) => (0..renumbered.len()).filter(|&old| renumbered[old].is_some()).collect(),
        }
    }
}

/// The pin, its selection resolved.
pub(super) fn pin(
    at: &FieldPath,
    model: &PinModel,
    held: &Held<'_>,
    clock: &Clock<'_>,
    source: &Source,
) -> Result<Pin, Fault> {
    let vertices = match &model.vertices {
        Some(list) => by_number(&at.key("vertices"), list, held)?,
        None => by_position(at, model, held)?,
    };
    let motion = match &model.motion {
        Some(motion) => Some(pin_motion(&at.key("motion"), motion, &vertices, held, clock, source)?),
        None => None,
    };
    let mut pin = Pin::vertices(vertices);
    if let Some(motion) = motion {
        pin = pin.motion(motion);
    }
    if let Some(compliance) = model.compliance {
        pin = pin.compliance(compliance);
    }
    if let Some(time) = model.release {
        pin = pin.release_at(time);
    }
    Ok(pin)
}

/// The vertices with these numbers in the mesh as the file has it, ascending, each once.
fn by_number(at: &FieldPath, list: &[u32], held: &Held<'_>) -> Result<Vec<u32>, Fault> {
    let count = held.file_vertices();
    let mut vertices = Vec::with_capacity(list.len());
    for (i, &number) in list.iter().enumerate() {
        if number as usize >= count {
            let problem =
                format!("the pin holds vertex {number}, but body {:?} has {count} vertices", held.body);
            return Err(Fault::new(
                at.index(i),
                problem,
                format!("a number from 0 to {}", count.saturating_sub(1)),
            ));
        }
        let here = held.renumbered.map_or(Some(number), |renumbered| renumbered[number as usize]);
        vertices.push(here.ok_or_else(|| {
            let problem =
                format!("the pin holds vertex {number}, which belongs to no element and was removed");
            Fault::new(at.index(i), problem, "a vertex of an element")
        })?);
    }
    vertices.sort_unstable();
    vertices.dedup();
    Ok(vertices)
}

/// The vertices in the selected region, with a tolerance of rounding.
fn by_position(at: &FieldPath, model: &PinModel, held: &Held<'_>) -> Result<Vec<u32>, Fault> {
    let positions = held.mesh.positions();
    let bounds = Aabb::of_points(positions).unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
    let relative = model.relative == Some(true);
    // Rotated and scaled meshes miss round numbers by rounding; a vertex meant to be on the side of a region is in it.
    let slack = 1e-9 * if relative { 1.0 } else { bounds.diagonal() };
    let size = bounds.size();
    let coordinates = |x: &Vector3<f64>| {
        if relative {
            (x - bounds.min).zip_map(&size, |d, size| if size > 0.0 { d / size } else { 0.0 })
        } else {
            *x
        }
    };
    let vertices: Vec<u32> = (0_u32..)
        .zip(positions)
        .filter(|(_, x)| holds(model, &coordinates(x), slack))
        .map(|(v, _)| v)
        .collect();
    if vertices.is_empty() {
        let problem =
            format!("the pin selects none of the {} vertices of body {:?}", positions.len(), held.body);
        let expected = if relative {
            "a region that holds a vertex; with `relative` the body reaches from 0 to 1 along each axis"
                .to_owned()
        } else {
            format!(
                "a region that holds a vertex; the body reaches from {} to {}",
                show(&bounds.min),
                show(&bounds.max)
            )
        };
        let key = model.chosen(at, "which vertices the pin holds")?;
        return Err(Fault::new(at.key(key), problem, expected));
    }
    Ok(vertices)
}

/// Whether the region of the pin, grown by `slack`, holds a point.
fn holds(model: &PinModel, x: &Vector3<f64>, slack: f64) -> bool {
    if let Some(SelectBox { min, max }) = &model.within_box {
        return (0..3).all(|k| x[k] >= min[k] - slack && x[k] <= max[k] + slack);
    }
    if let Some(region) = &model.half_space {
        return unit(&region.normal).dot(&(x - Vector3::from(region.point))) >= -slack;
    }
    model.sphere.as_ref().is_some_and(|ball| (x - Vector3::from(ball.centre)).norm() <= ball.radius + slack)
}

fn show(x: &Vector3<f64>) -> String {
    // Four digits are enough to find a body; `+ 0.0` turns −0 into 0.
    let round = |c: f64| (c * 1e4).round() / 1e4 + 0.0;
    format!("[{}, {}, {}]", round(x.x), round(x.y), round(x.z))
}
