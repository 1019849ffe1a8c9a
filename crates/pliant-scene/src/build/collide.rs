//! How bodies meet.

use pliant_io::Mesh;
use pliant_solver::{Body, Collide, Pin};

use super::motion::{Clock, pin_motion};
use super::region::Held;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, CollideBodyModel, CollideTable, FrictionModel, SceneModel};
use crate::source::Source;

/// The groups of a scene by name; the first is that of bodies that name none.
pub(super) struct Groups<'a>(Vec<&'a str>);

impl<'a> Groups<'a> {
    /// All groups; checked before to be few enough.
    pub(super) fn of(scene: &'a SceneModel) -> Self {
        let mut known = vec![""];
        for table in scene.bodies.iter().filter_map(|body| body.collide.as_ref()) {
            let CollideBodyModel::Table(table) = table else { continue };
            for group in &table.groups {
                if !known.contains(&group.as_str()) {
                    known.push(group);
                }
            }
        }
        Self(known)
    }

    fn bits(&self, names: &[String]) -> u32 {
        names
            .iter()
            .filter_map(|name| self.0.iter().position(|known| known == name))
            .fold(0, |bits, i| bits | 1 << i)
    }
}

/// The body with its way of meeting others; checked before.
pub(super) fn collide(model: &BodyModel, groups: &Groups<'_>, body: Body) -> Body {
    let is_obstacle = model.obstacle == Some(true);
    let table = match &model.collide {
        Some(collide) => collide.table(),
        None => is_obstacle.then(CollideTable::default),
    };
    let Some(table) = table else { return body };
    let mut collide = Collide::new().with_itself(table.itself.unwrap_or(!is_obstacle));
    if !table.groups.is_empty() {
        collide = collide.in_groups(groups.bits(&table.groups));
    }
    if let Some(hits) = &table.hits {
        collide = collide.hits(groups.bits(hits));
    }
    match table.friction {
        Some(FrictionModel::Both(coefficient)) => collide = collide.friction(coefficient),
        Some(FrictionModel::Separate(pair)) => collide = collide.friction_of(pair.sticking, pair.sliding),
        None => {}
    }
    body.collide(collide)
}

/// A remark on a body that is thicker than its shortest edge is long.
pub(super) fn thickness_note(model: &BodyModel, mesh: &Mesh) -> Option<String> {
    let thickness = 2.0 * model.contact_radius?;
    model.collide.as_ref()?.table()?;
    let (x, edges) = match mesh {
        Mesh::Tri(mesh) => (mesh.positions(), mesh.edges()),
        Mesh::Tet(mesh) => (mesh.positions(), pliant_mesh::unique_edges(&mesh.boundary_triangles())),
    };
    let lengths = edges.iter().map(|&[a, b]| (x[b as usize] - x[a as usize]).norm());
    let shortest = lengths.fold(f64::INFINITY, f64::min);
    (thickness > shortest).then(|| {
        format!(
            "it is {thickness:.2e} m thick, and its shortest edge is {shortest:.2e} m long: parts of it that are nearer to each other at rest keep 95 % of that distance"
        )
    })
}

/// The body with all its vertices held, if it is an obstacle.
pub(super) fn hold_obstacle(
    at: &FieldPath,
    model: &BodyModel,
    held: &Held<'_>,
    clock: &Clock<'_>,
    source: &Source,
    body: Body,
) -> Result<Body, Fault> {
    if model.obstacle != Some(true) {
        return Ok(body);
    }
    let vertices: Vec<u32> = (0..).take(held.mesh.positions().len()).collect();
    let pin = Pin::vertices(vertices.iter().copied());
    let pin = match &model.motion {
        Some(motion) => pin.motion(pin_motion(&at.key("motion"), motion, &vertices, held, clock, source)?),
        None => pin,
    };
    Ok(body.pin_with(pin))
}
