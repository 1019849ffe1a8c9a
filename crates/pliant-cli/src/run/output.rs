//! [`Outputs`]: the animation files of a run.

use std::borrow::Cow;
use std::ops::Range;

use nalgebra::Vector3;
use pliant_io::{
    ExportError, Field, FieldValues, Frame, FrameWriter, Location, Mesh, MeshSequence, Pc2Options, Pc2Writer,
    VtuOptions, VtuSeries, write_mesh,
};
use pliant_mesh::{Embedding, Surface, TriMesh};
use pliant_scene::model::{self, Format, SceneModel};
use pliant_scene::{BuiltBody, Scene};
use pliant_solver::{Float, Simulation};

use super::folder::Folder;
use crate::error::CliError;

/// What of a simulation goes to files: of all particles, in the order of the bodies.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// Time, s.
    pub(super) time: f64,
    /// Positions, m.
    pub(super) positions: Vec<Vector3<f64>>,
    /// Velocities, m/s; empty where they are not wanted.
    pub(super) velocities: Vec<Vector3<f64>>,
}

impl State {
    pub(super) fn of<T: Float>(simulation: &Simulation<T>, with_velocities: bool) -> Self {
        let velocities = if with_velocities { simulation.velocities() } else { Vec::new() };
        Self { time: simulation.time(), positions: simulation.positions(), velocities }
    }
}

/// All animation files of a run.
pub(super) struct Outputs {
    tracks: Vec<Track>,
    displacement: bool,
    velocity: bool,
    /// Times of the frames written, s.
    times: Vec<f64>,
    /// Files to open, with a line on how.
    hints: Vec<(String, String)>,
    /// Bodies in the index of the scene.
    indexed: Vec<String>,
}

/// A mesh of a body and the files that it goes to.
struct Track {
    particles: Range<usize>,
    carrier: Carrier,
    /// Positions at the start, m.
    rest: Vec<Vector3<f64>>,
    sinks: Vec<Sink>,
}

/// How the vertices of a written mesh follow from the particles of its body.
enum Carrier {
    /// They are the particles.
    Whole,
    /// They are those on the boundary.
    Boundary(Surface),
    /// They are carried along.
    Embedded(Embedding),
}

/// A writer, and the names of the files that each frame adds: `PREFIX_0000.EXTENSION`.
struct Sink {
    writer: Box<dyn FrameWriter>,
    frame_names: Option<(String, &'static str)>,
    velocities: bool,
}

impl Carrier {
    fn carry<'a>(&self, particles: &'a [Vector3<f64>]) -> Cow<'a, [Vector3<f64>]> {
        match self {
            Self::Whole => Cow::Borrowed(particles),
            Self::Boundary(surface) => Cow::Owned(surface.gather(particles)),
            Self::Embedded(embedding) => Cow::Owned(embedding.apply(particles)),
        }
    }
}

impl Outputs {
    /// Begins the files of all bodies.
    pub(super) fn create(
        bodies: &[BuiltBody],
        scene: &SceneModel,
        folder: &mut Folder,
    ) -> Result<Self, CliError> {
        let mut outputs = Self {
            tracks: Vec::new(),
            displacement: scene.output.fields.contains(&model::Field::Displacement),
            velocity: scene.output.fields.contains(&model::Field::Velocity),
            times: Vec::new(),
            hints: Vec::new(),
            indexed: Vec::new(),
        };
        for body in bodies {
            outputs.add(body, scene, folder)?;
        }
        Ok(outputs)
    }

    fn add(&mut self, body: &BuiltBody, scene: &SceneModel, folder: &mut Folder) -> Result<(), CliError> {
        let mut files = Files { body, scene, folder, hints: &mut self.hints };
        let formats = &scene.output.formats;
        let (mut whole, mut fine) = (Vec::new(), Vec::new());
        // What is shown: the fine surface where there is one, else the mesh that is simulated.
        let shown = match &body.visual {
            Some(visual) => Mesh::Tri(visual.mesh.clone()),
            None => body.mesh.clone(),
        };
        for format in formats {
            let sinks = if body.visual.is_some() { &mut fine } else { &mut whole };
            match format {
                Format::Vtu => {
                    sinks.push(files.vtu("vtu", &shown)?);
                    self.indexed.push(body.name.clone());
                    if body.visual.is_some() && scene.output.simulation_mesh {
                        whole.push(files.vtu("tetrahedra", &body.mesh)?);
                        let how = format!(
                            "ParaView: the tetrahedra of {}, which carry its fine surface",
                            body.name
                        );
                        files.hints.push((format!("tetrahedra/{}.pvd", body.name), how));
                    }
                }
                Format::Obj => sinks.push(files.sequence("obj", &shown)?),
                Format::Ply => sinks.push(files.sequence("ply", &shown)?),
                // A cache needs the mesh that it moves: of a solid that is its boundary.
                Format::Pc2 => match &shown {
                    Mesh::Tri(mesh) => sinks.push(files.pc2(mesh)?),
                    Mesh::Tet(mesh) => {
                        let surface = mesh.surface();
                        let sinks = vec![files.pc2(&surface.mesh)?];
                        let rest = surface.mesh.positions().to_vec();
                        let particles = body.particles.clone();
                        self.tracks.push(Track {
                            particles,
                            carrier: Carrier::Boundary(surface),
                            rest,
                            sinks,
                        });
                    }
                },
            }
        }
        let particles = || body.particles.clone();
        if !whole.is_empty() {
            let rest = body.mesh.positions().to_vec();
            self.tracks.push(Track { particles: particles(), carrier: Carrier::Whole, rest, sinks: whole });
        }
        if let Some(visual) = &body.visual
            && !fine.is_empty()
        {
            let (carrier, rest) =
                (Carrier::Embedded(visual.embedding.clone()), visual.mesh.positions().to_vec());
            self.tracks.push(Track { particles: particles(), carrier, rest, sinks: fine });
        }
        Ok(())
    }

    /// Writes a state as the next frame.
    pub(super) fn write(&mut self, state: &State, folder: &mut Folder) -> Result<(), CliError> {
        let (time, number) = (state.time, self.times.len());
        for track in &mut self.tracks {
            let positions = track.carrier.carry(&state.positions[track.particles.clone()]);
            let with_velocities = self.velocity && track.sinks.iter().any(|sink| sink.velocities);
            let velocities =
                with_velocities.then(|| track.carrier.carry(&state.velocities[track.particles.clone()]));
            let displacement: Vec<Vector3<f64>> = if self.displacement {
                positions.iter().zip(&track.rest).map(|(x, rest)| x - rest).collect()
            } else {
                Vec::new()
            };
            let fields = [Field {
                name: "displacement",
                location: Location::Vertices,
                values: FieldValues::Vectors(&displacement),
            }];
            let mut frame = Frame::new(time, &positions);
            if let Some(velocities) = &velocities {
                frame = frame.with_velocities(velocities);
            }
            if self.displacement {
                frame = frame.with_fields(&fields);
            }
            for sink in &mut track.sinks {
                if let Some((prefix, extension)) = &sink.frame_names {
                    folder.announce(&format!("{prefix}_{number:04}.{extension}"))?;
                }
                sink.writer.write_frame(&frame).map_err(|error| failed(error, folder))?;
            }
        }
        self.times.push(time);
        Ok(())
    }

    /// Completes all files, and returns those to open, with a line on how.
    pub(super) fn finish(
        self,
        scene: &Scene,
        folder: &mut Folder,
    ) -> Result<Vec<(String, String)>, CliError> {
        for track in self.tracks {
            for sink in track.sinks {
                sink.writer.finish().map_err(|error| failed(error, folder))?;
            }
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

/// The index of all bodies: each a part of every frame.
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

/// The files of one body.
struct Files<'a> {
    body: &'a BuiltBody,
    scene: &'a SceneModel,
    folder: &'a mut Folder,
    hints: &'a mut Vec<(String, String)>,
}

impl Files<'_> {
    fn vtu(&mut self, inner: &str, mesh: &Mesh) -> Result<Sink, CliError> {
        let name = &self.body.name;
        let index = self.folder.announce(&format!("{inner}/{name}.pvd"))?;
        let writer = VtuSeries::create(index, mesh, VtuOptions::default())
            .map_err(|error| failed(error, self.folder))?;
        let frame_names = Some((format!("{inner}/{name}/{name}"), "vtu"));
        Ok(Sink { writer: Box::new(writer), frame_names, velocities: true })
    }

    fn sequence(&mut self, format: &'static str, mesh: &Mesh) -> Result<Sink, CliError> {
        let name = &self.body.name;
        let inner = format!("{format}/{name}");
        let path = self.folder.path().join(format).join(name);
        let writer = match format {
            "obj" => MeshSequence::obj(path, name, mesh),
            _ => MeshSequence::ply(path, name, mesh),
        }
        .map_err(|error| failed(error, self.folder))?;
        self.hints.push((inner.clone(), format!("one {} file for each frame", format.to_uppercase())));
        Ok(Sink {
            writer: Box::new(writer),
            frame_names: Some((format!("{inner}/{name}"), format)),
            velocities: false,
        })
    }

    fn pc2(&mut self, mesh: &TriMesh) -> Result<Sink, CliError> {
        let name = &self.body.name;
        let (cache, rest) = (format!("pc2/{name}.pc2"), format!("pc2/{name}.obj"));
        let path = self.folder.announce(&cache)?;
        // The rate of samples counts in frames of the animation.
        #[allow(clippy::cast_precision_loss, reason = "at most a million")]
        let options = Pc2Options { sample_rate: self.scene.output.every as f32, ..Pc2Options::default() };
        let writer = Pc2Writer::create(path, mesh.positions().len(), options)
            .map_err(|error| failed(error, self.folder))?;
        let path = self.folder.announce(&rest)?;
        write_mesh(path, &Mesh::Tri(mesh.clone())).map_err(|error| failed(error, self.folder))?;
        let how = format!(
            "Blender: import {rest}, give it the modifier Mesh Cache with this file, {} frames per second",
            self.scene.frame_rate
        );
        self.hints.push((cache, how));
        Ok(Sink { writer: Box::new(writer), frame_names: None, velocities: false })
    }
}

fn failed(error: ExportError, folder: &Folder) -> CliError {
    CliError::Output { error, folder: folder.path().to_owned() }
}
