//! [`Linearise`]: what a Newton step needs of constraints, eight side by side.

use nalgebra::Vector3;
use pliant_constraints::{Damping, Kind, MAX_REST, Place, linearise, pull_of};

use crate::batch::Batch;
use crate::item::Item;
use crate::lanes::{LaneJob, Lanes, PACK, Portable, Simd, Wide, side_by_side};
use crate::number::Number;
use crate::packs::{Given, Packs};
use crate::particles::Particle;

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
    /// Whether stiffnesses are wanted, and not only pulls.
    pub stiffness: bool,
    /// The instructions that may be used.
    pub simd: Simd,
}

/// The linearisation of a constraint.
pub struct Linearised<'a, T: Number> {
    /// Its number in the caller's list.
    pub source: usize,
    /// Its particles.
    pub stencil: &'a [u32],
    /// Its multipliers λ'.
    pub lambda: &'a [T],
    /// ∇Cᵀλ' at each of its particles, kg·m.
    pub pull: &'a [Vector3<T>],
    /// The blocks of its stiffness.
    pub blocks: StiffnessBlocks<'a, T>,
    /// Whether it is treated as rigid, so that λ' depends on λ; set only if stiffnesses are wanted.
    pub rigid: bool,
}

/// The blocks of a constraint's stiffness, kg, for each two of its particles j ≤ k: 00, 01, 02, …, 11, 12, …. None unless they are wanted.
#[derive(Debug, Clone, Copy)]
pub struct StiffnessBlocks<'a, T> {
    /// Row after row of every block, eight constraints side by side.
    columns: &'a [[[T; PACK]; 9]],
    lane: usize,
}

impl<'a, T: Number> StiffnessBlocks<'a, T> {
    /// The blocks, row after row.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = [T; 9]> + use<'a, T> {
        let lane = self.lane;
        self.columns.iter().map(move |rows| std::array::from_fn(|i| rows[i][lane]))
    }
}

/// Linearises eight constraints in place.
pub(crate) type LineariseOf<T, K, const N: usize, const M: usize> =
    fn(&mut Eight<T, N, M>, &Linearise<'_, T>, std::marker::PhantomData<K>);

/// Eight constraints, row after row.
pub(crate) struct Eight<T: Number, const N: usize, const M: usize> {
    x: [[[T; PACK]; 3]; N],
    previous: [[[T; PACK]; 3]; N],
    w: [[T; PACK]; N],
    rest: [[T; PACK]; MAX_REST],
    alpha_tilde: [T; PACK],
    lambda: [[T; PACK]; M],
    pull: [[[T; PACK]; 3]; N],
    rigid: [T; PACK],
    blocks: Vec<[[T; PACK]; 9]>,
    /// The particles, and the caller's numbers of the constraints; none where a lane holds no constraint.
    stencils: [[u32; N]; PACK],
    sources: [Option<usize>; PACK],
}

impl<T: Number, const N: usize, const M: usize> Eight<T, N, M> {
    fn new() -> Self {
        let none = [T::zero(); PACK];
        Self {
            x: [[none; 3]; N],
            previous: [[none; 3]; N],
            w: [none; N],
            rest: [none; MAX_REST],
            alpha_tilde: none,
            lambda: [none; M],
            pull: [[none; 3]; N],
            rigid: none,
            blocks: vec![[none; 9]; N * (N + 1) / 2],
            stencils: [[0; N]; PACK],
            sources: [None; PACK],
        }
    }

    /// Puts the points of a constraint into a lane.
    #[inline]
    fn place(&mut self, lane: usize, stencil: &[u32; N], at: &Linearise<'_, T>) {
        self.stencils[lane] = *stencil;
        for (j, &v) in stencil.iter().enumerate() {
            let (now, previous) = (&at.now[v as usize], &at.previous[v as usize]);
            for axis in 0..3 {
                self.x[j][axis][lane] = now.x[axis];
                self.previous[j][axis][lane] = previous.x[axis];
            }
            self.w[j][lane] = now.w;
        }
    }

    /// Puts a constraint into a lane.
    fn put<K: Kind<N, M>>(&mut self, lane: usize, item: &Item<T, K, N, M>, at: &Linearise<'_, T>) {
        self.place(lane, &item.stencil, at);
        let mut rest = [T::zero(); MAX_REST];
        K::rest_of(&item.rest, &mut rest[..K::REST]);
        for (row, value) in self.rest.iter_mut().zip(&rest[..K::REST]) {
            row[lane] = *value;
        }
        self.alpha_tilde[lane] = item.compliance * at.inverse_h2;
        for (row, value) in self.lambda.iter_mut().zip(&item.lambda) {
            row[lane] = *value;
        }
    }

    /// Loads the constraints of a pack with their data.
    #[inline(never)]
    fn load(&mut self, given: &Given<'_, T, N, M>, at: &Linearise<'_, T>) {
        self.sources = given.sources;
        for lane in 0..PACK {
            self.place(lane, &given.stencil(lane), at);
        }
        for (row, values) in self.rest.iter_mut().zip(given.rest) {
            *row = *values;
        }
        self.alpha_tilde = given.compliance.map(|compliance| compliance * at.inverse_h2);
        self.lambda.copy_from_slice(given.lambda);
    }

    /// Calls `take` with every constraint.
    #[inline(never)]
    fn hand_out(&self, at: &Linearise<'_, T>, take: &mut dyn FnMut(&Linearised<'_, T>)) {
        let columns = if at.stiffness { &self.blocks[..] } else { &[] };
        for (lane, source) in self.sources.iter().enumerate() {
            let Some(source) = *source else { continue };
            let lambda: [T; M] = std::array::from_fn(|row| self.lambda[row][lane]);
            let pull: [_; N] = std::array::from_fn(|j| {
                let [x, y, z] = &self.pull[j];
                Vector3::new(x[lane], y[lane], z[lane])
            });
            take(&Linearised {
                source,
                stencil: &self.stencils[lane],
                lambda: &lambda,
                pull: &pull,
                blocks: StiffnessBlocks { columns, lane },
                rigid: self.rigid[lane] > T::zero(),
            });
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
            let place = Place {
                x: &x,
                w: &w,
                alpha_tilde: L::load(&eight.alpha_tilde[lane..]),
                rigid,
                damping: Damping { previous: &previous, gamma },
            };
            let (lambda, pull) = if stiffness {
                let found = linearise(&constraint, &place, &lambda);
                found.rigid.store(&mut eight.rigid[lane..]);
                let mut into = eight.blocks.iter_mut();
                for j in 0..N {
                    for k in j..N {
                        let Some(rows) = into.next() else { break };
                        for r in 0..3 {
                            for c in 0..3 {
                                found.blocks[j][k][r][c].store(&mut rows[3 * r + c][lane..]);
                            }
                        }
                    }
                }
                (found.lambda, found.pull)
            } else {
                pull_of(&constraint, &place, &lambda)
            };
            for (value, row) in lambda.into_iter().zip(&mut eight.lambda) {
                value.store(&mut row[lane..]);
            }
            for (pull, rows) in pull.iter().zip(&mut eight.pull) {
                for axis in 0..3 {
                    pull[axis].store(&mut rows[axis][lane..]);
                }
            }
        }
    }
}

/// Linearises eight constraints.
pub(crate) fn linearise_here<T: Wide, K: Kind<N, M>, const N: usize, const M: usize>(
    eight: &mut Eight<T, N, M>,
    at: &Linearise<'_, T>,
    kind: std::marker::PhantomData<K>,
) {
    let Linearise { gamma, rigid, stiffness, simd, .. } = *at;
    T::dispatch(Job { eight, gamma, rigid, stiffness, kind }, simd);
}

impl<T: Wide, K: Kind<N, M>, const N: usize, const M: usize> Batch<T, K, N, M> {
    /// Calls `take` with every constraint, in their order; `kernel` linearises eight.
    pub(crate) fn linearise_with(
        &self,
        at: &Linearise<'_, T>,
        kernel: LineariseOf<T, K, N, M>,
        take: &mut dyn FnMut(&Linearised<'_, T>),
    ) {
        let mut eight = Eight::new();
        for some in self.items().chunks(PACK) {
            // The lanes behind them repeat the first.
            for lane in 0..PACK {
                eight.put(lane, some.get(lane).unwrap_or(&some[0]), at);
                eight.sources[lane] = some.get(lane).map(Item::source);
            }
            kernel(&mut eight, at, std::marker::PhantomData);
            eight.hand_out(at, take);
        }
    }
}

impl<T: Wide, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// Calls `take` with every constraint, in the order of the plan; `kernel` linearises a pack.
    pub(crate) fn linearise_with(
        &self,
        at: &Linearise<'_, T>,
        kernel: LineariseOf<T, K, N, M>,
        take: &mut dyn FnMut(&Linearised<'_, T>),
    ) {
        let mut eight = Eight::new();
        for (cluster, packs) in self.clusters().iter().enumerate() {
            for pack in packs.clone() {
                eight.load(&self.given(cluster, pack), at);
                kernel(&mut eight, at, std::marker::PhantomData);
                eight.hand_out(at, take);
            }
        }
    }

    /// Gives every constraint the multipliers λ' that `kernel` returns.
    pub(crate) fn relax_with(&mut self, at: &Linearise<'_, T>, kernel: LineariseOf<T, K, N, M>) {
        let mut eight = Eight::new();
        let at = Linearise { stiffness: false, ..*at };
        for cluster in 0..self.clusters().len() {
            for pack in self.clusters()[cluster].clone() {
                eight.load(&self.given(cluster, pack), &at);
                kernel(&mut eight, &at, std::marker::PhantomData);
                self.lambda_of(pack).copy_from_slice(&eight.lambda);
            }
        }
    }
}
