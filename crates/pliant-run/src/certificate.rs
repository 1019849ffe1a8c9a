//! [`CertificateFile`]: `certificate.json` and `certificate.csv`, what a run says of its own quality.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant_solver::{
    Certificate, Distribution, Finding, FrameCertificate, FrameReport, Judgement, Measure, Verdict, Worst,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How good the answer of a run is: every certified frame, the worst of every measure, and what became of the requirements.
///
/// The measures are explained in the guide, "Reading the certificate", and at `pliant_solver::Certificate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Pliant certificate")]
pub struct CertificateFile {
    /// Version of this form; a reader should refuse one that it does not know.
    pub format: u32,
    /// Name of the scene.
    pub scene: String,
    /// Where the numbers come from: `"run"`, the simulation itself, or `"files"`, what it has written.
    pub source: String,
    /// Whether every requirement was kept in every certified frame.
    pub met: bool,
    /// Whether the answer can be trusted; none where it was not the run itself that was certified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictRecord>,
    /// The requirements, in the order in which they were given.
    pub requirements: Vec<RequirementRecord>,
    /// Units of the measures; `"1"` for numbers without one.
    pub units: BTreeMap<String, String>,
    /// The largest value of every measure, and the frame that has it.
    pub worst: BTreeMap<String, WorstRecord>,
    /// The certified frames.
    pub frames: Vec<FrameMeasures>,
    /// How the lengths and volumes of the last certified frame are distributed: `"stretch"` and `"volume"`, where there are any. Of more than 16 384 elements one in four is counted, for four.
    pub distributions: BTreeMap<String, Vec<ClassRecord>>,
}

/// Whether an answer can be trusted, and what speaks against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictRecord {
    /// `"good"`, `"rough"` or `"not to be trusted"`.
    pub grade: String,
    /// What was found, the worst first.
    pub findings: Vec<FindingRecord>,
}

/// Something that speaks against an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingRecord {
    /// `"start"`, `"resolution"`, `"speed"`, `"energy"`, `"inversion"`, `"material"`, `"volume"` or `"constraints"`.
    pub concern: String,
    /// `"rough"` or `"not to be trusted"`.
    pub grade: String,
    /// The measure that it was found in.
    pub measure: String,
    /// The worst frame, its time and element, and the value: a share, or a count; not in the unit of the measure.
    pub worst: WorstRecord,
    /// What was found.
    pub what: String,
    /// What helps.
    pub cure: String,
}

pub(crate) fn verdict_record(judgement: &Judgement) -> VerdictRecord {
    let finding = |finding: &Finding| FindingRecord {
        concern: finding.concern.name().to_owned(),
        grade: finding.grade.to_string(),
        measure: finding.measure.clone(),
        worst: worst_record(&Worst {
            frame: finding.frame,
            time: finding.time,
            value: finding.value,
            at: finding.at,
        }),
        what: finding.what.clone(),
        cure: finding.cure.clone(),
    };
    VerdictRecord {
        grade: judgement.grade().to_string(),
        findings: judgement.findings.iter().map(finding).collect(),
    }
}

/// What became of a requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequirementRecord {
    /// The requirement, such as `residual.edges<=1e-5`.
    pub requirement: String,
    /// Whether it was kept in every certified frame.
    pub met: bool,
    /// Number of certified frames that did not keep it.
    pub unmet_frames: u64,
    /// The frame furthest from keeping it; none if the measure was never known.
    pub worst: Option<WorstRecord>,
}

/// A value with the frame that has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorstRecord {
    /// The value, in the unit of the measure.
    pub value: f64,
    /// Number of the frame.
    pub frame: u64,
    /// Time at its end, s.
    pub time: f64,
    /// The constraint, element or particle that has it, if it is known.
    pub at: Option<usize>,
}

/// The measures of a frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameMeasures {
    /// Number of the frame, from 1.
    pub frame: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Substeps that it was divided into.
    pub substeps: u32,
    /// Substeps that were spent on it, those included whose result was thrown away.
    pub substeps_spent: u32,
    /// The measures by name.
    pub measures: BTreeMap<String, MeasureRecord>,
}

/// A measure of a frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasureRecord {
    /// The value; null where it is no finite number.
    pub value: Option<f64>,
    /// The constraint, element or particle that has it, if it is known.
    pub at: Option<usize>,
}

/// How many elements are strained between two bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassRecord {
    /// Lower bound; null without one.
    pub from: Option<f64>,
    /// Upper bound; null without one.
    pub to: Option<f64>,
    /// Number of elements.
    pub count: u64,
}

/// The JSON schema (draft 2020-12) of `certificate.json`, indented.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&pliant_run::certificate_schema())?;
/// assert_eq!(schema["title"], "Pliant certificate");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn certificate_schema() -> String {
    let schema = schemars::schema_for!(CertificateFile);
    let mut text = serde_json::to_string_pretty(schema.as_value()).expect("a schema is plain JSON");
    text.push('\n');
    text
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn worst_record(worst: &Worst) -> WorstRecord {
    // JSON has no infinity; the largest number stands for it.
    let value = if worst.value.is_finite() { worst.value } else { f64::MAX };
    WorstRecord { value, frame: worst.frame, time: worst.time, at: worst.at }
}

fn requirement_record(verdict: &Verdict) -> RequirementRecord {
    RequirementRecord {
        requirement: verdict.requirement.to_string(),
        met: verdict.is_met(),
        unmet_frames: verdict.unmet,
        worst: verdict.worst.as_ref().map(worst_record),
    }
}

fn classes(distribution: &Distribution) -> Vec<ClassRecord> {
    let record = |class: pliant_solver::Class| ClassRecord {
        from: finite(class.from),
        to: finite(class.to),
        count: class.count,
    };
    distribution.classes().map(record).collect()
}

impl FrameMeasures {
    /// The measures of a frame on which so many substeps were spent.
    #[must_use]
    pub fn new(frame: &FrameCertificate, substeps_spent: u32) -> Self {
        let measures = frame.measures.iter().map(|measure| {
            (measure.name.clone(), MeasureRecord { value: finite(measure.value), at: measure.at })
        });
        Self {
            frame: frame.frame,
            time: frame.time,
            substeps: frame.substeps,
            substeps_spent,
            measures: measures.collect(),
        }
    }

    /// The frame as a certificate takes it up; `report` is one of the same simulation, for the units.
    pub(crate) fn to_frame(&self, certificate: &Certificate, report: &FrameReport) -> FrameCertificate {
        // In the order of the certificate, which is that of its tables.
        let known = certificate.quantities().iter();
        let measures = known.filter_map(|name| {
            let MeasureRecord { value, at } = self.measures.get(name)?;
            let unit = unit(name, report);
            Some(Measure { name: name.clone(), unit, value: value.unwrap_or(f64::NAN), at: *at })
        });
        FrameCertificate {
            frame: self.frame,
            time: self.time,
            substeps: self.substeps,
            measures: measures.collect(),
        }
    }
}

/// The unit of a measure.
fn unit(name: &str, report: &FrameReport) -> &'static str {
    if let Some(group) = name.strip_prefix("residual.") {
        let group = group.strip_suffix(".rms").unwrap_or(group);
        return report.residual(group).map_or("m", |residual| residual.unit);
    }
    match name {
        "motion" | "motion.rms" | "error.step" | "distance.max" => "m",
        "speed.max" | "speed.beside" => "m/s",
        "drift.linear" => "kg·m/s",
        "drift.angular" => "kg·m²/s",
        _ if name.starts_with("energy.") || name.starts_with("work.") => "J",
        _ => "1",
    }
}

impl CertificateFile {
    /// The file of a certificate; `last` is the report on the last certified frame.
    #[must_use]
    pub fn new(
        scene: &str,
        source: &str,
        certificate: &Certificate,
        frames: Vec<FrameMeasures>,
        last: Option<&FrameReport>,
    ) -> Self {
        let mut distributions = BTreeMap::new();
        if let Some(stretches) = last.and_then(|report| report.stretches.as_ref()) {
            distributions.insert("stretch".to_owned(), classes(stretches));
        }
        if let Some(volumes) = last.and_then(|report| report.volumes.as_ref()) {
            distributions.insert("volume".to_owned(), classes(volumes));
        }
        Self {
            format: 1,
            scene: scene.to_owned(),
            source: source.to_owned(),
            met: certificate.is_met(),
            verdict: (source == "run").then(|| verdict_record(&certificate.judgement())),
            requirements: certificate.verdicts().iter().map(requirement_record).collect(),
            units: certificate.worsts().map(|(name, unit, _)| (name.to_owned(), unit.to_owned())).collect(),
            worst: certificate
                .worsts()
                .map(|(name, _, worst)| (name.to_owned(), worst_record(worst)))
                .collect(),
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

    /// The frames as a table, one row each: frame, time, substeps, substeps spent, then the measures in the order of `names`. What a frame does not have is empty.
    #[must_use]
    pub fn to_csv(&self, names: &[String]) -> String {
        let known: Vec<&String> = names.iter().filter(|name| self.worst.contains_key(*name)).collect();
        let mut text = "frame,time,substeps,substeps_spent".to_owned();
        for name in &known {
            // A group may be called `edges (τ = 0.1 s)`; only commas and quotes would be in the way.
            let quoted = name.contains([',', '"', '\n']);
            text += &if quoted { format!(",\"{}\"", name.replace('"', "\"\"")) } else { format!(",{name}") };
        }
        text.push('\n');
        for frame in &self.frames {
            let FrameMeasures { frame: number, time, substeps, substeps_spent, measures } = frame;
            let _ = write!(text, "{number},{time},{substeps},{substeps_spent}");
            for name in &known {
                match measures.get(*name).and_then(|measure| measure.value) {
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
