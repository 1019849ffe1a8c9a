//! [`CertificateFile`]: `certificate.json` and `certificate.csv`, the quality of a run, measured by the run
//! itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant_solver::{Certificate, Distribution, FrameCertificate, FrameReport, Judgement, Verdict, Worst};
use serde::{Deserialize, Serialize};

/// How good the answer of a run is: every certified frame, the worst of every measure, and whether the
/// requirements were met.
///
/// The measures are explained in the guide, "Reading the certificate", and at `pliant_solver::Certificate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(title = "Pliant certificate"))]
pub struct CertificateFile {
    /// Version of this format; a reader should refuse a version that it does not know.
    pub format: u32,
    /// Name of the scene.
    pub scene: String,
    /// Where the numbers come from: `"run"`, the simulation itself, or `"files"`, what it has written.
    pub source: String,
    /// Whether every requirement was met in every certified frame.
    pub met: bool,
    /// Whether the answer can be trusted; null if the certificate was not made by the run itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Judgement>,
    /// The requirements, in the order in which they were given.
    pub requirements: Vec<Verdict>,
    /// Units of the measures; `"1"` for numbers without one.
    pub units: BTreeMap<String, String>,
    /// The largest value of every measure, and the frame in which it occurred.
    pub worst: BTreeMap<String, Worst>,
    /// The certified frames.
    pub frames: Vec<FrameCertificate>,
    /// How the lengths and volumes of the last certified frame are distributed: `"stretch"` and `"volume"`,
    /// if there are any. With more than 16 384 elements, one in four is counted, with a weight of four.
    pub distributions: BTreeMap<String, Distribution>,
}

/// The JSON schema (draft 2020-12) of `certificate.json`, indented.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(pliant_run::certificate_schema())?;
/// assert_eq!(schema["title"], "Pliant certificate");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn certificate_schema() -> &'static str {
    include_str!("../schema/certificate.schema.json")
}

/// The schema derived from the types: what `cargo xtask schema` writes to the file of this crate.
#[cfg(feature = "schemars")]
#[must_use]
pub fn generated_schema() -> String {
    let schema = schemars::schema_for!(CertificateFile);
    let mut text = serde_json::to_string_pretty(schema.as_value()).expect("a schema is plain JSON");
    text.push('\n');
    text
}

impl CertificateFile {
    /// The file of a certificate; `last` is the report on the last certified frame.
    #[must_use]
    pub fn new(
        scene: &str,
        source: &str,
        certificate: &Certificate,
        frames: Vec<FrameCertificate>,
        last: Option<&FrameReport>,
    ) -> Self {
        let mut distributions = BTreeMap::new();
        if let Some(stretches) = last.and_then(|report| report.stretches.as_ref()) {
            distributions.insert("stretch".to_owned(), stretches.clone());
        }
        if let Some(volumes) = last.and_then(|report| report.volumes.as_ref()) {
            distributions.insert("volume".to_owned(), volumes.clone());
        }
        Self {
            format: 1,
            scene: scene.to_owned(),
            source: source.to_owned(),
            met: certificate.is_met(),
            verdict: (source == "run").then(|| certificate.judgement()),
            requirements: certificate.verdicts().to_vec(),
            units: certificate.worsts().map(|(name, unit, _)| (name.to_owned(), unit.to_owned())).collect(),
            worst: certificate.worsts().map(|(name, _, worst)| (name.to_owned(), worst.clone())).collect(),
            frames,
            distributions,
        }
    }

    /// The file as JSON, indented.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("numbers, texts and lists have a form in JSON");
        text.push('\n');
        text
    }

    /// The frames as a table, one row each: frame, time, substeps, substeps spent, then the measures in the
    /// order of `names`. A measure that a frame does not have is empty.
    #[must_use]
    pub fn to_csv(&self, names: &[String]) -> String {
        let known: Vec<&String> = names.iter().filter(|name| self.worst.contains_key(*name)).collect();
        let mut text = "frame,time,substeps,substeps_spent".to_owned();
        for name in &known {
            // A group may be called `edges (τ = 0.1 s)`; only names with commas or quotes need quotes.
            let quoted = name.contains([',', '"', '\n']);
            text += &if quoted { format!(",\"{}\"", name.replace('"', "\"\"")) } else { format!(",{name}") };
        }
        text.push('\n');
        for frame in &self.frames {
            let FrameCertificate { frame: number, time, substeps, substeps_spent, .. } = frame;
            let _ = write!(text, "{number},{time},{substeps},{substeps_spent}");
            for name in &known {
                match frame.get(name).map(|measure| measure.value).filter(|value| value.is_finite()) {
                    Some(value) => {
                        let _ = write!(text, ",{value:e}");
                    }
                    None => text.push(','),
                }
            }
            text.push('\n');
        }
        text
    }
}
