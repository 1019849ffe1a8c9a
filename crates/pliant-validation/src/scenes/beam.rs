//! A beam of neo-Hookean tetrahedra that is held at one end and bends under its weight.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Lame, NeoHookeanTet};
use pliant_mesh::{TetMesh, lumped_mass_tets};
use pliant_solver::{Body, Continuum, Plan, Settings, Simulation};

use super::{Scheme, drag};
use crate::problem::Problem;

/// The relative change of the deflection in a frame at which it counts as settled.
const STILL: f64 = 1e-7;

/// A cantilever along x, held where x = 0.
#[derive(Debug, Clone)]
pub(crate) struct Beam {
    pub(crate) mesh: TetMesh,
    /// Young's modulus, Pa.
    pub(crate) young: f64,
    pub(crate) poisson: f64,
    /// kg/m³
    pub(crate) density: f64,
    /// m/s²
    pub(crate) g: f64,
    /// The vertex whose deflection is measured.
    pub(crate) tip: usize,
}

/// The settling of a beam.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settling {
    pub(crate) substeps: u32,
    pub(crate) scheme: Scheme,
    /// Whether the law is the steady one.
    pub(crate) steady: bool,
    /// Length of a frame, s.
    pub(crate) dt: f64,
    /// Least time, s; eight times that at most.
    pub(crate) seconds: f64,
    /// Velocities are multiplied by 1 − rate·h in every substep, 1/s.
    pub(crate) rate: f64,
}

impl Default for Settling {
    fn default() -> Self {
        Self {
            substeps: 160,
            scheme: Scheme::sweeps(1),
            steady: false,
            dt: 1.0 / 60.0,
            seconds: 2.5,
            rate: 15.0,
        }
    }
}

/// A settled beam.
pub(crate) struct Settled {
    pub(crate) positions: Vec<Vector3<f64>>,
    /// The deflection of the tip, m.
    pub(crate) deflection: f64,
    /// Length of a substep, s.
    pub(crate) h: f64,
    /// λ of the two rows of every tetrahedron.
    pub(crate) multipliers: Vec<f64>,
    /// Largest residual |C + α̃λ| of a row, and the root of their mean square.
    pub(crate) residual: [f64; 2],
    /// Largest residual of the equation of motion, m.
    pub(crate) motion: f64,
    /// Bound on the error of the last substep, m.
    pub(crate) step_error: f64,
}

impl Beam {
    /// The body, without load, of the plain or the steady law.
    pub(crate) fn body(&self, steady: bool) -> Body {
        let law = Continuum::neo_hookean(self.young, self.poisson);
        let body = Body::solid(self.mesh.clone()).density(self.density);
        body.continuum(if steady { law } else { law.plain() }).pin(|x| x.x < 1e-9)
    }

    /// Releases it unloaded. A soft beam creeps under so much drag; it gets up to eight times its time to settle.
    pub(crate) fn settle(&self, how: &Settling) -> Result<Settled, Problem> {
        let h = how.dt / f64::from(how.substeps);
        let settings = Settings {
            substeps: how.substeps,
            gravity: Vector3::new(0.0, -self.g, 0.0),
            plan: Plan::Clustered,
            drag: drag(how.rate, h),
            certificate: true,
            ..how.scheme.settings()
        };
        let mut sim =
            Simulation::builder().settings(settings).body(self.body(how.steady)).build_as::<f64>()?;
        let frames = (how.seconds / how.dt).round() as u64;
        let mut deflection = 0.0_f64;
        for frame in 1..=8 * frames {
            sim.advance(how.dt)?;
            let now = self.deflection(sim.positions_of(self.tip..self.tip + 1)[0].y);
            let still = (now - deflection).abs() <= STILL * now.abs();
            deflection = now;
            if still && frame >= frames {
                break;
            }
        }
        let report = sim.report();
        let solids = report.residuals.first().ok_or_else(|| Problem("a beam has elements".into()))?;
        let multipliers = sim.multipliers(&solids.name).unwrap_or_default();
        Ok(Settled {
            positions: sim.positions(),
            deflection,
            h,
            multipliers,
            residual: [solids.max.value, solids.rms],
            motion: report.motion.map_or(f64::NAN, |motion| motion.max.value),
            step_error: report.step_error.unwrap_or(f64::NAN),
        })
    }

    fn deflection(&self, height: f64) -> f64 {
        self.mesh.positions()[self.tip].y - height
    }

    /// Mass of every vertex, kg.
    pub(crate) fn masses(&self) -> Vec<f64> {
        lumped_mass_tets(&self.mesh, self.density)
    }

    /// The elements with their compliances, 1/J.
    pub(crate) fn elements(&self) -> Result<Vec<pliant_constraints::Elastic<NeoHookeanTet<f64>>>, Problem> {
        let moduli = Lame::neo_hookean(self.young, self.poisson)?;
        let corners = |tet: &[u32; 4]| tet.map(|v| self.mesh.positions()[v as usize]);
        let element = |tet: &[u32; 4]| Ok(NeoHookeanTet::with_moduli(&corners(tet), moduli)?);
        self.mesh.tets().iter().map(element).collect()
    }

    /// Σ ∇C λ/h² on every vertex at given positions: the forces, N, that multipliers stand for.
    pub(crate) fn forces_of(&self, settled: &Settled) -> Result<Vec<Vector3<f64>>, Problem> {
        let mut forces = vec![Vector3::zeros(); settled.positions.len()];
        let per_h2 = 1.0 / (settled.h * settled.h);
        for ((tet, element), lambda) in
            self.mesh.tets().iter().zip(self.elements()?).zip(settled.multipliers.chunks_exact(2))
        {
            let x = tet.map(|v| settled.positions[v as usize]);
            let (_, rows) = element.kind.values_and_gradients(&x);
            for (row, lambda) in rows.iter().zip(lambda) {
                for (&v, gradient) in tet.iter().zip(row) {
                    forces[v as usize] += gradient * (lambda * per_h2);
                }
            }
        }
        Ok(forces)
    }
}
