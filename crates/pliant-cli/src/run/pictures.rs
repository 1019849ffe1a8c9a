//! Pictures of a finished run: a contact sheet, an animation and plots if the scene asks for them, and the
//! page of `--html`.

use std::path::{Path, PathBuf};

use pliant_run::report::Report;
use pliant_run::{ANIMATION, PLOTS, RESIDUAL, SHEET};
use pliant_scene::Scene;
use pliant_scene::model::{Format, PicturesModel};
use pliant_solver::{Float, Simulation};

use crate::args::{PlotKind, RenderArgs, RunArgs, Side};
use crate::console::Console;
use crate::error::CliError;
use crate::render::{self, Film};

/// The pictures to draw.
pub(super) struct Pictures {
    asked: Option<PicturesModel>,
    page: Option<PathBuf>,
}

/// The files of a plot, in the folder of the run.
fn plot_files(kind: PlotKind) -> [String; 2] {
    ["svg", "png"].map(|extension| format!("{PLOTS}/{}.{extension}", kind.name()))
}

impl Pictures {
    /// Checks, before anything is simulated, that the pictures can be drawn.
    pub(super) fn choose(scene: &Scene, args: &RunArgs) -> Result<Self, CliError> {
        let output = &scene.model.output;
        let readable = |format: &Format| {
            matches!(format, Format::Vtu | Format::Ply | Format::Obj | Format::Mdd | Format::Pc2)
        };
        if args.html.is_some() && !output.formats.iter().any(readable) {
            return Err(CliError::Refused(
                "--html reads the frames back from the files of the run; have \"vtu\", \"ply\", \"obj\", \"mdd\" or \"pc2\" among its formats"
                    .to_owned(),
            ));
        }
        Ok(Self { asked: output.pictures.clone(), page: args.html.clone() })
    }

    /// Checks that the constraints exist by whose residuals pictures are coloured.
    pub(super) fn check<T: Float>(&self, simulation: &Simulation<T>) -> Result<(), CliError> {
        let Some(group) = self.asked.as_ref().and_then(|asked| asked.color_by.strip_prefix(RESIDUAL)) else {
            return Ok(());
        };
        let groups = simulation.plan();
        if groups.iter().any(|known| known.name == group) {
            return Ok(());
        }
        let names: Vec<String> = groups.iter().map(|known| format!("{RESIDUAL}{}", known.name)).collect();
        Err(CliError::Refused(format!(
            "the pictures cannot be coloured by {RESIDUAL}{group}: there are {}",
            names.join(", ")
        )))
    }

    /// The files that will be drawn in the folder of the run, and what to open, each with a line on what it is.
    pub(super) fn files(&self, report: &Report) -> (Vec<String>, Vec<(String, String)>) {
        let (mut files, mut hints) = (Vec::new(), Vec::new());
        let Some(asked) = &self.asked else { return (files, hints) };
        let all = [
            (asked.sheet, SHEET, "frames of the run in one picture"),
            (asked.animation, ANIMATION, "the run as an animation"),
        ];
        for (_, name, what) in all.iter().filter(|(wanted, ..)| *wanted) {
            files.push((*name).to_owned());
            hints.push(((*name).to_owned(), (*what).to_owned()));
        }
        if asked.plots {
            let kinds: Vec<PlotKind> = render::plotted(report).collect();
            files.extend(kinds.iter().flat_map(|&kind| plot_files(kind)));
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            hints.push((PLOTS.to_owned(), format!("{} over time, as SVG and PNG", names.join(", "))));
        }
        (files, hints)
    }

    /// Draws the requested pictures, from the files of the finished run and its report.
    pub(super) fn draw(
        &self,
        report: &Report,
        run: &Path,
        console: &mut Console<'_>,
    ) -> Result<(), CliError> {
        let console = &mut console.hushed();
        let args = |output: PathBuf| RenderArgs::of(run.to_owned(), output);
        let asked = self.asked.as_ref();
        if asked.is_some_and(|asked| asked.plots) {
            for kind in render::plotted(report) {
                for file in plot_files(kind) {
                    render::write_plot(report, &args(run.join(file)), kind, console)?;
                }
            }
        }
        let wants_film = asked.is_some_and(|asked| asked.sheet || asked.animation) || self.page.is_some();
        if !wants_film {
            return Ok(());
        }
        // One film for all pictures, so that the files are read once. The run itself reports what it wrote.
        let film = Film::open(run)?;
        if let Some(PicturesModel { sheet, animation, size: [width, height], color_by, .. }) = asked {
            let args = |file| RenderArgs { color_by: color_by.clone(), ..args(run.join(file)) };
            if *sheet {
                render::write_pictures(&film, &RenderArgs { sheet: true, ..args(SHEET) }, console)?;
            }
            if *animation {
                let size = Some(Side { width: width.get(), height: height.get() });
                render::write_pictures(&film, &RenderArgs { size, ..args(ANIMATION) }, console)?;
            }
        }
        match &self.page {
            Some(page) => render::write_page(&film, &args(page.clone()), console),
            None => Ok(()),
        }
    }
}
