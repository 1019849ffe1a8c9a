//! Stitches and attachments.

use pliant_constraints::ModuliError;
use pliant_constraints::stitch::{VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch};
use pliant_solver::{Attachment, Pairs, Stitch};

use super::BuiltBody;
use super::region::{self, Held};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AttachmentModel, StitchModel, StitchTo};

/// The bodies that are tied.
pub(super) struct Ties<'a> {
    pub(super) bodies: &'a [BuiltBody],
    /// Of each body: the number here of each vertex of the file, where some were removed.
    pub(super) renumbered: &'a [Option<Vec<Option<u32>>>],
}

impl Ties<'_> {
    /// A body by its name, which was checked.
    fn body(&self, at: &FieldPath, name: &str) -> Result<(usize, Held<'_>), Fault> {
        let found = self.bodies.iter().position(|body| body.name == name);
        let i = found.ok_or_else(|| Fault::new(at.clone(), format!("there is no body {name:?}"), ""))?;
        let (body, renumbered) = (&self.bodies[i], self.renumbered[i].as_deref());
        Ok((i, Held { body: &body.name, mesh: &body.mesh, renumbered }))
    }

    pub(super) fn stitch(&self, at: &FieldPath, model: &StitchModel) -> Result<Stitch, Fault> {
        let (a, first) = self.body(at, &model.bodies[0])?;
        let (b, second) = self.body(at, &model.bodies[1])?;
        let moduli = |error: ModuliError| Fault::new(at.clone(), error.to_string(), "");
        let poisson = model.poisson.unwrap_or(0.49);
        let stitch = match model.to {
            StitchTo::Vertices => {
                let usual = VertexVertexStitch::default();
                let parameters = VertexVertexStitch {
                    stiffness: model.stiffness.unwrap_or(usual.stiffness),
                    rest_length: model.rest_length.unwrap_or(usual.rest_length),
                };
                let stitch = Stitch::vertices(a, b, pairs(at, model, &first, &second)?, [parameters]);
                if model.keep_distance == Some(true) { stitch.keep_distance() } else { stitch }
            }
            StitchTo::Edges => {
                let usual = VertexEdgeStitch::elastic(model.young.unwrap_or(1e6), poisson).map_err(moduli)?;
                let parameters = VertexEdgeStitch {
                    thickness: model.thickness.unwrap_or(usual.thickness),
                    min_separate_distance: model.min_separate_distance.unwrap_or(usual.min_separate_distance),
                    ..usual
                };
                Stitch::edges(a, b, pairs(at, model, &first, &second)?, [parameters])
            }
            StitchTo::Triangles => {
                let usual =
                    VertexTriangleStitch::elastic(model.young.unwrap_or(120e3), poisson).map_err(moduli)?;
                let parameters = VertexTriangleStitch {
                    min_separate_distance: model.min_separate_distance.unwrap_or(usual.min_separate_distance),
                    ..usual
                };
                Stitch::triangles(a, b, pairs(at, model, &first, &second)?, [parameters])
            }
        };
        let stitch = stitch.damping(model.damping_time.unwrap_or(0.0));
        Ok(if model.same_body == Some(true) { stitch.within_one_body() } else { stitch })
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
