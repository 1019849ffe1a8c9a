//! Builds a simulation from a scene.

mod built;
pub(crate) mod character;
mod collide;
mod files;
mod fill;
mod fine;
mod group;
pub(crate) mod held;
mod hold;
mod import;
mod jumps;
mod left_off;
mod material;
mod meet;
pub(crate) mod mesh;
mod motion;
pub(crate) mod named;
mod obstacle;
mod pairs;
mod physical;
mod pin;
pub(crate) mod place;
mod read_mesh;
mod recorded;
pub(crate) mod region;
mod repair;
mod rest;
mod sampled;
mod seam;
mod seam_ties;
mod settings;
mod solid;
mod stages;
mod swift;
mod tie;
mod values;
mod vary;
mod visual;
mod weight;

use std::borrow::Cow;

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Body, BodyPart, BodyProblem, BuildError, ContactError, Element, Float, Obstacle, Setting, Settings,
    Simulation, SimulationBuilder, TieNumber,
};

pub(crate) use built::Elastic;
pub use built::{Binding, BuiltBody, Visual};
pub use fine::{FinePlaces, FineSurfaces};
pub use motion::rigid_motion;

use self::files::Files;
use self::left_off::LeftOff;
use crate::check::{body_name, seam_name};
use crate::clip::{self, Shown};
use crate::error::{Fault, SceneError};
use crate::field::FieldPath;
use crate::load::Scene;
use crate::model::{self, Format, SolverModel};

/// A scene ready to run.
#[derive(Debug)]
pub struct Built<T: Float = f32> {
    /// The simulation.
    pub simulation: Simulation<T>,
    /// The bodies in the order of the file.
    pub bodies: Vec<BuiltBody>,
    /// The obstacles in the order of the file.
    pub obstacles: Vec<Obstacle>,
    /// Where the fine surfaces of bodies are drawn.
    pub fine: FineSurfaces,
}

/// A scene as descriptions for the solver, independent of the precision.
struct Described {
    builder: SimulationBuilder,
    bodies: Vec<BuiltBody>,
    obstacles: Vec<Obstacle>,
    /// The mass of each body, kg.
    masses: Vec<f64>,
    seams: Vec<seam_ties::Sewn>,
}

/// A body ready for the solver, and what its output needs.
struct Prepared {
    body: Body,
    built: BuiltBody,
    /// Its mass, kg, before it varies.
    mass: f64,
    /// The new number of each vertex of the file, if some were removed.
    renumbered: Option<Vec<Option<u32>>>,
    placement: place::Placement,
    /// The groups and attributes of its mesh file.
    named: named::Named,
    /// The mesh by whose positions parts are selected, if it starts elsewhere.
    selected: Option<Mesh>,
}

impl Scene {
    /// Reads the meshes, places the bodies and plans the simulation in the scalar `T`, whatever the scene's own
    /// precision is.
    ///
    /// ```
    /// use pliant_scene::Scene;
    ///
    /// let scene = Scene::parse(
    ///     r#"
    ///     [[body]]
    ///     name = "sheet"
    ///     mesh = { grid = { vertices = [6, 6], size = [1.0, 1.0] } }
    ///     edges = { compliance = 1e-7 }
    ///     pin = [{ vertices = [0, 5] }]
    ///     "#,
    ///     ".",
    /// )?;
    /// let mut built = scene.build::<f32>()?;
    /// built.simulation.step(scene.time_step())?;
    /// let sheet = &built.bodies[0];
    /// assert_eq!(built.simulation.positions_of(sheet.particles.clone()).len(), 36);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first mesh that cannot be read or simulated, the first pin that selects nothing, or the first
    /// invalid value.
    pub fn build<T: Float>(&self) -> Result<Built<T>, SceneError> {
        self.try_build().map_err(|fault| self.locate(fault))
    }

    /// The bodies of the scene as descriptions for the solver, each with what its output needs and particles
    /// from 0, to be added to a running [`Simulation`]. What ties bodies to each other is left out.
    ///
    /// ```
    /// use pliant_scene::Scene;
    ///
    /// let sheet = "[[body]]\nname = \"sheet\"\nmesh = { grid = { vertices = [6, 6], size = [1.0, 1.0] } }\nmaterial = \"cotton\"\n";
    /// let mut built = Scene::parse(sheet, ".")?.build::<f32>()?;
    /// let guest = Scene::parse(&sheet.replace("\"sheet\"", "\"guest\""), ".")?;
    /// let (body, _) = guest.bodies::<f32>()?.swap_remove(0);
    /// built.simulation.add_body(body)?;
    /// assert_eq!(built.simulation.len(), 72);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build), for the bodies.
    pub fn bodies<T: Float>(&self) -> Result<Vec<(Body, BuiltBody)>, SceneError> {
        let files = Files::new(&self.model, &self.source);
        let one = |i| {
            let Prepared { body, mut built, mass, .. } = prepare(&self.model, &files, None, i)?;
            weight::check::<T>(&FieldPath::root().key("body").index(i), mass)?;
            built.particles = 0..built.mesh.positions().len();
            Ok((body, built))
        };
        (0..self.model.bodies.len()).map(one).collect::<Result<_, _>>().map_err(|fault| self.locate(fault))
    }

    /// Length of a frame, s.
    #[must_use]
    pub fn time_step(&self) -> f64 {
        1.0 / self.model.frame_rate.get()
    }

    /// The settings of the solver in the frame that follows on so many.
    fn solver_after(&self, frames: u32) -> Cow<'_, SolverModel> {
        match self.model.stage_after(frames) {
            Some(stage) => Cow::Owned(stage.over(&self.model.solver)),
            None => Cow::Borrowed(&self.model.solver),
        }
    }

    /// The settings of the solver in the frame that follows on so many: those of its
    /// [stage](crate::model::StageModel), as far as it is [known beforehand](crate::model::SceneModel::stage_after).
    #[must_use]
    pub fn settings_after(&self, frames: u32) -> Settings {
        settings::of(&self.solver_after(frames))
    }

    /// The settings of the solver where no stage has others: those of the preset, with what `[solver]` says in their place.
    #[must_use]
    pub fn settings(&self) -> Settings {
        settings::of(&self.model.solver)
    }

    fn try_build<T: Float>(&self) -> Result<Built<T>, Fault> {
        let Described { builder, mut bodies, obstacles, masses, seams } = self.describe()?;
        for (i, &mass) in masses.iter().enumerate() {
            weight::check::<T>(&FieldPath::root().key("body").index(i), mass)?;
        }
        check_obstacles::<T>(&obstacles, &bodies)?;
        let simulation = builder.build_as().map_err(|error| self.blame(&error))?;
        let (fine, remark) = FineSurfaces::of(&self.model, &bodies, &seams);
        if let (Some(remark), Some(body)) = (remark, bodies.iter_mut().find(|body| body.visual.is_some())) {
            body.notes.push(remark);
        }
        Ok(Built { simulation, bodies, obstacles, fine })
    }

    /// The scene as descriptions for the solver.
    fn describe(&self) -> Result<Described, Fault> {
        let mut builder = settings::builder(&self.solver_after(0));
        let mut bodies = Vec::with_capacity(self.model.bodies.len());
        let mut renumbered = Vec::with_capacity(self.model.bodies.len());
        let mut placements = Vec::with_capacity(self.model.bodies.len());
        let mut all_named = Vec::with_capacity(self.model.bodies.len());
        let mut all_selected = Vec::with_capacity(self.model.bodies.len());
        let mut masses = Vec::with_capacity(self.model.bodies.len());
        let mut next = 0;
        let files = Files::new(&self.model, &self.source);
        let from = LeftOff::of(self)?;
        for i in 0..self.model.bodies.len() {
            let Prepared { body, mut built, mass, renumbered: numbers, placement, named, selected } =
                prepare(&self.model, &files, from.as_ref(), i)?;
            masses.push(mass);
            built.particles = next..next + built.mesh.positions().len();
            next = built.particles.end;
            builder = builder.body(body);
            bodies.push(built);
            renumbered.push(numbers);
            placements.push(placement);
            all_named.push(named);
            all_selected.push(selected);
        }
        self.check_clips(&bodies)?;
        let mut obstacles = Vec::with_capacity(self.model.obstacles.len());
        for (i, model) in self.model.obstacles.iter().enumerate() {
            let at = FieldPath::root().key("obstacle").index(i);
            let obstacle = obstacle::obstacle(&at, model, &self.source)?;
            builder = builder.obstacle(obstacle.clone());
            obstacles.push(obstacle);
        }
        for contact in &self.model.contacts {
            builder = builder.contact_pair(collide::contact(contact));
        }
        let ties = tie::Ties {
            bodies: &bodies,
            renumbered: &renumbered,
            named: &all_named,
            placements: &placements,
            files: &files,
            selected: &all_selected,
            from: from.as_ref(),
        };
        let root = FieldPath::root();
        let mut all_remarks = Vec::new();
        for (i, stitch) in self.model.stitches.iter().enumerate() {
            let (stitch, remarks) = ties.stitch(&root.key("stitch").index(i), stitch)?;
            builder = builder.stitch(stitch);
            all_remarks.push((i, remarks));
        }
        let mut of_seams = Vec::new();
        let mut seams = Vec::new();
        for (i, model) in self.model.seams.iter().enumerate() {
            let name = seam_name(&self.model, i);
            let (seam, remarks) = seam::seam(&root.key("seam").index(i), name.clone(), model, &ties)?;
            let place = |name: &str| bodies.iter().position(|body| body.name == name);
            if let Some([Some(a), Some(b)]) = model.pair_of_bodies().map(|names| names.map(place)) {
                seams.push(seam_ties::Sewn { bodies: [a, b], pairs: seam.pairs().to_vec() });
            }
            builder = builder.seam(seam);
            let body = bodies.iter().position(|body| model.bodies.contains(&body.name));
            of_seams.push((body.unwrap_or_default(), name, remarks));
        }
        for (i, attachment) in self.model.attachments.iter().enumerate() {
            builder = builder.attach(ties.attachment(&root.key("attachment").index(i), attachment)?);
        }
        for (i, tie::Remarks { body, all }) in all_remarks {
            bodies[body].notes.extend(all.into_iter().map(|remark| format!("stitch {i}: {remark}")));
        }
        for (body, name, remarks) in of_seams {
            bodies[body].notes.extend(remarks.into_iter().map(|remark| format!("{name}: {remark}")));
        }
        Ok(Described { builder, bodies, obstacles, masses, seams })
    }

    /// Refuses clips that are too large before the run, not at its end.
    fn check_clips(&self, bodies: &[BuiltBody]) -> Result<(), Fault> {
        let output = &self.model.output;
        let at = FieldPath::root().key("output");
        let frames = usize::from(self.model.frames) / usize::from(output.every) + 1;
        let with_normals = output.fields.contains(&model::Field::Normal);
        let of_solids = output.simulation_mesh.formats(&output.formats);
        let lists =
            [(at.key("formats"), &output.formats, true), (at.key("simulation_mesh"), &of_solids, false)];
        for (at, formats, shows) in lists.into_iter().filter(|(_, formats, _)| formats.contains(&Format::Glb))
        {
            let written = bodies.iter().filter(|body| shows || body.visual.is_some());
            let shown = written.map(|body| {
                let surface: Cow<'_, TriMesh> = match (&body.visual, &body.mesh) {
                    (Some(visual), _) if shows => Cow::Borrowed(&visual.mesh),
                    (_, Mesh::Tri(mesh)) => Cow::Borrowed(mesh),
                    (_, Mesh::Tet(mesh)) => Cow::Owned(mesh.surface().mesh),
                };
                let (vertices, triangles) = (surface.positions().len(), surface.triangles().len());
                Shown { name: &body.name, vertices, triangles }
            });
            clip::check(&at, formats, frames, with_normals, shown)?;
        }
        Ok(())
    }

    /// The fault for an error of the solver, with the field that it is about. The checks find most faults
    /// earlier.
    fn blame(&self, error: &BuildError) -> Fault {
        let root = FieldPath::root();
        let field = match error {
            BuildError::Body(error) => part(&root.key("body").index(error.body), error.part),
            BuildError::Pin(error) => match error.body {
                Some(body) => root.key("body").index(body).key("pin").index(error.pin),
                None => root,
            },
            BuildError::Tie(error) => match error.tie {
                TieNumber::Stitch(number) => root.key("stitch").index(number),
                TieNumber::Seam(number) => root.key("seam").index(number),
                TieNumber::Attachment(number) => root.key("attachment").index(number),
            },
            BuildError::Contact(error) => match **error {
                ContactError::Parameter { pair, .. } | ContactError::Unknown { pair, .. } => {
                    root.key("contact").index(pair)
                }
                _ => root.key("solver").key("crossing_start"),
            },
            BuildError::Obstacle(error) => root.key("obstacle").index(error.obstacle),
            BuildError::Setting(error) => setting(&root.key("solver"), error.setting),
            _ => root,
        };
        // The field already names the pin, tie or obstacle.
        let problem = match error {
            BuildError::Tie(error) => error.problem.to_string(),
            _ => error.to_string(),
        };
        Fault::new(field, problem, "").at_element(element(error))
    }
}

/// The element of a mesh that an error of the solver is about.
fn element(error: &BuildError) -> Option<Element> {
    let BuildError::Body(error) = error else { return None };
    match &error.problem {
        BodyProblem::InvertedTets { first, .. } => Some(Element::Tetrahedron(*first)),
        BodyProblem::Degenerate(element)
        | BodyProblem::Elastic { element, .. }
        | BodyProblem::RestShape { element, .. } => Some(*element),
        _ => None,
    }
}

/// Refuses obstacles for which the number type is too coarse.
fn check_obstacles<T: Float>(obstacles: &[Obstacle], bodies: &[BuiltBody]) -> Result<(), Fault> {
    let finest = bodies.iter().filter_map(BuiltBody::mean_edge).fold(f64::INFINITY, f64::min);
    let root = FieldPath::root();
    let mut all = obstacles.iter().enumerate();
    all.try_for_each(|(i, obstacle)| {
        obstacle::check_size::<T>(&root.key("obstacle").index(i), obstacle, finest)
    })
}

/// The field of a part of a body.
fn part(body: &FieldPath, part: BodyPart) -> FieldPath {
    match part {
        BodyPart::Membrane | BodyPart::Continuum => body.key("material"),
        BodyPart::Edges => body.key("edges"),
        BodyPart::Bending => body.key("bending"),
        BodyPart::Volumes | BodyPart::BulkModulus => body.key("volumes"),
        BodyPart::ContactRadius => body.key("contact_radius"),
        BodyPart::Pressure => body.key("pressure"),
        BodyPart::Shape => body.key("shape"),
        BodyPart::StrainLimit => body.key("strain_limit"),
        BodyPart::Tethers => body.key("tethers"),
        BodyPart::Damping => body.key("damping_time"),
        BodyPart::Start => body.key("rest"),
        BodyPart::Collision | BodyPart::Contact(_) => body.key("collide"),
        BodyPart::Skin => body.key("collide").key("skin"),
        _ => body.clone(),
    }
}

/// The field of a setting.
fn setting(solver: &FieldPath, setting: Setting) -> FieldPath {
    match setting {
        Setting::Method => solver.key("method"),
        Setting::Accuracy => solver.key("accuracy"),
        Setting::Substeps => solver.key("substeps"),
        Setting::MotionLimit => solver.key("motion_limit"),
        Setting::Iterations => solver.key("iterations"),
        Setting::Gravity => solver.key("gravity"),
        Setting::Damping => solver.key("damping"),
        Setting::Drag => solver.key("drag"),
        Setting::WindVelocity => solver.key("wind").key("velocity"),
        Setting::WindDensity => solver.key("wind").key("density"),
        Setting::WindDrag => solver.key("wind").key("drag"),
        Setting::WindLift => solver.key("wind").key("lift"),
        _ => solver.clone(),
    }
}

/// Reads and places body `i` and gives it its material. Its particles are numbered later.
fn prepare(
    scene: &model::SceneModel,
    files: &Files<'_>,
    from: Option<&LeftOff>,
    i: usize,
) -> Result<Prepared, Fault> {
    let at = FieldPath::root().key("body").index(i);
    let model = &scene.bodies[i];
    let name = body_name(scene, i);

    let wanted = named::are_asked_for(scene, model);
    let mut read = mesh::read(&at.key("mesh"), &model.mesh, wanted, files)?;
    let named = named::Named::of(&model.mesh, &mut read);
    let animated = character::Animated::of(&at, model, files)?;
    if let Some(animated) = &animated {
        read = animated.pose(&at.key("motion").key("animation"), read)?;
    }
    let mut notes = read.notes;
    let placement = place::Placement::new(model, read.mesh.positions());
    let mesh = placement.apply(&at, read.mesh)?;
    notes.extend(size_note(mesh.positions()));
    material::check_kind(&at, model, &mesh)?;
    notes.extend(material::bending_note(model, &mesh));
    let visual = match &model.visual {
        Some(visual) => {
            let (visual, note) = visual::visual(&at.key("visual"), visual, &mesh, &placement, files)?;
            notes.push(note);
            Some(visual)
        }
        None => {
            let carried =
                read.surface.map(|surface| visual::carried(&at.key("mesh"), surface, &mesh, &placement));
            carried.transpose()?.map(|(visual, note)| {
                notes.push(note);
                visual
            })
        }
    };

    let there = from.map(|from| from.body(&at, &name, &mesh)).transpose()?.flatten();
    if there.is_some() {
        notes.extend(from.map(LeftOff::remark));
    }
    let held = held::Held {
        body: &name,
        mesh: &mesh,
        start: there.as_ref().map(|(there, _)| there.positions()),
        renumbered: read.renumbered.as_deref(),
        repaired: read.repaired.as_ref(),
        named: &named,
    };
    let rest = rest::rest(&at, model, &held, &placement, files)?.map(|(rest, remarks)| {
        notes.extend(remarks);
        rest
    });
    let shape = rest.as_ref().unwrap_or(&mesh);
    let (mut body, base) = material::dress(&at, model, shape, &placement)?;
    body = body.name(name.clone());
    if rest.is_some() || there.is_some() {
        body = body.start(held.start_positions().to_vec());
    }
    if let Some((_, there)) = &there {
        body = body.velocities(there.velocities.iter().map(|&v| v.into()).collect());
    }
    let (varied, factors) = vary::vary(&at, model, &base, &held, shape, files, body)?;
    body = varied;
    let mass = base.density * weight::measure(shape);
    let elastic = base.elastic.map(|[young, poisson]| Elastic { young, poisson, factors });
    body = hold::hold(&at, model, &held, body)?;
    let time = motion::Clock {
        scene,
        times: sampled::Times {
            frame_rate: scene.frame_rate.get(),
            duration: f64::from(scene.frames) / scene.frame_rate.get(),
        },
        placement: &placement,
        animated: animated.as_ref(),
    };
    body = collide::collide(model, scene, body);
    body = collide::skin(&at, model, visual.as_ref(), rest.as_ref(), body)?;
    notes.extend(collide::thickness_note(model, shape, visual.as_ref()));
    let (mut body, remarks) = collide::hold_obstacle(&at, model, &held, &time, files, body)?;
    notes.extend(remarks);
    for (k, pin) in model.pins.iter().enumerate() {
        let at = at.key("pin").index(k);
        body = body.pin_with(pin::pin(&at, pin, &held, &time, files)?);
    }
    // What starts where a run ended rests as it would have started.
    let (mesh, rest, selected) = match there {
        Some((there, _)) => (there, rest.or_else(|| Some(mesh.clone())), Some(mesh)),
        None => (mesh, rest, None),
    };
    let built =
        BuiltBody { name, particles: 0..0, mesh, rest, repair: read.repaired, visual, notes, elastic };
    Ok(Prepared { body, built, mass, renumbered: read.renumbered, placement, named, selected })
}

/// A remark on a body of unlikely size: most such files are in millimetres or centimetres.
fn size_note(positions: &[Vector3<f64>]) -> Option<String> {
    let extent = pliant_mesh::Aabb::of_points(positions)?.size().max();
    (!(0.005..=50.0).contains(&extent))
        .then(|| format!("it is {extent:.3e} m large; if its file is not in metres, set `scale` or `fit`"))
}
