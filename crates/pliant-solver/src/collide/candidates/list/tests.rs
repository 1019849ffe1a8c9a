use nalgebra::Vector3;
use pliant_contact::{Detector, Paths as Expected, Rules, Surface, Ties};
use pliant_kernel::{Particle, Simd, Team};
use proptest::prelude::*;

use super::*;
use crate::collide::narrow::{Closest, look};
use crate::collide::paths::Paths;
use crate::collide::reach::Beside;

/// Eight numbers side by side.
type Eight = Portable<f64, PACK>;

const TRIANGLES: usize = 24;
const PARTICLES: usize = 3 * TRIANGLES;

fn vectors(size: f64) -> impl Strategy<Value = Vec<Vector3<f64>>> {
    let number = -size..size;
    proptest::collection::vec([number.clone(), number.clone(), number].prop_map(Vector3::from), PARTICLES)
}

fn moved(from: &[Particle<f64>], by: &[Vector3<f64>]) -> Vec<Particle<f64>> {
    from.iter().zip(by).map(|(p, by)| Particle::new(p.x + by, p.w)).collect()
}

proptest! {
    #![proptest_config(pliant_testkit::config(200))]

    /// Loose triangles start on paths and stray from them. In each substep, no pair of a pack that sleeps is
    /// near at the start or on straight ways to the end.
    #[test]
    fn what_sleeps_does_not_come_near(
        centres in vectors(0.05),
        corners in vectors(0.01),
        steps in vectors(5e-4),
        tremble in proptest::collection::vec(vectors(2e-3), 5),
        at_rest in any::<bool>(),
    ) {
        let triangles: Vec<[u32; 3]> = (0..TRIANGLES as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let surface = Surface::new(PARTICLES, &[&triangles[..TRIANGLES / 2], &triangles[TRIANGLES / 2..]])?;
        let start: Vec<_> =
            (0..PARTICLES).map(|v| Particle::new(centres[v / 3 * 3] + corners[v], 1.0)).collect();
        let first = moved(&start, &steps);
        let mut paths = Paths::new(&surface, 0.003, f64::INFINITY);
        let end = if at_rest { &start } else { &first };
        paths.start(&surface, (&start, end), 0.001, Team::alone());
        let mut at = vec![Vector3::zeros(); PARTICLES];
        let mut by_path = at.clone();
        paths.expect(&mut at, &mut by_path, Team::alone());
        let expected =
            Expected { positions: &at, steps: &by_path, rest: None, halts: None, may_turn: false };
        let ties = Ties::default();
        let rules = Rules {
            radii: &[0.0015; 2],
            slack: 0.02,
            horizon: 8,
            edge_share: 0.8, edge_leeway: 0.0,
            masks: &[],
            held: &[],
            ties: &ties,
        };
        let mut detector = Detector::new(Simd::portable());
        detector.detect(&surface, &expected, &rules)?;
        let mut lists = Vec::new();
        for (elements, pairs) in Elements::lists(&detector) {
            let mut list = List::new();
            let places: Vec<u32> = (0..pairs.len() as u32).collect();
            let eight = |places: &[u32]| std::array::from_fn(|lane| places.get(lane).copied().unwrap_or(NONE));
            let eights: Vec<_> = places.chunks(PACK).map(eight).collect();
            let listed = Listed { elements, pairs, age: 0, surface: &surface, apart: &[0.0; PARTICLES] };
            list.extend(&listed, &eights, (&mut pairs.to_vec(), 0), Team::alone());
            lists.push((elements, pairs, list));
        }
        let mut reach = Reach::new(PARTICLES);
        let mut previous = start;
        let mut asleep = 0;
        for (k, by) in tremble.iter().enumerate() {
            if k == 2 {
                let pieces = lists.iter_mut().flat_map(|(.., list)| list.pieces_mut());
                pieces.for_each(|piece| piece.measure(&previous, paths.age(), Simd::portable()));
                reach.refer(&surface, &paths, &previous);
            }
            // Most stay near their paths; every tenth strays far.
            let far = |v: usize| if v.is_multiple_of(10) { 1.0 } else { 0.1 };
            let now: Vec<_> = (0..PARTICLES)
                .map(|v| Particle::new(previous[v].x + by_path[v] + by[v] * far(v), 1.0))
                .collect();
            // Beside paths they go straight to where they end; beside islands they stop anywhere on their way, and both
            // islands go as one.
            for by_paths in [true, false] {
                let frames = if by_paths { [Vector3::zeros(); 2] } else { [steps[0], steps[1]] };
                let beside = if by_paths { Beside::Paths } else { Beside::Islands(None) };
                let (ends, alone) = ((&previous[..], &now[..]), (Simd::portable(), Team::alone()));
                reach.look(&surface, &paths, (&frames, beside), ends, alone);
                if by_paths {
                    let packs = lists.iter().flat_map(|(.., list)| list.pieces()).flat_map(|piece| piece.bunches(&reach));
                    for (pack, way) in packs.flat_map(|(packs, way)| packs.iter().map(move |pack| (pack, way))) {
                        let mut found = [Closest::default(), Closest::default()];
                        for (found, way) in found.iter_mut().zip([None, Some(way)]) {
                            look::<f64, Eight>(pack, ends, way, 0, found);
                        }
                        let [looked, known] = found.map(|found| found.active);
                        prop_assert_eq!(looked, known, "what is known to be near or not, is so");
                    }
                }
                for (elements, pairs, list) in &lists {
                    let near: Vec<_> = list.pieces().flat_map(|piece| piece.near(&reach)).map(std::ptr::from_ref).collect();
                    let crowded: Vec<_> =
                        list.pieces().flat_map(|piece| piece.nearer(&reach, 1e-4)).map(std::ptr::from_ref).collect();
                    for (number, pack) in list.pieces().flat_map(Piece::all).enumerate() {
                        let pack = std::ptr::from_ref(pack);
                        let of = &pairs[number * PACK..pairs.len().min(number * PACK + PACK)];
                        for pair in of {
                            for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                                let x = pair.points.map(|v| {
                                    let (v, body) = (v as usize, surface.body_at(v) as usize);
                                    previous[v].x + (now[v].x - previous[v].x - frames[body]) * share
                                });
                                let distance = elements.closest(&x).distance();
                                prop_assert!(near.contains(&pack) || distance > NEAR * pair.keep * (1.0 - 1e-9));
                                prop_assert!(crowded.contains(&pack) || distance > 1e-4);
                            }
                            asleep += usize::from(!near.contains(&pack));
                        }
                    }
                }
            }
            previous = now;
            paths.advance();
        }
        // Otherwise nothing was tested.
        prop_assert!(!at_rest || asleep > 0 || lists.iter().all(|(_, pairs, _)| pairs.is_empty()));
    }
}
