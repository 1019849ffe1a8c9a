//! [`Paths`]: where particles are expected to be from a detection on, and whether they are there.
//!
//! A particle is expected on a straight line, at c(k) = a + k s after k substeps, give or take half of the slack along each axis. Lists of near pairs hold as long as all are.

use nalgebra::Vector3;
use pliant_kernel::{Particle, Scalar};

/// Largest number of substeps for which pairs are detected.
const LONGEST: u32 = 20;
/// Particles whose speeds are looked at to find out what is usual.
const SAMPLES: usize = 512;

/// The expected ways of all particles.
pub(super) struct Paths<T: Scalar> {
    anchors: Vec<Vector3<T>>,
    steps: Vec<Vector3<T>>,
    /// Substeps since the detection, and those for which it is good.
    age: u32,
    horizon: u32,
    /// Half of the slack, m, less what is rounded.
    half: T,
}

impl<T: Scalar> Paths<T> {
    pub(super) fn new(particles: usize, slack: f64) -> Self {
        Self {
            anchors: vec![Vector3::zeros(); particles],
            steps: vec![Vector3::zeros(); particles],
            age: 0,
            horizon: 0,
            half: T::splat(0.499 * slack),
        }
    }

    /// The lists are void.
    pub(super) fn forget(&mut self) {
        (self.age, self.horizon) = (0, 0);
    }

    /// Whether the lists have served their time.
    pub(super) fn is_over(&self) -> bool {
        self.age >= self.horizon
    }

    /// Starts new ways at the positions of the start of a substep, towards those predicted for its end. `reach` is how far surfaces may come towards each other before it matters, m.
    pub(super) fn start(
        &mut self,
        vertices: &[u32],
        previous: &[Particle<T>],
        now: &[Particle<T>],
        reach: f64,
    ) -> Vector3<T> {
        let mut sum = Vector3::<f64>::zeros();
        for &v in vertices {
            let v = v as usize;
            self.anchors[v] = previous[v].x;
            self.steps[v] = now[v].x - previous[v].x;
            sum += pliant_kernel::widen(&self.steps[v]);
        }
        let frame = sum / vertices.len().max(1) as f64;
        let stride = vertices.len().div_ceil(SAMPLES).max(1);
        let mut ways: Vec<f64> = vertices
            .iter()
            .step_by(stride)
            .map(|&v| (pliant_kernel::widen(&self.steps[v as usize]) - frame).norm())
            .collect();
        ways.sort_unstable_by(f64::total_cmp);
        let usual = ways.get(ways.len() * 9 / 10).copied().unwrap_or(0.0);
        self.age = 0;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 2 and 20")]
        let horizon = (reach / usual).clamp(2.0, f64::from(LONGEST)) as u32;
        self.horizon = horizon;
        pliant_constraints::splat_vector(&frame)
    }

    /// Ways of particles from where they are now, for as long as the others are good.
    pub(super) fn horizon(&self) -> u32 {
        self.horizon
    }

    pub(super) fn anchors(&self) -> &[Vector3<T>] {
        &self.anchors
    }

    pub(super) fn steps(&self) -> &[Vector3<T>] {
        &self.steps
    }

    /// Whether a particle is where it is expected at the start of this substep (`ahead` 0) or at its end (1).
    #[inline(always)]
    fn is_there(&self, v: usize, x: &Vector3<T>, ahead: u32) -> bool {
        let k = T::splat(f64::from(self.age + ahead));
        let off = x - (self.anchors[v] + self.steps[v] * k);
        let (x, y, z) = (off.x.abs(), off.y.abs(), off.z.abs());
        x.max(y).max(z) <= self.half
    }

    /// Whether all particles are on their ways at the start of this substep, and by prediction at its end.
    pub(super) fn are_kept(&self, vertices: &[u32], previous: &[Particle<T>], now: &[Particle<T>]) -> bool {
        vertices.iter().all(|&v| {
            let v = v as usize;
            self.is_there(v, &previous[v].x, 0) && self.is_there(v, &now[v].x, 1)
        })
    }

    /// Marks the particles that have left their ways at the end of this substep; says whether there are any.
    pub(super) fn mark_strays(&self, vertices: &[u32], now: &[Particle<T>], strays: &mut [bool]) -> bool {
        let mut any = false;
        for &v in vertices {
            let v = v as usize;
            let strays_now = !self.is_there(v, &now[v].x, 1);
            strays[v] = strays_now;
            any |= strays_now;
        }
        any
    }

    /// A substep is over.
    pub(super) fn go_on(&mut self) {
        self.age += 1;
    }
}
