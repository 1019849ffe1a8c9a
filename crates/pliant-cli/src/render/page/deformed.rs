//! What a page says of a deformed mesh.

use std::fmt::Write as _;
use std::path::Path;

use pliant_mesh::counted;
use pliant_view::page::escape;

use crate::deform::DeformReport;

/// The report of a stack of deformers, if the folder holds one.
pub(super) fn report(run: &Path) -> Option<DeformReport> {
    serde_json::from_str(&std::fs::read_to_string(run.join("run.json")).ok()?).ok()
}

/// The sentence under the title.
pub(super) fn lead(report: &DeformReport) -> String {
    let bodies: Vec<String> = report
        .bodies
        .iter()
        .map(|body| format!("{}: {}", escape(&body.name), counted(body.triangles, "triangle", "triangles")))
        .collect();
    let frames = counted(report.frames.len(), "frame", "frames");
    format!("{}. {frames} at {} per second.", bodies.join(", "), report.frame_rate)
}

/// What each deformer did to the last frame.
pub(super) fn table(report: &DeformReport) -> String {
    let mut text = String::from(
        "<table><thead><tr><th>deformer, last frame</th><th>strain, rms</th><th>strain, largest</th><th>volume</th></tr></thead><tbody>",
    );
    let percent = |[before, after]: [f64; 2]| format!("{:.1} → {:.1} %", 100.0 * before, 100.0 * after);
    for by in report.frames.last().iter().flat_map(|frame| &frame.deformers) {
        let volume =
            by.volume_ratio.map_or(String::new(), |ratio| format!("{:+.2} %", 100.0 * (ratio - 1.0)));
        let (rms, max) = (percent(by.strain_rms), percent(by.strain_max));
        let name = escape(&by.name);
        let _ = write!(text, "<tr><td>{name}</td><td>{rms}</td><td>{max}</td><td>{volume}</td></tr>");
    }
    text + "</tbody></table>"
}

/// The last line.
pub(super) fn footer(report: &DeformReport) -> String {
    format!("Made by Pliant {}.", escape(report.versions.get("pliant").map_or("", String::as_str)))
}
