//! The static answer on the same mesh, by Newton's method: the rest state that simulations with any time step
//! must reach.
//!
//! Stationary points of Π(x) = Σ E_e(x) − Σ m g·x are found without the solver under test: element
//! stiffnesses are central differences of the energy's gradient, the linear systems are solved by conjugate
//! gradients, and steps are halved until Π falls (Nocedal & Wright, "Numerical Optimization", 2006, algorithm
//! 7.1).

use nalgebra::{SMatrix, SVector, Vector3};
use pliant_constraints::{Elastic, NeoHookeanTet};

use crate::problem::Problem;
use crate::scenes::beam::Beam;

/// Net force left on a vertex relative to the weight of the beam.
const TOLERANCE: f64 = 1e-11;
const MOST_STEPS: usize = 60;

type Stiffness = SMatrix<f64, 12, 12>;

/// Positions at which a beam is in equilibrium under its weight, m.
pub(super) fn equilibrium(beam: &Beam) -> Result<Vec<Vector3<f64>>, Problem> {
    let system = System::new(beam)?;
    let weight: f64 = system.masses.iter().sum::<f64>() * beam.g;
    let mut x = beam.mesh.positions().to_vec();
    let mut force = system.net_force(&x);
    for _ in 0..MOST_STEPS {
        let largest = force.iter().map(nalgebra::Matrix::norm).fold(0.0, f64::max);
        if largest <= TOLERANCE * weight {
            return Ok(x);
        }
        let step = system.solve(&system.stiffnesses(&x), &force);
        let slope: f64 = dot(&force, &step);
        let before = system.potential(&x);
        // Near the end the potential no longer helps: the steps change only its last digits.
        let noise = 1e-13 * before.abs();
        let moved = |share: f64| -> Vec<_> { x.iter().zip(&step).map(|(x, s)| x + s * share).collect() };
        let shares = std::iter::successors(Some(1.0), |share| Some(share * 0.5)).take(30);
        let falls = |share: &f64| system.potential(&moved(*share)) <= before - 1e-4 * share * slope + noise;
        let share = shares.into_iter().find(falls);
        x = moved(share.ok_or_else(|| Problem("Newton's method found no way down".into()))?);
        force = system.net_force(&x);
    }
    Err(Problem(format!("Newton's method has not arrived after {MOST_STEPS} steps")))
}

/// A beam as equations.
pub(super) struct System<'a> {
    beam: &'a Beam,
    elements: Vec<Elastic<NeoHookeanTet<f64>>>,
    masses: Vec<f64>,
    free: Vec<bool>,
}

impl<'a> System<'a> {
    pub(super) fn new(beam: &'a Beam) -> Result<Self, Problem> {
        let free = beam.mesh.positions().iter().map(|x| x.x >= 1e-9).collect();
        Ok(Self { beam, elements: beam.elements()?, masses: beam.masses(), free })
    }

    fn tets(&self) -> impl Iterator<Item = (&[u32; 4], &Elastic<NeoHookeanTet<f64>>)> {
        self.beam.mesh.tets().iter().zip(&self.elements)
    }

    fn potential(&self, x: &[Vector3<f64>]) -> f64 {
        let elastic: f64 = self.tets().map(|(tet, e)| e.energy(&tet.map(|v| x[v as usize]))).sum();
        let height = |(x, m): (&Vector3<f64>, &f64)| m * self.beam.g * x.y;
        elastic + x.iter().zip(&self.masses).map(height).sum::<f64>()
    }

    /// Weight and elastic forces on every vertex that can move, N.
    pub(super) fn net_force(&self, x: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let mut force: Vec<_> =
            self.masses.iter().map(|m| Vector3::new(0.0, -m * self.beam.g, 0.0)).collect();
        for (tet, element) in self.tets() {
            let gradient = element.energy_gradient(&tet.map(|v| x[v as usize]));
            for (&v, g) in tet.iter().zip(&gradient) {
                force[v as usize] -= g;
            }
        }
        self.hold(force)
    }

    /// Nothing on the vertices that are held.
    fn hold(&self, mut values: Vec<Vector3<f64>>) -> Vec<Vector3<f64>> {
        for (value, free) in values.iter_mut().zip(&self.free) {
            if !free {
                *value = Vector3::zeros();
            }
        }
        values
    }

    pub(super) fn stiffnesses(&self, x: &[Vector3<f64>]) -> Vec<Stiffness> {
        self.tets().map(|(tet, element)| stiffness(element, &tet.map(|v| x[v as usize]))).collect()
    }

    fn product(&self, stiffnesses: &[Stiffness], v: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let mut product = vec![Vector3::zeros(); v.len()];
        for (tet, k) in self.beam.mesh.tets().iter().zip(stiffnesses) {
            let local = SVector::<f64, 12>::from_fn(|i, _| v[tet[i / 3] as usize][i % 3]);
            let image = k * local;
            for (j, &vertex) in tet.iter().enumerate() {
                product[vertex as usize] += image.fixed_rows::<3>(3 * j);
            }
        }
        self.hold(product)
    }

    /// Displacements that forces cause, by conjugate gradients; up to where the stiffness ceases to be positive.
    pub(super) fn solve(&self, stiffnesses: &[Stiffness], force: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let mut x = vec![Vector3::zeros(); force.len()];
        let mut r = force.to_vec();
        let mut p = r.clone();
        let mut rr = dot(&r, &r);
        let goal = 1e-18 * rr;
        for _ in 0..20 * force.len() {
            let kp = self.product(stiffnesses, &p);
            let curvature = dot(&p, &kp);
            if rr <= goal || curvature <= 0.0 {
                break;
            }
            let along = rr / curvature;
            for i in 0..x.len() {
                x[i] += p[i] * along;
                r[i] -= kp[i] * along;
            }
            let before = std::mem::replace(&mut rr, dot(&r, &r));
            for (p, r) in p.iter_mut().zip(&r) {
                *p = r + *p * (rr / before);
            }
        }
        x
    }
}

/// Central differences of the gradient over a ten thousandth of the element's size, symmetrised.
fn stiffness(element: &Elastic<NeoHookeanTet<f64>>, x: &[Vector3<f64>; 4]) -> Stiffness {
    let step = 1e-4 * (x[1] - x[0]).norm();
    let mut k = Stiffness::zeros();
    for column in 0..12 {
        let gradient = |side: f64| {
            let mut moved = *x;
            moved[column / 3][column % 3] += side * step;
            element.energy_gradient(&moved)
        };
        let (ahead, behind) = (gradient(1.0), gradient(-1.0));
        for row in 0..12 {
            k[(row, column)] = (ahead[row / 3][row % 3] - behind[row / 3][row % 3]) / (2.0 * step);
        }
    }
    (k + k.transpose()) * 0.5
}

fn dot(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}
