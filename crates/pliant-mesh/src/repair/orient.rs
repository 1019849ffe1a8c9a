//! Orientation: neighbours that run along their common edge in opposite directions.

use super::compact::Parts;
use super::report::Action;
use crate::enclosed::six_volumes;
use crate::{Aabb, TriMesh};

/// Pieces joined by edges of two triangles, and how each triangle has to turn.
pub(super) struct Orientation {
    /// The piece of each triangle, numbered in the order of their first triangles.
    pub(super) piece_of: Vec<u32>,
    pub(super) pieces: usize,
    /// Whether each triangle faces the other way than the first one of its piece.
    pub(super) turned: Vec<bool>,
    /// Pieces that cannot be oriented, such as a Möbius strip.
    pub(super) one_sided: Vec<u32>,
}

impl Orientation {
    pub(super) fn of(mesh: &TriMesh) -> Self {
        let count = mesh.triangles().len();
        let hinges = mesh.hinges();
        let mut disagrees = vec![false; hinges.interior.len()];
        for &h in &hinges.inconsistent {
            disagrees[h as usize] = true;
        }
        let mut neighbours: Vec<Vec<(u32, bool)>> = vec![Vec::new(); count];
        for (hinge, &disagrees) in hinges.interior.iter().zip(&disagrees) {
            let [a, b] = hinge.triangles;
            neighbours[a as usize].push((b, disagrees));
            neighbours[b as usize].push((a, disagrees));
        }
        let mut piece_of = vec![u32::MAX; count];
        let mut turned = vec![false; count];
        let (mut pieces, mut one_sided, mut stack) = (0, Vec::new(), Vec::new());
        for seed in 0..count {
            if piece_of[seed] != u32::MAX {
                continue;
            }
            piece_of[seed] = pieces;
            stack.push(seed);
            let mut is_one_sided = false;
            while let Some(t) = stack.pop() {
                for &(other, disagrees) in &neighbours[t] {
                    let other = other as usize;
                    let wanted = turned[t] != disagrees;
                    if piece_of[other] == u32::MAX {
                        piece_of[other] = pieces;
                        turned[other] = wanted;
                        stack.push(other);
                    } else if turned[other] != wanted {
                        is_one_sided = true;
                    }
                }
            }
            if is_one_sided {
                one_sided.push(pieces);
            }
            pieces += 1;
        }
        Self { piece_of, pieces: pieces as usize, turned, one_sided }
    }
}

/// Turns triangles so that each piece agrees: outwards if it is closed, else the way most of its triangles face.
pub(super) fn orient(parts: &mut Parts<3>) {
    let mesh = TriMesh::new(parts.positions.clone(), parts.elements.clone())
        .expect("elements that name a vertex twice were dropped");
    let Orientation { piece_of, pieces, mut turned, one_sided } = Orientation::of(&mesh);
    let mut of_piece: Vec<Vec<usize>> = vec![Vec::new(); pieces];
    for (t, &piece) in piece_of.iter().enumerate() {
        of_piece[piece as usize].push(t);
    }
    let mut is_open = vec![false; pieces];
    let mut boundary: Vec<[u32; 2]> = mesh.hinges().boundary;
    boundary.extend(mesh.hinges().non_manifold.iter().map(|n| n.edge));
    let mut on_boundary = vec![false; mesh.positions().len()];
    for &v in boundary.as_flattened() {
        on_boundary[v as usize] = true;
    }
    for (t, corners) in mesh.triangles().iter().enumerate() {
        // A closed piece has no vertex at a boundary; one that touches another's is rather taken for open.
        is_open[piece_of[t] as usize] |= corners.iter().any(|&v| on_boundary[v as usize]);
    }
    let boxes: Vec<Aabb> = of_piece
        .iter()
        .map(|triangles| {
            let corners: Vec<_> = triangles.iter().flat_map(|&t| mesh.corners(t)).collect();
            Aabb::of_points(&corners).expect("a piece has a triangle")
        })
        .collect();
    for (piece, triangles) in of_piece.iter().enumerate() {
        if one_sided.contains(&(piece as u32)) {
            for &t in triangles {
                turned[t] = false;
            }
            let first = triangles.first().copied().unwrap_or(0);
            parts
                .left
                .push(format!("the piece of triangle {first} has one side only and cannot be oriented"));
            continue;
        }
        let turned_count = triangles.iter().filter(|&&t| turned[t]).count();
        let all = if is_open[piece] {
            2 * turned_count > triangles.len()
        } else {
            let centre = boxes[piece].centre();
            let volume: f64 = triangles
                .iter()
                .map(|&t| {
                    let volume = six_volumes(&mesh.corners(t), centre);
                    if turned[t] { -volume } else { volume }
                })
                .sum();
            // A shell that is consistent, faces inwards and lies within another one is the wall of a cavity.
            let within = |other: &Aabb| {
                (0..3).all(|i| other.min[i] < boxes[piece].min[i] && boxes[piece].max[i] < other.max[i])
            };
            let cavity = turned_count == 0 && boxes.iter().any(within);
            volume < 0.0 && !cavity
        };
        if all {
            for &t in triangles {
                turned[t] = !turned[t];
            }
        }
    }
    let turned: Vec<usize> = (0..turned.len()).filter(|&t| turned[t]).collect();
    for &t in &turned {
        parts.elements[t].swap(1, 2);
    }
    parts.note_elements(Action::Orient, &turned);
}
