//! The table of requirements: which of them were met, and where the others were not.

use pliant_run::FINE_CROSSINGS;
use pliant_scene::BuiltBody;
use pliant_scene::model::SceneModel;
use pliant_solver::{Certificate, Float, Grade, Simulation, Verdict, Worst};

use crate::error::CliError;

/// A number and its unit, which ratios and counts do not have.
pub(crate) fn with_unit(number: String, unit: &str) -> String {
    if matches!(unit, "" | "1") { number } else { format!("{number} {unit}") }
}

/// A table with a line for every requirement; empty without any.
pub(crate) fn table<T: Float>(
    certificate: &Certificate,
    simulation: &Simulation<T>,
    bodies: &[BuiltBody],
) -> String {
    let verdicts = certificate.verdicts();
    if verdicts.is_empty() {
        return String::new();
    }
    let mut rows = vec![["required".to_owned(), String::new(), "furthest".to_owned(), "where".to_owned()]];
    for verdict in verdicts {
        let Verdict { requirement, unmet, worst, first_unknown } = verdict;
        let name = &requirement.quantity;
        let unit = certificate.worsts().find(|(known, ..)| known == name).map_or("", |(_, unit, _)| unit);
        let value = worst
            .as_ref()
            .map_or("not known".to_owned(), |worst| with_unit(format!("{:.3e}", worst.value), unit));
        let mut place =
            worst.as_ref().map_or(String::new(), |w| format!("frame {} ({:.3} s)", w.frame, w.time));
        if let Some(at) = worst.as_ref().and_then(|worst| worst.at) {
            place += ", ";
            place += &element(name, at, simulation, bodies);
        }
        if *unmet > 0 {
            place += &format!("; in {unmet} of {} certified frames", certificate.frames());
        }
        if let Some(frame) = first_unknown {
            place += &format!("; not known from frame {frame} on");
        }
        let outcome = if verdict.is_met() { "met" } else { "UNMET" };
        rows.push([requirement.to_string(), outcome.to_owned(), value, place]);
    }
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or_default();
    let [a, b, c] = [0, 1, 2].map(width);
    let line =
        |[w, x, y, z]: &[String; 4]| format!("{}\n", format!("{w:a$}  {x:b$}  {y:>c$}  {z}").trim_end());
    rows.iter().map(line).collect::<String>() + "\n"
}

/// The verdict, with a line for each finding against the answer and one for its remedy.
pub(crate) fn judgement<T: Float>(
    certificate: &Certificate,
    simulation: &Simulation<T>,
    bodies: &[BuiltBody],
) -> String {
    let judgement = certificate.judgement();
    let mut text = format!("verdict: {}\n", judgement.grade());
    for finding in &judgement.findings {
        let place = finding
            .worst
            .at
            .map_or(String::new(), |at| format!(", {}", element(&finding.measure, at, simulation, bodies)));
        text += &format!("    {finding}{place}\n        {}\n", finding.cure);
    }
    text + "\n"
}

/// A line on drawn surfaces that cross, if they do.
pub(crate) fn drawn(certificate: &Certificate) -> String {
    let Some(worst) = certificate.worst(FINE_CROSSINGS).filter(|worst| worst.value != 0.0) else {
        return String::new();
    };
    let simulated = match certificate.worst("intersections") {
        Some(of_simulated) if of_simulated.value == 0.0 => "the simulated ones never do".to_owned(),
        Some(of_simulated) => {
            let Worst { value, frame, .. } = of_simulated;
            format!("the simulated ones too, at most {value} times, in frame {frame}")
        }
        None => "whether the simulated ones do is not known".to_owned(),
    };
    format!("the drawn surfaces cross {} times in frame {}; {simulated}\n\n", worst.value, worst.frame)
}

fn unmet(certificate: &Certificate) -> Vec<String> {
    let unmet = certificate.verdicts().iter().filter(|verdict| !verdict.is_met());
    unmet.map(|verdict| verdict.requirement.to_string()).collect()
}

/// An error if a requirement was not met.
pub(crate) fn check_requirements(certificate: &Certificate) -> Result<(), CliError> {
    let unmet = unmet(certificate);
    if unmet.is_empty() { Ok(()) } else { Err(CliError::Unmet(unmet)) }
}

/// An error if the answer is not to be trusted for a reason that is not accepted, or a requirement was not met.
pub(crate) fn check(certificate: &Certificate, scene: &SceneModel) -> Result<(), CliError> {
    let findings = certificate.judgement().findings;
    let grave = findings.iter().filter(|finding| finding.grade == Grade::Untrusted);
    let reasons: Vec<String> = grave
        .filter(|finding| !scene.accepts(finding.concern))
        .map(|finding| finding.concern.name().to_owned())
        .collect();
    if reasons.is_empty() {
        return check_requirements(certificate);
    }
    Err(CliError::Untrusted { reasons, unmet: unmet(certificate) })
}

/// The element or particle that a measure is of.
fn element<T: Float>(name: &str, at: usize, simulation: &Simulation<T>, bodies: &[BuiltBody]) -> String {
    let vertex = |particle: usize| {
        let body = bodies.iter().find(|body| body.particles.contains(&particle));
        body.map(|body| (body.name.as_str(), particle - body.particles.start))
    };
    let group = match name {
        "motion" | "residual.contacts" | "speed.max" | "speed.beside" | "distance.max"
        | "obstacles.passed" | "obstacles.way" => {
            return vertex(at).map_or(format!("particle {at}"), |(body, v)| format!("vertex {v} of {body}"));
        }
        "stretch.max" | "compression.max" => "edges",
        "volume.max" | "inverted" => "volumes",
        "stvk.pressed" => "StVK",
        _ => name.strip_prefix("residual.").unwrap_or_default(),
    };
    let mut found: Vec<u32> = Vec::new();
    simulation.for_each_residual(group, |constraint, particles, _| {
        if constraint == at {
            found = particles.to_vec();
        }
    });
    let places: Option<Vec<(&str, usize)>> = found.iter().map(|&v| vertex(v as usize)).collect();
    match places.as_deref() {
        Some(all @ [(body, _), ..]) if all.len() <= 4 && all.iter().all(|(b, _)| b == body) => {
            let numbers: Vec<String> = all.iter().map(|(_, v)| v.to_string()).collect();
            format!("element {at}: vertices {} of {body}", numbers.join(", "))
        }
        _ => format!("element {at}"),
    }
}
