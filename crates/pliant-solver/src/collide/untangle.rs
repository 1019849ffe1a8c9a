//! What crosses is driven apart, so that the line in which two surfaces cross gets shorter.
//!
//! An edge with direction E crosses a triangle with normal N. Each triangle at the edge meets it along a
//! line; R is its direction, away from the edge. The line of crossing gets shorter the fastest where the edge
//! moves, relative to the triangle, along
//!
//! ```text
//! G = Σ over the triangles at the edge of  R − 2 (E·R)/(E·N) N
//! ```
//!
//! so both ends of the edge are pushed that way against the triangle, by a small step in every substep, until
//! they are apart. Nothing need be known of what is inside and what is outside.
//!
//! Source: Volino and Magnenat-Thalmann, "Resolving surface collisions through intersection contour
//! minimization" (2006), equation 4.

use nalgebra::Vector3;
use pliant_constraints::FrictionalContact;
use pliant_kernel::{Particle, Scalar, widen};

/// Least sine of the angle between edge and triangle that is divided by.
const LEAST_SINE: f64 = 0.1;

/// A crossing with what is around it.
#[derive(Debug, Clone)]
pub(super) struct Knot {
    /// Ends of the edge, and corners of the triangle.
    pub(super) edge: [u32; 2],
    pub(super) triangle: [u32; 3],
    /// The corners of the triangles at the edge that are not its ends.
    pub(super) wings: Vec<u32>,
}

impl Knot {
    /// The contacts that drive the ends of the edge by `step`, m, against the triangle, if the two cross at
    /// the positions `at`.
    pub(super) fn drive<T: Scalar>(
        &self,
        at: &[Particle<T>],
        step: f64,
        mut push: impl FnMut([u32; 4], FrictionalContact<T>),
    ) {
        let x = |v: u32| widen(&at[v as usize].x);
        let ([p, q], [a, b, c]) = (self.edge.map(x), self.triangle.map(x));
        let normal = (b - a).cross(&(c - a));
        let (area, along) = (normal.norm(), q - p);
        let length = along.norm();
        let (n, e) = (normal / area, along / length);
        let sine = e.dot(&n);
        let share = (a - p).dot(&n) / along.dot(&n);
        let place = p + along * share;
        let weight =
            |from: &Vector3<f64>, to: &Vector3<f64>| (to - from).cross(&(place - from)).dot(&n) / area;
        let [u, v, w] = [weight(&b, &c), weight(&c, &a), weight(&a, &b)];
        let crosses = (0.0..=1.0).contains(&share) && u >= 0.0 && v >= 0.0 && w >= 0.0;
        if !crosses {
            return;
        }
        let sine = sine.signum() * sine.abs().max(LEAST_SINE);
        let mut way = Vector3::zeros();
        for &wing in &self.wings {
            let side = x(wing) - p;
            let inward = side - e * e.dot(&side);
            let line = e.cross(&inward).cross(&n);
            let size = line.norm();
            if size > 0.0 {
                let line = line / (size * line.dot(&inward).signum());
                way += line - n * (2.0 * e.dot(&line) / sine);
            }
        }
        let size = way.norm();
        if size.is_nan() || size <= 1e-9 {
            return;
        }
        let way = way / size;
        for (end, from) in self.edge.into_iter().zip([p, q]) {
            let apart = from - place;
            let contact = FrictionalContact {
                normal: pliant_constraints::splat_vector(&way),
                weights: [1.0, -u, -v, -w].map(T::splat),
                distance: T::splat(way.dot(&apart) + step),
                friction: [T::zero(); 2],
                slip: Vector3::zeros(),
            };
            push([end, self.triangle[0], self.triangle[1], self.triangle[2]], contact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn particles(x: &[[f64; 3]]) -> Vec<Particle<f64>> {
        x.iter().map(|x| Particle::new(Vector3::from(*x), 1.0)).collect()
    }

    #[test]
    fn an_edge_at_the_border_of_a_sheet_is_drawn_out_of_a_triangle() {
        // The edge is the border of a sheet that lies to its left: it leaves to the left.
        let at = particles(&[
            [0.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [-1.0, 0.0, 0.0],
            [-3.0, 0.0, -2.0],
            [2.0, 0.0, -2.0],
            [0.0, 0.0, 4.0],
        ]);
        let knot = Knot { edge: [0, 1], triangle: [3, 4, 5], wings: vec![2] };
        let mut found = Vec::new();
        knot.drive(&at, 0.01, |points, contact| found.push((points, contact)));
        assert_eq!(found.len(), 2);
        for (points, contact) in found {
            assert_eq!(points[1..], [3, 4, 5]);
            assert!((contact.normal + Vector3::x()).norm() < 1e-12, "{}", contact.normal);
            assert!((contact.distance - 0.01).abs() < 1e-12);
            assert!(contact.weights.iter().sum::<f64>().abs() < 1e-12);
        }
    }

    #[test]
    fn what_does_not_cross_is_left_alone() {
        let at = particles(&[
            [5.0, -1.0, 0.0],
            [5.0, 1.0, 0.0],
            [4.0, 0.0, 0.0],
            [-3.0, 0.0, -2.0],
            [2.0, 0.0, -2.0],
            [0.0, 0.0, 4.0],
        ]);
        let knot = Knot { edge: [0, 1], triangle: [3, 4, 5], wings: vec![2] };
        knot.drive(&at, 0.01, |_, _| panic!("it does not cross"));
    }
}
