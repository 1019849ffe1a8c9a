//! [`Outputs`]: the animation files of a run.

use std::borrow::Cow;
use std::ops::Range;

use nalgebra::Vector3;
use pliant_deform::vertex_normals;
use pliant_io::{Field, FieldValues, Frame, Location, Mesh, write_mesh};
use pliant_mesh::{Adjacency, Surface};
use pliant_scene::model::{self, Format, SceneModel};
use pliant_scene::{Binding, BuiltBody, FinePlaces, FineSurfaces, Scene};
use pliant_solver::{Float, Simulation};

use crate::animation::{Sink, Subject, lasts};
use crate::error::RunError;
use crate::folder::Folder;
use crate::measured::{self, Acting, Gauges, Volumes};
use crate::state::State;

/// All animation files of a run.
pub(crate) struct Outputs {
    tracks: Vec<Track>,
    /// Times of the frames written, s.
    times: Vec<f64>,
    /// Files to open, each with a line on how to open it.
    hints: Vec<(String, String)>,
    /// Bodies in the index of the scene.
    indexed: Vec<String>,
}

/// A mesh of a body and the files that it goes to.
struct Track {
    /// The number of the body.
    body: usize,
    particles: Range<usize>,
    carrier: Carrier,
    mesh: Mesh,
    sinks: Vec<Sink>,
    /// The fields that at least one of the files can hold.
    displacement: bool,
    velocity: bool,
    normals: Option<Normals>,
    gauges: Gauges,
}

/// The data besides the positions from which the normals of a mesh are computed.
struct Normals {
    triangles: Vec<[u32; 3]>,
    around: Adjacency,
}

/// How the vertices of a written mesh are computed from the particles of its body.
enum Carrier {
    /// They are the particles.
    Whole,
    /// They are the particles on the boundary.
    Boundary(Surface),
    /// They are those of a fine surface.
    Bound(Binding),
}

impl Carrier {
    fn carry<'a>(&self, particles: &'a [Vector3<f64>]) -> Cow<'a, [Vector3<f64>]> {
        match self {
            Self::Whole => Cow::Borrowed(particles),
            Self::Boundary(surface) => Cow::Owned(surface.gather(particles)),
            Self::Bound(binding) => Cow::Owned(binding.apply(particles)),
        }
    }

    /// As [`carry`](Self::carry), for numbers that are not negative. For points outside the tetrahedra the
    /// numbers are extrapolated, but not below zero.
    fn carry_numbers(&self, particles: &[f64]) -> Vec<f64> {
        match self {
            Self::Whole => particles.to_vec(),
            Self::Boundary(surface) => surface.gather(particles),
            Self::Bound(binding) => {
                let mut carried = binding.interpolate(particles);
                carried.iter_mut().for_each(|number| *number = number.max(0.0));
                carried
            }
        }
    }
}

impl Normals {
    fn of(mesh: &Mesh) -> Self {
        let triangles = match mesh {
            Mesh::Tri(mesh) => mesh.triangles().to_vec(),
            Mesh::Tet(mesh) => mesh.boundary_triangles(),
        };
        let around = Adjacency::of_elements(mesh.positions().len(), &triangles);
        Self { triangles, around }
    }
}

impl Track {
    /// The fine surface of a body, or else its own mesh: whole, or the boundary of a solid.
    fn new(number: usize, body: &BuiltBody, fine: bool, boundary: bool) -> Self {
        let (carrier, mesh) = match (&body.visual, &body.mesh) {
            (Some(visual), _) if fine => {
                (Carrier::Bound(visual.binding.clone()), Mesh::Tri(visual.mesh.clone()))
            }
            (_, Mesh::Tet(solid)) if boundary => {
                let surface = solid.surface();
                let mesh = Mesh::Tri(surface.mesh.clone());
                (Carrier::Boundary(surface), mesh)
            }
            (_, mesh) => (Carrier::Whole, mesh.clone()),
        };
        Self {
            body: number,
            particles: body.particles.clone(),
            carrier,
            mesh,
            sinks: Vec::new(),
            displacement: false,
            velocity: false,
            normals: None,
            gauges: Gauges::default(),
        }
    }

    /// Adds the fields that a format can hold.
    fn take_up(&mut self, format: Format, fields: &[model::Field], body: &BuiltBody, groups: &[Acting]) {
        for &field in fields.iter().filter(|&&field| format.holds(field)) {
            match field {
                model::Field::Velocity => self.velocity = true,
                model::Field::Displacement => self.displacement = true,
                model::Field::Normal => {
                    self.normals.get_or_insert_with(|| Normals::of(&self.mesh));
                }
                model::Field::VolumeError => {
                    if let Mesh::Tet(solid) = &body.mesh {
                        self.gauges.volumes.get_or_insert_with(|| Volumes::of(solid));
                    }
                }
                model::Field::Residual => {
                    self.gauges.tell(groups);
                }
            }
        }
    }

    /// The normals at the vertices that are drawn at `positions`: where a smooth surface is drawn, its own.
    fn normals(&self, state: &State, positions: &[Vector3<f64>]) -> Option<Vec<Vector3<f64>>> {
        let Normals { triangles, around } = self.normals.as_ref()?;
        let mut normals = vertex_normals(positions, triangles, around);
        if let Carrier::Bound(Binding::Triangles(refinement)) = &self.carrier {
            let simulated = &state.positions[self.particles.clone()];
            let smooth = refinement.apply(simulated).into_iter().zip(refinement.normals(simulated));
            for ((normal, x), (place, its)) in normals.iter_mut().zip(positions).zip(smooth) {
                if *x == place {
                    *normal = its;
                }
            }
        }
        Some(normals)
    }

    /// Writes a frame to the sinks that are `wanted`. Of the fine surfaces `places` are known, if any.
    fn write(
        &mut self,
        state: &State,
        places: Option<&FinePlaces>,
        number: usize,
        folder: &mut Folder,
        wanted: impl Fn(&Sink) -> bool,
    ) -> Result<(), RunError> {
        let placed = places.and_then(|places| places.surfaces.get(self.body)?.as_deref());
        let positions = match placed.filter(|_| matches!(self.carrier, Carrier::Bound(_))) {
            Some(positions) => Cow::Borrowed(positions),
            None => self.carrier.carry(&state.positions[self.particles.clone()]),
        };
        let velocities = self.velocity.then(|| self.carrier.carry(&state.velocities[self.particles.clone()]));
        let displacement: Vec<Vector3<f64>> = if self.displacement {
            positions.iter().zip(self.mesh.positions()).map(|(x, rest)| x - rest).collect()
        } else {
            Vec::new()
        };
        let normals = self.normals(state, &positions);
        let carry = |numbers: &[f64]| self.carrier.carry_numbers(numbers);
        let numbers = self.gauges.read(state, &self.particles, carry);
        let mut fields = Vec::with_capacity(1 + numbers.len());
        if self.displacement {
            fields.push(("displacement", FieldValues::Vectors(&displacement)));
        }
        fields.extend(numbers.iter().map(|(name, values)| (*name, FieldValues::Scalars(values))));
        let fields: Vec<Field<'_>> = fields
            .into_iter()
            .map(|(name, values)| Field { name, location: Location::Vertices, values })
            .collect();
        let mut frame = Frame::new(state.time, &positions);
        if let Some(velocities) = &velocities {
            frame = frame.with_velocities(velocities);
        }
        if let Some(normals) = &normals {
            frame = frame.with_normals(normals);
        }
        frame = frame.with_fields(&fields);
        self.sinks.iter_mut().try_for_each(|sink| match wanted(sink) {
            true => sink.write(number, &frame, folder),
            false => sink.pass(number, folder),
        })
    }
}

/// Whether a run needs its frames to be resumed: files that appear at the end are made from them.
pub(crate) fn needs_frames(scene: &SceneModel) -> bool {
    let shown = &scene.output.formats;
    let behind = scene.output.simulation_mesh.formats(shown);
    shown.iter().chain(&behind).any(|&format| !lasts(format))
}

impl Outputs {
    /// Creates the files of all bodies, or continues those of a run whose frames have these times, s.
    pub(crate) fn create<T: Float>(
        bodies: &[BuiltBody],
        simulation: &Simulation<T>,
        scene: &SceneModel,
        times: &[f64],
        folder: &mut Folder,
    ) -> Result<Self, RunError> {
        let mut outputs =
            Self { tracks: Vec::new(), times: times.to_vec(), hints: Vec::new(), indexed: Vec::new() };
        for (number, body) in bodies.iter().enumerate() {
            outputs.add(number, body, &measured::acting(simulation, &body.particles), scene, folder)?;
        }
        Ok(outputs)
    }

    /// Creates the files of a body: those of the mesh that is shown, and those of its tetrahedra if the scene
    /// asks for them.
    fn add(
        &mut self,
        number: usize,
        body: &BuiltBody,
        groups: &[Acting],
        scene: &SceneModel,
        folder: &mut Folder,
    ) -> Result<(), RunError> {
        let (formats, name) = (&scene.output.formats, &body.name);
        let is_fine = body.visual.is_some();
        let behind = if is_fine { scene.output.simulation_mesh.formats(formats) } else { Vec::new() };
        let shown = formats.iter().map(|&format| (format, format.name(), is_fine));
        // What is simulated, by the name of its folder.
        let simulated = if matches!(body.mesh, Mesh::Tet(_)) { "tetrahedra" } else { "triangles" };
        let all: Vec<_> = shown.chain(behind.into_iter().map(|format| (format, simulated, false))).collect();
        // One for each mesh that is written: two files of the same mesh share what is computed for them.
        let mut tracks: [Option<Track>; 3] = [None, None, None];
        for (format, inner, fine) in all {
            // A cache needs the mesh that it moves; for a solid that is its boundary.
            let boundary = !fine && format.is_point_cache();
            let track = tracks[usize::from(fine) + 2 * usize::from(boundary)]
                .get_or_insert_with(|| Track::new(number, body, fine, boundary));
            let rest = format!("{inner}/{name}.obj");
            if format.is_point_cache() && !folder.files().contains(&rest) {
                let path = folder.announce(&rest)?;
                if let Some(parent) = path.parent() {
                    std::fs::create_dir_all(parent).map_err(RunError::io(parent))?;
                }
                write_mesh(path, &track.mesh).map_err(|error| folder.failed(error))?;
            }
            let (mesh, frame_rate, every) = (&track.mesh, scene.frame_rate.get(), scene.output.every.get());
            let resumed = Some(&*self.times);
            let subject = Subject { inner, name, mesh, rest: &rest, frame_rate, every, resumed };
            let (sink, (file, how)) = Sink::open(format, &subject, folder)?;
            track.sinks.push(sink);
            track.take_up(format, &scene.output.fields, body, groups);
            match (format, inner) {
                // It is opened through the index of all bodies.
                (Format::Vtu, "vtu") => self.indexed.push(name.clone()),
                (_, inner) if inner == simulated => {
                    let what = format!("{how}: the {simulated} of {name}, which carry its fine surface");
                    self.hints.push((file, what));
                }
                _ => self.hints.push((file, how)),
            }
        }
        self.tracks.extend(tracks.into_iter().flatten());
        Ok(())
    }

    /// Writes a state as the next frame, with fine surfaces where `fine` has them.
    pub(crate) fn write(
        &mut self,
        state: &State,
        fine: Option<&FineSurfaces>,
        folder: &mut Folder,
    ) -> Result<(), RunError> {
        let places = placed(state, fine);
        for track in &mut self.tracks {
            track.write(state, places.as_ref(), self.times.len(), folder, |_| true)?;
        }
        self.times.push(state.time);
        Ok(())
    }

    /// Skips a frame of an interrupted run; its state, if it was kept, goes to the files that appear at the end.
    pub(crate) fn pass(
        &mut self,
        number: usize,
        state: Option<&State>,
        fine: Option<&FineSurfaces>,
        folder: &mut Folder,
    ) -> Result<(), RunError> {
        let again = |track: &Track| !track.sinks.iter().all(Sink::lasts);
        let state = state.filter(|_| self.tracks.iter().any(again));
        let places = state.and_then(|state| placed(state, fine));
        for track in &mut self.tracks {
            match state.filter(|_| again(track)) {
                Some(state) => track.write(state, places.as_ref(), number, folder, |sink| !sink.lasts())?,
                None => track.sinks.iter().try_for_each(|sink| sink.pass(number, folder))?,
            }
        }
        Ok(())
    }

    /// Passes what was written to the operating system.
    pub(crate) fn flush(&mut self, folder: &Folder) -> Result<(), RunError> {
        self.tracks.iter_mut().flat_map(|track| &mut track.sinks).try_for_each(|sink| sink.flush(folder))
    }

    /// Completes all files, and returns those to open, each with a line on how to open it.
    pub(crate) fn finish(
        self,
        scene: &Scene,
        folder: &mut Folder,
    ) -> Result<Vec<(String, String)>, RunError> {
        for sink in self.tracks.into_iter().flat_map(|track| track.sinks) {
            sink.finish(folder)?;
        }
        let mut hints = Vec::new();
        if !self.indexed.is_empty() {
            let name = format!("{}.pvd", scene.name());
            folder.write(&name, &scene_index(&self.indexed, &self.times))?;
            hints.push((name, "ParaView: File > Open, Apply, then play: all bodies".to_owned()));
        }
        hints.extend(self.hints);
        hints.push((
            "run.json".to_owned(),
            "settings, series of every frame and summary of the run".to_owned(),
        ));
        Ok(hints)
    }
}

/// Where the fine surfaces of a state are, if there are some.
fn placed(state: &State, fine: Option<&FineSurfaces>) -> Option<FinePlaces> {
    fine.filter(|fine| !fine.is_empty()).map(|fine| fine.place(&state.positions))
}

/// The index of all bodies; each body is a part of every frame.
fn scene_index(bodies: &[String], times: &[f64]) -> String {
    let mut entries = String::new();
    for (number, time) in times.iter().enumerate() {
        for (part, body) in bodies.iter().enumerate() {
            // Names are letters, digits, `-` and `_`: nothing to escape.
            entries += &format!(
                "<DataSet timestep=\"{time}\" group=\"\" part=\"{part}\" name=\"{body}\" file=\"vtu/{body}/{body}_{number:04}.vtu\"/>\n"
            );
        }
    }
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n{entries}\
         </Collection>\n</VTKFile>\n"
    )
}
