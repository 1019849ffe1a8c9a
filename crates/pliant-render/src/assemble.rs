//! From drawables to corners, faces and balls with normals and colours: everything about a drawing that does not depend
//! on the camera.

use nalgebra::Vector3;

use crate::colour::Light;
use crate::colour_map::Lookup;
use crate::drawing::{Drawable, Drawing, Paint, Primitives};
use crate::error::{RenderError, check};

/// A vertex with the quantities that are interpolated from it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    pub(crate) position: Vector3<f64>,
    pub(crate) normal: Vector3<f32>,
    /// Where its number lies on the colour map, 0 to 1, or NaN.
    pub(crate) place: f32,
}

/// A triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub(crate) corners: [u32; 3],
    pub(crate) material: u32,
    /// Where its own number lies on the colour map.
    pub(crate) place: f32,
}

/// A ball.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ball {
    pub(crate) corner: u32,
    pub(crate) radius: f32,
    pub(crate) material: u32,
}

/// The colour of a drawable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Material {
    pub(crate) colour: Colouring,
    pub(crate) gloss: f32,
    pub(crate) wire: Option<(Light, f32)>,
    /// Of the front and of the back, 0 to 1.
    pub(crate) opacity: [f32; 2],
    pub(crate) casts_shadow: bool,
}

impl Material {
    /// Which of the samples of a pixel can see one of its sides: the first few of the pattern, which lie far apart. A
    /// surface seen through two sides is hidden only by the nearer one.
    pub(crate) fn samples(&self, front: bool, count: usize) -> u32 {
        let opacity = self.opacity[usize::from(!front)].clamp(0.0, 1.0);
        let seen = (opacity * count as f32).round() as u32;
        (1_u32 << seen.min(16)) - 1
    }

    /// Whether it throws a shadow of light that falls on one of its sides.
    pub(crate) fn casts_shadow(&self, front: bool) -> bool {
        self.casts_shadow && self.opacity[usize::from(!front)] > 0.5
    }
}

/// Where a colour comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Colouring {
    Sides(Light, Light),
    OfCorners,
    OfFace,
}

/// A drawing, assembled.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    pub(crate) corners: Vec<Corner>,
    pub(crate) faces: Vec<Face>,
    pub(crate) balls: Vec<Ball>,
    pub(crate) materials: Vec<Material>,
    /// Elements left out because a vertex is not finite.
    pub(crate) skipped: usize,
}

/// A position that can be drawn: finite, and small enough that its square is.
fn drawable_position(p: &Vector3<f64>) -> bool {
    p.iter().all(|x| x.abs() < 1e15)
}

impl Assembly {
    pub(crate) fn new(
        drawing: &Drawing<'_>,
        lookup: Option<&Lookup>,
        eye: &Vector3<f64>,
    ) -> Result<Self, RenderError> {
        let mut assembly = Self::default();
        for (index, drawable) in drawing.drawables.iter().enumerate() {
            assembly.add(index, drawable, lookup, eye)?;
        }
        Ok(assembly)
    }

    fn add(
        &mut self,
        index: usize,
        drawable: &Drawable<'_>,
        lookup: Option<&Lookup>,
        eye: &Vector3<f64>,
    ) -> Result<(), RenderError> {
        check_drawable(index, drawable)?;
        let material = self.materials.len() as u32;
        self.materials.push(Material {
            colour: match drawable.paint {
                Paint::Sides { front, back } => Colouring::Sides(front.to_light(), back.to_light()),
                Paint::Vertices(_) => Colouring::OfCorners,
                Paint::Elements(_) => Colouring::OfFace,
            },
            gloss: drawable.gloss.clamp(0.0, 1.0),
            wire: drawable.wireframe.map(|(colour, width)| (colour.to_light(), width.clamp(0.0, 100.0))),
            opacity: drawable.opacity,
            casts_shadow: drawable.casts_shadow,
        });
        let place_of = |values: &[f64], i: usize| lookup.map_or(f32::NAN, |lookup| lookup.place(values[i]));
        let of_vertex = |v: usize| match drawable.paint {
            Paint::Vertices(values) => place_of(values, v),
            _ => f32::NAN,
        };
        let of_element = |e: usize| match drawable.paint {
            Paint::Elements(values) => place_of(values, e),
            _ => f32::NAN,
        };
        match drawable.primitives {
            Primitives::Triangles(triangles) => {
                self.add_triangles(drawable, triangles, material, of_vertex, of_element);
            }
            Primitives::Lines { lines, radius } => {
                for (e, line) in lines.iter().enumerate() {
                    let ends = line.map(|v| drawable.positions[v as usize]);
                    let places = line.map(|v| of_vertex(v as usize));
                    self.add_rod(ends, radius, places, (material, of_element(e)), eye);
                }
            }
            Primitives::Points { radius } => {
                for (v, position) in drawable.positions.iter().enumerate() {
                    if !drawable_position(position) {
                        self.skipped += 1;
                        continue;
                    }
                    let corner = self.corners.len() as u32;
                    let place = match drawable.paint {
                        Paint::Elements(_) => of_element(v),
                        _ => of_vertex(v),
                    };
                    self.corners.push(Corner { position: *position, normal: Vector3::zeros(), place });
                    self.balls.push(Ball { corner, radius: radius as f32, material });
                }
            }
        }
        Ok(())
    }

    fn add_triangles(
        &mut self,
        drawable: &Drawable<'_>,
        triangles: &[[u32; 3]],
        material: u32,
        of_vertex: impl Fn(usize) -> f32,
        of_element: impl Fn(usize) -> f32,
    ) {
        let positions = drawable.positions;
        let first = self.corners.len() as u32;
        let good: Vec<bool> = positions.iter().map(drawable_position).collect();
        // Twice the area times the normal: large triangles count for more.
        let across: Vec<Vector3<f64>> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| v as usize);
                if !(good[a] && good[b] && good[c]) {
                    return Vector3::zeros();
                }
                (positions[b] - positions[a]).cross(&(positions[c] - positions[a]))
            })
            .collect();
        let unit = |v: Vector3<f64>| v.try_normalize(0.0).unwrap_or_default().cast::<f32>();
        if drawable.crease >= 180.0 {
            let mut normals = vec![Vector3::zeros(); positions.len()];
            for (t, normal) in triangles.iter().zip(&across) {
                t.iter().for_each(|&v| normals[v as usize] += normal);
            }
            self.corners.extend(positions.iter().zip(normals).enumerate().map(|(v, (position, normal))| {
                Corner { position: *position, normal: unit(normal), place: of_vertex(v) }
            }));
        } else {
            let normals = creased(positions.len(), triangles, &across, drawable.crease);
            self.corners.extend(triangles.iter().flatten().zip(normals).map(|(&v, normal)| Corner {
                position: positions[v as usize],
                normal: unit(normal),
                place: of_vertex(v as usize),
            }));
        }
        for (index, t) in triangles.iter().enumerate() {
            if !t.iter().all(|&v| good[v as usize]) {
                self.skipped += 1;
                continue;
            }
            let corners = if drawable.crease >= 180.0 {
                t.map(|v| first + v)
            } else {
                [0, 1, 2].map(|k| first + 3 * index as u32 + k)
            };
            self.faces.push(Face { corners, material, place: of_element(index) });
        }
    }

    /// A rod as a ribbon that faces the eye, with the normals of a cylinder: two strips along its middle.
    fn add_rod(
        &mut self,
        ends: [Vector3<f64>; 2],
        radius: f64,
        places: [f32; 2],
        (material, place): (u32, f32),
        eye: &Vector3<f64>,
    ) {
        if !ends.iter().all(drawable_position) {
            self.skipped += 1;
            return;
        }
        let first = self.corners.len() as u32;
        let along = ends[1] - ends[0];
        let mut sides = [Vector3::zeros(); 2];
        for (side, end) in sides.iter_mut().zip(&ends) {
            *side = along.cross(&(eye - end)).try_normalize(0.0).unwrap_or_default();
        }
        for k in 0..2 {
            let facing = sides[k].cross(&along).try_normalize(0.0).unwrap_or_default();
            for across in [-1.0, 0.0, 1.0] {
                let normal = (facing * (1.05 - f64::abs(across)) + sides[k] * across).cast::<f32>();
                let position =
                    ends[k] + sides[k] * (radius * across) + facing * (radius * (1.0 - f64::abs(across)));
                self.corners.push(Corner { position, normal, place: places[k] });
            }
        }
        for strip in [first, first + 1] {
            for corners in [[strip, strip + 1, strip + 4], [strip, strip + 4, strip + 3]] {
                self.faces.push(Face { corners, material, place });
            }
        }
    }
}

/// The normal of each corner of each triangle: the sum over the triangles at the vertex that turn by less than the
/// crease angle from this one.
fn creased(
    vertices: usize,
    triangles: &[[u32; 3]],
    across: &[Vector3<f64>],
    crease: f64,
) -> Vec<Vector3<f64>> {
    let cos = crease.max(0.0).to_radians().cos();
    let units: Vec<Vector3<f64>> = across.iter().map(|n| n.try_normalize(0.0).unwrap_or_default()).collect();
    let mut starts = vec![0_usize; vertices + 1];
    for &v in triangles.iter().flatten() {
        starts[v as usize + 1] += 1;
    }
    for v in 0..vertices {
        starts[v + 1] += starts[v];
    }
    let mut around = vec![0_u32; starts[vertices]];
    let mut next = starts.clone();
    for (t, triangle) in (0_u32..).zip(triangles) {
        for &v in triangle {
            around[next[v as usize]] = t;
            next[v as usize] += 1;
        }
    }
    let corner = |(t, v): (usize, u32)| {
        let mut sum = Vector3::zeros();
        for &other in &around[starts[v as usize]..starts[v as usize + 1]] {
            if units[other as usize].dot(&units[t]) >= cos - 1e-12 {
                sum += across[other as usize];
            }
        }
        sum
    };
    triangles.iter().enumerate().flat_map(|(t, triangle)| triangle.map(|v| (t, v))).map(corner).collect()
}

/// Refuses a drawable that names a vertex that does not exist, or whose field has another number of values
/// than it has elements.
fn check_drawable(index: usize, drawable: &Drawable<'_>) -> Result<(), RenderError> {
    let vertices = drawable.positions.len();
    let elements = match drawable.primitives {
        Primitives::Triangles(triangles) => {
            check_elements(index, triangles, vertices)?;
            triangles.len()
        }
        Primitives::Lines { lines, radius } => {
            check("the radius of a line, in metres,", radius, 0.0..=1e15, "above zero, and finite")?;
            check_elements(index, lines, vertices)?;
            lines.len()
        }
        Primitives::Points { radius } => {
            check("the radius of a point, in metres,", radius, 0.0..=1e15, "above zero, and finite")?;
            vertices
        }
    };
    let wrong =
        |values: usize, expected, over| RenderError::Field { drawable: index, values, expected, over };
    match drawable.paint {
        Paint::Vertices(values) if values.len() != vertices => Err(wrong(values.len(), vertices, "vertices")),
        Paint::Elements(values) if values.len() != elements => Err(wrong(values.len(), elements, "elements")),
        _ => Ok(()),
    }
}

fn check_elements<const N: usize>(
    drawable: usize,
    elements: &[[u32; N]],
    vertices: usize,
) -> Result<(), RenderError> {
    for (element, corners) in elements.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|v| **v as usize >= vertices) {
            return Err(RenderError::Index { drawable, element, vertex, vertices });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::{Split, TetMesh, TriMesh};

    fn assemble(drawable: Drawable<'_>) -> Assembly {
        Assembly::new(&Drawing::new(vec![drawable]), None, &Vector3::repeat(9.0)).unwrap()
    }

    #[test]
    fn a_block_has_sharp_edges_and_a_ball_has_none() {
        let block = TetMesh::block([2, 2, 2], [1.0, 1.0, 1.0], Split::Kuhn).unwrap();
        let triangles = block.boundary_triangles();
        let sharp = assemble(Drawable::solid(block.positions(), &triangles));
        assert!(sharp.corners.iter().all(|c| c.normal.iter().filter(|x| x.abs() > 0.999).count() == 1));
        let smooth = assemble(Drawable::cloth(block.positions(), &triangles));
        assert!(smooth.corners.iter().any(|c| c.normal.iter().all(|x| x.abs() > 0.3)));
        let ball = TriMesh::icosphere(2.0, 6).unwrap();
        let round = assemble(Drawable::solid(ball.positions(), ball.triangles()));
        assert!(round.corners.iter().all(|c| c.normal.dot(&c.position.cast::<f32>()) > 1.99));
    }

    #[test]
    fn what_is_not_finite_is_left_out_and_counted() {
        let sheet = TriMesh::grid([3, 3], [1.0, 1.0]).unwrap();
        let mut positions = sheet.positions().to_vec();
        positions[0].x = f64::NAN;
        positions[8].y = f64::INFINITY;
        let touched = sheet.triangles().iter().filter(|t| t.contains(&0) || t.contains(&8)).count();
        for crease in [180.0, 30.0] {
            let assembly = assemble(Drawable::cloth(&positions, sheet.triangles()).crease(crease));
            assert_eq!((assembly.skipped, assembly.faces.len()), (touched, 8 - touched));
            let used = assembly.faces.iter().flat_map(|f| f.corners);
            assert!(
                used.map(|c| assembly.corners[c as usize]).all(|c| c.normal.iter().all(|x| x.is_finite()))
            );
        }
        assert_eq!(assemble(Drawable::points(&positions, 0.1)).skipped, 2);
        assert_eq!(assemble(Drawable::lines(&positions, &[[0, 1], [1, 2]], 0.1)).skipped, 1);
    }

    #[test]
    fn wrong_indices_and_fields_are_named() {
        let positions = [Vector3::zeros(); 3];
        let of = |drawable: Drawable<'_>| {
            Assembly::new(&Drawing::new(vec![drawable]), None, &Vector3::zeros()).unwrap_err().to_string()
        };
        let text = of(Drawable::cloth(&positions, &[[0, 1, 2], [0, 1, 3]]));
        assert_eq!(text, "drawable 0: element 1 refers to vertex 3, but there are 3");
        let text = of(Drawable::cloth(&positions, &[[0, 1, 2]]).vertex_field(&[1.0]));
        assert_eq!(text, "drawable 0: a field of 1 values over 3 vertices");
        let text = of(Drawable::points(&positions, f64::NAN));
        assert!(text.contains("radius"), "{text}");
    }
}
