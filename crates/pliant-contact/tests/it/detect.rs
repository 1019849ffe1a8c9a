//! Lists of near pairs: they miss no pair that comes near, have no far pair, and depend only on positions.

use std::collections::BTreeSet;

use nalgebra::Vector3;
use pliant_contact::{
    DetectError, Detector, Mask, NearPair, Paths, Rules, Since, Strays, Surface, Ties, edge_edge,
    vertex_triangle,
};
use pliant_kernel::{Simd, Team};
use pliant_mesh::TriMesh;

use crate::scenes::{Point, Random, random_surface, stack};

/// A random state, and rules for it.
struct Case {
    surface: Surface,
    positions: Vec<Point>,
    steps: Vec<Point>,
    rest: Option<Vec<Point>>,
    radii: Vec<f64>,
    masks: Vec<Mask>,
    held: Vec<bool>,
    ties: Ties,
    tied: Vec<[u32; 2]>,
}

impl Case {
    fn random(random: &mut Random, number: usize) -> Self {
        let surface = random_surface(random);
        let n = surface.particles();
        let size = [1.0, 1.0, 0.3, 1e-3][number % 4];
        let mut positions: Vec<Point> = (0..n).map(|_| random.point(size)).collect();
        if number.is_multiple_of(5) {
            positions.iter_mut().for_each(|x| *x = (*x / size * 3.0).map(f64::round) * size / 3.0);
        }
        if number.is_multiple_of(7) {
            positions.iter_mut().for_each(|x| x.y = 0.0);
        }
        let steps = (0..n).map(|_| random.point(size * 0.02 * (number % 3) as f64)).collect();
        let rest =
            (number % 3 == 1).then(|| positions.iter().map(|x| x + random.point(size * 0.1)).collect());
        let radii = (0..surface.bodies()).map(|_| size * 0.05 * random.unit()).collect();
        let mask = |random: &mut Random| Mask {
            groups: random.bits() as u32 & 3,
            hits: random.bits() as u32 & 3,
            itself: random.unit() < 0.7,
        };
        let masks =
            if number % 4 == 2 { (0..surface.bodies()).map(|_| mask(random)).collect() } else { Vec::new() };
        let held = if number % 4 == 1 { (0..n).map(|_| random.unit() < 0.5).collect() } else { Vec::new() };
        let tied: Vec<[u32; 2]> =
            (0..number % 3).map(|_| [random.below(n) as u32, random.below(n) as u32]).collect();
        Self { surface, positions, steps, rest, radii, masks, held, ties: Ties::new(&tied), tied }
    }

    fn paths(&self) -> Paths<'_, f64> {
        let (positions, steps) = (&self.positions, &self.steps);
        Paths { positions, steps, rest: self.rest.as_deref(), halts: None, may_turn: false }
    }

    fn rules(&self, slack: f64, horizon: u32) -> Rules<'_> {
        let (masks, held, ties) = (&self.masks, &self.held, &self.ties);
        Rules { radii: &self.radii, slack, horizon, edge_share: 0.8, edge_leeway: 0.0, masks, held, ties }
    }

    /// The distance that a pair keeps, or none if it is not a pair, as documented.
    fn keep(&self, first: &[u32], second: &[u32]) -> Option<f64> {
        let body = |v: u32| self.surface.body_of(v).unwrap() as usize;
        let (a, b) = (body(first[0]), body(second[0]));
        let tied = |&[p, q]: &[u32; 2]| {
            first.contains(&p) && second.contains(&q) || first.contains(&q) && second.contains(&p)
        };
        let held = |v: &u32| self.held.get(*v as usize) == Some(&true);
        let meet = match self.masks.as_slice() {
            [] => true,
            masks if a == b => masks[a].itself,
            masks => masks[a].groups & masks[b].hits != 0 && masks[b].groups & masks[a].hits != 0,
        };
        let shared = first.iter().any(|v| second.contains(v));
        if shared || !meet || self.tied.iter().any(tied) || first.iter().chain(second).all(held) {
            return None;
        }
        let share = if first.len() == 2 { 0.8 } else { 1.0 };
        let sum = share * (self.radii[a] + self.radii[b]);
        Some(match &self.rest {
            Some(rest) if a == b => sum.min(0.95 * distance(rest, first, second)),
            _ => sum,
        })
    }

    /// All pairs of elements: vertices with triangles, then edges with edges.
    fn all(&self) -> Vec<(Vec<u32>, Vec<u32>)> {
        let (surface, mut all) = (&self.surface, Vec::new());
        for &v in surface.vertices() {
            all.extend(surface.triangles().iter().map(|t| (vec![v], t.to_vec())));
        }
        for (i, e) in surface.edges().iter().enumerate() {
            all.extend(surface.edges()[..i].iter().map(|f| (e.to_vec(), f.to_vec())));
        }
        all
    }
}

fn distance(x: &[Point], first: &[u32], second: &[u32]) -> f64 {
    let at = |v: u32| x[v as usize];
    match (first, second) {
        (&[p], &[a, b, c]) => vertex_triangle(&at(p), &[at(a), at(b), at(c)]).distance(),
        (&[p, q], &[a, b]) => edge_edge(&[at(p), at(q)], &[at(a), at(b)]).distance(),
        _ => unreachable!("pairs are of these two kinds"),
    }
}

/// A pair by its particles, whatever the order of the two and of the corners.
fn key(first: &[u32], second: &[u32]) -> [Vec<u32>; 2] {
    let mut sides = [first.to_vec(), second.to_vec()];
    sides.iter_mut().for_each(|side| side.sort_unstable());
    sides.sort();
    sides
}

fn listed(detector: &Detector<f64>) -> BTreeSet<[Vec<u32>; 2]> {
    let keys = |pairs: &[NearPair<f64>], split: usize| {
        pairs.iter().map(|pair| key(&pair.points[..split], &pair.points[split..])).collect::<Vec<_>>()
    };
    let all = [keys(detector.vertex_triangle(), 1), keys(detector.edge_edge(), 2)].concat();
    let set: BTreeSet<_> = all.iter().cloned().collect();
    assert_eq!(set.len(), all.len(), "a pair is listed twice");
    set
}

#[test]
fn whatever_comes_near_within_the_boxes_is_listed() {
    let mut random = Random(11);
    let mut detector = Detector::default();
    let (mut met, mut unlisted) = (0, 0);
    for number in 0..600 {
        let mut case = Case::random(&mut random, number);
        let horizon = 1 + random.below(6) as u32;
        if random.unit() < 0.5 {
            // Straight to the place of another one, which is the extreme of relative motion.
            let x = case.positions.clone();
            let target = |random: &mut Random| x[random.below(x.len())];
            case.steps = x.iter().map(|x| (target(&mut random) - x) * (0.3 / f64::from(horizon))).collect();
        }
        let slack = case.radii.iter().copied().fold(0.0, f64::max) * [0.0, 0.3, 8.0][random.below(3)];
        detector.detect(&case.surface, &case.paths(), &case.rules(slack, horizon)).unwrap();
        let listed = listed(&detector);
        for _ in 0..6 {
            let time = f64::from(horizon) * random.unit();
            // The surface of the balls, which is the worst, as often as places inside.
            let inside = random.unit() < 0.5;
            let moved: Vec<Point> = case
                .positions
                .iter()
                .zip(&case.steps)
                .map(|(x, step)| {
                    let off = random.point(1.0);
                    let off = if inside { off / 3.0_f64.sqrt() } else { off.normalize() };
                    x + step * time + off * (0.5 * slack)
                })
                .collect();
            for (first, second) in case.all() {
                if case.keep(&first, &second).is_some_and(|keep| distance(&moved, &first, &second) <= keep) {
                    assert!(listed.contains(&key(&first, &second)), "case {number}: {first:?} {second:?}");
                    met += 1;
                }
            }
        }
        unlisted += case.all().len() - listed.len();
    }
    assert!(met > 20_000 && unlisted > 20_000, "the cases say nothing: {met} {unlisted}");
}

#[test]
fn edges_with_leeway_are_listed_where_they_come_near_on_their_paths_or_nearer_than_the_leeway_beside_them() {
    let mut random = Random(15);
    let mut detector = Detector::default();
    let (mut met, mut on_paths, mut spared) = (0, 0, 0);
    for number in 0..400 {
        let case = Case::random(&mut random, number);
        let (horizon, leeway) = (1 + random.below(6) as u32, [0.3, 0.625, 0.9][random.below(3)]);
        let slack = case.radii.iter().copied().fold(0.0, f64::max) * [0.3, 1.0, 3.0][random.below(3)];
        let rules = case.rules(slack, horizon);
        detector.detect(&case.surface, &case.paths(), &rules).unwrap();
        let all = listed(&detector);
        detector.detect(&case.surface, &case.paths(), &Rules { edge_leeway: leeway, ..rules }).unwrap();
        let listed = listed(&detector);
        assert!(listed.is_subset(&all), "case {number}");
        spared += all.len() - listed.len();
        for round in 0..6 {
            let time = f64::from(horizon) * random.unit();
            let off = if round % 2 == 0 { 0.0 } else { 0.5 * slack };
            let places = case.positions.iter().zip(&case.steps);
            let moved: Vec<Point> =
                places.map(|(x, step)| x + step * time + random.point(1.0).normalize() * off).collect();
            for (first, second) in case.all() {
                let share = if first.len() == 2 && off > 0.0 { 1.0 - leeway } else { 1.0 };
                let is_near = |keep| distance(&moved, &first, &second) <= share * keep;
                if case.keep(&first, &second).is_some_and(is_near) {
                    assert!(listed.contains(&key(&first, &second)), "case {number}: {first:?} {second:?}");
                    *(if off > 0.0 { &mut met } else { &mut on_paths }) += 1;
                }
            }
        }
    }
    assert!(
        met > 2_000 && on_paths > 2_000 && spared > 500,
        "the cases say nothing: {met} {on_paths} {spared}"
    );
}

#[test]
fn whatever_comes_near_in_a_sheet_that_bends_is_listed() {
    let sheet = TriMesh::grid([7, 6], [0.6, 0.5]).unwrap();
    let surface = Surface::new(sheet.positions().len(), &[sheet.triangles()]).unwrap();
    let mut random = Random(14);
    let mut detector = Detector::default();
    let (mut met, mut unlisted) = (0, 0);
    for number in 0..150 {
        // Waves that grow, and a little by chance; at rest it is flat and wider.
        let (phase, height, growth) = (6.0 * random.unit(), 0.15 * random.unit(), 0.04 * random.unit());
        let direction = random.point(12.0);
        let squeeze = 1.0 - 0.3 * random.unit();
        let wave = |x: &Point| Point::y() * (phase + direction.x * x.x + direction.z * x.z).sin();
        let positions: Vec<Point> = sheet
            .positions()
            .iter()
            .map(|x| Point::new(squeeze * x.x, x.y, x.z) + wave(x) * height + random.point(0.004))
            .collect();
        let turn = random.point(0.1);
        let steps: Vec<Point> = sheet
            .positions()
            .iter()
            .map(|x| wave(x) * growth + turn.cross(x) - x * (0.05 * random.unit()) + random.point(0.002))
            .collect();
        let (radius, slack) = (0.01 + 0.02 * random.unit(), 0.01 * random.unit());
        let case = Case {
            surface: surface.clone(),
            positions,
            steps,
            rest: Some(sheet.positions().to_vec()),
            radii: vec![radius],
            masks: Vec::new(),
            held: Vec::new(),
            ties: Ties::default(),
            tied: Vec::new(),
        };
        let horizon = 1 + random.below(5) as u32;
        detector.detect(&case.surface, &case.paths(), &case.rules(slack, horizon)).unwrap();
        let listed = listed(&detector);
        for step in 0..6 {
            let time = f64::from(horizon) * if step == 0 { 1.0 } else { random.unit() };
            let moved: Vec<Point> = case
                .positions
                .iter()
                .zip(&case.steps)
                .map(|(x, step)| x + step * time + random.point(1.0).normalize() * (0.5 * slack))
                .collect();
            for (first, second) in case.all() {
                if case.keep(&first, &second).is_some_and(|keep| distance(&moved, &first, &second) <= keep) {
                    assert!(listed.contains(&key(&first, &second)), "case {number}: {first:?} {second:?}");
                    met += 1;
                }
            }
        }
        unlisted += case.all().len() - listed.len();
    }
    assert!(met > 1_000 && unlisted > 50_000, "the cases say nothing: {met} {unlisted}");
}

#[test]
fn whatever_comes_near_where_particles_stop_on_their_way_is_listed() {
    let mut random = Random(13);
    let mut detector = Detector::default();
    let (mut met, mut unlisted) = (0, 0);
    for number in 0..400 {
        let mut case = Case::random(&mut random, number);
        // Fast, and nearly together: whole ways bring little together, parts of them do.
        let common = random.point(0.4);
        case.steps = case.steps.iter().map(|step| step * 0.2 + common).collect();
        case.rest = None;
        let halts: Vec<Point> = (0..case.radii.len()).map(|_| random.point(0.05)).collect();
        let paths = Paths { halts: Some(&halts), may_turn: true, ..case.paths() };
        detector.detect(&case.surface, &paths, &case.rules(0.0, 1)).unwrap();
        let listed = listed(&detector);
        for _ in 0..6 {
            let moved: Vec<Point> = (0..)
                .zip(case.positions.iter().zip(&case.steps))
                .map(|(v, (x, step))| {
                    let halt = halts[case.surface.body_of(v).map_or(0, |body| body as usize)];
                    let share = if random.unit() < 0.6 { random.unit().round() } else { random.unit() };
                    x + halt + (step - halt) * share
                })
                .collect();
            for (first, second) in case.all() {
                if case.keep(&first, &second).is_some_and(|keep| distance(&moved, &first, &second) <= keep) {
                    assert!(listed.contains(&key(&first, &second)), "case {number}: {first:?} {second:?}");
                    met += 1;
                }
            }
        }
        unlisted += case.all().len() - listed.len();
    }
    assert!(met > 5_000 && unlisted > 5_000, "the cases say nothing: {met} {unlisted}");
}

#[test]
fn what_is_listed_could_come_near_and_keeps_what_it_should() {
    let mut random = Random(12);
    let mut detector = Detector::default();
    let mut count = 0;
    for number in 0..300 {
        let case = Case::random(&mut random, number);
        let (slack, horizon) = (0.002, 3);
        detector.detect(&case.surface, &case.paths(), &case.rules(slack, horizon)).unwrap();
        listed(&detector);
        for (pairs, split) in [(detector.vertex_triangle(), 1), (detector.edge_edge(), 2)] {
            for pair in pairs {
                let (first, second) = pair.points.split_at(split);
                let keep = case.keep(first, second).expect("a pair that is none is listed");
                assert_eq!(keep, pair.keep);
                let step = |v: &u32| case.steps[*v as usize];
                let ways = first.iter().flat_map(|a| second.iter().map(move |b| (step(a) - step(b)).norm()));
                let room = ways.fold(0.0, f64::max) * f64::from(horizon) + slack;
                assert!(distance(&case.positions, first, second) <= keep + 1.01 * room + 1e-6);
                let surface = &case.surface;
                if split == 1 {
                    assert_eq!(surface.triangles()[pair.elements[1] as usize], second);
                } else {
                    let ends = pair.elements.map(|e| surface.edges()[e as usize].to_vec());
                    assert_eq!(key(&ends[0], &ends[1]), key(first, second));
                }
                count += 1;
            }
        }
    }
    assert!(count > 5000, "{count}");
}

/// Rules for layers of cloth.
fn rules_of_cloth<'a>(radii: &'a [f64], held: &'a [bool], ties: &'a Ties) -> Rules<'a> {
    let (slack, horizon) = (0.001, 4);
    Rules { radii, slack, horizon, edge_share: 0.8, edge_leeway: 0.0, masks: &[], held, ties }
}

/// Layers of a stack in motion.
fn moving_stack(layers: usize, cells: usize) -> (Surface, Vec<Point>, Vec<Point>) {
    let (surface, positions) = stack(layers, cells, 0.004);
    let mut random = Random(13);
    let steps = positions.iter().map(|_| Vector3::new(0.0, -0.002, 0.0) + random.point(2e-4)).collect();
    (surface, positions, steps)
}

#[test]
fn of_a_stack_all_that_is_near_is_listed_once() {
    let (surface, positions, _) = moving_stack(3, 14);
    let ties = Ties::default();
    let case = Case {
        steps: vec![Point::zeros(); positions.len()],
        positions,
        rest: None,
        radii: vec![0.006; 3],
        masks: Vec::new(),
        held: Vec::new(),
        ties,
        tied: Vec::new(),
        surface,
    };
    let mut detector = Detector::default();
    detector.detect(&case.surface, &case.paths(), &case.rules(0.0, 1)).unwrap();
    let listed = listed(&detector);
    let mut near = 0;
    for (first, second) in case.all() {
        // Far pairs by their first points, so that the test does not take minutes.
        let far = (case.positions[first[0] as usize] - case.positions[second[0] as usize]).norm() > 0.15;
        if far
            || case.keep(&first, &second).is_none_or(|keep| distance(&case.positions, &first, &second) > keep)
        {
            continue;
        }
        assert!(listed.contains(&key(&first, &second)), "{first:?} {second:?}");
        near += 1;
    }
    assert!(near > 10_000 && near <= listed.len(), "{near} {}", listed.len());
}

/// A cone of so many triangles, whose vertices keep more than the distance to their neighbours along the rim.
fn cone(count: u32) -> Case {
    let triangles: Vec<[u32; 3]> = (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect();
    let spacing = std::f64::consts::TAU / f64::from(count);
    let rim = |i: u32| {
        let (sin, cos) = (spacing * f64::from(i)).sin_cos();
        Point::new(cos, 1.0, sin)
    };
    let positions: Vec<Point> = [Point::zeros()].into_iter().chain((0..count).map(rim)).collect();
    Case {
        surface: Surface::new(positions.len(), &[&triangles]).unwrap(),
        steps: vec![Point::zeros(); positions.len()],
        positions,
        rest: None,
        radii: vec![0.7 * spacing],
        masks: Vec::new(),
        held: Vec::new(),
        ties: Ties::default(),
        tied: Vec::new(),
    }
}

#[test]
fn very_many_triangles_around_one_particle_are_listed_in_little_memory() {
    let case = cone(700);
    let mut detector = Detector::default();
    detector.detect(&case.surface, &case.paths(), &case.rules(0.0, 1)).unwrap();
    let listed = listed(&detector);
    let mut near = 0;
    for (first, second) in case.all() {
        let is_near = |keep| distance(&case.positions, &first, &second) <= keep;
        if case.keep(&first, &second).is_some_and(is_near) {
            assert!(listed.contains(&key(&first, &second)), "{first:?} {second:?}");
            near += 1;
        }
    }
    assert!(near >= 4 * 700 && near <= listed.len(), "{near} {}", listed.len());

    // Nine million pairs of triangles meet at the tip: seventy megabytes.
    let case = cone(3000);
    let (paths, rules) = (case.paths(), case.rules(0.0, 1));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut detect = || detector.detect(&case.surface, &paths, &rules).unwrap();
    // The worker of the pool does all the work, and counts for itself.
    let most = pool.install(|| allocation_counter::measure(&mut detect)).bytes_max;
    assert!((500_000..25_000_000).contains(&most), "{most}");
}

#[test]
fn lists_are_the_same_for_any_number_of_threads() {
    let (surface, positions, steps) = moving_stack(4, 24);
    let ties = Ties::default();
    let radii = [0.0015; 4];
    let rules = rules_of_cloth(&radii, &[], &ties);
    let paths =
        Paths { positions: &positions, steps: &steps, rest: Some(&positions), halts: None, may_turn: false };
    let lists = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut detector = Detector::default();
        pool.install(|| detector.detect(&surface, &paths, &rules)).unwrap();
        (detector.vertex_triangle().to_vec(), detector.edge_edge().to_vec())
    };
    let one = lists(1);
    assert!(one.0.len() > 1000 && one.1.len() > 1000, "{} {}", one.0.len(), one.1.len());
    for threads in [2, 5] {
        assert_eq!(lists(threads), one, "{threads} threads");
    }
}

#[test]
fn strays_get_the_pairs_that_they_had_as_long_as_nothing_has_moved() {
    // The second layer is held, and half of the third.
    let per_layer = 25 * 25;
    for held in
        [Vec::new(), (0..4 * per_layer).map(|v| v / per_layer == 1 || v * 2 / per_layer == 5).collect()]
    {
        strays_get_the_pairs_that_they_had(&held);
    }
}

fn strays_get_the_pairs_that_they_had(held: &[bool]) {
    let (surface, positions, steps) = moving_stack(4, 24);
    let ties = Ties::default();
    let radii = [0.0015; 4];
    let rules = rules_of_cloth(&radii, held, &ties);
    let paths =
        Paths { positions: &positions, steps: &steps, rest: Some(&positions), halts: None, may_turn: false };
    let is_stray: Vec<bool> = (0..positions.len()).map(|v| v % 7 == 3 || v / 100 == 2).collect();
    let strays: Vec<u32> = (0..).zip(&is_stray).filter(|(_, stray)| **stray).map(|(v, _)| v).collect();
    let lists = |threads: usize| {
        let mut detector = Detector::default();
        detector.detect(&surface, &paths, &rules).unwrap();
        let mut all = listed(&detector);
        let of_strays = |sides: &[Vec<u32>; 2]| sides.iter().flatten().any(|&v| is_stray[v as usize]);
        all.retain(of_strays);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let update = |team: Team<'_>| {
            let strays = Strays { particles: &strays, flags: &is_stray };
            let since = Since { times: [0, rules.horizon], drift: Vector3::zeros() };
            detector.update(&surface, &paths, &rules, &since, strays, team)
        };
        pool.install(|| Team::form(threads, update)).unwrap();
        assert_eq!(listed(&detector), all);
        let is_held = |v: &u32| held.get(*v as usize) == Some(&true);
        assert!(all.iter().all(|sides| !sides.iter().flatten().all(is_held)));
        (detector.vertex_triangle().to_vec(), detector.edge_edge().to_vec())
    };
    let one = lists(1);
    assert!(one.0.len() > 300 && one.1.len() > 300, "{} {}", one.0.len(), one.1.len());
    for threads in [2, 5] {
        assert_eq!(lists(threads), one, "{threads} threads");
    }
}

#[test]
fn strays_are_listed_with_whatever_they_come_near() {
    // Layers that go past each other, together fast, of several patches each.
    let (surface, positions) = stack(3, 12, 0.012);
    let per_layer = positions.len() / 3;
    let mut random = Random(17);
    let mut detector = Detector::default();
    let (mut met, mut unlisted) = (0, 0);
    for number in 0..9 {
        let common = random.point(0.2);
        let own: Vec<Point> = (0..3).map(|_| common + random.point(0.02)).collect();
        let slack = 0.004;
        let half = |random: &mut Random| random.point(1.0).normalize() * (0.5 * slack);
        let steps: Vec<Point> =
            (0..positions.len()).map(|v| own[v / per_layer] + random.point(0.001)).collect();
        let case = Case {
            surface: surface.clone(),
            positions: positions.clone(),
            steps,
            rest: None,
            radii: vec![0.004; 3],
            masks: Vec::new(),
            held: if number % 3 == 1 {
                (0..positions.len()).map(|v| v % 5 < 2).collect()
            } else {
                Vec::new()
            },
            ties: Ties::default(),
            tied: Vec::new(),
        };
        let (horizon, age) = (6, 1 + random.below(4) as u32);
        detector.detect(&case.surface, &case.paths(), &case.rules(slack, horizon)).unwrap();
        // All have drifted together; some have left their paths, to go somewhere else.
        let drift = random.point(0.05);
        let is_stray: Vec<bool> = (0..positions.len()).map(|_| random.unit() < 0.1).collect();
        let strays: Vec<u32> = (0..).zip(&is_stray).filter(|(_, stray)| **stray).map(|(v, _)| v).collect();
        let now = case.positions.iter().zip(&case.steps).map(|(x, step)| x + step * f64::from(age) + drift);
        let mut later = Case { positions: now.collect(), steps: case.steps.clone(), ..case };
        for &v in &strays {
            later.positions[v as usize] += random.point(0.03);
            later.steps[v as usize] += random.point(0.03);
        }
        let since = Since { times: [age, horizon], drift };
        let of = Strays { particles: &strays, flags: &is_stray };
        let rules = later.rules(slack, horizon - age);
        detector.update(&later.surface, &later.paths(), &rules, &since, of, Team::alone()).unwrap();
        let listed = listed(&detector);
        let wanted: Vec<_> = later
            .all()
            .into_iter()
            .filter(|(first, second)| {
                let near = |x: &[Point]| (x[first[0] as usize] - x[second[0] as usize]).norm() < 0.45;
                first.iter().chain(second).any(|&v| is_stray[v as usize]) && near(&later.positions)
            })
            .collect();
        for _ in 0..3 {
            let time = f64::from(horizon - age) * random.unit();
            let moved: Vec<Point> = later
                .positions
                .iter()
                .zip(&later.steps)
                .map(|(x, step)| x + step * time + half(&mut random))
                .collect();
            for (first, second) in &wanted {
                if later.keep(first, second).is_some_and(|keep| distance(&moved, first, second) <= keep) {
                    assert!(listed.contains(&key(first, second)), "case {number}: {first:?} {second:?}");
                    met += 1;
                }
            }
        }
        unlisted += wanted.len().saturating_sub(listed.len());
    }
    assert!(met > 1_000 && unlisted > 50_000, "the cases say nothing: {met} {unlisted}");
}

#[test]
fn lists_are_the_same_with_any_instructions() {
    let (surface, positions, steps) = moving_stack(3, 20);
    let ties = Ties::default();
    let rules = rules_of_cloth(&[0.0015; 3], &[], &ties);
    let single = |x: &[Point]| x.iter().map(|x| x.cast::<f32>()).collect::<Vec<_>>();
    let (positions, steps) = (single(&positions), single(&steps));
    let paths =
        Paths { positions: &positions, steps: &steps, rest: Some(&positions), halts: None, may_turn: false };
    let [widest, portable] = [Simd::detect(), Simd::portable()].map(|simd| {
        let mut detector = Detector::new(simd);
        detector.detect(&surface, &paths, &rules).unwrap();
        (detector.vertex_triangle().to_vec(), detector.edge_edge().to_vec())
    });
    assert!(widest.0.len() > 1000, "{}", widest.0.len());
    assert!(widest == portable);
}

#[test]
fn a_steady_state_allocates_nothing() {
    let (surface, positions, steps) = moving_stack(3, 30);
    let ties = Ties::default();
    let radii = [0.0015; 3];
    let rules = Rules {
        radii: &radii,
        slack: 0.001,
        horizon: 4,
        edge_share: 1.0,
        edge_leeway: 0.0,
        masks: &[],
        held: &[],
        ties: &ties,
    };
    let paths = Paths { positions: &positions, steps: &steps, rest: None, halts: None, may_turn: false };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut detector = Detector::default();
    let mut detect = || detector.detect(&surface, &paths, &rules).unwrap();
    // The worker of the pool does all the work, and counts for itself.
    let mut count = || pool.install(|| allocation_counter::measure(&mut detect)).count_total;
    let (first, later) = (count(), (0..3).map(|_| count()).sum::<u64>());
    assert!(first > 10, "{first}: nothing is counted");
    assert_eq!(later, 0);
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let surface = Surface::new(3, &[&[[0, 1, 2]]]).unwrap();
    let ties = Ties::default();
    let positions = [Point::zeros(), Point::x(), Point::y()];
    let mut steps = [Point::zeros(); 3];
    let rules = |radii, slack| Rules {
        radii,
        slack,
        horizon: 2,
        edge_share: 1.0,
        edge_leeway: 0.0,
        masks: &[],
        held: &[],
        ties: &ties,
    };
    let mut detector = Detector::default();
    let mut refused = |steps: &[Point], rules: Rules<'_>| {
        let paths = Paths { positions: &positions, steps, rest: None, halts: None, may_turn: false };
        detector.detect(&surface, &paths, &rules).unwrap_err()
    };
    let short = DetectError::WrongCount { what: "steps", given: 2, wanted: 3 };
    assert_eq!(refused(&steps[..2], rules(&[0.1], 0.1)), short);
    assert_eq!(
        refused(&steps, rules(&[], 0.1)),
        DetectError::WrongCount { what: "radii", given: 0, wanted: 1 }
    );
    assert_eq!(refused(&steps, rules(&[-0.1], 0.1)), DetectError::Negative { what: "a radius", value: -0.1 });
    assert!(matches!(refused(&steps, rules(&[0.1], f64::NAN)), DetectError::Negative { what: "slack", .. }));
    steps[1].z = f64::INFINITY;
    assert_eq!(refused(&steps, rules(&[0.1], 0.1)), DetectError::NotFinite { particle: 1 });
}
