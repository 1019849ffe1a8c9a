//! Collision settings of bodies and of pairs of bodies.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::TriMesh;
use pliant_solver::{Body, Collide, ContactPair, Pin, Shrink};

use super::files::Files;
use super::held::Held;
use super::motion::{Clock, cue, pin_motion};
use super::{Binding, Visual};
use super::{jumps, swift};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, ContactModel, SceneModel};

/// The groups with these names as bits of a mask; the checks ensure that there are at most 32 groups.
fn bits(all: &[&str], names: &[String]) -> u32 {
    let places = names.iter().filter_map(|name| all.iter().position(|known| known == name));
    places.fold(0, |bits, i| bits | 1 << i)
}

/// The body with its collision settings, which the checks have validated.
pub(super) fn collide(model: &BodyModel, scene: &SceneModel, body: Body) -> Body {
    let Some(table) = model.meets() else { return body };
    let groups = scene.groups();
    let is_obstacle = model.obstacle == Some(true);
    let mut collide = Collide::new().with_itself(table.itself.unwrap_or(!is_obstacle));
    if !table.groups.is_empty() {
        collide = collide.in_groups(bits(&groups, &table.groups));
    }
    if let Some(hits) = &table.hits {
        collide = collide.hits(bits(&groups, hits));
    }
    if let Some(friction) = table.friction {
        let [sticking, sliding] = friction.coefficients();
        collide = collide.friction_of(sticking, sliding);
    }
    if let Some(restitution) = table.restitution {
        collide = collide.restitution(restitution.get());
    }
    if let Some(compliance) = table.compliance {
        collide = collide.compliance(compliance.get());
    }
    body.collide(collide)
}

/// The body with the fine surface by which it collides, if it does: that of its `visual`, where it is when
/// the body has the shape `rest`.
pub(super) fn skin(
    at: &FieldPath,
    model: &BodyModel,
    visual: Option<&Visual>,
    rest: Option<&Mesh>,
    body: Body,
) -> Result<Body, Fault> {
    if model.meets().and_then(|table| table.skin) != Some(true) {
        return Ok(body);
    }
    let at = at.key("collide").key("skin");
    let Some(Visual { mesh, binding }) = visual else {
        let problem = "the body carries no fine surface by which it could collide";
        return Err(Fault::new(at, problem, "a `visual`, a mesh that is filled, or `skin` to be left out"));
    };
    if matches!(binding, Binding::Triangles(_)) {
        let problem = "cloth collides by its simulated triangles, which its fine surface follows";
        return Err(Fault::new(at, problem, "`skin` to be left out"));
    }
    let mesh = match rest {
        Some(rest) => TriMesh::new(binding.apply(rest.positions()), mesh.triangles().to_vec())
            .map_err(|error| Fault::new(at, format!("the fine surface at rest: {error}"), ""))?,
        None => mesh.clone(),
    };
    Ok(body.skin(mesh))
}

/// The contact settings of a pair of bodies, which the checks have validated.
pub(super) fn contact(model: &ContactModel) -> ContactPair {
    let [a, b] = &model.bodies;
    let mut pair = ContactPair::new(a, b);
    if let Some(friction) = model.friction {
        let [sticking, sliding] = friction.coefficients();
        pair = pair.friction_of(sticking, sliding);
    }
    if let Some(restitution) = model.restitution {
        pair = pair.restitution(restitution.get());
    }
    match model.compliance {
        Some(compliance) => pair.compliance(compliance.get()),
        None => pair,
    }
}

/// A remark on a body that is thicker than its shortest edge is long.
pub(super) fn thickness_note(model: &BodyModel, mesh: &Mesh, visual: Option<&Visual>) -> Option<String> {
    let thickness = 2.0 * model.contact_radius?.get();
    let table = model.collide.as_ref()?.table()?;
    let (x, edges) = match (mesh, visual) {
        (_, Some(visual)) if table.skin == Some(true) => (visual.mesh.positions(), visual.mesh.edges()),
        (Mesh::Tri(mesh), _) => (mesh.positions(), mesh.edges()),
        (Mesh::Tet(mesh), _) => (mesh.positions(), pliant_mesh::unique_edges(&mesh.boundary_triangles())),
    };
    let lengths = edges.iter().map(|&[a, b]| (x[b as usize] - x[a as usize]).norm());
    let shortest = lengths.fold(f64::INFINITY, f64::min);
    (thickness > shortest).then(|| {
        format!(
            "it is {thickness:.2e} m thick, and its shortest edge is {shortest:.2e} m long: parts of it \
            that are closer to each other at rest keep 95 % of that distance"
        )
    })
}

/// The body with all its vertices held, if it is an obstacle, and remarks on how it moves.
pub(super) fn hold_obstacle(
    at: &FieldPath,
    model: &BodyModel,
    held: &Held<'_>,
    clock: &Clock<'_>,
    files: &Files<'_>,
    mut body: Body,
) -> Result<(Body, Vec<String>), Fault> {
    if model.obstacle != Some(true) {
        return Ok((body, Vec::new()));
    }
    let vertices: Vec<u32> = (0..).take(held.mesh.positions().len()).collect();
    let mut pin = Pin::vertices(vertices.iter().copied());
    let mut remarks = Vec::new();
    if let Some(shrink) = &model.shrink {
        let rest = held.start_positions().to_vec();
        let triangles = match held.mesh {
            Mesh::Tri(mesh) => mesh.triangles().to_vec(),
            Mesh::Tet(mesh) => mesh.boundary_triangles(),
        };
        let shrink = Shrink { by: shrink.by.get(), until: shrink.until.get(), triangles, rest: rest.clone() };
        body = body.start(shrink.places_at(0.0, rest));
        remarks.extend(thinned_note(&shrink));
        pin = pin.shrink(shrink);
    }
    if let Some(motion) = &model.motion {
        let moves = pin_motion(&at.key("motion"), motion, &vertices, held, clock, files)?;
        remarks.extend(jumps::remarks(&moves, held.start_positions(), clock.times.frame_rate));
        let cue = cue(motion, clock.scene);
        if let Some(radius) = model.contact_radius {
            remarks.extend(swift::remark(&moves, cue.is_some(), 2.0 * radius.get(), clock.scene));
        }
        pin = pin.motion(moves);
        if let Some(cue) = cue {
            pin = pin.begin_with(cue);
        }
    }
    Ok((body.pin_with(pin), remarks))
}

/// A remark on a body that turns inside out where it is thinner than twice the depth by which it shrinks.
fn thinned_note(shrink: &Shrink) -> Option<String> {
    let thin = shrink.places_at(0.0, shrink.rest.clone());
    let normal = |x: &[Vector3<f64>], t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| x[v as usize]);
        (b - a).cross(&(c - a))
    };
    let turned = shrink.triangles.iter().filter(|t| normal(&thin, t).dot(&normal(&shrink.rest, t)) <= 0.0);
    let count = turned.count();
    (count > 0).then(|| {
        let share = format!("{count} of {} triangles", shrink.triangles.len());
        format!("it is so thin that {share} turn over where it starts {} m thinner: a smaller `shrink` would keep them", shrink.by)
    })
}
