//! [`Sewing`]: what pictures know of the bodies of a run from its scene: where they are sewn, their lengths without
//! stress, and which of them are obstacles.

use std::path::Path;

use nalgebra::Vector3;
use pliant_scene::{BuiltBody, Scene};

use crate::origin::scene_of_run;

/// What the scene says of a body in the files of a run.
#[derive(Default)]
pub(super) struct Sewing {
    /// Edges along which its vertices are sewn to others.
    pub(super) seams: Vec<[u32; 2]>,
    /// Its vertices without stress, m, if it starts in another shape.
    pub(super) rest: Option<Vec<Vector3<f64>>>,
    pub(super) is_obstacle: bool,
}

impl Sewing {
    /// For each body in the files of a run, given by its name and number of vertices; nothing is known of a run without
    /// a scene, or of one whose meshes cannot be read any more.
    pub(super) fn of_run(folder: &Path, held: &[(&str, usize)]) -> Vec<Self> {
        let unknown = || held.iter().map(|_| Self::default()).collect();
        let Some(Ok(scene)) = scene_of_run(folder) else { return unknown() };
        // Otherwise the meshes need not be read.
        let model = &scene.model;
        let is_dressed = !model.seams.is_empty()
            || model.bodies.iter().any(|body| body.rest.is_some() || body.obstacle == Some(true));
        if is_dressed { Self::of_scene(&scene, held).unwrap_or_else(unknown) } else { unknown() }
    }

    fn of_scene(scene: &Scene, held: &[(&str, usize)]) -> Option<Vec<Self>> {
        let (fine, bodies) = scene.fine_surfaces().ok()?;
        let of_body = |&(name, vertices): &(&str, usize)| {
            let Some(number) = bodies.iter().position(|body| body.name == name) else {
                return Self::default();
            };
            let (body, model) = (&bodies[number], &scene.model.bodies[number]);
            let fits = |v: &u32| (*v as usize) < vertices;
            Self {
                seams: fine.seams(number).iter().filter(|edge| edge.iter().all(fits)).copied().collect(),
                rest: model.rest.as_ref().map(|_| rest(body)).filter(|rest| rest.len() == vertices),
                is_obstacle: model.obstacle == Some(true),
            }
        };
        Some(held.iter().map(of_body).collect())
    }
}

/// The drawn vertices of a body without stress, m.
fn rest(body: &BuiltBody) -> Vec<Vector3<f64>> {
    let rest = body.rest_mesh().positions();
    body.visual.as_ref().map_or_else(|| rest.to_vec(), |visual| visual.binding.apply(rest))
}
