//! [`linearise`]: impulses and stiffness of a Newton step, by themselves and against finite differences.

use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_constraints::{
    BlockConstraint, Damping, Distance, Lame, LengthLimit, Linear, LinearisationPoint, NeoHookeanTet,
    StVkMembrane, StVkTet, TetVolume, impulses_of, linearise,
};
use pliant_testkit::{check_hessian, stencil};
use proptest::prelude::*;

const ALPHA: f64 = 0.3;

/// λ', impulses and blocks of a constraint with the compliance [`ALPHA`] in a step of 1 s.
fn linear<C: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
) -> Linear<f64, N, M> {
    let damping = Damping { previous: x, gamma: 0.0 };
    linearise(
        constraint,
        &LinearisationPoint { x, w: &[1.0; N], alpha_tilde: ALPHA, rigid: 0.0, damping },
        &[0.0; M],
    )
}

fn dense<const N: usize, const M: usize>(found: &Linear<f64, N, M>) -> DMatrix<f64> {
    DMatrix::from_fn(3 * N, 3 * N, |r, c| {
        let (j, k) = (r / 3, c / 3);
        if j <= k { found.blocks[j][k][r % 3][c % 3] } else { found.blocks[k][j][c % 3][r % 3] }
    })
}

/// The blocks are all of the Hessian.
fn check_whole<C: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
) -> Result<(), TestCaseError> {
    let found = dense(&linear(constraint, x));
    check_hessian(|x| linear(constraint, x).impulses.map(|impulse| -impulse), &found, x, 1e-6)?;
    Ok(())
}

/// The blocks are symmetric and have no eigenvalue below −`share` of `unit`.
fn check_positive<C: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    share: f64,
    unit: f64,
) -> Result<(), TestCaseError> {
    let found = dense(&linear(constraint, x));
    let largest = found.amax();
    prop_assert!((&found - found.transpose()).amax() <= 1e-12 * largest, "not symmetric: {found}");
    let least = found.symmetric_eigenvalues().min();
    prop_assert!(least >= -1e-10 * largest - share * unit, "{least} of {largest} at {x:?}");
    Ok(())
}

/// A tetrahedron whose first point is above the triangle of the others.
fn upright(mut x: [Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
    if (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) < 0.0 {
        x.swap(2, 3);
    }
    x
}

fn map(entries: [f64; 9], size: f64) -> Matrix3<f64> {
    Matrix3::from_column_slice(&entries) * size
}

fn moved<const N: usize>(rest: &[Vector3<f64>; N], f: &Matrix3<f64>) -> [Vector3<f64>; N] {
    rest.map(|x| f * x + Vector3::new(0.3, -0.2, 0.1))
}

/// The largest |b_j|² of a tetrahedron, by which its stiffness in F becomes one of points.
fn steepest(tet: &NeoHookeanTet<f64>) -> f64 {
    let rows = tet.inverse.map(Vector3::from);
    rows.iter().chain([&-(rows[0] + rows[1] + rows[2])]).map(Vector3::norm_squared).sum()
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn springs_are_whole_where_they_are_drawn(x in stencil::<2>(), share in 0.2..0.99_f64) {
        let length = (x[0] - x[1]).norm();
        check_whole(&Distance { rest: share * length }, &x)?;
        check_whole(&LengthLimit { shortest: 0.0, longest: share * length }, &x)?;
        check_positive(&Distance { rest: length / share }, &x, 0.0, 0.0)?;
        // A slack constraint has no impulse and no stiffness.
        let slack = linear(&LengthLimit { shortest: 0.0, longest: length / share }, &x);
        prop_assert!(dense(&slack).amax() == 0.0 && slack.impulses[0].norm() == 0.0);
    }

    #[test]
    fn sheets_are_whole_where_they_are_drawn(rest in stencil::<3>(), entries in proptest::array::uniform9(-0.2..0.2_f64)) {
        let sheet = StVkMembrane::isotropic(&rest, Lame { mu: 1.0, lambda: 0.4 }, 0.1).unwrap().kind;
        check_whole(&sheet, &moved(&rest, &(Matrix3::identity() * 1.6 + map(entries, 1.0))))?;
    }

    #[test]
    fn sheets_are_never_indefinite(rest in stencil::<3>(), entries in proptest::array::uniform9(-1.5..1.5_f64)) {
        let sheet = StVkMembrane::isotropic(&rest, Lame { mu: 1.0, lambda: 0.4 }, 0.1).unwrap().kind;
        check_positive(&sheet, &moved(&rest, &map(entries, 1.0)), 0.0, 0.0)?;
    }

    #[test]
    fn saint_venant_solids_are_whole_where_they_are_drawn(rest in stencil::<4>(), entries in proptest::array::uniform9(-0.1..0.1_f64)) {
        let rest = upright(rest);
        let tet = StVkTet::elastic(&rest, Lame { mu: 1.0, lambda: 0.4 }).unwrap().kind;
        check_whole(&tet, &moved(&rest, &(Matrix3::identity() * 1.5 + map(entries, 1.0))))?;
    }

    #[test]
    fn saint_venant_solids_are_never_indefinite(rest in stencil::<4>(), entries in proptest::array::uniform9(-1.5..1.5_f64)) {
        let tet = StVkTet::elastic(&upright(rest), Lame { mu: 1.0, lambda: 0.4 }).unwrap().kind;
        check_positive(&tet, &moved(&upright(rest), &map(entries, 1.0)), 0.0, 0.0)?;
    }

    /// Near the rest shape, where no bound cuts anything off: in tension, as compression buckles.
    #[test]
    fn neo_hookean_solids_are_whole_near_the_rest_shape(
        rest in stencil::<4>(),
        entries in proptest::array::uniform9(-0.005..0.005_f64),
        ratio in 1.5..30.0_f64,
    ) {
        let rest = upright(rest);
        let tet = NeoHookeanTet::with_moduli(&rest, Lame { mu: 1.0, lambda: ratio }).unwrap().kind;
        let f = Matrix3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0) * (Matrix3::identity() * 1.012 + map(entries, 1.0));
        let largest = f.singular_values().max();
        prop_assume!((ratio * (f.determinant() - tet.gamma)).abs() * largest < 1.0);
        check_whole(&tet, &moved(&rest, &f))?;
    }

    /// At rest every rotation is free.
    #[test]
    fn neo_hookean_solids_turn_freely_at_rest(rest in stencil::<4>(), axis in proptest::array::uniform3(-1.0..1.0_f64), ratio in 1.5..1e4_f64) {
        let rest = upright(rest);
        let tet = NeoHookeanTet::with_moduli(&rest, Lame { mu: 1.0, lambda: ratio }).unwrap().kind;
        let found = linear(&tet, &rest);
        let axis = Vector3::from(axis);
        let turn = nalgebra::DVector::from_iterator(12, rest.iter().flat_map(|x| axis.cross(x).iter().copied().collect::<Vec<_>>()));
        let back = dense(&found) * turn;
        prop_assert!(back.amax() < 1e-9 * dense(&found).amax(), "{back}");
    }

    /// Where an element is pressed flat or inside out a tenth of μ may be lacking.
    #[test]
    fn neo_hookean_solids_are_hardly_ever_indefinite(rest in stencil::<4>(), entries in proptest::array::uniform9(-1.5..1.5_f64), ratio in 1.0..1e4_f64) {
        let rest = upright(rest);
        let tet = NeoHookeanTet::with_moduli(&rest, Lame { mu: 1.0, lambda: ratio }).unwrap().kind;
        check_positive(&tet, &moved(&rest, &map(entries, 1.0)), 0.1, steepest(&tet) / ALPHA)?;
    }

    #[test]
    fn volumes_are_never_indefinite(x in stencil::<4>(), rest in -0.2..0.2_f64) {
        check_positive(&TetVolume { rest }, &x, 0.0, 0.0)?;
    }

    /// With a stiffness bounded by ε the step to λ' is one of the method of multipliers: a satisfied
    /// constraint does not move.
    #[test]
    fn rigid_constraints_keep_their_tension(x in stencil::<2>(), lambda in -3.0..3.0_f64, alpha_tilde in prop_oneof![Just(0.0), 1e-6..1e-3_f64]) {
        let length = (x[0] - x[1]).norm();
        let damping = Damping { previous: &x, gamma: 0.0 };
        let place = LinearisationPoint { x: &x, w: &[1.0, 0.5], alpha_tilde, rigid: 1e-2, damping };
        let satisfied = Distance { rest: length + alpha_tilde * lambda };
        let (kept, impulses) = impulses_of(&satisfied, &place, &[lambda]);
        prop_assert!((kept[0] - lambda).abs() < 1e-9 && (impulses[0] + impulses[1]).norm() < 1e-12);
        let (grown, _) = impulses_of(&Distance { rest: satisfied.rest - 0.03 }, &place, &[lambda]);
        prop_assert!((grown[0] - (lambda - 0.03 / 0.015)).abs() < 1e-8);
        prop_assert_eq!(linearise(&satisfied, &place, &[lambda]).impulses, impulses);
    }
}
