//! Rows of one implicit step: how far a method is from the converged one.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_io::{Mesh, read_mesh};
use pliant_mesh::{Resolution, Split, TetMesh, TetrahedralizeOptions, TriMesh};
use pliant_solver::{Body, Continuum, Float, Membrane, Method, Settings, Simulation, Stiffness};

use super::clock::timed;
use super::frames::whole;
use super::row::{POSITION, Specimen};
use super::sewn::{file, garment, shoulders};
use super::{Reached, Way};
use crate::bench::median;

/// Length of the step, s.
const STEP: f64 = 1.0 / 600.0;
/// Velocity of all vertices that can move, m/s: the body hangs at rest and is hit.
const HIT: [f64; 3] = [0.3, 0.0, 0.1];
/// Young's modulus, Pa, Poisson's ratio, stiffness of the edges, N/m, and density, kg/m³.
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.4;
const SPRINGS: f64 = 1e6;
const DENSITY: f64 = 1000.0;
/// Depth of the layer at the top that is held, m, of a body of 1 m.
const HELD: f64 = 0.01;

/// The cloth of a garment: Young's modulus, Pa, Poisson's ratio, thickness, m, stiffness against bending, N·m, and mass, kg/m².
const MEMBRANE: [f64; 3] = [0.82e6, 0.24, 0.318e-3];
const BENDING: f64 = 1e-5;
const AREA_DENSITY: f64 = 0.15;

/// Accuracy of the step that counts as converged.
const CONVERGED: f64 = 1e-9;
/// Times that a step is taken.
const TIMES: usize = 5;

/// What hangs.
enum Shape {
    /// A solid of 1 m.
    Solid(TetMesh),
    Cloth(TriMesh),
}

/// An elastic body that hangs by its top, and where it is after the step.
pub(super) struct Subject {
    shape: Shape,
    /// Masses of the particles that can move, kg; else zero.
    masses: Vec<f64>,
    exact: Vec<Vector3<f64>>,
    /// The distance of the step from the prediction, in the norm of the masses.
    moved: f64,
}

impl Shape {
    /// None if its files are missing.
    fn new(specimen: Specimen) -> Result<Option<Self>, Box<dyn std::error::Error>> {
        let name = match specimen {
            Specimen::Block(cells) => {
                return Ok(Some(Self::Solid(TetMesh::block([cells; 3], [1.0; 3], Split::Kuhn)?)));
            }
            Specimen::Sewn(mesh, stitches) => return Ok(garment(mesh, stitches)?.map(Self::Cloth)),
            Specimen::Tets(name) | Specimen::Filled(name, _) => name,
        };
        let Some(path) = file(name) else { return Ok(None) };
        Ok(Some(match (read_mesh(&path)?.mesh, specimen) {
            (Mesh::Tet(mesh), _) => Self::Solid(fitted(&mesh)?),
            (Mesh::Tri(mesh), Specimen::Filled(_, cells)) => {
                let resolution = Resolution::Cells(cells);
                let options = TetrahedralizeOptions { resolution, ..Default::default() };
                Self::Solid(fitted(&mesh.tetrahedralize(&options)?.0)?)
            }
            (Mesh::Tri(_), _) => return Err(format!("{}: a surface, not a solid", path.display()).into()),
        }))
    }

    /// The body, held by its top.
    fn body(&self) -> Body {
        match self {
            Self::Solid(mesh) => {
                let top = mesh.positions().iter().map(|x| x.y).fold(f64::MIN, f64::max);
                Body::solid(mesh.clone())
                    .density(DENSITY)
                    .continuum(Continuum::neo_hookean(YOUNG, POISSON))
                    .stretch(Stiffness::new(SPRINGS))
                    .pin(move |x| x.y > top - HELD)
            }
            Self::Cloth(mesh) => {
                let [young, poisson, thickness] = MEMBRANE;
                Body::cloth(mesh.clone())
                    .area_density(AREA_DENSITY)
                    .membrane(Membrane::isotropic(young, poisson, thickness))
                    .bend_isometric(Stiffness::new(BENDING))
                    .pin_vertices(shoulders(mesh))
            }
        }
    }
}

impl Subject {
    /// None if its files are missing.
    pub(super) fn new(specimen: Specimen) -> Result<Option<Self>, Box<dyn std::error::Error>> {
        let Some(shape) = Shape::new(specimen)? else { return Ok(None) };
        let mut subject = Self { shape, masses: Vec::new(), exact: Vec::new(), moved: 0.0 };
        let mut sim = subject.simulation::<f64>(Settings {
            method: Method::Newton,
            accuracy: CONVERGED,
            ..subject.settings()
        })?;
        let (x, v) = (sim.positions(), sim.velocities());
        subject.masses = sim.inverse_masses().iter().map(|&w| if w > 0.0 { 1.0 / w } else { 0.0 }).collect();
        sim.advance(STEP)?;
        subject.exact = sim.positions();
        let fallen = sim.settings().gravity * (STEP * STEP);
        let predicted: Vec<_> = x.iter().zip(&v).map(|(x, v)| x + v * STEP + fallen).collect();
        subject.moved = subject.distance(&predicted);
        Ok(Some(subject))
    }

    pub(super) fn particles(&self) -> usize {
        self.masses.len()
    }

    fn settings(&self) -> Settings {
        Settings { substeps: 1, recover: false, ..Settings::default() }
    }

    fn simulation<T: Float>(&self, settings: Settings) -> Result<Simulation<T>, String> {
        let body = self.shape.body().velocity(Vector3::from(HIT));
        Simulation::builder().settings(settings).body(body).build_as().map_err(|error| error.to_string())
    }

    /// How far positions are from the converged ones, in the norm of the masses.
    fn distance(&self, x: &[Vector3<f64>]) -> f64 {
        let squares =
            x.iter().zip(&self.exact).zip(&self.masses).map(|((a, b), m)| m * (a - b).norm_squared());
        squares.sum::<f64>().sqrt()
    }

    /// Takes the step with a value of the method's setting.
    pub(super) fn attempt(&self, way: Way, setting: f64) -> Result<Reached, String> {
        let settings = match way {
            Way::Newton => Settings { method: Method::Newton, accuracy: setting, ..self.settings() },
            _ => Settings { iterations: whole(setting), ..self.settings() },
        };
        let mut sim = self.simulation::<f32>(settings)?;
        let before = sim.snapshot();
        let mut times = Vec::new();
        for _ in 0..TIMES {
            sim.restore(&before);
            let mut good = true;
            times.push(timed(|| good = sim.advance(STEP).is_ok()));
            // Steps that take seconds are not repeated.
            if !good || times[0] > 3e3 {
                break;
            }
        }
        let error = self.distance(&sim.positions()) / self.moved;
        let error = if error.is_finite() { error } else { f64::INFINITY };
        Ok(Reached {
            setting,
            what: way.setting(true).to_owned(),
            ms: median(&mut times),
            errors: BTreeMap::from([(POSITION.to_owned(), [error; 3])]),
            energy: None,
            held: error <= super::row::STEP[0].at_most,
        })
    }
}

/// The mesh, 1 m long along its longest axis.
fn fitted(mesh: &TetMesh) -> Result<TetMesh, Box<dyn std::error::Error>> {
    let longest = mesh.bounds().map_or(1.0, |bounds| bounds.size().max());
    let positions = mesh.positions().iter().map(|x| x / longest).collect();
    Ok(mesh.with_positions(positions)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newton_reaches_a_step_that_sweeps_take_hundreds_for() {
        let subject =
            Subject::new(Specimen::Block(8)).expect("a block can be made").expect("it needs no file");
        let error =
            |way, setting| subject.attempt(way, setting).expect("the step can be taken").errors[POSITION][0];
        assert!(error(Way::Newton, 1e-2) < 1e-2);
        assert!(error(Way::Sweeps, 4.0) > 1e-2);
        assert!(error(Way::Sweeps, 64.0) < error(Way::Sweeps, 4.0));
    }
}
