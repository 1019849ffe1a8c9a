//! [`Geometry`]: how far a point is from a surface, and which way is out.
//!
//! Planes, balls and boxes are measured in the scalar of the simulation. The other shapes are measured in
//! `f64` and rounded once, so that a simulation in single precision sees the surface that it was given.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{norm, splat_vector};
use pliant_kernel::{Scalar, widen};
use pliant_mesh::{Aabb, ConvexHull, DistanceGrid, HeightField, nearest_on_segment};

use crate::describe::obstacle::Shape;

/// Shape in the obstacle's own frame.
#[derive(Debug, Clone)]
pub(super) enum Geometry<T: Scalar> {
    Plane { normal: Vector3<T>, offset: T },
    Sphere { centre: Vector3<T>, radius: T },
    Box { centre: Vector3<T>, half: Vector3<T> },
    Capsule { ends: [Vector3<f64>; 2], radius: f64 },
    Hull(Arc<ConvexHull>),
    HeightField(Arc<HeightField>),
    DistanceGrid(Arc<DistanceGrid>),
}

impl<T: Scalar> Geometry<T> {
    /// Signed distance and outward normal, in the obstacle's own frame.
    pub(super) fn gap(&self, x: &Vector3<T>) -> (T, Vector3<T>) {
        let zero = T::zero();
        match self {
            Self::Plane { normal, offset } => (normal.dot(x) - *offset, *normal),
            Self::Sphere { centre, radius } => {
                let d = x - centre;
                let length = norm(&d);
                // A particle exactly in the centre leaves upwards.
                let n = if length > zero { d / length } else { Vector3::new(zero, T::one(), zero) };
                (length - *radius, n)
            }
            Self::Box { centre, half } => {
                let d = x - centre;
                let sign = d.map(|c| if c < zero { -T::one() } else { T::one() });
                let q = Vector3::new(d.x.abs(), d.y.abs(), d.z.abs()) - half;
                if q.x > zero || q.y > zero || q.z > zero {
                    let outside = Vector3::new(q.x.max(zero), q.y.max(zero), q.z.max(zero));
                    let distance = norm(&outside);
                    (distance, outside.component_mul(&sign) / distance)
                } else {
                    let k = (1..3).fold(0, |best, k| if q[k] > q[best] { k } else { best });
                    let mut n = Vector3::zeros();
                    n[k] = sign[k];
                    (q[k], n)
                }
            }
            Self::Capsule { ends, radius } => rounded(capsule_gap(&widen(x), ends, *radius)),
            Self::Hull(hull) => rounded(hull.gap(&widen(x))),
            Self::HeightField(ground) => rounded(ground.gap(&widen(x))),
            Self::DistanceGrid(solid) => rounded(solid.gap(&widen(x))),
        }
    }

    /// Whether a point is farther away than `radius`, m, judged by a box around the surface: false does not
    /// mean that the point is near.
    pub(super) fn is_clear(&self, x: &Vector3<T>, radius: T) -> bool {
        let bounds = match self {
            Self::Plane { .. } | Self::Sphere { .. } | Self::Box { .. } | Self::Capsule { .. } => {
                return false;
            }
            Self::Hull(hull) => hull.bounds(),
            Self::DistanceGrid(solid) => solid.bounds().grown(solid.cell()),
            Self::HeightField(ground) => {
                // A point below the ground is not clear.
                let bounds = ground.bounds();
                Aabb { min: Vector3::new(bounds.min.x, f64::NEG_INFINITY, bounds.min.z), ..bounds }
            }
        };
        let radius = radius.to_f64();
        bounds.distance_squared(&widen(x)) > radius * radius
    }
}

/// A gap and a normal in the scalar of the simulation.
fn rounded<T: Scalar>((gap, normal): (f64, Vector3<f64>)) -> (T, Vector3<T>) {
    (T::splat(gap), splat_vector(&normal))
}

fn capsule_gap(x: &Vector3<f64>, ends: &[Vector3<f64>; 2], radius: f64) -> (f64, Vector3<f64>) {
    let out = x - nearest_on_segment(x, ends).point;
    let distance = out.norm();
    if distance > 0.0 {
        return (distance - radius, out / distance);
    }
    // A particle exactly on the axis leaves at right angles to it, upwards if that is possible.
    let axis = (ends[1] - ends[0]).try_normalize(0.0).unwrap_or_else(Vector3::zeros);
    let across = |way: Vector3<f64>| (way - axis * axis.dot(&way)).try_normalize(1e-3);
    (-radius, across(Vector3::y()).or_else(|| across(Vector3::x())).unwrap_or_else(Vector3::y))
}

/// Splits a shape into surfaces: a container has six.
pub(super) fn geometries<T: Scalar>(shape: &Shape) -> Vec<Geometry<T>> {
    let plane = |normal: Vector3<f64>, offset: f64| {
        let length = normal.dot(&normal).sqrt();
        Geometry::Plane { normal: splat_vector(&(normal / length)), offset: T::splat(offset / length) }
    };
    match shape {
        Shape::Plane { normal, offset } => vec![plane(*normal, *offset * normal.dot(normal).sqrt())],
        Shape::Sphere { centre, radius } => {
            vec![Geometry::Sphere { centre: splat_vector(centre), radius: T::splat(*radius) }]
        }
        Shape::Box { centre, half_extents } => {
            vec![Geometry::Box { centre: splat_vector(centre), half: splat_vector(half_extents) }]
        }
        Shape::Container { min, max } => (0..3)
            .flat_map(|k| {
                let mut axis = Vector3::zeros();
                axis[k] = 1.0;
                [plane(axis, min[k]), plane(-axis, -max[k])]
            })
            .collect(),
        Shape::Capsule { from, to, radius } => {
            vec![Geometry::Capsule { ends: [*from, *to], radius: *radius }]
        }
        Shape::Hull(hull) => vec![Geometry::Hull(Arc::clone(hull))],
        Shape::HeightField(ground) => vec![Geometry::HeightField(Arc::clone(ground))],
        Shape::DistanceGrid(solid) => vec![Geometry::DistanceGrid(Arc::clone(solid))],
    }
}

#[cfg(test)]
mod tests;
