//! Damping, tethers, limits, pressure and shapes of a body.

use pliant_solver::{Body, Category, Compliance, Pressure, ShapeMatch};

use super::held::Held;
use super::region;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, Bounded, Limited, PressureModel, TethersModel};

/// The categories of constraints to which the damping of a body applies.
const DAMPED: [Category; 7] = [
    Category::Edges,
    Category::Membranes,
    Category::Bending,
    Category::Volumes,
    Category::Solids,
    Category::Shapes,
    Category::Pressure,
];

/// The body with its damping, tethers, limits, pressure and shapes, which the checks have validated.
pub(super) fn hold(
    at: &FieldPath,
    model: &BodyModel,
    held: &Held<'_>,
    mut body: Body,
) -> Result<Body, Fault> {
    if let Some(time) = model.damping_time {
        body = DAMPED.into_iter().fold(body, |body, category| body.damp(category, time.get()));
    }
    if let Some(slack) = model.tethers.and_then(TethersModel::slack) {
        body = body.tethers(slack);
    }
    if let Some(limit) = &model.strain_limit {
        let (compression, stretch) =
            (limit.compression.map_or(1.0, Bounded::get), limit.stretch.map_or(f64::INFINITY, Bounded::get));
        body = match limit.of {
            Limited::Edges => body.limit_edges(compression, stretch),
            Limited::Triangles => body.limit_stretch(compression, stretch),
        };
    }
    if let Some(pressure) = &model.pressure {
        body = body.pressure(filling(pressure));
    }
    for (i, shape) in model.shapes.iter().enumerate() {
        let compliance = shape.compliance.map_or(0.0, Bounded::get);
        let group = match &shape.region {
            None => ShapeMatch::all(Compliance::new(compliance)),
            Some(part) => {
                let at = at.key("shape").index(i).key("region");
                let vertices = region::vertices(&at, part, held, "the group")?;
                if vertices.len() < 2 {
                    let problem =
                        format!("the region holds one vertex of body {:?}, which has no shape", held.body);
                    return Err(Fault::new(at, problem, "a region of at least two vertices"));
                }
                ShapeMatch::of(vertices, Compliance::new(compliance))
            }
        };
        body = body.keep_shape(group);
    }
    Ok(body)
}

/// The checks ensure that exactly one of the three is given.
fn filling(model: &PressureModel) -> Pressure {
    let compliance = model.compliance.map_or(0.0, Bounded::get);
    if let Some(overpressure) = model.overpressure {
        return Pressure::overpressure(overpressure.get(), compliance);
    }
    if let Some(gas) = model.gas {
        return Pressure::gas(gas.get(), model.exponent.map_or(1.4, Bounded::get));
    }
    Pressure::factor(model.factor.map_or(1.0, Bounded::get)).compliance(compliance)
}
