//! Regions: which vertices they hold, and which places.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::{Aabb, RepairReport};

use super::named::{self, Named};
use super::place::unit;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{RegionModel, SelectBox};

/// A body of which parts are selected.
pub(crate) struct Held<'a> {
    pub(crate) body: &'a str,
    pub(crate) mesh: &'a Mesh,
    /// The number here of each vertex of the file, where some were removed.
    pub(crate) renumbered: Option<&'a [Option<u32>]>,
    /// What was repaired, which may have made copies of vertices, and new ones.
    pub(crate) repaired: Option<&'a RepairReport>,
    /// What its file says of it by name.
    pub(crate) named: &'a Named,
}

impl<'a> Held<'a> {
    /// A mesh as it is, of whose parts nothing is known by name.
    pub(crate) fn plain(body: &'a str, mesh: &'a Mesh) -> Self {
        Self { body, mesh, renumbered: None, repaired: None, named: &Named::NOTHING }
    }

    /// Number of vertices of the file.
    pub(super) fn file_vertices(&self) -> usize {
        self.renumbered.map_or(self.mesh.positions().len(), <[_]>::len)
    }

    /// The number in the file of each vertex; none for those that a repair made.
    pub(super) fn file_numbers(&self) -> Vec<Option<usize>> {
        match (self.repaired, self.renumbered) {
            (Some(report), _) => report.vertex_of.iter().map(|old| old.map(|old| old as usize)).collect(),
            (None, None) => (0..self.mesh.positions().len()).map(Some).collect(),
            // Removal keeps the order, so that those that were kept are numbered as they come.
            (None, Some(renumbered)) => {
                (0..renumbered.len()).filter(|&old| renumbered[old].is_some()).map(Some).collect()
            }
        }
    }

    /// Adds the copies that a repair made of some vertices.
    fn with_copies(&self, mut vertices: Vec<u32>) -> Vec<u32> {
        if let Some(report) = self.repaired {
            let mut copied = vec![false; self.file_vertices()];
            for &v in &vertices {
                if let Some(old) = report.vertex_of[v as usize] {
                    copied[old as usize] = true;
                }
            }
            let is_copied = |old: &Option<u32>| old.is_some_and(|old| copied[old as usize]);
            vertices
                .extend((0_u32..).zip(&report.vertex_of).filter(|(_, old)| is_copied(old)).map(|(v, _)| v));
        }
        vertices
    }

    /// The vertex that has a number in the mesh as the file has it; `who` holds it.
    pub(super) fn vertex(&self, at: &FieldPath, number: u32, who: &str) -> Result<u32, Fault> {
        let count = self.file_vertices();
        if number as usize >= count {
            let problem =
                format!("{who} holds vertex {number}, but body {:?} has {count} vertices", self.body);
            let expected = format!("a number from 0 to {}", count.saturating_sub(1));
            return Err(Fault::new(at.clone(), problem, expected));
        }
        let here = self.renumbered.map_or(Some(number), |renumbered| renumbered[number as usize]);
        here.ok_or_else(|| {
            let problem = match self.repaired {
                Some(_) => format!("{who} holds vertex {number}, which the repair of the mesh dropped"),
                None => format!("{who} holds vertex {number}, which belongs to no element and was removed"),
            };
            Fault::new(at.clone(), problem, "a vertex of an element")
        })
    }
}

/// The vertices of a region, ascending, each once; `who` holds them.
pub(crate) fn vertices(
    at: &FieldPath,
    model: &RegionModel,
    held: &Held<'_>,
    who: &str,
) -> Result<Vec<u32>, Fault> {
    if let Some(group) = &model.group {
        return named::vertices(&at.key("group"), group, held, who);
    }
    let Some(list) = &model.vertices else { return by_position(at, model, held, who) };
    let at = at.key("vertices");
    let found = list.iter().enumerate().map(|(i, &number)| held.vertex(&at.index(i), number, who));
    let mut vertices = held.with_copies(found.collect::<Result<Vec<u32>, Fault>>()?);
    vertices.sort_unstable();
    vertices.dedup();
    Ok(vertices)
}

/// The places of a region that is given by position, with a tolerance of rounding.
#[derive(Debug, Clone)]
pub(super) struct Places {
    model: RegionModel,
    bounds: Aabb,
    slack: f64,
}

impl Places {
    /// Those of a body with these vertices.
    pub(super) fn new(model: &RegionModel, positions: &[Vector3<f64>]) -> Self {
        let bounds =
            Aabb::of_points(positions).unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
        // Rotated and scaled meshes miss round numbers by rounding; a vertex meant to be on the side of a region is in it.
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
        return unit(&region.normal).dot(&(x - Vector3::from(region.point))) >= -slack;
    }
    model.sphere.as_ref().is_some_and(|ball| (x - Vector3::from(ball.centre)).norm() <= ball.radius + slack)
}

fn show(x: &Vector3<f64>) -> String {
    // Four digits are enough to find a body; `+ 0.0` turns −0 into 0.
    let round = |c: f64| (c * 1e4).round() / 1e4 + 0.0;
    format!("[{}, {}, {}]", round(x.x), round(x.y), round(x.z))
}
