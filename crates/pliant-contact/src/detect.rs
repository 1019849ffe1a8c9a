//! [`Detector`]: which vertices and triangles, and which edges, may come near each other in the next substeps.
//!
//! Detection is expensive and there are many substeps, so a list serves for K of them. A particle is expected at
//! c(k) = p + k h v after k substeps. As long as all are within m/2 of where they are expected, whatever comes within
//! its distance d is on the list:
//!
//! ```text
//! listed where      boxes around paths, grown by m/2 and by half of the thickness, meet
//! and               distance now  ≤  d + K max|h v_a − h v_b| + m
//! and               gap along the line between them  ≤  d + m, now or after K substeps
//! ```
//!
//! Only relative motion counts. Triangles are in [patches] of up to 64 that lie together at rest; [boxes][fit] of
//! triangles are seen in a frame that moves with their patch, and those of two patches in the frame of one of them. So
//! cloth that falls fast has boxes no larger than cloth that hangs, wherever a part of it has been stopped. Pairs of
//! patches come from a grid.
//!
//! Candidates come from pairs of triangles (*representative triangles*: Curtis, Tamstorf and Manocha, 2008).
//! Every vertex and every edge is represented by the first triangle that has it, so that each pair is found
//! once, with one grid instead of three.
//!
//! Pairs that are held on both sides do not count: triangles of which all corners are held do not look for each other.
//!
//! Lists grow as needed and keep their memory, so that in a steady state nothing is allocated. Their order
//! follows from positions alone: it is that of the patches.

mod boxes;
mod calm;
mod candidates;
mod fit;
mod judge;
mod lanes;
mod near;
mod neighbours;
mod parts;
mod places;
mod question;
mod rules;
mod search;
mod sieve;
mod sizes;
mod ways;

use std::sync::{Mutex, PoisonError};

use nalgebra::Vector3;
use pliant_kernel::{Simd, Team, Wide};
use pliant_mesh::Adjacency;

pub use near::NearPair;
pub use rules::{DetectError, Mask, Paths, Rules, Since, Strays, Ties};

use crate::Surface;
use crate::patches::{Patches, Place, ROWS};
use boxes::Hull;
use calm::Calm;
use fit::{Fit, Moving};
use near::Lists;
use neighbours::{Around, Found, Look, Some64};
use places::Places;
use question::Question;
use rules::FARTHEST;
use search::{Scratch, Search};
use sizes::Sizes;
use ways::Ways;

/// Patches per task, and patches with strays.
const TASK: usize = 16;
const STRAYS: usize = 4;
/// Patches whose boxes are found at a time.
const PIECE: usize = 32;

/// Detects near pairs, and keeps its lists and their memory.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_contact::{Detector, Paths, Rules, Surface, Ties};
///
/// // A triangle that falls by 2 mm a substep on another one, 9 mm below.
/// let surface = Surface::new(6, &[&[[0, 1, 2]], &[[3, 4, 5]]])?;
/// let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.1]].map(Vector3::<f64>::from);
/// let positions: Vec<_> = corners.into_iter().chain(corners.map(|x| x + Vector3::y() * 0.009)).collect();
/// let steps: Vec<_> = (0..6).map(|i| Vector3::y() * if i < 3 { 0.0 } else { -0.002 }).collect();
/// let paths = Paths { positions: &positions, steps: &steps, rest: None, halts: None, may_turn: false };
/// let ties = Ties::default();
/// let mut rules =
///     Rules { radii: &[0.0015; 2], slack: 0.001, horizon: 1, edge_share: 1.0, edge_leeway: 0.0, masks: &[], held: &[], ties: &ties };
///
/// let mut detector = Detector::default();
/// detector.detect(&surface, &paths, &rules)?;
/// assert!(detector.vertex_triangle().is_empty());
/// rules.horizon = 4;
/// detector.detect(&surface, &paths, &rules)?;
/// assert_eq!(detector.vertex_triangle().len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Detector<T: Wide> {
    ways: Ways<T>,
    patches: Patches,
    moving: Vec<Moving>,
    /// By how much the frame of all moves, m per substep, and for how many substeps paths last: those of the last full
    /// detection.
    frame: Vector3<f32>,
    horizon: u32,
    /// The boxes of the patches in that frame, for as long.
    hulls: Vec<Hull>,
    sizes: Sizes,
    /// The particles at a corner of a triangle that is not held.
    can_move: Vec<bool>,
    /// By how much boxes are larger than paths on every side, m, body by body, in the last full detection.
    grown: Vec<f64>,
    /// How many triangles have other paths than in the last full detection, and which.
    moved: usize,
    has_moved: Vec<bool>,
    /// Triangles with particles that have left their paths, as flags, by patches, and those of patches that have one.
    stray: Vec<bool>,
    asked: Vec<[u8; ROWS]>,
    some: Vec<Some64>,
    /// The particles at their corners.
    corners: Vec<bool>,
    calm: Calm,
    places: Places<T>,
    /// The triangles for which patches, fans, and lists of triangles around particles, were made.
    known: Vec<[u32; 3]>,
    /// The triangles of every particle.
    around: Option<Adjacency>,
    tasks: Vec<Mutex<Task<T>>>,
    lists: Lists<T>,
    simd: Simd,
}

/// Some patches, and what is found from there.
struct Task<T> {
    found: Found,
    scratch: Scratch<T>,
    lists: Lists<T>,
}

impl<T> Default for Task<T> {
    fn default() -> Self {
        let (found, scratch, lists) = Default::default();
        Self { found, scratch, lists }
    }
}

impl<T: Wide> Default for Detector<T> {
    fn default() -> Self {
        Self::new(Simd::detect())
    }
}

impl<T: Wide> Detector<T> {
    /// A detector that uses these instructions; the lists are the same with any.
    #[must_use]
    pub fn new(simd: Simd) -> Self {
        Self {
            ways: Ways::default(),
            patches: Patches::default(),
            moving: Vec::new(),
            frame: Vector3::zeros(),
            horizon: 0,
            hulls: Vec::new(),
            sizes: Sizes::default(),
            can_move: Vec::new(),
            grown: Vec::new(),
            moved: 0,
            has_moved: Vec::new(),
            stray: Vec::new(),
            asked: Vec::new(),
            some: Vec::new(),
            corners: Vec::new(),
            calm: Calm::default(),
            places: Places::default(),
            known: Vec::new(),
            around: None,
            tasks: Vec::new(),
            lists: Lists::default(),
            simd,
        }
    }

    /// Makes the lists again.
    ///
    /// # Errors
    ///
    /// [`DetectError`] for lists of wrong lengths, negative distances, and corners that are not finite; the
    /// lists are empty then.
    pub fn detect(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
    ) -> Result<(), DetectError> {
        let threads = rayon::current_num_threads();
        Team::form(threads, |team| self.detect_on(surface, paths, rules, team))
    }

    /// The same with a team of threads.
    ///
    /// # Errors
    ///
    /// As [`detect`](Self::detect).
    pub fn detect_on(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
        team: Team<'_>,
    ) -> Result<(), DetectError> {
        self.lists.clear();
        self.moved = 0;
        self.has_moved.clear();
        self.has_moved.resize(surface.triangles().len(), false);
        check(surface, paths, rules)?;
        self.ways.take_all(surface, paths, rules.horizon, team)?;
        if self.known != surface.triangles() {
            self.known.clear();
            self.known.extend_from_slice(surface.triangles());
            let at_rest = paths.rest.unwrap_or(paths.positions);
            self.patches = Patches::new(surface, |v| at_rest[v as usize].map(Into::into));
            self.moving.clear();
            self.moving.resize(self.patches.patches.len(), Moving::NEW);
            self.calm.prepare(surface);
            self.around = None;
        }
        self.find_movable(surface, rules.held);
        self.places.take(paths, team);
        self.grown.clear();
        self.grown.extend(rules.radii.iter().map(|radius| 0.5 * rules.slack + radius));
        let (ways, grown, simd) = (&self.ways, &self.grown, self.simd);
        let pieces = self.patches.patches.chunks(PIECE).zip(self.moving.chunks_mut(PIECE));
        team.for_each(pieces, |(patches, moving)| {
            for (patch, moving) in patches.iter().zip(moving) {
                let members = patch.members[..patch.rows].iter().map(|row| row[0] as usize);
                let count = patch.rows as f64;
                let steps =
                    members.map(|of| paths.steps[surface.triangles()[of][0] as usize].map(Into::<f64>::into));
                moving.frame = (steps.sum::<Vector3<f64>>() / count).map(|x| x as f32);
                let (wanted, grow) = (u32::MAX, grown[patch.body as usize]);
                let held = rules.held;
                T::dispatch(
                    Fit { ways, patch, moving, wanted, grow, may_halt: paths.halts.is_some(), held },
                    simd,
                );
            }
        });
        let frames = self.moving.iter().map(|moving| moving.frame.map(f64::from));
        let mean = frames.sum::<Vector3<f64>>() / self.moving.len().max(1) as f64;
        self.frame = mean.map(|x| x as f32);
        self.horizon = rules.horizon;
        self.hulls.clear();
        self.hulls.resize(self.moving.len(), Hull::NOTHING);
        self.some.clear();
        for (patch, number) in self.patches.patches.iter().zip(0..) {
            let rows = std::array::from_fn(|row| if row < patch.rows { patch.lanes(row) } else { 0 });
            self.some.push(Some64 { patch: number, rows });
        }
        self.enclose_some();
        self.calm.look(surface, &self.can_move, paths, rules.horizon, self.simd, team);
        let times = [0.0, rules.horizon as f32];
        self.search(surface, paths, rules, times, (TASK, None), team);
        Ok(())
    }

    /// Finds the boxes of the patches that have some at hand, in the frame of all, and sorts those of all.
    fn enclose_some(&mut self) {
        for some in &self.some {
            let patch = some.patch as usize;
            self.hulls[patch] = self.hull(&self.moving[patch]);
        }
        self.sizes.sort(&self.hulls);
    }

    /// The box of a patch in the frame of all, for as long as paths last.
    fn hull(&self, moving: &Moving) -> Hull {
        moving.shift(&self.frame, [0.0, self.horizon as f32]).of(&moving.hull)
    }

    /// Lists the pairs of some triangles, so many patches in a task: those of all, or those of strays.
    fn search(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
        times: [f32; 2],
        (size, strays): (usize, Option<&[bool]>),
        team: Team<'_>,
    ) {
        let tasks = self.some.len().div_ceil(size);
        while self.tasks.len() < tasks {
            self.tasks.push(Mutex::default());
        }
        let Self { patches, moving, hulls, sizes, stray, some, calm, places, simd, .. } = self;
        let (all, simd) = (&mut self.tasks, *simd);
        let around = Around { patches, moving, hulls, sizes };
        let question = Question { surface, paths, rules, calm, places, only: strays };
        let asked = strays.map(|_| &stray[..]);
        team.run(tasks, |number| {
            let mut task = all[number].lock().unwrap_or_else(PoisonError::into_inner);
            let Task { found, scratch, lists } = &mut *task;
            let mut queries = some.chunks(size).nth(number).unwrap_or_default();
            lists.clear();
            while !queries.is_empty() {
                let look = Look { question, around, queries, asked, times, found: &mut *found };
                queries = &queries[f32::dispatch(look, simd)..];
                T::dispatch(Search { question, pairs: &found.pairs, scratch, lists: &mut *lists }, simd);
            }
        });
        // In their order.
        for task in &mut all[..tasks] {
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            self.lists.append(&task.lists);
        }
    }

    /// Updates, with a team of threads, the pairs of some particles that have left their paths: afterwards
    /// the lists hold those of their pairs that count now, and no others. All other pairs listed since the
    /// last full detection stay valid.
    ///
    /// `paths` are those of all particles from now on, `rules` has the substeps that are left, and `since` says when that
    /// is. The surface is that of the last full detection.
    ///
    /// # Errors
    ///
    /// As [`detect`](Self::detect).
    pub fn update(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
        since: &Since,
        strays: Strays<'_>,
        team: Team<'_>,
    ) -> Result<(), DetectError> {
        let Strays { particles: strays, flags: is_stray } = strays;
        self.lists.clear();
        check(surface, paths, rules)?;
        self.ways.take(surface, paths, rules.horizon, since, strays)?;
        let around = self
            .around
            .take()
            .unwrap_or_else(|| Adjacency::of_elements(surface.particles(), surface.triangles()));
        self.stray.clear();
        self.stray.resize(surface.triangles().len(), false);
        self.asked.clear();
        self.asked.resize(self.patches.patches.len(), [0; ROWS]);
        self.corners.clear();
        self.corners.resize(surface.particles(), false);
        for &particle in strays {
            for &triangle in around.row(particle as usize) {
                let t = triangle as usize;
                if !std::mem::replace(&mut self.stray[t], true) {
                    let Place { patch, row, lane } = self.patches.places[t];
                    self.asked[patch as usize][row as usize] |= 1 << lane;
                    surface.triangles()[t].iter().for_each(|&v| self.corners[v as usize] = true);
                    self.moved += usize::from(!std::mem::replace(&mut self.has_moved[t], true));
                }
            }
        }
        self.around = Some(around);
        self.places.take(paths, team);
        self.calm.look(surface, &self.corners, paths, rules.horizon, self.simd, team);
        // By patches, whatever the order in which particles strayed.
        self.some.clear();
        let asked = (0..).zip(&self.asked).filter(|(_, rows)| **rows != [0; ROWS]);
        self.some.extend(asked.map(|(patch, &rows)| Some64 { patch, rows }));
        let (some, patches, ways, grown, simd) =
            (&self.some, &self.patches, &self.ways, &self.grown, self.simd);
        team.for_each(self.moving.chunks_mut(PIECE).zip(0..), |(moving, piece)| {
            let of = |some: &Some64| some.patch as usize / PIECE;
            let (from, until) = (
                some.partition_point(|some| of(some) < piece),
                some.partition_point(|some| of(some) <= piece),
            );
            for some in &some[from..until] {
                let (patch, moving) =
                    (&patches.patches[some.patch as usize], &mut moving[some.patch as usize % PIECE]);
                let wanted =
                    (0..).zip(some.rows).fold(0, |bits, (row, lanes)| bits | u32::from(lanes != 0) << row);
                let body = patch.body as usize;
                let grow = grown[body].max(0.5 * rules.slack + rules.radii[body]);
                let held = rules.held;
                T::dispatch(Fit { ways, patch, moving, wanted, grow, may_halt: true, held }, simd);
            }
        });
        if since.times[1] > self.horizon {
            self.horizon = since.times[1];
            for patch in 0..self.hulls.len() {
                self.hulls[patch] = self.hull(&self.moving[patch]);
            }
        }
        self.enclose_some();
        self.search(
            surface,
            paths,
            rules,
            since.times.map(|time| time as f32),
            (STRAYS, Some(is_stray)),
            team,
        );
        Ok(())
    }

    /// The share of the triangles that have moved since the last full detection: if it is large, another full
    /// detection is cheaper.
    #[must_use]
    pub fn moved_share(&self) -> f64 {
        self.moved as f64 / self.has_moved.len().max(1) as f64
    }

    /// Finds the particles of triangles that are not held.
    fn find_movable(&mut self, surface: &Surface, held: &[bool]) {
        let can_move = &mut self.can_move;
        can_move.clear();
        can_move.resize(surface.particles(), false);
        for corners in surface.triangles() {
            let is_held = !held.is_empty() && corners.iter().all(|&v| held[v as usize]);
            if !is_held {
                corners.iter().for_each(|&v| can_move[v as usize] = true);
            }
        }
    }

    /// Vertices near triangles: particle, then the three corners.
    #[must_use]
    pub fn vertex_triangle(&self) -> &[NearPair<T>] {
        &self.lists.vertex_triangle
    }

    /// Edges near edges: the two ends of one, then those of the other.
    #[must_use]
    pub fn edge_edge(&self) -> &[NearPair<T>] {
        &self.lists.edge_edge
    }
}

fn check<T: Wide>(surface: &Surface, paths: &Paths<'_, T>, rules: &Rules<'_>) -> Result<(), DetectError> {
    let count = |what, given, wanted| {
        if given == wanted { Ok(()) } else { Err(DetectError::WrongCount { what, given, wanted }) }
    };
    count("positions", paths.positions.len(), surface.particles())?;
    count("steps", paths.steps.len(), surface.particles())?;
    if let Some(rest) = paths.rest {
        count("rest", rest.len(), surface.particles())?;
    }
    if let Some(halts) = paths.halts {
        count("halts", halts.len(), surface.bodies())?;
    }
    count("radii", rules.radii.len(), surface.bodies())?;
    if !rules.masks.is_empty() {
        count("masks", rules.masks.len(), surface.bodies())?;
    }
    if !rules.held.is_empty() {
        count("held", rules.held.len(), surface.particles())?;
    }
    let numbers =
        [("slack", rules.slack), ("edge_share", rules.edge_share), ("edge_leeway", rules.edge_leeway)];
    let radii = rules.radii.iter().map(|&radius| ("a radius", radius));
    for (what, value) in radii.chain(numbers) {
        if !(0.0..=FARTHEST).contains(&value) {
            return Err(DetectError::Negative { what, value });
        }
    }
    Ok(())
}
