//! Parts of a body that are stiffer or softer, and hinges by their shapes.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::{Aabb, TriMesh};
use pliant_solver::{Body, Factors, Role};

use super::material::bends_by_modulus;
use super::physical::young;
use super::region::{Held, Places, nothing};
use super::settings::role;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, ValueQuantity, VaryModel};
use crate::source::Source;

/// The roles whose constraints have elements.
const ELEMENTS: [Role; 5] = [Role::Edges, Role::Membranes, Role::Bending, Role::Volumes, Role::Solids];

/// The body with the factors of its regions and of its elements.
pub(super) fn vary(
    at: &FieldPath,
    model: &BodyModel,
    held: &Held<'_>,
    source: &Source,
    mut body: Body,
) -> Result<Body, Fault> {
    let mut parts = Vec::with_capacity(model.vary.len());
    for (i, part) in model.vary.iter().enumerate() {
        let how = how(&at.key("vary").index(i), part, model, held, source)?;
        let roles: Vec<Role> = match &part.of {
            Some(list) => list.iter().map(|&of| role(of)).collect(),
            None => ELEMENTS.to_vec(),
        };
        parts.push((how, roles));
    }
    for of in ELEMENTS {
        let here: Vec<How> =
            parts.iter().filter(|(_, roles)| roles.contains(&of)).map(|(how, _)| how.clone()).collect();
        let by_shape = match held.mesh {
            Mesh::Tri(mesh) if of == Role::Bending && bends_by_modulus(model) => Some(by_shape(mesh)),
            _ => None,
        };
        let of_elements = here.iter().any(|how| matches!(how, How::Elements(_)));
        if of_elements || by_shape.is_some() {
            let factors = of_role(of, held.mesh, &here);
            let factors = factors.iter().zip(by_shape.unwrap_or_else(|| vec![1.0; factors.len()]));
            body = body.vary(of, Factors::list(factors.map(|(a, b)| a * b).collect::<Vec<_>>()));
        } else if !parts.is_empty() {
            body = body.vary(of, Factors::by_place(move |x| at_place(&here, x)));
        }
    }
    Ok(body)
}

/// How the stiffness varies.
#[derive(Debug, Clone)]
enum How {
    /// By a factor where a place is held.
    Places(Box<Places>, f64),
    /// By a factor for every triangle or tetrahedron.
    Elements(Vec<f64>),
}

/// What a part says; checked before.
fn how(
    at: &FieldPath,
    part: &VaryModel,
    model: &BodyModel,
    held: &Held<'_>,
    source: &Source,
) -> Result<How, Fault> {
    let positions = held.mesh.positions();
    if let Some(values) = &part.values {
        let at = at.key("values");
        let elements = middles(held.mesh).len();
        let mut factors = super::values::read(&at, values, source, elements)?;
        if values.quantity == Some(ValueQuantity::Young) {
            let Some(young) = model.material.as_ref().and_then(|m| young(&m.table())) else {
                let problem = "Young's moduli are given for the elements, but the body's material has none";
                let expected = "a material with `young`, or `quantity = \"factor\"`";
                return Err(Fault::new(at.key("quantity"), problem, expected));
            };
            factors.iter_mut().for_each(|value| *value /= young);
        }
        return Ok(How::Elements(factors));
    }
    let region = part.region.clone().unwrap_or_default();
    let places = Places::new(&region, positions);
    if !middles(held.mesh).iter().any(|x| places.hold(x)) {
        let problem = format!("the region holds the middle of no element of body {:?}", held.body);
        let bounds = Aabb::of_points(positions);
        let bounds = bounds.unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
        return Err(nothing(&at.key("region"), &region, &bounds, problem, "an element")?);
    }
    Ok(How::Places(Box::new(places), part.factor.unwrap_or(1.0)))
}

/// The factor of an element with its middle at `x`.
fn at_place(all: &[How], x: &Vector3<f64>) -> f64 {
    let one = |how: &How| match how {
        How::Places(places, factor) if places.hold(x) => *factor,
        _ => 1.0,
    };
    all.iter().map(one).product()
}

/// The factors of the constraints of a role; those on edges and hinges have the mean of the triangles or tetrahedra around them.
fn of_role(of: Role, mesh: &Mesh, all: &[How]) -> Vec<f64> {
    let stencils: Vec<Vec<u32>> = match (of, mesh) {
        (Role::Edges, Mesh::Tri(mesh)) => mesh.edges().iter().map(|e| e.to_vec()).collect(),
        (Role::Edges, Mesh::Tet(mesh)) => mesh.edges().iter().map(|e| e.to_vec()).collect(),
        (Role::Bending, Mesh::Tri(mesh)) => mesh.hinges().stencils().iter().map(|h| h.to_vec()).collect(),
        (_, mesh) => elements(mesh),
    };
    let middle = |stencil: &[u32]| {
        let sum: Vector3<f64> = stencil.iter().map(|&v| mesh.positions()[v as usize]).sum();
        sum / stencil.len() as f64
    };
    let mut factors: Vec<f64> = stencils.iter().map(|stencil| at_place(all, &middle(stencil))).collect();
    for how in all {
        let How::Elements(values) = how else { continue };
        if matches!(of, Role::Edges | Role::Bending) {
            let of_edge = means_of_edges(mesh, values);
            for (factor, stencil) in factors.iter_mut().zip(&stencils) {
                // A hinge begins with its edge.
                let (a, b) = (stencil[0].min(stencil[1]), stencil[0].max(stencil[1]));
                *factor *= of_edge.get(&[a, b]).copied().unwrap_or(1.0);
            }
        } else {
            factors.iter_mut().zip(values).for_each(|(factor, value)| *factor *= value);
        }
    }
    factors
}

/// For every edge, its smaller vertex first, the mean of the values of the elements around it.
fn means_of_edges(mesh: &Mesh, values: &[f64]) -> BTreeMap<[u32; 2], f64> {
    let mut sums: BTreeMap<[u32; 2], (f64, f64)> = BTreeMap::new();
    for (element, value) in elements(mesh).iter().zip(values) {
        for (i, &a) in element.iter().enumerate() {
            for &b in &element[..i] {
                let (sum, count) = sums.entry([a.min(b), a.max(b)]).or_default();
                *sum += value;
                *count += 1.0;
            }
        }
    }
    sums.into_iter().map(|(edge, (sum, count))| (edge, sum / count)).collect()
}

/// The triangles or tetrahedra.
fn elements(mesh: &Mesh) -> Vec<Vec<u32>> {
    match mesh {
        Mesh::Tri(mesh) => mesh.triangles().iter().map(|t| t.to_vec()).collect(),
        Mesh::Tet(mesh) => mesh.tets().iter().map(|t| t.to_vec()).collect(),
    }
}

/// The middles of the elements.
fn middles(mesh: &Mesh) -> Vec<Vector3<f64>> {
    let x = mesh.positions();
    let mean = |element: &Vec<u32>| {
        element.iter().map(|&v| x[v as usize]).sum::<Vector3<f64>>() / element.len() as f64
    };
    elements(mesh).iter().map(mean).collect()
}

/// What the stiffness of each hinge is as a multiple of the flexural rigidity: |e|²/(A0 + A1).
///
/// So the energy is that of isometric bending with k = D/3 for small angles (Bergou et al. 2006), and does not depend on the resolution.
fn by_shape(mesh: &TriMesh) -> Vec<f64> {
    let of = |hinge: [u32; 4]| {
        let [a, b, c, d] = hinge.map(|v| mesh.positions()[v as usize]);
        let edge = b - a;
        let twice_areas = edge.cross(&(c - a)).norm() + edge.cross(&(d - a)).norm();
        2.0 * edge.norm_squared() / twice_areas
    };
    mesh.hinges().stencils().into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hinges_of_a_square_grid_weigh_one_and_the_diagonal_two() {
        let grid = TriMesh::grid([2, 2], [0.3, 0.3]).expect("a small grid");
        let weights = by_shape(&grid);
        assert_eq!(weights.len(), 1);
        assert!((weights[0] - 2.0).abs() < 1e-12);
        let grid = TriMesh::grid([3, 3], [0.2, 0.2]).expect("a small grid");
        let sides = by_shape(&grid).into_iter().filter(|w| (w - 1.0).abs() < 1e-12).count();
        assert_eq!(sides, 4);
    }
}
