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

use super::history::{Course, Update, Way};
use off::{Astray, Mean, Off};

/// How far surfaces may come towards each other before lists are made again, in thicknesses.
const REACH: f64 = 1.0;
/// The slack in thicknesses: of what is at rest, and of what moves. A larger one makes longer lists, which
/// hold for longer.
const SLACK: [f64; 2] = [0.6, 1.0];
/// No more than this share of the room between neighbours in a mesh, but at least so many thicknesses.
const BESIDE_NEIGHBOURS: f64 = 0.75;
const TIGHT: f64 = 0.3;
/// Paths are slow if what is usual is no farther in a substep, in thicknesses.
const SLOW: f64 = 0.06;
/// Largest number of substeps for which pairs are detected, and how many times more than by the detection before.
pub(super) const LONGEST: u32 = 1024;
const LONGER: f64 = 4.0;
/// For how many substeps the fastest particle may go as far as it likes; for more it goes so many thicknesses at most,
/// because a long path has many pairs.
const FREE: u32 = 32;
const FARTHEST: f64 = 8.0;
/// Particles whose speeds are looked at to find out what is usual.
const SAMPLES: usize = 512;
/// Particles that are looked at together.
const PIECE: usize = 2048;
/// Nobody strays within this share of the slack, whatever is rounded.
const NEAR: f64 = 0.49;

/// The expected ways of all particles. Anchors and steps are particles without mass: lanes read eight of them at once.
pub(super) struct Paths<T: Scalar> {
    anchors: Vec<Particle<T>>,
    steps: Vec<Particle<T>>,
    /// Steps while they are smoothed, and the neighbours of every particle.
    smoothed: Vec<Particle<T>>,
    around: Adjacency,
    course: Course<T>,
    /// The least distance of two surfaces that meet, m, and the largest slack, m.
    thickness: f64,
    most_slack: f64,
    /// How many substeps the detection of all was good for; the paths that strays left since then, one after the other,
    /// and what [`Update`] says of those that left theirs together, with where these end.
    detected: u32,
    left: Vec<(u32, Way<T>)>,
    updates: Vec<(Course<T>, usize)>,
    /// Sums, the farthest from the mean, m, and strays, by pieces of the list of vertices.
    sums: Vec<(Vector3<f64>, f64)>,
    marked: Vec<Vec<u32>>,
    /// No particle is farther than this from where all have drifted, m, as far as was measured with that.
    farthest: f64,
    /// Samples of lengths, sorted.
    lengths: Vec<f64>,
}

impl<T: Scalar> Paths<T> {
    /// Surfaces keep the distance `thickness`, m, and leave neighbours in a mesh this much `room` beside it, m.
    pub(super) fn new(surface: &Surface, thickness: f64, room: f64) -> Self {
        let nowhere = vec![Particle::new(Vector3::zeros(), T::zero()); surface.particles()];
        Self {
            anchors: nowhere.clone(),
            steps: nowhere.clone(),
            smoothed: nowhere,
            around: Adjacency::of_edges(surface.particles(), surface.edges()),
            course: Course::none(),
            thickness,
            most_slack: (BESIDE_NEIGHBOURS * room).max(TIGHT * thickness),
            detected: 0,
            left: Vec::new(),
            updates: Vec::new(),
            sums: Vec::new(),
            marked: Vec::new(),
            farthest: f64::INFINITY,
            lengths: Vec::new(),
        }
    }

    /// The lists are void, and nothing is known of how particles move.
    pub(super) fn forget(&mut self) {
        self.course = Course::none();
    }

    /// The lists are void.
    pub(super) fn expire(&mut self) {
        self.course.age = self.course.horizon;
    }

    /// The neighbours of every particle along the edges.
    pub(super) fn around(&self) -> &Adjacency {
        &self.around
    }

    /// What all paths have in common.
    pub(super) fn course(&self) -> &Course<T> {
        &self.course
    }

    /// Starts new paths at the positions of the start of a substep of length `h`, s, towards those predicted for its end.
    pub(super) fn start(
        &mut self,
        surface: &Surface,
        (previous, now): (&[Particle<T>], &[Particle<T>]),
        h: f64,
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
        let (frame, _) = mean(vertices, &mut self.sums, team, |vertices| {
            (vertices.iter().map(|&v| widen(&steps[v as usize].x)).sum(), 0.0)
        });
        let way = |v: &u32| (widen(&self.steps[*v as usize].x) - frame).norm();
        let usual = usual(vertices.iter().map(way), &mut self.lengths).unwrap_or(0.0);
        let fastest = vertices.iter().map(way).fold(0.0, f64::max);
        let [least, most] = SLACK;
        let before = if h == self.course.h { self.course } else { Course::none() };
        self.course = Course {
            frame: splat_vector(&frame),
            horizon: self.substeps_for(usual, &before).min(self.substeps_within(fastest)),
            past: before.past,
            slack: (least * self.thickness + 2.0 * usual).min(most * self.thickness),
            drifts: vertices.iter().all(|&v| now[v as usize].w > T::zero()),
            h,
            ..Course::none()
        };
        self.detected = self.course.horizon;
        self.left.clear();
        self.updates.clear();
        let mut steps = std::mem::take(&mut self.steps);
        team.for_each(steps.chunks_mut(PIECE), |steps| {
            steps.iter_mut().for_each(|step| step.x = self.shortened(&step.x, self.detected));
        });
        self.steps = steps;
    }

    /// For how many substeps lists hold where particles usually go so far, m, in one, and surfaces went past each other
    /// as they did `before`. What moves fast together comes towards each other slowly.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 2 and the longest")]
    fn substeps_for(&self, usual: f64, before: &Course<T>) -> u32 {
        let reach = REACH * self.thickness;
        let past = before.past.map_or(0.0, |past| (reach / past).min(LONGER * f64::from(before.horizon)));
        (reach / usual).max(past).clamp(2.0, f64::from(LONGEST)) as u32
    }

    /// For how many substeps a path may go on that goes so far, m, in one.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between two numbers of substeps"
    )]
    fn substeps_within(&self, way: f64) -> u32 {
        (FARTHEST * self.thickness / way).clamp(f64::from(FREE), f64::from(LONGEST)) as u32
    }

    /// Learns from the pairs that were listed, as a particle of either side, how far surfaces go past each other.
    pub(super) fn learn(&mut self, pairs: impl ExactSizeIterator<Item = [u32; 2]>) {
        let Self { steps, lengths, .. } = self;
        self.course.past =
            usual(pairs.map(|[a, b]| widen(&(steps[a as usize].x - steps[b as usize].x)).norm()), lengths);
    }

    /// A step beside the common one, less so much that after these substeps the path falls short by a quarter
    /// of the slack: what only trembles is expected to stay where it is.
    fn shortened(&self, step: &Vector3<T>, substeps: u32) -> Vector3<T> {
        let own = step - self.course.frame;
        let way = pliant_constraints::norm(&own) * T::splat(f64::from(substeps.min(FREE)));
        let short = T::splat(0.25 * self.slack());
        self.course.frame + own * ((way - short).max(T::zero()) / way.max(T::splat(1e-30)))
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

    /// Starts the paths of some particles again, where they are, with steps of their own. Lists end sooner where one of
    /// these goes far.
    pub(super) fn restart(&mut self, strays: &[u32], previous: &[Particle<T>], now: &[Particle<T>]) {
        let ends = |v: u32| (&previous[v as usize].x, now[v as usize].x);
        let frame = widen(&self.course.frame);
        let way = |&v: &u32| {
            let (from, to) = ends(v);
            (widen(&(to - from)) - frame).norm()
        };
        let fastest = strays.iter().map(way).fold(0.0, f64::max);
        let Course { age, horizon, drift, .. } = self.course;
        self.course.horizon = horizon.min(age + self.substeps_within(fastest));
        let left = self.horizon();
        for &v in strays {
            let (from, to) = ends(v);
            let step = self.shortened(&(to - from), left);
            let mut at = from - drift;
            if step == self.course.frame {
                // It trembles: the middle of where it was expected and where it is.
                let off =
                    at - self.anchors[v as usize].x - self.steps[v as usize].x * T::splat(f64::from(age));
                let most =
                    T::splat(0.25 * self.slack()) / pliant_constraints::norm(&off).max(T::splat(1e-30));
                at -= off * most.min(T::splat(0.5));
            }
            let anchor = at - step * T::splat(f64::from(age));
            self.lead(v, Way { anchor, step });
        }
        self.updates.push((self.course, self.left.len()));
    }

    /// Gives a particle another path, and keeps the one that it leaves.
    fn lead(&mut self, v: u32, way: Way<T>) {
        let (anchor, step) = (&mut self.anchors[v as usize].x, &mut self.steps[v as usize].x);
        let anchor = std::mem::replace(anchor, way.anchor);
        let step = std::mem::replace(step, way.step);
        self.left.push((v, Way { anchor, step }));
    }

    /// How many paths were given to strays since the detection, and how often.
    pub(super) fn given(&self) -> (usize, usize) {
        (self.left.len(), self.updates.len())
    }

    /// The paths of all particles at the detection, for how many substeps it was good, and what strays were given since.
    pub(super) fn history(&self) -> (Vec<Way<T>>, u32, Vec<Update<T>>) {
        let ways = self.anchors.iter().zip(&self.steps);
        let mut ways: Vec<_> = ways.map(|(anchor, step)| Way { anchor: anchor.x, step: step.x }).collect();
        // Back in time: what each left is what it had before.
        let mut given = self.left.clone();
        for (v, way) in given.iter_mut().rev() {
            std::mem::swap(way, &mut ways[*v as usize]);
        }
        let mut begin = 0;
        let update = |&(Course { age, horizon, drift, .. }, end): &(Course<T>, usize)| {
            let strays = given[std::mem::replace(&mut begin, end)..end].to_vec();
            Update { age, horizon, drift, strays }
        };
        (ways, self.detected, self.updates.iter().map(update).collect())
    }

    /// Goes back to the paths of a detection, which was good for so many substeps, on this course.
    pub(super) fn go_back(&mut self, ways: &[Way<T>], horizon: u32, course: &Course<T>) {
        for ((anchor, step), way) in self.anchors.iter_mut().zip(&mut self.steps).zip(ways) {
            (anchor.x, step.x) = (way.anchor, way.step);
        }
        self.left.clear();
        self.updates.clear();
        let nothing = Vector3::zeros();
        (self.detected, self.course) = (horizon, Course { age: 0, horizon, drift: nothing, ..*course });
    }

    /// Gives strays the paths that they were given then.
    pub(super) fn follow(&mut self, update: &Update<T>) {
        let &Update { age, horizon, drift, .. } = update;
        self.course = Course { age, horizon, drift, ..self.course };
        update.strays.iter().for_each(|&(v, way)| self.lead(v, way));
        self.updates.push((self.course, self.left.len()));
    }

    /// Goes on with a course of the same paths.
    pub(super) fn go_on(&mut self, course: &Course<T>) {
        self.course = *course;
    }

    /// Substeps for which lists are still good.
    pub(super) fn horizon(&self) -> u32 {
        self.course.horizon.saturating_sub(self.course.age)
    }

    /// Substeps since the detection.
    pub(super) fn age(&self) -> u32 {
        self.course.age
    }

    /// The anchors and steps of all particles, and how far all have drifted together by the start of this substep, m.
    pub(super) fn parts(&self) -> (&[Particle<T>], &[Particle<T>], &Vector3<T>) {
        (&self.anchors, &self.steps, &self.course.drift_before)
    }

    /// How far two particles together may stray from their paths before lists no longer hold, m.
    pub(super) fn slack(&self) -> f64 {
        self.course.slack.min(self.most_slack)
    }

    /// Whether particles usually stay where they are, beside each other.
    pub(super) fn are_slow(&self) -> bool {
        self.course.slack <= (SLACK[0] + 2.0 * SLOW) * self.thickness
    }

    /// When ways begin and end that are so many substeps from this one, and how far all have drifted.
    pub(super) fn since(&self, substeps: [u32; 2]) -> Since {
        let Course { age, drift, .. } = &self.course;
        Since { times: substeps.map(|substep| age + substep), drift: widen(drift) }
    }

    /// Writes where the particles are expected at the start of this substep, and their steps.
    pub(super) fn expect(&self, at: &mut [Vector3<T>], by: &mut [Vector3<T>], team: Team<'_>) {
        let Course { age, drift, .. } = self.course;
        let age = T::splat(f64::from(age));
        let paths = self.anchors.chunks(PIECE).zip(self.steps.chunks(PIECE));
        team.for_each(at.chunks_mut(PIECE).zip(by.chunks_mut(PIECE)).zip(paths), |((at, by), paths)| {
            for ((at, by), (anchor, step)) in at.iter_mut().zip(by).zip(paths.0.iter().zip(paths.1)) {
                *at = anchor.x + step.x * age + drift;
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
        if !self.course.drifts {
            self.farthest = f64::INFINITY;
            return 0.0;
        }
        let off = Off { now, anchors: &self.anchors, steps: &self.steps, age: self.course.age + 1 };
        let drift = &self.course.drift;
        let (drift, farthest) =
            mean(vertices, &mut self.sums, team, |vertices| T::dispatch(Mean { vertices, off, drift }, simd));
        let drift = splat_vector(&drift);
        let change = widen(&(drift - self.course.drift)).norm();
        self.course.drift = drift;
        self.farthest = farthest + change;
        change
    }

    /// Marks the particles that are not where they are expected at the end of this substep, and lists them;
    /// those that are marked already, and listed, stay so. If [`drift_to`](Self::drift_to) has just looked at the same
    /// positions, it may know that there are none.
    pub(super) fn mark(
        &mut self,
        vertices: &[u32],
        now: &[Particle<T>],
        (is_stray, strays): (&mut [bool], &mut Vec<u32>),
        simd: Simd,
        team: Team<'_>,
    ) {
        let farthest = std::mem::replace(&mut self.farthest, f64::INFINITY);
        if strays.is_empty() && farthest < NEAR * self.slack() {
            return;
        }
        let slack = self.slack();
        let Self { anchors, steps, course: Course { drift, age, .. }, marked, .. } = self;
        let off = Off { now, anchors, steps, age: *age + 1 };
        marked.resize_with(vertices.len().div_ceil(PIECE), Vec::new);
        let (drift, flags) = (&*drift, &*is_stray);
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
        self.course.age += 1;
        self.course.drift_before = self.course.drift;
    }
}

/// The mean of something of all vertices, and the largest of something else, of which `sum` has the sum, and the largest, for
/// some.
fn mean(
    vertices: &[u32],
    sums: &mut Vec<(Vector3<f64>, f64)>,
    team: Team<'_>,
    sum: impl Fn(&[u32]) -> (Vector3<f64>, f64) + Sync,
) -> (Vector3<f64>, f64) {
    sums.resize(vertices.len().div_ceil(PIECE), (Vector3::zeros(), 0.0));
    team.for_each(vertices.chunks(PIECE).zip(&mut *sums), |(vertices, to)| *to = sum(vertices));
    let all = sums.iter().map(|(sum, _)| sum).sum::<Vector3<f64>>() / vertices.len().max(1) as f64;
    (all, sums.iter().map(|(_, largest)| *largest).fold(0.0, f64::max))
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

    /// A sheet of 0.4 m, and where its vertices are at some height, m.
    fn sheet() -> (Surface, impl Fn(f64) -> Vec<Particle<f64>>) {
        let sheet = TriMesh::grid([17, 17], [0.4, 0.4]).unwrap();
        let surface = Surface::new(sheet.positions().len(), &[sheet.triangles()]).unwrap();
        (surface, move |height| {
            sheet.positions().iter().map(|p| Particle::new(p + Vector3::y() * height, 1.0)).collect()
        })
    }

    #[test]
    fn what_swings_is_soon_expected_in_the_middle() {
        // The corner swings by ±0.6 of half the slack about a place that is 0.7 of it away from where it started.
        let (surface, at) = sheet();
        let mut paths = Paths::new(&surface, 0.003, f64::INFINITY);
        paths.start(&surface, (&at(0.0), &at(0.0)), 0.001, Team::alone());
        let half = 0.5 * paths.slack();
        let (mut flags, mut strays) = (vec![false; surface.particles()], Vec::new());
        let mut now = at(0.0);
        let mut when = Vec::new();
        for k in 0..400 {
            let previous = now.clone();
            now[0].x.y = half * (0.7 + 0.6 * (0.02 * f64::from(k)).sin());
            paths.drift_to(surface.vertices(), &now, Simd::detect(), Team::alone());
            paths.mark(surface.vertices(), &now, (&mut flags, &mut strays), Simd::detect(), Team::alone());
            if !strays.is_empty() {
                assert_eq!(strays, [0]);
                paths.restart(&strays, &previous, &now);
                flags[0] = false;
                when.push(k);
            }
            paths.advance();
        }
        assert!((1..4).contains(&when.len()) && when.iter().all(|&k| k < 150), "it strayed at {when:?}");
    }

    #[test]
    fn long_paths_end_lists_sooner() {
        let (surface, at) = sheet();
        let start = |way: f64| {
            let mut paths = Paths::<f64>::new(&surface, 0.003, f64::INFINITY);
            // All rest but a corner, whose step is smoothed.
            let mut end = at(0.0);
            end[0].x.y += way;
            paths.start(&surface, (&at(0.0), &end), 0.001, Team::alone());
            paths
        };
        assert_eq!(start(0.0).horizon(), LONGEST);
        let fast = start(1e-3).horizon();
        assert!((FREE..LONGEST / 4).contains(&fast), "{fast}");
        assert_eq!(start(0.02).horizon(), FREE);
        let mut paths = start(0.0);
        (0..100).for_each(|_| paths.advance());
        let mut end = at(0.0);
        end[3].x.y += 1e-4;
        paths.restart(&[3], &at(0.0), &end);
        assert_eq!(paths.horizon(), 240, "it goes eight thicknesses");
        end[3].x.y += 1e-3;
        paths.restart(&[3], &at(0.0), &end);
        assert_eq!(paths.horizon(), FREE);
    }

    #[test]
    fn a_history_leads_to_the_same_paths() {
        let (surface, at) = sheet();
        let mut paths = Paths::<f64>::new(&surface, 0.003, f64::INFINITY);
        paths.start(&surface, (&at(0.0), &at(0.001)), 0.001, Team::alone());
        // Some stray, one of them twice.
        for strays in [&[3, 7][..], &[7, 0, 12]] {
            paths.advance();
            let end: Vec<_> = at(0.01)
                .into_iter()
                .zip(1..)
                .map(|(mut p, k)| {
                    p.x.x += 1e-4 * f64::from(k * (paths.age() + 1));
                    p
                })
                .collect();
            paths.restart(strays, &at(0.005), &end);
        }
        paths.advance();
        let (ways, horizon, updates) = paths.history();
        assert_eq!(updates.iter().map(|update| update.strays.len()).collect::<Vec<_>>(), [2, 3]);
        let mut again = Paths::<f64>::new(&surface, 0.003, f64::INFINITY);
        again.go_back(&ways, horizon, paths.course());
        assert_eq!((again.age(), again.given()), (0, (0, 0)));
        updates.iter().for_each(|update| again.follow(update));
        again.go_on(paths.course());
        let of = |paths: &Paths<f64>| {
            let (anchors, steps, drift) = paths.parts();
            (anchors.to_vec(), steps.to_vec(), *drift, *paths.course(), paths.history())
        };
        assert!(of(&again) == of(&paths));
    }

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
        let mut paths = Paths::new(&surface, 0.003, f64::INFINITY);
        let start = |paths: &mut Paths<f64>| {
            paths.start(&surface, (&at(0.0), &at(0.02)), 0.001, Team::alone());
            paths.horizon()
        };
        assert_eq!(start(&mut paths), 2);
        paths.learn((0..n as u32).map(|v| [v, v + n as u32]));
        assert_eq!(start(&mut paths), 8);
        paths.learn((0..n as u32).map(|v| [v, v + n as u32]));
        assert_eq!(start(&mut paths), FREE);
        // Vertices that slide past each other.
        paths.learn((0..n as u32).map(|v| [v, v + n as u32 - 1]).skip(1));
        assert!(start(&mut paths) < 8);
        paths.forget();
        assert_eq!(start(&mut paths), 2);
    }
}
