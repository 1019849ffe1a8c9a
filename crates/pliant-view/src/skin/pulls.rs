//! [`Pulls`]: what hands do to a skin.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use serde_json::{Value, json};

/// The most hands: fingers of a few people.
const MOST: usize = 20;

/// Hands that hold parts of a skin and carry them along.
#[derive(Debug, Default)]
pub(super) struct Pulls {
    held: BTreeMap<u32, Pull>,
}

/// A part of a skin that is held.
#[derive(Debug)]
struct Pull {
    vertex: usize,
    /// Where the hand took hold, and where it is, m.
    from: Vector3<f64>,
    to: Vector3<f64>,
    /// The vertices that it carries along, each by a share of its way.
    shares: Vec<(u32, f64)>,
}

impl Pulls {
    /// Takes hold of a vertex at `from` and, less and less, of what is within `reach` of it, m: the share of a vertex at
    /// distance d is (1 − d²/reach²)².
    pub(super) fn grab(
        &mut self,
        hand: u32,
        vertex: usize,
        from: Vector3<f64>,
        skin: &[Vector3<f64>],
        reach: f64,
    ) {
        if !self.held.contains_key(&hand) && self.held.len() >= MOST {
            self.held.pop_first();
        }
        let near = |x: &Vector3<f64>| 1.0 - (x - skin[vertex]).norm_squared() / (reach * reach);
        let shares = (0_u32..).zip(skin).map(|(v, x)| (v, near(x))).filter(|(_, near)| *near > 0.0);
        let shares = shares.map(|(v, near)| (v, near * near)).collect();
        self.held.insert(hand, Pull { vertex, from, to: from, shares });
    }

    /// Moves a hand; whether there is one.
    pub(super) fn move_to(&mut self, hand: u32, to: Vector3<f64>) -> bool {
        self.held.get_mut(&hand).map(|held| held.to = to).is_some()
    }

    /// Lets go; whether there was such a hand.
    pub(super) fn release(&mut self, hand: u32) -> bool {
        self.held.remove(&hand).is_some()
    }

    /// Lets go of everything; whether anything was held.
    pub(super) fn release_all(&mut self) -> bool {
        !std::mem::take(&mut self.held).is_empty()
    }

    /// Moves the vertices of a skin as the hands do.
    pub(super) fn apply(&self, skin: &mut [Vector3<f64>]) {
        for held in self.held.values() {
            let way = held.to - held.from;
            held.shares.iter().for_each(|&(v, share)| skin[v as usize] += way * share);
        }
    }

    /// The hands as the page shows them; `place` is where a vertex is seen.
    pub(super) fn to_json(&self, place: impl Fn(usize) -> Vector3<f64>) -> Vec<Value> {
        let hand = |(number, held): (&u32, &Pull)| json!({ "hand": number, "at": place(held.vertex).as_slice(), "to": held.to.as_slice() });
        self.held.iter().map(hand).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_carries_what_is_near_along() {
        let rest: Vec<_> = (0..5).map(|i| Vector3::x() * f64::from(i)).collect();
        let mut pulls = Pulls::default();
        pulls.grab(7, 2, rest[2], &rest, 2.0);
        let mut skin = rest.clone();
        pulls.apply(&mut skin);
        assert_eq!(skin, rest, "it has not moved yet");
        assert!(pulls.move_to(7, rest[2] + Vector3::y()) && !pulls.move_to(8, Vector3::y()));
        pulls.apply(&mut skin);
        let heights: Vec<f64> = skin.iter().map(|x| x.y).collect();
        assert_eq!(heights, [0.0, 0.5625, 1.0, 0.5625, 0.0]);
        assert!(pulls.release(7) && !pulls.release(7) && !pulls.release_all());
    }

    #[test]
    fn hands_are_not_collected_without_end() {
        let skin = [Vector3::zeros()];
        let mut pulls = Pulls::default();
        for hand in 0..100 {
            pulls.grab(hand, 0, skin[0], &skin, 1.0);
        }
        assert_eq!(pulls.held.len(), MOST);
        assert!(pulls.held.contains_key(&99));
    }
}
