//! [`Encounters`]: contacts and crossings in the frames of a run, from the positions in its files.

use std::ops::Range;
use std::path::Path;

use nalgebra::Vector3;
use pliant_mesh::counted;
use pliant_scene::BuiltBody;
use pliant_solver::Meetings;

use crate::origin::scene_of_run;

/// The field that is computed here: how near each vertex is to the surfaces that its body may meet.
pub(super) const CONTACT: &str = "contact";
/// The label of its legend.
pub(super) const CONTACT_LABEL: &str = "contact (1: touches)";

/// The surfaces of a run that may meet, and the particles of them in its files.
pub(super) struct Encounters {
    meetings: Meetings,
    /// Number of particles of all bodies.
    count: usize,
    /// For each body of the files its particles, in the order of its vertices; empty for a body that meets nothing.
    particles: Vec<Vec<u32>>,
}

impl Encounters {
    /// Built from the copy of the scene in the folder of a run; `held` are the bodies in its files and their
    /// numbers of vertices. `None` if no body collides, or if no scene can be read.
    ///
    /// The error says why nothing is known of bodies that collide.
    pub(super) fn of_run(folder: &Path, held: &[(&str, usize)]) -> Result<Option<Self>, String> {
        let Some(Ok(scene)) = scene_of_run(folder) else { return Ok(None) };
        if scene.model.bodies.iter().any(|body| body.visual.as_ref().is_some_and(|v| v.sheet.is_some())) {
            let (fine, bodies) = scene.fine_surfaces().map_err(|error| error.to_string())?;
            if let Some((meetings, points)) = fine.into_meetings() {
                return Self::of_drawn(meetings, &points, &bodies, held).map(Some);
            }
        }
        let Some((meetings, bodies)) = scene.meetings().map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let count = meetings.surface().particles();
        let mut known = vec![false; count];
        let mut particles = Vec::with_capacity(held.len());
        for &(name, vertices) in held {
            let body = bodies.iter().find(|body| body.name == name);
            let of_body = body.and_then(|body| particles_of(body, &meetings, vertices)).unwrap_or_default();
            of_body.iter().for_each(|&v| known[v as usize] = true);
            particles.push(of_body);
        }
        let unknown = meetings.surface().vertices().iter().find(|&&v| !known[v as usize]);
        let name = unknown.and_then(|&v| meetings.body_of(v));
        match name.and_then(|name| bodies.iter().find(|body| body.name == name)) {
            Some(body) if meetings.is_skin(&body.name) => {
                Err(format!("the files do not show the fine surface by which {} collides", body.name))
            }
            Some(body) if body.visual.is_some() => Err(format!(
                "the files show the fine surface of {}, and not the simulated mesh that collides",
                body.name
            )),
            Some(body) => Err(format!("the files do not hold {} as it was simulated", body.name)),
            None => Ok(Some(Self { meetings, count, particles })),
        }
    }

    /// Of surfaces as they are drawn, fine where bodies have fine surfaces.
    fn of_drawn(
        meetings: Meetings,
        points: &[Range<usize>],
        bodies: &[BuiltBody],
        held: &[(&str, usize)],
    ) -> Result<Self, String> {
        let of_body = |&(name, vertices): &(&str, usize)| {
            let body = bodies.iter().position(|body| body.name == name);
            let points = body.map(|body| points[body].clone()).filter(|points| points.len() == vertices);
            let points = points.ok_or_else(|| format!("the files do not hold {name} as it is drawn"))?;
            Ok(points.filter_map(|v| u32::try_from(v).ok()).collect())
        };
        let particles = held.iter().map(of_body).collect::<Result<_, String>>()?;
        Ok(Self { count: meetings.surface().particles(), meetings, particles })
    }

    /// The places where edges cross triangles of surfaces that collide, m; none in a frame with a position
    /// that is not finite.
    pub(super) fn crossings<'a>(
        &self,
        bodies: impl Iterator<Item = &'a [Vector3<f64>]>,
    ) -> Vec<Vector3<f64>> {
        let (surface, positions) = (self.meetings.surface(), self.gather(bodies));
        let found = self.meetings.crossings(&positions).unwrap_or_default();
        found.iter().map(|crossing| crossing.place(surface, &positions)).collect()
    }

    /// For every body how near its vertices are to what they may meet, see [`Meetings::nearness`]; `None` for
    /// a body that meets nothing.
    pub(super) fn nearness<'a>(
        &self,
        bodies: impl Iterator<Item = &'a [Vector3<f64>]>,
    ) -> Vec<Option<Vec<f64>>> {
        let near = self.meetings.nearness(&self.gather(bodies));
        let near = near.unwrap_or_else(|_| vec![f64::NAN; self.count]);
        let of_body = |particles: &Vec<u32>| {
            (!particles.is_empty()).then(|| particles.iter().map(|&v| near[v as usize]).collect())
        };
        self.particles.iter().map(of_body).collect()
    }

    /// The positions of all particles, from those of the bodies in the files. Those inside a solid may be
    /// missing, because no triangle has them.
    fn gather<'a>(&self, bodies: impl Iterator<Item = &'a [Vector3<f64>]>) -> Vec<Vector3<f64>> {
        let mut all = vec![Vector3::zeros(); self.count];
        for (particles, positions) in self.particles.iter().zip(bodies) {
            for (&v, x) in particles.iter().zip(positions) {
                all[v as usize] = *x;
            }
        }
        all
    }
}

/// The particles of the vertices that files hold of a body: all of it, or its boundary.
fn particles_of(body: &BuiltBody, meetings: &Meetings, vertices: usize) -> Option<Vec<u32>> {
    // Such a body is shown by its fine surface, whatever its size.
    if body.visual.is_some() {
        let skin = meetings.is_skin(&body.name).then(|| meetings.points_of(&body.name));
        return skin.filter(|points| points.len() == vertices);
    }
    let all = body.particles.clone();
    let surface = meetings.surface().vertices().iter().copied();
    let boundary: Vec<u32> = surface.filter(|&v| all.contains(&(v as usize))).collect();
    if boundary.is_empty() || boundary.len() == vertices {
        return Some(boundary);
    }
    (vertices == all.len()).then(|| all.filter_map(|v| u32::try_from(v).ok()).collect())
}

/// The number of crossings in words.
pub(super) fn crossings_in_words(count: usize) -> String {
    counted(count, "crossing", "crossings")
}
