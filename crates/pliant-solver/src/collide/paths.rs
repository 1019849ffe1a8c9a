//! [`Paths`]: where particles are expected to be from a detection on, and whether they are there.
//!
//! A particle is expected on a straight line, at c(k) = a + k s after k substeps, give or take half of the
//! slack, and all of them may drift together. Lists of near pairs hold as long as all are; who has strayed
//! gets a new path, and its pairs are listed again.
//!
//! What a particle does alone from one substep to the next is not a path: steps are those predicted at the
//! start, smoothed along the edges. Cloth at rest trembles on the spot.

mod off;

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_contact::{Since, Surface};
use pliant_kernel::{Particle, Scalar, Simd, Team, widen};
use pliant_mesh::Adjacency;

use off::{Astray, Mean, Off};

/// How far surfaces may come towards each other before lists are made again, in thicknesses.
const REACH: f64 = 1.0;
/// The slack in thicknesses: of what is at rest, and of what moves. A larger one makes longer lists, which
/// hold for longer.
const SLACK: [f64; 2] = [0.6, 1.0];
/// Largest number of substeps for which pairs are detected, and how many times more than by the detection before.
const LONGEST: u32 = 32;
const LONGER: f64 = 4.0;
/// Particles whose speeds are looked at to find out what is usual.
const SAMPLES: usize = 512;
/// Particles that are looked at together.
const PIECE: usize = 2048;

/// The expected ways of all particles. Anchors and steps are particles without mass: lanes read eight of them at once.
pub(super) struct Paths<T: Scalar> {
    anchors: Vec<Particle<T>>,
    steps: Vec<Particle<T>>,
    /// Steps while they are smoothed, and the neighbours of every particle.
    smoothed: Vec<Particle<T>>,
    around: Adjacency,
    /// What all have in common, m per substep.
    frame: Vector3<T>,
    /// Substeps since the detection, and those for which it is good.
    age: u32,
    horizon: u32,
    /// How far the surfaces of listed pairs go past each other in a substep, m: what nine in ten do not
    /// exceed. Known from the second detection of a frame on, because no motion before its start
    /// is part of the state.
    past: Option<f64>,
    /// The least distance of two surfaces that meet, m.
    thickness: f64,
    /// How far two particles together may stray from their paths before lists no longer hold, m.
    slack: f64,
    /// How far all have drifted together since the detection, m; nothing where something is held.
    drift: Vector3<T>,
    /// The same at the start of this substep.
    drift_before: Vector3<T>,
    drifts: bool,
    /// Sums and strays, by pieces of the list of vertices.
    sums: Vec<Vector3<f64>>,
    marked: Vec<Vec<u32>>,
    /// Samples of lengths, sorted.
    lengths: Vec<f64>,
}

impl<T: Scalar> Paths<T> {
    pub(super) fn new(surface: &Surface, thickness: f64) -> Self {
        let nowhere = vec![Particle::new(Vector3::zeros(), T::zero()); surface.particles()];
        Self {
            anchors: nowhere.clone(),
            steps: nowhere.clone(),
            smoothed: nowhere,
            around: Adjacency::of_edges(surface.particles(), surface.edges()),
            frame: Vector3::zeros(),
            age: 0,
            horizon: 0,
            past: None,
            thickness,
            slack: 0.0,
            drift: Vector3::zeros(),
            drift_before: Vector3::zeros(),
            drifts: false,
            sums: Vec::new(),
            marked: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// The lists are void.
    pub(super) fn forget(&mut self) {
        (self.age, self.horizon) = (0, 0);
        self.past = None;
    }

    /// Whether the lists have served their time.
    pub(super) fn is_over(&self) -> bool {
        self.age >= self.horizon
    }

    /// Starts new paths at the positions of the start of a substep, towards those predicted for its end.
    pub(super) fn start(
        &mut self,
        surface: &Surface,
        previous: &[Particle<T>],
        now: &[Particle<T>],
        team: Team<'_>,
    ) {
        let vertices = surface.vertices();
        let paths = self.anchors.chunks_mut(PIECE).zip(self.steps.chunks_mut(PIECE));
        let ends = previous.chunks(PIECE).zip(now.chunks(PIECE));
        team.for_each(paths.zip(ends), |((anchors, steps), (previous, now))| {
            for ((anchor, step), (from, to)) in anchors.iter_mut().zip(steps).zip(previous.iter().zip(now)) {
                anchor.x = from.x;
                step.x = to.x - from.x;
            }
        });
        self.smooth(now, team);
        let steps = &self.steps;
        let frame = mean(vertices, &mut self.sums, team, |vertices| {
            vertices.iter().map(|&v| widen(&steps[v as usize].x)).sum()
        });
        self.frame = splat_vector(&frame);
        let ways = vertices.iter().map(|&v| (widen(&self.steps[v as usize].x) - frame).norm());
        let usual = usual(ways, &mut self.lengths).unwrap_or(0.0);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 2 and the longest"
        )]
        let horizon = self.substeps_for(usual).clamp(2.0, f64::from(LONGEST)) as u32;
        let [least, most] = SLACK;
        self.slack = (least * self.thickness + 2.0 * usual).min(most * self.thickness);
        (self.age, self.horizon) = (0, horizon);
        let mut steps = std::mem::take(&mut self.steps);
        team.for_each(steps.chunks_mut(PIECE), |steps| {
            steps.iter_mut().for_each(|step| step.x = self.shortened(&step.x, horizon));
        });
        self.steps = steps;
        (self.drift, self.drift_before) = (Vector3::zeros(), Vector3::zeros());
        self.drifts = vertices.iter().all(|&v| now[v as usize].w > T::zero());
    }

    /// For how many substeps lists hold where particles usually go so far, m, in one. What moves fast
    /// together comes towards each other slowly.
    fn substeps_for(&self, usual: f64) -> f64 {
        let reach = REACH * self.thickness;
        let past = self.past.map_or(0.0, |past| (reach / past).min(LONGER * f64::from(self.horizon)));
        (reach / usual).max(past)
    }

    /// Learns from the pairs that were listed, as a particle of either side, how far surfaces go past each other.
    pub(super) fn learn(&mut self, pairs: impl ExactSizeIterator<Item = [u32; 2]>) {
        let Self { steps, lengths, .. } = self;
        self.past =
            usual(pairs.map(|[a, b]| widen(&(steps[a as usize].x - steps[b as usize].x)).norm()), lengths);
    }

    /// A step beside the common one, less so much that after these substeps the path falls short by a quarter
    /// of the slack: what only trembles is expected to stay where it is.
    fn shortened(&self, step: &Vector3<T>, substeps: u32) -> Vector3<T> {
        let own = step - self.frame;
        let way = pliant_constraints::norm(&own) * T::splat(f64::from(substeps));
        let short = T::splat(0.25 * self.slack);
        self.frame + own * ((way - short).max(T::zero()) / way.max(T::splat(1e-30)))
    }

    /// Means of the steps of each free particle and its neighbours, twice.
    fn smooth(&mut self, now: &[Particle<T>], team: Team<'_>) {
        for _ in 0..2 {
            let (steps, around) = (&self.steps, &self.around);
            let pieces = self.smoothed.chunks_mut(PIECE).zip((0..).step_by(PIECE));
            team.for_each(pieces, |(smoothed, first)| {
                for (smoothed, v) in smoothed.iter_mut().zip(first..) {
                    smoothed.x = steps[v].x;
                    if now[v].w > T::zero() {
                        let mut count = T::one();
                        for &neighbour in around.row(v) {
                            smoothed.x += steps[neighbour as usize].x;
                            count += T::one();
                        }
                        smoothed.x /= count;
                    }
                }
            });
            std::mem::swap(&mut self.steps, &mut self.smoothed);
        }
    }

    /// Starts the path of one particle again at `x`, where it is, with a step of its own.
    pub(super) fn restart(&mut self, v: u32, x: &Vector3<T>, step: Vector3<T>) {
        let age = T::splat(f64::from(self.age));
        let step = self.shortened(&step, self.horizon());
        self.steps[v as usize].x = step;
        self.anchors[v as usize].x = x - self.drift - step * age;
    }

    /// Substeps for which lists are still good.
    pub(super) fn horizon(&self) -> u32 {
        self.horizon.saturating_sub(self.age)
    }

    /// Substeps since the detection.
    pub(super) fn age(&self) -> u32 {
        self.age
    }

    /// The anchors and steps of all particles, and how far all have drifted together by the start of this substep, m.
    pub(super) fn parts(&self) -> (&[Particle<T>], &[Particle<T>], &Vector3<T>) {
        (&self.anchors, &self.steps, &self.drift_before)
    }

    /// How far two particles together may stray from their paths before lists no longer hold, m.
    pub(super) fn slack(&self) -> f64 {
        self.slack
    }

    /// When ways begin and end that are so many substeps from this one, and how far all have drifted.
    pub(super) fn since(&self, substeps: [u32; 2]) -> Since {
        Since { times: substeps.map(|substep| self.age + substep), drift: widen(&self.drift) }
    }

    /// Writes where the particles are expected at the start of this substep, and their steps.
    pub(super) fn expect(&self, at: &mut [Vector3<T>], by: &mut [Vector3<T>], team: Team<'_>) {
        let age = T::splat(f64::from(self.age));
        let paths = self.anchors.chunks(PIECE).zip(self.steps.chunks(PIECE));
        team.for_each(at.chunks_mut(PIECE).zip(by.chunks_mut(PIECE)).zip(paths), |((at, by), paths)| {
            for ((at, by), (anchor, step)) in at.iter_mut().zip(by).zip(paths.0.iter().zip(paths.1)) {
                *at = anchor.x + step.x * age + self.drift;
                *by = step.x;
            }
        });
    }

    /// Finds how far all have drifted together where they are at the end of this substep. Returns by how much
    /// that changes, m.
    pub(super) fn drift_to(
        &mut self,
        vertices: &[u32],
        now: &[Particle<T>],
        simd: Simd,
        team: Team<'_>,
    ) -> f64 {
        if !self.drifts {
            return 0.0;
        }
        let off = Off { now, anchors: &self.anchors, steps: &self.steps, age: self.age + 1 };
        let drift =
            mean(vertices, &mut self.sums, team, |vertices| T::dispatch(Mean { vertices, off }, simd));
        let drift = splat_vector(&drift);
        let change = widen(&(drift - self.drift)).norm();
        self.drift = drift;
        change
    }

    /// Marks the particles that are not where they are expected at the end of this substep, and lists them;
    /// those that are marked already stay so.
    pub(super) fn mark(
        &mut self,
        vertices: &[u32],
        now: &[Particle<T>],
        (is_stray, strays): (&mut [bool], &mut Vec<u32>),
        simd: Simd,
        team: Team<'_>,
    ) {
        let Self { anchors, steps, drift, slack, age, marked, .. } = self;
        let off = Off { now, anchors, steps, age: *age + 1 };
        marked.resize_with(vertices.len().div_ceil(PIECE), Vec::new);
        let (drift, slack, flags) = (&*drift, *slack, &*is_stray);
        team.for_each(vertices.chunks(PIECE).zip(&mut *marked), |(vertices, marked)| {
            T::dispatch(Astray { vertices, off, drift, slack, flags, marked }, simd);
        });
        strays.clear();
        for &v in marked.iter().flatten() {
            is_stray[v as usize] = true;
            strays.push(v);
        }
    }

    /// A substep is over.
    pub(super) fn advance(&mut self) {
        self.age += 1;
        self.drift_before = self.drift;
    }
}

/// The mean of something of all vertices, of which `sum` has the sum for some.
fn mean(
    vertices: &[u32],
    sums: &mut Vec<Vector3<f64>>,
    team: Team<'_>,
    sum: impl Fn(&[u32]) -> Vector3<f64> + Sync,
) -> Vector3<f64> {
    sums.resize(vertices.len().div_ceil(PIECE), Vector3::zeros());
    team.for_each(vertices.chunks(PIECE).zip(&mut *sums), |(vertices, to)| *to = sum(vertices));
    sums.iter().sum::<Vector3<f64>>() / vertices.len().max(1) as f64
}

/// What nine in ten do not exceed, from up to [`SAMPLES`] of them, which are sorted in a list that keeps its room.
fn usual(lengths: impl ExactSizeIterator<Item = f64>, sorted: &mut Vec<f64>) -> Option<f64> {
    let stride = lengths.len().div_ceil(SAMPLES).max(1);
    sorted.clear();
    sorted.extend(lengths.step_by(stride));
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() * 9 / 10).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::TriMesh;

    #[test]
    fn lists_of_what_turns_together_hold_for_longer() {
        // Two sheets of 0.4 m, 1 mm apart, turn about their middle by 0.02 rad in a substep: their rims go by
        // more than 3 mm.
        let sheet = TriMesh::grid([5, 5], [0.4, 0.4]).unwrap();
        let (n, above) = (sheet.positions().len(), |p: &Vector3<f64>| p + Vector3::y() * 1e-3);
        let x: Vec<_> =
            sheet.positions().iter().copied().chain(sheet.positions().iter().map(above)).collect();
        let second: Vec<_> = sheet.triangles().iter().map(|t| t.map(|v| v + n as u32)).collect();
        let surface = Surface::new(2 * n, &[sheet.triangles(), &second]).unwrap();
        let at = |angle: f64| -> Vec<Particle<f64>> {
            let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::y_axis(), angle);
            x.iter().map(|p| Particle::new(turn * p, 1.0)).collect()
        };
        let mut paths = Paths::new(&surface, 0.003);
        let start = |paths: &mut Paths<f64>| {
            paths.start(&surface, &at(0.0), &at(0.02), Team::alone());
            paths.horizon()
        };
        assert_eq!(start(&mut paths), 2);
        paths.learn((0..n as u32).map(|v| [v, v + n as u32]));
        assert_eq!(start(&mut paths), 8);
        paths.learn((0..n as u32).map(|v| [v, v + n as u32]));
        assert_eq!(start(&mut paths), LONGEST);
        // Vertices that slide past each other.
        paths.learn((0..n as u32).map(|v| [v, v + n as u32 - 1]).skip(1));
        assert!(start(&mut paths) < 8);
        paths.forget();
        assert_eq!(start(&mut paths), 2);
    }
}
