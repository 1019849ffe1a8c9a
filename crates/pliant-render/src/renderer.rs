//! [`Renderer`]: from a drawing to a picture.

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use rayon::prelude::*;

use crate::assemble::Assembly;
use crate::band::{Band, Scene};
use crate::camera::{Projector, Stage};
use crate::colour::Encoder;
use crate::colour_map::{Lookup, Scale, round_step};
use crate::drawing::{Drawable, Drawing, Primitives};
use crate::error::{RenderError, check};
use crate::legend;
use crate::lighting::Lighting;
use crate::mark;
use crate::picture::{Picture, Size};
use crate::project::{BAND, Projection};
use crate::shade::{GroundShader, Shader};
use crate::shadow::{Caster, GroundShadow, ShadowMap};
use crate::style::Style;

/// Things no higher than this over the ground, as a share of its visible extent, darken it around themselves.
const STANDING: f64 = 0.15;

/// Texels on a side of the shadow maps of the main light and of the sky.
const KEY_MAP: usize = 1024;
const SKY_MAP: usize = 256;

/// Draws the frames of one animation, or one picture.
///
/// The work is shared among the threads of the current rayon pool; the picture is the same to the last bit for any
/// number of them.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_render::{Drawable, Drawing, Renderer, Size, StageFit, View};
///
/// let ball = TriMesh::icosphere(1.0, 8)?;
/// let size = Size::new(80, 60)?;
/// let mut fit = StageFit::new(View::default(), size)?;
/// fit.add(ball.positions());
/// let renderer = Renderer::new(size, fit.stage());
/// let rendered = renderer.render(&Drawing::new(vec![Drawable::solid(ball.positions(), ball.triangles())]))?;
/// assert_ne!(rendered.picture.pixel(40, 30), rendered.picture.pixel(0, 0));
/// assert_eq!(rendered.skipped, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Renderer {
    /// Width and height of the pictures.
    pub size: Size,
    /// The camera, and the space in which everything happens.
    pub stage: Stage,
    /// How it is drawn.
    pub style: Style,
    /// The colours of fields, the same for all frames; none: from the numbers of each frame.
    pub scale: Option<Scale>,
    /// A line at the upper left.
    pub title: String,
}

/// A picture, and the number of elements that it leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The picture.
    pub picture: Picture,
    /// Triangles, lines and points left out because a vertex is not finite (or further than 10¹⁵ m away).
    pub skipped: usize,
}

impl Renderer {
    /// A renderer with the default style.
    #[must_use]
    pub fn new(size: Size, stage: Stage) -> Self {
        Self { size, stage, style: Style::default(), scale: None, title: String::new() }
    }

    /// Sets the style.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Colours fields by a scale, the same for all frames.
    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Writes a line at the upper left.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Renders a drawing. An empty one is a picture of the background.
    ///
    /// # Errors
    ///
    /// If an element names a vertex that does not exist, a field has another length than its mesh, or the camera or a
    /// setting of the style is out of range. Positions that are not finite are not an error: see [`Rendered::skipped`].
    pub fn render(&self, drawing: &Drawing<'_>) -> Result<Rendered, RenderError> {
        self.style.check()?;
        let scale = self.scale_of(drawing);
        if let Some(scale) = &scale {
            // The fields are public, so values set by hand are checked here.
            Scale::new(scale.map, scale.low, scale.high, "")?;
        }
        let lookup = scale.as_ref().map(Lookup::new);
        let projector = Projector::new(&self.stage.camera, self.size)?;
        let assembly = Assembly::new(drawing, lookup.as_ref(), &projector.eye)?;
        let bounds = self.bounds(drawing)?;
        let near = 1e-4 * ((bounds.centre() - projector.eye).norm() + bounds.diagonal()).max(1e-6);
        let projection = Projection::new(&assembly, &projector, self.size, near);
        let up = self.stage.camera.up.try_normalize(0.0).unwrap_or(projector.up);
        let key = self.key_light(&projector, &up);
        let shadow = ShadowMap::new(&assembly, key, &bounds, KEY_MAP);
        let ground = self.ground(&assembly, &bounds, &up, &key, &shadow);
        let shader = Shader {
            assembly: &assembly,
            lookup: lookup.as_ref(),
            shadow,
            key: key.cast(),
            fill: Lighting::along(Lighting::STUDIO.fill_from, [projector.right, up, -projector.ahead]).cast(),
            up: up.cast(),
        };
        let encoder = Encoder::new();
        let scene = Scene {
            size: self.size,
            projector: &projector,
            projection: &projection,
            shader: &shader,
            ground: ground.as_ref(),
            background: [self.style.sky.to_light(), self.style.haze.to_light()],
            pattern: self.style.smoothing.pattern(),
            lowered: 2e-3 * self.stage.bounds.diagonal(),
            encoder: &encoder,
        };
        let mut picture = Picture::filled(self.size, self.style.haze);
        let band_bytes = 3 * (self.size.width() * BAND) as usize;
        picture
            .bytes_mut()
            .par_chunks_mut(band_bytes)
            .enumerate()
            .for_each_init(|| Band::new(&scene), |band, (index, bytes)| band.draw(&scene, index, bytes));
        mark::draw(&mut picture, &projector, &drawing.marks);
        legend::annotate(&mut picture, &self.style, &self.title, &drawing.caption, scale.as_ref());
        Ok(Rendered { picture, skipped: assembly.skipped })
    }

    /// The scale of the pictures, or one over this frame's numbers if it has some.
    fn scale_of(&self, drawing: &Drawing<'_>) -> Option<Scale> {
        let has_field = drawing.drawables.iter().any(|drawable| !drawable.field().is_empty());
        if !has_field {
            return None;
        }
        let values = drawing.drawables.iter().flat_map(|drawable| drawable.field().iter().copied());
        Some(self.scale.clone().unwrap_or_else(|| Scale::over(Default::default(), values, "")))
    }

    /// The stage with room for the radius of rods and balls.
    fn bounds(&self, drawing: &Drawing<'_>) -> Result<Aabb, RenderError> {
        let bounds = self.stage.bounds;
        let size = bounds.size();
        let least = size.min();
        check("the smallest side of the stage, in metres,", least, 0.0..=1e16, "not below zero, and finite")?;
        check("the diagonal of the stage, in metres,", bounds.diagonal(), 0.0..=1e16, "finite")?;
        let radius = |drawable: &Drawable<'_>| match drawable.primitives {
            Primitives::Triangles(_) => 0.0,
            Primitives::Lines { radius, .. } | Primitives::Points { radius } => radius,
        };
        let thickest = drawing.drawables.iter().map(radius).fold(0.0, f64::max);
        Ok(bounds.grown(1e-3 * bounds.diagonal() + thickest + 1e-9))
    }

    /// Towards the main light, of unit length: as asked, or over the left shoulder of the camera.
    fn key_light(&self, projector: &Projector, up: &Vector3<f64>) -> Vector3<f64> {
        let level = -projector.ahead + up * up.dot(&projector.ahead);
        let back = level.try_normalize(1e-6).unwrap_or(projector.up);
        let shoulder = || Lighting::along(Lighting::STUDIO.key_from, [projector.right, *up, back]);
        self.style.light.map_or_else(shoulder, |light| light.normalize())
    }

    fn ground(
        &self,
        assembly: &Assembly,
        bounds: &Aabb,
        up: &Vector3<f64>,
        key: &Vector3<f64>,
        shadow: &ShadowMap,
    ) -> Option<GroundShader> {
        let ground = self.style.ground?;
        let sky = ShadowMap::new(assembly, *up, bounds, SKY_MAP);
        // By the stage alone, so that the ground does not change with the things on it.
        let reach = (0.5 * self.stage.bounds.diagonal()).max(1e-9);
        // Two level directions that are axes of the world where up is one.
        let other = if up.x.abs() < 0.8 { Vector3::x() } else { Vector3::z() };
        let across = (other - up * up.dot(&other)).normalize();
        let step = round_step(0.35 * reach);
        Some(GroundShader {
            albedo: ground.colour.to_light(),
            height: ground.height,
            up: *up,
            middle: self.stage.bounds.centre(),
            reach,
            key: GroundShadow::new(shadow, up, ground.height, self.style.softness, Caster::Bottom),
            sky: GroundShadow::new(&sky, up, ground.height, 0.7, Caster::Standing(STANDING * reach)),
            key_share: GroundShader::share_of_key(&up.cast(), &key.cast()),
            grid: ground.grid.then(|| (step, [across, up.cross(&across)])),
        })
    }
}
