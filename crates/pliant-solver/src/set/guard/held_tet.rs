//! [`HeldTet`]: a tetrahedron that is kept open.

use nalgebra::Vector3;
use pliant_kernel::{Particle, Scalar, widen};

/// J₀: no element of the guard is left with less of its volume, as far as the rounds suffice.
pub(super) const LEAST: f64 = 0.05;

/// What an element with less than [`LEAST`] is opened to in long substeps. Somewhat more than that, so that rounds come to an end instead of approaching it.
pub(super) const OPENED: f64 = 0.06;

/// An element with less of its volume is in danger until the guard looks again.
pub(super) const DANGER: f64 = 0.3;

/// The most that J is raised at once.
pub(super) const LONGEST_STEP: f64 = 1.0;

/// ε of the regularisation.
pub(super) const FLOOR: f64 = 1e-3;

/// A tetrahedron and its data at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HeldTet {
    pub(super) vertices: [u32; 4],
    /// One over the determinant of the edges at rest, 1/m³.
    pub(super) inverse: f64,
    /// Mean of the squared inverse altitudes at rest, 1/m².
    pub(super) altitude: f64,
}

impl HeldTet {
    /// A tetrahedron with the positions `rest`, m, at rest; `None` if it is flat.
    pub(super) fn new(vertices: [u32; 4], rest: &[Vector3<f64>; 4]) -> Option<Self> {
        let (det, gradients) = volume(rest);
        let inverse = 1.0 / det;
        let altitude = 0.25 * gradients.iter().map(|g| (g * inverse).norm_squared()).sum::<f64>();
        (inverse.is_finite() && altitude.is_finite()).then_some(Self { vertices, inverse, altitude })
    }

    /// The same tetrahedron in another numbering.
    pub(super) fn renumbered(self, map: impl Fn(u32) -> u32) -> Self {
        Self { vertices: self.vertices.map(map), ..self }
    }

    /// J, and its gradients, 1/m.
    pub(super) fn ratio(&self, x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
        let (det, gradients) = volume(x);
        (det * self.inverse, gradients.map(|g| g * self.inverse))
    }

    /// How far the points move, and the multiplier, so that J reaches `to`; `None` if it is not below
    /// [`LEAST`], or no point can move.
    pub(super) fn open(
        &self,
        x: &[Vector3<f64>; 4],
        w: &[f64; 4],
        to: f64,
    ) -> Option<([Vector3<f64>; 4], f64)> {
        let (ratio, gradients) = self.ratio(x);
        if ratio.is_nan() || ratio >= LEAST {
            return None;
        }
        let below = to - ratio;
        let squares: f64 = gradients.iter().zip(w).map(|(g, w)| w * g.norm_squared()).sum();
        let lambda = below.min(LONGEST_STEP) / (squares + FLOOR * self.altitude * w.iter().sum::<f64>());
        lambda.is_finite().then(|| (std::array::from_fn(|j| gradients[j] * (w[j] * lambda)), lambda))
    }

    /// Whether J is below `share`. Most are not, so it is computed without gradients and in the numbers of the
    /// state.
    pub(super) fn is_below<T: Scalar>(&self, particles: &[Particle<T>], share: f64) -> bool {
        let [o, a, b, c] = self.vertices.map(|v| particles[v as usize].x);
        let det = (a - o).dot(&(b - o).cross(&(c - o)));
        det.to_f64() * self.inverse < share
    }

    pub(super) fn places<T: Scalar>(&self, particles: &[Particle<T>]) -> [Vector3<f64>; 4] {
        self.vertices.map(|v| widen(&particles[v as usize].x))
    }
}

/// The determinant of the edges, m³, which is six volumes, and its gradients, m².
pub(super) fn volume(x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
    let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let gradients = [b.cross(&c), c.cross(&a), a.cross(&b)];
    (
        a.dot(&gradients[0]),
        [-(gradients[0] + gradients[1] + gradients[2]), gradients[0], gradients[1], gradients[2]],
    )
}
