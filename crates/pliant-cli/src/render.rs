//! `pliant render`: a picture of a mesh, or a picture, an animation, a contact sheet or a page of a run.

mod encounters;
mod film;
mod page;
mod plots;
mod scenery;
mod sewing;
mod source;
mod studio;

use std::path::Path;

use pliant_mesh::counted;
use pliant_render::{Picture, RenderError, Rgb, Size, contact_sheet, write_apng, write_gif};
use pliant_run::files::write_whole;
use pliant_run::report::Report;
use pliant_view::view_of;

use crate::args::{Marks, PlotKind, RenderArgs, Side};
use crate::console::Console;
use crate::error::{CliError, refused};
use crate::progress::progress_bar;
use encounters::{Encounters, crossings_in_words};
pub(crate) use film::Film;
use scenery::RunScenery;
use studio::{Pictures, Studio};

/// The most memory that the pictures of an animation may take, bytes.
const MAX_BYTES: u64 = 1 << 31;
/// How many frames a contact sheet shows by default.
const ON_SHEET: usize = 12;
/// Viewers slow down a GIF whose frames are shorter, s.
const SHORTEST_GIF: f64 = 0.02;
/// Time of a frame if neither the files nor the user give it, s.
const DEFAULT_SECONDS: f64 = 1.0 / 30.0;

/// The kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Product {
    Picture,
    Sheet,
    Gif,
    Apng,
}

pub(crate) fn render(args: &RenderArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    if is_page(&args.output) {
        return write_page(&Film::open(&args.input)?, args, console);
    }
    if let Some(kind) = args.plot {
        return write_plot(&plots::report(&args.input)?, args, kind, console);
    }
    // Checked before the files are read.
    let product = Product::of(args)?;
    draw(&Film::open(&args.input)?, product, args, console)
}

/// Draws a picture, a sheet or an animation of a film, which must come from the input that the arguments name.
pub(crate) fn write_pictures(
    film: &Film,
    args: &RenderArgs,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    draw(film, Product::of(args)?, args, console)
}

fn draw(film: &Film, product: Product, args: &RenderArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let field = match args.color_by.as_str() {
        "none" | "body" => None,
        field => {
            film.check_field(field)?;
            Some(field)
        }
    };
    let scenery = if film.is_run() { RunScenery::of_run(&args.input) } else { RunScenery::default() };
    if let Some(remark) = &scenery.remark {
        console.remark(remark);
    }
    let marked = marked(film, args.mark, console)?;
    let camera = scenery.camera(args);
    let (frames, seconds) = choose(args, film, product)?;
    let size = size(args, product)?;
    let bytes = 3 * u64::from(size.width()) * u64::from(size.height()) * frames.len() as u64;
    if bytes > MAX_BYTES {
        return Err(CliError::Refused(format!(
            "{} pictures of {} × {} pixels take more than {} GiB of memory; draw fewer of them with --every, or a \
             smaller --size",
            frames.len(),
            size.width(),
            size.height(),
            MAX_BYTES >> 30
        )));
    }
    let bar = progress_bar(u32::try_from(2 * frames.len()).unwrap_or(u32::MAX), console.is_watched());
    let view = view_of(&camera);
    let certificate = if film.is_run() { page::certificate(&args.input)? } else { None };
    let units = certificate.map(|certificate| certificate.units).unwrap_or_default();
    let plain = args.color_by == "none";
    let studio = Studio { film, field, plain, marked, scenery, units, view, camera };
    let pictures = studio.take(&frames, size, product == Product::Sheet, &bar)?;
    bar.finish_and_clear();

    if pictures.skipped > 0 {
        let elements = counted(pictures.skipped, "element", "elements");
        console.remark(&format!("left out: {elements} with a position that is not finite"));
    }
    let count = pictures.all.len();
    let crossed = crossed(&frames, &pictures.crossings);
    write(pictures, &args.output, product, seconds)?;
    tell(&args.output, &counted(count, "frame", "frames"), console)?;
    crossed.map_or(Ok(()), |text| console.tell(&text))
}

/// The encounters whose crossings are marked, if any.
fn marked<'a>(
    film: &'a Film,
    asked: Option<Marks>,
    console: &mut Console<'_>,
) -> Result<Option<&'a Encounters>, CliError> {
    let refused = |problem: &str| {
        Err(CliError::Refused(format!("crossings cannot be marked in {}: {problem}", film.name())))
    };
    match (asked, (asked != Some(Marks::None)).then(|| film.encounters())) {
        (Some(Marks::Crossings), Some(Ok(None))) => refused("no body of the scene of a run collides"),
        (Some(Marks::Crossings), Some(Err(problem))) => refused(problem),
        (_, Some(Ok(found))) => Ok(found),
        (_, Some(Err(problem))) => {
            console.remark(&format!("crossings are not marked: {problem}"));
            Ok(None)
        }
        (_, None) => Ok(None),
    }
}

/// A line on the crossings of the frames that have been drawn, if there are any.
fn crossed(frames: &[usize], crossings: &[usize]) -> Option<String> {
    let all = frames.iter().zip(crossings).filter(|(_, count)| **count > 0);
    // The first of the frames with the most crossings.
    let (frame, &most) = all.clone().rev().max_by_key(|(_, count)| **count)?;
    Some(match frames {
        [_] => format!("{} in frame {frame}\n", crossings_in_words(most)),
        _ => format!(
            "crossings in {} of {}, most in frame {frame}: {most}\n",
            all.count(),
            counted(frames.len(), "frame", "frames")
        ),
    })
}

/// Reports what has been written.
fn tell(path: &Path, what: &str, console: &mut Console<'_>) -> Result<(), CliError> {
    let bytes = std::fs::metadata(path).map_or(0, |meta| meta.len());
    console.tell(&format!("{}: {what}, {} kB\n", path.display(), bytes.div_ceil(1000)))
}

/// Whether the output is a page and not a picture.
fn is_page(output: &Path) -> bool {
    let extension = output.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    !output.is_dir() && ["html", "htm"].iter().any(|page| extension.eq_ignore_ascii_case(page))
}

/// Writes a plot of a run from its report.
pub(crate) fn write_plot(
    report: &Report,
    args: &RenderArgs,
    kind: PlotKind,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    let is = |kind| args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(kind));
    if args.output.is_dir() || !(is("png") || is("svg")) {
        return Err(CliError::Refused(format!("{}: a plot is a file, .svg or .png", args.output.display())));
    }
    let Some(plot) = plots::plot(kind, &report.frames) else {
        return Err(CliError::Refused(format!(
            "{} has nothing to plot for {}: its report has no such numbers",
            args.input.display(),
            kind.name()
        )));
    };
    let size = size(args, Product::Picture)?;
    let written =
        if is("png") { plot.write_png(&args.output, size) } else { plot.write_svg(&args.output, size) };
    written.map_err(refused)?;
    tell(&args.output, &format!("{} over time", kind.name()), console)
}

/// The quantities for which a run has enough numbers to plot.
pub(crate) fn plotted(report: &Report) -> impl Iterator<Item = PlotKind> {
    PlotKind::ALL.into_iter().filter(|&kind| plots::plot(kind, &report.frames).is_some())
}

/// Writes the page of the run of a film.
pub(crate) fn write_page(film: &Film, args: &RenderArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    if !film.is_run() {
        return Err(CliError::Refused(format!("{} is one mesh; a page is made of a run", film.name())));
    }
    if args.size.is_some()
        || args.color_by != "body"
        || args.frame.is_some()
        || args.fps.is_some()
        || args.sheet
    {
        return Err(CliError::Refused(
            "--size, --color-by, --frame, --fps and --sheet apply to pictures: a page is as large as its \
            window, and is coloured and played there"
                .to_owned(),
        ));
    }
    let marked = marked(film, args.mark, console)?;
    let scenery = RunScenery::of_run(&args.input);
    let camera = scenery.camera(args);
    let page = page::page(&args.input, film, scenery, camera, args.every, marked)?;
    write_whole(&args.output, &page)?;
    tell(&args.output, "a page for any browser", console)
}

/// The page of a run, whose crossings are marked if there are any.
pub(crate) fn run_as_page(run: &Path, console: &mut Console<'_>) -> Result<String, CliError> {
    let film = Film::open(run)?;
    let marked = marked(&film, None, console)?;
    let scenery = RunScenery::of_run(run);
    let camera = scenery.scenery.camera;
    page::page(run, &film, scenery, camera, None, marked)
}

impl Product {
    /// The kind by the extension, checked against the options.
    fn of(args: &RenderArgs) -> Result<Self, CliError> {
        let name = args.output.display();
        let refused = |what: String| Err(CliError::Refused(what));
        if args.output.is_dir() {
            return refused(format!("{name} is a directory; name a file for the picture"));
        }
        let extension = args.output.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let product = match (extension.to_ascii_lowercase().as_str(), args.sheet) {
            ("png", false) => Self::Picture,
            ("png", true) => Self::Sheet,
            ("gif", false) => Self::Gif,
            ("apng", false) => Self::Apng,
            ("gif" | "apng", true) => return refused(format!("{name}: a contact sheet is a .png")),
            _ => {
                return refused(format!(
                    "{name}: the extension decides what is drawn, and must be .png for a picture, .gif or .apng for an \
                     animation, .html for a page with a playback, or with --plot .svg or .png"
                ));
            }
        };
        if args.frame.is_some() && product != Self::Picture {
            return refused("--frame is for a single picture, without --sheet, to a .png file".to_owned());
        }
        if args.every.is_some() && product == Self::Picture {
            return refused("--every is for .gif, .apng and --sheet; a picture takes --frame".to_owned());
        }
        if args.fps.is_some() && !product.moves() {
            return refused("--fps is for animations: .gif and .apng".to_owned());
        }
        Ok(product)
    }

    fn moves(self) -> bool {
        matches!(self, Self::Gif | Self::Apng)
    }
}

/// The frames to draw, and how long each is shown, s.
fn choose(args: &RenderArgs, film: &Film, product: Product) -> Result<(Vec<usize>, f64), CliError> {
    let count = film.frames();
    if product == Product::Picture {
        let frame = args.frame.map_or(count - 1, |frame| frame as usize);
        if frame >= count {
            return Err(CliError::Refused(format!(
                "there is no frame {frame} in {}: its frames are 0 to {}",
                film.name(),
                count - 1
            )));
        }
        return Ok((vec![frame], DEFAULT_SECONDS));
    }
    if !film.is_run() {
        return Err(CliError::Refused(format!(
            "{} is one mesh, without frames: draw it to a .png file without --sheet",
            film.name()
        )));
    }
    if product == Product::Sheet {
        let frames = match args.every {
            Some(every) => (0..count).step_by(every as usize).collect(),
            None if count <= ON_SHEET => (0..count).collect(),
            None => (0..ON_SHEET).map(|k| k * (count - 1) / (ON_SHEET - 1)).collect(),
        };
        return Ok((frames, DEFAULT_SECONDS));
    }
    let between = match (film.time(0)?, film.time(count - 1)?) {
        (Some(first), Some(last)) if last > first => (last - first) / (count - 1) as f64,
        _ => DEFAULT_SECONDS,
    };
    let every = match (args.every, product) {
        (Some(every), _) => every as usize,
        // The tolerance keeps rounding from dropping every other frame at 50 frames per second.
        (None, Product::Gif) if args.fps.is_none() => {
            (SHORTEST_GIF / between - 1e-6).ceil().max(1.0) as usize
        }
        (None, _) => 1,
    };
    let seconds = args.fps.map_or(between * every as f64, |fps| 1.0 / fps);
    Ok(((0..count).step_by(every).collect(), seconds))
}

fn size(args: &RenderArgs, product: Product) -> Result<Size, CliError> {
    let [width, height] = match args.size {
        Some(Side { width, height }) => [width, height],
        None if product == Product::Sheet => [320, 240],
        None => [640, 480],
    };
    Size::new(width, height).map_err(refused)
}

fn write(pictures: Pictures, path: &Path, product: Product, seconds: f64) -> Result<(), CliError> {
    let all = pictures.all;
    let frames =
        |all: Vec<(Picture, String)>| all.into_iter().map(|(picture, _)| picture).collect::<Vec<_>>();
    let written = match product {
        Product::Picture => {
            frames(all).first().map_or(Err(RenderError::Empty), |picture| picture.write_png(path))
        }
        Product::Sheet => {
            // As many columns as rows, or slightly more.
            let columns = (all.len() as f64).sqrt().ceil() as u32;
            contact_sheet(&all, columns, Rgb::WHITE).and_then(|sheet| sheet.write_png(path))
        }
        Product::Gif => write_gif(path, &frames(all), seconds),
        Product::Apng => write_apng(path, &frames(all), seconds),
    };
    written.map_err(refused)
}
