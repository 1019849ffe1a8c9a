//! [`Show`]: a simulation with all that a page needs.

mod hands;
#[cfg(not(target_family = "wasm"))]
mod recorder;
#[cfg(not(target_family = "wasm"))]
mod still;

#[cfg(not(target_family = "wasm"))]
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
use pliant_render::{RenderError, Size};
#[cfg(not(target_family = "wasm"))]
use pliant_run::{RunError, RunFolder};
#[cfg(feature = "f64")]
use pliant_scene::Precise;
use pliant_scene::{Built, BuiltBody, Scene, SceneError};
use pliant_solver::{Float, Simulation, clock};
use serde_json::{Value, json};

use crate::act::{Act, Actor, Held};
use crate::command::Command;
use crate::drawn::Drawn;
use crate::exhibit::Exhibit;
use crate::frame_message;
use crate::knobs::{self, GRAVITY, WIND};
use crate::limits;
use crate::meter::Meter;
use crate::problem::Problem;
use crate::refusal::Refusal;
use crate::scenery::Scenery;
use crate::stage::{Stage, Words};
#[cfg(not(target_family = "wasm"))]
use crate::still::Still;
use crate::surface::{Carrier, Field, columns};
use hands::Hands;

/// A simulation with all that a page needs: [what to draw](Self::stage), [frames](Self::frame), and answers to
/// [commands](Self::act).
///
/// ```
/// use pliant_scene::Template;
/// use pliant_view::{Command, FrameMessage, Show};
///
/// let mut show = Show::of_scene(Template::named("cloth").ok_or("no such template")?.scene()?)?;
/// show.act(&Command::Grab { hand: 1, body: 0, vertex: 300, stiffness: None })?;
/// show.act(&Command::Move { hand: 1, to: [0.0, 1.0, 0.5] })?;
/// show.step()?;
/// let frame = FrameMessage::read(&show.frame())?;
/// assert_eq!(frame.head["frame"], 1);
/// assert_eq!(frame.numbers.len(), 3 * 26 * 26);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Show<'a> {
    act: Box<dyn Act + 'a>,
    stage: Stage,
    hands: Hands,
    meter: Meter,
    /// The scene as changed, and as it was read.
    scene: Option<Scene>,
    unchanged: Option<Scene>,
    title: String,
    dt: f64,
    playing: bool,
    speed: f64,
    field: Option<Field>,
    problem: Option<Problem>,
    /// Counts the stages, so that pages know when to fetch another.
    version: u64,
    /// The time that the last frame took, ms.
    cost: Option<f64>,
    /// The bodies of the scene as they were built.
    #[cfg(not(target_family = "wasm"))]
    bodies: Vec<BuiltBody>,
    #[cfg(not(target_family = "wasm"))]
    recorder: recorder::Recorder,
}

/// What is drawn of a scene.
fn staged(scene: &Scene, bodies: &[BuiltBody], act: &dyn Act) -> Stage {
    Stage::new(drawn(scene, bodies), &Scenery::of(scene), act)
}

/// A simulation of a scene, and its bodies.
fn raise(scene: &Scene) -> Result<(Box<dyn Act>, Vec<BuiltBody>), SceneError> {
    #[cfg(feature = "f64")]
    return Ok(match scene.build_precise()? {
        Precise::Single(built) => own(built),
        Precise::Double(built) => own(built),
    });
    #[cfg(not(feature = "f64"))]
    if scene.model.precision == pliant_scene::Precision::F64 {
        let reason = "it has precision = \"f64\", which is left out here; use \"auto\" or \"f32\"";
        let path = scene.source_name().into();
        return Err(SceneError::Read { what: "scene", path, reason: reason.to_owned() });
    }
    #[cfg(not(feature = "f64"))]
    return scene.build::<f32>().map(own);
}

fn own<T: Float>(built: Built<T>) -> (Box<dyn Act>, Vec<BuiltBody>) {
    (Box::new(Actor::new(Held::Own(Box::new(built.simulation)))), built.bodies)
}

fn drawn(scene: &Scene, bodies: &[BuiltBody]) -> Vec<Drawn> {
    let drawn = bodies.iter().zip(&scene.model.bodies);
    drawn
        .map(|(body, model)| Drawn { is_obstacle: model.obstacle == Some(true), ..Drawn::from(body) })
        .collect()
}

/// Whether anything in a scene depends on the time since the start.
fn is_timed(scene: &Scene) -> bool {
    let model = &scene.model;
    let pins = model.bodies.iter().flat_map(|body| &body.pins);
    !model.stages.is_empty()
        || !model.seams.is_empty()
        || model.obstacles.iter().any(|obstacle| obstacle.motion.is_some())
        || model.bodies.iter().any(|body| body.motion.is_some())
        || pins.into_iter().any(|pin| pin.motion.is_some() || pin.release.is_some())
}

impl Show<'static> {
    /// Builds a scene.
    ///
    /// # Errors
    ///
    /// If it cannot be built.
    pub fn of_scene(scene: Scene) -> Result<Self, SceneError> {
        let (act, bodies) = raise(&scene)?;
        let mut show = Show::with(act, drawn(&scene, &bodies), &Scenery::of(&scene), scene.time_step());
        scene.name().clone_into(&mut show.title);
        show.keep(bodies);
        show.unchanged = Some(scene.clone());
        show.scene = Some(scene);
        Ok(show)
    }
}

impl<'a> Show<'a> {
    /// Replaces the scene by another, from its start: its file has changed. The page keeps its camera.
    ///
    /// # Errors
    ///
    /// If it cannot be built; the present scene then continues.
    pub fn replace(&mut self, scene: Scene) -> Result<(), SceneError> {
        let (act, bodies) = raise(&scene)?;
        self.unchanged = Some(scene.clone());
        let stage = staged(&scene, &bodies, act.as_ref());
        self.renew(act, bodies, scene, stage);
        Ok(())
    }

    /// Shows a simulation that a program has built, by frames of `dt`, s. It stays the program's: what is
    /// done on the page is done to it.
    pub fn of<T: Float>(simulation: &'a mut Simulation<T>, bodies: Vec<Drawn>, dt: f64) -> Self {
        Self::among(simulation, bodies, &Scenery::default(), dt)
    }

    /// The same, with what a scene has besides its bodies.
    #[must_use]
    pub fn among<T: Float>(
        simulation: &'a mut Simulation<T>,
        bodies: Vec<Drawn>,
        scenery: &Scenery,
        dt: f64,
    ) -> Self {
        Self::with(Box::new(Actor::new(Held::Borrowed(simulation))), bodies, scenery, dt)
    }

    fn with(act: Box<dyn Act + 'a>, bodies: Vec<Drawn>, scenery: &Scenery, dt: f64) -> Self {
        let stage = Stage::new(bodies, scenery, act.as_ref());
        let mut show = Self {
            act,
            stage,
            hands: Hands::default(),
            meter: Meter::new(),
            scene: None,
            unchanged: None,
            title: "simulation".to_owned(),
            dt,
            playing: true,
            speed: 1.0,
            field: None,
            problem: None,
            version: 1,
            cost: None,
            #[cfg(not(target_family = "wasm"))]
            bodies: Vec::new(),
            #[cfg(not(target_family = "wasm"))]
            recorder: recorder::Recorder::default(),
        };
        show.measure();
        show
    }

    /// Keeps the bodies for recordings, of which a page in a browser alone makes none.
    #[cfg(not(target_family = "wasm"))]
    fn keep(&mut self, bodies: Vec<BuiltBody>) {
        self.bodies = bodies;
    }

    #[cfg(target_family = "wasm")]
    fn keep(&mut self, _bodies: Vec<BuiltBody>) {}

    /// Lets go of what the hands of pages hold: no page is left.
    pub fn let_go(&mut self) {
        self.hands.release_all(self.act.as_mut());
    }

    /// Whether it runs by itself.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// The time that a frame should take, s, an hour at most; 0 for as little as possible.
    #[must_use]
    pub fn pace(&self) -> f64 {
        limits::pace(self.dt, self.speed)
    }

    /// A number that changes with the [stage](Self::stage).
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The scene as changed on the page, if there is one.
    #[must_use]
    pub fn scene(&self) -> Option<&Scene> {
        self.scene.as_ref()
    }

    /// The hash of the present state.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.act.state_hash()
    }

    /// Takes a frame.
    ///
    /// # Errors
    ///
    /// If the simulation fails; it is paused then, and the page shows why.
    pub fn step(&mut self) -> Result<(), Refusal> {
        let begun = clock::now();
        let done = self.try_step();
        let took = clock::since(begun);
        self.cost = took.map(|time| 1e3 * time.as_secs_f64());
        self.meter.pass(took, Duration::from_secs_f64(self.pace()));
        #[cfg(not(target_family = "wasm"))]
        self.write_frame(done.is_ok());
        if let Err(Refusal(problem)) = &done {
            self.playing = false;
            self.problem = Some(problem.clone());
            self.version += 1;
        }
        if self.meter.is_due(self.act.frame()) {
            self.measure();
        }
        done
    }

    #[allow(clippy::cast_possible_truncation, reason = "frames are counted by u32 in scenes")]
    fn try_step(&mut self) -> Result<(), Refusal> {
        if let Some(scene) = self.scene.as_ref().filter(|scene| !scene.model.stages.is_empty()) {
            self.act.settle(scene, self.act.frame() as u32).map_err(Refusal::new)?;
        }
        self.act.advance(self.dt).map_err(Refusal::new)
    }

    fn measure(&mut self) {
        let begun = clock::now();
        let report = self.act.report();
        self.meter.take(&report, &self.act.judgement(), begun);
    }

    /// Does what a page asks for. The answer is JSON, usually `null`.
    ///
    /// # Errors
    ///
    /// If it cannot be done; nothing has changed then.
    pub fn act(&mut self, command: &Command) -> Result<Value, Refusal> {
        let act = self.act.as_mut();
        match command {
            Command::Play => {
                self.playing = true;
                self.problem = None;
            }
            Command::Pause => {
                self.playing = false;
                self.measure();
            }
            Command::Step { frames } => {
                self.playing = false;
                for _ in 0..limits::frames(*frames) {
                    self.step()?;
                }
                self.measure();
            }
            Command::Restart => self.restart()?,
            Command::Speed { value } => self.speed = limits::speed(*value)?,
            Command::Grab { hand, body, vertex, stiffness } => {
                let surface = self.stage.surfaces.get(*body);
                let particle = surface.and_then(|surface| surface.particle_at(*vertex));
                let (Some(surface), Some(particle)) = (surface, particle) else {
                    return Err(Refusal::new(format!("body {body} has no vertex {vertex} to take hold of")));
                };
                let particles = surface.particles().unwrap_or_default();
                let held = self.hands.grab(act, *hand, particle, particles, *stiffness);
                return held.map_err(Refusal::new);
            }
            Command::Move { hand, to } => self.hands.move_to(act, *hand, *to).map_err(Refusal::new)?,
            Command::Release { hand } => self.hands.release(act, *hand).map_err(Refusal::new)?,
            Command::Push { body, by } => self.push(*body, *by)?,
            Command::Set { key, value } => self.set(key, value)?,
            Command::Undo => self.undo()?,
            Command::Field { name } => {
                let known = name.as_deref().map(|name| {
                    Field::named(name).ok_or_else(|| Refusal::new(format!("there is no field \"{name}\"")))
                });
                self.field = known.transpose()?;
            }
            Command::Text { toml } => self.read(toml)?,
            #[cfg(not(target_family = "wasm"))]
            Command::Record { on } => return self.record_from_page(*on),
            #[cfg(target_family = "wasm")]
            Command::Record { .. } => return Err(Refusal::new("this page cannot write files")),
            Command::Save => return Err(Refusal::new("this page cannot write files")),
        }
        Ok(Value::Null)
    }

    fn restart(&mut self) -> Result<(), Refusal> {
        self.act.restart();
        self.hands = Hands::default();
        self.meter = Meter::new();
        self.problem = None;
        if let Some(scene) = &self.scene {
            self.act.settle(scene, 0).map_err(Refusal::new)?;
        }
        self.measure();
        #[cfg(not(target_family = "wasm"))]
        self.cut();
        Ok(())
    }

    fn push(&mut self, body: usize, by: [f64; 3]) -> Result<(), Refusal> {
        let carrier = self.stage.surfaces.get(body).map(|surface| &surface.carrier);
        let Some(Carrier::Rigid { obstacle: Some(obstacle), motion, .. }) = carrier else {
            return Err(Refusal::new(format!("body {body} is no obstacle that can be moved")));
        };
        self.hands.push(self.act.as_mut(), *obstacle, motion, by).map_err(Refusal::new)
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), Refusal> {
        let Some(scene) = &self.scene else {
            return Err(Refusal::new("this simulation was built by a program; it has no keys of a scene"));
        };
        let changed = if key == WIND {
            let speed = value
                .as_f64()
                .ok_or_else(|| Refusal::new(format!("`{WIND}` is a speed, m/s, and cannot be {value}")))?;
            scene.with_value("solver.wind", &knobs::wind_at(&scene.model, speed))?
        } else if key == GRAVITY {
            // A scene need not have a vector of which this could be an element.
            let mut gravity = json!(knobs::gravity_of(scene));
            gravity[1] = value.clone();
            scene.with_value("solver.gravity", &gravity)?
        } else if key == "solver.method" && matches!(value.as_str(), Some("sweeps" | "coarse")) {
            // The accuracy belongs to the other methods.
            let mut scene = scene.clone();
            scene.model.solver.accuracy = None;
            scene.with_value(key, value)?
        } else {
            scene.with_value(key, value)?
        };
        let is_live = key == WIND
            || ["substeps", "gravity", "damping", "drag"].iter().any(|name| {
                key.strip_prefix("solver.").is_some_and(|rest| rest.split('.').next() == Some(name))
            });
        self.go_on_with(changed, is_live)
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        match self.unchanged.clone() {
            Some(scene) => self.go_on_with(scene, false),
            None => Ok(()),
        }
    }

    /// Goes on with a changed scene: with its settings, if they are all that differs, else with a simulation
    /// that is built again, in which bodies keep their state unless something depends on the time.
    #[allow(clippy::cast_possible_truncation, reason = "frames are counted by u32 in scenes")]
    fn go_on_with(&mut self, scene: Scene, is_live: bool) -> Result<(), Refusal> {
        if is_live {
            self.act.settle(&scene, self.act.frame() as u32).map_err(Refusal::new)?;
            self.scene = Some(scene);
            return Ok(());
        }
        let (mut act, bodies) = raise(&scene)?;
        // The picture is that of the start, wherever bodies have gone: a restart leads them back.
        let stage = staged(&scene, &bodies, act.as_ref());
        if !is_timed(&scene) {
            act.carry(&self.act.carried());
        }
        self.renew(act, bodies, scene, stage);
        Ok(())
    }

    fn renew(&mut self, act: Box<dyn Act>, bodies: Vec<BuiltBody>, scene: Scene, stage: Stage) {
        self.stage = stage;
        self.act = act;
        self.keep(bodies);
        self.hands = Hands::default();
        self.meter = Meter::new();
        self.dt = scene.time_step();
        scene.name().clone_into(&mut self.title);
        self.scene = Some(scene);
        self.problem = None;
        self.version += 1;
        self.measure();
        #[cfg(not(target_family = "wasm"))]
        self.cut();
    }

    /// Takes the text of a scene, from its start.
    fn read(&mut self, toml: &str) -> Result<(), Refusal> {
        let Some(scene) = &self.scene else {
            return Err(Refusal::new("this simulation was built by a program; it has no text of a scene"));
        };
        limits::text(toml)?;
        Ok(self.replace(Scene::parse_named(scene.source_name(), toml, scene.base_dir())?)?)
    }

    /// What a page draws, and its sliders, as JSON. It changes when the [version](Self::version) does.
    #[must_use]
    pub fn stage(&self) -> Value {
        let scene = self.scene.as_ref();
        #[cfg(not(target_family = "wasm"))]
        let records = self.recorder.may_begin() && scene.is_some();
        #[cfg(target_family = "wasm")]
        let records = false;
        self.stage.to_json(&Words {
            title: &self.title,
            version: self.version,
            fields: &Field::ALL,
            problem: self.problem.as_ref(),
            dt: self.dt,
            speed: self.speed,
            frames: scene.map(|scene| scene.model.frames.get()),
            knobs: scene.map(|scene| knobs::of(scene, self.act.substeps())),
            is_changed: self.is_changed(),
            text: scene.map(Scene::edited_text),
            records,
            about: json!({
                "particles": self.act.particles(),
                "constraints": self.act.constraints(),
                "precision": self.act.precision(),
            }),
        })
    }

    fn is_changed(&self) -> bool {
        let model = |scene: &Option<Scene>| scene.as_ref().map(|scene| scene.model.clone());
        model(&self.scene) != model(&self.unchanged)
    }

    /// The present state as bytes: see [`FrameMessage`](crate::FrameMessage).
    #[must_use]
    pub fn frame(&self) -> Vec<u8> {
        let act = self.act.as_ref();
        let rigid = self.stage.surfaces.iter().enumerate().filter_map(|(number, surface)| {
            let Carrier::Rigid { obstacle, motion, .. } = &surface.carrier else { return None };
            let pose = obstacle.and_then(|obstacle| self.hands.pose(obstacle));
            if pose.is_none() && motion.is_fixed() {
                return None;
            }
            let pose = pose.unwrap_or_else(|| motion.pose(act.time()));
            Some(json!([number, columns(&pose)]))
        });
        let mut numbers = Vec::new();
        let mut scale = None;
        if let Some(field) = self.field {
            let all: Vec<_> = self.stage.surfaces.iter().map(|surface| surface.numbers(field, act)).collect();
            let finite = all.iter().flatten().flatten().copied().filter(|number| number.is_finite());
            scale = Some(finite.fold(0.0, f64::max));
            numbers = all;
        }
        #[allow(unused_mut, reason = "pages in a browser alone record nothing")]
        let mut head = json!({
            "version": self.version,
            "frame": act.frame(),
            "time": act.time(),
            "playing": self.playing,
            "speed": self.speed,
            "hash": format!("{:016x}", act.state_hash()),
            "ms": self.cost,
            "poses": rigid.collect::<Vec<_>>(),
            "hands": self.hands.to_json(act),
            "field": self.field.map(|field| field.words()[0]),
            "largest": scale,
            "report": self.meter.told(),
        });
        #[cfg(not(target_family = "wasm"))]
        {
            head["recording"] = self.recorder.to_json();
        }
        let mut bytes = frame_message::begin(&head);
        self.stage.surfaces.iter().for_each(|surface| surface.write_positions(act, &mut bytes));
        #[allow(clippy::cast_possible_truncation, reason = "a colour needs no more digits")]
        for number in numbers.iter().flatten().flatten() {
            bytes.extend((*number as f32).to_le_bytes());
        }
        bytes
    }
}

impl Exhibit for Show<'_> {
    fn version(&self) -> u64 {
        Self::version(self)
    }

    fn is_playing(&self) -> bool {
        Self::is_playing(self)
    }

    fn pace(&self) -> f64 {
        Self::pace(self)
    }

    fn state_hash(&self) -> u64 {
        Self::state_hash(self)
    }

    fn step(&mut self) -> Result<(), Refusal> {
        Self::step(self)
    }

    fn act(&mut self, command: &Command) -> Result<Value, Refusal> {
        Self::act(self, command)
    }

    fn stage(&self) -> Value {
        Self::stage(self)
    }

    fn frame(&self) -> Vec<u8> {
        Self::frame(self)
    }

    fn let_go(&mut self) {
        Self::let_go(self);
    }

    #[cfg(not(target_family = "wasm"))]
    fn text(&self) -> Option<String> {
        self.scene.as_ref().map(Scene::edited_text)
    }

    #[cfg(not(target_family = "wasm"))]
    fn reload(&mut self, file: &Path) -> Result<(), SceneError> {
        self.replace(Scene::load(file)?)
    }

    #[cfg(not(target_family = "wasm"))]
    fn complain(&mut self, problem: Problem) {
        self.problem = Some(problem);
        self.version += 1;
    }

    #[cfg(not(target_family = "wasm"))]
    fn still(&self, size: Size) -> Result<Still, RenderError> {
        Self::still(self, size)
    }
}

/// Recordings, which pages in a browser alone do not make.
#[cfg(not(target_family = "wasm"))]
impl Show<'_> {
    /// Lets pages record what they show, to `runs/NAME-1` and so on in the folder in which the program was started.
    #[must_use]
    pub fn recorded_by_pages(mut self) -> Self {
        self.recorder.allow_pages();
        self
    }

    /// Records from here to the folder of a run, until [`end_recording`](Self::end_recording), a restart, or a change for which the
    /// simulation is built anew.
    ///
    /// ```
    /// use pliant_run::{Intent, RunFolder};
    /// use pliant_scene::Template;
    /// use pliant_view::Show;
    ///
    /// let scene = Template::named("cloth").ok_or("no such template")?.scene()?;
    /// let folder = tempfile::tempdir()?;
    /// let to = RunFolder::choose(Some(folder.path()), scene.name(), Intent::Begin)?;
    /// let mut show = Show::of_scene(scene)?;
    /// show.record(&to)?;
    /// show.step()?;
    /// assert_eq!(show.end_recording()?.as_deref(), Some(folder.path()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the simulation is not one of a scene, or the folder cannot be used.
    pub fn record(&mut self, to: &RunFolder) -> Result<(), RunError> {
        self.recorder.begin(self.act.as_ref(), self.scene.as_ref(), &self.bodies, to)
    }

    /// Completes the files of the recording; returns their folder, or nothing if none was in progress.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; the folder is then marked as unfinished.
    pub fn end_recording(&mut self) -> Result<Option<PathBuf>, RunError> {
        self.recorder.end()
    }

    /// What a page asks for.
    fn record_from_page(&mut self, on: bool) -> Result<Value, Refusal> {
        if !on {
            let folder = self.end_recording()?;
            return Ok(json!(folder.map(|folder| folder.display().to_string())));
        }
        if !self.recorder.may_begin() {
            return Err(Refusal::new("this page cannot write files"));
        }
        let name = self.scene.as_ref().map(|scene| scene.name().to_owned()).unwrap_or_default();
        self.record(&RunFolder::Numbered(name))?;
        Ok(Value::Null)
    }

    /// Ends a recording because its simulation has ended.
    fn cut(&mut self) {
        if let Err(error) = self.end_recording() {
            self.problem = Some(Refusal::from(error).0);
            self.version += 1;
        }
    }

    /// Records the frame that was taken. After a frame that failed the recording ends.
    fn write_frame(&mut self, is_taken: bool) {
        if !is_taken {
            return self.cut();
        }
        if let Err(error) = self.recorder.write(self.act.as_ref(), self.cost.unwrap_or_default()) {
            self.playing = false;
            self.problem = Some(Refusal::from(error).0);
            self.version += 1;
        }
    }
}
