//! The input of a picture: a [`Drawing`] of [`Drawable`]s, plain borrowed data.

use nalgebra::Vector3;
use pliant_mesh::TetMesh;

use crate::colour::Rgb;
use crate::mark::Mark;

/// Everything in one picture.
#[derive(Debug, Clone, Default)]
pub struct Drawing<'a> {
    /// The things to draw.
    pub drawables: Vec<Drawable<'a>>,
    /// A line at the lower left, such as the time.
    pub caption: String,
    /// Places to point at, over all that is drawn.
    pub marks: Vec<Mark>,
}

impl<'a> Drawing<'a> {
    /// A drawing of some things, without a caption and without marks.
    #[must_use]
    pub fn new(drawables: Vec<Drawable<'a>>) -> Self {
        Self { drawables, caption: String::new(), marks: Vec::new() }
    }

    /// Writes a line at the lower left, such as the time.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Points at these places.
    #[must_use]
    pub fn marks(mut self, marks: impl IntoIterator<Item = Mark>) -> Self {
        self.marks.extend(marks);
        self
    }
}

/// One thing in a picture: positions, the elements between them, and its colour.
///
/// Elements with a vertex that is not finite are left out of the picture;
/// [`Rendered::skipped`](crate::Rendered::skipped) counts these.
#[derive(Debug, Clone)]
pub struct Drawable<'a> {
    /// Vertex positions, metres.
    pub positions: &'a [Vector3<f64>],
    /// The elements between the vertices.
    pub primitives: Primitives<'a>,
    /// Its colour.
    pub paint: Paint<'a>,
    /// The angle between neighbouring triangles, degrees, from which on the edge between them is drawn sharp; 180 and
    /// above: no edge is.
    pub crease: f64,
    /// Lines along the edges of the triangles: their colour, and their width in pixels.
    pub wireframe: Option<(Rgb, f32)>,
    /// How much it shines, 0 to 1.
    pub gloss: f32,
    /// The opacity of its front and of its back, 0 to 1: in steps of one sample, see
    /// [`Smoothing`](crate::Smoothing). Lines and points only have a front.
    pub opacity: [f32; 2],
    /// Whether it throws a shadow: of the light that meets a side which hides more than half of it. Shadows of others
    /// fall on it in any case.
    pub casts_shadow: bool,
}

/// The elements between the vertices of a [`Drawable`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Primitives<'a> {
    /// Triangles, seen from both sides; counter-clockwise seen from the front.
    Triangles(&'a [[u32; 3]]),
    /// Lines between two vertices each, drawn as round rods.
    Lines {
        /// The two vertices of each line.
        lines: &'a [[u32; 2]],
        /// Radius of the rods, metres.
        radius: f64,
    },
    /// A ball at every vertex.
    Points {
        /// Radius of the balls, metres.
        radius: f64,
    },
}

/// The colour of a [`Drawable`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Paint<'a> {
    /// One colour for each side.
    Sides {
        /// The colour of the front, and of lines and points.
        front: Rgb,
        /// The colour of the back.
        back: Rgb,
    },
    /// A number for each vertex, coloured by the [`Scale`](crate::Scale), varying across the triangles. NaN is grey.
    Vertices(&'a [f64]),
    /// A number for each triangle or line. NaN is grey.
    Elements(&'a [f64]),
}

impl<'a> Drawable<'a> {
    /// The default colour.
    const PLAIN: Rgb = Rgb::of_body(0);

    fn new(positions: &'a [Vector3<f64>], primitives: Primitives<'a>) -> Self {
        let paint = Paint::Sides { front: Self::PLAIN, back: Self::PLAIN };
        Self {
            positions,
            primitives,
            paint,
            crease: 180.0,
            wireframe: None,
            gloss: 0.15,
            opacity: [1.0; 2],
            casts_shadow: true,
        }
        .colour(Self::PLAIN)
    }

    /// A surface with smooth shading and a back that is paler than its front: cloth.
    #[must_use]
    pub fn cloth(positions: &'a [Vector3<f64>], triangles: &'a [[u32; 3]]) -> Self {
        Self::new(positions, Primitives::Triangles(triangles))
    }

    /// The surface of a solid, with sharp edges where it turns by more than 40°. For a tetrahedral mesh take
    /// [`TetSurface`].
    #[must_use]
    pub fn solid(positions: &'a [Vector3<f64>], triangles: &'a [[u32; 3]]) -> Self {
        Self { crease: 40.0, gloss: 0.3, ..Self::new(positions, Primitives::Triangles(triangles)) }
    }

    /// Rods between vertices, of a radius in metres.
    #[must_use]
    pub fn lines(positions: &'a [Vector3<f64>], lines: &'a [[u32; 2]], radius: f64) -> Self {
        Self::new(positions, Primitives::Lines { lines, radius })
    }

    /// Balls of a radius in metres.
    #[must_use]
    pub fn points(positions: &'a [Vector3<f64>], radius: f64) -> Self {
        Self::new(positions, Primitives::Points { radius })
    }

    /// Takes a colour; the back of a surface gets a paler one.
    #[must_use]
    pub fn colour(mut self, front: Rgb) -> Self {
        self.paint = Paint::Sides { front, back: front.mix(Rgb(236, 232, 226), 0.45) };
        self
    }

    /// Takes a colour for each side.
    #[must_use]
    pub fn sides(mut self, front: Rgb, back: Rgb) -> Self {
        self.paint = Paint::Sides { front, back };
        self
    }

    /// Takes the colours of a number for each vertex.
    #[must_use]
    pub fn vertex_field(mut self, values: &'a [f64]) -> Self {
        self.paint = Paint::Vertices(values);
        self
    }

    /// Takes the colours of a number for each triangle or line.
    #[must_use]
    pub fn element_field(mut self, values: &'a [f64]) -> Self {
        self.paint = Paint::Elements(values);
        self
    }

    /// Draws lines along the edges of the triangles, `width` pixels wide.
    #[must_use]
    pub fn wireframe(mut self, colour: Rgb, width: f32) -> Self {
        self.wireframe = Some((colour, width));
        self
    }

    /// Draws edges sharp where the surface turns by more than an angle in degrees.
    #[must_use]
    pub fn crease(mut self, degrees: f64) -> Self {
        self.crease = degrees;
        self
    }

    /// Sets the opacity of its front and of its back: 1 hides everything behind it, 0 nothing.
    #[must_use]
    pub fn opacity(mut self, front: f32, back: f32) -> Self {
        self.opacity = [front, back];
        self
    }

    /// Throws no shadow.
    #[must_use]
    pub fn without_shadow(mut self) -> Self {
        self.casts_shadow = false;
        self
    }

    /// The numbers of its field, none if it has none.
    #[must_use]
    pub fn field(&self) -> &'a [f64] {
        match self.paint {
            Paint::Sides { .. } => &[],
            Paint::Vertices(values) | Paint::Elements(values) => values,
        }
    }
}

/// The boundary of a solid, in the solid's own vertex numbers, with the tetrahedron behind each triangle: the
/// data to draw a tetrahedral mesh, computed once for an animation.
///
/// ```
/// use pliant_mesh::{Split, TetMesh};
/// use pliant_render::{Drawable, TetSurface};
///
/// let block = TetMesh::block([2, 2, 2], [1.0, 1.0, 1.0], Split::Kuhn)?;
/// let surface = TetSurface::new(&block);
/// let volume: Vec<f64> = (0..block.tets().len()).map(|t| block.tet_volume(t)).collect();
/// let colours = surface.of_tets(&volume);
/// let drawable = Drawable::solid(block.positions(), &surface.triangles).element_field(&colours);
/// assert_eq!(drawable.field().len(), 48);
/// # Ok::<(), pliant_mesh::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TetSurface {
    /// The boundary triangles, outwards.
    pub triangles: Vec<[u32; 3]>,
    /// The tetrahedron of each triangle.
    pub tet_of: Vec<u32>,
}

impl TetSurface {
    /// Finds the boundary.
    #[must_use]
    pub fn new(mesh: &TetMesh) -> Self {
        let triangles = mesh.boundary_triangles();
        // The triangles come in the order of their tetrahedra, so that one walk over both finds the owners.
        let mut tets = (0_u32..).zip(mesh.tets()).peekable();
        let mut tet_of = Vec::with_capacity(triangles.len());
        for triangle in &triangles {
            while let Some((tet, corners)) = tets.peek() {
                if triangle.iter().all(|v| corners.contains(v)) {
                    tet_of.push(*tet);
                    break;
                }
                tets.next();
            }
        }
        Self { triangles, tet_of }
    }

    /// The number of each triangle from one for each tetrahedron.
    ///
    /// # Panics
    ///
    /// If there are fewer numbers than tetrahedra.
    #[must_use]
    pub fn of_tets(&self, values: &[f64]) -> Vec<f64> {
        self.tet_of.iter().map(|&tet| values[tet as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::Split;

    #[test]
    fn each_boundary_triangle_finds_its_tetrahedron() {
        let mesh = TetMesh::block([3, 2, 4], [1.0, 1.0, 1.0], Split::Kuhn).unwrap();
        let surface = TetSurface::new(&mesh);
        assert_eq!(surface.triangles.len(), 2 * 2 * (6 + 8 + 12));
        assert_eq!(surface.tet_of.len(), surface.triangles.len());
        for (triangle, &tet) in surface.triangles.iter().zip(&surface.tet_of) {
            assert!(triangle.iter().all(|v| mesh.tets()[tet as usize].contains(v)));
        }
    }
}
