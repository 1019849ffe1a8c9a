//! [`Surface`]: triangles over a shared list of particles, their edges, and which body they are of.

use pliant_mesh::{duplicate_elements, unique_edges};

use crate::SurfaceError;

/// The corner after each.
pub(crate) const NEXT: [usize; 3] = [1, 2, 0];
/// No body names this particle.
const NOBODY: u32 = u32::MAX;
/// Three edges a triangle must be numbered by `u32`.
const MOST_TRIANGLES: usize = (u32::MAX / 3 - 1) as usize;

/// An element of a surface in the caller's numbering: body by body, from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Element {
    /// Number of the body.
    pub body: u32,
    /// Number of the triangle, or of the edge, in its body.
    pub number: u32,
}

/// The triangles of several bodies over one list of particles, checked.
///
/// Triangles, edges and bodies keep their order: the triangles of a body are contiguous and so are its edges,
/// which stand in the order of [`unique_edges`]. Numbers of triangles and edges run through all bodies;
/// [`Surface::triangle_element`] and [`Surface::edge_element`] return the body of each and its number there.
///
/// ```
/// use pliant_contact::Surface;
///
/// let square: &[[u32; 3]] = &[[0, 1, 2], [0, 2, 3]];
/// let flag: &[[u32; 3]] = &[[5, 6, 7]];
/// let surface = Surface::new(8, &[square, flag])?;
/// assert_eq!((surface.triangles().len(), surface.edges().len()), (3, 8));
/// assert_eq!(surface.triangle_element(2).number, 0);
/// assert_eq!((surface.body_of(3), surface.body_of(4), surface.body_of(5)), (Some(0), None, Some(1)));
/// # Ok::<(), pliant_contact::SurfaceError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Where the edges begin that a triangle is the first to have; one entry more than triangles.
    owned: Vec<u32>,
    /// Which sides those are: bit k is the side from corner k to the next.
    owned_sides: Vec<u8>,
    /// Which corners of a triangle it is the first to have, a bit each.
    owned_corners: Vec<u8>,
    /// Where the triangles of each body begin, and where the last one's end.
    body_triangles: Vec<u32>,
    body_edges: Vec<u32>,
    owners: Vec<u32>,
    /// The particles that some triangle names, ascending.
    vertices: Vec<u32>,
}

impl Surface {
    /// The surface of `bodies`, each a list of triangles over `particles` particles. A body may have no triangles.
    ///
    /// # Errors
    ///
    /// [`SurfaceError`] for a particle that does not exist, a triangle that names one twice, two triangles of
    /// the same corners, a particle of two bodies, and numbers beyond `u32`.
    pub fn new(particles: usize, bodies: &[&[[u32; 3]]]) -> Result<Self, SurfaceError> {
        within("particles", particles, pliant_kernel::most_particles::<f32>())?;
        within("triangles", bodies.iter().map(|body| body.len()).sum(), MOST_TRIANGLES)?;
        let mut owners = vec![NOBODY; particles];
        for (body, triangles) in bodies.iter().enumerate() {
            check(body, triangles, &mut owners)?;
        }
        let triangles: Vec<[u32; 3]> = bodies.concat();
        let body_triangles = starts(bodies.iter().map(|body| body.len() as u32));
        if let Some(&[later, first]) = duplicate_elements(particles, &triangles).first() {
            let owner = owners[triangles[later as usize][0] as usize] as usize;
            let number = |triangle: u32| (triangle - body_triangles[owner]) as usize;
            let (triangle, first) = (number(later), number(first));
            return Err(SurfaceError::Duplicate { body: owner, triangle, first });
        }
        let edges = unique_edges(&triangles);
        let (owned, owned_sides) = owned_edges(&triangles, &edges);
        let owned_corners = owned_corners(particles, &triangles);
        let body_edges = body_triangles.iter().map(|&triangle| owned[triangle as usize]).collect();
        let vertices = (0..particles as u32).filter(|&v| owners[v as usize] != NOBODY).collect();
        Ok(Self {
            triangles,
            edges,
            owned,
            owned_sides,
            owned_corners,
            body_triangles,
            body_edges,
            owners,
            vertices,
        })
    }

    /// The corners of every triangle.
    #[must_use]
    #[inline]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The ends of every edge, each edge once, the smaller particle first.
    #[must_use]
    #[inline]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The particles that are corners of triangles, ascending.
    #[must_use]
    #[inline]
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Number of particles over which the surface was made, corners or not.
    #[must_use]
    #[inline]
    pub fn particles(&self) -> usize {
        self.owners.len()
    }

    /// Number of bodies.
    #[must_use]
    #[inline]
    pub fn bodies(&self) -> usize {
        self.body_triangles.len() - 1
    }

    /// The body that has this particle at a corner; none if no triangle has it, or if there is no such particle.
    #[must_use]
    #[inline]
    pub fn body_of(&self, particle: u32) -> Option<u32> {
        self.owners.get(particle as usize).copied().filter(|&owner| owner != NOBODY)
    }

    /// The body that has this particle at a corner.
    ///
    /// # Panics
    ///
    /// If there is no such particle, or no triangle has it.
    #[must_use]
    #[inline]
    pub fn body_at(&self, particle: u32) -> u32 {
        let owner = self.owners[particle as usize];
        assert!(owner != NOBODY, "no triangle has this particle at a corner");
        owner
    }

    /// Body, and number in it, of a triangle.
    ///
    /// # Panics
    ///
    /// If there is no such triangle.
    #[must_use]
    pub fn triangle_element(&self, triangle: u32) -> Element {
        let body = self.owners[self.triangles[triangle as usize][0] as usize];
        Element { body, number: triangle - self.body_triangles[body as usize] }
    }

    /// Body, and number in it, of an edge.
    ///
    /// # Panics
    ///
    /// If there is no such edge.
    #[must_use]
    pub fn edge_element(&self, edge: u32) -> Element {
        let body = self.owners[self.edges[edge as usize][0] as usize];
        Element { body, number: edge - self.body_edges[body as usize] }
    }

    /// The sides of this triangle of which it is the first: bit k is the side from corner k to the next.
    /// Every edge is such a side once.
    #[inline(always)]
    pub(crate) fn owned_sides(&self, triangle: usize) -> u32 {
        u32::from(self.owned_sides[triangle])
    }

    /// The corners of which this triangle is the first, a bit each. Every particle of the surface is such a
    /// corner once.
    #[inline(always)]
    pub(crate) fn owned_corners(&self, triangle: usize) -> u32 {
        u32::from(self.owned_corners[triangle])
    }

    /// The number of the edge that is this side of a triangle, which owns it.
    #[inline(always)]
    pub(crate) fn owned_edge(&self, triangle: usize, side: usize) -> u32 {
        self.owned[triangle] + (self.owned_sides(triangle) & ((1 << side) - 1)).count_ones()
    }
}

fn within(what: &'static str, count: usize, most: usize) -> Result<(), SurfaceError> {
    if count > most { Err(SurfaceError::TooMany { what, count, most }) } else { Ok(()) }
}

/// Checks the indices of one body and notes it as the owner of its particles.
fn check(body: usize, triangles: &[[u32; 3]], owners: &mut [u32]) -> Result<(), SurfaceError> {
    for (triangle, corners) in triangles.iter().enumerate() {
        for &particle in corners {
            let particles = owners.len();
            let Some(owner) = owners.get_mut(particle as usize) else {
                return Err(SurfaceError::OutOfRange { body, triangle, particle, particles });
            };
            if *owner == NOBODY {
                *owner = body as u32;
            } else if *owner != body as u32 {
                let owner = *owner as usize;
                return Err(SurfaceError::SharedParticle { body, triangle, particle, owner });
            }
        }
        let [a, b, c] = *corners;
        if a == b || c == a || b == c {
            let particle = if b == c { b } else { a };
            return Err(SurfaceError::RepeatedCorner { body, triangle, particle });
        }
    }
    Ok(())
}

/// Sums of what comes before, and of all.
fn starts(counts: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut sum = 0;
    let mut starts = vec![0];
    starts.extend(counts.map(|count| {
        sum += count;
        sum
    }));
    starts
}

/// Where the edges begin that each triangle is the first to have, and which of its sides they are.
fn owned_edges(triangles: &[[u32; 3]], edges: &[[u32; 2]]) -> (Vec<u32>, Vec<u8>) {
    // Edges stand in the order of their first occurrence: what a triangle has first is the next one in the list.
    let mut next = 0;
    let (mut owned, mut sides) = (vec![0], Vec::with_capacity(triangles.len()));
    for &[a, b, c] in triangles {
        let mut bits = 0;
        for (side, [p, q]) in [[a, b], [b, c], [c, a]].into_iter().enumerate() {
            if edges.get(next) == Some(&[p.min(q), p.max(q)]) {
                next += 1;
                bits |= 1 << side;
            }
        }
        owned.push(next as u32);
        sides.push(bits);
    }
    (owned, sides)
}

/// Which corners of each triangle no earlier one has.
fn owned_corners(particles: usize, triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut seen = vec![false; particles];
    let mut own = |corners: &[u32; 3]| {
        let new = corners.map(|v| !std::mem::replace(&mut seen[v as usize], true));
        u8::from(new[0]) | u8::from(new[1]) << 1 | u8::from(new[2]) << 2
    };
    triangles.iter().map(&mut own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_through_the_bodies_and_start_anew_in_each() {
        let (one, two): (&[[u32; 3]], &[[u32; 3]]) = (&[[0, 1, 2], [2, 1, 3]], &[[4, 5, 6], [6, 7, 4]]);
        let surface = Surface::new(9, &[one, &[], two]).unwrap();
        assert_eq!((surface.bodies(), surface.particles()), (3, 9));
        assert_eq!(surface.vertices(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(surface.edges().len(), 10);
        assert_eq!(surface.triangle_element(3), Element { body: 2, number: 1 });
        assert_eq!(surface.edge_element(4), Element { body: 0, number: 4 });
        assert_eq!(surface.edge_element(5), Element { body: 2, number: 0 });
        assert_eq!(surface.body_of(8), None);
        assert_eq!(surface.body_of(99), None);
    }

    #[test]
    fn every_edge_is_owned_by_the_first_triangle_that_has_it() {
        let sheet = pliant_mesh::TriMesh::grid([7, 5], [1.0, 1.0]).unwrap();
        let surface = Surface::new(sheet.positions().len(), &[sheet.triangles()]).unwrap();
        let mut seen = Vec::new();
        for (triangle, corners) in surface.triangles().iter().enumerate() {
            for side in (0..3).filter(|side| surface.owned_sides(triangle) >> side & 1 == 1) {
                let edge = surface.owned_edge(triangle, side);
                let mut ends = [corners[side], corners[(side + 1) % 3]];
                ends.sort_unstable();
                assert_eq!(surface.edges()[edge as usize], ends);
                seen.push(edge);
            }
        }
        assert_eq!(seen, (0..surface.edges().len() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let ok: &[[u32; 3]] = &[[0, 1, 2]];
        let refused = |bodies: &[&[[u32; 3]]]| Surface::new(6, bodies).unwrap_err();
        assert_eq!(
            refused(&[ok, &[[3, 4, 6]]]),
            SurfaceError::OutOfRange { body: 1, triangle: 0, particle: 6, particles: 6 }
        );
        assert_eq!(
            refused(&[&[[0, 1, 2], [3, 4, 3]]]),
            SurfaceError::RepeatedCorner { body: 0, triangle: 1, particle: 3 }
        );
        assert_eq!(
            refused(&[ok, &[[3, 4, 5], [5, 3, 4]]]),
            SurfaceError::Duplicate { body: 1, triangle: 1, first: 0 }
        );
        assert_eq!(
            refused(&[ok, &[[3, 4, 2]]]),
            SurfaceError::SharedParticle { body: 1, triangle: 0, particle: 2, owner: 0 }
        );
    }
}
