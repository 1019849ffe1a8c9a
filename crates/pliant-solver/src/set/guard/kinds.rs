//! [`Kinds`]: elements of the guard that a report names by their kind: slivers, and those of a law that gets softer under compression.
//!
//! Saint Venant–Kirchhoff material has the stress ½E s (s² − 1) along an axis of stretch s (ν = 0). In
//! compression it is largest at s = 1/√3 and falls from there to zero at s = 0: the stiffness ½E (3s² − 1) is
//! below zero, and a shorter element gives way to a smaller load.
//!
//! An element is compressed that far if FᵀF has an eigenvalue below ⅓, that is, if FᵀF − ⅓ is not positive
//! definite: if one of its leading minors is not positive (Sylvester).

use nalgebra::{Matrix3, Vector3};
use pliant_kernel::Particle;
use pliant_mesh::radius_ratio;

use super::held_tet::HeldTet;
use crate::observe::report::{Softened, Suspects};
use pliant_kernel::Scalar;

/// Radius ratio below which a tetrahedron is a sliver.
pub(super) const SLIVER: f64 = 0.02;

/// The square of the stretch below which Saint Venant–Kirchhoff material gets softer.
const SOFTER: f64 = 1.0 / 3.0;

/// A tetrahedron for the guard, and its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GuardedTet {
    pub(super) held: HeldTet,
    pub(super) is_sliver: bool,
    /// The inverse of the edges at rest, 1/m, if the law gets softer under compression.
    pub(super) softens: Option<Matrix3<f64>>,
}

impl GuardedTet {
    /// A tetrahedron with the positions `rest`, m, at rest, and whether its law gets softer under
    /// compression; `None` if it is flat.
    pub(crate) fn new(vertices: [u32; 4], rest: &[Vector3<f64>; 4], softens: bool) -> Option<Self> {
        let held = HeldTet::new(vertices, rest)?;
        let softens = softens.then(|| edges(rest).try_inverse()).flatten();
        Some(Self { held, is_sliver: radius_ratio(rest) < SLIVER, softens })
    }

    /// The same tetrahedron in another numbering.
    pub(crate) fn renumbered(self, map: impl Fn(u32) -> u32) -> Self {
        Self { held: self.held.renumbered(map), ..self }
    }
}

fn edges(x: &[Vector3<f64>; 4]) -> Matrix3<f64> {
    Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]])
}

/// Whether an element is compressed below 1/√3 of its length along an axis.
fn is_softened(inverse: &Matrix3<f64>, x: &[Vector3<f64>; 4]) -> bool {
    let f = edges(x) * inverse;
    let a = f.transpose() * f - Matrix3::from_diagonal_element(SOFTER);
    let minor = a[(0, 0)] * a[(1, 1)] - a[(0, 1)] * a[(1, 0)];
    !(a[(0, 0)] > 0.0 && minor > 0.0 && a.determinant() > 0.0)
}

/// Elements that a report checks; most bodies have none.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    slivers: Vec<HeldTet>,
    softening: Vec<(HeldTet, Matrix3<f64>)>,
}

impl Kinds {
    pub(super) fn of(tets: &[GuardedTet]) -> Self {
        Self {
            slivers: tets.iter().filter(|tet| tet.is_sliver).map(|tet| tet.held).collect(),
            softening: tets.iter().filter_map(|tet| Some((tet.held, tet.softens?))).collect(),
        }
    }

    /// Checks the elements at the present positions.
    pub(super) fn suspects<T: Scalar>(&self, now: &[Particle<T>]) -> Suspects {
        let is_inverted = |tet: &HeldTet| tet.ratio(&tet.places(now)).0 <= 0.0;
        let slivers = || self.slivers.iter().filter(|tet| is_inverted(tet)).count();
        let stvk = || {
            let mut found = Softened::default();
            for (i, (tet, inverse)) in self.softening.iter().enumerate() {
                found.inverted += usize::from(is_inverted(tet));
                if is_softened(inverse, &tet.places(now)) {
                    found.pressed += 1;
                    found.first.get_or_insert(i);
                }
            }
            found
        };
        Suspects {
            slivers: (!self.slivers.is_empty()).then(slivers),
            stvk: (!self.softening.is_empty()).then(stvk),
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_kernel::Particle;
    use proptest::prelude::*;

    use super::*;

    const CORNER: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn at(x: [[f64; 3]; 4], by: &Matrix3<f64>) -> Vec<Particle<f64>> {
        x.iter().map(|x| Particle::new(by * Vector3::from(*x), 1.0)).collect()
    }

    fn kinds(rest: [[f64; 3]; 4], softens: bool) -> Kinds {
        Kinds::of(
            &GuardedTet::new([0, 1, 2, 3], &rest.map(Vector3::from), softens).into_iter().collect::<Vec<_>>(),
        )
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn it_softens_below_one_over_the_root_of_three_along_any_axis(
            stretches in prop::array::uniform3(0.3..1.5_f64),
            turns in prop::array::uniform6(-3.0..3.0_f64),
        ) {
            let [a, b, c, d, e, f] = turns;
            let (left, right) = (nalgebra::Rotation3::from_euler_angles(a, b, c), nalgebra::Rotation3::from_euler_angles(d, e, f));
            let by = left.matrix() * Matrix3::from_diagonal(&Vector3::from(stretches)) * right.matrix();
            let least = stretches.into_iter().fold(f64::INFINITY, f64::min);
            prop_assume!((least * least - SOFTER).abs() > 1e-9);
            let found = kinds(CORNER, true).suspects(&at(CORNER, &by)).stvk.unwrap_or_default();
            prop_assert_eq!(found.pressed, usize::from(least < 1.0 / 3.0_f64.sqrt()));
            prop_assert_eq!(found.inverted, 0);
        }
    }

    #[test]
    fn mirror_images_are_inverted_and_not_pressed() {
        let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0));
        let found = kinds(CORNER, true).suspects(&at(CORNER, &mirror));
        assert_eq!(found.stvk, Some(Softened { pressed: 0, first: None, inverted: 1 }));
        assert_eq!(kinds(CORNER, false).suspects(&at(CORNER, &mirror)), Suspects::default());
    }

    #[test]
    fn slivers_are_known_by_their_shape_at_rest() {
        let mut flat = CORNER;
        flat[3] = [0.3, 0.3, 0.005];
        let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0));
        assert_eq!(kinds(flat, false).suspects(&at(flat, &mirror)).slivers, Some(1));
        assert_eq!(kinds(flat, false).suspects(&at(flat, &Matrix3::identity())).slivers, Some(0));
        assert_eq!(kinds(CORNER, false).suspects(&at(CORNER, &mirror)).slivers, None);
    }
}
