//! The changes by calls, at the start of a frame and when a state is restored.

use std::sync::OnceLock;

use pliant_kernel::Scalar;

use crate::describe::motion::{Keyframe, Motion, Samples};
use crate::live::state::Live;
use crate::passes::kinematics::HeldPin;
use crate::world::World;

impl<T: Scalar> World<T> {
    /// Starts the motions to the goals of a frame of `dt`, s.
    pub(crate) fn begin_frame(&mut self, dt: f64) {
        let time = self.time;
        for grab in &mut self.live.grabs {
            (grab.from, grab.before) = (grab.now, grab.now);
        }
        for pin in &mut self.kinematics.pins {
            let Some(goal) = pin.goal.take() else { continue };
            if !pin.moves() {
                self.driven = OnceLock::new();
            }
            let from = pin.places_at(time).map(|(_, place)| place).collect();
            let frames = vec![from, goal.to_vec()];
            pin.give(Motion::Samples(Samples::new(time, 1.0 / dt, frames)));
        }
        for at in 0..self.live.obstacles.len() {
            let Some([translation, rotation]) = self.live.obstacles[at].goal.take() else { continue };
            let (pivot, from) = self.live.obstacles[at].motion().screw(time);
            let keys = vec![
                Keyframe { time, translation: from[0], rotation: from[1] },
                Keyframe { time: time + dt, translation, rotation },
            ];
            self.give_motion(at, Motion::Keyframes { pivot, keys });
        }
    }

    /// Restores the changes by calls, and the pins, of another state. The particles are those of that state already.
    pub(crate) fn take_live(&mut self, live: &Live, pins: &[HeldPin]) {
        let is_same = |a: &HeldPin, b: &HeldPin| a.id == b.id && a.released == b.released;
        let present = &mut self.kinematics.pins;
        let same_pins = present.len() == pins.len() && present.iter().zip(pins).all(|(a, b)| is_same(a, b));
        present.clear();
        present.extend_from_slice(pins);
        if !live.touched && !self.live.touched {
            if !same_pins {
                self.repin();
            }
            return;
        }
        if same_pins {
            self.driven = OnceLock::new();
        } else {
            self.repin();
        }
        if self.live.obstacles != live.obstacles {
            self.replace_obstacles(live.obstacles.clone());
        }
        self.take_medium(live.medium);
        self.take_compliances(&live.compliances);
        self.regrab_here(live.grabs.clone());
        self.live = Live { grab_set: self.live.grab_set, ..live.clone() };
    }
}
