//! [`Show::picture`]: the present state as a picture, for where no page can draw one.

use nalgebra::Vector3;
use pliant_render::{Camera, Picture, RenderError, Size, StageFit, Style};

use super::Show;
use crate::camera::view_of;
use crate::prop::Look;
use crate::still::{Sight, Still};
use crate::surface::{Carrier, Surface};

impl Show<'_> {
    /// A picture of the present state, from where the page looks at first; drawn by the processor.
    ///
    /// ```
    /// use pliant_render::Size;
    /// use pliant_scene::Scene;
    /// use pliant_view::Show;
    ///
    /// let scene = Scene::parse("[[body]]\nmesh = { icosphere = { radius = 0.5, frequency = 4 } }\nedges = \"rigid\"\n", ".")?;
    /// let picture = Show::of_scene(scene)?.picture(Size::new(160, 120)?)?;
    /// assert!(picture.to_png()?.starts_with(b"\x89PNG"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the camera of the scene cannot be used.
    pub fn picture(&self, size: Size) -> Result<Picture, RenderError> {
        self.still(size)?.draw()
    }

    /// What a picture of the present state shows: it can be drawn while the simulation goes on.
    pub(crate) fn still(&self, size: Size) -> Result<Still, RenderError> {
        let stage = &self.stage;
        let sights: Vec<Sight> = stage.surfaces.iter().map(|surface| self.sight(surface)).collect();
        let mut fit = StageFit::new(view_of(&stage.camera), size)?;
        for sight in &sights {
            if sight.look.is_none_or(|look| look == Look::Stone) {
                fit.add(&sight.positions);
            }
        }
        let mut style = Style::default();
        if let Some(height) = stage.ground {
            style = style.ground(height);
        }
        let mut seat = fit.stage();
        if let Some(eye) = stage.camera.eye {
            let target = stage.camera.target.map_or_else(|| seat.bounds.centre(), Vector3::from);
            seat.camera = Camera { eye: eye.into(), target, ..seat.camera };
        }
        Ok(Still { size, seat, style, sights })
    }

    fn sight(&self, surface: &Surface) -> Sight {
        let Surface { colour, look, is_cloth, triangles, .. } = surface;
        let (positions, triangles) = (self.places(surface), triangles.clone());
        Sight { positions, triangles, colour: *colour, look: *look, is_cloth: *is_cloth }
    }

    /// Where the vertices of a surface are.
    fn places(&self, surface: &Surface) -> Vec<Vector3<f64>> {
        let Carrier::Rigid { positions, obstacle, motion } = &surface.carrier else {
            return surface.places(self.act.as_ref());
        };
        let pose = obstacle.and_then(|obstacle| self.hands.pose(obstacle));
        let pose = pose.unwrap_or_else(|| motion.pose(self.act.time()));
        positions.iter().map(|x| pose.apply(&Vector3::from(*x).map(f64::from))).collect()
    }
}
