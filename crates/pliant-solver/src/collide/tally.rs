//! [`Tally`]: what reports and certificates say of contact between surfaces.

use std::fmt;

/// An edge that crosses a triangle.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Intersection {
    /// Names of the bodies of the edge and of the triangle.
    pub bodies: [String; 2],
    /// The ends of the edge, as vertices of its body.
    pub edge: [usize; 2],
    /// The corners of the triangle, as vertices of its body.
    pub triangle: [usize; 3],
}

impl fmt::Display for Intersection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([of_edge, of_triangle], [p, q], [a, b, c]) = (&self.bodies, self.edge, self.triangle);
        write!(f, "edge {p}–{q} of \"{of_edge}\", triangle {a}, {b}, {c} of \"{of_triangle}\"")
    }
}

/// Two elements of surfaces that held particles leave no room: a vertex and a triangle, two edges, or an edge
/// and a triangle.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Pinch {
    /// Names of the bodies of the two elements.
    pub bodies: [String; 2],
    /// The two elements: one vertex, the two ends of an edge, or the three corners of a triangle, as vertices
    /// of their bodies.
    pub elements: [Vec<usize>; 2],
}

impl fmt::Display for Pinch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (body, element)) in self.bodies.iter().zip(&self.elements).enumerate() {
            f.write_str(if k > 0 { ", " } else { "" })?;
            match element[..] {
                [vertex] => write!(f, "vertex {vertex} of \"{body}\"")?,
                [p, q] => write!(f, "edge {p}–{q} of \"{body}\"")?,
                _ => {
                    let corners: Vec<_> = element.iter().map(usize::to_string).collect();
                    write!(f, "triangle {} of \"{body}\"", corners.join(", "))?;
                }
            }
        }
        Ok(())
    }
}

/// Contact between surfaces at the end of a frame, and what became of it within the frame.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Tally {
    /// Edges that cross triangles, counted with exact predicates by code that knows nothing of contact. Pairs
    /// that are sewn together, and those of bodies that do not meet, are left out.
    pub intersections: usize,
    /// The first of them.
    pub first: Option<Intersection>,
    /// Pairs that were near, listed by the last detection.
    pub pairs: usize,
    /// Contacts in the substep that had most.
    pub contacts: usize,
    /// Detections in the frame: of all pairs, of those of particles that strayed, and of those for the net.
    pub detections: [usize; 3],
    /// Particles that the net cut back, at most in one substep.
    pub truncated: usize,
    /// The same as a share of all particles of the surfaces, summed over the substeps of the frame and
    /// divided by their number.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub truncated_share: f64,
    /// Pairs whose points were not moved at all, because nothing parts them.
    pub frozen: usize,
    /// Pairs that held particles left no room, so that they may cross, summed over the substeps of the frame;
    /// and crossings at its end all of whose particles are held.
    pub pinched: usize,
    /// The first of them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub first_pinched: Option<Pinch>,
    /// Σ m |Δv| that the net took, kg·m/s.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub momentum: f64,
    /// Kinetic energy that the net took, J.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub energy: f64,
}
