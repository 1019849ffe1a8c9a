//! [`Scene`]: the description of a simulation.

use std::sync::Arc;

use crate::describe::attachment::Attachment;
use crate::describe::body::Body;
use crate::describe::category::Category;
use crate::describe::contact_pair::ContactPair;
use crate::describe::custom_constraints::CustomConstraints;
use crate::describe::obstacle::Obstacle;
use crate::describe::seam::Seam;
use crate::describe::settings::Settings;
use crate::describe::stitch::Stitch;

/// The description from which a simulation is built. It is kept with the simulation, for later calls on its
/// bodies.
#[derive(Debug, Clone)]
pub struct Scene {
    pub(crate) settings: Settings,
    pub(crate) bodies: Vec<Arc<Body>>,
    pub(crate) obstacles: Vec<Obstacle>,
    pub(crate) stitches: Vec<Stitch>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) seams: Vec<Seam>,
    pub(crate) custom: Vec<CustomConstraints>,
    pub(crate) contact_pairs: Vec<ContactPair>,
    pub(crate) order: Vec<Category>,
    pub(crate) book: bool,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            bodies: Vec::new(),
            obstacles: Vec::new(),
            stitches: Vec::new(),
            attachments: Vec::new(),
            seams: Vec::new(),
            custom: Vec::new(),
            contact_pairs: Vec::new(),
            order: Category::ALL.to_vec(),
            book: false,
        }
    }
}

impl Scene {
    /// The triangles of all surfaces, in the numbering of the particles.
    #[allow(clippy::cast_possible_truncation, reason = "the number of particles was checked")]
    pub(crate) fn triangles(&self) -> Vec<[u32; 3]> {
        let (mut all, mut first) = (Vec::new(), 0);
        for body in &self.bodies {
            all.extend(body.shape.surface().into_iter().map(|triangle| triangle.map(|v| v + first)));
            first += body.positions().len() as u32;
        }
        all
    }
}
