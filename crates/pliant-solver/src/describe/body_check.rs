//! The checks of a [`Body`], the masses of its vertices, and its defaults.

use pliant_mesh::{book, lumped_mass_tets, lumped_mass_triangles};

use crate::describe::body::{BendModel, Body, Masses};
use crate::describe::body_shape::BodyShape;
use crate::describe::category::Category;
use crate::describe::elasticity::{Elasticity, VolumeElasticity};
use crate::error::body::{BodyError, BodyPart, BodyProblem, Element};

impl Body {
    /// Inverse masses of the vertices, 1/kg, after checking everything that they and the constraints depend on.
    pub(crate) fn checked_inverse_masses(&self, body: usize, name: &str) -> Result<Vec<f64>, BodyError> {
        let refused = |(part, problem)| BodyError { body, name: name.to_owned(), part, problem };
        self.check_numbers().map_err(refused)?;
        self.inverse_masses().map_err(refused)
    }

    /// Checks the numbers that were given.
    fn check_numbers(&self) -> Result<(), (BodyPart, BodyProblem)> {
        let parameter = |part, value, expected| Err((part, BodyProblem::Number { value, expected }));
        let (density, elements) = match &self.shape {
            BodyShape::Cloth(mesh, density) => (*density, mesh.triangles().len()),
            BodyShape::Solid(mesh, density) => (*density, mesh.tets().len()),
        };
        if !(density > 0.0 && density.is_finite()) {
            return parameter(
                BodyPart::Density,
                density,
                "a positive number (kg/m² for cloth, kg/m³ for a solid)",
            );
        }
        if !(self.contact_radius >= 0.0 && self.contact_radius.is_finite()) {
            return parameter(BodyPart::ContactRadius, self.contact_radius, "a number of at least 0, m");
        }
        let bending = match self.bend {
            Some(BendModel::Dihedral(e) | BendModel::Distance(e)) => Some(e),
            Some(BendModel::Isometric(_)) | None => None,
        };
        for (what, elasticity) in [(BodyPart::Edges, self.stretch), (BodyPart::Bending, bending)] {
            let a = elasticity.map_or(0.0, |e| e.compliance);
            if !(a >= 0.0 && a.is_finite()) {
                return parameter(what, a, "a compliance of 0 (rigid) or more, or a positive stiffness");
            }
        }
        match self.volume {
            Some(VolumeElasticity::BulkModulus(modulus)) if !(modulus > 0.0 && modulus.is_finite()) => {
                return parameter(BodyPart::BulkModulus, modulus, "a positive number, Pa");
            }
            Some(volume) => {
                let a = volume.compliance(1.0);
                if !(a >= 0.0 && a.is_finite()) {
                    return parameter(
                        BodyPart::Volumes,
                        a,
                        "a compliance of 0 (rigid) or more, or a positive stiffness",
                    );
                }
            }
            None => {}
        }
        if let Some(&(_, time)) = self.dampings.iter().find(|(_, time)| !(*time >= 0.0 && time.is_finite())) {
            return parameter(BodyPart::Damping, time, "0 (no damping) or a positive time, s");
        }
        if let Some(slack) = self.tethers.filter(|slack| !(*slack >= 0.0 && slack.is_finite())) {
            return parameter(BodyPart::Tethers, slack, "0 or a positive share of their length");
        }
        if let Some(start) = &self.start
            && start.len() != self.positions().len()
        {
            let (positions, vertices) = (start.len(), self.positions().len());
            return Err((BodyPart::Start, BodyProblem::StartCount { positions, vertices }));
        }
        if let Some(found) = self.velocities_given().filter(|&found| found != self.positions().len()) {
            let vertices = self.positions().len();
            return Err((BodyPart::Start, BodyProblem::VelocityCount { found, vertices }));
        }
        if elements == 0 {
            return Err((BodyPart::Mesh, BodyProblem::NoElements { vertices: self.positions().len() }));
        }
        self.check_elements().map_err(|problem| (BodyPart::Mesh, problem))
    }

    /// Inverse masses of the vertices, 1/kg.
    fn inverse_masses(&self) -> Result<Vec<f64>, (BodyPart, BodyProblem)> {
        let inverse: Vec<f64> = match (&self.shape, self.masses) {
            (_, Masses::Lumped) if !self.densities.is_empty() => {
                invert(self.uneven_masses().map_err(|problem| (BodyPart::Density, problem))?)
            }
            (BodyShape::Cloth(mesh, density), Masses::Lumped) => {
                invert(lumped_mass_triangles(mesh, *density))
            }
            (BodyShape::Solid(mesh, density), Masses::Lumped) => invert(lumped_mass_tets(mesh, *density)),
            (BodyShape::Cloth(mesh, _), Masses::SumOfInverses) => book::sum_of_inverse_triangle_masses(mesh),
            (BodyShape::Solid(mesh, _), Masses::SumOfInverses) => book::sum_of_inverse_tet_masses(mesh),
        };
        let massless = |w: &f64| !(*w > 0.0 && w.is_finite());
        if let Some(first) = inverse.iter().position(massless) {
            let count = inverse.iter().filter(|w| massless(w)).count();
            return Err((BodyPart::Mesh, BodyProblem::Massless { first, count }));
        }
        Ok(inverse)
    }

    /// Masses where the density of elements differs, kg: each gives its vertices equal shares of its own.
    fn uneven_masses(&self) -> Result<Vec<f64>, BodyProblem> {
        let mut masses = vec![0.0; self.positions().len()];
        match &self.shape {
            BodyShape::Cloth(mesh, density) => {
                let mass = |t| density * mesh.triangle_area(t);
                self.share(mesh.triangles(), mass, &mut masses)?;
            }
            BodyShape::Solid(mesh, density) => {
                let mass = |t| density * mesh.tet_volume(t);
                self.share(mesh.tets(), mass, &mut masses)?;
            }
        }
        Ok(masses)
    }

    fn share<const N: usize>(
        &self,
        elements: &[[u32; N]],
        mass: impl Fn(usize) -> f64,
        masses: &mut [f64],
    ) -> Result<(), BodyProblem> {
        let mut factors = vec![1.0; elements.len()];
        for list in &self.densities {
            let resolved = list.resolve(elements, self.positions())?;
            factors.iter_mut().zip(resolved).for_each(|(factor, more)| *factor *= more);
        }
        for ((e, element), factor) in elements.iter().enumerate().zip(factors) {
            for &vertex in element {
                masses[vertex as usize] += factor * mass(e) / N as f64;
            }
        }
        Ok(())
    }

    fn check_elements(&self) -> Result<(), BodyProblem> {
        match &self.shape {
            BodyShape::Solid(mesh, _) => {
                let inverted = mesh.inverted();
                if let Some(&first) = inverted.first() {
                    return Err(BodyProblem::InvertedTets {
                        first,
                        volume: mesh.tet_volume(first),
                        count: inverted.len(),
                        total: mesh.tets().len(),
                    });
                }
            }
            BodyShape::Cloth(mesh, _) => {
                let flat = (0..mesh.triangles().len()).find(|&t| mesh.triangle_area(t) <= 0.0);
                if let Some(index) = flat {
                    return Err(BodyProblem::Degenerate(Element::Triangle(index)));
                }
            }
        }
        Ok(())
    }
}

fn invert(masses: Vec<f64>) -> Vec<f64> {
    masses.into_iter().map(|m| 1.0 / m).collect()
}

impl Body {
    /// The resistance of the edges, if they are springs.
    pub(crate) fn stretch_or_default(&self) -> Option<Elasticity> {
        let default = (self.membrane.is_none() && self.continuum.is_none()).then(Elasticity::default);
        self.stretch.or(default)
    }

    /// The resistance of the volumes, if they are springs.
    pub(crate) fn volume_or_default(&self) -> Option<VolumeElasticity> {
        self.volume.or(self.continuum.is_none().then(VolumeElasticity::default))
    }

    /// The relaxation time of the constraints of a category, s.
    pub(crate) fn damping_of(&self, category: Category) -> f64 {
        self.dampings.iter().rev().find(|(r, _)| *r == category).map_or(0.0, |(_, relaxation)| *relaxation)
    }
}
