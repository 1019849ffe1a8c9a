//! [`Geometry`]: how far a point is from a surface, and which way is out.
//!
//! Planes, balls and boxes are measured in the scalar of the simulation. The other shapes are measured in
//! `f64` and rounded once, so that a simulation in single precision sees the surface that it was given.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{Real, difference, norm, splat_vector, times};
use pliant_kernel::{Lanes, Scalar, widen};
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

/// The errors of a distance by which a particle may be beyond reach, in units of the last place of its coordinates.
const ROUNDED: f64 = 32.0;

/// How large a surface is.
pub(super) struct Extent {
    /// A box around a shape that is not measured in the scalar of the simulation.
    bounds: Option<Aabb>,
    /// What the rounding of its distances grows with, m.
    scale: f64,
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

    /// What [`distance`](Self::distance) needs to know beside the shape.
    pub(super) fn extent(&self) -> Extent {
        let bounds = self.bounds();
        let largest = |corner: &Vector3<f64>| {
            corner.iter().filter(|v| v.is_finite()).fold(0.0_f64, |most, v| most.max(v.abs()))
        };
        let scale = match (self, &bounds) {
            (Self::Capsule { ends: [a, b], radius }, _) => largest(a) + largest(b) + radius,
            (_, Some(Aabb { min, max })) => largest(min) + largest(max),
            _ => 0.0,
        };
        Extent { bounds, scale }
    }

    /// The signed distance of points side by side, with the bits of [`gap`](Self::gap) where that is measured in the
    /// same scalar; no more than it elsewhere.
    #[inline(always)]
    pub(super) fn distance<L: Lanes<T>>(&self, x: &Vector3<L>, extent: &Extent) -> L {
        let least = match self {
            Self::Plane { normal, offset } => {
                return splat_vector::<L>(&widen(normal)).dot(x) - L::splat(offset.to_f64());
            }
            Self::Sphere { centre, radius } => {
                return norm(&difference(x, &splat_vector(&widen(centre)))) - L::splat(radius.to_f64());
            }
            Self::Box { centre, half } => {
                let (d, half) =
                    (difference(x, &splat_vector(&widen(centre))), splat_vector::<L>(&widen(half)));
                let q = Vector3::new(d.x.abs() - half.x, d.y.abs() - half.y, d.z.abs() - half.z);
                return norm(&positive(&q)) + q.x.max(q.y).max(q.z).min(L::zero());
            }
            Self::Capsule { ends: [a, b], radius } => {
                let (axis, from) = (splat_vector::<L>(&(b - a)), difference(x, &splat_vector(a)));
                let square = (b - a).dot(&(b - a)).max(f64::MIN_POSITIVE);
                let along = (axis.dot(&from) * L::splat(1.0 / square)).max(L::zero()).min(L::one());
                norm(&difference(&from, &times(&axis, along))) - L::splat(*radius)
            }
            Self::Hull(_) | Self::HeightField(_) | Self::DistanceGrid(_) => {
                let Some(Aabb { min, max }) = &extent.bounds else { return L::splat(f64::NEG_INFINITY) };
                let below = difference(&splat_vector::<L>(min), x);
                let above = difference(x, &splat_vector::<L>(max));
                let outside = Vector3::new(below.x.max(above.x), below.y.max(above.y), below.z.max(above.z));
                let outside = norm(&positive(&outside));
                L::select(outside.le(L::zero()), L::splat(f64::NEG_INFINITY), outside)
            }
        };
        // Less what is rounded on the way.
        let scale = x.x.abs() + x.y.abs() + x.z.abs() + L::splat(extent.scale);
        least - scale * L::splat(ROUNDED * T::EPSILON)
    }

    /// Whether a point is farther away than `radius`, m, judged by a box around the surface: false does not
    /// mean that the point is near.
    pub(super) fn is_clear(&self, x: &Vector3<T>, radius: T) -> bool {
        let radius = radius.to_f64();
        self.bounds().is_some_and(|bounds| bounds.distance_squared(&widen(x)) > radius * radius)
    }

    /// A box around a surface that is not simple.
    fn bounds(&self) -> Option<Aabb> {
        match self {
            Self::Plane { .. } | Self::Sphere { .. } | Self::Box { .. } | Self::Capsule { .. } => None,
            Self::Hull(hull) => Some(hull.bounds()),
            Self::DistanceGrid(solid) => Some(solid.bounds().grown(solid.cell())),
            Self::HeightField(ground) => {
                // A point below the ground is not clear.
                let bounds = ground.bounds();
                Some(Aabb { min: Vector3::new(bounds.min.x, f64::NEG_INFINITY, bounds.min.z), ..bounds })
            }
        }
    }
}

/// What of a vector is above zero, and zero for the rest.
#[inline(always)]
fn positive<L: Real>(v: &Vector3<L>) -> Vector3<L> {
    Vector3::new(v.x.max(L::zero()), v.y.max(L::zero()), v.z.max(L::zero()))
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
