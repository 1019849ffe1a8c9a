//! [`Skin::picture`]: the present state as a picture, for where no page can draw one.

use pliant_render::{Picture, RenderError, Size, StageFit, Style};

use super::Skin;
use crate::camera::view_of;
use crate::still::{Sight, Still};
use crate::surface::Carrier;

impl Skin {
    /// A picture of the present state, from where the page looks at first; drawn by the processor.
    ///
    /// # Errors
    ///
    /// If its size cannot be drawn.
    pub fn picture(&self, size: Size) -> Result<Picture, RenderError> {
        self.still(size)?.draw()
    }

    /// What a picture of the present state shows.
    pub(crate) fn still(&self, size: Size) -> Result<Still, RenderError> {
        let sight = |surface: &crate::surface::Surface| {
            let positions = match &surface.carrier {
                Carrier::Particles { vertices, .. } => {
                    vertices.iter().map(|&v| self.place(v as usize)).collect()
                }
                _ => Vec::new(),
            };
            let (triangles, colour) = (surface.triangles.clone(), surface.colour);
            Sight { positions, triangles, colour, look: None, is_cloth: surface.is_cloth }
        };
        let sights: Vec<Sight> = self.stage.surfaces.iter().map(sight).collect();
        let mut fit = StageFit::new(view_of(&self.stage.camera), size)?;
        sights.iter().for_each(|sight| fit.add(&sight.positions));
        Ok(Still { size, seat: fit.stage(), style: Style::default(), sights })
    }
}
