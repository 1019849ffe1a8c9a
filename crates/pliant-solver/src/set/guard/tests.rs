//! One projection: gradients, momentum, the bound; and turns with a floor.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

use nalgebra::Vector3;
use proptest::prelude::*;

use super::held_tet::{LEAST, OPENED};
use super::*;
use crate::describe::obstacle::Obstacle;

type Points = [Vector3<f64>; 4];

fn points() -> impl Strategy<Value = Points> {
    prop::array::uniform4(prop::array::uniform3(-1.0..1.0).prop_map(Vector3::from))
}

fn masses() -> impl Strategy<Value = [f64; 4]> {
    prop::array::uniform4(0.1..10.0)
}

/// A tetrahedron that is not too flat for a test.
fn guarded(rest: &Points) -> Option<HeldTet> {
    HeldTet::new([0, 1, 2, 3], rest).filter(|tet| tet.inverse.abs() < 100.0)
}

fn held(held: HeldTet) -> GuardedTet {
    GuardedTet { held, ..GuardedTet::new([0, 1, 2, 3], &solid(), false).unwrap() }
}

fn solid() -> Points {
    [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()]
}

fn particles(x: &Points, w: [f64; 4]) -> Vec<Particle<f64>> {
    x.iter().zip(w).map(|(x, w)| Particle::new(*x, w)).collect()
}

proptest! {
    #![proptest_config(pliant_testkit::config(256))]

    #[test]
    fn gradients_are_differences(rest in points(), x in points()) {
        let Some(tet) = guarded(&rest) else { return Ok(()) };
        let (_, gradients) = tet.ratio(&x);
        let step = 1e-5;
        for j in 0..4 {
            for k in 0..3 {
                let at = |d: f64| {
                    let mut moved = x;
                    moved[j][k] += d;
                    tet.ratio(&moved).0
                };
                // J is linear in every coordinate, so that only rounding is left.
                let difference = (at(step) - at(-step)) / (2.0 * step);
                prop_assert!((difference - gradients[j][k]).abs() < 1e-8 * tet.inverse.abs().max(1.0));
            }
        }
    }

    #[test]
    fn an_element_at_rest_is_whole(rest in points()) {
        let Some(tet) = guarded(&rest) else { return Ok(()) };
        prop_assert!((tet.ratio(&rest).0 - 1.0).abs() < 1e-12);
        prop_assert!(tet.open(&rest, &[1.0; 4], OPENED).is_none());
    }

    #[test]
    fn opening_keeps_linear_and_angular_momentum(rest in points(), x in points(), w in masses()) {
        let Some((tet, (moves, _))) = guarded(&rest).and_then(|tet| Some((tet, tet.open(&x, &w, LEAST)?))) else { return Ok(()) };
        let size = moves.iter().zip(w).map(|(dx, w)| dx.norm() / w).sum::<f64>();
        let linear: Vector3<f64> = moves.iter().zip(w).map(|(dx, w)| dx / w).sum();
        let angular: Vector3<f64> = moves.iter().zip(x).zip(w).map(|((dx, x), w)| x.cross(dx) / w).sum();
        prop_assert!(linear.norm() < 1e-12 * size);
        prop_assert!(angular.norm() < 1e-11 * size);
        prop_assert!(tet.ratio(&x).0 < LEAST);
    }

    #[test]
    fn rounds_reach_the_bound(x in points(), w in masses()) {
        // From far away a single element needs more rounds than it gets in an iteration.
        let tet = HeldTet::new([0, 1, 2, 3], &solid()).unwrap();
        let mut guard = Guard::new(vec![held(tet)]);
        let (mut now, mut contacts) = (particles(&x, w), Contacts::new(&[], &[]));
        let before = now.clone();
        guard.look(&now, Team::alone());
        let was_low = tet.ratio(&x).0 < LEAST;
        for _ in 0..10 {
            guard.solve(&mut now, &before, &mut contacts, false);
        }
        prop_assert!(tet.ratio(&tet.places(&now)).0 > 0.99 * LEAST);
        prop_assert_eq!(guard.has_acted(), was_low);
        prop_assert_eq!(now == before, !was_low, "what is not in danger stays where it is");
    }
}

#[test]
fn what_cannot_move_stays_and_does_no_harm() {
    let tet = HeldTet::new([0, 1, 2, 3], &solid()).unwrap();
    let flat = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(0.3, 0.3, 0.0)];
    assert!(tet.open(&flat, &[0.0; 4], OPENED).is_none());
    let (moves, _) = tet.open(&flat, &[0.0, 0.0, 0.0, 1.0], OPENED).unwrap();
    assert_eq!(moves[..3], [Vector3::zeros(); 3]);
    let mut opened = flat;
    opened[3] += moves[3];
    assert!((tet.ratio(&opened).0 - OPENED).abs() < 1e-3);
    // With all points in one place there is no direction.
    let (moves, _) = tet.open(&[Vector3::zeros(); 4], &[1.0; 4], OPENED).unwrap();
    assert_eq!(moves, [Vector3::zeros(); 4]);
    assert!(tet.open(&[Vector3::repeat(f64::NAN); 4], &[1.0; 4], OPENED).is_none());
    assert!(HeldTet::new([0, 1, 2, 3], &flat).is_none(), "flat at rest");
}

#[test]
fn floor_and_element_take_turns() {
    // Three points lie on the floor and the fourth has been pressed onto it: opening alone would push the
    // three into it.
    let tet = HeldTet::new([0, 1, 2, 3], &solid().map(|x| Vector3::new(x.x, x.z, -x.y))).unwrap();
    let flat = [Vector3::zeros(), Vector3::x(), -Vector3::z(), Vector3::new(0.3, 0.0, -0.3)];
    let mut contacts = Contacts::new(&[Obstacle::floor(0.0)], &[0.0; 4]);
    let (mut now, previous) = (particles(&flat, [1.0; 4]), particles(&flat, [1.0; 4]));
    let mut guard = Guard::new(vec![held(tet)]);
    guard.look(&now, Team::alone());
    contacts.begin(0.0);
    guard.solve(&mut now, &previous, &mut contacts, false);
    let ratio = tet.ratio(&tet.places(&now)).0;
    assert!(ratio > 0.9 * LEAST, "{ratio}");
    assert!(now.iter().all(|p| p.x.y >= -1e-15), "{now:?}");
    let mut impulses = particles(&[Vector3::zeros(); 4], [0.0; 4]);
    guard.add_impulses(&now, &mut impulses);
    let sum: Vector3<f64> = impulses.iter().map(|p| p.x).sum();
    assert!(impulses[3].x.y > 0.0 && sum.norm() < 1e-12, "{impulses:?}");
}
