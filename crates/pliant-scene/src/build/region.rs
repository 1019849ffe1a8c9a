//! Regions: the vertices and the places that they hold.

use nalgebra::Vector3;
use pliant_mesh::Aabb;

use super::group;
use super::held::Held;
use super::place::unit;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{RegionModel, SelectBox};

/// The vertices of a region, ascending, each once; `who` names the owner in messages.
pub(crate) fn vertices(
    at: &FieldPath,
    model: &RegionModel,
    held: &Held<'_>,
    who: &str,
) -> Result<Vec<u32>, Fault> {
    if let Some(group) = &model.group {
        return group::vertices(&at.key("group"), group, held, who);
    }
    let Some(list) = &model.vertices else { return by_position(at, model, held, who) };
    let at = at.key("vertices");
    let found = list.iter().enumerate().map(|(i, &number)| held.vertex(&at.index(i), number, who));
    let mut vertices = held.with_copies(found.collect::<Result<Vec<u32>, Fault>>()?);
    vertices.sort_unstable();
    vertices.dedup();
    Ok(vertices)
}

/// The places of a region that is given by position, with a tolerance for rounding.
#[derive(Debug, Clone)]
pub(super) struct Places {
    model: RegionModel,
    bounds: Aabb,
    slack: f64,
}

impl Places {
    /// The places for a body with these vertices.
    pub(super) fn new(model: &RegionModel, positions: &[Vector3<f64>]) -> Self {
        let bounds =
            Aabb::of_points(positions).unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
        // Rotated and scaled meshes miss round numbers by rounding; a vertex meant to lie on the side of a
        // region counts as inside.
        let slack = 1e-9 * if model.relative == Some(true) { 1.0 } else { bounds.diagonal() };
        Self { model: model.clone(), bounds, slack }
    }

    /// Whether the region holds a point.
    pub(super) fn hold(&self, x: &Vector3<f64>) -> bool {
        if self.model.relative != Some(true) {
            return holds(&self.model, x, self.slack);
        }
        let size = self.bounds.size();
        let share = (x - self.bounds.min).zip_map(&size, |d, size| if size > 0.0 { d / size } else { 0.0 });
        holds(&self.model, &share, self.slack)
    }
}

/// The vertices in a region that is given by position.
fn by_position(at: &FieldPath, model: &RegionModel, held: &Held<'_>, who: &str) -> Result<Vec<u32>, Fault> {
    let positions = held.mesh.positions();
    let places = Places::new(model, positions);
    let vertices: Vec<u32> =
        (0_u32..).zip(positions).filter(|(_, x)| places.hold(x)).map(|(v, _)| v).collect();
    if vertices.is_empty() {
        let problem =
            format!("{who} selects none of the {} vertices of body {:?}", positions.len(), held.body);
        return Err(nothing(at, model, &places.bounds, problem, "a vertex")?);
    }
    Ok(vertices)
}

/// The fault of a region that holds no `element`.
pub(super) fn nothing(
    at: &FieldPath,
    model: &RegionModel,
    bounds: &Aabb,
    problem: String,
    element: &str,
) -> Result<Fault, Fault> {
    let expected = if model.relative == Some(true) {
        format!("a region that holds {element}; with `relative` the body reaches from 0 to 1 along each axis")
    } else {
        let (low, high) = (show(&bounds.min), show(&bounds.max));
        format!("a region that holds {element}; the body reaches from {low} to {high}")
    };
    let key = model.chosen(at, "the region")?;
    Ok(Fault::new(at.key(key), problem, expected))
}

/// Whether a region, grown by `slack`, holds a point.
fn holds(model: &RegionModel, x: &Vector3<f64>, slack: f64) -> bool {
    if let Some(SelectBox { min, max }) = &model.within_box {
        return (0..3).all(|k| x[k] >= min[k] - slack && x[k] <= max[k] + slack);
    }
    if let Some(region) = &model.half_space {
        return unit(region.normal).dot(&(x - Vector3::from(region.point))) >= -slack;
    }
    model
        .sphere
        .as_ref()
        .is_some_and(|ball| (x - Vector3::from(ball.centre)).norm() <= ball.radius.get() + slack)
}

fn show(x: &Vector3<f64>) -> String {
    // Four digits are enough to find a body; `+ 0.0` turns −0 into 0.
    let round = |c: f64| (c * 1e4).round() / 1e4 + 0.0;
    format!("[{}, {}, {}]", round(x.x), round(x.y), round(x.z))
}
