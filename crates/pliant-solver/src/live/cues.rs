//! [`Simulation::cue`]: moments at which motions begin that wait for them.

use nalgebra::Vector3;
use pliant_kernel::{Peak, Scalar, widen};

use crate::live::state::Cue;
use crate::observe::report::SeamGap;
use crate::set::seams::Seams;
use crate::simulation::Simulation;
use crate::world::World;

impl<T: Scalar> World<T> {
    /// The cues that were given, in their order.
    #[must_use]
    pub fn cues(&self) -> &[Cue] {
        &self.cues
    }

    /// Takes other cues, and has motions begin with them.
    pub(crate) fn take_cues(&mut self, cues: &[Cue]) {
        self.cues = cues.to_vec();
        for pin in &mut self.kinematics.pins {
            if let Some(name) = &pin.cue {
                let given = cues.iter().find(|cue| *cue.name == **name);
                pin.begun = given.map_or(f64::INFINITY, |cue| cue.time);
            }
        }
    }

    /// The largest speed of a particle that can move, m/s, and the particle.
    #[must_use]
    pub fn fastest(&self) -> Peak {
        let mut fastest = Peak::default();
        let particles = &self.fine.particles;
        for (i, (p, velocity)) in particles.now.iter().zip(&particles.velocity).enumerate().take(self.len()) {
            if p.w > T::zero() {
                let v: Vector3<f64> = widen(&velocity.v);
                fastest.take(v.norm(), self.caller(i));
            }
        }
        fastest
    }

    /// How far open the seams are, in their order.
    #[must_use]
    pub fn seam_gaps(&self) -> Vec<SeamGap> {
        self.seams.as_ref().map_or_else(Vec::new, |seams| seams.gaps(&self.fine.particles.now))
    }

    /// The names of the seams, each with which of its pairs are closed: for good, or as long as nothing
    /// restores another state.
    #[must_use]
    pub fn closed_pairs(&self) -> Vec<(String, Vec<bool>)> {
        self.seams.as_ref().map_or_else(Vec::new, Seams::closed_pairs)
    }
}

impl<T: Scalar> Simulation<T> {
    /// Gives a cue: motions of pins that [wait for it](crate::Pin::begin_with) begin now. A cue that was given
    /// before changes nothing. Costs O(pins).
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Motion, Pin, Simulation};
    ///
    /// let rim = Pin::vertices([0, 1, 2]).motion(Motion::linear(Vector3::x())).begin_with("go");
    /// let body = Body::cloth(TriMesh::grid([3, 3], [0.2, 0.2])?).pin_with(rim);
    /// let mut sim: Simulation = Simulation::builder().body(body).build()?;
    /// let start = sim.position(0).x;
    /// sim.advance(0.1)?;
    /// assert_eq!(sim.position(0).x, start);
    /// sim.cue("go");
    /// sim.advance(0.1)?;
    /// assert!((sim.position(0).x - start - 0.1).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cue(&mut self, name: &str) {
        let world = &mut self.world;
        if world.cues.iter().all(|cue| cue.name != name) {
            let mut cues = world.cues.clone();
            cues.push(Cue { name: name.to_owned(), time: world.time });
            world.take_cues(&cues);
        }
    }
}
