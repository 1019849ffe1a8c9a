//! What a page draws, before any frame: surfaces, ground, camera, light, knobs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_render::{ColourMap, Rgb};
use pliant_scene::model::CameraModel;
use serde_json::{Value, json};

use crate::act::Act;
use crate::drawn::Drawn;
use crate::knobs::Knob;
use crate::light::Light;
use crate::problem::Problem;
use crate::prop::Look;
use crate::scenery::Scenery;
use crate::surface::{Carrier, Field, Surface, columns};
use crate::walls::Whereabouts;

/// How much larger than the bodies at the start the picture is.
const ROOM: f64 = 1.15;

/// What a page says beside the picture, whatever it shows.
pub(crate) struct Words<'a> {
    pub(crate) title: &'a str,
    pub(crate) version: u64,
    /// What bodies may be coloured by.
    pub(crate) fields: &'a [Field],
    pub(crate) problem: Option<&'a Problem>,
    /// From one frame to the next, s.
    pub(crate) dt: f64,
    pub(crate) speed: f64,
    /// Number of frames, if they are known to end.
    pub(crate) frames: Option<u32>,
    pub(crate) knobs: Option<Vec<Knob>>,
    pub(crate) is_changed: bool,
    /// The file as it is edited.
    pub(crate) text: Option<String>,
    /// Whether it can be recorded here.
    pub(crate) records: bool,
    /// Numbers of the whole, by their names for people.
    pub(crate) about: Value,
}

/// What a page draws.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) ground: Option<f64>,
    pub(crate) camera: CameraModel,
    centre: Vector3<f64>,
    radius: f64,
    /// What is not drawn, and why.
    pub(crate) remark: Option<String>,
}

impl Stage {
    pub(crate) fn new(bodies: Vec<Drawn>, scenery: &Scenery, act: &dyn Act) -> Self {
        let places = (0..act.particles()).map(|particle| act.position(particle));
        let bounds = Aabb::around(places.filter(|x| x.iter().all(|c| c.abs() < 1e15)));
        let mut surfaces: Vec<Surface> =
            bodies.into_iter().enumerate().map(|(number, body)| Surface::of_body(number, body)).collect();
        let mut all = bounds;
        let mut take = |x: &Vector3<f64>| {
            let here = Aabb { min: *x, max: *x };
            all = Some(all.map_or(here, |all| all.union(&here)));
        };
        if let Some(bounds) = bounds {
            // What falls gets to the ground, if that is not too far below.
            let size = bounds.diagonal().max(1e-9);
            let floor = scenery.ground.filter(|ground| (0.0..4.0 * size).contains(&(bounds.min.y - ground)));
            if let Some(ground) = floor {
                take(&Vector3::new(bounds.centre().x, ground, bounds.centre().z));
            }
            let seen = [Whereabouts { time: 0.0, bounds }];
            scenery.in_picture(&seen, |points| points.iter().for_each(&mut take));
            scenery.walls.in_picture(&seen).iter().for_each(&mut take);
            // Where it may get to belongs to what walls stand around.
            let way = Aabb {
                min: Vector3::new(bounds.min.x, floor.unwrap_or(bounds.min.y), bounds.min.z),
                ..bounds
            };
            let walls = scenery.walls.around(&[Whereabouts { time: 0.0, bounds: way }], scenery.ground);
            surfaces.extend(scenery.solids.iter().chain(&walls).map(Surface::of_prop));
        }
        Self {
            surfaces,
            ground: scenery.ground,
            camera: scenery.camera,
            centre: all.map_or(Vector3::zeros(), |bounds| bounds.centre()),
            radius: radius(all),
            remark: scenery.remark.clone(),
        }
    }

    /// The stage of a surface that stays within these bounds.
    pub(crate) fn within(surface: Surface, bounds: Option<Aabb>) -> Self {
        Self {
            surfaces: vec![surface],
            ground: None,
            camera: CameraModel::default(),
            centre: bounds.map_or(Vector3::zeros(), |bounds| bounds.centre()),
            radius: radius(bounds),
            remark: None,
        }
    }

    /// Half the size of what is seen, m.
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// The surfaces as the page takes them, and what it says; positions of those that move come with frames.
    pub(crate) fn to_json(&self, words: &Words<'_>) -> Value {
        let bodies: Vec<Value> = self.surfaces.iter().map(body).collect();
        let field = |field: &Field| {
            let [name, what, unit] = field.words();
            json!({ "field": name, "what": what, "unit": unit })
        };
        let camera = &self.camera;
        json!({
            "bodies": bodies,
            "ground": self.ground,
            "centre": self.centre.as_slice(),
            "radius": self.radius,
            "azimuth": camera.azimuth,
            "elevation": camera.elevation,
            "eye": camera.eye,
            "target": camera.target,
            "field_of_view": camera.field_of_view,
            "light": Light::studio(),
            "no_value": shares(ColourMap::NO_VALUE),
            "title": words.title,
            "version": words.version,
            "remark": self.remark,
            "fields": words.fields.iter().map(field).collect::<Vec<_>>(),
            "problem": words.problem,
            "dt": words.dt,
            "speed": words.speed,
            "frames": words.frames,
            "knobs": words.knobs,
            "changed": words.is_changed,
            "text": words.text,
            "records": words.records,
            "about": words.about,
        })
    }
}

/// The radius of the picture, m, with room for what moves.
fn radius(bounds: Option<Aabb>) -> f64 {
    bounds.map_or(1.0, |bounds| ROOM * 0.5 * bounds.diagonal()).max(1e-9)
}

fn body(surface: &Surface) -> Value {
    let triangles: Vec<u8> = surface.triangles.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    let look = surface.look;
    let mut body = json!({
        "name": surface.name,
        "colour": shares(surface.colour),
        "vertices": surface.vertices(),
        "triangles": STANDARD.encode(triangles),
        "moves": look.is_none(),
        "cloth": surface.is_cloth,
        "shadow": look.is_none_or(Look::casts_shadow),
        "opacity": look.map_or([1.0; 2], Look::opacity),
    });
    if let Carrier::Rigid { positions, obstacle, motion } = &surface.carrier {
        let places: Vec<u8> = positions.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
        body["positions"] = json!(STANDARD.encode(places));
        body["pose"] = json!(columns(&motion.pose(0.0)));
        body["pushable"] = json!(obstacle.is_some() && look == Some(Look::Stone));
    }
    body
}

/// A colour for the page, from 0 to 1.
fn shares(Rgb(r, g, b): Rgb) -> [f64; 3] {
    [r, g, b].map(|c| f64::from(c) / 255.0)
}
