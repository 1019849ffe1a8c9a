//! Parts of a body that are stiffer or softer, and the weights of hinges by their shapes.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::{Aabb, TriMesh};
use pliant_solver::{Body, Category, Factors};

use super::group;
use super::held::Held;
use super::material::{Base, bends_by_modulus};
use super::physical::young;
use super::region::{Places, nothing};
use super::settings::category;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, Bounded, ElasticityModel, Resistance, ValueQuantity, VaryModel, VolumesModel};
use crate::source::Source;

/// The categories whose constraints have elements.
const ELEMENTS: [Category; 5] =
    [Category::Edges, Category::Membranes, Category::Bending, Category::Volumes, Category::Solids];

/// The body with the factors of its regions and of its elements, and the factors of the tetrahedra of a
/// material, if there are any. Regions refer to the start; `rest` is the shape without stress.
pub(super) fn vary(
    at: &FieldPath,
    model: &BodyModel,
    base: &Base,
    held: &Held<'_>,
    rest: &Mesh,
    source: &Source,
    mut body: Body,
) -> Result<(Body, Option<Vec<f64>>), Fault> {
    let mut parts = Vec::with_capacity(model.vary.len());
    for (i, part) in model.vary.iter().enumerate() {
        let at = at.key("vary").index(i);
        let categories: Vec<Category> = match &part.of {
            Some(list) => list.iter().map(|&of| category(of)).collect(),
            None => ELEMENTS.to_vec(),
        };
        let Some(values) = &part.values else {
            parts.push((of_region(&at, part, held)?, categories));
            continue;
        };
        let of_values =
            Values { at: at.key("values"), model, base, quantity: values.quantity.unwrap_or_default() };
        let effect =
            of_values.effect(super::values::read(&of_values.at, values, source, held)?, categories)?;
        parts.extend(
            effect.stiffness.into_iter().map(|(factors, categories)| (How::Elements(factors), categories)),
        );
        if let Some(factors) = effect.density {
            body = body.vary_density(factors);
        }
    }
    for of in ELEMENTS {
        let here: Vec<How> = parts
            .iter()
            .filter(|(_, categories)| categories.contains(&of))
            .map(|(how, _)| how.clone())
            .collect();
        let by_shape = match rest {
            Mesh::Tri(mesh) if of == Category::Bending && bends_by_modulus(model) => Some(by_shape(mesh)),
            _ => None,
        };
        // The solver evaluates places in the rest shape, but regions refer to the start.
        let of_elements = here.iter().any(|how| matches!(how, How::Elements(_)))
            || (model.rest.is_some() && !here.is_empty());
        if of_elements || by_shape.is_some() {
            let factors = of_category(of, held.mesh, &here);
            let factors = factors.iter().zip(by_shape.unwrap_or_else(|| vec![1.0; factors.len()]));
            body = body.vary(of, Factors::list(factors.map(|(a, b)| a * b).collect::<Vec<_>>()));
        } else if !parts.is_empty() {
            body = body.vary(of, Factors::by_place(move |x| at_place(&here, x)));
        }
    }
    let of_solids: Vec<How> = parts
        .into_iter()
        .filter(|(_, categories)| categories.contains(&Category::Solids))
        .map(|(how, _)| how)
        .collect();
    let solids = (!of_solids.is_empty()).then(|| of_category(Category::Solids, held.mesh, &of_solids));
    Ok((body, solids))
}

/// How the stiffness varies.
#[derive(Debug, Clone)]
enum How {
    /// By a factor at the places of a region.
    Places(Box<Places>, f64),
    /// By a factor for every triangle or tetrahedron.
    Elements(Vec<f64>),
}

/// The variation by a region and its factor, which the checks have validated.
fn of_region(at: &FieldPath, part: &VaryModel, held: &Held<'_>) -> Result<How, Fault> {
    let positions = held.mesh.positions();
    let region = part.region.clone().unwrap_or_default();
    let factor = part.factor.map_or(1.0, Bounded::get);
    if let Some(group) = &region.group {
        let belongs = group::elements(&at.key("region").key("group"), group, held)?;
        return Ok(How::Elements(belongs.into_iter().map(|here| if here { factor } else { 1.0 }).collect()));
    }
    let places = Places::new(&region, positions);
    if !middles(held.mesh).iter().any(|x| places.hold(x)) {
        let problem = format!("the region holds the middle of no element of body {:?}", held.body);
        let bounds = Aabb::of_points(positions);
        let bounds = bounds.unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
        return Err(nothing(&at.key("region"), &region, &bounds, problem, "an element")?);
    }
    Ok(How::Places(Box::new(places), factor))
}

/// Numbers of single elements, and what they replace.
struct Values<'a> {
    at: FieldPath,
    model: &'a BodyModel,
    base: &'a Base,
    quantity: ValueQuantity,
}

/// The effect of the numbers, as factors of the elements.
struct Effect {
    /// On constraints, by their categories.
    stiffness: Vec<(Vec<f64>, Vec<Category>)>,
    /// On the mass.
    density: Option<Vec<f64>>,
}

impl Values<'_> {
    fn effect(&self, values: Vec<f64>, categories: Vec<Category>) -> Result<Effect, Fault> {
        let stiffness = |values, categories| Effect { stiffness: vec![(values, categories)], density: None };
        let scaled = |by: f64| values.iter().map(|value| value * by).collect::<Vec<f64>>();
        Ok(match self.quantity {
            ValueQuantity::Factor => stiffness(values, categories),
            ValueQuantity::Young => stiffness(scaled(1.0 / self.young()?), categories),
            ValueQuantity::Compliance => {
                let base = self.compliance(&categories)?;
                stiffness(values.iter().map(|value| base / value).collect(), categories)
            }
            ValueQuantity::Stiffness => stiffness(scaled(self.compliance(&categories)?), categories),
            ValueQuantity::Density => {
                let per_volume = self.base.thickness.filter(|_| self.model.area_density.is_none());
                let density = scaled(per_volume.unwrap_or(1.0) / self.base.density);
                Effect { stiffness: Vec::new(), density: Some(density) }
            }
            ValueQuantity::Thickness => {
                let Some(thickness) = self.base.thickness else {
                    let problem = "thicknesses are given for the elements, but the body's material has none";
                    let expected = "a sheet with a material that has a `thickness`";
                    return Err(Fault::new(self.at.key("quantity"), problem, expected));
                };
                let shares = scaled(1.0 / thickness);
                // The stiffness of a membrane is proportional to its thickness, that of a plate to the cube.
                let cubes = shares.iter().map(|share| share * share * share).collect();
                let density = self.base.weighs_by_thickness.then(|| shares.clone());
                Effect {
                    stiffness: vec![(shares, vec![Category::Membranes]), (cubes, vec![Category::Bending])],
                    density,
                }
            }
        })
    }

    /// Young's modulus of the material, Pa.
    fn young(&self) -> Result<f64, Fault> {
        self.model.material.as_ref().and_then(|m| young(&m.table())).ok_or_else(|| {
            let problem = "Young's moduli are given for the elements, but the body's material has none";
            let expected = "a material with `young`, or `quantity = \"factor\"`";
            Fault::new(self.at.key("quantity"), problem, expected)
        })
    }

    /// The compliance of the constraints of a category, one of the three that the checks allow. It must not
    /// be 0, because a factor does not change 0.
    fn compliance(&self, categories: &[Category]) -> Result<f64, Fault> {
        let of_numbers = |numbers: Resistance| numbers.compliance.or(numbers.stiffness.map(|k| 1.0 / k));
        let of = |model: &ElasticityModel| match model {
            ElasticityModel::Rigid(_) => None,
            ElasticityModel::Table(table) => of_numbers(table.resistance()),
        };
        let of_volumes = |model: &VolumesModel| match model {
            VolumesModel::Rigid(_) => None,
            VolumesModel::Table(table) => of_numbers(table.resistance()),
        };
        let (key, compliance) = match categories {
            [Category::Edges] => ("edges", self.model.edges.as_ref().and_then(of)),
            [Category::Bending] => {
                ("bending", self.model.bending.as_ref().and_then(|b| of_numbers(b.resistance())))
            }
            _ => ("volumes", self.model.volumes.as_ref().and_then(of_volumes)),
        };
        compliance.filter(|c| *c > 0.0 && c.is_finite()).ok_or_else(|| {
            let problem = format!("the {key} of the body have no compliance that the values could replace");
            let expected = format!("`{key} = {{ compliance = … }}` with any number above 0");
            Fault::new(self.at.key("quantity"), problem, expected)
        })
    }
}

/// The factor of an element with its middle at `x`.
fn at_place(all: &[How], x: &Vector3<f64>) -> f64 {
    let one = |how: &How| match how {
        How::Places(places, factor) if places.hold(x) => *factor,
        _ => 1.0,
    };
    all.iter().map(one).product()
}

/// The factors of the constraints of a category; those on edges and hinges have the mean of the triangles or
/// tetrahedra around them.
fn of_category(of: Category, mesh: &Mesh, all: &[How]) -> Vec<f64> {
    let stencils: Vec<Vec<u32>> = match (of, mesh) {
        (Category::Edges, Mesh::Tri(mesh)) => mesh.edges().iter().map(|e| e.to_vec()).collect(),
        (Category::Edges, Mesh::Tet(mesh)) => mesh.edges().iter().map(|e| e.to_vec()).collect(),
        (Category::Bending, Mesh::Tri(mesh)) => mesh.hinges().stencils().iter().map(|h| h.to_vec()).collect(),
        (_, mesh) => elements(mesh),
    };
    let middle = |stencil: &[u32]| {
        let sum: Vector3<f64> = stencil.iter().map(|&v| mesh.positions()[v as usize]).sum();
        sum / stencil.len() as f64
    };
    let mut factors: Vec<f64> = stencils.iter().map(|stencil| at_place(all, &middle(stencil))).collect();
    for how in all {
        let How::Elements(values) = how else { continue };
        if matches!(of, Category::Edges | Category::Bending) {
            let of_edge = means_of_edges(mesh, values);
            for (factor, stencil) in factors.iter_mut().zip(&stencils) {
                // The first two vertices of a hinge are its edge.
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

/// The stiffness of each hinge as a multiple of the flexural rigidity: |e|²/(A0 + A1).
///
/// So the energy is that of isometric bending with k = D/3 for small angles (Bergou et al. 2006), and does
/// not depend on the resolution.
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
