//! Bodies added and removed while a simulation runs.
//!
//! The simulation is built again from its changed description, and the state of the remaining bodies is
//! carried over: cost and bits are those of a simulation that was built in this way and continued from that
//! state.

use std::sync::Arc;

use crate::build::builder::SimulationBuilder;
use crate::describe::attachment::Attachment;
use crate::describe::body::Body;
use crate::describe::collide::CrossingStart;
use crate::describe::custom_constraints::CustomConstraints;
use crate::describe::scene::Scene;
use crate::describe::seam::Seam;
use crate::describe::stitch::Stitch;
use crate::float::Float;
use crate::live::bodies::BodyId;
use crate::live::carry::Carry;
use crate::live::error::LiveError;
use crate::simulation::Simulation;
use crate::state::snapshot::Snapshot;

impl<T: Float> Simulation<T> {
    /// Adds a body in its initial state. The others keep their positions and velocities, pins, springs,
    /// forces and multipliers, and their handles.
    ///
    /// Costs O(scene): everything is planned again. The balance of energy leaves out the frame that follows.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::{Split, TetMesh, TriMesh};
    /// use pliant_solver::{Body, Simulation};
    ///
    /// let sheet = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).name("sheet").pin_vertices([0, 5]);
    /// let mut sim = Simulation::builder().body(sheet).build()?;
    /// sim.advance(1.0 / 60.0)?;
    /// let before = sim.positions();
    /// let block = Body::solid(TetMesh::block([1, 1, 1], [0.1; 3], Split::Kuhn)?).name("block");
    /// let block = sim.add_body(block)?;
    /// assert_eq!(sim.positions()[..36], before);
    /// sim.advance(1.0 / 60.0)?;
    /// let taken = sim.remove_body(block)?;
    /// assert_eq!(sim.body_ranges().len(), 1);
    /// sim.add_body(taken.velocity(Vector3::y()))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the body cannot be simulated, or the simulation is not built from bodies, or has inserted
    /// [passes](Simulation::insert), which refer to particles by number.
    pub fn add_body(&mut self, body: Body) -> Result<BodyId, LiveError> {
        let mut scene = self.scene_to_change()?;
        scene.bodies.push(Arc::new(body));
        let mut ids = self.world.live.bodies.clone();
        let id = self.world.live.next;
        ids.push(id);
        T::rebuild(self, scene, ids)?;
        Ok(BodyId(id))
    }

    /// Removes a body and returns its description, for example to add it again with other [start
    /// positions](Body::start). Springs, pins and forces on it are removed too; the other bodies keep theirs.
    ///
    /// Costs as [`add_body`](Self::add_body).
    ///
    /// # Errors
    ///
    /// If the body was removed already, is the last one, is stitched, attached or sewn to another, or custom
    /// constraints act on it; or as [`add_body`](Self::add_body).
    pub fn remove_body(&mut self, body: BodyId) -> Result<Body, LiveError> {
        let mut scene = self.scene_to_change()?;
        let mut ids = self.world.live.bodies.clone();
        let at = ids.iter().position(|&id| id == body.0).ok_or(LiveError::Gone { what: "body" })?;
        let name = self.world.body_ranges[at].name.clone();
        let is_first = self.world.body_ranges[..at].iter().all(|part| part.name != name);
        let stitched = scene.stitches.iter_mut().flat_map(Stitch::bodies_mut);
        let attached = scene.attachments.iter_mut().flat_map(Attachment::bodies_mut);
        let sewn = scene.seams.iter_mut().flat_map(Seam::bodies_mut);
        let custom = scene.custom.iter_mut().flat_map(CustomConstraints::bodies_mut);
        for tied in stitched.chain(attached).chain(sewn).chain(custom) {
            if !tied.without(at, is_first.then_some(name.as_str())) {
                return Err(LiveError::Tied { body: name });
            }
        }
        let taken = scene.bodies.remove(at);
        ids.remove(at);
        T::rebuild(self, scene, ids)?;
        Ok(Arc::unwrap_or_clone(taken))
    }

    pub(crate) fn restore_here(&mut self, snapshot: &Snapshot<T>) {
        self.take_bodies_of(snapshot);
        self.world.restore_here(snapshot);
        self.refit_here();
    }

    /// Gives the simulation the bodies of a state, if it has others.
    fn take_bodies_of(&mut self, snapshot: &Snapshot<T>) {
        let (scene, live) = snapshot.bodies();
        if let Some(scene) = scene.filter(|_| live.bodies != self.world.live.bodies) {
            // A scene that was built once can be built again.
            let _ = self.rebuild_here(Scene::clone(scene), live.bodies.clone());
        }
    }

    fn scene_to_change(&self) -> Result<Scene, LiveError> {
        if self.world.has_forces {
            return Err(LiveError::OwnPasses);
        }
        let scene = self.world.scene.as_ref().ok_or(LiveError::NoBodies)?;
        Ok(Scene::clone(scene))
    }

    /// Builds the simulation of a scene, with these handles of its bodies, and continues it from the present
    /// state.
    pub(crate) fn rebuild_here(&mut self, mut scene: Scene, ids: Vec<u64>) -> Result<(), LiveError> {
        scene.settings = self.world.settings.clone();
        // The state continues from the present positions, not from the start of the bodies.
        scene.settings.crossing_start = CrossingStart::Release;
        // Contact pairs of removed bodies are kept in case the bodies are added again.
        let pairs = scene.contact_pairs.clone();
        let colliding = scene.bodies.iter().filter(|body| body.collide.is_some());
        let names: Vec<_> = colliding.filter_map(|body| body.name.clone()).collect();
        scene.contact_pairs.retain(|pair| pair.bodies.iter().all(|name| names.contains(name)));
        let mut built: Simulation<T> = SimulationBuilder::of(scene).build_as()?;
        Carry::new(&self.world, &mut built.world, ids).all();
        let world = &mut built.world;
        world.settings.crossing_start = self.world.settings.crossing_start;
        if let Some(scene) = &mut world.scene {
            Arc::make_mut(scene).contact_pairs = pairs;
        }
        built.refit_here();
        *self = built;
        Ok(())
    }
}
