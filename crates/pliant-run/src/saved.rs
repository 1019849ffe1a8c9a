//! Records of a simulation as files: `Options::save_multipliers` writes them, `pliant certify` reads them.

use std::path::Path;

use nalgebra::Vector3;
use pliant_solver::{Cue, Record};

use crate::names::MULTIPLIERS;
use crate::tensors::Tensors;

/// The file of a frame, relative to the folder of its run.
#[must_use]
pub fn file_of(frame: u64) -> String {
    format!("{MULTIPLIERS}/frame_{frame:04}.safetensors")
}

/// The names of the lists of multipliers begin with this.
const LAMBDA: &str = "lambda.";

pub(crate) fn to_tensors(record: &Record) -> Tensors {
    let mut tensors = Tensors::default();
    for (key, value) in [
        ("frame", record.frame.to_string()),
        ("time", record.time.to_string()),
        ("substep", record.substep.to_string()),
        ("substeps", record.substeps.to_string()),
        ("cues", serde_json::json!(record.cues).to_string()),
        ("program", concat!("pliant ", env!("CARGO_PKG_VERSION")).to_owned()),
        // Lists are read back in the order of their names.
        (
            "groups",
            serde_json::json!(record.multipliers.iter().map(|(name, _)| name).collect::<Vec<_>>())
                .to_string(),
        ),
    ] {
        tensors.metadata.insert(key.to_owned(), value);
    }
    let mut vectors = |name: &str, list: &[Vector3<f64>]| {
        tensors.add(name, &[list.len(), 3], list.iter().flat_map(|v| [v.x, v.y, v.z]).collect());
    };
    vectors("positions", &record.positions);
    vectors("previous", &record.previous);
    vectors("predicted", &record.predicted);
    vectors("velocities", &record.velocities);
    tensors.add("contacts", &[record.contacts.len(), 4], record.contacts.as_flattened().to_vec());
    for (name, multipliers) in &record.multipliers {
        tensors.add(&format!("{LAMBDA}{name}"), &[multipliers.len()], multipliers.clone());
    }
    tensors
}

/// Reads a record.
///
/// # Errors
/// A sentence that says what is wrong with the file.
pub fn read(path: &Path) -> Result<Record, String> {
    Tensors::read(path).and_then(from_tensors)
}

/// The error says what is missing.
fn from_tensors(mut tensors: Tensors) -> Result<Record, String> {
    fn word<T: std::str::FromStr>(tensors: &Tensors, key: &str) -> Result<T, String> {
        let text = tensors.metadata.get(key).and_then(|text| text.parse().ok());
        text.ok_or_else(|| format!("its metadata lack the {key}"))
    }
    let groups: String = word(&tensors, "groups")?;
    let groups: Vec<String> =
        serde_json::from_str(&groups).map_err(|_| "its metadata lack the groups".to_owned())?;
    // Files of earlier versions have none.
    let cues = tensors.metadata.get("cues").map_or(Ok(Vec::new()), |text| serde_json::from_str(text));
    let cues: Vec<Cue> = cues.map_err(|_| "its metadata have cues that are none".to_owned())?;
    let (frame, time) = (word(&tensors, "frame")?, word(&tensors, "time")?);
    let (substep, substeps) = (word(&tensors, "substep")?, word(&tensors, "substeps")?);
    let mut take = |name: &str| {
        tensors.lists.remove(name).map(|(_, values)| values).ok_or_else(|| format!("it has no list `{name}`"))
    };
    let vectors =
        |values: Vec<f64>| values.as_chunks::<3>().0.iter().map(|&v| Vector3::from(v)).collect::<Vec<_>>();
    let positions = vectors(take("positions")?);
    let previous = vectors(take("previous")?);
    let predicted = vectors(take("predicted")?);
    let velocities = vectors(take("velocities")?);
    let contacts = take("contacts")?.as_chunks::<4>().0.to_vec();
    let multipliers = groups
        .into_iter()
        .map(|name| Ok((name.clone(), take(&format!("{LAMBDA}{name}"))?)))
        .collect::<Result<_, String>>()?;
    Ok(Record {
        frame,
        time,
        substep,
        substeps,
        positions,
        previous,
        predicted,
        velocities,
        multipliers,
        contacts,
        cues,
        live: None,
    })
}
