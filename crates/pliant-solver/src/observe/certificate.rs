//! [`Certificate`]: how good the answer of a run is, frame by frame and as a whole.
//!
//! A certificate is a list of named numbers for every frame that it takes, each with its unit and, if it is
//! known, the element in which it occurs. Requirements are bounds on these numbers.
//!
//! Measures of the equation of motion, the work of contacts and measures derived from them need
//! [`Settings::certificate`](crate::Settings::certificate).

use std::borrow::Cow;
use std::fmt;

use nalgebra::Vector3;

use crate::observe::baseline::Baseline;
use crate::observe::judgement::{Judge, Judgement};
use crate::observe::measure::{FrameCertificate, Measure};
use crate::observe::report::FrameReport;
use crate::observe::requirement::{Requirement, RequirementError, Verdict, Worst};
use crate::world::World;
use pliant_kernel::Scalar;

/// The certificate of a run: the worst of every measure, and whether the requirements were met.
///
/// The measures:
///
/// | measure | what | unit |
/// |---|---|---|
/// | `residual.GROUP` | largest \|C + α̃λ\| of a group of constraints, and the constraint; `contacts` too | that of C |
/// | `residual.GROUP.rms` | root of the mean square | that of C |
/// | `motion`, `motion.rms` | residual of the [equation of motion](crate::FrameReport::motion), largest and root of the mean square | m |
/// | `accuracy` | the largest of these residuals as a [share](crate::FrameReport::accuracy) of the size of the elements | 1 |
/// | `error.step` | [bound](crate::FrameReport::step_error) on the distance from the exact solution of the last substep; only where every constraint is compliant and nothing touches | m |
/// | `stretch.max`, `compression.max` | largest elongation and compression, and the edge | 1 |
/// | `stretch.mean`, `stretch.p50`, `stretch.p99` | mean and [quantiles](crate::Distribution::quantile) of \|L − L₀\|/L₀ | 1 |
/// | `volume.max`, `volume.p50`, `volume.p99` | largest \|V − V₀\|/V₀ and the tetrahedron; quantiles | 1 |
/// | `inverted` | tetrahedra that are flat or inside out, and the first | 1 |
/// | `inverted.slivers` | those of them that are slivers at rest; only where solids of a material have slivers, see [`Suspects`](crate::Suspects) | 1 |
/// | `stvk.pressed`, `stvk.inverted` | tetrahedra of Saint Venant–Kirchhoff material that are pressed below 1/√3 of their length along an axis, and the first; those that are flat or inside out | 1 |
/// | `seam.NAME`, `seam.NAME.mean` | how far open a [seam](crate::Seam) is: the largest gap and its pair, and the mean | m |
/// | `intersections` | edges that cross triangles where bodies [collide](crate::Collide), counted exactly | 1 |
/// | `contact.pairs` | contacts between surfaces in the substep that had most | 1 |
/// | `contact.truncated` | share of the particles of surfaces whose displacements were truncated to prevent crossing, mean over the substeps of the frame | 1 |
/// | `contact.frozen`, `contact.pinched` | pairs that could not be separated, so that they were not moved; pairs between held particles that had no room | 1 |
/// | `contact.momentum`, `contact.energy` | Σ m \|Δv\| and kinetic energy that were removed in this way | kg·m/s, J |
/// | `obstacles.passed` | how often a particle went through an obstacle within a substep, from one side to the other, and the first | 1 |
/// | `obstacles.way` | largest displacement of a particle in a substep relative to an obstacle that it touched or went through | m |
/// | `energy.kinetic`, `energy.potential`, `energy.elastic` | energies | J |
/// | `work.contacts` | work of the contacts since the last certified frame, friction included | J |
/// | `work.pins` | work of the pins and targets that move, [grabs](crate::Simulation::grab) included, since the last certified frame | J |
/// | `work.wind` | work of the wind, of [seams](crate::Seam) that close, of inserted [passes](crate::Pass) and of [calls](crate::Simulation::set_force), since the last certified frame | J |
/// | `energy.loss` | energy dissipated since the last certified frame: all of the work minus the change of energy. Negative if energy was created. Left out if a pin was added or released, particles were moved by a call, or bodies were added or removed, and if a pin moves part of a matched shape | J |
/// | `speed.max`, `speed.beside` | largest speed of a particle, and that relative to the centre of mass of its body | m/s |
/// | `distance.max` | largest coordinate of a particle | m |
/// | `drift.linear` | largest \|P − P₀ − m g t\| of a body on which nothing but gravity acts | kg·m/s |
/// | `drift.angular` | largest \|L − L₀\| of such a body, about its centre of mass | kg·m²/s |
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Certificate, Compliance, Settings, Simulation};
///
/// let cloth = Body::cloth(TriMesh::grid([12, 12], [0.5, 0.5])?).stretch(Compliance::new(1e-4)).pin_vertices([0, 11]);
/// let settings = Settings { certificate: true, ..Settings::default() };
/// let mut sim: Simulation = Simulation::builder().settings(settings).body(cloth).build()?;
///
/// let mut certificate = Certificate::begin(&sim).with_requirements(["stretch.max<=0.25".parse()?])?;
/// for _ in 0..30 {
///     certificate.take(&sim.step(1.0 / 60.0)?);
/// }
/// assert!(certificate.is_met(), "{certificate}");
/// assert!(certificate.worst("residual.edges").unwrap().value < 1e-2);
/// assert!(certificate.worst("error.step").is_some(), "every constraint is compliant: a bound is known");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Certificate {
    gravity: Vector3<f64>,
    start: FrameReport,
    last: Baseline,
    known: Vec<String>,
    frames: u64,
    worst: Vec<(Measure, Worst)>,
    verdicts: Vec<Verdict>,
    judge: Judge,
}

impl Certificate {
    pub(crate) fn begin_here<T: Scalar>(simulation: &World<T>) -> Self {
        let start = simulation.report_here();
        Self {
            gravity: simulation.settings().gravity,
            last: Baseline::new(&start),
            known: known(&start),
            judge: Judge::begin(simulation, &start),
            start,
            frames: 0,
            worst: Vec::new(),
            verdicts: Vec::new(),
        }
    }

    /// Adds requirements.
    ///
    /// # Errors
    ///
    /// If the simulation has no such measure; the error lists those that it has.
    pub fn with_requirements(
        mut self,
        requirements: impl IntoIterator<Item = Requirement>,
    ) -> Result<Self, RequirementError> {
        for requirement in requirements {
            if !self.known.contains(&requirement.quantity) {
                let (name, known) = (requirement.quantity, self.known);
                return Err(RequirementError::Unknown { name, known });
            }
            self.verdicts.push(Verdict::new(requirement));
        }
        Ok(self)
    }

    /// Adds names of measures that the caller adds to the frames before they are [entered](Self::enter), so that they
    /// may be required.
    #[must_use]
    pub fn with_quantities(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.known.extend(names);
        self
    }

    /// Names of the measures that the simulation may have.
    #[must_use]
    pub fn quantities(&self) -> &[String] {
        &self.known
    }

    /// The measures of a frame, without adding them.
    #[must_use]
    pub fn measure(&self, report: &FrameReport) -> FrameCertificate {
        let mut list = List(Vec::with_capacity(32));
        for residual in &report.residuals {
            let name = format!("residual.{}", residual.name);
            list.add(&name, residual.unit.clone(), residual.max.value, residual.max.at);
            list.add(&(name + ".rms"), residual.unit.clone(), residual.rms, None);
        }
        if let Some(motion) = &report.motion {
            list.add("motion", "m", motion.max.value, motion.max.at);
            list.add("motion.rms", "m", motion.rms, None);
        }
        if let Some(accuracy) = report.accuracy() {
            list.add("accuracy", "1", accuracy.value, accuracy.at);
        }
        if let Some(error) = report.step_error {
            list.add("error.step", "m", error, None);
        }
        if let (Some(stretch), Some(distribution)) = (&report.stretch, &report.stretches) {
            list.add("stretch.max", "1", stretch.max.value, stretch.max.at);
            list.add("compression.max", "1", stretch.max_compression.value, stretch.max_compression.at);
            list.add("stretch.mean", "1", stretch.mean, None);
            list.add("stretch.p50", "1", distribution.quantile(0.5).unwrap_or_default(), None);
            list.add("stretch.p99", "1", distribution.quantile(0.99).unwrap_or_default(), None);
        }
        if let (Some(volume), Some(distribution)) = (&report.volume, &report.volumes) {
            list.add("volume.max", "1", volume.max.value, volume.max.at);
            list.add("volume.p50", "1", distribution.quantile(0.5).unwrap_or_default(), None);
            list.add("volume.p99", "1", distribution.quantile(0.99).unwrap_or_default(), None);
            list.add("inverted", "1", volume.inverted as f64, volume.first_inverted);
        }
        if let Some(slivers) = report.suspects.slivers {
            list.add("inverted.slivers", "1", slivers as f64, None);
        }
        if let Some(stvk) = &report.suspects.stvk {
            list.add("stvk.pressed", "1", stvk.pressed as f64, stvk.first);
            list.add("stvk.inverted", "1", stvk.inverted as f64, None);
        }
        for seam in &report.seams {
            list.add(&format!("seam.{}", seam.name), "m", seam.max.value, seam.max.at);
            list.add(&format!("seam.{}.mean", seam.name), "m", seam.mean, None);
        }
        if let Some(tally) = &report.collisions {
            list.add("intersections", "1", tally.intersections as f64, None);
            list.add("contact.pairs", "1", tally.contacts as f64, None);
            list.add("contact.truncated", "1", tally.truncated_share, None);
            list.add("contact.frozen", "1", tally.frozen as f64, None);
            list.add("contact.pinched", "1", tally.pinched as f64, None);
            list.add("contact.momentum", "kg·m/s", tally.momentum, None);
            list.add("contact.energy", "J", tally.energy, None);
        }
        if let Some(impacts) = &report.impacts {
            list.add("obstacles.passed", "1", impacts.passed as f64, impacts.first_passed);
            list.add("obstacles.way", "m", impacts.way.value, impacts.way.at);
        }
        list.add("energy.kinetic", "J", report.energy.kinetic, None);
        list.add("energy.potential", "J", report.energy.potential, None);
        list.add("energy.elastic", "J", report.energy.elastic, None);
        if let Some(work) = report.contact_work {
            let (now, last) = (Baseline::new(report), &self.last);
            let contacts = work - last.contact_work;
            let (pins, wind) = (now.pin_work - last.pin_work, now.wind_work - last.wind_work);
            list.add("work.contacts", "J", contacts, None);
            if report.pin_work.is_some() {
                list.add("work.pins", "J", pins, None);
            }
            if report.wind_work.is_some() {
                list.add("work.wind", "J", wind, None);
            }
            if !report.driven && now.pin_version == last.pin_version {
                list.add("energy.loss", "J", contacts + pins + wind - (now.energy - last.energy), None);
            }
        }
        list.add("speed.max", "m/s", report.fastest.value, report.fastest.at);
        list.add("speed.beside", "m/s", report.fastest_beside.value, report.fastest_beside.at);
        list.add("distance.max", "m", report.farthest.value, report.farthest.at);
        if let Some((linear, angular)) = self.drift(report) {
            list.add("drift.linear", "kg·m/s", linear, None);
            list.add("drift.angular", "kg·m²/s", angular, None);
        }
        FrameCertificate {
            frame: report.frame,
            time: report.time,
            substeps: report.substeps,
            substeps_spent: report.choice.map_or(report.substeps, |choice| choice.spent),
            measures: list.0,
        }
    }

    /// Adds a frame and returns its measures.
    pub fn take(&mut self, report: &FrameReport) -> FrameCertificate {
        let frame = self.measure(report);
        self.enter(report, &frame);
        frame
    }

    /// Adds the measures that [`measure`](Self::measure) returned.
    pub fn enter(&mut self, report: &FrameReport, frame: &FrameCertificate) {
        self.frames += 1;
        self.judge.take(report, frame);
        self.last = Baseline::new(report);
        for measure in &frame.measures {
            let worst = Worst { frame: frame.frame, time: frame.time, value: measure.value, at: measure.at };
            match self.worst.iter_mut().find(|(known, _)| known.name == measure.name) {
                None => self.worst.push((measure.clone(), worst)),
                Some((_, found)) if measure.value > found.value || measure.value.is_nan() => *found = worst,
                Some(_) => {}
            }
        }
        self.verdicts.iter_mut().for_each(|verdict| verdict.take(frame));
    }

    /// The largest drifts of free bodies, if any is free.
    fn drift(&self, report: &FrameReport) -> Option<(f64, f64)> {
        let time = report.time - self.start.time;
        let bodies =
            report.bodies.iter().zip(&self.start.bodies).filter(|(body, _)| body.free && body.mass > 0.0);
        bodies
            .map(|(body, start)| {
                let fallen = self.gravity * (body.mass * time);
                let linear = (body.linear_momentum - start.linear_momentum - fallen).norm();
                (linear, (body.angular_momentum - start.angular_momentum).norm())
            })
            .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))
    }

    /// Number of frames taken.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The largest value of a measure over all frames taken.
    #[must_use]
    pub fn worst(&self, name: &str) -> Option<&Worst> {
        self.worst.iter().find(|(measure, _)| measure.name == name).map(|(_, worst)| worst)
    }

    /// The largest value of every measure over all frames taken, each with its name and unit.
    pub fn worsts(&self) -> impl Iterator<Item = (&str, &str, &Worst)> {
        self.worst.iter().map(|(measure, worst)| (measure.name.as_str(), &*measure.unit, worst))
    }

    /// The verdict on each requirement, in their order.
    #[must_use]
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// Whether every requirement was met in every frame taken.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.verdicts.iter().all(Verdict::is_met)
    }

    /// Whether the answer so far can be trusted, by [bounds](Judgement) that are always checked. Only frames
    /// that were taken are judged: if only the last frame was taken, it alone is judged.
    ///
    /// ```
    /// use pliant_mesh::{Split, TetMesh};
    /// use pliant_solver::{Body, Certificate, Compliance, Grade, Obstacle, Settings, Simulation};
    ///
    /// let jelly = TetMesh::block([2, 2, 2], [0.2; 3], Split::Kuhn)?;
    /// let settings = Settings { certificate: true, ..Settings::default() };
    /// let inside = Obstacle::floor(0.5); // half a metre too high
    /// let mut sim: Simulation =
    ///     Simulation::builder().settings(settings).body(Body::solid(jelly).stretch(Compliance::new(1e-4))).obstacle(inside).build()?;
    /// let mut certificate = Certificate::begin(&sim);
    /// certificate.take(&sim.step(1.0 / 60.0)?);
    /// let judgement = certificate.judgement();
    /// assert_eq!(judgement.grade(), Grade::Untrusted);
    /// assert!(judgement.findings.iter().any(|finding| finding.what.contains("inside an obstacle")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        self.judge.judgement()
    }

    /// The factor by which a frame that has not been taken exceeds the bounds that are always checked, see
    /// [`Judge::harm`].
    pub(crate) fn harm(&self, report: &FrameReport, frame: &FrameCertificate) -> f64 {
        self.judge.harm(report, frame)
    }

    /// The factor by which a frame exceeds the requirement that it exceeds most: at most one if it meets them all.
    pub(crate) fn excess(&self, frame: &FrameCertificate) -> f64 {
        self.verdicts.iter().map(|verdict| verdict.requirement.excess(frame)).fold(0.0, f64::max)
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.worst.iter().map(|(measure, _)| measure.name.len()).max().unwrap_or_default();
        for (name, unit, worst) in self.worsts() {
            let unit = if unit == "1" { "" } else { unit };
            write!(f, "{name:width$} {:>10.3e} {unit:8} frame {}", worst.value, worst.frame)?;
            match worst.at {
                Some(at) => writeln!(f, ", {at}")?,
                None => writeln!(f)?,
            }
        }
        writeln!(f, "verdict: {}", self.judgement())?;
        for verdict in &self.verdicts {
            let Verdict { requirement, unmet, .. } = verdict;
            let outcome =
                if verdict.is_met() { "met".to_owned() } else { format!("unmet in {unmet} frames") };
            writeln!(f, "{requirement}: {outcome}")?;
        }
        Ok(())
    }
}

struct List(Vec<Measure>);

impl List {
    fn add(&mut self, name: &str, unit: impl Into<Cow<'static, str>>, value: f64, at: Option<usize>) {
        self.0.push(Measure { name: name.to_owned(), unit: unit.into(), value, at });
    }
}

/// Names of the measures that frames after this state may have.
fn known(start: &FrameReport) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for residual in &start.residuals {
        known.push(format!("residual.{}", residual.name));
        known.push(format!("residual.{}.rms", residual.name));
    }
    for seam in &start.seams {
        known.push(format!("seam.{}", seam.name));
        known.push(format!("seam.{}.mean", seam.name));
    }
    let has_accuracy = start.accuracy().is_some();
    let mut add = |wanted: bool, names: &[&str]| {
        if wanted {
            known.extend(names.iter().map(|&name| name.to_owned()));
        }
    };
    let watched = start.contact_work.is_some();
    add(watched, &["motion", "motion.rms"]);
    add(has_accuracy, &["accuracy"]);
    add(watched, &["error.step"]);
    add(
        start.stretch.is_some(),
        &["stretch.max", "compression.max", "stretch.mean", "stretch.p50", "stretch.p99"],
    );
    add(start.volume.is_some(), &["volume.max", "volume.p50", "volume.p99", "inverted"]);
    add(start.suspects.slivers.is_some(), &["inverted.slivers"]);
    add(start.suspects.stvk.is_some(), &["stvk.pressed", "stvk.inverted"]);
    add(
        start.collisions.is_some(),
        &[
            "intersections",
            "contact.pairs",
            "contact.truncated",
            "contact.frozen",
            "contact.pinched",
            "contact.momentum",
            "contact.energy",
        ],
    );
    add(start.impacts.is_some(), &["obstacles.passed", "obstacles.way"]);
    add(true, &["energy.kinetic", "energy.potential", "energy.elastic"]);
    add(watched, &["work.contacts"]);
    add(start.pin_work.is_some(), &["work.pins"]);
    add(start.wind_work.is_some(), &["work.wind"]);
    add(watched, &["energy.loss"]);
    add(true, &["speed.max", "speed.beside", "distance.max"]);
    add(start.bodies.iter().any(|body| body.free), &["drift.linear", "drift.angular"]);
    known
}
