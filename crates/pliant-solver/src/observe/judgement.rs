//! [`Judgement`]: whether the answer of a run can be trusted, and if not, why, where, and the remedy.
//!
//! A certificate lists numbers; a judgement compares them with bounds that no sensible run exceeds. Errors of
//! lengths are relative to the size of an element, the mean distance between the points of a constraint at
//! the start:
//!
//! | concern | what is checked | rough from | not to be trusted from |
//! |---|---|---|---|
//! | energy | energy that the solver created since the start: kinetic and potential energy, minus all energy at the start (elastic energy included) and all work; relative to the largest energy that the run moved | – | 1 % |
//! | | the same since the frame before, whatever was lost earlier: kinetic and potential energy, minus all energy then and all work since | 5 % | 50 % |
//! | inversion | tetrahedra that are flat or inside out | any, on the way | any, at the end, if the start had none |
//! | material | tetrahedra of Saint Venant–Kirchhoff material pressed below 1/√3 of their length along an axis | any | – |
//! | volume | \|V − V₀\|/V₀: the value that one tetrahedron in a hundred exceeds; where residuals of strains are 5 % at most it is what the material does, and only rough, as *material* | 50 % | 100 % |
//! | constraints | largest residual \|C + α̃λ\| that is a length, of an element | 25 % | 100 % |
//! | | residuals that are strains: their root mean square; the largest, of two certified frames in a row the lesser | 15 %; 75 % | 1000 %; 100 000 % |
//! | | largest stretch of an edge | 500 % | 5000 % |
//! | resolution | rounding of the farthest coordinate, relative to an element; of a velocity, relative to that of a fall over an element; and of the way that gravity moves a particle from rest within a substep | 0.2 %; 10 %; 100 % | 2 %; 100 %; 400 % |
//! | speed | displacement of the fastest particle relative to its body in a substep, relative to an element; among obstacles also its whole displacement | 50 %; 200 % | 100 %; – |
//! | | displacement of a particle relative to an obstacle that it touches, in a substep, relative to an element | 100 % | – |
//! | contact | particles that go through an obstacle within a substep | – | any |
//! | | edges that cross triangles; pairs between held particles without room; share of particles whose displacements are truncated to prevent crossing | those at the start; any; 1 % | more than at the start; –; – |
//! | start | how deep a particle starts inside an obstacle, relative to an element | 1 % | 100 % |
//!
//! A finding is permanent: a run whose first second was wrong is not to be trusted, even if it ends calmly.
//! Only inversion is judged by the last frame, because elements that turn back have recovered.

mod energy;
mod finding;
mod harm;
mod looks;
mod materials;
mod meetings;
mod suspects;

use nalgebra::Vector3;
use pliant_kernel::Peak;

pub use finding::{Concern, Finding, Grade, Judgement};

use crate::describe::sweep_order::{SweepOrder, Volumes};
use crate::observe::measure::{FrameCertificate, Measure};
use crate::observe::report::FrameReport;
use crate::observe::requirement::Worst;
use crate::observe::rounding::{CREATED, Rounding, STILL};
use crate::world::World;
use pliant_kernel::Scalar;

/// Bounds of a share: rough above the first, not to be trusted above the second.
type Bounds = [f64; 2];

/// A good run of rigid edges that sweeps do not resolve has 0.015.
const RISEN: Bounds = [0.05, 0.5];
const VOLUME: Bounds = [0.5, 1.0];
const CONSTRAINTS: Bounds = [0.25, 1.0];
const POSITION: Bounds = [Rounding::POSITION, Rounding::MOST_POSITION];
const VELOCITY: Bounds = [Rounding::VELOCITY, Rounding::MOST_VELOCITY];
const GRAVITY: Bounds = [Rounding::GRAVITY, Rounding::MOST_GRAVITY];
/// Good runs have 0.1 at most, a balloon that is inflated five times too far 0.3, and elements of a steady material that
/// the substeps do not resolve about 1.3 each.
const STRAINS: Bounds = [0.15, 10.0];
/// Good runs have 0.5 at most, and 1.2 where cloth snags for a frame; a sheet of cotton that is stretched to twice its
/// length at its pins has 1.0 and 1.5, depending on its mesh.
const STRAIN: Bounds = [0.75, 1000.0];
const STRETCH: Bounds = [5.0, 50.0];
const BESIDE: Bounds = [0.5, 1.0];
const AMONG_OBSTACLES: f64 = 2.0;
const START: Bounds = [0.01, 1.0];

fn grade(value: f64, [rough, untrusted]: Bounds) -> Grade {
    match value {
        _ if value <= rough => Grade::Good,
        _ if value <= untrusted => Grade::Rough,
        // NaN is included.
        _ => Grade::Untrusted,
    }
}

/// The scales with which the numbers of a run are compared.
#[derive(Debug, Clone)]
struct Scale {
    /// Mean distance between the points of a constraint at the start, m; `None` if there is no constraint
    /// between points.
    element: Option<f64>,
    /// Size of the energies below which nothing moves, J.
    still: f64,
    /// Groups whose residuals are not errors: those without an equation, and contacts.
    without_equation: Vec<String>,
    obstacles: bool,
    fixed_order: bool,
    rounding: Rounding,
}

impl Scale {
    fn of<T: Scalar>(simulation: &World<T>, start: &FrameReport) -> Self {
        let settings = simulation.settings();
        let rounding = simulation.rounding();
        let mass: f64 = start.bodies.iter().map(|body| body.mass).sum();
        let without_equation = simulation.fine.sets.iter().filter(|running| running.update.scale != T::one());
        Self {
            element: rounding.element,
            still: simulation.still_energy(mass),
            without_equation: without_equation.map(|running| running.name.clone()).collect(),
            obstacles: !simulation.contacts.is_empty(),
            fixed_order: settings.order.chosen(settings.plan, Volumes::Solid { slowest: 0.0 }, 0.0)
                == SweepOrder::Fixed,
            rounding,
        }
    }
}

impl<T: Scalar> World<T> {
    /// Size of the energies below which nothing moves, J, where `mass` is the total mass, kg.
    pub(crate) fn still_energy(&self, mass: f64) -> f64 {
        let (lowest, highest) = self.fine.particles.now[..self.len()].iter().fold(
            (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)),
            |(low, high), particle| {
                let x = particle.x.map(T::to_f64);
                (low.inf(&x), high.sup(&x))
            },
        );
        let speed = STILL * (highest - lowest).norm();
        0.5 * mass * speed * speed
    }

    /// Mean distance between the first two points of the constraints as they are now, m.
    pub(crate) fn element_size(&self) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0_usize);
        for running in self.fine.sets.iter().filter(|running| running.measured) {
            running.set.for_each_residual(&self.state_of(running), &mut |_, particles, _| {
                if let [a, b, ..] = particles[..] {
                    let [a, b] = [a, b].map(|i| self.fine.particles.now[i as usize].x.map(T::to_f64));
                    sum += (a - b).norm();
                    count += 1;
                }
            });
        }
        (count > 0 && sum > 0.0).then(|| sum / count as f64)
    }
}

/// Judges a run frame by frame.
#[derive(Debug, Clone)]
pub(crate) struct Judge {
    scale: Scale,
    /// Substeps of a frame at the start.
    substeps: u32,
    findings: Vec<Finding>,
    start_inverted: usize,
    start_intersections: usize,
    /// The present inversion, which is judged at the end.
    inverted: Option<Finding>,
    /// Kinetic and potential energy minus all energy at the start, elastic energy included, and all work
    /// since, J. The present elastic energy is left out: it is never negative, so that the difference was
    /// still created; and the elastic energy of stiff constraints that are far from solved is an error, not
    /// energy.
    created: f64,
    /// Its largest value, with frame and time.
    most_created: Option<(f64, u64, f64)>,
    /// Whether that was in the first frame, and whether surfaces touched in it.
    at_start: bool,
    touched_at_start: bool,
    /// The seam that is widest open at the start, if by more than an element, and its widest gap, m.
    open_seam: Option<(String, f64)>,
    /// The energy that rounding can have created, J.
    rounded: f64,
    /// Kinetic and potential energy of the last frame, and its elastic energy, J.
    mechanical: f64,
    elastic: f64,
    /// The most energy that the solver has created from one frame to the next, with frame and time.
    most_risen: Option<(f64, u64, f64)>,
    potential: [f64; 2],
    moved: f64,
    /// Frame, time and largest speeds of the start, relative to the body and absolute, until the length of a
    /// substep is known.
    start: Option<(u64, f64, [Peak; 2])>,
    /// Number and time of the last certified frame, and other values of it.
    last_frame: u64,
    last_time: f64,
    last: Vec<Measure>,
}

impl Judge {
    pub(crate) fn begin<T: Scalar>(simulation: &World<T>, start: &FrameReport) -> Self {
        let mut judge = Self {
            scale: Scale::of(simulation, start),
            substeps: simulation.settings().substeps,
            findings: Vec::new(),
            start_inverted: start.volume.map_or(0, |volume| volume.inverted),
            start_intersections: 0,
            inverted: None,
            created: -start.energy.elastic.max(0.0),
            most_created: None,
            at_start: false,
            touched_at_start: false,
            open_seam: None,
            rounded: 0.0,
            mechanical: start.energy.kinetic + start.energy.potential,
            elastic: start.energy.elastic.max(0.0),
            most_risen: None,
            potential: [start.energy.potential; 2],
            moved: start.energy.kinetic + start.energy.elastic.abs(),
            start: Some((start.frame, start.time, [start.fastest_beside, start.fastest])),
            last_frame: start.frame,
            last_time: start.time,
            last: Vec::new(),
        };
        judge.look_at_start(start);
        judge.look_at_seams(start);
        judge.look_at_tangles(start);
        judge
    }

    fn look_at_seams(&mut self, start: &FrameReport) {
        let Some(element) = self.scale.element else { return };
        let widest = start.seams.iter().max_by(|a, b| a.max.value.total_cmp(&b.max.value));
        let open = widest.filter(|seam| seam.max.value > element);
        self.open_seam = open.map(|seam| (seam.name.clone(), seam.max.value));
    }

    fn look_at_start(&mut self, start: &FrameReport) {
        let (Some(element), Some(contacts)) = (self.scale.element, start.residual("contacts")) else {
            return;
        };
        let depth = contacts.max.value;
        self.note(
            start.frame,
            start.time,
            Concern::Start,
            grade(depth / element, START),
            depth / element,
            "residual.contacts",
            contacts.max.at,
            || format!("a particle starts {depth:.3e} m inside an obstacle"),
            || "Move the body or the obstacle until they are apart.".to_owned(),
        );
    }

    /// Adds a frame.
    pub(crate) fn take(&mut self, report: &FrameReport, frame: &FrameCertificate) {
        let dt = frame.time - self.last_time;
        // Frames since then that were not certified had as many substeps each.
        let frames = frame.frame.saturating_sub(self.last_frame).max(1);
        (self.last_frame, self.last_time) = (frame.frame, frame.time);
        let h = dt / (frames as f64 * f64::from(frame.substeps.max(1)));
        self.rounded += self.scale.rounding.energy(h, dt);
        self.look_at_energy(report, frame);
        self.look_at_elements(frame);
        self.look_at_materials(frame);
        self.look_at_meetings(report, frame);
        self.look_at_impacts(report, frame);
        if let Some(element) = self.scale.element {
            self.look_at_constraints(frame, element);
            if h > 0.0 {
                self.look_at_resolution(frame, h);
                if let Some((number, time, [beside, all])) = self.start.take() {
                    self.look_at_speed((number, time, frame.substeps), Some(beside), Some(all), element, h);
                }
                let peak = |name| frame.get(name).map(|m| Peak { value: m.value, at: m.at });
                let when = (frame.frame, frame.time, frame.substeps);
                self.look_at_speed(when, peak("speed.beside"), peak("speed.max"), element, h);
            }
        }
        self.look_at_strains(frame);
        self.last.clone_from(&frame.measures);
    }

    /// The findings so far.
    pub(crate) fn judgement(&self) -> Judgement {
        let mut findings = self.findings.clone();
        findings.extend(self.created().or_else(|| self.risen()));
        if let Some(now) = &self.inverted {
            findings.retain(|finding| finding.concern != Concern::Inversion);
            findings.push(now.clone());
        }
        findings.sort_by(|a, b| b.grade.cmp(&a.grade).then(a.concern.cmp(&b.concern)));
        Judgement { findings }
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of a finding, which most frames do not make")]
    fn note(
        &mut self,
        frame: u64,
        time: f64,
        concern: Concern,
        grade: Grade,
        value: f64,
        measure: &str,
        at: Option<usize>,
        what: impl Fn() -> String,
        cure: impl Fn() -> String,
    ) {
        if grade == Grade::Good {
            return;
        }
        let found = self.findings.iter_mut().find(|finding| finding.concern == concern);
        let more =
            |found: &Finding| value > found.worst.value || (value.is_nan() && !found.worst.value.is_nan());
        let worse = |found: &Finding| grade > found.grade || (grade == found.grade && more(found));
        if found.as_ref().is_some_and(|found| !worse(found)) {
            return;
        }
        let measure = measure.to_owned();
        let finding = Finding {
            concern,
            grade,
            measure,
            worst: Worst { value, frame, time, at },
            what: what(),
            cure: cure(),
        };
        match found {
            Some(found) => *found = finding,
            None => self.findings.push(finding),
        }
    }

    /// Residuals that are errors of lengths: the measure, the group and the error relative to an element.
    fn errors<'f>(
        scale: &Scale,
        frame: &'f FrameCertificate,
        element: f64,
    ) -> impl Iterator<Item = (&'f Measure, &'f str, f64)> {
        frame.measures.iter().filter_map(move |measure| {
            let group = measure.name.strip_prefix("residual.")?;
            let is_error = measure.unit == "m" && group != "contacts" && !group.ends_with(".rms");
            let has_equation = !scale.without_equation.iter().any(|name| name == group);
            (is_error && has_equation).then(|| (measure, group, measure.value / element))
        })
    }
}

/// Advice to use more substeps than a frame had.
fn more_substeps(present: u32, factor: u32) -> String {
    match present.checked_mul(factor) {
        Some(more) if more <= 4000 => format!("Try {more} substeps."),
        _ => "More substeps will not help: look for a number in the scene that is too large or too small."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_grow_with_the_value_and_nothing_is_not_a_number() {
        let of = |value| grade(value, [0.1, 1.0]);
        assert_eq!([of(0.0), of(0.1), of(0.2), of(1.0), of(1.1)].map(|g| g as u8), [0, 0, 1, 1, 2]);
        assert_eq!(of(f64::NAN), Grade::Untrusted);
        assert!(Grade::Good < Grade::Rough && Grade::Rough < Grade::Untrusted);
    }

    #[test]
    fn advice_ends_where_it_would_be_absurd() {
        assert_eq!(more_substeps(10, 4), "Try 40 substeps.");
        assert!(more_substeps(2000, 4).starts_with("More substeps will not help"));
    }

    #[test]
    fn concerns_have_names_of_their_own() {
        let mut names = Concern::ALL.map(Concern::name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
