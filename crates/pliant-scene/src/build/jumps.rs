//! [`remarks`]: samples of a motion between which a body jumps.
//!
//! What is sampled comes from other programs, which lose a frame, cut to another take, or export in another unit.
//! A jump pushes what a body touches through whatever is there, so it is worth a remark.

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_solver::{Motion, Samples};

/// A way in a frame is a jump from this part of the size of the body on …
const PART: f64 = 0.25;
/// … if it is so many times the usual way.
const TIMES: f64 = 5.0;

/// Remarks on the jumps of vertices that start at these places, m, in a scene with so many frames per second.
pub(super) fn remarks(motion: &Motion, start: &[Vector3<f64>], frame_rate: f64) -> Vec<String> {
    let Motion::Samples(samples) = motion else { return Vec::new() };
    let Some(size) = Aabb::of_points(&samples.frames[0]).map(|bounds| bounds.size().max()) else {
        return Vec::new();
    };
    let mut remarks = Vec::new();
    let before = way(start, &samples.frames[0]);
    if before > PART * size {
        remarks.push(format!(
            "it jumps by {before:.3} m to the first sample of its motion, which is elsewhere than the mesh; a `lead_in` takes it there"
        ));
    }
    remarks.extend(between(samples, size, frame_rate));
    remarks
}

/// The largest way of a vertex, m.
pub(super) fn way(from: &[Vector3<f64>], to: &[Vector3<f64>]) -> f64 {
    from.iter().zip(to).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max)
}

/// A remark on the largest jump between two samples.
fn between(samples: &Samples, size: f64, frame_rate: f64) -> Option<String> {
    // Of a motion that is sampled less often than there are frames, the way in a frame counts.
    let share = (samples.rate / frame_rate).min(1.0);
    let ways: Vec<f64> = samples.frames.windows(2).map(|pair| share * way(&pair[0], &pair[1])).collect();
    let mut sorted = ways.clone();
    sorted.sort_by(f64::total_cmp);
    // Of few samples the smaller ones are usual.
    let usual = sorted.get(sorted.len().saturating_sub(1) / 2).copied()?;
    let is_jump = |way: f64| way > PART * size && way > TIMES * usual;
    let jumps = ways.iter().filter(|way| is_jump(**way)).count();
    let (at, &most) = ways.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    is_jump(most).then(|| {
        let time = samples.start + (at + 1) as f64 / samples.rate;
        let more = if jumps > 1 { format!(", and {} more times", jumps - 1) } else { String::new() };
        format!(
            "it jumps by {most:.3} m from sample {at} of its motion to sample {} (from 0), at {time:.3} s{more}; the usual way is {usual:.2e} m",
            at + 1
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(jump: f64, rate: f64) -> Motion {
        let body = [Vector3::zeros(), Vector3::y()];
        let at = |k: usize| 0.02 * k as f64 + if k >= 7 { jump } else { 0.0 };
        let frames = (0..20).map(|k| body.map(|x| x + Vector3::x() * at(k)).to_vec()).collect();
        Motion::Samples(Samples::new(0.5, rate, frames))
    }

    #[test]
    fn a_jump_is_named_with_its_sample_and_its_way() {
        let start = [Vector3::zeros(), Vector3::y()];
        let found = remarks(&walk(0.6, 25.0), &start, 25.0);
        assert_eq!(found.len(), 1, "{found:?}");
        let text = "it jumps by 0.620 m from sample 6 of its motion to sample 7 (from 0), at 0.780 s; the usual way is 2.00e-2 m";
        assert_eq!(found[0], text);
        assert!(remarks(&walk(0.0, 25.0), &start, 25.0).is_empty());
        // In a second it is a fast motion, and no jump.
        assert!(remarks(&walk(0.6, 1.0), &start, 25.0).is_empty());
    }

    #[test]
    fn the_first_sample_may_be_elsewhere() {
        let there = [Vector3::x() * 3.0, Vector3::y()];
        let found = remarks(&walk(0.0, 25.0), &there, 25.0);
        assert!(found[0].starts_with("it jumps by 3.000 m to the first sample"), "{found:?}");
    }

    #[test]
    fn what_is_always_fast_does_not_jump() {
        let frames =
            (0..9).map(|k| vec![Vector3::x() * f64::from(k), Vector3::y() + Vector3::x() * f64::from(k)]);
        let motion = Motion::Samples(Samples::new(0.0, 25.0, frames.collect()));
        assert!(remarks(&motion, &[Vector3::zeros(), Vector3::y()], 25.0).is_empty());
    }
}
