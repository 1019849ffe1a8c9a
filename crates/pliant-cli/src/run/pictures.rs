//! What is drawn of a run when it is done: a contact sheet and an animation where the scene asks for them, and the page of `--html`.

use std::path::{Path, PathBuf};

use pliant_scene::Scene;
use pliant_scene::model::{Format, PicturesModel};

use super::folder::Folder;
use crate::args::{RenderArgs, RunArgs, Side};
use crate::console::Console;
use crate::error::CliError;
use crate::render;

const SHEET: &str = "sheet.png";
const ANIMATION: &str = "animation.gif";

/// What is to be drawn.
pub(super) struct Pictures {
    asked: Option<PicturesModel>,
    page: Option<PathBuf>,
}

impl Pictures {
    /// Looks, before anything is simulated, whether it can be drawn.
    pub(super) fn choose(scene: &Scene, args: &RunArgs) -> Result<Self, CliError> {
        let output = &scene.model.output;
        let readable = |format: &Format| matches!(format, Format::Vtu | Format::Ply | Format::Obj);
        if args.html.is_some() && !output.formats.iter().any(readable) {
            return Err(CliError::Refused(
                "--html reads the frames back from the files of the run; have \"vtu\", \"ply\" or \"obj\" among its formats"
                    .to_owned(),
            ));
        }
        Ok(Self { asked: output.pictures.clone(), page: args.html.clone() })
    }

    /// Makes room for the pictures in the folder; returns their names, with a line on what they are.
    pub(super) fn announce(&self, folder: &mut Folder) -> Result<Vec<(String, String)>, CliError> {
        let Some(asked) = &self.asked else { return Ok(Vec::new()) };
        let all = [
            (asked.sheet, SHEET, "frames of the run in one picture"),
            (asked.animation, ANIMATION, "the run as an animation"),
        ];
        let mut hints = Vec::new();
        for (_, name, what) in all.iter().filter(|(wanted, ..)| *wanted) {
            folder.announce(name)?;
            hints.push(((*name).to_owned(), (*what).to_owned()));
        }
        Ok(hints)
    }

    /// Draws what was asked for, from the files of the finished run.
    pub(super) fn draw(&self, run: &Path, console: &mut Console<'_>) -> Result<(), CliError> {
        let args = |output: PathBuf| RenderArgs::quietly(run.to_owned(), output);
        if let Some(PicturesModel { sheet, animation, size: [width, height], color_by }) = &self.asked {
            let color_by = color_by.clone();
            if *sheet {
                let args = RenderArgs { sheet: true, color_by: color_by.clone(), ..args(run.join(SHEET)) };
                render::render(&args, console)?;
            }
            if *animation {
                let size = Some(Side { width: *width, height: *height });
                render::render(&RenderArgs { size, color_by, ..args(run.join(ANIMATION)) }, console)?;
            }
        }
        match &self.page {
            Some(page) => render::write_page(&args(page.clone()), console),
            None => Ok(()),
        }
    }
}
