//! Stitches and attachments.

use std::path::Path;

use nalgebra::Vector3;
use pliant_constraints::ModuliError;
use pliant_constraints::stitch::{VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch};
use pliant_io::Mesh;
use pliant_solver::{Attachment, Pairs, Stitch};

use super::BuiltBody;
use super::files::Files;
use super::held::Held;
use super::left_off::LeftOff;
use super::named::Named;
use super::pairs::{self, Listed};
use super::place::Placement;
use super::region;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AttachmentModel, Bounded, MeshModel, PerPair, StitchModel, StitchTo};

/// The bodies that are tied.
pub(super) struct Ties<'a> {
    pub(super) bodies: &'a [BuiltBody],
    /// Of each body: the number here of each vertex of the file, where some were removed.
    pub(super) renumbered: &'a [Option<Vec<Option<u32>>>],
    pub(super) named: &'a [Named],
    pub(super) placements: &'a [Placement],
    pub(super) files: &'a Files<'a>,
    /// Of each body that starts elsewhere: the mesh by whose positions parts are selected.
    pub(super) selected: &'a [Option<Mesh>],
    /// The run that the scene starts from.
    pub(super) from: Option<&'a LeftOff>,
}

impl Ties<'_> {
    /// A body by its name, which was checked.
    pub(super) fn body(&self, at: &FieldPath, name: &str) -> Result<(usize, Held<'_>), Fault> {
        let found = self.bodies.iter().position(|body| body.name == name);
        let i = found.ok_or_else(|| Fault::new(at.clone(), format!("there is no body {name:?}"), ""))?;
        let (body, renumbered) = (&self.bodies[i], self.renumbered[i].as_deref());
        let repaired = body.repair.as_ref();
        let named = &self.named[i];
        let selected = self.selected[i].as_ref();
        let (mesh, start) = match selected {
            Some(selected) => (selected, Some(body.mesh.positions())),
            None => (&body.mesh, None),
        };
        Ok((i, Held { body: &body.name, mesh, start, renumbered, repaired, named }))
    }

    /// The stitch, and what is worth knowing about its pairs with the body to which it is reported.
    pub(super) fn stitch(&self, at: &FieldPath, model: &StitchModel) -> Result<(Stitch, Remarks), Fault> {
        let (a, first) = self.body(at, &model.bodies[0])?;
        let (b, second) = self.body(at, &model.bodies[1])?;
        let mut remarks = Remarks { body: b, all: Vec::new() };
        let moduli = |error: ModuliError| Fault::new(at.clone(), error.to_string(), "");
        let young = Numbers::new(&model.young);
        let poisson = Numbers::new(&model.poisson);
        let least = Numbers::new(&model.min_separate_distance);
        let stitch = match model.to {
            StitchTo::Vertices => {
                let usual = VertexVertexStitch::default();
                let (stiffness, length) = (Numbers::new(&model.stiffness), Numbers::new(&model.rest_length));
                let each = |i| VertexVertexStitch {
                    stiffness: stiffness.of(i, usual.stiffness),
                    rest_length: length.of(i, usual.rest_length),
                };
                let (pairs, of) = pairs(at, model, [&first, &second], &mut remarks.all)?;
                let parameters: Vec<_> = sets([&stiffness, &length], &of).into_iter().map(each).collect();
                let stitch = Stitch::vertices(a, b, pairs, parameters);
                if model.keep_distance == Some(true) { stitch.keep_distance() } else { stitch }
            }
            StitchTo::Edges => {
                let thickness = Numbers::new(&model.thickness);
                let each = |i| -> Result<VertexEdgeStitch, ModuliError> {
                    let usual = VertexEdgeStitch::elastic(young.of(i, 1e6), poisson.of(i, 0.49))?;
                    Ok(VertexEdgeStitch {
                        thickness: thickness.of(i, usual.thickness),
                        min_separate_distance: least.of(i, usual.min_separate_distance),
                        ..usual
                    })
                };
                let (pairs, of) = pairs(at, model, [&first, &second], &mut remarks.all)?;
                let sets = sets([&young, &poisson, &thickness, &least], &of);
                let parameters: Result<Vec<_>, _> = sets.into_iter().map(each).collect();
                Stitch::edges(a, b, pairs, parameters.map_err(moduli)?)
            }
            StitchTo::Triangles => {
                let each = |i| -> Result<VertexTriangleStitch, ModuliError> {
                    let usual = VertexTriangleStitch::elastic(young.of(i, 120e3), poisson.of(i, 0.49))?;
                    let min_separate_distance = least.of(i, usual.min_separate_distance);
                    Ok(VertexTriangleStitch { min_separate_distance, ..usual })
                };
                let (pairs, of) = pairs(at, model, [&first, &second], &mut remarks.all)?;
                let sets = sets([&young, &poisson, &least], &of);
                let parameters: Result<Vec<_>, _> = sets.into_iter().map(each).collect();
                Stitch::triangles(a, b, pairs, parameters.map_err(moduli)?)
            }
        };
        let stitch = match &model.rest {
            None => stitch,
            Some(paths) => {
                let of = |k: usize, body| self.rest(&at.key("rest").index(k), &paths[k], body);
                stitch.rest(of(0, a)?, of(1, b)?)
            }
        };
        let stitch = stitch.damping(model.damping_time.map_or(0.0, Bounded::get));
        let stitch = if model.same_body == Some(true) { stitch.within_one_body() } else { stitch };
        Ok((stitch, remarks))
    }

    /// The positions of a body's vertices in another file, m, placed as the body is.
    fn rest(&self, at: &FieldPath, path: &Path, body: usize) -> Result<Vec<Vector3<f64>>, Fault> {
        let read = super::mesh::read(at, &MeshModel::Path(path.to_owned()), false, self.files)?;
        let (found, there) = (read.mesh.positions().len(), &self.bodies[body]);
        let refuse =
            |problem: String| Fault::new(at.clone(), problem, "the mesh of the body in other positions");
        // A repaired mesh counts otherwise than its file, which this one is to count as.
        let (wanted, file) = match (&there.repair, &self.renumbered[body]) {
            (Some(report), Some(renumbered)) => (renumbered.len(), Some(&report.vertex_of)),
            _ => (there.mesh.positions().len(), None),
        };
        if found != wanted {
            let name = &there.name;
            return Err(refuse(format!(
                "{} has {found} vertices, but body {name:?} has {wanted}",
                path.display()
            )));
        }
        let points = self.placements[body].points(read.mesh.positions());
        let Some(file) = file else { return Ok(points) };
        let new = || refuse(format!("the repair of body {:?} made vertices that no file has", there.name));
        file.iter().map(|old| old.map(|old| points[old as usize]).ok_or_else(new)).collect()
    }

    pub(super) fn attachment(&self, at: &FieldPath, model: &AttachmentModel) -> Result<Attachment, Fault> {
        let (a, first) = self.body(at, &model.bodies[0])?;
        let (b, _) = self.body(at, &model.bodies[1])?;
        let vertices = region::vertices(&at.key("region"), &model.region, &first, "the attachment")?;
        Ok(Attachment::nearest(a, vertices, b)
            .compliance(model.compliance.map_or(0.0, Bounded::get))
            .damping(model.damping_time.map_or(0.0, Bounded::get)))
    }
}

/// What is worth knowing about a stitch, a sentence each.
pub(super) struct Remarks {
    /// The body whose notes it belongs to.
    pub(super) body: usize,
    pub(super) all: Vec<String>,
}

/// A parameter of pairs, if it is given; how many numbers there are was checked.
struct Numbers {
    given: Vec<f64>,
    is_each: bool,
}

impl Numbers {
    fn new<Number: Copy + Into<f64>>(given: &Option<PerPair<Number>>) -> Self {
        let is_each = matches!(given, Some(PerPair::Each(_)));
        Self { given: given.as_ref().map_or_else(Vec::new, PerPair::numbers), is_each }
    }

    /// That of a pair.
    fn of(&self, pair: usize, usual: f64) -> f64 {
        self.given.get(if self.is_each { pair } else { 0 }).copied().unwrap_or(usual)
    }
}

/// The pairs whose parameters make the sets: one for all pairs, or one for each; `of` gives for each pair its place in
/// the scene.
fn sets<const K: usize>(parameters: [&Numbers; K], of: &[usize]) -> Vec<usize> {
    if parameters.iter().any(|parameter| parameter.is_each) { of.to_vec() } else { vec![0] }
}

/// The pairs, and which one of the scene each is where they are listed.
fn pairs<const N: usize>(
    at: &FieldPath,
    model: &StitchModel,
    [first, second]: [&Held<'_>; 2],
    remarks: &mut Vec<String>,
) -> Result<(Pairs<N>, Vec<usize>), Fault> {
    let Some(list) = &model.pairs else {
        let radius = model.radius.map_or(0.0, Bounded::get);
        let pairs = match &model.region {
            None => Pairs::within(radius),
            Some(part) => {
                let vertices = region::vertices(&at.key("region"), part, first, "the stitch")?;
                Pairs::within_of(vertices, radius)
            }
        };
        return Ok((pairs, Vec::new()));
    };
    let listed = pairs::listed(&at.key("pairs"), list, first, second)?;
    let same_body = model.bodies[0] == model.bodies[1];
    remarks.extend(pairs::remarks(list, &listed, second, same_body));
    let Listed { pairs, of, .. } = listed;
    Ok((Pairs::listed(pairs), of))
}
