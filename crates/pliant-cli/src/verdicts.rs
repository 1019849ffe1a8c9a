//! The table of requirements: which were met, and where they were not.

use pliant_scene::BuiltBody;
use pliant_solver::{Certificate, Float, Simulation, Verdict};

use crate::error::CliError;

/// A table with a line for every requirement, or nothing if there is none.
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
        let unit = if unit == "1" { "" } else { unit };
        let value = worst.as_ref().map_or("not known".to_owned(), |w| format!("{:.3e} {unit}", w.value));
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
        rows.push([requirement.to_string(), outcome.to_owned(), value.trim_end().to_owned(), place]);
    }
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or_default();
    let [a, b, c] = [0, 1, 2].map(width);
    let line =
        |[w, x, y, z]: &[String; 4]| format!("{}\n", format!("{w:a$}  {x:b$}  {y:>c$}  {z}").trim_end());
    rows.iter().map(line).collect::<String>() + "\n"
}

/// An error if a requirement was not met.
pub(crate) fn check(certificate: &Certificate) -> Result<(), CliError> {
    let unmet: Vec<String> = certificate
        .verdicts()
        .iter()
        .filter(|verdict| !verdict.is_met())
        .map(|verdict| verdict.requirement.to_string())
        .collect();
    if unmet.is_empty() { Ok(()) } else { Err(CliError::Unmet(unmet)) }
}

/// The element or particle that a measure is of.
fn element<T: Float>(name: &str, at: usize, simulation: &Simulation<T>, bodies: &[BuiltBody]) -> String {
    let vertex = |particle: usize| {
        let body = bodies.iter().find(|body| body.particles.contains(&particle));
        body.map(|body| (body.name.as_str(), particle - body.particles.start))
    };
    let group = match name {
        "motion" | "residual.contacts" => {
            return vertex(at).map_or(format!("particle {at}"), |(body, v)| format!("vertex {v} of {body}"));
        }
        "stretch.max" | "compression.max" => "edges",
        "volume.max" | "inverted" => "volumes",
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
