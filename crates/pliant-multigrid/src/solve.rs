//! Conjugate gradients, preconditioned by a W-cycle.

use crate::block::{Block, Vec4, plus_scaled};
use crate::level::Level;
use crate::matrix::{add_dot, times, total};
use crate::number::Number;
use crate::parts::Parts;
use crate::pieces;
use crate::rows::Rows;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The residual is small enough.
    Converged,
    /// It is not yet, after as many iterations as were allowed.
    MaxIterations,
    /// The matrix is not positive definite in a direction that came up.
    Indefinite,
    /// A number was not finite: in the matrix, in the right-hand side, or by overflow.
    NotFinite,
}

/// When a solution is exact enough: a number alone is for the residual.
///
/// ```
/// use pliant_multigrid::Tolerance;
///
/// let tolerance = Tolerance::from(1e-3);
/// assert_eq!(tolerance, Tolerance { residual: 1e-3, error: f64::INFINITY, distance: 0.0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The norm of the residual is at most this share of that of the right-hand side.
    pub residual: f64,
    /// The distance to the solution is expected to be at most this share of the distance that the iterations went, as
    /// [`Outcome::error`] says. Where some elements are far stiffer than others, residuals show little else than these,
    /// and this the motion of all.
    pub error: f64,
    /// Whatever the other two, iterations end where the distance to the solution, in the norm of the matrix, is at most
    /// this: the root of r·B r, with the residual r and the W-cycle B, or the sweeps of a [region](crate::Region), which
    /// approximates the inverse. Zero for never.
    pub distance: f64,
}

impl From<f64> for Tolerance {
    fn from(residual: f64) -> Self {
        Self { residual, error: f64::INFINITY, distance: 0.0 }
    }
}

/// The squares of the distances that iterations go, in the norm of the matrix. They are at right angles to each other.
#[derive(Default)]
struct Progress {
    all: f64,
    /// The last three, the latest first.
    last: [f64; 3],
    /// The square of the distance to the solution, where the iterations ended because of it.
    left: Option<f64>,
}

impl Progress {
    fn add(&mut self, square: f64) {
        self.all += square;
        let [last, before, _] = self.last;
        self.last = [square, last, before];
    }

    /// The distance to the solution over that so far: of a geometric series with the slower of the last two ratios.
    /// (Hestenes and Stiefel 1952: what is left is the root of the sum of the squares that follow.)
    fn error(&self) -> f64 {
        if let Some(left) = self.left {
            return (left / self.all).sqrt().min(1.0);
        }
        let [last, before, first] = self.last;
        if first <= 0.0 {
            return 1.0;
        }
        let ratio = (last / before).max(before / first).min(0.99);
        (last * ratio / (1.0 - ratio) / self.all).sqrt().min(1.0)
    }
}

/// The outcome of a solve, apart from the solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Iterations that the solution went through; each costs a W-cycle and a product.
    pub iterations: usize,
    /// The norm of the residual over that of the right-hand side, as the iterations carry it along: below some multiple
    /// of rounding the true one no longer follows. NaN if the right-hand side was not finite.
    pub residual: f64,
    /// The distance to the solution over the distance that the iterations went, in the norm of the matrix, as their own
    /// lengths suggest: if they go on to shrink at least as the last two did. One before the third iteration.
    pub error: f64,
    /// Why it ended.
    pub status: Status,
}

/// The vectors of conjugate gradients. The residual and the result of its W-cycle are those of the finest level.
#[derive(Debug)]
pub(crate) struct Vectors<T> {
    x: Vec<Vec4<T>>,
    direction: Vec<Vec4<T>>,
    product: Vec<Vec4<T>>,
    sums: Vec<f64>,
}

impl<T: Number> Vectors<T> {
    pub(crate) fn new(len: usize) -> Self {
        let zeros = || vec![[T::ZERO; 4]; len];
        Self {
            x: zeros(),
            direction: zeros(),
            product: zeros(),
            sums: vec![0.0; len.div_ceil(pieces::PIECE)],
        }
    }

    /// Where the solution starts from, and where it is afterwards.
    pub(crate) fn solution(&mut self) -> &mut [Vec4<T>] {
        &mut self.x
    }

    /// Solves for `b` of the first level, whose matrix is `values`.
    pub(crate) fn solve(
        &mut self,
        levels: &mut [Level<T>],
        parts: &mut Parts,
        values: &[Block<T>],
        tolerance: Tolerance,
        max_iterations: usize,
    ) -> Outcome {
        let mut outcome = Outcome { iterations: 0, residual: 0.0, error: 0.0, status: Status::Converged };
        let Some(rows) = levels.first().map(|level| std::sync::Arc::clone(&level.rows)) else {
            return outcome;
        };
        self.direction.fill([T::ZERO; 4]);
        let norm = norm(&mut levels[0].b, &mut self.sums);
        if norm == 0.0 {
            self.x.fill([T::ZERO; 4]);
            return outcome;
        }
        let mut residual = norm;
        if self.x.iter().flatten().any(|&x| x != T::ZERO) {
            residual = self.start(&rows, values, &mut levels[0].b);
        }
        let limit = tolerance.residual * norm;
        // The pending step along the direction, which is made together with the next direction.
        let (mut step, mut old) = (0.0, f64::INFINITY);
        let mut progress = Progress::default();
        // Where nothing is left, nothing is expected either.
        let is_open = |residual: f64, progress: &Progress| {
            progress.left.is_none()
                && (residual > limit || residual > 0.0 && progress.error() > tolerance.error)
        };
        while is_open(residual, &progress) && outcome.iterations < max_iterations {
            Level::cycle(levels, Some(values));
            let Level { b, x, .. } = &mut levels[0];
            let size = dot(b, x, &mut self.sums);
            if !(size > 0.0 && size.is_finite()) {
                outcome.status = if size <= 0.0 { Status::Indefinite } else { Status::NotFinite };
                break;
            }
            if outcome.iterations > 0 && size <= tolerance.distance * tolerance.distance {
                progress.left = Some(size);
                break;
            }
            self.turn(step, size / old, x);
            (step, old) = (0.0, size);
            let curvature = times(&rows, values, &self.direction, &mut self.product, &mut self.sums);
            if !(curvature > 0.0 && curvature.is_finite()) {
                outcome.status = if curvature <= 0.0 { Status::Indefinite } else { Status::NotFinite };
                break;
            }
            let along = size / curvature;
            let next = self.shorten(along, b);
            if !next.is_finite() || !T::of(along).wide().is_finite() {
                outcome.status = Status::NotFinite;
                break;
            }
            (step, residual) = (along, next);
            outcome.iterations += 1;
            progress.add(along * size);
        }
        outcome.error = if residual == 0.0 { 0.0 } else { progress.error() };
        self.turn(step, 0.0, &levels[0].x);
        if outcome.iterations > 0 && outcome.status == Status::Converged {
            parts.translate(&rows, values, &levels[0].b, &mut self.x);
        }
        outcome.residual = residual / norm;
        if !residual.is_finite() {
            outcome.status = Status::NotFinite;
        } else if outcome.status == Status::Converged && is_open(residual, &progress) {
            outcome.status = Status::MaxIterations;
        }
        if !self.x.iter().flatten().all(|x| x.wide().is_finite()) {
            self.x.fill([T::ZERO; 4]);
            outcome.status = Status::NotFinite;
        }
        outcome
    }

    /// `b - A x` in place of `b`, and its norm.
    fn start(&mut self, rows: &Rows, values: &[Block<T>], b: &mut [Vec4<T>]) -> f64 {
        times(rows, values, &self.x, &mut self.product, &mut self.sums);
        self.shorten(1.0, b)
    }

    /// `x += step · direction`, then `direction = z + keep · direction`.
    fn turn(&mut self, step: f64, keep: f64, z: &[Vec4<T>]) {
        let (step, keep) = (T::of(step), T::of(keep));
        pieces::rows2(&mut self.x, &mut self.direction, &|range, x, direction| {
            for ((x, d), z) in x.iter_mut().zip(direction).zip(&z[range]) {
                *x = plus_scaled(*x, step, d);
                *d = plus_scaled(*z, keep, d);
            }
        });
    }

    /// `r -= step · product`, and its norm.
    fn shorten(&mut self, step: f64, r: &mut [Vec4<T>]) -> f64 {
        let (step, product) = (T::of(step), &self.product);
        let sum = pieces::rows(r, &mut self.sums, &|range, r| {
            let mut sum = [0.0; 4];
            for (r, p) in r.iter_mut().zip(&product[range]) {
                *r = plus_scaled(*r, -step, p);
                add_dot(&mut sum, r, r);
            }
            total(sum)
        });
        sum.sqrt()
    }
}

fn dot<T: Number>(a: &mut [Vec4<T>], b: &[Vec4<T>], sums: &mut [f64]) -> f64 {
    pieces::rows(a, sums, &|range, a| {
        let mut sum = [0.0; 4];
        for (a, b) in a.iter().zip(&b[range]) {
            add_dot(&mut sum, a, b);
        }
        total(sum)
    })
}

fn norm<T: Number>(a: &mut [Vec4<T>], sums: &mut [f64]) -> f64 {
    let sum = pieces::rows(a, sums, &|_, a| {
        let mut sum = [0.0; 4];
        a.iter().for_each(|a| add_dot(&mut sum, a, a));
        total(sum)
    });
    sum.sqrt()
}
