//! The constraints of all bodies, category by category and kind by kind.

use nalgebra::Vector3;
use pliant_constraints::book::BookDistance;
use pliant_constraints::{
    BendDistance, Dihedral, Distance, ElasticError, IsometricBending, LengthLimit, NeoHookeanTet,
    RestTriangle, StVkMembrane, StVkTet, StretchLimit, TetVolume,
};

use crate::build::constraints::{Constraints, ProjectionRule};
use crate::build::grouping::{Groups, answering};
use crate::build::placed::Placed;
use crate::describe::body::{BendModel, StrainLimit};
use crate::describe::body_shape::BodyShape;
use crate::describe::category::Category;
use crate::describe::elasticity::{Elasticity, VolumeElasticity};
use crate::describe::material::Tet;
use crate::error::BuildError;
use crate::error::body::{BodyPart, BodyProblem, Element};
use crate::set::shapes::MatchedShape;
use crate::set::volumes::EnclosedVolume;

/// The positions of an element at rest.
fn rest<const N: usize>(at: &Placed<'_>, element: &[u32; N]) -> [Vector3<f64>; N] {
    element.map(|v| at.body.positions()[v as usize])
}

/// All constraints of a category, except stitches, attachments and the caller's own.
pub(crate) fn gather(
    category: Category,
    placed: &[Placed<'_>],
    book: bool,
) -> Result<Vec<Constraints>, BuildError> {
    match category {
        Category::Edges => edges(placed, book),
        Category::Membranes => membranes(placed),
        Category::Bending => bending(placed),
        Category::Volumes => volumes(placed),
        Category::Solids => solids(placed),
        Category::Shapes => shapes(placed),
        Category::Pressure => pressure(placed),
        Category::Limits => limits(placed),
        Category::Ties | Category::Custom => Ok(Vec::new()),
    }
}

fn edges(placed: &[Placed<'_>], book: bool) -> Result<Vec<Constraints>, BuildError> {
    let mut groups = Groups::default();
    for at in placed {
        let edges = at.body.edges();
        let positions = at.body.positions();
        let ends = |&[a, b]: &[u32; 2]| [positions[a as usize], positions[b as usize]];
        let kinds: Vec<_> = edges.iter().map(|e| Distance::at_rest(&ends(e))).collect();
        if let Some(index) = kinds.iter().position(|kind| kind.rest <= 0.0) {
            let edge = Element::Edge(index, edges[index]);
            return Err(at.fault(BodyPart::Mesh, BodyProblem::Degenerate(edge)));
        }
        if let Some(elasticity) = at.body.stretch_or_default() {
            groups.add_springs(at, Category::Edges, elasticity, edges, kinds)?;
        }
    }
    if book {
        groups.map(|kind| BookDistance { rest: kind.rest }).finish("edges")
    } else {
        groups.finish("edges")
    }
}

fn membranes(placed: &[Placed<'_>]) -> Result<Vec<Constraints>, BuildError> {
    let mut groups = Groups::<StVkMembrane<f64>, 3>::default();
    for at in placed {
        let Some(membrane) = &at.body.membrane else { continue };
        let BodyShape::Cloth(mesh, _) = &at.body.shape else {
            return Err(at.fault(BodyPart::Membrane, BodyProblem::MembraneOfSolid));
        };
        listed(at, BodyPart::Membrane, membrane.listed(), mesh.triangles().len())?;
        let (mut kinds, mut compliances) = (Vec::new(), Vec::new());
        for (i, triangle) in mesh.triangles().iter().enumerate() {
            let made = membrane.element(i, &rest(at, triangle));
            let made =
                made.map_err(|problem| elastic(at, BodyPart::Membrane, Element::Triangle(i), problem))?;
            kinds.push(made.kind);
            compliances.push(made.compliance);
        }
        groups.add(
            at,
            Category::Membranes,
            ProjectionRule::Compliant,
            mesh.triangles(),
            kinds,
            compliances,
        )?;
    }
    groups.finish("membranes")
}

fn bending(placed: &[Placed<'_>]) -> Result<Vec<Constraints>, BuildError> {
    let mut dihedral = Groups::<Dihedral<f64>, 4>::default();
    let mut distance = Groups::<BendDistance<f64>, 2>::default();
    let mut isometric = Groups::<IsometricBending<f64>, 4>::default();
    for at in placed {
        let (Some(model), Some(hinges)) = (at.body.bend, at.hinges()) else { continue };
        let stencils = hinges.stencils();
        match model {
            BendModel::Dihedral(elasticity) => {
                let kinds = stencils.iter().map(|s| Dihedral::at_rest(&rest(at, s)));
                dihedral.add_springs(at, Category::Bending, elasticity, &stencils[..], kinds)?;
            }
            BendModel::Distance(elasticity) => {
                let pairs = hinges.opposite_pairs();
                let kinds = pairs.iter().map(|p| BendDistance::at_rest(&rest(at, p)));
                distance.add_springs(at, Category::Bending, elasticity, &pairs[..], kinds)?;
            }
            BendModel::Isometric(modulus) => {
                let (mut kinds, mut compliances) = (Vec::new(), Vec::new());
                for (i, hinge) in stencils.iter().enumerate() {
                    let made = IsometricBending::elastic(&rest(at, hinge), modulus);
                    let made =
                        made.map_err(|problem| elastic(at, BodyPart::Bending, Element::Hinge(i), problem))?;
                    kinds.push(made.kind);
                    compliances.push(made.compliance);
                }
                isometric.add(
                    at,
                    Category::Bending,
                    ProjectionRule::Compliant,
                    stencils,
                    kinds,
                    compliances,
                )?;
            }
        }
    }
    let mut all = dihedral.finish("bending")?;
    let name = |all: &[Constraints], other| if all.is_empty() { "bending" } else { other };
    let by_distance = distance.finish(name(&all, "bending (distance)"))?;
    all.extend(by_distance);
    let flat = isometric.finish(name(&all, "bending (isometric)"))?;
    all.extend(flat);
    Ok(all)
}

fn volumes(placed: &[Placed<'_>]) -> Result<Vec<Constraints>, BuildError> {
    let mut groups = Groups::default();
    for at in placed {
        let (BodyShape::Solid(mesh, _), Some(elasticity)) = (&at.body.shape, at.body.volume_or_default())
        else {
            continue;
        };
        let kinds = (0..mesh.tets().len()).map(|t| TetVolume::at_rest(&mesh.corners(t)));
        let compliances = match elasticity {
            VolumeElasticity::Spring(spring) => vec![spring.compliance],
            VolumeElasticity::BulkModulus(_) => {
                (0..mesh.tets().len()).map(|t| elasticity.compliance(mesh.tet_volume(t))).collect()
            }
        };
        groups.add(at, Category::Volumes, elasticity.rule(), mesh.tets(), kinds, compliances)?;
    }
    groups.finish("volumes")
}

fn solids(placed: &[Placed<'_>]) -> Result<Vec<Constraints>, BuildError> {
    let mut neo_hookean = Groups::<NeoHookeanTet<f64>, 4>::default();
    let mut stabilised = Groups::<NeoHookeanTet<f64>, 4>::default();
    let mut stvk = Groups::<StVkTet<f64>, 4>::default();
    for at in placed {
        let Some(continuum) = &at.body.continuum else { continue };
        let BodyShape::Solid(mesh, _) = &at.body.shape else {
            return Err(at.fault(BodyPart::Continuum, BodyProblem::ContinuumOfCloth));
        };
        listed(at, BodyPart::Continuum, continuum.listed(), mesh.tets().len())?;
        let (mut soft, mut soft_compliances) = (Vec::new(), Vec::new());
        let (mut hard, mut hard_compliances) = (Vec::new(), Vec::new());
        for (i, tet) in mesh.tets().iter().enumerate() {
            let made = continuum.element(i, &rest(at, tet));
            match made
                .map_err(|problem| elastic(at, BodyPart::Continuum, Element::Tetrahedron(i), problem))?
            {
                Tet::NeoHookean(tet) => {
                    soft.push(tet.kind);
                    soft_compliances.push(tet.compliance);
                }
                Tet::StVk(tet) => {
                    hard.push(tet.kind);
                    hard_compliances.push(tet.compliance);
                }
            }
        }
        // A continuum has one law, so one of the lists is empty.
        if hard.is_empty() {
            let group = if continuum.is_stabilised() { &mut stabilised } else { &mut neo_hookean };
            group.add(
                at,
                Category::Solids,
                ProjectionRule::Compliant,
                mesh.tets(),
                soft,
                soft_compliances,
            )?;
        } else {
            stvk.add(at, Category::Solids, ProjectionRule::Compliant, mesh.tets(), hard, hard_compliances)?;
        }
    }
    let mut all = neo_hookean.finish_counted("neo-Hookean")?;
    all.extend(stabilised.finish_stabilised("neo-Hookean (steady)")?);
    all.extend(stvk.finish("StVK")?);
    Ok(all)
}

/// Moduli that are listed must be as many as the elements.
fn listed(at: &Placed<'_>, part: BodyPart, moduli: Option<usize>, elements: usize) -> Result<(), BuildError> {
    match moduli.filter(|&n| n != elements) {
        None => Ok(()),
        Some(given) => Err(at.fault(part, BodyProblem::ModuliCount { given, elements })),
    }
}

/// The error that an element has no elastic energy.
fn elastic(at: &Placed<'_>, part: BodyPart, element: Element, problem: ElasticError) -> BuildError {
    at.fault(part, BodyProblem::Elastic { element, problem })
}

fn limits(placed: &[Placed<'_>]) -> Result<Vec<Constraints>, BuildError> {
    let mut lengths = Groups::<LengthLimit<f64>, 2>::default();
    let mut stretches = Groups::<StretchLimit<f64>, 3>::default();
    for at in placed {
        let fault = |problem: BodyProblem| at.fault(BodyPart::StrainLimit, problem);
        if let Some(StrainLimit { compression, stretch }) = at.body.edge_limit {
            let edges = at.body.edges();
            let limit = |e: &[u32; 2]| {
                let rest = Distance::at_rest(&rest(at, e)).rest;
                LengthLimit::within(rest, compression, stretch).map_err(|error| fault(error.into()))
            };
            let kinds = edges.iter().map(limit).collect::<Result<Vec<_>, _>>()?;
            lengths.add_springs(at, Category::Limits, Elasticity::default(), edges, kinds)?;
        }
        if let Some(StrainLimit { compression, stretch }) = at.body.stretch_limit {
            let BodyShape::Cloth(mesh, _) = &at.body.shape else {
                return Err(fault(BodyProblem::StretchLimitOfSolid));
            };
            let limit = |(i, t): (usize, &[u32; 3])| {
                let element = Element::Triangle(i);
                let shape = RestTriangle::new(&rest(at, t))
                    .map_err(|problem| fault(BodyProblem::RestShape { element, problem }))?;
                StretchLimit::within(&shape, compression, stretch).map_err(|error| fault(error.into()))
            };
            let kinds = mesh.triangles().iter().enumerate().map(limit).collect::<Result<Vec<_>, _>>()?;
            stretches.add_springs(at, Category::Limits, Elasticity::default(), mesh.triangles(), kinds)?;
        }
    }
    let mut all = lengths.finish("edge limits")?;
    all.extend(stretches.finish("stretch limits")?);
    Ok(all)
}

fn pressure(placed: &[Placed<'_>]) -> Result<Vec<Constraints>, BuildError> {
    let mut groups: Vec<(f64, Vec<EnclosedVolume>)> = Vec::new();
    for at in placed {
        let Some(pressure) = &at.body.pressure else { continue };
        let rest_volume = match &at.body.shape {
            BodyShape::Cloth(mesh, _) => mesh.enclosed_volume(),
            BodyShape::Solid(mesh, _) => mesh.volume(),
        };
        let surface = at.surface();
        // A hole is the reason why a volume is undefined, so it is reported first.
        let closed = pliant_constraints::ClosedSurface::new(&surface);
        closed.map_err(|edge| at.fault(BodyPart::Pressure, BodyProblem::Open(edge)))?;
        let law = pressure.law(rest_volume);
        let (law, compliance) = law.map_err(|problem| at.fault(BodyPart::Pressure, problem))?;
        let enclosed = EnclosedVolume { triangles: at.shift(surface), law, compliance };
        into_group(&mut groups, at.body.damping_of(Category::Pressure), enclosed);
    }
    let several = groups.len() > 1;
    let make = |(relaxation, list): (f64, Vec<EnclosedVolume>)| {
        let name = if several {
            answering("pressure", ProjectionRule::Compliant, relaxation)
        } else {
            "pressure".into()
        };
        Constraints::volumes(name, list)?.with_damping(relaxation)
    };
    groups.into_iter().map(make).collect()
}

fn shapes(placed: &[Placed<'_>]) -> Result<Vec<Constraints>, BuildError> {
    let mut groups: Vec<((ProjectionRule, f64), Vec<MatchedShape>)> = Vec::new();
    for at in placed {
        let n = at.body.positions().len();
        for spec in &at.body.shapes {
            let vertices = match &spec.vertices {
                None => (0..).take(n).collect(),
                Some(list) => list.clone(),
            };
            if let Some(&vertex) = vertices.iter().find(|&&v| v as usize >= n) {
                return Err(at.fault(BodyPart::Shape, BodyProblem::NoVertex { vertex, vertices: n }));
            }
            let shape = MatchedShape {
                rest: vertices.iter().map(|&v| at.body.positions()[v as usize]).collect(),
                masses: vertices.iter().map(|&v| 1.0 / at.inverse_masses[v as usize]).collect(),
                vertices: vertices.iter().map(|v| v + at.first()).collect(),
                compliance: spec.elasticity.compliance,
            };
            into_group(&mut groups, (spec.elasticity.rule, at.body.damping_of(Category::Shapes)), shape);
        }
    }
    let several = groups.len() > 1;
    let make = |((rule, relaxation), list): ((ProjectionRule, f64), Vec<MatchedShape>)| {
        let name = if several { answering("shapes", rule, relaxation) } else { "shapes".into() };
        Constraints::shapes(name, list)?.with_rule(rule)?.with_damping(relaxation)
    };
    groups.into_iter().map(make).collect()
}

fn into_group<Key: PartialEq, X>(groups: &mut Vec<(Key, Vec<X>)>, key: Key, x: X) {
    match groups.iter_mut().find(|(k, _)| *k == key) {
        Some((_, list)) => list.push(x),
        None => groups.push((key, vec![x])),
    }
}
