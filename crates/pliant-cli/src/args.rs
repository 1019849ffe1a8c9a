//! The command line.

mod place;
mod side;
mod sweep;

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use place::output_file;
use pliant_run::{Checkpoints, Intent};
use pliant_scene::model::unit::Degree;
use pliant_scene::model::{AcceptModel, Accuracy, Elevation, Finite, Frames, OutOfBounds, Steps};
use serde::Deserialize;
use serde::de::IntoDeserializer;
pub(crate) use side::Side;
use side::side;
pub(crate) use sweep::{SweepArgs, SweepCommand};

/// Simulates cloth and soft bodies: reads real meshes and writes animations.
///
/// Without a command, runs the default scene: a sheet that falls over a turning ball and a soft ring, and folds.
#[derive(Debug, Parser)]
#[command(name = "pliant", version, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print only errors and what is asked for (--json, a list)
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

impl Cli {
    /// Reads a command line, whose first word is the name of the program.
    pub(crate) fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        // A number below zero is reported as out of range, not as an unknown option.
        let mut command = Self::command().mut_subcommands(|command| command.allow_negative_numbers(true));
        let matches = command.try_get_matches_from_mut(args)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene and write the animation
    Run(RunArgs),
    /// Write a commented example scene; without a name, list them
    New(NewArgs),
    /// Validate a scene, or a stack of deformers, and its meshes without running it
    Check(CheckArgs),
    /// Check a finished run from its files: residuals, strains, volumes and requirements
    Certify(CertifyArgs),
    /// Draw a mesh, or a frame or the animation of a run; no graphics card is needed
    Render(RenderArgs),
    /// Show a scene while it runs, to handle and to change, or play a run, in a browser on this machine
    View(ViewArgs),
    /// Take an animated mesh through a stack of deformers: skinning, collision, relaxation, smoothing, jiggle
    Deform(DeformArgs),
    /// Bring the edges of a deformed mesh back towards their lengths at rest
    Relax(RelaxArgs),
    /// Run a scene many times with other values of some keys: a grid, or a sample
    Sweep(SweepArgs),
    /// Inspect, repair or convert mesh files, or fill surfaces with tetrahedra
    Mesh {
        #[command(subcommand)]
        command: MeshCommand,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum MeshCommand {
    /// Report counts, bounds, volume, area, edges, colours and defects of a mesh file
    Info(InfoArgs),
    /// Report everything that is wrong with a mesh file; exit status 2 if it could not be simulated as it is
    Check(MeshCheckArgs),
    /// Repair a mesh: join seams, drop elements without size, turn elements that are inside out
    Repair(RepairArgs),
    /// Write a mesh in another format, that of the extension of the output
    Convert(ConvertArgs),
    /// Fill a surface with well-shaped tetrahedra; it may have holes and intersect itself
    Tetrahedralize(TetrahedralizeArgs),
}

#[derive(Debug, Default, Args)]
pub(crate) struct RunArgs {
    /// Scene file (TOML); without one, the default scene
    pub(crate) scene: Option<PathBuf>,
    /// Folder to write to [default: runs/<scene>-<n>]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the run that the folder holds; other files in it stay
    #[arg(long)]
    pub(crate) force: bool,
    /// Number of frames, instead of the scene's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).try_map(Frames::new))]
    pub(crate) frames: Option<Frames>,
    /// Start where the finished run in this folder ended, instead of what the scene says (`from`)
    #[arg(long, value_name = "DIR")]
    pub(crate) from: Option<PathBuf>,
    /// Number of threads [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Order in which constraints are projected, instead of the scene's
    #[arg(long, value_name = "PLAN")]
    pub(crate) plan: Option<PlanArg>,
    /// Precision of the simulation, instead of the scene's
    #[arg(long, value_name = "PRECISION")]
    pub(crate) precision: Option<PrecisionArg>,
    /// Write settings, per-frame series and summary to this file
    #[arg(long, value_name = "FILE.json", value_parser = output_file())]
    pub(crate) report: Option<PathBuf>,
    /// Write the table, the plots and a playback to turn with the mouse to this file, for any browser
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub(crate) html: Option<PathBuf>,
    /// A bound that every certified frame must keep, such as 'residual.edges<=1e-5'; exit status 3 if one
    /// exceeds it. May be repeated
    #[arg(long, value_name = "QUANTITY<=BOUND")]
    pub(crate) require: Vec<String>,
    /// Substeps per frame, instead of the scene's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).try_map(Steps::new))]
    pub(crate) substeps: Option<Steps>,
    /// How errors are reduced, instead of the scene's method
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(crate) method: Option<MethodArg>,
    /// Required accuracy of the answer, such as 0.001: with the method auto, which is used unless another
    /// method is given, the largest residual as a share of the size of the elements
    #[arg(long, value_name = "SHARE", value_parser = number::<Accuracy>)]
    pub(crate) accuracy: Option<Accuracy>,
    /// End with status 0 although the verdict is "not to be trusted" for these reasons, separated by commas:
    /// start, resolution, speed, energy, inversion, material, volume, constraints, contact, all
    #[arg(long, value_name = "REASON", value_delimiter = ',', value_parser = reason)]
    pub(crate) accept: Vec<AcceptModel>,
    /// Certify every n-th frame and the last; 0: the last only
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "adaptive")]
    pub(crate) report_every: u32,
    /// Choose the substeps of every frame so that the requirements are met [limits: the scene's to 64 times as many]
    #[arg(long, value_name = "MIN..MAX", num_args = 0..=1, require_equals = true, value_parser = limits)]
    pub(crate) adaptive: Option<Option<RangeInclusive<u32>>>,
    /// Resume the interrupted run in the folder of --output; its files become those of an uninterrupted run, to the
    /// last bit
    #[arg(long = "continue", requires = "output", conflicts_with = "force")]
    pub(crate) go_on: bool,
    /// As --continue, but start the run if the folder holds nothing to resume: the same command at every start of a job
    #[arg(long = "resume-or-start", requires = "output", conflicts_with_all = ["force", "go_on"])]
    pub(crate) go_on_or_begin: bool,
    /// Have the finished run of the scene in this folder: start it, resume it, or return at once if it is
    /// finished, with status 0 in each case; status 75 if another process has the folder, or a signal stopped
    /// it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "force", "go_on", "go_on_or_begin"])]
    pub(crate) ensure: Option<PathBuf>,
    /// Stop after this frame (or the next that is certified); --continue resumes from there
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) stop_after: Option<u32>,
    /// Frames (20) or seconds (30s) from one checkpoint to the next; --continue resumes from the last; 0:
    /// none [default: five seconds, or longer if checkpoints would take more than 2 % of the run]
    #[arg(long, value_name = "N")]
    pub(crate) checkpoint_every: Option<Checkpoints>,
    /// Write the state of every written frame with its multipliers, so that `pliant certify` can check the residuals
    #[arg(long)]
    pub(crate) save_multipliers: bool,
}

impl RunArgs {
    /// The folder that was named.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.ensure.as_deref().or(self.output.as_deref())
    }

    /// What to do with a run that the folder holds.
    pub(crate) fn intent(&self) -> Intent {
        match (self.force, self.go_on, self.go_on_or_begin || self.ensure.is_some()) {
            (true, ..) => Intent::Replace,
            (_, true, _) => Intent::Continue,
            (.., true) => Intent::ContinueOrBegin,
            _ => Intent::Begin,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Scene or stack of deformers (TOML), or folder of a run; without one, the default scene
    #[arg(value_name = "SCENE|STACK|RUN_DIR")]
    pub(crate) input: Option<PathBuf>,
    /// Port of the address [default: any that is free]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// Folder to record the simulation to while it is shown; the page has a button for it too
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Replace the run that this folder holds; other files in it stay
    #[arg(long, requires = "record")]
    pub(crate) force: bool,
    /// Address that an earlier view has printed, so that its page, if it is still open, shows this
    #[arg(long, value_name = "ADDRESS", conflicts_with = "port")]
    pub(crate) at: Option<String>,
    /// Number of threads [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct DeformArgs {
    /// Stack file (TOML); `pliant new elbow` writes one
    #[arg(value_name = "STACK.toml")]
    pub(crate) stack: PathBuf,
    /// Folder to write to [default: runs/<stack>-<n>]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the run that the folder holds; other files in it stay
    #[arg(long)]
    pub(crate) force: bool,
    /// Number of frames, instead of the stack's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).try_map(Frames::new))]
    pub(crate) frames: Option<Frames>,
    /// Number of threads [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print a line for every frame and deformer; without it, for twelve frames at most
    #[arg(long)]
    pub(crate) table: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RelaxArgs {
    /// Mesh file of the shape at rest
    pub(crate) rest: PathBuf,
    /// Mesh file of the deformed shape, with the same vertices and triangles
    pub(crate) deformed: PathBuf,
    /// File to write, in the format of its extension
    #[arg(short, long, value_name = "OUT", value_parser = output_file())]
    pub(crate) output: PathBuf,
    /// Sweeps over all edges
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub(crate) iterations: u32,
    /// Share of the error that a sweep takes from an edge that is too short, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub(crate) push: f64,
    /// Share of the error that a sweep takes from an edge that is too long, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub(crate) pull: f64,
    /// Share of the change of the enclosed volume that a sweep takes back, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub(crate) volume: f64,
    /// Leave vertices on the border of the mesh where they are
    #[arg(long)]
    pub(crate) pin_borders: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CertifyArgs {
    /// Folder of a run
    #[arg(value_name = "RUN_DIR", required_unless_present = "schema")]
    pub(crate) run: Option<PathBuf>,
    /// A bound that every frame must keep, besides those of the run. May be repeated
    #[arg(long, value_name = "QUANTITY<=BOUND")]
    pub(crate) require: Vec<String>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the JSON schema of certificates
    #[arg(long)]
    pub(crate) schema: bool,
}

/// A reason by its name in scene files.
fn reason(text: &str) -> Result<AcceptModel, serde::de::value::Error> {
    AcceptModel::deserialize(text.into_deserializer())
}

/// A number within the bounds of its type.
fn number<V: TryFrom<f64, Error = OutOfBounds>>(text: &str) -> Result<V, String> {
    let number: f64 = text.parse().map_err(|_| "give a number".to_owned())?;
    V::try_from(number).map_err(|error| error.to_string())
}

/// Limits of the substeps of a frame.
fn limits(text: &str) -> Result<RangeInclusive<u32>, String> {
    let parts = text.split_once("..").map(|(min, max)| (min, max.trim_start_matches('=')));
    let limits = parts.and_then(|(min, max)| Some(min.parse().ok()?..=max.parse().ok()?));
    limits
        .filter(|limits| *limits.start() > 0 && !limits.is_empty() && *limits.end() <= 1_000_000)
        .ok_or_else(|| "give the fewest and the most substeps of a frame, such as 4..200".to_owned())
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MethodArg {
    /// Sweeps over the constraints
    Sweeps,
    /// Bodies with rigid edges first on coarse levels, then sweeps
    Coarse,
    /// All elastic constraints together, by Newton's method
    Newton,
    /// In every frame the one of these that reaches the accuracy with the least work
    Auto,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PlanArg {
    /// The solver chooses
    Auto,
    /// In the order of the mesh, by one thread
    Sequential,
    /// In clusters, eight constraints side by side (what auto chooses)
    Clustered,
    /// In the order of the mesh, eight constraints side by side where the result is the same
    Ordered,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PrecisionArg {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

impl PrecisionArg {
    /// As it is written on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Name of the example; without one, all are listed
    pub(crate) name: Option<String>,
    /// File to write; `-` is standard output [default: NAME.toml]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Scene or stack file (TOML)
    #[arg(value_name = "FILE.toml")]
    pub(crate) scene: PathBuf,
    /// Print the remarks as JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// Folder of a run, or mesh file
    #[arg(value_name = "RUN_DIR|MESH")]
    pub(crate) input: PathBuf,
    /// File to write: .png for a picture, .gif or .apng for an animation, .html for a page that plays the
    /// run, .svg for a plot
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    pub(crate) output: PathBuf,
    /// Frame to draw as a picture, from 0 [default: the last]
    #[arg(long, value_name = "N")]
    pub(crate) frame: Option<u32>,
    /// `body`: each body in its own colour; `none`: all in the same; `strain`: change of lengths since frame
    /// 0; `contact`: where bodies touch; or a field of the files
    #[arg(long, value_name = "FIELD", visible_alias = "colour-by", default_value = "body")]
    pub(crate) color_by: String,
    /// Mark with rings where surfaces that collide cross [default: crossings, if there are any]
    #[arg(long, value_name = "WHAT")]
    pub(crate) mark: Option<Marks>,
    /// Plot a quantity of the run over time instead, to a .svg or .png file
    #[arg(long, value_name = "QUANTITY", conflicts_with_all = ["color_by", "mark", "frame", "every", "fps", "sheet", "azimuth", "elevation"])]
    pub(crate) plot: Option<PlotKind>,
    /// Width and height in pixels [default: 640x480; 320x240 for each picture of a sheet]
    #[arg(long, value_name = "WxH", value_parser = side)]
    pub(crate) size: Option<Side>,
    /// Every n-th frame of an animation or sheet [default: all; in a GIF as many as viewers can show; 12 on a sheet]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: Option<u32>,
    /// Frames per second of an animation [default: as fast as it was simulated]
    #[arg(long, value_name = "F", value_parser = fps)]
    pub(crate) fps: Option<f64>,
    /// Direction of the camera: degrees from +z towards +x, as seen from above [default: the scene's, or 38]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, value_parser = number::<Finite<Degree>>)]
    pub(crate) azimuth: Option<Finite<Degree>>,
    /// Height of the camera: degrees above the horizon [default: the scene's, or 16]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, value_parser = number::<Elevation>)]
    pub(crate) elevation: Option<Elevation>,
    /// Draw a contact sheet: many frames in one .png
    #[arg(long)]
    pub(crate) sheet: bool,
}

impl RenderArgs {
    /// The arguments of a command line that names only input and output.
    pub(crate) fn of(input: PathBuf, output: PathBuf) -> Self {
        Self {
            input,
            output,
            frame: None,
            color_by: "body".to_owned(),
            mark: None,
            plot: None,
            size: None,
            every: None,
            fps: None,
            azimuth: None,
            elevation: None,
            sheet: false,
        }
    }
}

/// What rings mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Marks {
    /// Edges that pass through triangles although their surfaces collide
    Crossings,
    /// Nothing
    None,
}

/// What can be plotted over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlotKind {
    /// Kinetic, potential and elastic energy
    Energy,
    /// The largest |C + α̃λ| of every group of constraints
    Residual,
    /// The largest elongation of an edge, and the mean change
    Stretch,
    /// The largest change of volume of a tetrahedron
    Volume,
}

impl PlotKind {
    pub(crate) const ALL: [Self; 4] = [Self::Energy, Self::Residual, Self::Stretch, Self::Volume];

    /// As it is written on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Residual => "residual",
            Self::Stretch => "stretch",
            Self::Volume => "volume",
        }
    }
}

fn fps(text: &str) -> Result<f64, String> {
    let given = text.parse().ok().filter(|fps| (0.02..=1000.0).contains(fps));
    given.ok_or_else(|| "give a number of frames per second, 0.02 to 1000".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Mesh file: OBJ, PLY, STL, OFF, glTF, USDA, Gmsh, TetGen, MEDIT, Abaqus, VTK or VTU
    pub(crate) file: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Report how a simulation would batch the constraints: clusters, colours, packs of eight and how full they are
    #[arg(long)]
    pub(crate) batches: bool,
    /// Precision of the simulation whose batches are reported
    #[arg(long, value_name = "PRECISION", default_value = "f32", requires = "batches")]
    pub(crate) precision: PrecisionArg,
}

#[derive(Debug, Args)]
pub(crate) struct MeshCheckArgs {
    /// Mesh file
    pub(crate) file: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Tetrahedra with a smaller angle between two faces are slivers, degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 5.0)]
    pub(crate) sliver: f64,
}

#[derive(Debug, Args)]
pub(crate) struct RepairArgs {
    /// Mesh file
    pub(crate) file: PathBuf,
    /// File to write, in the format of its extension
    #[arg(short, long, value_name = "OUT", value_parser = output_file())]
    pub(crate) output: PathBuf,
    /// Join vertices within this distance, in the unit of the file
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.0)]
    pub(crate) weld: f64,
    /// Join open boundaries within this distance into one piece, in the unit of the file; edges are divided
    /// where vertices lie on them
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.0)]
    pub(crate) unite: f64,
    /// Drop all pieces but the largest
    #[arg(long, conflicts_with = "keep_share")]
    pub(crate) keep_largest: bool,
    /// Drop pieces of less than this share of the whole area or volume, 0 to 1
    #[arg(long, value_name = "SHARE")]
    pub(crate) keep_share: Option<f64>,
    /// Close holes of at most this many edges, 500 at most
    #[arg(long, value_name = "EDGES")]
    pub(crate) fill_holes: Option<usize>,
    /// Leave edges of more than two triangles, and sheets that touch in a vertex, joined
    #[arg(long)]
    pub(crate) keep_non_manifold: bool,
    /// Separate parts of solids that touch only in an edge or a vertex
    #[arg(long)]
    pub(crate) split_solids: bool,
    /// Keep vertices that no element uses; they are still reported
    #[arg(long)]
    pub(crate) keep_unreferenced: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// Mesh file to read
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Mesh file to write
    #[arg(value_name = "OUT", value_parser = output_file())]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct TetrahedralizeArgs {
    /// Mesh file of triangles
    pub(crate) surface: PathBuf,
    /// File to write, in the format of its extension: .msh, .vtu, .vtk, .mesh, .inp or .node
    #[arg(short, long, value_name = "TETS", value_parser = output_file())]
    pub(crate) output: PathBuf,
    /// Number of cells along the longest side [default: 32, or more, up to 128, if 32 lose parts of the surface]
    #[arg(long, value_name = "N", conflicts_with = "edge_length")]
    pub(crate) cells: Option<usize>,
    /// Length of the longest edges, in the unit of the file
    #[arg(long, value_name = "L")]
    pub(crate) edge_length: Option<f64>,
    /// Fill a shell of this thickness around the surface instead of what it encloses, in the unit of the
    /// file: for sheets
    #[arg(long, value_name = "T")]
    pub(crate) shell_thickness: Option<f64>,
    /// Larger tetrahedra far inside
    #[arg(long)]
    pub(crate) graded: bool,
    /// Write the solid even if it lacks parts of the surface; otherwise it is refused
    #[arg(long)]
    pub(crate) accept_losses: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The commands that do something, with the words that call them.
    fn commands(of: &clap::Command, words: &str) -> Vec<(String, clap::Command)> {
        if !of.has_subcommands() {
            return vec![(words.to_owned(), of.clone())];
        }
        let of_one = |command: &clap::Command| {
            commands(command, format!("{words} {}", command.get_name()).trim_start())
        };
        of.get_subcommands().flat_map(of_one).collect()
    }

    /// The rows of tables under the heading of a command, cell by cell.
    fn rows(page: &str, command: &str) -> Vec<Vec<String>> {
        let heading = format!("## `{command}`");
        let section = page.lines().skip_while(|line| *line != heading).skip(1);
        let lines =
            section.take_while(|line| !line.starts_with("## ")).filter_map(|line| line.strip_prefix('|'));
        let cells = |line: &str| {
            line.replace("\\|", "¦").split('|').map(|cell| cell.trim().replace('¦', "|")).collect()
        };
        lines.map(cells).collect()
    }

    /// The code in a cell.
    fn code(cell: &str) -> impl Iterator<Item = &str> {
        cell.split('`').skip(1).step_by(2)
    }

    /// The names of an option, or of the place of a positional argument, in a cell.
    fn names(argument: &clap::Arg) -> Vec<String> {
        let value = argument.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
        if argument.is_positional() {
            return value.into_iter().collect();
        }
        let short = argument.get_short().map(|short| format!("-{short}"));
        let long = argument.get_long_and_visible_aliases().unwrap_or_default();
        let long = long.into_iter().map(|long| match (&value, argument.get_action().takes_values()) {
            (Some(value), true) if argument.is_require_equals_set() => format!("--{long}={value}"),
            (Some(value), true) => format!("--{long} {value}"),
            _ => format!("--{long}"),
        });
        short.into_iter().chain(long).collect()
    }

    /// What the row of an option lacks.
    fn missing(argument: &clap::Arg, rows: &[Vec<String>]) -> Option<String> {
        let names = names(argument);
        let told = |row: &&Vec<String>| names.iter().all(|name| code(&row[0]).any(|code| code == name));
        let Some(row) = rows.iter().find(told) else {
            return Some(format!("a row for `{}`", names.join("`, `")));
        };
        let default = argument.get_default_values().first().and_then(|value| value.to_str());
        if let Some(default) = default.filter(|default| code(&row[1]).next() != Some(default)) {
            return Some(format!("the default `{default}` of `{}`", names.join("`, `")));
        }
        if !argument.get_action().takes_values() {
            return None;
        }
        let choices = argument.get_possible_values();
        let untold = choices.iter().find(|choice| code(&row[2]).all(|code| code != choice.get_name()));
        untold.map(|choice| format!("`{}` of `{}`", choice.get_name(), names.join("`, `")))
    }

    #[test]
    fn the_guide_tells_every_command_and_option() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/guide/commands.md");
        // The guide is not part of the published crate.
        let Ok(page) = fs::read_to_string(path) else { return };
        let mut faults = Vec::new();
        let cli = Cli::command();
        // Options of every command are documented once.
        for argument in cli.get_arguments().filter(|argument| argument.is_global_set()) {
            for name in names(argument) {
                let told = page.lines().take_while(|line| !line.starts_with("## ")).flat_map(code);
                if !told.into_iter().any(|code| code == name) {
                    faults.push(format!("the introduction lacks `{name}`"));
                }
            }
        }
        for (words, command) in commands(&cli, "") {
            let rows = rows(&page, &words);
            if rows.is_empty() {
                faults.push(format!("`{words}` has no section with a table"));
            }
            let lacks = command.get_arguments().filter_map(|argument| missing(argument, &rows));
            faults.extend(lacks.map(|what| format!("`{words}` lacks {what}")));
            let known: Vec<String> = command.get_arguments().flat_map(names).collect();
            let told = rows.iter().flat_map(|row| code(&row[0]));
            // An option whose value is optional may also stand without it.
            let unknown = told.filter(|told| {
                !known.iter().any(|name| name == told || name.split('=').next() == Some(told))
            });
            faults.extend(unknown.map(|told| format!("`{words}` has no `{told}`")));
        }
        assert!(faults.is_empty(), "docs/src/guide/commands.md:\n{}", faults.join("\n"));
    }
}
