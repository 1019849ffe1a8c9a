//! The strategies draw values with the documented properties.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_testkit::{near_degenerate, positive_weights, rotation, stencil, tet_mesh, tri_mesh, weights};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn distances<const N: usize>(x: &[Vector3<f64>; N]) -> (f64, f64) {
    let mut all = Vec::new();
    for a in 0..N {
        all.extend((0..a).map(|b| (x[a] - x[b]).norm()));
    }
    (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max))
}

proptest! {
    #![proptest_config(pliant_testkit::config(128))]

    #[test]
    fn stencils_are_well_shaped(
        two in stencil::<2>(),
        three in stencil::<3>(),
        four in stencil::<4>(),
        seven in stencil::<7>(),
    ) {
        for (shortest, longest) in [distances(&two), distances(&three), distances(&four)] {
            prop_assert!(shortest > 0.4 * longest);
        }
        let (shortest, longest) = distances(&seven);
        prop_assert!(shortest > 0.1 * longest);
        let area = 0.5 * (three[1] - three[0]).cross(&(three[2] - three[0])).norm();
        prop_assert!(area > 0.1 * distances(&three).1.powi(2));
    }

    #[test]
    fn rotations_keep_lengths_and_handedness(r in rotation()) {
        prop_assert!((r.matrix() * r.matrix().transpose() - nalgebra::Matrix3::identity()).norm() < 1e-14);
        prop_assert!((r.matrix().determinant() - 1.0).abs() < 1e-14);
    }

    #[test]
    fn weights_are_not_negative(w in weights::<4>(), free in positive_weights::<4>()) {
        prop_assert!(w.iter().all(|&w| w >= 0.0));
        prop_assert!(free.iter().all(|&w| w > 0.0));
    }

    #[test]
    fn surfaces_are_manifold_and_oriented(mesh in tri_mesh()) {
        let mut directed = BTreeMap::new();
        for t in mesh.triangles() {
            for k in 0..3 {
                *directed.entry((t[k], t[(k + 1) % 3])).or_insert(0) += 1;
            }
        }
        prop_assert!(directed.values().all(|&n| n == 1), "every directed edge once");
        prop_assert!((0..mesh.triangles().len()).all(|t| mesh.triangle_area(t) > 0.0));
        let used: std::collections::BTreeSet<_> = mesh.triangles().iter().flatten().collect();
        prop_assert_eq!(used.len(), mesh.positions().len());
    }

    #[test]
    fn solids_have_positive_tetrahedra_that_fill_them(mesh in tet_mesh()) {
        prop_assert!(mesh.inverted().is_empty());
        let mut faces = BTreeMap::new();
        for &[a, b, c, d] in mesh.tets() {
            for mut face in [[a, c, b], [a, b, d], [a, d, c], [b, c, d]] {
                face.sort_unstable();
                *faces.entry(face).or_insert(0) += 1;
            }
        }
        prop_assert!(faces.values().all(|&n| n <= 2));
        let used: std::collections::BTreeSet<_> = mesh.tets().iter().flatten().collect();
        prop_assert_eq!(used.len(), mesh.positions().len());
    }
}

#[test]
fn some_points_are_fixed_and_some_stencils_nearly_collapse() {
    let mut runner = TestRunner::new(pliant_testkit::config(1));
    let mut draw = |n: usize| {
        let mut fixed = 0;
        let mut thin = 0;
        for _ in 0..n {
            let w = weights::<4>().new_tree(&mut runner).unwrap().current();
            fixed += w.iter().filter(|&&w| w == 0.0).count();
            let x = near_degenerate::<4>().new_tree(&mut runner).unwrap().current();
            let (a, b, c) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
            thin += usize::from(a.cross(&b).dot(&c).abs() < 1e-3 * distances(&x).1.powi(3));
        }
        (fixed as f64 / (4 * n) as f64, thin as f64 / n as f64)
    };
    let (fixed, thin) = draw(500);
    assert!((0.1..0.3).contains(&fixed), "{fixed}");
    assert!(thin > 0.4, "{thin}");
}
