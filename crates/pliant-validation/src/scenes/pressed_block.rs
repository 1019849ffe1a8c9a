//! A block between two plates, of which the upper comes down.

use nalgebra::Vector3;
use pliant_constraints::{Distance, TetVolume};
use pliant_mesh::{TetMesh, lumped_mass_tets};
use pliant_solver::{Assembly, Constraints, Keyframe, Motion, Pin, Settings};

use super::{Scheme, drag};
use crate::problem::Problem;

/// A unit cube that is pressed flat.
pub(crate) struct Press<'a> {
    pub(crate) mesh: &'a TetMesh,
    /// Edges in the order in which they are projected.
    pub(crate) edges: &'a [[u32; 2]],
    /// kg/m³
    pub(crate) density: f64,
    /// Height that the block is pressed to, m.
    pub(crate) height: f64,
    /// Time for that, s.
    pub(crate) lowering: f64,
    /// Time that it is held, s.
    pub(crate) holding: f64,
    /// Length of a frame, s.
    pub(crate) dt: f64,
    /// Velocities are multiplied by 1 − rate·h in every substep, 1/s.
    pub(crate) rate: f64,
}

pub(crate) struct Pressed {
    pub(crate) volume_ratio: f64,
    pub(crate) inverted: usize,
    /// How far the vertices half way up the sides have moved outwards, all together, m.
    pub(crate) bulge: f64,
}

impl Press<'_> {
    /// Presses it with edges of a compliance, m/N, and rigid volumes.
    pub(crate) fn press(&self, compliance: f64, substeps: u32, scheme: Scheme) -> Result<Pressed, Problem> {
        let (mesh, rest) = (self.mesh, self.mesh.positions());
        let w = lumped_mass_tets(mesh, self.density).iter().map(|m| 1.0 / m).collect();
        let length = |[a, b]: &[u32; 2]| Distance::at_rest(&[rest[*a as usize], rest[*b as usize]]);
        let lengths = self.edges.iter().map(length).collect();
        let volumes = (0..mesh.tets().len()).map(|t| TetVolume { rest: mesh.tet_volume(t) }).collect();

        let mut assembly = Assembly::new(rest.to_vec(), w)?;
        assembly.add(Constraints::new("edges", self.edges.to_vec(), lengths, vec![compliance])?);
        assembly.add(Constraints::new("volumes", mesh.tets().to_vec(), volumes, vec![0.0])?);
        let key =
            |time, y| Keyframe { time, translation: Vector3::new(0.0, y, 0.0), rotation: Vector3::zeros() };
        let keys = vec![key(0.0, 0.0), key(self.lowering, self.height - 1.0)];
        let plate = Motion::Keyframes { pivot: Vector3::zeros(), keys };
        assembly.pin(Pin::select(|x| x.y < 1e-9));
        assembly.pin(Pin::select(|x| x.y > 1.0 - 1e-9).motion(plate));
        assembly.settings(Settings {
            substeps,
            gravity: Vector3::zeros(),
            drag: drag(self.rate, self.dt / f64::from(substeps)),
            ..scheme.settings()
        });
        let mut sim = assembly.build::<f64>()?;
        for _ in 0..((self.lowering + self.holding) / self.dt).round() as u64 {
            sim.advance(self.dt)?;
        }

        let now = mesh.with_positions(sim.positions())?;
        // All four sides together: the softest block sways to one of them, and which is chaotic.
        let outwards = |rest: &f64, now: &f64| match rest {
            side if *side < 1e-9 => rest - now,
            side if *side > 1.0 - 1e-9 => now - rest,
            _ => 0.0,
        };
        let bulge = rest.iter().zip(now.positions()).filter(|(rest, _)| (rest.y - 0.5).abs() < 1e-9);
        let bulge = bulge.map(|(rest, x)| outwards(&rest.x, &x.x) + outwards(&rest.z, &x.z));
        Ok(Pressed {
            volume_ratio: now.volume() / mesh.volume(),
            inverted: (0..now.tets().len()).filter(|&t| now.tet_volume(t) <= 0.0).count(),
            bulge: bulge.sum(),
        })
    }
}
