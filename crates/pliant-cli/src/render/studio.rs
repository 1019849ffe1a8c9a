//! [`Studio`]: pictures of some frames, all from one camera.

use std::collections::BTreeMap;

use indicatif::ProgressBar;
use nalgebra::Vector3;
use pliant_io::Location;
use pliant_render::{
    Camera, ColourMap, Drawable, Drawing, Mark, Picture, Renderer, Rgb, Scale, Size, StageFit, Style, View,
};
use pliant_scene::model::CameraModel;
use pliant_view::{Look, Prop, Whereabouts};

use super::encounters::{CONTACT, CONTACT_LABEL, Encounters, crossings_in_words};
use super::film::{Film, STRAIN, Shot};
use super::scenery::RunScenery;
use crate::error::{CliError, refused};

/// The colour of crossings.
pub(super) const CROSSING: Rgb = Rgb(214, 24, 32);

/// The colour of seams, and their radius as a share of the diagonal of all that is seen.
pub(super) const SEAM_COLOUR: Rgb = Rgb(74, 70, 78);
pub(super) const SEAM: f64 = 0.0012;

/// Everything that pictures show.
pub(super) struct Studio<'a> {
    pub(super) film: &'a Film,
    pub(super) field: Option<&'a str>,
    /// Whether all bodies have one colour.
    pub(super) plain: bool,
    /// The encounters, if crossings are marked.
    pub(super) marked: Option<&'a Encounters>,
    pub(super) scenery: RunScenery,
    /// Units of the measures of the run.
    pub(super) units: BTreeMap<String, String>,
    pub(super) view: View,
    pub(super) camera: CameraModel,
}

/// Pictures, each with its caption.
pub(super) struct Pictures {
    pub(super) all: Vec<(Picture, String)>,
    /// How many elements could not be drawn.
    pub(super) skipped: usize,
    /// Crossings in each picture, if they are marked.
    pub(super) crossings: Vec<usize>,
}

impl Studio<'_> {
    /// Draws some frames, all from one camera, which sees everything in them.
    pub(super) fn take(
        &self,
        frames: &[usize],
        size: Size,
        sheet: bool,
        bar: &ProgressBar,
    ) -> Result<Pictures, CliError> {
        let mut view = self.view;
        if let Some(field) = self.field {
            // Room for the legend, which is as wide as its label.
            view.margins[1] = (0.05 + 0.0125 * self.label(field).chars().count() as f64).clamp(0.2, 0.4);
        }
        let mut fit = StageFit::new(view, size).map_err(refused)?;
        let mut seen = Vec::with_capacity(frames.len());
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &frame in frames {
            let shot = self.film.shot(frame, self.field.as_slice())?;
            let time = self.scenery.time(frame, shot.time);
            seen.extend(shot.bounds().map(|bounds| Whereabouts { time, bounds }));
            for part in shot.parts {
                fit.add(&part.positions);
                let values = part.fields.iter().flatten().flat_map(|(_, values)| values);
                for value in values.filter(|value| value.is_finite()) {
                    (low, high) = (low.min(*value), high.max(*value));
                }
            }
            bar.inc(1);
        }
        self.scenery.in_picture(&seen, |points| fit.add(points));
        fit.add(&self.scenery.walls.in_picture(&seen));
        let walls = self.scenery.walls.around(&seen, self.scenery.ground);
        let props: Vec<&Prop> = self.scenery.solids.iter().chain(&walls).collect();
        let mut style = Style::default();
        if let Some(height) = self.scenery.ground {
            style = style.ground(height);
        }
        let mut stage = fit.stage();
        if let Some(eye) = self.camera.eye {
            // The scene has placed the camera; what it does not see is not in the picture.
            let target = self.camera.target.map_or_else(|| stage.bounds.centre(), Vector3::from);
            stage.camera = Camera { eye: eye.into(), target, ..stage.camera };
        }
        let mut renderer = Renderer::new(size, stage).style(style);
        if let Some(field) = self.field {
            let scale = if field == CONTACT {
                Scale::new(ColourMap::Warm, 0.0, 1.0, self.label(field)).map_err(refused)?
            } else {
                let map = if low < 0.0 { ColourMap::CoolWarm } else { ColourMap::Viridis };
                Scale::over(map, [low, high], self.label(field))
            };
            renderer = renderer.scale(scale);
        }
        let mut pictures =
            Pictures { all: Vec::with_capacity(frames.len()), skipped: 0, crossings: Vec::new() };
        for &frame in frames {
            let shot = self.film.shot(frame, self.field.as_slice())?;
            let simulated = self.scenery.time(frame, shot.time);
            let mut caption = shot.time.map_or(String::new(), |time| format!("t = {time:.2} s"));
            let crossings = self.marked.map_or_else(Vec::new, |marked| marked.crossings(shot.positions()));
            if !crossings.is_empty() {
                let before = if caption.is_empty() { "" } else { ", " };
                caption = format!("{caption}{before}{}", crossings_in_words(crossings.len()));
            }
            pictures.crossings.push(crossings.len());
            let placed: Vec<_> = props.iter().map(|prop| prop.at(simulated)).collect();
            let props = props.iter().zip(&placed).map(|(prop, positions)| prop.drawable(positions));
            let marks = crossings.into_iter().map(|at| Mark { at, colour: CROSSING });
            let radius = SEAM * renderer.stage.bounds.diagonal();
            let seams = shot.parts.iter().filter(|part| !part.seams.is_empty());
            let seams =
                seams.map(|part| Drawable::lines(&part.positions, part.seams, radius).colour(SEAM_COLOUR));
            let all = self.bodies(&shot).chain(seams).chain(props);
            let mut drawing = Drawing::new(all.collect()).marks(marks);
            if !sheet && self.film.is_run() {
                drawing = drawing.caption(&caption);
            }
            let rendered = renderer.render(&drawing).map_err(refused)?;
            pictures.skipped += rendered.skipped;
            pictures.all.push((rendered.picture, caption));
            bar.inc(1);
        }
        Ok(pictures)
    }

    /// The label of the legend.
    fn label(&self, field: &str) -> String {
        if field == CONTACT {
            return CONTACT_LABEL.to_owned();
        }
        let unit = unit_of(field, &self.units);
        if unit.is_empty() { field.to_owned() } else { format!("{field} ({unit})") }
    }

    fn bodies<'a>(&'a self, shot: &'a Shot<'_>) -> impl Iterator<Item = Drawable<'a>> {
        shot.parts.iter().enumerate().map(|(index, part)| {
            let (positions, triangles) = (part.positions.as_slice(), part.triangles);
            let body = if part.closed || part.is_obstacle {
                Drawable::solid(positions, triangles)
            } else {
                Drawable::cloth(positions, triangles)
            };
            match (part.fields.first().and_then(Option::as_ref), self.field) {
                (Some((Location::Elements, values)), _) => body.element_field(values),
                (Some((_, values)), _) => body.vertex_field(values),
                // A body without the field that others have.
                (None, Some(_)) => body.colour(ColourMap::NO_VALUE),
                (None, None) if part.is_obstacle => body.colour(Look::Stone.colour()),
                (None, None) => body.colour(Rgb::of_body(if self.plain { 0 } else { index })),
            }
        })
    }
}

/// The unit of a field: those that Pliant writes are known, those of residuals from the certificate of the run.
pub(super) fn unit_of<'a>(field: &str, units: &'a BTreeMap<String, String>) -> &'a str {
    match field {
        STRAIN | "volume_error" => "%",
        "velocity" => "m/s",
        "displacement" => "m",
        _ => units.get(field).map_or("", String::as_str),
    }
}
