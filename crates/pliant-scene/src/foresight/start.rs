//! Particles that start inside an obstacle.

use pliant_mesh::counted;
use pliant_solver::Float;

use super::{Feature, Number, Remark, RemarkKind};
use crate::build::Built;

/// Depths below this share of an edge do not count as inside, because bodies are put on floors.
const SHALLOW: f64 = 0.01;

pub(super) fn start<T: Float>(built: &Built<T>) -> Option<Remark> {
    let report = built.simulation.report();
    let contacts = report.residual("contacts")?;
    let (depth, at) = (contacts.max.value, contacts.max.at?);
    let body = built.bodies.iter().find(|body| body.particles.contains(&at))?;
    if depth <= SHALLOW * body.mean_edge()? {
        return None;
    }
    let (count, vertex) = (contacts.constraints, at - body.particles.start);
    Some(Remark {
        kind: RemarkKind::Start,
        bodies: vec![body.name.clone()],
        part: Some(Feature::Vertex(vertex)),
        numbers: vec![
            Number { name: "count", value: count as f64, unit: "1" },
            Number { name: "depth", value: depth, unit: "m" },
        ],
        what: format!(
            "{} inside an obstacle, vertex {vertex} of {} deepest, by {depth:.3e} m",
            counted(count, "vertex starts", "vertices start"),
            body.name
        ),
        remedy: "Move the body or the obstacle until they are apart".to_owned(),
    })
}
