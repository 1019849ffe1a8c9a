//! [`Recording`]: the surfaces of a run, frame by frame, small enough for a page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nalgebra::Vector3;
use pliant_mesh::{Aabb, TriMesh};
use pliant_render::Rgb;
use pliant_scene::model::CameraModel;
use serde::Serialize;

use crate::error::CliError;
use crate::render::film::{Film, STRAIN};
use crate::render::scenery::Scenery;

/// The most that the positions and strains of a page may take, bytes; as text they take a third more.
const BUDGET: usize = 13_000_000;
/// A position as three numbers of 16 bits, and a strain in 8.
const BYTES_A_VERTEX: usize = 7;
/// Fewer frames than this are no animation.
const FEWEST: usize = 12;
/// The colour of what is not simulated.
const STONE: Rgb = Rgb(176, 178, 182);

/// What is seen, at the times that are shown.
pub(super) struct Recording {
    bodies: Vec<Seen>,
    times: Vec<f64>,
    /// Numbers of the frames.
    numbers: Vec<usize>,
    ground: Option<f64>,
}

/// The surface of a body.
struct Seen {
    colour: Rgb,
    triangles: Vec<[u32; 3]>,
    /// Positions of its vertices in every frame, one frame after the other; one frame if it does not move.
    positions: Vec<[f32; 3]>,
    vertices: usize,
    /// Strain in percent at the same places; none for what is not simulated.
    strain: Option<Vec<f32>>,
}

/// What the page reads.
#[derive(Serialize)]
struct Data {
    bodies: Vec<BodyData>,
    times: Vec<f64>,
    numbers: Vec<usize>,
    ground: Option<f64>,
    centre: [f64; 3],
    radius: f64,
    most_strain: f64,
    azimuth: f64,
    elevation: f64,
    eye: Option<[f64; 3]>,
    target: Option<[f64; 3]>,
    field_of_view: f64,
}

#[derive(Serialize)]
struct BodyData {
    colour: [f64; 3],
    vertices: usize,
    low: [f64; 3],
    size: [f64; 3],
    triangles: String,
    positions: String,
    strain: Option<String>,
}

impl Recording {
    /// Takes every n-th frame, or as many as a page has room for; none if not even a few have.
    pub(super) fn take(film: &Film, scenery: &Scenery, every: Option<u32>) -> Result<Self, CliError> {
        let mut recording =
            Self { bodies: Vec::new(), times: Vec::new(), numbers: Vec::new(), ground: scenery.ground };
        let first = film.shot(0, None)?;
        let seen: Vec<Vec<u32>> = first.parts.iter().map(|part| vertices_of(part.triangles)).collect();
        let moving = scenery.moving.iter().map(|(mesh, _)| mesh.positions().len());
        let vertices: usize = seen.iter().map(Vec::len).chain(moving).sum();
        let count = film.frames();
        let room = BUDGET / (BYTES_A_VERTEX * vertices.max(1));
        if room < FEWEST.min(count) {
            return Ok(recording);
        }
        // The last frame is shown whatever the step is.
        let step = every.map_or(1, |every| every as usize).max(count.div_ceil(room));
        recording.numbers = (0..count).step_by(step).collect();
        if recording.numbers.last() != Some(&(count - 1)) {
            recording.numbers.push(count - 1);
        }
        for (index, (part, vertices)) in first.parts.iter().zip(&seen).enumerate() {
            let mut number_of = vec![0_u32; part.positions.len()];
            for (number, &v) in (0_u32..).zip(vertices) {
                number_of[v as usize] = number;
            }
            recording.bodies.push(Seen {
                colour: Rgb::of_body(index),
                triangles: part.triangles.iter().map(|t| t.map(|v| number_of[v as usize])).collect(),
                positions: Vec::with_capacity(vertices.len() * recording.numbers.len()),
                vertices: vertices.len(),
                strain: Some(Vec::new()),
            });
        }
        let mut moving: Vec<Seen> =
            scenery.moving.iter().map(|(mesh, _)| Seen::of_stone(mesh, Vec::new())).collect();
        for &frame in &recording.numbers {
            let shot = film.shot(frame, Some(STRAIN))?;
            for (solid, positions) in moving.iter_mut().zip(scenery.moved(frame, shot.time)) {
                solid.positions.extend(positions.iter().map(single));
            }
            recording.times.push(shot.time.unwrap_or(frame as f64));
            for ((body, part), vertices) in recording.bodies.iter_mut().zip(&shot.parts).zip(&seen) {
                body.positions.extend(vertices.iter().map(|&v| single(&part.positions[v as usize])));
                if let (Some(strain), Some((_, values))) = (&mut body.strain, &part.field) {
                    strain.extend(vertices.iter().map(|&v| values[v as usize] as f32));
                }
            }
        }
        let still = |solid| Seen::of_stone(solid, solid.positions().iter().map(single).collect());
        recording.bodies.extend(scenery.solids.iter().map(still));
        recording.bodies.extend(moving);
        Ok(recording)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The data of the page.
    pub(super) fn to_json(&self, camera: CameraModel) -> String {
        let strains = || self.bodies.iter().flat_map(|body| body.strain.iter().flatten());
        let most_strain = strains().copied().filter(|s| s.is_finite()).fold(0.0, f32::max).max(1e-6);
        let box_of = |body: &Seen| {
            let finite = body.positions.iter().filter(|p| p.iter().all(|c| c.is_finite()));
            Aabb::around(finite.map(|p| Vector3::from(p.map(f64::from))))
        };
        let boxes: Vec<Option<Aabb>> = self.bodies.iter().map(box_of).collect();
        let moving = boxes.iter().zip(&self.bodies).filter(|(_, body)| body.strain.is_some());
        let all = moving.filter_map(|(bounds, _)| *bounds).reduce(|a, b| a.union(&b));
        let data = Data {
            bodies: self
                .bodies
                .iter()
                .zip(&boxes)
                .map(|(body, bounds)| body.data(*bounds, most_strain))
                .collect(),
            times: self.times.clone(),
            numbers: self.numbers.clone(),
            ground: self.ground,
            centre: all.map_or([0.0; 3], |bounds| bounds.centre().into()),
            radius: all.map_or(1.0, |bounds| 0.5 * bounds.diagonal()).max(1e-9),
            most_strain: f64::from(most_strain),
            azimuth: camera.azimuth,
            elevation: camera.elevation,
            eye: camera.eye,
            target: camera.target,
            field_of_view: camera.field_of_view,
        };
        serde_json::to_string(&data).expect("numbers and text are JSON")
    }
}

impl Seen {
    /// What is not simulated, with its positions in the frames that they are known of.
    fn of_stone(mesh: &TriMesh, positions: Vec<[f32; 3]>) -> Self {
        let (triangles, vertices) = (mesh.triangles().to_vec(), mesh.positions().len());
        Self { colour: STONE, triangles, positions, vertices, strain: None }
    }

    fn data(&self, bounds: Option<Aabb>, most_strain: f32) -> BodyData {
        let bounds = bounds.unwrap_or(Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
        let (low, size) = (bounds.min, bounds.size());
        let mut positions = Vec::with_capacity(6 * self.positions.len());
        for p in &self.positions {
            for k in 0..3 {
                let share = (f64::from(p[k]) - low[k]) / size[k].max(f64::MIN_POSITIVE);
                positions.extend(whole(65535.0 * share, 65535.0).to_le_bytes());
            }
        }
        let strain = self.strain.as_ref().map(|values| {
            let level = |s: &f32| whole(f64::from(255.0 * s / most_strain), 255.0).to_le_bytes()[0];
            STANDARD.encode(values.iter().map(level).collect::<Vec<u8>>())
        });
        let triangles: Vec<u8> = self.triangles.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        let Rgb(r, g, b) = self.colour;
        BodyData {
            colour: [r, g, b].map(|c| f64::from(c) / 255.0),
            vertices: self.vertices,
            low: low.into(),
            size: size.into(),
            triangles: STANDARD.encode(triangles),
            positions: STANDARD.encode(positions),
            strain,
        }
    }
}

/// The nearest whole number from 0 to `most`; 0 for what is no number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range")]
fn whole(value: f64, most: f64) -> u16 {
    value.round().clamp(0.0, most) as u16
}

/// The vertices that triangles have, ascending.
fn vertices_of(triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut vertices: Vec<u32> = triangles.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

#[allow(clippy::cast_possible_truncation, reason = "a picture needs no more digits")]
fn single(p: &Vector3<f64>) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_keep_sixteen_bits_of_the_box() {
        let body = Seen {
            colour: Rgb(255, 0, 51),
            triangles: vec![[0, 1, 2]],
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.25]],
            vertices: 3,
            strain: Some(vec![0.0, 5.0, f32::NAN]),
        };
        let bounds = Aabb::of_points(
            &body.positions.iter().map(|p| Vector3::from(p.map(f64::from))).collect::<Vec<_>>(),
        );
        let data = body.data(bounds, 10.0);
        let bytes = STANDARD.decode(&data.positions).unwrap();
        let read: Vec<u16> = bytes.chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
        assert_eq!(read, [0, 0, 0, 65535, 0, 0, 0, 65535, 65535]);
        assert_eq!(STANDARD.decode(data.strain.unwrap()).unwrap(), [0, 128, 0]);
        assert_eq!((data.low, data.size), ([0.0; 3], [1.0, 2.0, 0.25]));
        assert_eq!(data.colour, [1.0, 0.0, 0.2]);
    }
}
