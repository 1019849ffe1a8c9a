//! [`Skin`]: an animated mesh on a page, before and after its deformers.

mod knobs;
mod pulls;
#[cfg(not(target_family = "wasm"))]
mod still;

#[cfg(not(target_family = "wasm"))]
use std::path::Path;

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_scene::{BuiltStack, FrameError, Posed, SceneError, StackFile};
use pliant_solver::{clock, position_hash};
use serde_json::{Value, json};

use crate::command::Command;
use crate::corners::single;
use crate::exhibit::Exhibit;
use crate::frame_message;
use crate::limits;
use crate::problem::Problem;
use crate::refusal::Refusal;
use crate::stage::{Stage, Words};
use crate::surface::{Carrier, Field, Surface};
use knobs::AFTER;
use pulls::Pulls;

/// How many poses the picture has room for, besides the mesh at rest.
const POSES: u32 = 8;
/// How far a hand reaches, as a share of the radius of the picture.
const REACH: f64 = 0.3;

/// An animated mesh with all that a page needs: as its skeleton or its file has it, and behind its deformers, or anything in
/// between. It goes through its frames again and again. Hands pull at the mesh before the deformers take it.
///
/// ```
/// use pliant_scene::StackFile;
/// use pliant_view::{Command, Exhibit as _, FrameMessage, Skin};
///
/// let text = r#"
///     frames = 20
///     [input.chain]
///     mesh = { cylinder = { radius = 0.1, height = 1.0, segments = 16, rings = 24 } }
///     blend = 0.3
///     joint = [
///         { at = [0, -0.5, 0] },
///         { at = [0, 0, 0], key = [{ time = 0 }, { time = 0.5, rotate = { axis = [0, 0, 1], degrees = 90 } }] },
///     ]
///     [[deformer]]
///     relax = { iterations = 20 }
/// "#;
/// let mut skin = Skin::of_stack(StackFile::parse(text, ".")?)?;
/// skin.act(&Command::Step { frames: 19 })?;
/// let after = FrameMessage::read(&skin.frame())?;
/// skin.act(&Command::Set { key: "view.after".to_owned(), value: 0.into() })?;
/// let before = FrameMessage::read(&skin.frame())?;
/// assert_eq!(after.head["frame"], 19);
/// assert_ne!(after.numbers, before.numbers);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Skin {
    file: StackFile,
    unchanged: StackFile,
    built: BuiltStack,
    /// Of the mesh, m³, if it is closed.
    rest_volume: Option<f64>,
    stage: Stage,
    reach: f64,
    posed: Posed,
    /// How far from before to after the deformers it is seen, from 0 to 1.
    after: f64,
    frame: u32,
    pulls: Pulls,
    playing: bool,
    speed: f64,
    is_coloured: bool,
    problem: Option<Problem>,
    version: u64,
    /// The time that the last frame took, ms.
    cost: Option<f64>,
}

impl Skin {
    /// Reads the mesh of a stack and makes its deformers.
    ///
    /// # Errors
    ///
    /// If that cannot be done, or not for its first frame.
    pub fn of_stack(file: StackFile) -> Result<Self, SceneError> {
        let (built, posed, stage) = raise(&file)?;
        Ok(Self {
            unchanged: file.clone(),
            file,
            reach: REACH * stage.radius(),
            stage,
            rest_volume: volume_at_rest(&built),
            built,
            posed,
            after: 1.0,
            frame: 0,
            pulls: Pulls::default(),
            playing: true,
            speed: 1.0,
            is_coloured: false,
            problem: None,
            version: 1,
            cost: None,
        })
    }

    /// Replaces the stack by another, from its start.
    ///
    /// # Errors
    ///
    /// If it cannot be built; the present one then continues.
    pub fn replace(&mut self, file: StackFile) -> Result<(), SceneError> {
        let (built, posed, stage) = raise(&file)?;
        self.reach = REACH * stage.radius();
        self.rest_volume = volume_at_rest(&built);
        (self.built, self.posed, self.stage) = (built, posed, stage);
        self.unchanged = file.clone();
        self.file = file;
        self.frame = 0;
        self.pulls = Pulls::default();
        self.problem = None;
        self.version += 1;
        Ok(())
    }

    /// Where a vertex is seen, m.
    fn place(&self, vertex: usize) -> Vector3<f64> {
        let Posed { skinned, deformed, .. } = &self.posed;
        skinned[vertex].lerp(&deformed[vertex], self.after)
    }

    /// Poses the present frame. Deformers that remember start from rest at the first.
    fn pose(&mut self) -> Result<(), Refusal> {
        if self.frame == 0 {
            self.built.reset();
        }
        let begun = clock::now();
        let pulls = &self.pulls;
        let posed = self.built.pose(self.frame, |skin| pulls.apply(skin));
        self.cost = clock::since(begun).map(|time| 1e3 * time.as_secs_f64());
        match posed {
            Ok(posed) => {
                self.posed = posed;
                Ok(())
            }
            Err(error) => {
                let refusal = Refusal::new(error);
                self.playing = false;
                self.problem = Some(refusal.0.clone());
                self.version += 1;
                Err(refusal)
            }
        }
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), Refusal> {
        if key != AFTER {
            return self.go_on_with(self.file.with_value(key, value)?);
        }
        match value.as_f64().filter(|after| (0.0..=1.0).contains(after)) {
            Some(after) => self.after = after,
            None => return Err(Refusal::new(format!("`{AFTER}` is {value}; expected a number from 0 to 1"))),
        }
        Ok(())
    }

    /// Goes on with a changed stack from the present frame, or the last that it has. Of another mesh hands hold nothing.
    fn go_on_with(&mut self, file: StackFile) -> Result<(), Refusal> {
        let mut built = file.build()?;
        let frame = self.frame.min(built.frames - 1);
        let is_same = built.mesh.positions().len() == self.built.mesh.positions().len()
            && built.mesh.triangles() == self.built.mesh.triangles();
        let stage = (!is_same).then(|| staged(&mut built, file.name()));
        let none = Pulls::default();
        let pulls = if is_same { &self.pulls } else { &none };
        self.posed = built.pose(frame, |skin| pulls.apply(skin)).map_err(Refusal::new)?;
        if let Some(stage) = stage {
            self.reach = REACH * stage.radius();
            (self.stage, self.pulls) = (stage, none);
        }
        self.rest_volume = volume_at_rest(&built);
        (self.built, self.file, self.frame) = (built, file, frame);
        self.problem = None;
        self.version += 1;
        Ok(())
    }

    fn is_changed(&self) -> bool {
        self.file.model != self.unchanged.model
    }

    fn vertex_of(&self, body: usize, vertex: usize) -> Option<usize> {
        self.stage.surfaces.get(body)?.particle_at(vertex)
    }

    fn grab(&mut self, hand: u32, body: usize, vertex: usize) -> Result<Value, Refusal> {
        let found = self.vertex_of(body, vertex);
        let vertex = found
            .ok_or_else(|| Refusal::new(format!("body {body} has no vertex {vertex} to take hold of")))?;
        self.pulls.grab(hand, vertex, self.place(vertex), &self.posed.skinned, self.reach);
        Ok(json!({ "particle": vertex }))
    }
}

impl Exhibit for Skin {
    fn version(&self) -> u64 {
        self.version
    }

    fn is_playing(&self) -> bool {
        self.playing
    }

    fn pace(&self) -> f64 {
        limits::pace(1.0 / self.built.frame_rate, self.speed)
    }

    fn state_hash(&self) -> u64 {
        position_hash(&self.posed.deformed)
    }

    fn step(&mut self) -> Result<(), Refusal> {
        self.frame = (self.frame + 1) % self.built.frames;
        self.pose()
    }

    fn act(&mut self, command: &Command) -> Result<Value, Refusal> {
        match command {
            Command::Play => {
                self.playing = true;
                self.problem = None;
            }
            Command::Pause => self.playing = false,
            Command::Step { frames } => {
                self.playing = false;
                for _ in 0..limits::frames(*frames) {
                    self.step()?;
                }
            }
            Command::Restart => {
                self.frame = 0;
                self.problem = None;
                self.pulls = Pulls::default();
                self.pose()?;
            }
            Command::Speed { value } => self.speed = limits::speed(*value)?,
            Command::Grab { hand, body, vertex, .. } => return self.grab(*hand, *body, *vertex),
            Command::Move { hand, to } => {
                let to = Vector3::from(*to);
                if !to.iter().all(|c| c.is_finite()) || !self.pulls.move_to(*hand, to) {
                    return Err(Refusal::new(format!("hand {hand} holds nothing that could move to {to:?}")));
                }
                self.pose_again()?;
            }
            Command::Release { hand } => {
                if !self.pulls.release(*hand) {
                    return Err(Refusal::new(format!("hand {hand} holds nothing")));
                }
                self.pose_again()?;
            }
            Command::Push { body, .. } => {
                return Err(Refusal::new(format!("body {body} is no obstacle that can be moved")));
            }
            Command::Set { key, value } => self.set(key, value)?,
            Command::Undo => {
                self.go_on_with(self.unchanged.clone())?;
                self.after = 1.0;
            }
            Command::Field { name } => {
                self.is_coloured = match name.as_deref() {
                    None => false,
                    Some(name) if Field::named(name) == Some(Field::Strain) => true,
                    Some(name) => return Err(Refusal::new(format!("there is no field \"{name}\""))),
                };
            }
            Command::Text { toml } => {
                limits::text(toml)?;
                let file = StackFile::parse_named(self.file.source_name(), toml, self.file.base_dir())?;
                self.replace(file)?;
            }
            Command::Record { .. } => {
                return Err(Refusal::new("a skin is not recorded: `pliant deform` writes its frames"));
            }
            Command::Save => return Err(Refusal::new("this page cannot write files")),
        }
        Ok(Value::Null)
    }

    fn stage(&self) -> Value {
        let mut stage = self.stage.to_json(&Words {
            title: self.file.name(),
            version: self.version,
            fields: &[Field::Strain],
            problem: self.problem.as_ref(),
            dt: 1.0 / self.built.frame_rate,
            speed: self.speed,
            frames: Some(self.built.frames),
            knobs: Some(knobs::of(&self.file, self.after)),
            is_changed: self.is_changed(),
            text: Some(self.file.edited_text()),
            records: false,
            about: json!({ "particles": self.built.mesh.positions().len() }),
        });
        stage["plots"] = json!({ "energy": null, "residuals": ["Strain of the edges", "%, root of the mean square", false] });
        stage
    }

    fn frame(&self) -> Vec<u8> {
        let surfaces = &self.stage.surfaces;
        let mut numbers = Vec::new();
        if self.is_coloured {
            let x: Vec<_> = (0..self.posed.skinned.len()).map(|v| self.place(v)).collect();
            numbers = surfaces.iter().filter_map(|surface| surface.strains_at(&x)).flatten().collect();
        }
        let time = self.built.time(self.frame);
        let [before, after] = [&self.posed.skinned, &self.posed.deformed].map(|x| self.built.measure(x));
        let change = |before: f64, after: f64| format!("{:.1} → {:.1} %", 100.0 * before, 100.0 * after);
        let residual = |name: &str, strain: f64| json!({ "name": name, "unit": "%", "max": 100.0 * strain });
        let mut facts = json!({ "largest strain": change(before.strain.max, after.strain.max) });
        if let (Some(before), Some(after), Some(rest)) = (before.volume, after.volume, self.rest_volume) {
            facts["volume"] = json!(change(before / rest, after / rest));
        }
        let head = json!({
            "version": self.version,
            "frame": self.frame,
            "time": time,
            "playing": self.playing,
            "speed": self.speed,
            "hash": format!("{:016x}", self.state_hash()),
            "ms": self.cost,
            "poses": [],
            "hands": self.pulls.to_json(|vertex| self.place(vertex)),
            "field": self.is_coloured.then(|| Field::Strain.words()[0]),
            "largest": self.is_coloured.then(|| numbers.iter().copied().fold(0.0, f64::max)),
            "report": {
                "frame": self.frame,
                "time": time,
                "residuals": [residual("before", before.strain.rms), residual("after", after.strain.rms)],
            },
            "facts": facts,
        });
        let mut bytes = frame_message::begin(&head);
        for surface in surfaces {
            let Carrier::Particles { vertices, .. } = &surface.carrier else { continue };
            let places = vertices.iter().flat_map(|&v| single(&self.place(v as usize)));
            places.for_each(|c| bytes.extend(c.to_le_bytes()));
        }
        #[allow(clippy::cast_possible_truncation, reason = "a colour needs no more digits")]
        numbers.iter().for_each(|number| bytes.extend((*number as f32).to_le_bytes()));
        bytes
    }

    fn let_go(&mut self) {
        if self.pulls.release_all() {
            // What cannot be posed is on the page.
            let _ = self.pose_again();
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn text(&self) -> Option<String> {
        Some(self.file.edited_text())
    }

    #[cfg(not(target_family = "wasm"))]
    fn reload(&mut self, file: &Path) -> Result<(), SceneError> {
        self.replace(StackFile::load(file)?)
    }

    #[cfg(not(target_family = "wasm"))]
    fn complain(&mut self, problem: Problem) {
        self.problem = Some(problem);
        self.version += 1;
    }

    #[cfg(not(target_family = "wasm"))]
    fn still(&self, size: pliant_render::Size) -> Result<crate::still::Still, pliant_render::RenderError> {
        Self::still(self, size)
    }
}

impl Skin {
    /// Poses the present frame after a hand has moved; while it plays, the next frame does.
    fn pose_again(&mut self) -> Result<(), Refusal> {
        if self.playing { Ok(()) } else { self.pose() }
    }
}

/// Builds a stack, poses its first frame, and finds room for it.
fn raise(file: &StackFile) -> Result<(BuiltStack, Posed, Stage), SceneError> {
    let mut built = file.build()?;
    let stage = staged(&mut built, file.name());
    let posed = built.pose(0, |_| {}).map_err(|error| unposed(file, &error))?;
    Ok((built, posed, stage))
}

fn volume_at_rest(built: &BuiltStack) -> Option<f64> {
    built.measure(built.mesh.positions()).volume
}

/// Room for a skin in some of its frames.
fn staged(built: &mut BuiltStack, name: &str) -> Stage {
    let mut bounds = Aabb::around(built.mesh.positions().iter().copied());
    for k in 0..POSES.min(built.frames) {
        let frame = (u64::from(k) * u64::from(built.frames - 1) / u64::from(POSES - 1)) as u32;
        // What cannot be posed is reported when it is to be seen.
        let Ok(posed) = built.pose(frame.min(built.frames - 1), |_| {}) else { break };
        let here = Aabb::around(posed.skinned.into_iter().chain(posed.deformed));
        bounds = bounds.zip(here).map(|(all, here)| all.union(&here)).or(here);
    }
    built.reset();
    Stage::within(Surface::of_skin(name.to_owned(), &built.mesh), bounds)
}

/// A stack whose first frame cannot be posed.
fn unposed(file: &StackFile, error: &FrameError) -> SceneError {
    SceneError::Read { what: "stack", path: file.source_name().into(), reason: error.to_string() }
}
