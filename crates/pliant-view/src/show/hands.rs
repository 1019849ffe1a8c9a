//! [`Hands`]: what pages hold on to, and the obstacles that they have moved.

use std::collections::BTreeMap;
use std::ops::Range;

use nalgebra::Vector3;
use pliant_solver::{Grab, LiveError, Motion, Pose};
use serde_json::{Value, json};

use crate::act::Act;

/// The usual stiffness of a hand, per mass of the body: a body that hangs on it hangs g/1000 s⁻² = 1 cm below it.
const STIFFNESS_A_MASS: f64 = 1000.0;
/// The most hands: fingers of a few people.
const MOST: usize = 20;

/// The springs of hands, and the places of obstacles that were moved.
#[derive(Debug, Default)]
pub(super) struct Hands {
    held: BTreeMap<u32, Hand>,
    pushed: BTreeMap<usize, Pushed>,
}

#[derive(Debug)]
struct Hand {
    grab: Grab,
    particle: usize,
    target: Vector3<f64>,
    stiffness: f64,
}

/// Where an obstacle was moved to.
#[derive(Debug)]
struct Pushed {
    pivot: Vector3<f64>,
    translation: Vector3<f64>,
    rotation: Vector3<f64>,
}

impl Hands {
    /// Takes hold of a particle of a body; the answer has the stiffness.
    pub(super) fn grab(
        &mut self,
        act: &mut dyn Act,
        hand: u32,
        particle: usize,
        body: Range<usize>,
        stiffness: Option<f64>,
    ) -> Result<Value, LiveError> {
        if self.held.contains_key(&hand) {
            self.release(act, hand)?;
        } else if self.held.len() >= MOST
            && let Some((&first, _)) = self.held.first_key_value()
        {
            self.release(act, first)?;
        }
        let stiffness = stiffness.unwrap_or_else(|| (STIFFNESS_A_MASS * act.mass(body)).max(1e-6));
        let grab = act.grab(particle, stiffness)?;
        self.held.insert(hand, Hand { grab, particle, target: act.position(particle), stiffness });
        Ok(json!({ "stiffness": stiffness, "particle": particle }))
    }

    pub(super) fn move_to(&mut self, act: &mut dyn Act, hand: u32, to: [f64; 3]) -> Result<(), LiveError> {
        let held = self.held.get_mut(&hand).ok_or(LiveError::Gone { what: "hand" })?;
        act.move_to(held.grab, to.into())?;
        held.target = to.into();
        Ok(())
    }

    pub(super) fn release(&mut self, act: &mut dyn Act, hand: u32) -> Result<(), LiveError> {
        let held = self.held.remove(&hand).ok_or(LiveError::Gone { what: "hand" })?;
        act.let_go(held.grab)
    }

    /// Lets go of everything.
    pub(super) fn release_all(&mut self, act: &mut dyn Act) {
        for held in std::mem::take(&mut self.held).into_values() {
            // What is no longer held needs no letting go.
            let _ = act.let_go(held.grab);
        }
    }

    /// Moves an obstacle in the course of the next frame, from where it is then.
    pub(super) fn push(
        &mut self,
        act: &mut dyn Act,
        obstacle: usize,
        motion: &Motion,
        by: [f64; 3],
    ) -> Result<(), LiveError> {
        let id = act.obstacle(obstacle).ok_or(LiveError::Gone { what: "obstacle" })?;
        let (translation, rotation, pivot) = match self.pushed.get(&obstacle) {
            Some(pushed) => (pushed.translation, pushed.rotation, pushed.pivot),
            None => {
                let (pivot, [translation, rotation]) = motion.screw(act.time());
                (translation, rotation, pivot)
            }
        };
        let translation = translation + Vector3::from(by);
        act.move_obstacle(id, [translation, rotation])?;
        self.pushed.insert(obstacle, Pushed { pivot, translation, rotation });
        Ok(())
    }

    /// Where an obstacle was moved to, if it was.
    pub(super) fn pose(&self, obstacle: usize) -> Option<Pose> {
        let Pushed { pivot, translation, rotation } = self.pushed.get(&obstacle)?;
        Some(Pose::about(pivot, rotation, translation))
    }

    /// The hands as the page shows them.
    pub(super) fn to_json(&self, act: &dyn Act) -> Vec<Value> {
        let hand = |(number, held): (&u32, &Hand)| {
            json!({
                "hand": number,
                "at": act.position(held.particle).as_slice(),
                "to": held.target.as_slice(),
                "force": act.grab_force(held.grab).map(|force| force.norm()),
                "stiffness": held.stiffness,
            })
        };
        self.held.iter().map(hand).collect()
    }
}
