//! Polygons of all kinds against their areas, and those that must stay fans.

use proptest::prelude::*;

use super::*;

/// Polygons one after the other as a mesh of fans.
fn fans(polygons: &[Vec<[f64; 3]>]) -> RawMesh {
    let mut raw = RawMesh::default();
    for polygon in polygons {
        let first = raw.positions.len() as u32;
        raw.positions.extend(polygon.iter().map(|&p| Vector3::from(p)));
        raw.push_polygon(&(first..first + polygon.len() as u32).collect::<Vec<_>>());
    }
    raw
}

fn flat(corners: &[[f64; 2]]) -> Vec<[f64; 3]> {
    corners.iter().map(|&[x, y]| [x, y, 0.0]).collect()
}

/// Twice the areas of the triangles as seen from above.
fn areas(raw: &RawMesh) -> Vec<f64> {
    let corner = |v: u32| raw.positions[v as usize];
    raw.triangles.iter().map(|&[a, b, c]| (corner(b) - corner(a)).cross(&(corner(c) - corner(a))).z).collect()
}

fn clip(polygons: &[Vec<[f64; 3]>]) -> (RawMesh, Counts) {
    let mut raw = fans(polygons);
    let counts = split(&mut raw);
    (raw, counts)
}

/// Splits a polygon in the plane and checks that its triangles cover it once.
fn covers(corners: &[[f64; 2]]) -> RawMesh {
    let before: f64 = areas(&fans(&[flat(corners)])).iter().sum();
    let (raw, counts) = clip(&[flat(corners)]);
    assert_eq!(counts, Counts { clipped: 1, ..Counts::default() });
    let areas = areas(&raw);
    assert!(areas.iter().all(|&area| area * before > 0.0), "{areas:?}");
    assert!((areas.iter().sum::<f64>() - before).abs() < 1e-12 * before.abs());
    raw
}

const L: [[f64; 2]; 6] = [[1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 1.0], [1.0, 1.0]];

#[test]
fn concave_polygons_are_covered_once_whatever_their_first_corner() {
    let mut clipped = 0;
    for start in 0..6 {
        let mut corners = L;
        corners.rotate_left(start);
        let (raw, counts) = clip(&[flat(&corners)]);
        let areas = areas(&raw);
        assert!(areas.iter().all(|&area| area >= 0.0) && (areas.iter().sum::<f64>() - 6.0).abs() < 1e-12);
        clipped += counts.clipped;
    }
    assert!((2..6).contains(&clipped), "some corners see all others: {clipped}");
    // Seen from below, too.
    covers(&[[4.0, 0.0], [0.0, 0.0], [0.0, 4.0], [1.0, 1.0]].map(|[x, y]| [y, x]));
    let dart = covers(&[[0.0, 0.0], [0.4, 0.6], [1.0, 1.0], [0.0, 1.0]]);
    assert_eq!(dart.triangles, [[3, 0, 1], [3, 1, 2]]);
}

#[test]
fn a_comb_and_a_spiral_are_covered() {
    let mut comb: Vec<[f64; 2]> =
        (0..50).map(|i| [f64::from(i), if i % 2 == 0 { 5.0 } else { 0.1 }]).collect();
    comb.extend([[49.0, 0.0], [0.0, 0.0]]);
    comb.reverse();
    covers(&comb);
    let arm = |i: i32, r: f64| {
        let angle = 0.3 * f64::from(i);
        [(r + angle) * angle.cos(), (r + angle) * angle.sin()]
    };
    let spiral: Vec<[f64; 2]> =
        (0..80).map(|i| arm(i, 2.0)).chain((0..80).rev().map(|i| arm(i, 1.0))).collect();
    covers(&spiral);
}

#[test]
fn a_polygon_around_a_hole_meets_itself_and_is_covered() {
    let mut raw = RawMesh::default();
    let outside = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]];
    let hole = [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0]];
    raw.positions = outside.iter().chain(&hole).map(|&[x, y]| Vector3::new(x, y, 0.0)).collect();
    raw.push_polygon(&[1, 2, 3, 0, 4, 5, 6, 7, 4, 0]);
    assert_eq!(split(&mut raw).clipped, 1);
    let areas = areas(&raw);
    assert!(
        areas.iter().all(|&area| area > 0.0) && (areas.iter().sum::<f64>() - 16.0).abs() < 1e-12,
        "{areas:?}"
    );
}

#[test]
fn polygons_without_an_inside_stay_fans() {
    let star: Vec<[f64; 2]> =
        (0..5).map(|i| 4.0 * std::f64::consts::PI / 5.0 * f64::from(i)).map(|a| [a.cos(), a.sin()]).collect();
    for corners in [
        &star[..],
        // Crossing at the middle, and off it.
        &[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
        &[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 1.0]],
        // On a line, in a point.
        &[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
        &[[1.0, 1.0]; 5],
    ] {
        let polygon = flat(corners);
        let (raw, counts) = clip(std::slice::from_ref(&polygon));
        assert_eq!(counts, Counts { without_inside: 1, ..Counts::default() }, "{corners:?}");
        assert_eq!(raw.triangles, fans(&[polygon]).triangles);
    }
    for far in [1e308, 1e200, 1e-200] {
        let (_, counts) = clip(&[flat(&[[0.0, 0.0], [0.4 * far, 0.6 * far], [far, far], [-far, far]])]);
        let whole = counts.clipped == 1 || counts.without_inside == 1;
        assert!(whole, "{far}: {counts:?}");
    }
}

#[test]
fn polygons_that_would_take_too_long_stay_fans() {
    let comb = |teeth: i32| -> Vec<[f64; 3]> {
        let mut comb: Vec<[f64; 2]> = (0..teeth).map(|i| [f64::from(i), f64::from(i % 2)]).collect();
        comb.extend([[f64::from(teeth), -1.0], [0.0, -1.0]]);
        comb.reverse();
        flat(&comb)
    };
    let mut raw = fans(&[comb(300), comb(40), comb(300)]);
    let before = raw.triangles.clone();
    let counts = split_within(&mut raw, 302 * 1000);
    assert_eq!(counts, Counts { clipped: 2, without_inside: 0, too_large: 1 });
    assert_eq!(raw.triangles[340..], before[340..]);
    assert_ne!(raw.triangles[..300], before[..300]);
    // As a file has them: a polygon of so many corners must not take hours.
    let counts = split(&mut fans(&[comb(100_000)]));
    assert_eq!(counts.too_large, 1);
}

proptest! {
    #![proptest_config(pliant_testkit::config(256))]

    #[test]
    fn convex_polygons_stay_as_they_are(n in 3_usize..40, turn in 0.0..6.0, tilt in -1.0..1.0, scale in -30_i32..30, gaps in prop::collection::vec(0.01..1.0, 40)) {
        let whole: f64 = gaps[..n].iter().sum();
        let mut angle: f64 = turn;
        let polygon: Vec<[f64; 3]> = gaps[..n].iter().map(|gap| {
            angle += gap / whole * std::f64::consts::TAU;
            let (x, y) = (angle.cos() * 2.0, angle.sin());
            // Not in the plane, because a file of six digits rounds.
            let z = tilt * x + 1e-7 * (angle * 17.0).sin();
            [x, y, z].map(|c| c * 10_f64.powi(scale))
        }).collect();
        // All in one direction: the arc of the largest gap may be more than half of the ellipse, which is still convex.
        let (raw, counts) = clip(std::slice::from_ref(&polygon));
        prop_assert_eq!(raw.triangles, fans(&[polygon]).triangles);
        prop_assert_eq!(counts, Counts::default());
    }

    #[test]
    fn stars_around_a_point_are_covered_from_whatever_corner(radii in prop::collection::vec(0.05..1.0, 5..60), start in 0_usize..60) {
        let n = radii.len();
        let polygon: Vec<[f64; 2]> = (0..n).map(|i| {
            let i = (i + start) % n;
            let angle = std::f64::consts::TAU * i as f64 / n as f64;
            [radii[i] * angle.cos(), radii[i] * angle.sin()]
        }).collect();
        let before: f64 = areas(&fans(&[flat(&polygon)])).iter().sum();
        let (raw, counts) = clip(&[flat(&polygon)]);
        prop_assert_eq!(counts.without_inside + counts.too_large, 0);
        let areas = areas(&raw);
        prop_assert!(areas.iter().all(|&area| area >= -5e-6), "{:?}", areas);
        prop_assert!((areas.iter().sum::<f64>() - before).abs() < 1e-12);
    }
}
