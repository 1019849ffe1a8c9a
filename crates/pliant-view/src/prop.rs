//! [`Prop`]: a surface that is drawn in addition to the bodies, and how it looks.

use std::borrow::Cow;

use nalgebra::Vector3;
use pliant_mesh::{Aabb, TriMesh};
use pliant_render::{Drawable, Rgb};
use pliant_solver::Motion;

/// A surface that is drawn in addition to the bodies.
#[derive(Debug, Clone)]
pub struct Prop {
    /// Positions of its vertices at rest, m.
    pub positions: Vec<Vector3<f64>>,
    /// Counter-clockwise seen from the side of the bodies.
    pub triangles: Vec<[u32; 3]>,
    /// How it moves, if it does.
    pub motion: Option<Motion>,
    /// How it looks.
    pub look: Look,
    /// The number of its obstacle in the scene, if it is the whole of one.
    pub obstacle: Option<usize>,
}

/// How a prop looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A solid.
    Stone,
    /// Ground by its heights, which may reach far.
    Ground,
    /// A sheet with a free side: a plane.
    Wall,
    /// A side of a container.
    Pane,
    /// The border of a sheet.
    Rim,
}

impl Look {
    /// Its colour on both sides.
    #[must_use]
    pub fn colour(self) -> Rgb {
        match self {
            Self::Stone | Self::Ground => Rgb(176, 178, 182),
            Self::Wall | Self::Pane => Rgb(214, 218, 224),
            Self::Rim => Rgb(138, 144, 154),
        }
    }

    /// Opacity seen from its front, where the bodies are, and from behind, 0 to 1.
    #[must_use]
    pub fn opacity(self) -> [f32; 2] {
        match self {
            Self::Stone | Self::Ground | Self::Rim => [1.0; 2],
            Self::Wall => [1.0, 0.25],
            Self::Pane => [0.5, 0.125],
        }
    }

    /// Whether it casts a shadow of light that falls on its front.
    #[must_use]
    pub fn casts_shadow(self) -> bool {
        matches!(self, Self::Stone | Self::Ground | Self::Wall)
    }

    /// Whether it is seen as a body of stone, and not as a sheet.
    #[must_use]
    pub(crate) fn is_stone(self) -> bool {
        matches!(self, Self::Stone | Self::Ground)
    }

    /// The drawable of a surface that looks so.
    pub(crate) fn drawable<'a>(
        self,
        positions: &'a [Vector3<f64>],
        triangles: &'a [[u32; 3]],
    ) -> Drawable<'a> {
        let (colour, [front, back]) = (self.colour(), self.opacity());
        let drawable = Drawable::solid(positions, triangles).opacity(front, back);
        let drawable = if self.is_stone() {
            drawable.colour(colour)
        } else {
            Drawable { gloss: 0.0, ..drawable.sides(colour, colour) }
        };
        if self.casts_shadow() { drawable } else { drawable.without_shadow() }
    }
}

impl Prop {
    /// A solid with this surface.
    #[must_use]
    pub(crate) fn of_stone(mesh: TriMesh, motion: Option<Motion>) -> Self {
        let (positions, triangles) = mesh.into_parts();
        Self { positions, triangles, motion, look: Look::Stone, obstacle: None }
    }

    /// Positions of its vertices at a time, s.
    #[must_use]
    pub fn at(&self, time: f64) -> Cow<'_, [Vector3<f64>]> {
        match &self.motion {
            None => Cow::Borrowed(&self.positions),
            Some(motion) => {
                let pose = motion.pose(time);
                Cow::Owned(self.positions.iter().map(|x| pose.apply(x)).collect())
            }
        }
    }

    /// The drawable of these positions of its vertices.
    #[must_use]
    pub fn drawable<'a>(&'a self, positions: &'a [Vector3<f64>]) -> Drawable<'a> {
        self.look.drawable(positions, &self.triangles)
    }
}

/// The corners of a box, numbered by bits: x, y, z.
pub(crate) fn corners(bounds: &Aabb) -> [Vector3<f64>; 8] {
    let pick = |corner: usize, axis: usize| [bounds.min, bounds.max][corner >> axis & 1][axis];
    std::array::from_fn(|c| Vector3::new(pick(c, 0), pick(c, 1), pick(c, 2)))
}
