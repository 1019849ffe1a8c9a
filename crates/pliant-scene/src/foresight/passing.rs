//! Bodies that meet although nothing ties or separates them: not both of them collide, or their groups do not meet.
//!
//! Boxes around the bodies [fly](super::flight) as each body would alone. If two boxes overlap at one time,
//! their bodies are taken to pass through each other. This is coarse on purpose: swinging and rolling are
//! ignored, and boxes overlap before bodies do. There is one remark for all pairs.

use std::collections::BTreeMap;

use pliant_mesh::{Aabb, counted};
use pliant_solver::Float;

use super::flight::flights;
use super::{Number, Remark, RemarkKind};
use crate::build::Built;
use crate::check::body_name;
use crate::load::Scene;

/// Times at which the boxes are compared, the start included.
const TIMES: u32 = 64;
/// The most comparisons of two boxes; beyond them there is no remark.
const MOST_COMPARISONS: usize = 4_000_000;
/// The overlap that boxes may have, as a fraction of the smaller side: bodies that only touch do not meet.
const TOUCHING: f64 = 1e-3;

pub(super) fn passing<T: Float>(scene: &Scene, built: &Built<T>) -> Option<Remark> {
    let tied = tied(scene);
    if built.bodies.len() < 2 || tied.iter().all(|group| *group == tied[0]) {
        return None;
    }
    let flights = flights(scene, built)?;
    let duration = f64::from(scene.model.frames) * scene.time_step();
    let mut left = MOST_COMPARISONS;
    for k in 0..TIMES {
        let time = duration * f64::from(k) / f64::from(TIMES - 1);
        let boxes: Vec<Aabb> = flights.iter().map(|flight| flight.at(time)).collect();
        let mut pairs = overlapping(&boxes, &tied, &mut left)?;
        let collide = |body: usize| scene.model.bodies[body].meets();
        let hit = |[a, b]: [usize; 2]| collide(a).zip(collide(b)).map(|(a, b)| a.meets(&b));
        pairs.retain(|&pair| hit(pair) != Some(true));
        let Some(&[a, b]) = pairs.first() else { continue };
        let (why, remedy) = match hit([a, b]) {
            Some(_) => (
                "both collide, but by their `groups` and `hits` they do not meet",
                "Put each in a group that the other one hits, or move them apart",
            ),
            None => (
                "bodies pass through each other unless both collide",
                "Give both `collide = true`, move them apart, or tie them by a [[stitch]] or an [[attachment]]",
            ),
        };
        let when =
            if k == 0 { "where they start".to_owned() } else { format!("after {time:.2} s or before") };
        let [a, b] = [a, b].map(|i| built.bodies[i].name.clone());
        let more = match pairs.len() - 1 {
            0 => String::new(),
            more => format!(", and {} more", counted(more, "pair", "pairs")),
        };
        return Some(Remark {
            kind: RemarkKind::Passing,
            what: format!("{a} and {b} meet {when}{more}; {why}"),
            bodies: vec![a, b],
            part: None,
            numbers: vec![
                Number { name: "time", value: time, unit: "s" },
                Number { name: "pairs", value: pairs.len() as f64, unit: "1" },
            ],
            remedy: remedy.to_owned(),
        });
    }
    None
}

/// Pairs of untied boxes that overlap, by a sweep along x; `None` if that takes too long.
fn overlapping(boxes: &[Aabb], tied: &[usize], left: &mut usize) -> Option<Vec<[usize; 2]>> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&a, &b| boxes[a].min.x.total_cmp(&boxes[b].min.x));
    let mut pairs = Vec::new();
    for (k, &a) in order.iter().enumerate() {
        for &b in order[k + 1..].iter().take_while(|&&b| boxes[b].min.x <= boxes[a].max.x) {
            *left = left.checked_sub(1)?;
            if tied[a] != tied[b] && overlap(&boxes[a], &boxes[b]) {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs.sort_unstable();
    Some(pairs)
}

fn overlap(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|k| {
        let shared = a.max[k].min(b.max[k]) - a.min[k].max(b.min[k]);
        let side = (a.max[k] - a.min[k]).min(b.max[k] - b.min[k]);
        // A flat sheet has no extent along this axis and overlaps if it is within the other box.
        if side > 0.0 { shared > TOUCHING * side } else { shared >= 0.0 }
    })
}

/// For every body, the smallest number of a body that ties connect with it.
fn tied(scene: &Scene) -> Vec<usize> {
    let model = &scene.model;
    let names: BTreeMap<String, usize> = (0..model.bodies.len()).map(|i| (body_name(model, i), i)).collect();
    let mut group: Vec<usize> = (0..model.bodies.len()).collect();
    let ties = model.stitches.iter().map(|s| &s.bodies).chain(model.attachments.iter().map(|a| &a.bodies));
    for [a, b] in ties {
        let (Some(&a), Some(&b)) = (names.get(a), names.get(b)) else { continue };
        let [a, b] = [a, b].map(|mut i| {
            while group[i] != i {
                i = group[i];
            }
            i
        });
        group[a.max(b)] = a.min(b);
    }
    // A group's number is never above that of its members.
    for i in 0..group.len() {
        group[i] = group[group[i]];
    }
    group
}
