//! The numbers of a run over time as plots: for its page, and as files of their own.

use std::path::Path;

use pliant_render::{Axis, Plot};
use pliant_run::report::{FrameRecord, Report};
use pliant_solver::FrameReport;

use crate::args::PlotKind;
use crate::error::CliError;

/// The report of a finished run, with its numbers.
pub(super) fn report(run: &Path) -> Result<Report, CliError> {
    let path = run.join("run.json");
    let text = std::fs::read_to_string(&path).map_err(|error| {
        CliError::Refused(format!(
            "{}: {error}; pages and plots need a finished run, which has this file",
            path.display()
        ))
    })?;
    serde_json::from_str(&text).map_err(|error| {
        CliError::Refused(format!("{} is not the report of a run of this version: {error}", path.display()))
    })
}

/// One quantity over time; `None` if the frames do not have it.
pub(super) fn plot(kind: PlotKind, frames: &[FrameRecord]) -> Option<Plot> {
    let curves = Curves(frames);
    let plot = match kind {
        PlotKind::Energy => curves.energy(),
        PlotKind::Residual => curves.residuals(None),
        PlotKind::Stretch => curves.stretch(),
        PlotKind::Volume => curves.volume(),
    };
    is_drawable(&plot).then_some(plot)
}

/// All quantities; residuals have a plot for each unit, because metres and cubic metres cannot share an axis.
pub(super) fn all(frames: &[FrameRecord]) -> Vec<Plot> {
    let curves = Curves(frames);
    let mut units: Vec<&str> = curves.groups().into_iter().map(|(_, unit)| unit).collect();
    units.sort_unstable();
    units.dedup();
    let mut plots = vec![curves.energy()];
    plots.extend(units.into_iter().map(|unit| curves.residuals(Some(unit))));
    plots.extend([curves.stretch(), curves.volume()]);
    plots.retain(is_drawable);
    plots
}

/// Whether there is a point to draw: a logarithmic axis has no place for zero.
fn is_drawable(plot: &Plot) -> bool {
    let shown = |y: f64| y.is_finite() && (plot.y_axis == Axis::Linear || y > 0.0);
    plot.series.iter().flat_map(|series| &series.points).any(|&(_, y)| shown(y))
}

/// The certified frames of a run.
struct Curves<'a>(&'a [FrameRecord]);

impl<'a> Curves<'a> {
    fn reports(&self) -> impl Iterator<Item = &'a FrameReport> {
        self.0.iter().map(|frame| &frame.report)
    }

    fn over(&self, value: impl Fn(&FrameReport) -> Option<f64>) -> Vec<(f64, f64)> {
        self.reports().filter_map(|report| Some((report.time, value(report)?))).collect()
    }

    /// Names and units of the groups, as they appear first.
    fn groups(&self) -> Vec<(&'a str, &'a str)> {
        let mut groups: Vec<(&str, &str)> = Vec::new();
        for residual in self.reports().flat_map(|report| &report.residuals) {
            if groups.iter().all(|(known, _)| *known != residual.name) {
                groups.push((&residual.name, &residual.unit));
            }
        }
        groups
    }

    fn energy(&self) -> Plot {
        Plot::new("Energy", "time (s)", "energy (J)")
            .curve("kinetic", self.over(|f| Some(f.energy.kinetic)))
            .curve("potential", self.over(|f| Some(f.energy.potential)))
            .curve("elastic", self.over(|f| Some(f.energy.elastic)))
    }

    /// The residuals of one unit, or all of them, each labelled with its unit.
    fn residuals(&self, unit: Option<&str>) -> Plot {
        let label = match unit {
            None | Some("1") => "residual".to_owned(),
            Some(unit) => format!("residual ({unit})"),
        };
        // Plots of several units stand side by side: each says what it is about.
        let title = match unit {
            None => "Largest residual".to_owned(),
            Some("m") => "Largest residual of lengths".to_owned(),
            Some("rad") => "Largest residual of angles".to_owned(),
            Some("m³") => "Largest residual of volumes".to_owned(),
            Some("1") => "Largest residual of strains".to_owned(),
            Some(unit) => format!("Largest residual in {unit}"),
        };
        let mut plot = Plot::new(title, "time (s)", label).y_axis(Axis::Logarithmic);
        for (name, its) in self.groups() {
            let points = || self.over(|f| Some(f.residual(name)?.max.value));
            match unit {
                Some(unit) if unit == its => plot = plot.curve(name, points()),
                Some(_) => {}
                None if its == "1" => plot = plot.curve(name, points()),
                None => plot = plot.curve(format!("{name} ({its})"), points()),
            }
        }
        plot
    }

    fn stretch(&self) -> Plot {
        Plot::new("Stretch", "time (s)", "stretch (%)")
            .curve("largest", self.over(|f| Some(100.0 * f.stretch.as_ref()?.max.value)))
            .curve("mean", self.over(|f| Some(100.0 * f.stretch.as_ref()?.mean)))
    }

    fn volume(&self) -> Plot {
        Plot::new("Error of volume", "time (s)", "error (%)")
            .curve("largest", self.over(|f| Some(100.0 * f.volume.as_ref()?.max.value)))
    }
}
