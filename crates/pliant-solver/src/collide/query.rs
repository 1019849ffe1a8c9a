//! [`SurfaceContact`]: what presses on what, for programs that ask while they run.

use nalgebra::Vector3;
use pliant_constraints::FrictionalContact;
use pliant_kernel::{Item, Particle, Scalar, widen};

/// Two elements of surfaces that pressed on each other in the last substep: a vertex and a triangle, or two edges.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SurfaceContact {
    /// The bodies of the first and of the second element, as places in
    /// [`body_ranges`](crate::World::body_ranges); the same twice where a body touches itself.
    pub bodies: [usize; 2],
    /// The particles of both elements, in the numbering of the simulation: those of the first have positive
    /// weights, or zero. Numbers from that of the particles on are vertices of [skins](crate::Body::skin),
    /// body by body.
    pub particles: [usize; 4],
    /// Signed barycentric weights of the closest points: Σ b x leads from the second point to the first.
    pub weights: [f64; 4],
    /// Halfway between the two closest points, m.
    pub point: Vector3<f64>,
    /// Unit vector from the second element to the first.
    pub normal: Vector3<f64>,
    /// How far the points are apart along it, m.
    pub distance: f64,
    /// What the first element got from the second in that substep, N·s: pressure and friction. Divided by the
    /// length of the substep it is a force.
    pub impulse: Vector3<f64>,
}

/// What a row says, if it presses: particles are those of the set's own numbering, `part_of` and `caller`
/// lead out of it.
pub(super) fn pressing<T: Scalar>(
    item: &Item<T, FrictionalContact<f64>, 4, 3>,
    now: &[Particle<T>],
    h: f64,
    caller: &dyn Fn(u32) -> usize,
    part_of: &dyn Fn(u32) -> usize,
) -> Option<SurfaceContact> {
    let [x, y, z] = item.lambda().map(T::to_f64);
    let impulse = Vector3::new(x, y, z) / h;
    if h <= 0.0 || impulse == Vector3::zeros() {
        return None;
    }
    let contact = item.rest();
    let weights = contact.weights.map(T::to_f64);
    let at = item.stencil().map(|v| widen(&now[v as usize].x));
    let (mut between, mut sum) = (Vector3::zeros(), Vector3::zeros());
    for (x, b) in at.iter().zip(weights) {
        between += x * b;
        sum += x * b.abs();
    }
    let [first, .., last] = item.stencil();
    let particles = item.stencil().map(caller);
    let normal = widen(&contact.normal);
    Some(SurfaceContact {
        bodies: [part_of(first), part_of(last)],
        particles,
        weights,
        point: sum * 0.5,
        normal,
        distance: normal.dot(&between),
        impulse,
    })
}
