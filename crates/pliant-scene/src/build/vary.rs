//! Parts of a body that are stiffer or softer, and hinges by their shapes.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::{Aabb, TriMesh};
use pliant_solver::{Body, Factors, Role};

use super::material::bends_by_modulus;
use super::region::{Held, Places, nothing};
use super::settings::role;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::BodyModel;

/// The roles whose constraints have elements.
const ELEMENTS: [Role; 5] = [Role::Edges, Role::Membranes, Role::Bending, Role::Volumes, Role::Solids];

/// The body with the factors of its regions.
pub(super) fn vary(
    at: &FieldPath,
    model: &BodyModel,
    held: &Held<'_>,
    mut body: Body,
) -> Result<Body, Fault> {
    let positions = held.mesh.positions();
    let mut regions = Vec::with_capacity(model.vary.len());
    for (i, part) in model.vary.iter().enumerate() {
        let places = Places::new(&part.region, positions);
        if !middles(held.mesh).iter().any(|x| places.hold(x)) {
            let at = at.key("vary").index(i).key("region");
            let problem = format!("the region holds the middle of no element of body {:?}", held.body);
            let bounds = Aabb::of_points(positions);
            let bounds = bounds.unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
            return Err(nothing(&at, &part.region, &bounds, problem, "an element")?);
        }
        let roles: Vec<Role> = match &part.of {
            Some(list) => list.iter().map(|&of| role(of)).collect(),
            None => ELEMENTS.to_vec(),
        };
        regions.push((places, part.factor, roles));
    }
    for of in ELEMENTS {
        let here: Vec<(Places, f64)> = regions
            .iter()
            .filter(|(_, _, roles)| roles.contains(&of))
            .map(|(places, factor, _)| (places.clone(), *factor))
            .collect();
        let factor = move |x: &Vector3<f64>| -> f64 {
            here.iter().map(|(places, factor)| if places.hold(x) { *factor } else { 1.0 }).product()
        };
        match held.mesh {
            Mesh::Tri(mesh) if of == Role::Bending && bends_by_modulus(model) => {
                body = body.vary(of, Factors::list(by_shape(mesh, factor)));
            }
            _ if regions.is_empty() => {}
            _ => body = body.vary(of, Factors::by_place(factor)),
        }
    }
    Ok(body)
}

/// The middles of the elements.
fn middles(mesh: &Mesh) -> Vec<Vector3<f64>> {
    let x = mesh.positions();
    let mean =
        |element: &[u32]| element.iter().map(|&v| x[v as usize]).sum::<Vector3<f64>>() / element.len() as f64;
    match mesh {
        Mesh::Tri(mesh) => mesh.triangles().iter().map(|t| mean(t)).collect(),
        Mesh::Tet(mesh) => mesh.tets().iter().map(|t| mean(t)).collect(),
    }
}

/// What the stiffness of each hinge is as a multiple of the flexural rigidity: |e|²/(A0 + A1), times a factor by place.
///
/// So the energy is that of isometric bending with k = D/3 for small angles (Bergou et al. 2006), and does not depend on the resolution.
fn by_shape(mesh: &TriMesh, factor: impl Fn(&Vector3<f64>) -> f64) -> Vec<f64> {
    let of = |hinge: [u32; 4]| {
        let [a, b, c, d] = hinge.map(|v| mesh.positions()[v as usize]);
        let edge = b - a;
        let twice_areas = edge.cross(&(c - a)).norm() + edge.cross(&(d - a)).norm();
        factor(&((a + b + c + d) * 0.25)) * 2.0 * edge.norm_squared() / twice_areas
    };
    mesh.hinges().stencils().into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hinges_of_a_square_grid_weigh_one_and_the_diagonal_two() {
        let grid = TriMesh::grid([2, 2], [0.3, 0.3]).expect("a small grid");
        let weights = by_shape(&grid, |_| 10.0);
        assert_eq!(weights.len(), 1);
        assert!((weights[0] - 20.0).abs() < 1e-12);
        let grid = TriMesh::grid([3, 3], [0.2, 0.2]).expect("a small grid");
        let sides = by_shape(&grid, |_| 1.0).into_iter().filter(|w| (w - 1.0).abs() < 1e-12).count();
        assert_eq!(sides, 4);
    }
}
