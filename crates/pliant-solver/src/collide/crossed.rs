//! Which of the crossings of surfaces count: those of bodies that meet, and of what is not sewn together.

use pliant_contact::{Crossing, Surface, Ties};

use super::collider::Collider;

/// Leaves out what may cross.
pub(super) fn that_count(
    mut found: Vec<Crossing>,
    surface: &Surface,
    colliders: &[Collider],
    ties: &Ties,
) -> Vec<Crossing> {
    found.retain(|crossing| {
        let edge = surface.edges()[crossing.edge as usize];
        let corners = surface.triangles()[crossing.triangle as usize];
        let (a, b) = (surface.body_at(edge[0]), surface.body_at(corners[0]));
        let (of_a, of_b) = (&colliders[a as usize].collide, &colliders[b as usize].collide);
        let meets = if a == b { of_a.itself } else { of_a.meets(of_b) };
        meets && !ties.between(&edge, &corners)
    });
    found
}
