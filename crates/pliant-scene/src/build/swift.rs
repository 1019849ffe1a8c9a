//! [`remark`]: a held surface that goes many thicknesses in a substep.
//!
//! Nothing passes through it, but what it pushes has to move as far in one substep. Layers of cloth that do not get out
//! of each other's way so fast are caught between it and each other, and are looked at again and again.

use pliant_solver::{Motion, Settings};

use super::jumps;
use crate::model::{Bounded, Count, SceneModel, StageModel};

/// How many thicknesses a surface may go in a substep without a remark, and how many are advised.
const FEW: f64 = 8.0;
const ADVISED: f64 = 4.0;

/// A remark on a surface that keeps this thickness, m, and moves as sampled, if it is too fast for its substeps. A motion
/// that begins with a stage is at no known time.
pub(super) fn remark(motion: &Motion, is_cued: bool, thickness: f64, scene: &SceneModel) -> Option<String> {
    let Motion::Samples(samples) = motion else { return None };
    // The ways in a substep that are too long, with the sample that each begins at.
    let limit = scene.solver.motion_limit.map_or(f64::INFINITY, Bounded::get);
    let ways = samples.frames.windows(2).map(|pair| jumps::way(&pair[0], &pair[1]));
    let in_substep = |(i, way): (usize, f64)| {
        let substeps = substeps_at(scene, (!is_cued).then(|| samples.start + i as f64 / samples.rate));
        (i, limit.min(way * samples.rate / (scene.frame_rate.get() * substeps)))
    };
    let fast = ways.enumerate().map(in_substep).filter(|(_, way)| *way > FEW * thickness);
    let fast: Vec<(usize, f64)> = fast.collect();
    let (&(first, _), &(last, _)) = (fast.first()?, fast.last()?);
    let &(at, way) = fast.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(format!(
        "it moves by {:.0} times its thickness of {thickness:.1e} m in a substep from sample {at} of its motion to the next (from 0), and fast from \
        sample {first} to {}: layers that it takes along are stretched and crumpled; give such frames more substeps by `motion_limit = {:.1e}` in \
        [solver], or take a larger `contact_radius`",
        way / thickness,
        last + 1,
        ADVISED * thickness
    ))
}

/// The substeps of the frame at a time, s. Where that is not known, because stages begin with a state, the most of any.
fn substeps_at(scene: &SceneModel, time: Option<f64>) -> f64 {
    let usual = scene.solver.substeps.map_or(Settings::default().substeps, Count::get);
    let of = |stage: &StageModel| stage.substeps.map_or(usual, Count::get);
    let start = |i: usize| if i == 0 { Some(0.0) } else { scene.stages[i].start.map(Bounded::get) };
    let starts: Option<Vec<f64>> = (0..scene.stages.len()).map(start).collect();
    let substeps = match (time, starts) {
        (Some(time), Some(starts)) => {
            let begun = starts.partition_point(|start| *start <= time + 1e-9);
            scene.stages[..begun].last().map(of)
        }
        _ => scene.stages.iter().map(of).max(),
    };
    f64::from(substeps.unwrap_or(usual))
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_solver::Samples;

    use super::*;

    fn scene(rest: &str) -> SceneModel {
        let text = format!(
            "frames = 40\nframe_rate = 50\n[solver]\nsubsteps = 20\n{rest}\n[[body]]\nname = \"sheet\"\nmesh = {{ grid = {{ vertices = [2, 2], size = [1, 1] }} }}\nmaterial = \"cotton\"\n"
        );
        crate::Scene::parse(&text, ".").unwrap().model
    }

    /// One vertex that goes by 1 cm in each of 40 frames, but by 0.2 m in the 10th and 11th.
    fn motion() -> Motion {
        let x = |i: u32| 0.01 * f64::from(i) + 0.19 * f64::from(i.saturating_sub(10).min(2));
        let frames = (0..40).map(|i| vec![Vector3::new(x(i), 0.0, 0.0)]).collect();
        Motion::Samples(Samples::new(0.0, 50.0, frames))
    }

    #[test]
    fn fast_parts_are_named_with_the_limit_that_they_need() {
        let found = remark(&motion(), false, 1e-3, &scene("")).unwrap();
        assert!(found.starts_with("it moves by 10 times its thickness of 1.0e-3 m in a substep"), "{found}");
        assert!(found.contains("sample 10 to 12") && found.contains("`motion_limit = 4.0e-3`"), "{found}");
        assert_eq!(remark(&motion(), false, 2e-3, &scene("")), None);
    }

    #[test]
    fn a_limit_is_enough_unless_it_is_far() {
        let with = |limit: f64| scene(&format!("motion_limit = {limit}"));
        assert_eq!(remark(&motion(), false, 1e-3, &with(0.004)), None);
        assert!(remark(&motion(), false, 1e-3, &with(0.0081)).unwrap().contains("8 times its thickness"));
    }

    #[test]
    fn a_stage_with_enough_substeps_at_that_time_is_enough() {
        let stages = "[[stage]]\nname = \"walk\"\n[[stage]]\nname = \"kick\"\nstart = 0.2\nsubsteps = 50\n";
        assert_eq!(remark(&motion(), false, 1e-3, &scene(stages)), None);
        let late = stages.replace("0.2", "0.3");
        assert!(remark(&motion(), false, 1e-3, &scene(&late)).is_some());
        // It may begin with the second stage.
        assert_eq!(remark(&motion(), true, 1e-3, &scene(&late)), None);
    }
}
