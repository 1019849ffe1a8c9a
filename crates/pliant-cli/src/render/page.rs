//! A run as one HTML file: the table, the plots, and a playback that turns with the mouse; nothing is fetched
//! from a network.

mod deformed;
mod field;
mod record;
mod rods;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use indicatif::ProgressBar;
use pliant_mesh::counted;
use pliant_render::Size;
use pliant_run::report::{FrameRecord, Report};
use pliant_scene::model::CameraModel;
use pliant_solver::Grade;
use pliant_view::page::{DRESS, NIGHT, STYLE, VIEW, escape, fill, still};
use pliant_view::view_of;

use super::encounters::Encounters;
use super::film::Film;
use super::plots;
use super::scenery::RunScenery;
use super::studio::Studio;
use crate::certificate::CertificateFile;
use crate::error::{CliError, refused};
use crate::verdicts::with_unit;

use record::Recording;

const PAGE: &str = include_str!("../../assets/page/page.html");
const PLAYBACK: &str = include_str!("../../assets/page/playback.html");
/// Where its frames come from: the page itself.
const RECORDING: &str = include_str!("../../assets/page/recording.js");

/// Size of the picture for browsers that cannot play.
const STILL: [u32; 2] = [800, 500];
/// Size of a plot, in units of its SVG.
const PLOT: [u32; 2] = [560, 340];

/// The page of a finished run.
pub(super) fn page(
    run: &Path,
    film: &Film,
    scenery: RunScenery,
    camera: CameraModel,
    every: Option<u32>,
    marked: Option<&Encounters>,
) -> Result<String, CliError> {
    // Of a simulation, or of a mesh that was deformed.
    let [title, lead, table, plots, footer] = match deformed::report(run) {
        Some(report) => [
            report.stack.clone(),
            deformed::lead(&report),
            deformed::table(&report),
            String::new(),
            deformed::footer(&report),
        ],
        None => {
            let report = plots::report(run)?;
            let plots = drawings(&report.frames)?;
            [report.scene.clone(), lead(&report), table(&report), plots, footer(&report)]
        }
    };
    let certificate = certificate(run)?;
    let recording = Recording::take(film, &scenery, every, marked)?;
    let units = certificate.as_ref().map(|certificate| certificate.units.clone()).unwrap_or_default();
    let data = recording.to_json(camera, &units);
    let playback = if recording.is_empty() {
        "<p class=\"lead\">The meshes of this run are too large to be played back in a page; its VTU files are whole.</p>".to_owned()
    } else {
        fill(PLAYBACK, &BTreeMap::from([("still", end(film, scenery, camera)?)]))
    };
    let parts = BTreeMap::from([
        ("title", escape(&title)),
        ("lead", lead),
        ("playback", playback),
        ("table", table),
        (
            "requirements",
            certificate.as_ref().map_or(String::new(), |file| verdict(file) + &requirements(file)),
        ),
        ("plots", plots),
        ("footer", footer),
        // Only this character could end the element early.
        ("data", data.replace('<', "\\u003c")),
        ("script", format!("\"use strict\";\n{DRESS}{}{RECORDING}", VIEW.concat())),
        ("style", STYLE.to_owned()),
        ("night", NIGHT.to_owned()),
    ]);
    Ok(fill(PAGE, &parts))
}

/// The last frame as a picture, for browsers that cannot play.
fn end(film: &Film, scenery: RunScenery, camera: CameraModel) -> Result<String, CliError> {
    let view = view_of(&camera);
    let units = BTreeMap::new();
    let studio = Studio { film, field: None, plain: false, marked: None, scenery, units, view, camera };
    let size = Size::new(STILL[0], STILL[1]).map_err(refused)?;
    let pictures = studio.take(&[film.frames() - 1], size, true, &ProgressBar::hidden())?;
    let png = pictures.all.first().map(|(picture, _)| picture.to_png()).transpose().map_err(refused)?;
    let sentence = "This browser is too old to play the run, which takes one of 2022 or later: here is its end. The numbers \
                    below are complete.";
    Ok(still(png.as_deref(), sentence))
}

/// The certificate of the run, if it has one.
pub(super) fn certificate(run: &Path) -> Result<Option<CertificateFile>, CliError> {
    let path = run.join("certificate.json");
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        CliError::Refused(format!("{} is not a certificate of this version: {error}", path.display()))
    })
}

fn lead(report: &Report) -> String {
    let bodies: Vec<String> = report
        .bodies
        .iter()
        .map(|body| {
            let (one, many) =
                if body.kind == "solid" { ("tetrahedron", "tetrahedra") } else { ("triangle", "triangles") };
            let vertices = counted(body.vertices, "vertex", "vertices");
            format!("{} ({vertices}, {})", escape(&body.name), counted(body.elements, one, many))
        })
        .collect();
    let (s, set) = (&report.summary, &report.settings);
    format!(
        "{}. {} at {} per second, {} × {}, {}: {:.2} ms a frame on {}.",
        bodies.join(", "),
        counted(s.frames, "frame", "frames"),
        set.frame_rate,
        counted(set.solver.substeps, "substep", "substeps"),
        counted(set.solver.iterations, "iteration", "iterations"),
        set.precision,
        s.ms_per_frame,
        counted(set.threads, "thread", "threads"),
    )
}

fn footer(report: &Report) -> String {
    let version = report.versions.get("pliant").map_or("", String::as_str);
    format!(
        "Made by Pliant {}. The state at the end is <code>{}</code>: the same scene gives the same on any machine, with any number of threads.",
        escape(version),
        escape(&report.summary.state_hash)
    )
}

/// The measures at the end, and the largest of all certified frames.
fn table(report: &Report) -> String {
    let mut rows = Vec::new();
    let s = &report.summary;
    let percent = |share: f64| format!("{:.3} %", 100.0 * share);
    if let Some(last) = report.frames.last().map(|frame| &frame.report) {
        if let (Some(stretch), Some(max), Some(mean)) = (&last.stretch, s.max_stretch, s.max_mean_stretch) {
            rows.push(["stretch, largest".to_owned(), percent(stretch.max.value), percent(max)]);
            rows.push(["stretch, mean".to_owned(), percent(stretch.mean), percent(mean)]);
        }
        if let (Some(volume), Some(max), Some(inverted)) = (&last.volume, s.max_volume_error, s.max_inverted)
        {
            rows.push(["volume error, largest".to_owned(), percent(volume.max.value), percent(max)]);
            rows.push(["inverted tetrahedra".to_owned(), volume.inverted.to_string(), inverted.to_string()]);
        }
        for residual in &last.residuals {
            let name = &residual.name;
            let worst = s.max_residuals.get(name).copied().unwrap_or_default();
            let value = |value: f64| with_unit(format!("{value:.2e}"), &residual.unit);
            rows.push([format!("residual of {name}"), value(residual.max.value), value(worst)]);
        }
    }
    let mut text =
        String::from("<table><thead><tr><th></th><th>at the end</th><th>largest</th></tr></thead><tbody>");
    for row in rows {
        text += "<tr>";
        row.iter().for_each(|cell| text += &format!("<td>{}</td>", escape(cell)));
        text += "</tr>";
    }
    text + "</tbody></table>"
}

/// The verdict, and the findings against the answer.
fn verdict(certificate: &CertificateFile) -> String {
    let Some(verdict) = &certificate.verdict else { return String::new() };
    let class = if verdict.grade() == Grade::Good { "met" } else { "unmet" };
    let mut text = format!("<h2>Verdict: <span class=\"{class}\">{}</span></h2>", verdict.grade());
    if verdict.findings.is_empty() {
        return text;
    }
    text += "<div \
    class=\"card\"><table><thead><tr><th></th><th>found</th><th>frame</th><th>remedy</th></tr></thead><tbody>";
    for finding in &verdict.findings {
        let _ = write!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            finding.grade,
            escape(&finding.what),
            finding.worst.frame,
            escape(&finding.cure)
        );
    }
    text + "</tbody></table></div>"
}

/// The requirements, and whether they were met.
fn requirements(certificate: &CertificateFile) -> String {
    if certificate.requirements.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<h2>Required</h2><div class=\"card\"><table><thead><tr><th></th><th></th><th>furthest</th><th>frame</th></tr></thead><tbody>",
    );
    for requirement in &certificate.requirements {
        let (class, verdict) = if requirement.is_met() { ("met", "met") } else { ("unmet", "not met") };
        let (value, frame) = match &requirement.worst {
            Some(worst) => (format!("{:.3e}", worst.value), worst.frame.to_string()),
            None => ("not known".to_owned(), String::new()),
        };
        let _ = write!(
            text,
            "<tr><td><code>{}</code></td><td class=\"{class}\">{verdict}</td><td>{value}</td><td>{frame}</td></tr>",
            escape(&requirement.requirement.to_string())
        );
    }
    text + "</tbody></table></div>"
}

/// Energy, residuals, stretch and volume over time.
fn drawings(frames: &[FrameRecord]) -> Result<String, CliError> {
    let size = Size::new(PLOT[0], PLOT[1]).map_err(refused)?;
    let mut text = String::from("<h2>Over time</h2>\n<div class=\"plots\">");
    for plot in plots::all(frames) {
        let svg = plot.to_svg(size).map_err(refused)?;
        // As a picture that fills its card, whatever the width of the card.
        let svg =
            svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escape(&plot.title)), 1);
        let _ = write!(text, "<div class=\"card\">{svg}</div>");
    }
    Ok(text + "</div>")
}
