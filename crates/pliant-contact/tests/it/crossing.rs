//! Crossings against all pairs, for meshes of all kinds, and where grids could fail.

use nalgebra::Vector3;
use pliant_contact::{Crossing, CrossingCounter, CrossingError, Surface, crossings, edge_crosses_triangle};

use crate::scenes::{Point, Random, random_surface, stack};

/// Every edge against every triangle.
fn all_pairs(surface: &Surface, x: &[Point]) -> Vec<Crossing> {
    let mut found = Vec::new();
    for (edge, ends) in (0..).zip(surface.edges()) {
        for (triangle, corners) in (0..).zip(surface.triangles()) {
            let shared = ends.iter().any(|end| corners.contains(end));
            let at = |&v: &u32| x[v as usize];
            if !shared && edge_crosses_triangle(&ends.each_ref().map(at), &corners.each_ref().map(at)) {
                found.push(Crossing { edge, triangle });
            }
        }
    }
    found
}

/// Positions of many kinds, most of them with coincidences: integers, planes, one point far away, sizes apart.
fn positions(random: &mut Random, kind: usize) -> Vec<Point> {
    let mut x: Vec<Point> = (0..40).map(|_| random.point(1.0)).collect();
    match kind % 8 {
        0 => {}
        1 => x.iter_mut().for_each(|x| *x = x.map(|c| (2.0 * c).round())),
        2 => x.iter_mut().for_each(|x| x.y = 0.25),
        3 => x.iter_mut().for_each(|x| *x = x.map(|c| (c * 4.0).round() / 4.0 + 1000.0)),
        4 => x.iter_mut().for_each(|x| x.z = (x.z * 1.5).round()),
        5 => x.iter_mut().enumerate().for_each(|(i, x)| *x *= 10_f64.powi(i as i32 % 7 - 4)),
        6 => x[0] *= 1e30,
        _ => x.iter_mut().for_each(|x| *x = x.map(|c| f64::from(c as f32) * 1e-6)),
    }
    x
}

#[test]
fn a_thousand_random_meshes_agree_with_all_pairs() {
    let mut random = Random(1);
    let mut counter = CrossingCounter::default();
    let (mut total, mut clean) = (0, 0);
    for case in 0..1200 {
        let surface = random_surface(&mut random);
        let x = positions(&mut random, case);
        let expected = all_pairs(&surface, &x);
        assert_eq!(counter.find(&surface, &x).unwrap(), expected, "case {case}");
        total += expected.len();
        clean += usize::from(expected.is_empty());
    }
    assert!(total > 10_000 && clean > 50, "the meshes say nothing: {total} {clean}");
}

#[test]
fn single_precision_counts_what_double_does_of_the_same_positions() {
    let mut random = Random(2);
    for case in 0..200 {
        let surface = random_surface(&mut random);
        let x: Vec<Vector3<f32>> = positions(&mut random, case).into_iter().map(Point::cast).collect();
        let y: Vec<Point> = x.iter().map(|x| x.cast()).collect();
        assert_eq!(crossings(&surface, &x).unwrap(), all_pairs(&surface, &y), "case {case}");
    }
}

#[test]
fn sheets_cross_each_other_at_many_places_and_threads_do_not_matter() {
    let (surface, mut x) = stack(3, 20, 0.0);
    // Waves through one another, in generic position.
    x.iter_mut().for_each(|x| x.y = 0.05 * (20.0 * x.x + 9.0 * x.z * x.z).sin() * (11.0 * x.z).cos());
    let mut random = Random(3);
    x.iter_mut().for_each(|x| *x += random.point(0.004));
    let expected = all_pairs(&surface, &x);
    assert!(expected.len() > 1000, "{}", expected.len());
    for threads in [1, 2, 3, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| crossings(&surface, &x)).unwrap(), expected, "{threads}");
    }
}

#[test]
fn crumpled_sheets_agree_with_all_pairs() {
    let mut random = Random(5);
    let (mut total, mut clean) = (0, 0);
    for case in 0..120 {
        let (surface, mut x) = stack(1, 8, 0.0);
        // From hardly bent to nothing like a sheet; every third in coincidences.
        let size = 0.4 * 0.5_f64.powi(case % 9);
        x.iter_mut().for_each(|x| *x += random.point(size));
        if case % 3 == 0 {
            x.iter_mut().for_each(|x| *x = x.map(|c| (c * 16.0).round() / 16.0));
        }
        let expected = all_pairs(&surface, &x);
        assert_eq!(crossings(&surface, &x).unwrap(), expected, "case {case}");
        total += expected.len();
        clean += usize::from(expected.is_empty());
    }
    assert!(total > 10_000 && clean > 20, "the sheets say nothing: {total} {clean}");
}

#[test]
fn fans_that_overlap_do_so_however_they_are_turned() {
    // Fans that go round once or twice, rising or flat, closed or open.
    let kinds = [(1.0, 0.0, true), (2.0, 0.0, true), (2.0, 0.1, true), (2.0, 0.1, false), (1.4, 0.0, false)];
    for (count, (round, rise, closed)) in
        [8, 48, 70].into_iter().flat_map(|count| kinds.map(|kind| (count, kind)))
    {
        let last = if closed { count } else { count + 1 };
        let triangles: Vec<[u32; 3]> = (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % last]).collect();
        let surface = Surface::new(count as usize + 2, &[&triangles]).unwrap();
        let spoke = |i: u32| {
            let angle = round * std::f64::consts::TAU * f64::from(i) / f64::from(count);
            Point::new(angle.cos(), angle.sin(), rise * f64::from(i % last))
        };
        let mut x: Vec<Point> = std::iter::once(Point::zeros()).chain((0..=count).map(spoke)).collect();
        let crosses = round > 1.2 && (closed || rise == 0.0);
        assert_eq!(!crossings(&surface, &x).unwrap().is_empty(), crosses, "{count} {round} {rise} {closed}");
        for axis in [Point::x(), Point::new(1.0, 2.0, 3.0)] {
            let turn = nalgebra::Rotation3::new(axis);
            x.iter_mut().for_each(|x| *x = turn * *x);
            assert_eq!(
                crossings(&surface, &x).unwrap(),
                all_pairs(&surface, &x),
                "{count} {round} {rise} {closed}"
            );
        }
    }
}

#[test]
fn a_cone_of_thousands_of_triangles_takes_little_memory() {
    // Four million pairs share its tip.
    let count = 2000;
    let triangles: Vec<[u32; 3]> = (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect();
    let surface = Surface::new(count as usize + 1, &[&triangles]).unwrap();
    let rim = |i: u32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(count)).sin_cos();
        Point::new(cos, 1.0, sin)
    };
    let x: Vec<Point> = std::iter::once(Point::zeros()).chain((0..count).map(rim)).collect();
    let mut found = Vec::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // The worker of the pool does all the work, and counts for itself.
    let count = || allocation_counter::measure(|| found = crossings(&surface, &x).unwrap());
    let most = pool.install(count).bytes_max;
    assert_eq!(found, []);
    assert!((100_000..4_000_000).contains(&most), "{most}");
}

#[test]
fn very_many_triangles_around_one_particle_agree_with_all_pairs() {
    let mut random = Random(6);
    for (case, count) in [65, 200, 577].into_iter().enumerate() {
        // Two cones with one tip, one of them crumpled.
        let cone = |from: u32| (0..count).map(move |i| [0, from + i, from + (i + 1) % count]);
        let triangles: Vec<[u32; 3]> = cone(1).chain(cone(count + 1)).collect();
        let surface = Surface::new(2 * count as usize + 1, &[&triangles]).unwrap();
        let rim = |i: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(count)).sin_cos();
            Point::new(cos, 1.0, sin)
        };
        let mut x: Vec<Point> = [Point::zeros()].into_iter().chain((0..2 * count).map(rim)).collect();
        x[count as usize + 1..].iter_mut().for_each(|x| *x += random.point(0.3));
        if case == 1 {
            x.iter_mut().for_each(|x| *x = x.map(|c| (c * 16.0).round() / 16.0));
        }
        let expected = all_pairs(&surface, &x);
        assert!(expected.len() > 50, "{}", expected.len());
        assert_eq!(crossings(&surface, &x).unwrap(), expected, "{count}");
    }
}

#[test]
fn counting_ends_where_it_is_asked_to() {
    let (surface, mut x) = stack(4, 40, 0.003);
    x.iter_mut().for_each(|x| x.y = 0.1);
    let all = crossings(&surface, &x).unwrap();
    let mut counter = CrossingCounter::default();
    for most in [0, 1, 1000, all.len() - 1, all.len(), all.len() + 1] {
        let found = counter.find_up_to(most, &surface, &x).unwrap();
        assert_eq!(found.len(), most.min(all.len()));
        assert!(found.is_sorted() && found.iter().all(|one| all.binary_search(one).is_ok()), "{most}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(pool.install(|| counter.find_up_to(most, &surface, &x)).unwrap(), found);
    }
}

#[test]
fn layers_are_clean_and_layers_in_one_plane_are_not() {
    let (surface, mut x) = stack(4, 12, 0.003);
    assert_eq!(crossings(&surface, &x).unwrap(), []);
    x.iter_mut().for_each(|x| x.y = 0.1);
    assert_eq!(crossings(&surface, &x).unwrap(), all_pairs(&surface, &x));
    assert!(crossings(&surface, &x).unwrap().len() > 5000);
}

#[test]
fn sizes_and_places_may_lie_far_apart() {
    // Two small sheets crossing each other in a corner of a huge triangle, and their like a thousand kilometres away.
    let (sheet, x) = stack(2, 12, 0.0);
    let place = |x: &Point, i: usize| if i < 169 { *x } else { Point::new(x.x, x.z, 0.003) };
    let here: Vec<Point> = x.iter().enumerate().map(|(i, x)| place(x, i) * 0.01).collect();
    let alone = crossings(&sheet, &here).unwrap();
    assert_eq!(alone, all_pairs(&sheet, &here));
    assert!(!alone.is_empty());
    let n = here.len() as u32;
    let shifted: Vec<[u32; 3]> = sheet.triangles().iter().map(|t| t.map(|v| v + n)).collect();
    let huge = [[2 * n, 2 * n + 1, 2 * n + 2]];
    let surface = Surface::new(2 * n as usize + 3, &[sheet.triangles(), &shifted, &huge]).unwrap();
    let mut all = here.clone();
    // Powers of two, so that the larger scale adds no rounding.
    all.extend(here.iter().map(|x| x.map(|c| f64::from(c as f32)) + Point::new(1_048_576.0, 0.0, 0.0)));
    let far = crossings(&sheet, &all[n as usize..]).unwrap();
    all.extend([[-1e5, 1.0, -1e5], [3e6, 1.0, -1e5], [-1e5, 1.0, 3e6]].map(Point::from));
    let found = crossings(&surface, &all).unwrap();
    assert_eq!(found.len(), alone.len() + far.len());
    // And when the huge one lies in the plane of the first sheet.
    all[2 * n as usize..].iter_mut().for_each(|x| x.y = 0.0);
    assert!(crossings(&surface, &all).unwrap().len() > 2 * 456 + found.len());
}

#[test]
fn what_is_not_finite_is_named() {
    let (surface, mut x) = stack(1, 4, 0.0);
    x[7].z = f64::NAN;
    let error = crossings(&surface, &x).unwrap_err();
    assert!(matches!(error, CrossingError::NotFinite { particle: 7, .. }), "{error}");
    x[7].z = 1e200;
    assert!(crossings(&surface, &x).is_err());
    let error = crossings(&surface, &x[1..]).unwrap_err();
    assert_eq!(error, CrossingError::WrongCount { positions: 24, particles: 25 });
    // A particle that is not a corner may be anywhere.
    let loose = Surface::new(4, &[&[[0, 1, 2]]]).unwrap();
    assert_eq!(crossings(&loose, &[Point::x(), Point::y(), Point::z(), Point::x() * f64::NAN]).unwrap(), []);
}

#[test]
fn nothing_is_a_surface_too() {
    assert_eq!(crossings::<f64>(&Surface::new(0, &[]).unwrap(), &[]).unwrap(), []);
    let surface = Surface::new(3, &[&[[0, 1, 2]]]).unwrap();
    assert_eq!(crossings(&surface, &[Point::zeros(); 3]).unwrap(), []);
}
