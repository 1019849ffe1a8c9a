//! `pliant certify`: checks a finished run from its files.
//!
//! The scene is built again and loads what the run has written. Records of `--save-multipliers` hold every
//! bit, so every measure that depends on one frame must agree with the certificate. Mesh files hold rounded
//! positions: they give strains, volumes and the residuals without multipliers; all other measures are
//! reported as unchecked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_io::{Mesh, PointCache, read_mesh};
use pliant_run::report::Report;
use pliant_run::{CertificateFile, FINE_CROSSINGS, certificate_schema, fine_crossings, saved};
use pliant_scene::{Built, BuiltBody, Scene};
use pliant_solver::{Certificate, Float, FrameCertificate, FrameReport, Measure, Requirement};

use crate::args::CertifyArgs;
use crate::console::Console;
use crate::error::CliError;
use crate::origin::scene_of;
use crate::verdicts;

/// Largest relative difference of a measure from a record; it should not differ at all.
const EXACT: f64 = 1e-9;
/// Largest relative difference of a measure from a mesh file, whose positions are rounded.
const ROUNDED: f64 = 1e-3;

pub(crate) fn certify(args: &CertifyArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    if args.schema {
        return console.print(certificate_schema());
    }
    let Some(folder) = &args.run else { return Ok(()) };
    let run = Finished::open(folder)?;
    if run.is_double {
        run.certify(run.scene.build::<f64>()?, args, console)
    } else {
        run.certify(run.scene.build::<f32>()?, args, console)
    }
}

/// A finished run: its scene, its report and its certificate.
struct Finished {
    folder: PathBuf,
    scene: Scene,
    /// Whether it was simulated in double precision.
    is_double: bool,
    certificate: CertificateFile,
}

/// The state of a frame, from a file.
enum State {
    Record(Box<pliant_solver::Record>),
    Positions(Vec<Vector3<f64>>),
}

/// The result for a measure.
#[derive(Default)]
struct Outcome {
    compared: u64,
    /// Number of frames in which it differs, and the first of them with both values.
    differs: u64,
    first: Option<(u64, Option<f64>, f64)>,
}

impl Finished {
    fn open(folder: &Path) -> Result<Self, CliError> {
        let refuse = |what: String| CliError::Refused(format!("{}: {what}", folder.display()));
        if !folder.is_dir() {
            return Err(refuse("there is no such folder; give the folder of a finished run".to_owned()));
        }
        let read = |name: &str| {
            fs::read_to_string(folder.join(name))
                .map_err(|error| refuse(format!("it is not the folder of a finished run: {name}: {error}")))
        };
        let report: Report = serde_json::from_str(&read("run.json")?)
            .map_err(|error| refuse(format!("run.json is not the report of a run: {error}")))?;
        let certificate: CertificateFile = serde_json::from_str(&read("certificate.json")?)
            .map_err(|error| refuse(format!("certificate.json is not a certificate: {error}")))?;
        let copy = read("scene.toml")?;
        let mut scene = scene_of(folder, &report.scene_file, &copy)?;
        scene.model.name = Some(report.scene.clone());
        let is_double = report.settings.precision == <f64 as Float>::NAME;
        scene.model.solver.plan = Some(report.settings.solver.plan.into());
        Ok(Self { folder: folder.to_owned(), scene, is_double, certificate })
    }

    fn certify<T: Float>(
        &self,
        mut built: Built<T>,
        args: &CertifyArgs,
        console: &mut Console<'_>,
    ) -> Result<(), CliError> {
        let refused = |error: &dyn std::fmt::Display| CliError::Refused(error.to_string());
        built.simulation.set_certificate(true);
        let more: Vec<Requirement> =
            args.require.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let required = self.certificate.requirements.iter().map(|verdict| verdict.requirement.clone());
        let mut certificate = Certificate::begin(&built.simulation);
        if built.fine.is_counted() {
            certificate = certificate.with_quantities([FINE_CROSSINGS.to_owned()]);
        }
        let mut certificate = certificate.with_requirements(required.chain(more))?;

        let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
        let (mut frames, mut last) = (Vec::new(), None);
        let (mut exact, mut missing) = (true, 0_u64);
        for recorded in &self.certificate.frames {
            let Some(state) = self.state(recorded.frame, &built.bodies)? else {
                missing += 1;
                continue;
            };
            let from_record = matches!(state, State::Record(_));
            match state {
                State::Record(record) => {
                    let file = saved::file_of(recorded.frame);
                    let taken = built.simulation.replay(&record);
                    taken.map_err(|error| CliError::Refused(format!("{file}: {error}")))?;
                }
                State::Positions(positions) => {
                    exact = false;
                    let taken = built.simulation.pose(&positions, recorded.frame, recorded.time);
                    taken.map_err(|error| refused(&error))?;
                }
            }
            let report = built.simulation.report();
            let mut frame = certificate.measure(&report);
            if built.fine.is_counted() {
                frame.measures.extend(fine_crossings(&built.fine, &built.simulation.positions()));
            }
            frame.measures.retain(|measure| can_be_checked(measure, &report, from_record));
            frame.substeps_spent = recorded.substeps_spent;
            compare(recorded, &frame, from_record, &mut outcomes);
            certificate.enter(&report, &frame);
            frames.push(frame);
            last = Some(report);
        }
        if frames.is_empty() {
            return Err(CliError::Refused(format!(
                "{}: no certified frame can be checked: the run wrote neither multipliers nor the meshes that it simulated",
                self.folder.display()
            )));
        }
        let differing: Vec<String> = outcomes
            .iter()
            .filter(|(_, outcome)| outcome.differs > 0)
            .map(|(name, _)| name.clone())
            .collect();
        if args.json {
            let file = CertificateFile::new(self.scene.name(), "files", &certificate, frames, last.as_ref());
            console.print(&file.to_json())?;
        } else {
            let mut text = self.heading(frames.len(), missing, exact);
            text += &self.table(&outcomes);
            text += &verdicts::table(&certificate, &built.simulation, &built.bodies);
            if let Some(verdict) = &self.certificate.verdict {
                text += &format!("verdict of the run: {}\n", verdict.grade());
            }
            console.tell(&text)?;
        }
        if !differing.is_empty() {
            return Err(CliError::Differs(differing));
        }
        verdicts::check_requirements(&certificate)
    }

    /// The state of a frame, from the most precise file that exists.
    fn state(&self, frame: u64, bodies: &[BuiltBody]) -> Result<Option<State>, CliError> {
        let name = saved::file_of(frame);
        let path = self.folder.join(&name);
        if path.is_file() {
            let record = saved::read(&path);
            let record =
                record.map_err(|problem| CliError::Refused(format!("{}: {problem}", path.display())))?;
            return Ok(Some(State::Record(Box::new(record))));
        }
        let every = u64::from(self.scene.model.output.every.get());
        if !frame.is_multiple_of(every) {
            return Ok(None);
        }
        let mut positions = Vec::new();
        for body in bodies {
            let Some(found) = self.positions(body, frame / every)? else { return Ok(None) };
            positions.extend(found);
        }
        Ok(Some(State::Positions(positions)))
    }

    /// The vertices of a body in the mesh files with a number, if any holds them all.
    fn positions(&self, body: &BuiltBody, number: u64) -> Result<Option<Vec<Vector3<f64>>>, CliError> {
        let name = &body.name;
        let folders: &[(&str, &str)] = match (&body.visual, &body.mesh) {
            (Some(_), Mesh::Tet(_)) => &[("tetrahedra", "vtu")],
            (Some(_), Mesh::Tri(_)) => &[("triangles", "vtu")],
            (None, _) => &[("vtu", "vtu"), ("ply", "ply"), ("obj", "obj")],
        };
        for (folder, extension) in folders {
            let path = self.folder.join(folder).join(name).join(format!("{name}_{number:04}.{extension}"));
            if path.is_file() {
                let found = read_mesh(&path)?.mesh.positions().to_vec();
                if found.len() == body.particles.len() {
                    return Ok(Some(found));
                }
            }
        }
        // A point cache of a solid holds only its boundary.
        let cache = self.folder.join("pc2").join(format!("{name}.pc2"));
        if matches!(body.mesh, Mesh::Tri(_)) && body.visual.is_none() && cache.is_file() {
            let cache = PointCache::read(&cache)?;
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            if cache.vertex_count() == body.particles.len() && number < cache.sample_count() {
                let point = |p: &[f32; 3]| Vector3::from(p.map(f64::from));
                return Ok(Some(cache.sample(number).iter().map(point).collect()));
            }
        }
        Ok(None)
    }

    fn heading(&self, checked: usize, missing: u64, exact: bool) -> String {
        let from =
            if exact { "states with their multipliers" } else { "mesh files, whose positions are rounded" };
        let mut text = format!("{}: {checked} certified frames checked from {from}", self.scene.name());
        if missing > 0 {
            text += &format!("; no state was written for {missing}");
        }
        text + "\n\n"
    }

    /// A line for every measure of the certificate.
    fn table(&self, outcomes: &BTreeMap<String, Outcome>) -> String {
        let width = self.certificate.worst.keys().map(|name| name.chars().count()).max().unwrap_or_default();
        // Ratios and counts have no unit.
        let unit = |name: &str| match self.certificate.units.get(name).map(String::as_str) {
            None | Some("1") => "",
            Some(unit) => unit,
        };
        let room = self.certificate.worst.keys().map(|name| unit(name).chars().count()).max().unwrap_or(0);
        let mut text = format!("{:width$}  {:>10}\n", "", "largest");
        for (name, worst) in &self.certificate.worst {
            let verdict = match outcomes.get(name) {
                None => unchecked(name),
                Some(Outcome { compared, differs: 0, .. }) => format!("agrees in {compared} frames"),
                Some(Outcome { compared, differs, first }) => {
                    let (frame, recorded, found) = first.unwrap_or_default();
                    let recorded = recorded.map_or("nothing".to_owned(), |value| format!("{value:.6e}"));
                    format!(
                        "DIFFERS in {differs} of {compared} frames; in frame {frame} the certificate says {recorded}, the files {found:.6e}"
                    )
                }
            };
            text += &format!("{name:width$}  {:>10.3e} {:room$}  {verdict}\n", worst.value, unit(name));
        }
        text + "\n"
    }
}

/// Whether a measure depends on the course of the run, and not on a state alone.
fn is_of_the_run(name: &str) -> bool {
    ["work.", "drift.", "contact.", "obstacles."].iter().any(|kind| name.starts_with(kind))
        || name == "energy.loss"
}

/// Why a measure was not checked.
fn unchecked(name: &str) -> String {
    if is_of_the_run(name) {
        "unchecked: it depends on the whole run, not on one state".to_owned()
    } else if name.starts_with("residual.collisions") {
        "unchecked: contacts between bodies are found only during a run".to_owned()
    } else {
        "unchecked: run with --save-multipliers to have it checked".to_owned()
    }
}

/// Whether a state, `exact` or with positions only, determines a measure.
fn can_be_checked(measure: &Measure, report: &FrameReport, exact: bool) -> bool {
    let name = measure.name.as_str();
    if is_of_the_run(name) {
        return false;
    }
    // Records contain neither contacts between bodies nor their forces.
    let pushes =
        name.starts_with("residual.collisions") || name.starts_with("motion") || name == "error.step";
    if pushes && report.collisions.is_some() {
        return false;
    }
    if exact {
        return true;
    }
    if let Some(group) = name.strip_prefix("residual.") {
        let group = group.strip_suffix(".rms").unwrap_or(group);
        // Only the multiplier shows whether an inequality acts.
        let one_sided = group == "contacts" || group == "tethers" || group.starts_with("limit");
        return !one_sided && report.residual(group).is_some_and(|residual| residual.rigid);
    }
    // Quantiles are counted in classes: rounding may move a value across a bound.
    if name.ends_with(".p50") || name.ends_with(".p99") {
        return false;
    }
    ["stretch.", "compression.", "volume."].iter().any(|kind| name.starts_with(kind))
        || name == "inverted"
        || name == "intersections"
        || name == FINE_CROSSINGS
}

/// Compares a frame with its certificate.
fn compare(
    recorded: &FrameCertificate,
    found: &FrameCertificate,
    exact: bool,
    outcomes: &mut BTreeMap<String, Outcome>,
) {
    for measure in &found.measures {
        let said = recorded.get(&measure.name).map(|said| said.value).filter(|value| value.is_finite());
        let outcome = outcomes.entry(measure.name.clone()).or_default();
        outcome.compared += 1;
        // Small strains of rounded positions are mostly rounding.
        let (tolerance, noise) = if exact { (EXACT, 0.0) } else { (ROUNDED, 1e-5) };
        let agrees = match said {
            Some(said) => {
                (said - measure.value).abs() <= tolerance * said.abs().max(measure.value.abs()) + noise
            }
            None => !measure.value.is_finite(),
        };
        if !agrees {
            outcome.differs += 1;
            outcome.first.get_or_insert((recorded.frame, said, measure.value));
        }
    }
}
