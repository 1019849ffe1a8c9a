//! [`Linearise`]: constraints as a Newton step sees them, eight side by side.

use nalgebra::Vector3;
use pliant_constraints::{Damping, Kind, LinearisationPoint, MAX_REST, impulses_of, linearise};

use crate::item::Item;
use crate::lanes::{LaneJob, Lanes, PACK, Portable, Simd, Wide, side_by_side};
use crate::number::Number;
use crate::particles::Particle;

/// Short springs are stiffer by this factor at most. What is shorter still joins points, as a seam does.
const STIFFER: f64 = 100.0;

/// Springs that stand for rigid constraints.
///
/// They have the compliance ε J W Jᵀ. Where a mesh is finer by a factor, its particles are lighter by the square of it and more, so
/// the same load would strain it more by the square. So a spring is stiffer by the square of what it is shorter, but not what has no
/// length, such as a seam, or has one point.
#[derive(Debug, Clone, Copy)]
pub struct Springs<T> {
    /// The length from which on a spring is not short, m.
    pub long: T,
    /// The factor of the compliance of springs that stand for constraints which have none.
    pub softer: T,
}

/// Where constraints are linearised, and how: see [`linearise`](pliant_constraints::linearise).
#[derive(Debug, Clone, Copy)]
pub struct Linearise<'a, T: Number> {
    /// The particles, and behind them the dummies.
    pub now: &'a [Particle<T>],
    /// The particles at the start of the substep.
    pub previous: &'a [Particle<T>],
    /// 1/h², s⁻².
    pub inverse_h2: T,
    /// γ of the constraints, zero without damping.
    pub gamma: T,
    /// ε: constraints that are stiffer than this share of their inverse mass are treated as rigid.
    pub rigid: T,
    /// If given, λ is taken to be zero: rigid constraints are springs then, of the compliance α̃'.
    pub springs: Option<Springs<T>>,
    /// Whether constraints keep the multipliers λ'.
    pub keep: bool,
    /// The instructions that may be used.
    pub simd: Simd,
}

/// Linearises eight constraints in place, with their stiffnesses if they are wanted.
pub(crate) type LineariseOf<T, K, const N: usize, const M: usize> =
    fn(&mut Eight<T, N, M>, &Linearise<'_, T>, bool, std::marker::PhantomData<K>);

/// Eight constraints, row after row.
pub(crate) struct Eight<T: Number, const N: usize, const M: usize> {
    pub(crate) x: [[[T; PACK]; 3]; N],
    pub(crate) previous: [[[T; PACK]; 3]; N],
    pub(crate) w: [[T; PACK]; N],
    pub(crate) rest: [[T; PACK]; MAX_REST],
    pub(crate) alpha_tilde: [T; PACK],
    /// λ, which becomes λ'.
    pub(crate) lambda: [[T; PACK]; M],
    /// ∇Cᵀλ' at each point, kg·m.
    pub(crate) impulses: [[[T; PACK]; 3]; N],
    /// Above zero where a constraint is treated as rigid, so that λ' depends on λ; set only with stiffnesses.
    pub(crate) rigid: [T; PACK],
    /// The blocks of the stiffness, kg, for each two points j ≤ k, row after row.
    pub(crate) blocks: [[[[T; PACK]; 9]; N]; N],
}

impl<T: Number, const N: usize, const M: usize> Eight<T, N, M> {
    pub(crate) fn new() -> Self {
        let none = [T::zero(); PACK];
        Self {
            x: [[none; 3]; N],
            previous: [[none; 3]; N],
            w: [none; N],
            rest: [none; MAX_REST],
            alpha_tilde: none,
            lambda: [none; M],
            impulses: [[none; 3]; N],
            rigid: none,
            blocks: [[[none; 9]; N]; N],
        }
    }

    /// Puts a constraint into a lane.
    pub(crate) fn put<K: Kind<N, M>>(&mut self, lane: usize, item: &Item<T, K, N, M>, at: &Linearise<'_, T>) {
        for (j, &v) in item.stencil.iter().enumerate() {
            let (now, previous) = (&at.now[v as usize], &at.previous[v as usize]);
            for axis in 0..3 {
                self.x[j][axis][lane] = now.x[axis];
                self.previous[j][axis][lane] = previous.x[axis];
            }
            self.w[j][lane] = now.w;
        }
        let mut rest = [T::zero(); MAX_REST];
        K::rest_of(&item.rest, &mut rest[..K::REST]);
        for (row, value) in self.rest.iter_mut().zip(&rest[..K::REST]) {
            row[lane] = *value;
        }
        self.alpha_tilde[lane] = item.compliance * at.inverse_h2;
        for (row, value) in self.lambda.iter_mut().zip(&item.lambda) {
            row[lane] = if at.springs.is_some() { T::zero() } else { *value };
        }
    }
}

impl<T: Number, const N: usize, const M: usize> Eight<T, N, M> {
    /// Makes short springs stiffer, and those of constraints without a compliance softer, by inverse masses that are less or more.
    pub(crate) fn adapt(&mut self, springs: &Springs<T>) {
        let Self { x, w, alpha_tilde, .. } = self;
        stiffen(x, w, springs.long);
        if springs.softer > T::one() {
            soften(alpha_tilde, w, springs.softer);
        }
    }
}

/// Scales the inverse masses of points by a factor where there is no compliance.
#[inline(never)]
fn soften<T: Number>(alpha_tilde: &[T; PACK], w: &mut [[T; PACK]], softer: T) {
    for row in w {
        for (w, alpha) in row.iter_mut().zip(alpha_tilde) {
            *w *= if *alpha > T::zero() { T::one() } else { softer };
        }
    }
}

/// Scales the inverse masses of points by the square of their largest distance from the first over this length, m, where they are
/// nearer. Compiled once for each type of number, and not for each kind of constraint.
#[inline(never)]
fn stiffen<T: Number>(x: &[[[T; PACK]; 3]], w: &mut [[T; PACK]], long: T) {
    let Some((first, others)) = x.split_first() else { return };
    let mut square = [T::zero(); PACK];
    for point in others {
        let mut distance = [T::zero(); PACK];
        for (from, to) in first.iter().zip(point) {
            for ((sum, from), to) in distance.iter_mut().zip(from).zip(to) {
                let along = *to - *from;
                *sum += along * along;
            }
        }
        for (square, distance) in square.iter_mut().zip(distance) {
            *square = square.max(distance);
        }
    }
    let (long, least) = (long * long, T::splat(1.0 / STIFFER));
    let shares = square.map(|square| {
        let share = square / long;
        if share >= least { share.min(T::one()) } else { T::one() }
    });
    for row in w {
        for (w, share) in row.iter_mut().zip(shares) {
            *w *= share;
        }
    }
}

/// Linearises eight constraints in place: multipliers become λ'.
struct Job<'a, T: Number, K, const N: usize, const M: usize> {
    eight: &'a mut Eight<T, N, M>,
    gamma: T,
    rigid: T,
    stiffness: bool,
    kind: std::marker::PhantomData<K>,
}

/// A vector per point, from lanes.
#[inline(always)]
fn vectors<T: Number, L: Lanes<T>, const N: usize>(
    from: &[[[T; PACK]; 3]; N],
    lane: usize,
) -> [Vector3<L>; N] {
    let mut vectors = [Vector3::new(L::zero(), L::zero(), L::zero()); N];
    for (vector, [x, y, z]) in vectors.iter_mut().zip(from) {
        *vector = Vector3::new(L::load(&x[lane..]), L::load(&y[lane..]), L::load(&z[lane..]));
    }
    vectors
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> LaneJob<T> for Job<'_, T, K, N, M> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK / 2) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { eight, gamma, rigid, stiffness, .. } = self;
        let (gamma, rigid) = (L::splat(gamma.to_f64()), L::splat(rigid.to_f64()));
        for lane in (0..PACK).step_by(L::WIDTH) {
            let (x, previous) =
                (vectors::<T, L, N>(&eight.x, lane), vectors::<T, L, N>(&eight.previous, lane));
            let mut w = [L::zero(); N];
            for (w, row) in w.iter_mut().zip(&eight.w) {
                *w = L::load(&row[lane..]);
            }
            let mut rest = [L::zero(); MAX_REST];
            for (value, row) in rest[..K::REST].iter_mut().zip(&eight.rest) {
                *value = L::load(&row[lane..]);
            }
            let mut lambda = [L::zero(); M];
            for (value, row) in lambda.iter_mut().zip(&eight.lambda) {
                *value = L::load(&row[lane..]);
            }
            let constraint = K::from_rest::<L>(&rest[..K::REST]);
            let place = LinearisationPoint {
                x: &x,
                w: &w,
                alpha_tilde: L::load(&eight.alpha_tilde[lane..]),
                rigid,
                damping: Damping { previous: &previous, gamma },
            };
            let (lambda, impulses) = if stiffness {
                let found = linearise(&constraint, &place, &lambda);
                found.rigid.store(&mut eight.rigid[lane..]);
                for j in 0..N {
                    for k in j..N {
                        let rows = &mut eight.blocks[j][k];
                        for r in 0..3 {
                            for c in 0..3 {
                                found.blocks[j][k][r][c].store(&mut rows[3 * r + c][lane..]);
                            }
                        }
                    }
                }
                (found.lambda, found.impulses)
            } else {
                impulses_of(&constraint, &place, &lambda)
            };
            for (value, row) in lambda.into_iter().zip(&mut eight.lambda) {
                value.store(&mut row[lane..]);
            }
            for (impulse, rows) in impulses.iter().zip(&mut eight.impulses) {
                for axis in 0..3 {
                    impulse[axis].store(&mut rows[axis][lane..]);
                }
            }
        }
    }
}

/// Linearises eight constraints.
pub(crate) fn linearise_here<T: Wide, K: Kind<N, M>, const N: usize, const M: usize>(
    eight: &mut Eight<T, N, M>,
    at: &Linearise<'_, T>,
    stiffness: bool,
    kind: std::marker::PhantomData<K>,
) {
    let Linearise { gamma, rigid, simd, .. } = *at;
    T::dispatch(Job { eight, gamma, rigid, stiffness, kind }, simd);
}
