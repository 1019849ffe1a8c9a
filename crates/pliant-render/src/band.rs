//! A few rows of the picture: the surface that each sample sees, then the colour of each pixel.
//!
//! Which surface is nearest is decided for every sample; its colour is computed once for a pixel, in the middle of the
//! samples that it covers. Edges are as smooth as there are samples, at little more than the price of one.

use nalgebra::Vector3;

use crate::assemble::Colouring;
use crate::camera::Projector;
use crate::colour::{Encoder, Light};
use crate::coverage::{Edges, UNIT};
use crate::picture::Size;
use crate::project::{BAND, Disc, Projection, Tile};
use crate::shade::{GroundShader, Point, Shader};

/// The data that all bands of a picture share.
pub(crate) struct Scene<'a> {
    pub(crate) size: Size,
    pub(crate) projector: &'a Projector,
    pub(crate) projection: &'a Projection,
    pub(crate) shader: &'a Shader<'a>,
    pub(crate) ground: Option<&'a GroundShader>,
    /// At the top and at the bottom of the picture.
    pub(crate) background: [Light; 2],
    pub(crate) pattern: &'static [[i32; 2]],
    /// How much lower the ground is taken to be where something lies on it, metres, so that it does not hide
    /// what touches it.
    pub(crate) lowered: f64,
    pub(crate) encoder: &'a Encoder,
}

/// The surface that a sample sees: a tile by its number, a disc by its number after those, the ground, or nothing.
const NOTHING: u32 = u32::MAX;
const GROUND: u32 = u32::MAX - 1;

/// The samples of a band, used again for the next one.
pub(crate) struct Band {
    inverse_depth: Vec<f32>,
    seen: Vec<u32>,
}

/// A quantity that is linear on the picture: its value at a place, and what a pixel to the right and one down add.
#[derive(Clone, Copy)]
struct Plane {
    at: [f64; 2],
    value: f64,
    slope: [f64; 2],
}

impl Plane {
    fn value(&self, x: f64, y: f64) -> f64 {
        self.value + self.slope[0] * (x - self.at[0]) + self.slope[1] * (y - self.at[1])
    }

    /// What each sample adds to the value at its pixel's corner.
    fn offsets(&self, pattern: &[[i32; 2]]) -> [f32; 16] {
        std::array::from_fn(|s| {
            let [x, y] = at_sample(pattern.get(s).copied().unwrap_or([0, 0]), 0, 0);
            (self.slope[0] * x + self.slope[1] * y) as f32
        })
    }
}

impl Band {
    pub(crate) fn new(scene: &Scene<'_>) -> Self {
        let samples = (scene.size.width() * BAND) as usize * scene.pattern.len();
        Self { inverse_depth: vec![0.0; samples], seen: vec![NOTHING; samples] }
    }

    /// Draws band `index` into its rows of the picture.
    pub(crate) fn draw(&mut self, scene: &Scene<'_>, index: usize, bytes: &mut [u8]) {
        let first = (index * BAND as usize) as i32;
        let rows = [first, first + BAND as i32 - 1];
        self.inverse_depth.fill(0.0);
        self.seen.fill(NOTHING);
        if let Some(ground) = scene.ground {
            self.cover_by_ground(scene, ground, first);
        }
        let (tiles, discs) = &scene.projection.bands[index];
        for &tile in tiles {
            self.cover_by_tile(scene, tile, rows);
        }
        for &disc in discs {
            self.cover_by_disc(scene, disc, rows);
        }
        let width = scene.size.width() as usize;
        for (pixel, bytes) in bytes.chunks_exact_mut(3).enumerate() {
            let (x, y) = ((pixel % width) as i32, first + (pixel / width) as i32);
            bytes.copy_from_slice(&scene.encoder.bytes(self.resolve(scene, x, y, pixel)));
        }
    }

    fn cover_by_ground(&mut self, scene: &Scene<'_>, ground: &GroundShader, first: i32) {
        let Some(plane) = ground_plane(scene.projector, ground, scene.lowered) else { return };
        let offsets = plane.offsets(scene.pattern);
        let per_pixel = scene.pattern.len();
        let width = scene.size.width() as usize;
        let pixels =
            self.inverse_depth.chunks_exact_mut(per_pixel).zip(self.seen.chunks_exact_mut(per_pixel));
        for (pixel, (depths, seen)) in pixels.enumerate() {
            let (x, y) = ((pixel % width) as f64, f64::from(first) + (pixel / width) as f64);
            let base = plane.value(x, y) as f32;
            for ((depth, seen), offset) in depths.iter_mut().zip(seen).zip(&offsets) {
                let value = base + offset;
                if value > 0.0 {
                    (*depth, *seen) = (value, GROUND);
                }
            }
        }
    }

    fn cover_by_tile(&mut self, scene: &Scene<'_>, index: u32, rows: [i32; 2]) {
        let tile = &scene.projection.tiles[index as usize];
        let (width, height) = (scene.size.width() as i32, scene.size.height() as i32);
        let assembly = scene.shader.assembly;
        let material = &assembly.materials[assembly.faces[tile.face as usize].material as usize];
        let visible = material.samples(shows_front(&tile.pixels), scene.pattern.len());
        let Some(edges) = Edges::new(tile.pixels, width, height) else { return };
        let [a, b, c] = tile.inverse_depth.map(f64::from);
        let plane = plane_through(&tile.pixels, [a, b, c]);
        let (low, high) = (a.min(b).min(c) as f32, a.max(b).max(c) as f32);
        let offsets = plane.offsets(scene.pattern);
        let per_pixel = scene.pattern.len();
        edges.for_each(scene.pattern, rows, |x, y, samples| {
            let samples = samples & visible;
            let base = plane.value(f64::from(x), f64::from(y)) as f32;
            let start = ((y - rows[0]) * width + x) as usize * per_pixel;
            let depths = self.inverse_depth[start..start + per_pixel].iter_mut();
            let seen = self.seen[start..start + per_pixel].iter_mut();
            for (s, ((nearest, seen), offset)) in depths.zip(seen).zip(&offsets).enumerate() {
                // On a sliver rounding may carry the plane away.
                let depth = (base + offset).clamp(low, high);
                if samples >> s & 1 == 1 && depth > *nearest {
                    (*nearest, *seen) = (depth, index);
                }
            }
        });
    }

    fn cover_by_disc(&mut self, scene: &Scene<'_>, index: u32, rows: [i32; 2]) {
        let disc = &scene.projection.discs[index as usize];
        let assembly = scene.shader.assembly;
        let ball = &assembly.balls[disc.ball as usize];
        let radius = ball.radius;
        let visible = assembly.materials[ball.material as usize].samples(true, scene.pattern.len());
        let number = scene.projection.tiles.len() as u32 + index;
        let span = |k: usize, low: i32, high: i32| {
            let end = |x: f32| (x.floor() as i32).clamp(low, high + 1);
            end(disc.middle[k] - disc.radius)..end(disc.middle[k] + disc.radius + 1.0)
        };
        let width = scene.size.width() as i32;
        for y in span(1, rows[0], rows[1].min(scene.size.height() as i32 - 1)) {
            for x in span(0, 0, width - 1) {
                for (s, &offset) in scene.pattern.iter().enumerate().filter(|(s, _)| visible >> s & 1 == 1) {
                    let Some(bulge) = disc_bulge(disc, at_sample(offset, x, y)) else { continue };
                    let depth = 1.0 / (disc.depth - radius * bulge).max(1e-3 * disc.depth);
                    let sample = ((y - rows[0]) * width + x) as usize * scene.pattern.len() + s;
                    if depth > self.inverse_depth[sample] {
                        self.inverse_depth[sample] = depth;
                        self.seen[sample] = number;
                    }
                }
            }
        }
    }

    /// The colour of a pixel: that of each thing its samples see, by their number.
    fn resolve(&self, scene: &Scene<'_>, x: i32, y: i32, pixel: usize) -> Light {
        let per_pixel = scene.pattern.len();
        let seen = &self.seen[pixel * per_pixel..(pixel + 1) * per_pixel];
        let background = scene.background_at(y);
        let light_of = |what: u32, place: [f64; 2]| match what {
            NOTHING => background,
            GROUND => scene.ground_at(place, background),
            _ => scene.surface_at(what, place),
        };
        if seen.iter().all(|s| *s == seen[0]) {
            return light_of(seen[0], [f64::from(x) + 0.5, f64::from(y) + 0.5]);
        }
        let mut sum = [0.0_f32; 3];
        let mut done = 0_u32;
        for (s, &what) in seen.iter().enumerate() {
            if done >> s & 1 == 1 {
                continue;
            }
            // The middle of the samples that see the same.
            let (mut count, mut middle) = (0_i32, [0_i32; 2]);
            for (t, &other) in seen.iter().enumerate().skip(s) {
                if other == what {
                    done |= 1 << t;
                    count += 1;
                    middle = [middle[0] + scene.pattern[t][0], middle[1] + scene.pattern[t][1]];
                }
            }
            let at = [x, y].map(f64::from);
            let unit = f64::from(count * UNIT);
            let place = [at[0] + f64::from(middle[0]) / unit, at[1] + f64::from(middle[1]) / unit];
            let light = light_of(what, place);
            let share = count as f32 / per_pixel as f32;
            sum = std::array::from_fn(|k| sum[k] + share * light[k]);
        }
        sum
    }
}

impl Scene<'_> {
    fn background_at(&self, y: i32) -> Light {
        let down = (y as f32 + 0.5) / self.size.height() as f32;
        let [top, bottom] = self.background;
        std::array::from_fn(|k| top[k] + (bottom[k] - top[k]) * (down * 1.25).min(1.0))
    }

    /// From the eye through a place of the picture, one metre along the view.
    fn ray(&self, place: [f64; 2]) -> Vector3<f64> {
        let p = self.projector;
        let [x, y] = [(place[0] - p.centre[0]) / p.focal, (place[1] - p.centre[1]) / p.focal];
        p.ahead + p.right * x - p.up * y
    }

    fn ground_at(&self, place: [f64; 2], background: Light) -> Light {
        let Some(ground) = self.ground else { return background };
        let hit = |place: [f64; 2]| {
            let ray = self.ray(place);
            let along = (ground.height - ground.up.dot(&self.projector.eye)) / ground.up.dot(&ray);
            self.projector.eye + ray * along
        };
        let p = hit(place);
        // How far the neighbouring pixels lie away, across the lines of the ground.
        let aside = [hit([place[0] + 0.5, place[1]]) - p, hit([place[0], place[1] + 0.5]) - p];
        let footprint = ground.grid.as_ref().map_or([0.0; 2], |(_, across)| {
            across.map(|axis| 2.0 * (axis.dot(&aside[0]).abs() + axis.dot(&aside[1]).abs()))
        });
        let far = 1e3 * ground.reach;
        if footprint.iter().all(|f| *f < far) { ground.light(&p, footprint, background) } else { background }
    }

    fn surface_at(&self, what: u32, place: [f64; 2]) -> Light {
        let tiles = &self.projection.tiles;
        match tiles.get(what as usize) {
            Some(tile) => self.tile_at(tile, place),
            None => self.disc_at(&self.projection.discs[what as usize - tiles.len()], place),
        }
    }

    fn tile_at(&self, tile: &Tile, place: [f64; 2]) -> Light {
        let assembly = self.shader.assembly;
        let face = &assembly.faces[tile.face as usize];
        let material = &assembly.materials[face.material as usize];
        let (flat, front) = shares(&tile.pixels, place);
        // Even on the surface, not on the picture.
        let weighted: [f64; 3] = std::array::from_fn(|k| flat[k] * f64::from(tile.inverse_depth[k]));
        let sum: f64 = weighted.iter().sum();
        let mut mix = weighted.map(|w| w / sum);
        if let Some(cut) = tile.cut {
            let rows = &self.projection.cuts[cut as usize];
            mix =
                std::array::from_fn(|k| (0..3).map(|corner| mix[corner] * f64::from(rows[corner][k])).sum());
        }
        let corners = face.corners.map(|c| &assembly.corners[c as usize]);
        let mut position = Vector3::zeros();
        let mut normal = Vector3::zeros();
        let mut number = 0.0;
        for (corner, share) in corners.iter().zip(mix) {
            position += corner.position * share;
            normal += corner.normal * share as f32;
            number += corner.place * share as f32;
        }
        let wire = match material.wire {
            Some((_, width)) if tile.cut.is_none() => wire_share(&tile.pixels, place, f64::from(width)),
            _ => 0.0,
        };
        let view = (self.projector.eye - position).normalize().cast();
        let place = if material.colour == Colouring::OfFace { face.place } else { number };
        self.shader.light(material, &Point { position, normal, view, front, place, wire })
    }

    fn disc_at(&self, disc: &Disc, place: [f64; 2]) -> Light {
        let assembly = self.shader.assembly;
        let ball = &assembly.balls[disc.ball as usize];
        let corner = &assembly.corners[ball.corner as usize];
        let bulge = disc_bulge(disc, place).unwrap_or(0.0);
        let [x, y] = [0, 1].map(|k| (place[k] as f32 - disc.middle[k]) / disc.radius.max(1e-6));
        let view: Vector3<f64> = (self.projector.eye - corner.position).normalize();
        // Perpendicular to the view of this ball, which differs from the view through the middle of the picture.
        let right = view.cross(&-self.projector.up).normalize();
        let up = view.cross(&right);
        let normal =
            (right * f64::from(x) - up * f64::from(y) + view * f64::from(bulge)).normalize().cast::<f32>();
        let position = corner.position + normal.cast::<f64>() * f64::from(ball.radius);
        let material = &assembly.materials[ball.material as usize];
        let point =
            Point { position, normal, view: view.cast(), front: true, place: corner.place, wire: 0.0 };
        self.shader.light(material, &point)
    }
}

/// The coordinates of a sample, pixels.
fn at_sample(offset: [i32; 2], x: i32, y: i32) -> [f64; 2] {
    let unit = f64::from(UNIT);
    [f64::from(x) + f64::from(offset[0]) / unit, f64::from(y) + f64::from(offset[1]) / unit]
}

/// How far a ball bulges towards the eye there, 0 to 1 of its radius; none outside.
fn disc_bulge(disc: &Disc, place: [f64; 2]) -> Option<f32> {
    let [x, y] = [0, 1].map(|k| place[k] as f32 - disc.middle[k]);
    let square = 1.0 - (x * x + y * y) / (disc.radius * disc.radius);
    (square >= 0.0).then(|| square.sqrt())
}

/// One over the distance of the ground along the view; none if the eye is below it.
fn ground_plane(projector: &Projector, ground: &GroundShader, lowered: f64) -> Option<Plane> {
    let above = ground.up.dot(&projector.eye) - ground.height;
    if above <= lowered {
        return None;
    }
    let per = 1.0 / (above + lowered);
    Some(Plane {
        at: projector.centre,
        value: -ground.up.dot(&projector.ahead) * per,
        slope: [
            -ground.up.dot(&projector.right) * per / projector.focal,
            ground.up.dot(&projector.up) * per / projector.focal,
        ],
    })
}

/// The plane through a value at each corner.
fn plane_through(pixels: &[[i32; 2]; 3], values: [f64; 3]) -> Plane {
    let [a, b, c] = pixels.map(|p| p.map(|x| f64::from(x) / f64::from(UNIT)));
    let (ab, ac) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    let per = 1.0 / (ab[0] * ac[1] - ab[1] * ac[0]);
    let (db, dc) = (values[1] - values[0], values[2] - values[0]);
    let slope = [(db * ac[1] - dc * ab[1]) * per, (ab[0] * dc - ac[0] * db) * per];
    Plane { at: a, value: values[0], slope }
}

/// How much of each corner there is at a place of the picture, and whether the front is seen.
fn shares(pixels: &[[i32; 2]; 3], place: [f64; 2]) -> ([f64; 3], bool) {
    let p = pixels.map(|p| p.map(|x| f64::from(x) / f64::from(UNIT)));
    let turn =
        |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let whole = turn(p[0], p[1], p[2]);
    let part = [turn(p[1], p[2], place), turn(p[2], p[0], place), turn(p[0], p[1], place)];
    // The middle of some samples lies inside, but for rounding.
    let part = part.map(|x| (x / whole).clamp(0.0, 1.0));
    let sum: f64 = part.iter().sum();
    (part.map(|x| x / sum.max(1e-12)), shows_front(pixels))
}

/// Whether the front of a tile is seen.
fn shows_front(pixels: &[[i32; 2]; 3]) -> bool {
    let [a, b, c] = pixels.map(|p| p.map(i64::from));
    // Rows grow downwards, so that counter-clockwise comes out negative.
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0
}

/// The share of a pixel that the lines along the edges cover; half of each line lies on this triangle.
fn wire_share(pixels: &[[i32; 2]; 3], place: [f64; 2], width: f64) -> f32 {
    let p = pixels.map(|p| p.map(|x| f64::from(x) / f64::from(UNIT)));
    let nearest = (0..3)
        .map(|k| {
            let (a, b) = (p[k], p[(k + 1) % 3]);
            let along = [b[0] - a[0], b[1] - a[1]];
            let length = along[0].hypot(along[1]).max(1e-9);
            ((place[0] - a[0]) * along[1] - (place[1] - a[1]) * along[0]).abs() / length
        })
        .fold(f64::INFINITY, f64::min);
    (0.5 * width + 0.5 - nearest).clamp(0.0, width.min(1.0)) as f32
}
