//! Pairs of a vertex and an element within a distance of each other, as stitches between two meshes need them.
//!
//! All pairs are found, not only the nearest of each vertex, and a pair at exactly the distance counts. The
//! distance is that of the *segment* or the triangle itself, not of its line or plane. A hierarchy of boxes
//! around the elements rules out nearly all distant ones; the result does not depend on it.

use nalgebra::Vector3;
use thiserror::Error;

use crate::Aabb;
use crate::closest::{nearest_on_segment, nearest_on_triangle};
use crate::embed::BoxTree;

/// The largest number of pairs that a search returns.
pub const MAX_PAIRS: usize = 1 << 24;

/// A vertex of one mesh and an element of another that are near each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The vertex: its place in the list of points.
    pub vertex: u32,
    /// The vertex, edge or triangle of the other mesh: its place in the list of elements.
    pub element: u32,
    /// Their distance, m.
    pub distance: f64,
}

/// Why a search failed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ProximityError {
    /// The distance to search within is negative, infinite or NaN.
    #[error("the search distance must be finite and not negative, but it is {radius} m")]
    Radius {
        /// What was given, m.
        radius: f64,
    },
    /// Too many pairs.
    #[error(
        "more than {limit} pairs are within {radius} m of each other; make the search distance smaller, or give fewer vertices"
    )]
    TooManyPairs {
        /// The distance that was searched within, m.
        radius: f64,
        /// The largest number of pairs, [`MAX_PAIRS`].
        limit: usize,
    },
    /// An element refers to a vertex that does not exist.
    #[error(
        "element {element} refers to vertex {index}, but there are {vertices} vertices (numbered from 0)"
    )]
    IndexOutOfRange {
        /// Index of the element.
        element: usize,
        /// The vertex index found there.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
}

/// All pairs of one of `points` and one of `others` at a distance of at most `radius`, all in metres, sorted
/// by (vertex, element).
///
/// # Errors
///
/// If the radius is negative or not finite, or if there are more than [`MAX_PAIRS`] pairs.
pub fn vertex_vertex_pairs(
    points: &[Vector3<f64>],
    others: &[Vector3<f64>],
    radius: f64,
) -> Result<Vec<Pair>, ProximityError> {
    let corners: Vec<[Vector3<f64>; 1]> = others.iter().map(|&p| [p]).collect();
    pairs(points, &corners, radius, |point, [other]| (point - other).norm_squared())
}

/// All pairs of one of `points` and one of `edges` (between `positions`) at a distance of at most `radius`,
/// all in metres, sorted by (vertex, element).
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::vertex_edge_pairs;
///
/// let points = [Vector3::new(0.25, 0.5, 0.0), Vector3::new(0.25, 2.0, 0.0), Vector3::new(2.0, 0.0, 0.0)];
/// let edge = [Vector3::zeros(), Vector3::x()];
/// let pairs = vertex_edge_pairs(&points, &edge, &[[0, 1]], 1.0)?;
/// assert_eq!(pairs.iter().map(|p| (p.vertex, p.distance)).collect::<Vec<_>>(), [(0, 0.5), (2, 1.0)]);
/// # Ok::<(), pliant_mesh::ProximityError>(())
/// ```
///
/// # Errors
///
/// If the radius is negative or not finite, if an edge refers to a vertex that does not exist, or if there
/// are more than [`MAX_PAIRS`] pairs.
pub fn vertex_edge_pairs(
    points: &[Vector3<f64>],
    positions: &[Vector3<f64>],
    edges: &[[u32; 2]],
    radius: f64,
) -> Result<Vec<Pair>, ProximityError> {
    pairs(points, &gather(positions, edges)?, radius, |point, ends| {
        nearest_on_segment(point, ends).distance_squared
    })
}

/// All pairs of one of `points` and one of `triangles` (between `positions`) at a distance of at most
/// `radius`, all in metres, sorted by (vertex, element).
///
/// # Errors
///
/// If the radius is negative or not finite, if a triangle refers to a vertex that does not exist, or if there
/// are more than [`MAX_PAIRS`] pairs.
pub fn vertex_triangle_pairs(
    points: &[Vector3<f64>],
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    radius: f64,
) -> Result<Vec<Pair>, ProximityError> {
    pairs(points, &gather(positions, triangles)?, radius, |point, corners| {
        nearest_on_triangle(point, corners).distance_squared
    })
}

fn gather<const N: usize>(
    positions: &[Vector3<f64>],
    elements: &[[u32; N]],
) -> Result<Vec<[Vector3<f64>; N]>, ProximityError> {
    let vertices = positions.len();
    for (element, corners) in elements.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&v| v as usize >= vertices) {
            return Err(ProximityError::IndexOutOfRange { element, index, vertices });
        }
    }
    Ok(elements.iter().map(|corners| corners.map(|v| positions[v as usize])).collect())
}

fn pairs<const N: usize>(
    points: &[Vector3<f64>],
    elements: &[[Vector3<f64>; N]],
    radius: f64,
    distance_squared: impl Fn(&Vector3<f64>, &[Vector3<f64>; N]) -> f64,
) -> Result<Vec<Pair>, ProximityError> {
    if !(radius >= 0.0 && radius.is_finite()) {
        return Err(ProximityError::Radius { radius });
    }
    let boxes: Vec<Aabb> = elements.iter().map(around).collect();
    let tree = BoxTree::new(&boxes);
    // The rounding of a box's distance must not lose a pair at exactly the radius.
    let reach = radius * (1.0 + 1e-9);
    let mut found = Vec::new();
    for (vertex, point) in (0_u32..).zip(points) {
        let first = found.len();
        tree.visit(point, |element| {
            let distance = distance_squared(point, &elements[element as usize]).sqrt();
            // One more than allowed is enough to refuse.
            if distance <= radius && found.len() <= MAX_PAIRS {
                found.push(Pair { vertex, element, distance });
            }
            reach
        });
        if found.len() > MAX_PAIRS {
            return Err(ProximityError::TooManyPairs { radius, limit: MAX_PAIRS });
        }
        found[first..].sort_unstable_by_key(|pair| pair.element);
    }
    Ok(found)
}

fn around<const N: usize>(corners: &[Vector3<f64>; N]) -> Aabb {
    corners.iter().fold(Aabb { min: corners[0], max: corners[0] }, |bounds, p| Aabb {
        min: bounds.min.inf(p),
        max: bounds.max.sup(p),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vectors(size: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Vector3<f64>>> {
        // Half of them on a coarse lattice, where distances tie with radii.
        let component = || prop_oneof![-1.0..1.0_f64, (-4..=4_i8).prop_map(|c| f64::from(c) / 4.0)];
        prop::collection::vec([component(), component(), component()].prop_map(Vector3::from), size)
    }

    fn radii() -> impl Strategy<Value = f64> {
        prop_oneof![0.0..1.5_f64, (0..6_u8).prop_map(|r| f64::from(r) / 4.0)]
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn vertices_are_those_of_the_definition(points in vectors(0..30), others in vectors(0..40), r in radii()) {
            let mut expected = Vec::new();
            for (vertex, p) in (0_u32..).zip(&points) {
                for (element, q) in (0_u32..).zip(&others) {
                    let distance = (p - q).norm();
                    if distance <= r {
                        expected.push(Pair { vertex, element, distance });
                    }
                }
            }
            prop_assert_eq!(vertex_vertex_pairs(&points, &others, r).unwrap(), expected);
        }

        #[test]
        fn edges_are_those_of_the_definition(
            points in vectors(0..30), x in vectors(12), edges in prop::collection::vec([0_u32..12, 0..12], 0..40), r in radii(),
        ) {
            let mut expected = Vec::new();
            for (vertex, p) in (0_u32..).zip(&points) {
                for (element, &[a, b]) in (0_u32..).zip(&edges) {
                    let distance = nearest_on_segment(p, &[x[a as usize], x[b as usize]]).distance();
                    if distance <= r {
                        expected.push(Pair { vertex, element, distance });
                    }
                }
            }
            prop_assert_eq!(vertex_edge_pairs(&points, &x, &edges, r).unwrap(), expected);
        }

        #[test]
        fn triangles_are_those_of_the_definition(
            points in vectors(0..30), x in vectors(12), triangles in prop::collection::vec([0_u32..12, 0..12, 0..12], 0..40), r in radii(),
        ) {
            let mut expected = Vec::new();
            for (vertex, p) in (0_u32..).zip(&points) {
                for (element, corners) in (0_u32..).zip(&triangles) {
                    let distance = nearest_on_triangle(p, &corners.map(|v| x[v as usize])).distance();
                    if distance <= r {
                        expected.push(Pair { vertex, element, distance });
                    }
                }
            }
            prop_assert_eq!(vertex_triangle_pairs(&points, &x, &triangles, r).unwrap(), expected);
        }
    }

    #[test]
    fn the_published_search_finds_its_four_pairs() {
        let points =
            [[0.25, 0.5, 0.0], [0.5, 0.3, 0.0], [0.75, 0.4, 0.0], [0.5, 0.0, 0.0]].map(Vector3::from);
        let edge = [Vector3::zeros(), Vector3::x()];
        let pairs = vertex_edge_pairs(&points, &edge, &[[0, 1]], 1.0).unwrap();
        let found: Vec<_> = pairs.iter().map(|p| (p.vertex, p.element, p.distance)).collect();
        assert_eq!(found, [(0, 0, 0.5), (1, 0, 0.3), (2, 0, 0.4), (3, 0, 0.0)]);
    }

    #[test]
    fn a_pair_at_exactly_the_distance_counts() {
        let at = |y: f64| {
            vertex_edge_pairs(&[Vector3::y() * y], &[Vector3::zeros(), Vector3::x()], &[[0, 1]], 0.1)
        };
        assert_eq!(at(0.1).unwrap().len(), 1);
        assert_eq!(at(0.1_f64.next_up()).unwrap().len(), 0);
        // A radius of zero finds elements that touch.
        assert_eq!(
            vertex_vertex_pairs(&[Vector3::x()], &[Vector3::x(), Vector3::y()], 0.0).unwrap().len(),
            1
        );
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        let p = [Vector3::zeros(); 5000];
        for radius in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(vertex_vertex_pairs(&p, &p, radius), Err(ProximityError::Radius { .. })));
        }
        assert_eq!(
            vertex_vertex_pairs(&p, &p, 1.0),
            Err(ProximityError::TooManyPairs { radius: 1.0, limit: MAX_PAIRS })
        );
        assert_eq!(
            vertex_edge_pairs(&p[..1], &p[..2], &[[0, 1], [1, 2]], 1.0),
            Err(ProximityError::IndexOutOfRange { element: 1, index: 2, vertices: 2 })
        );
        assert!(vertex_vertex_pairs(&p[..0], &p, 1.0).unwrap().is_empty());
        assert!(vertex_vertex_pairs(&p, &p[..0], 1.0).unwrap().is_empty());
    }
}
