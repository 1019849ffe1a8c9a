//! [`Recording`]: the surfaces of a run, frame by frame, small enough for a page.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nalgebra::Vector3;
use pliant_io::Location;
use pliant_mesh::Aabb;
use pliant_render::{ColourMap, Rgb};
use pliant_scene::model::{CameraModel, Vector};
use pliant_view::{Corners, Light, Look, Prop, Whereabouts, single};
use serde::Serialize;

use super::field::{Shade, name_of};
use super::rods;
use crate::error::CliError;
use crate::render::encounters::{CONTACT, Encounters};
use crate::render::film::{Film, STRAIN};
use crate::render::scenery::RunScenery;
use crate::render::studio::{CROSSING, SEAM, SEAM_COLOUR, unit_of};

/// The most that the positions and fields of a page may take, bytes; as text they take a third more.
const BUDGET: usize = 13_000_000;
/// A position as three numbers of 16 bits; the number of a field takes another byte.
const BYTES_A_VERTEX: usize = 6;
/// Fewer frames than this do not make an animation.
const FEWEST: usize = 12;
/// The most crossings of a frame that the page marks; it counts all.
const MOST_MARKS: usize = 64;

/// The visible surfaces, at the times that are shown.
pub(super) struct Recording {
    bodies: Vec<Seen>,
    times: Vec<f64>,
    /// Numbers of the frames.
    numbers: Vec<usize>,
    ground: Option<f64>,
    /// Points besides the bodies that must be in the picture.
    corners: Vec<Vector3<f64>>,
    /// The fields by which it can be coloured: strain, and fields of the files.
    fields: Vec<String>,
    /// Fields of the files that were left out for lack of room.
    left_out: Vec<String>,
    /// The crossings of every frame, if they are marked.
    crossings: Vec<CrossingData>,
}

/// The crossings of a frame.
#[derive(Serialize, Clone, Debug, PartialEq)]
struct CrossingData {
    count: usize,
    /// The places of the first of them, m.
    at: Vec<[f32; 3]>,
}

/// The surface of a body.
struct Seen {
    colour: Rgb,
    /// Its look, if it is not simulated.
    look: Option<Look>,
    triangles: Vec<[u32; 3]>,
    /// Positions of its vertices in every frame, one frame after the other; one frame if it does not move.
    positions: Vec<[f32; 3]>,
    vertices: usize,
    /// The fields at the same vertices; empty for a field that it lacks.
    fields: Vec<Vec<f32>>,
}

/// The data of the page.
#[derive(Serialize)]
struct Data {
    bodies: Vec<BodyData>,
    times: Vec<f64>,
    numbers: Vec<usize>,
    ground: Option<f64>,
    centre: [f64; 3],
    radius: f64,
    fields: Vec<Shade>,
    /// Their names for readers.
    left_out: Vec<String>,
    crossings: Vec<CrossingData>,
    crossing_colour: [f64; 3],
    no_value: [f64; 3],
    azimuth: f64,
    elevation: f64,
    eye: Option<[f64; 3]>,
    target: Option<[f64; 3]>,
    field_of_view: f64,
    light: Light,
}

#[derive(Serialize)]
struct BodyData {
    colour: [f64; 3],
    vertices: usize,
    low: [f64; 3],
    size: [f64; 3],
    triangles: String,
    positions: String,
    moves: bool,
    shadow: bool,
    /// Opacity where its front and where its back is seen, 0 to 1.
    opacity: [f32; 2],
    /// For each field the colour indices of its numbers, if the body has it.
    fields: Vec<Option<String>>,
}

impl Recording {
    /// Takes every n-th frame, or as many as a page has room for; `None` if there is not even room for a few.
    pub(super) fn take(
        film: &Film,
        scenery: &RunScenery,
        every: Option<u32>,
        marked: Option<&Encounters>,
    ) -> Result<Self, CliError> {
        let mut recording = Self {
            bodies: Vec::new(),
            times: Vec::new(),
            numbers: Vec::new(),
            ground: scenery.ground,
            corners: Vec::new(),
            fields: vec![STRAIN.to_owned()],
            left_out: film.numbers_of_vertices()?,
            crossings: Vec::new(),
        };
        if matches!(film.encounters(), Ok(Some(_))) {
            recording.left_out.retain(|field| field != CONTACT);
            recording.fields.push(CONTACT.to_owned());
        }
        let first = film.shot(0, &recording.fields)?;
        let seen: Vec<Corners> = first
            .parts
            .iter()
            .map(|part| Corners::of(&part.positions, part.triangles, part.closed))
            .collect();
        let moving = scenery.solids.iter().filter(|solid| solid.motion.is_some());
        let moving = moving.map(|solid| Corners::of_prop(solid).vertex_of.len()).sum::<usize>();
        let vertices = seen.iter().map(|corners| corners.vertex_of.len()).sum::<usize>()
            + first.parts.iter().map(|part| rods::VERTICES * part.seams.len()).sum::<usize>()
            + moving
            + scenery.walls.moving_vertices();
        let count = film.frames();
        let room = BUDGET / ((BYTES_A_VERTEX + recording.fields.len()) * vertices.max(1));
        if room < FEWEST.min(count) {
            return Ok(recording);
        }
        // The last frame is always shown, whatever the step.
        let step = every.map_or(1, |every| every as usize).max(count.div_ceil(room));
        recording.numbers = (0..count).step_by(step).collect();
        if recording.numbers.last() != Some(&(count - 1)) {
            recording.numbers.push(count - 1);
        }
        // Fields must not reduce the number of frames.
        let bytes_a_vertex = BUDGET / (vertices * recording.numbers.len()).max(1);
        let room = bytes_a_vertex.saturating_sub(BYTES_A_VERTEX + recording.fields.len());
        let taken = room.min(recording.left_out.len());
        recording.fields.extend(recording.left_out.drain(..taken));
        for (index, corners) in seen.iter().enumerate() {
            recording.bodies.push(Seen {
                colour: if first.parts[index].is_obstacle {
                    Look::Stone.colour()
                } else {
                    Rgb::of_body(index)
                },
                look: None,
                triangles: corners.triangles.clone(),
                positions: Vec::with_capacity(corners.vertex_of.len() * recording.numbers.len()),
                vertices: corners.vertex_of.len(),
                fields: vec![Vec::new(); recording.fields.len()],
            });
        }
        let radius = SEAM * first.bounds().map_or(0.0, |bounds| bounds.diagonal());
        let mut sewn: Vec<(usize, Seen)> = first
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| !part.seams.is_empty())
            .map(|(number, part)| (number, Seen::of_seams(part.seams.len())))
            .collect();
        let mut whereabouts = Vec::with_capacity(recording.numbers.len());
        let mut times = Vec::with_capacity(recording.numbers.len());
        for &frame in &recording.numbers {
            let shot = film.shot(frame, &recording.fields)?;
            let time = scenery.time(frame, shot.time);
            times.push(time);
            whereabouts.extend(shot.bounds().map(|bounds| Whereabouts { time, bounds }));
            recording.times.push(shot.time.unwrap_or(frame as f64));
            if let Some(marked) = marked {
                let found = marked.crossings(shot.positions());
                let at = found.iter().take(MOST_MARKS).map(single).collect();
                recording.crossings.push(CrossingData { count: found.len(), at });
            }
            for (number, seams) in &mut sewn {
                let part = &shot.parts[*number];
                let places = rods::places(&part.positions, part.seams, radius);
                seams.positions.extend(places.iter().map(single));
            }
            for ((body, part), corners) in recording.bodies.iter_mut().zip(&shot.parts).zip(&seen) {
                body.positions.extend(corners.places(&part.positions));
                for (kept, field) in body.fields.iter_mut().zip(&part.fields) {
                    if let Some((Location::Vertices, values)) = field {
                        kept.extend(corners.vertex_of.iter().map(|&v| values[v as usize] as f32));
                    }
                }
            }
        }
        // A field that only some frames have is not a field of the run.
        for body in &mut recording.bodies {
            body.fields.iter_mut().filter(|field| field.len() != body.positions.len()).for_each(Vec::clear);
        }
        recording.bodies.extend(sewn.into_iter().map(|(_, seams)| seams));
        let walls = scenery.walls.around(&whereabouts, scenery.ground);
        recording.bodies.extend(scenery.solids.iter().chain(&walls).map(|prop| Seen::of_prop(prop, &times)));
        recording.corners = scenery.walls.in_picture(&whereabouts);
        scenery.in_picture(&whereabouts, |points| {
            recording
                .corners
                .extend(Aabb::of_points(points).into_iter().flat_map(|bounds| [bounds.min, bounds.max]));
        });
        Ok(recording)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The data of the page; units of fields by their names.
    pub(super) fn to_json(&self, camera: CameraModel, units: &BTreeMap<String, String>) -> String {
        let shade = |(k, field): (usize, &String)| {
            let values = self.bodies.iter().filter_map(|body| body.fields.get(k));
            Shade::of(field, unit_of(field, units), values.flatten().copied())
        };
        let shades: Vec<Shade> = self.fields.iter().enumerate().map(shade).collect();
        let box_of = |body: &Seen| {
            let finite = body.positions.iter().filter(|p| p.iter().all(|c| c.is_finite()));
            Aabb::around(finite.map(|p| Vector3::from(p.map(f64::from))))
        };
        let boxes: Vec<Option<Aabb>> = self.bodies.iter().map(box_of).collect();
        let simulated = boxes.iter().zip(&self.bodies).filter(|(_, body)| body.look.is_none());
        let boxes_to_see = simulated.filter_map(|(bounds, _)| *bounds).chain(Aabb::of_points(&self.corners));
        let all = boxes_to_see.reduce(|a, b| a.union(&b));
        let data = Data {
            bodies: self
                .bodies
                .iter()
                .zip(&boxes)
                .map(|(body, bounds)| body.data(*bounds, &shades))
                .collect(),
            times: self.times.clone(),
            numbers: self.numbers.clone(),
            ground: self.ground,
            centre: all.map_or([0.0; 3], |bounds| bounds.centre().into()),
            radius: all.map_or(1.0, |bounds| 0.5 * bounds.diagonal()).max(1e-9),
            fields: shades,
            left_out: self.left_out.iter().map(|field| name_of(field)).collect(),
            crossings: self.crossings.clone(),
            crossing_colour: shares(CROSSING),
            no_value: shares(ColourMap::NO_VALUE),
            azimuth: camera.azimuth.get(),
            elevation: camera.elevation.get(),
            eye: camera.eye.map(Vector::get),
            target: camera.target.map(Vector::get),
            field_of_view: camera.field_of_view.get(),
            light: Light::studio(),
        };
        serde_json::to_string(&data).expect("numbers and text are JSON")
    }
}

impl Seen {
    /// So many edges of seams, without their places.
    fn of_seams(edges: usize) -> Self {
        Self {
            colour: SEAM_COLOUR,
            look: Some(Look::Rim),
            triangles: rods::triangles(edges),
            positions: Vec::new(),
            vertices: rods::VERTICES * edges,
            fields: Vec::new(),
        }
    }

    /// The surface of a prop, at all times (s) if it moves.
    fn of_prop(prop: &Prop, times: &[f64]) -> Self {
        let corners = Corners::of_prop(prop);
        let times = if prop.motion.is_some() { times } else { &times[..times.len().min(1)] };
        let positions = times.iter().flat_map(|&time| corners.places(&prop.at(time)).collect::<Vec<_>>());
        Self {
            colour: prop.look.colour(),
            look: Some(prop.look),
            positions: positions.collect(),
            vertices: corners.vertex_of.len(),
            triangles: corners.triangles,
            fields: Vec::new(),
        }
    }

    fn data(&self, bounds: Option<Aabb>, shades: &[Shade]) -> BodyData {
        let bounds = bounds.unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
        let (low, size) = (bounds.min, bounds.size());
        let mut positions = Vec::with_capacity(6 * self.positions.len());
        for p in &self.positions {
            for k in 0..3 {
                let share = (f64::from(p[k]) - low[k]) / size[k].max(f64::MIN_POSITIVE);
                positions.extend(whole(65535.0 * share, 65535.0).to_le_bytes());
            }
        }
        let field = |(values, shade): (&Vec<f32>, &Shade)| {
            let levels: Vec<u8> = values.iter().map(|&value| shade.level(value)).collect();
            (!levels.is_empty()).then(|| STANDARD.encode(levels))
        };
        let triangles: Vec<u8> = self.triangles.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        BodyData {
            colour: shares(self.colour),
            vertices: self.vertices,
            low: low.into(),
            size: size.into(),
            triangles: STANDARD.encode(triangles),
            positions: STANDARD.encode(positions),
            moves: self.look.is_none(),
            shadow: self.look.is_none_or(Look::casts_shadow),
            opacity: self.look.map_or([1.0; 2], Look::opacity),
            fields: self.fields.iter().zip(shades).map(field).collect(),
        }
    }
}

/// A colour for the page, from 0 to 1.
fn shares(Rgb(r, g, b): Rgb) -> [f64; 3] {
    [r, g, b].map(|c| f64::from(c) / 255.0)
}

/// The nearest whole number from 0 to `most`; 0 for NaN.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range")]
fn whole(value: f64, most: f64) -> u16 {
    value.round().clamp(0.0, most) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_keep_sixteen_bits_of_the_box() {
        let body = Seen {
            colour: Rgb(255, 0, 51),
            look: None,
            triangles: vec![[0, 1, 2]],
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.25]],
            vertices: 3,
            fields: vec![vec![0.0, 5.0, f32::NAN], Vec::new()],
        };
        let shade = |most: f32| Shade::of(STRAIN, "%", [most].into_iter());
        let bounds = Aabb::of_points(
            &body.positions.iter().map(|p| Vector3::from(p.map(f64::from))).collect::<Vec<_>>(),
        );
        let data = body.data(bounds, &[shade(10.0), shade(1.0)]);
        let bytes = STANDARD.decode(&data.positions).unwrap();
        let read: Vec<u16> = bytes.chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
        assert_eq!(read, [0, 0, 0, 65535, 0, 0, 0, 65535, 65535]);
        assert_eq!(STANDARD.decode(data.fields[0].as_ref().unwrap()).unwrap(), [0, 128, 0]);
        assert_eq!(data.fields[1], None, "a field that the body lacks");
        assert_eq!((data.low, data.size), ([0.0; 3], [1.0, 2.0, 0.25]));
        assert_eq!(data.colour, [1.0, 0.0, 0.2]);
    }
}
