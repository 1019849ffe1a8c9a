//! [`DeformReport`]: the content of `run.json` for a stack.

use std::collections::BTreeMap;

use pliant_deform::LayerReport;
use pliant_scene::{BuiltStack, StackFile};
use serde::{Deserialize, Serialize};

/// A finished run of a stack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeformReport {
    /// Version of this format; a reader should refuse a version that it does not know.
    pub format: u32,
    /// Versions of the programs that made the run.
    pub versions: BTreeMap<String, String>,
    /// Name of the stack.
    pub stack: String,
    /// Its file.
    pub stack_file: String,
    /// Frames per second.
    pub frame_rate: f64,
    /// The mesh, with the name of its files.
    pub bodies: Vec<DeformedBody>,
    /// Names of the deformers, from the first to the last.
    pub deformers: Vec<String>,
    /// Remarks on the input.
    pub notes: Vec<String>,
    /// Every frame.
    pub frames: Vec<DeformedFrame>,
    /// Time until the first frame, s.
    pub setup_s: f64,
    /// Time of the whole run, s.
    pub wall_s: f64,
    /// Files of the run, relative to its folder.
    pub files: Vec<String>,
}

/// The mesh that was deformed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeformedBody {
    /// Its name.
    pub name: String,
    /// Number of its vertices.
    pub vertices: usize,
    /// Number of its triangles.
    pub triangles: usize,
}

/// A frame in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeformedFrame {
    /// Number, from 0.
    pub frame: u32,
    /// Time, s.
    pub time: f64,
    /// Time to deform and measure it, ms.
    pub deform_ms: f64,
    /// Time to write it, ms.
    pub write_ms: f64,
    /// What each deformer did.
    pub deformers: Vec<DeformedBy>,
}

/// What a deformer did to a frame. Strain is the change of the length of an edge, relative to rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeformedBy {
    /// Its name.
    pub name: String,
    /// Root mean square of the strain before and after it.
    pub strain_rms: [f64; 2],
    /// Largest strain before and after it.
    pub strain_max: [f64; 2],
    /// The edge with the largest strain after it, by its vertices.
    pub strain_max_at: Option<[u32; 2]>,
    /// Enclosed volume after it divided by that before; `None` for an open mesh.
    pub volume_ratio: Option<f64>,
}

impl DeformReport {
    pub(super) fn begin(file: &StackFile, built: &BuiltStack, setup_s: f64) -> Self {
        let version = |name: &str| (name.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self {
            format: 1,
            versions: BTreeMap::from([version("pliant")]),
            stack: file.name().to_owned(),
            stack_file: file.source_name().to_owned(),
            frame_rate: built.frame_rate,
            bodies: vec![DeformedBody {
                name: file.name().to_owned(),
                vertices: built.mesh.positions().len(),
                triangles: built.mesh.triangles().len(),
            }],
            deformers: built.layers.clone(),
            notes: built.notes.clone(),
            frames: Vec::new(),
            setup_s,
            wall_s: 0.0,
            files: Vec::new(),
        }
    }

    pub(super) fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("numbers, texts and lists have a form in JSON");
        text.push('\n');
        text
    }
}

impl DeformedFrame {
    pub(super) fn new(frame: u32, time: f64, layers: &[LayerReport], deform_ms: f64, write_ms: f64) -> Self {
        let by = |layer: &LayerReport| DeformedBy {
            name: layer.name.clone(),
            strain_rms: [layer.before.rms, layer.after.rms],
            strain_max: [layer.before.max, layer.after.max],
            strain_max_at: layer.after.at,
            volume_ratio: layer.volume_ratio,
        };
        Self { frame, time, deform_ms, write_ms, deformers: layers.iter().map(by).collect() }
    }
}
