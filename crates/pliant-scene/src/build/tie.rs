//! Stitches and attachments.

use std::path::Path;

use nalgebra::Vector3;
use pliant_constraints::ModuliError;
use pliant_constraints::stitch::{VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch};
use pliant_solver::{Attachment, Pairs, Stitch};

use super::BuiltBody;
use super::named::Named;
use super::place::Placement;
use super::region::{self, Held};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AttachmentModel, MeshModel, PerPair, StitchModel, StitchTo};
use crate::source::Source;

/// The bodies that are tied.
pub(super) struct Ties<'a> {
    pub(super) bodies: &'a [BuiltBody],
    /// Of each body: the number here of each vertex of the file, where some were removed.
    pub(super) renumbered: &'a [Option<Vec<Option<u32>>>],
    pub(super) named: &'a [Named],
    pub(super) placements: &'a [Placement],
    pub(super) source: &'a Source,
}

impl Ties<'_> {
    /// A body by its name, which was checked.
    fn body(&self, at: &FieldPath, name: &str) -> Result<(usize, Held<'_>), Fault> {
        let found = self.bodies.iter().position(|body| body.name == name);
        let i = found.ok_or_else(|| Fault::new(at.clone(), format!("there is no body {name:?}"), ""))?;
        let (body, renumbered) = (&self.bodies[i], self.renumbered[i].as_deref());
        let repaired = body.repair.as_ref();
        let named = &self.named[i];
        Ok((i, Held { body: &body.name, mesh: &body.mesh, renumbered, repaired, named }))
    }

    pub(super) fn stitch(&self, at: &FieldPath, model: &StitchModel) -> Result<Stitch, Fault> {
        let (a, first) = self.body(at, &model.bodies[0])?;
        let (b, second) = self.body(at, &model.bodies[1])?;
        let moduli = |error: ModuliError| Fault::new(at.clone(), error.to_string(), "");
        let young = Numbers(&model.young);
        let poisson = Numbers(&model.poisson);
        let least = Numbers(&model.min_separate_distance);
        let stitch = match model.to {
            StitchTo::Vertices => {
                let usual = VertexVertexStitch::default();
                let (stiffness, length) = (Numbers(&model.stiffness), Numbers(&model.rest_length));
                let each = |i| VertexVertexStitch {
                    stiffness: stiffness.of(i, usual.stiffness),
                    rest_length: length.of(i, usual.rest_length),
                };
                let parameters: Vec<_> = sets([stiffness, length]).map(each).collect();
                let stitch = Stitch::vertices(a, b, pairs(at, model, &first, &second)?, parameters);
                if model.keep_distance == Some(true) { stitch.keep_distance() } else { stitch }
            }
            StitchTo::Edges => {
                let thickness = Numbers(&model.thickness);
                let each = |i| -> Result<VertexEdgeStitch, ModuliError> {
                    let usual = VertexEdgeStitch::elastic(young.of(i, 1e6), poisson.of(i, 0.49))?;
                    Ok(VertexEdgeStitch {
                        thickness: thickness.of(i, usual.thickness),
                        min_separate_distance: least.of(i, usual.min_separate_distance),
                        ..usual
                    })
                };
                let parameters: Result<Vec<_>, _> =
                    sets([young, poisson, thickness, least]).map(each).collect();
                Stitch::edges(a, b, pairs(at, model, &first, &second)?, parameters.map_err(moduli)?)
            }
            StitchTo::Triangles => {
                let each = |i| -> Result<VertexTriangleStitch, ModuliError> {
                    let usual = VertexTriangleStitch::elastic(young.of(i, 120e3), poisson.of(i, 0.49))?;
                    let min_separate_distance = least.of(i, usual.min_separate_distance);
                    Ok(VertexTriangleStitch { min_separate_distance, ..usual })
                };
                let parameters: Result<Vec<_>, _> = sets([young, poisson, least]).map(each).collect();
                Stitch::triangles(a, b, pairs(at, model, &first, &second)?, parameters.map_err(moduli)?)
            }
        };
        let stitch = match &model.rest {
            None => stitch,
            Some(paths) => {
                let of = |k: usize, body| self.rest(&at.key("rest").index(k), &paths[k], body);
                stitch.rest(of(0, a)?, of(1, b)?)
            }
        };
        let stitch = stitch.damping(model.damping_time.unwrap_or(0.0));
        Ok(if model.same_body == Some(true) { stitch.within_one_body() } else { stitch })
    }

    /// The positions of a body's vertices in another file, m, placed as the body is.
    fn rest(&self, at: &FieldPath, path: &Path, body: usize) -> Result<Vec<Vector3<f64>>, Fault> {
        let read = super::mesh::read(at, &MeshModel::Path(path.to_owned()), false, self.source)?;
        let (found, wanted) = (read.mesh.positions().len(), self.bodies[body].mesh.positions().len());
        if found != wanted {
            let name = &self.bodies[body].name;
            let problem = format!("{} has {found} vertices, but body {name:?} has {wanted}", path.display());
            return Err(Fault::new(at.clone(), problem, "the mesh of the body in other positions"));
        }
        Ok(self.placements[body].points(read.mesh.positions()))
    }

    pub(super) fn attachment(&self, at: &FieldPath, model: &AttachmentModel) -> Result<Attachment, Fault> {
        let (a, first) = self.body(at, &model.bodies[0])?;
        let (b, _) = self.body(at, &model.bodies[1])?;
        let vertices = region::vertices(&at.key("region"), &model.region, &first, "the attachment")?;
        Ok(Attachment::nearest(a, vertices, b)
            .compliance(model.compliance.unwrap_or(0.0))
            .damping(model.damping_time.unwrap_or(0.0)))
    }
}

/// A parameter of pairs, if it is given; how many numbers there are was checked.
#[derive(Clone, Copy)]
struct Numbers<'a>(&'a Option<PerPair>);

impl Numbers<'_> {
    /// That of a pair.
    fn of(self, pair: usize, usual: f64) -> f64 {
        match self.0 {
            None => usual,
            Some(PerPair::All(number)) => *number,
            Some(PerPair::Each(list)) => list.get(pair).copied().unwrap_or(usual),
        }
    }
}

/// The numbers of the sets of parameters: one for all pairs, or one for each.
fn sets<const K: usize>(parameters: [Numbers<'_>; K]) -> std::ops::Range<usize> {
    let each = parameters.iter().filter_map(|p| match p.0 {
        Some(PerPair::Each(list)) => Some(list.len()),
        _ => None,
    });
    0..each.max().unwrap_or(1)
}

/// The pairs, each of `N` numbers, which was checked.
fn pairs<const N: usize>(
    at: &FieldPath,
    model: &StitchModel,
    first: &Held<'_>,
    second: &Held<'_>,
) -> Result<Pairs<N>, Fault> {
    let Some(list) = &model.pairs else {
        let radius = model.radius.unwrap_or(0.0);
        return Ok(match &model.region {
            None => Pairs::within(radius),
            Some(part) => {
                let vertices = region::vertices(&at.key("region"), part, first, "the stitch")?;
                Pairs::within_of(vertices, radius)
            }
        });
    };
    let mut found = Vec::with_capacity(list.len());
    for (i, pair) in list.iter().enumerate() {
        let mut here = [0; N];
        for (k, (place, &number)) in here.iter_mut().zip(pair).enumerate() {
            let held = if k == 0 { first } else { second };
            *place = held.vertex(&at.key("pairs").index(i).index(k), number, "the stitch")?;
        }
        found.push(here);
    }
    Ok(Pairs::listed(found))
}
