//! [`Still`]: a picture of one state, which another thread may draw.

use nalgebra::Vector3;
use pliant_render::{Drawable, Drawing, Picture, RenderError, Renderer, Rgb, Size, Stage, Style};

use crate::prop::Look;

/// A picture of one state that is to be drawn, with all that it shows, so that another thread may draw it.
pub struct Still {
    pub(crate) size: Size,
    pub(crate) seat: Stage,
    pub(crate) style: Style,
    pub(crate) sights: Vec<Sight>,
}

/// A surface as it is at one time.
pub(crate) struct Sight {
    pub(crate) positions: Vec<Vector3<f64>>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) colour: Rgb,
    pub(crate) look: Option<Look>,
    pub(crate) is_cloth: bool,
}

impl Still {
    /// Draws it, with the processor.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn in that size.
    pub fn draw(&self) -> Result<Picture, RenderError> {
        let drawables =
            self.sights.iter().map(|Sight { positions, triangles, colour, look, is_cloth }| match look {
                Some(look) => look.drawable(positions, triangles),
                None if *is_cloth => Drawable::cloth(positions, triangles).colour(*colour),
                None => Drawable::solid(positions, triangles).colour(*colour),
            });
        let drawing = Drawing::new(drawables.collect());
        let renderer = Renderer::new(self.size, self.seat).style(self.style.clone());
        Ok(renderer.render(&drawing)?.picture)
    }
}
