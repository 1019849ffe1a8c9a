//! The surfaces of the bodies that collide.

use nalgebra::Vector3;
use pliant_mesh::{Embedding, TriMesh};

use crate::build::constraints::Constraints;
use crate::build::placed::Placed;
use crate::build::weld::Welds;
use crate::collide::collider::Collider;
use crate::collide::meeting::Meeting;
use crate::collide::skin::Carried;
use crate::describe::body_shape::BodyShape;
use crate::describe::contact_pair::ContactPair;
use crate::describe::seam::Sewing;
use crate::error::BuildError;
use crate::error::body::{BodyPart, BodyProblem};

/// The vertices of skins, behind the particles.
struct Skins {
    /// Number of particles.
    particles: usize,
    vertices: Vec<Carried>,
    /// Where the vertices rest, m.
    rest: Vec<Vector3<f64>>,
}

impl Skins {
    /// Takes up the skin of a body; returns its triangles, and the number of its first vertex.
    fn take(&mut self, at: &Placed<'_>, skin: &TriMesh) -> Result<(Vec<[u32; 3]>, usize), BuildError> {
        let fault = |problem: BodyProblem| at.fault(BodyPart::Skin, problem);
        let BodyShape::Solid(solid, _) = &at.body.shape else { return Err(fault(BodyProblem::SkinOfCloth)) };
        let embedding = Embedding::new(solid, skin.positions()).map_err(|error| fault(error.into()))?;
        let first = self.particles + self.vertices.len();
        let number = u32::try_from(first + skin.positions().len())
            .ok()
            .and_then(|_| u32::try_from(first).ok())
            .ok_or_else(|| fault(BodyProblem::SkinTooLarge))?;
        let corners = embedding.vertices().iter().map(|corners| corners.map(|v| v + at.first()));
        let carried = corners.zip(embedding.weights());
        self.vertices.extend(carried.map(|(corners, &weights)| Carried { corners, weights }));
        self.rest.extend_from_slice(skin.positions());
        Ok((skin.triangles().iter().map(|corners| corners.map(|v| v + number)).collect(), first))
    }

    /// The ties between the vertices that tied particles carry.
    fn ties(&self, ties: &[[u32; 2]]) -> Vec<[u32; 2]> {
        if self.vertices.is_empty() {
            return Vec::new();
        }
        let mut carried = vec![Vec::new(); self.particles];
        for (vertex, number) in self.vertices.iter().zip((0_u32..).skip(self.particles)) {
            vertex.corners.iter().for_each(|&corner| carried[corner as usize].push(number));
        }
        let of = |v: u32| std::iter::once(v).chain(carried[v as usize].iter().copied());
        let mut all = Vec::new();
        for &[a, b] in ties {
            all.extend(of(a).flat_map(|a| of(b).map(move |b| [a, b])).skip(1));
        }
        all
    }
}

/// The surfaces of the bodies that collide, if any two may meet.
pub(super) fn meeting(
    placed: &[Placed<'_>],
    ties: &[Constraints],
    sewing: Option<&Sewing>,
    welds: Option<&Welds>,
    own: &[ContactPair],
) -> Result<Option<Meeting>, BuildError> {
    let mut colliders = Vec::new();
    let particles = placed.last().map_or(0, |last| last.particles.end);
    let mut skins = Skins { particles, vertices: Vec::new(), rest: Vec::new() };
    for at in placed {
        let Some(collide) = at.body.collide else { continue };
        collide.check().map_err(|(parameter, problem)| at.fault(BodyPart::Contact(parameter), problem))?;
        let (triangles, first) = match &at.body.skin {
            Some(skin) => skins.take(at, skin)?,
            None => {
                let first = |v: u32| welds.map_or(v, |welds| welds.first(v));
                let triangles = at.shift(at.surface()).into_iter().map(|corners| corners.map(first));
                (triangles.collect(), at.particles.start)
            }
        };
        colliders.push(Collider {
            number: at.number,
            name: at.name.clone(),
            first,
            triangles,
            radius: at.contact_radius()?,
            collide,
        });
    }
    let names: Vec<&str> = colliders.iter().map(|body: &Collider| body.name.as_str()).collect();
    let own = (own.iter().enumerate())
        .map(|(i, pair)| Ok((pair.places(i, &names)?, pair.clone())))
        .collect::<Result<_, BuildError>>()?;
    if colliders.is_empty() {
        return Ok(None);
    }
    // Welded panels that rest beside each other have triangles whose corners are of both: how near their parts
    // come at rest is how near they start.
    let rest = |at: &Placed<'_>| {
        let is_welded = welds.is_some_and(|welds| {
            welds.joined().any(|(v, first)| [v, first].iter().any(|&v| at.particles.contains(&(v as usize))))
        });
        if is_welded { at.body.initial().to_vec() } else { at.body.positions().to_vec() }
    };
    let mut rest: Vec<_> = placed.iter().flat_map(rest).collect();
    rest.append(&mut skins.rest);
    let mut pairs = sewing.map_or_else(Vec::new, |sewing| sewing.ties.clone());
    for group in ties {
        group.for_each_stencil(&mut |stencil| {
            for (i, &a) in stencil.iter().enumerate() {
                pairs.extend(stencil[..i].iter().map(|&b| [a, b]));
            }
        });
    }
    if let Some(welds) = welds {
        pairs.iter_mut().for_each(|pair| *pair = pair.map(|v| welds.first(v)));
        pairs.retain(|[a, b]| a != b);
    }
    pairs.extend(skins.ties(&pairs));
    Ok(Some(Meeting { colliders, rest, skins: skins.vertices, ties: pairs, pairs: own }))
}
