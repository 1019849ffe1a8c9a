//! Rows that are the axes of one vector are projected as any block is, to the last bit.

use nalgebra::Vector3;
use pliant_constraints::{
    BlockConstraint, Bound, Coincidence, Damping, FrictionalContact, IsometricBending, LinearisationPoint,
    PointInTet, PointInTriangle, PointOnEdge, PointTarget, Update, linearise, project, project_damped,
    project_rigid,
};
use pliant_testkit::{points, scaled_compliance, stencil, weights};
use proptest::prelude::*;

/// The same rows, of which nothing is known.
struct AnyRows<C>(C);

impl<C: BlockConstraint<f64, N, 3>, const N: usize> BlockConstraint<f64, N, 3> for AnyRows<C> {
    const BOUND: Bound = C::BOUND;
    fn values(&self, x: &[Vector3<f64>; N]) -> [f64; 3] {
        self.0.values(x)
    }
    fn values_and_gradients(&self, x: &[Vector3<f64>; N]) -> ([f64; 3], [[Vector3<f64>; N]; 3]) {
        self.0.values_and_gradients(x)
    }
    fn admissible(&self, lambda: [f64; 3]) -> [f64; 3] {
        self.0.admissible(lambda)
    }
}

/// All that is done with a constraint in a substep, by its rows and as a vector.
fn is_the_same<C: BlockConstraint<f64, N, 3>, const N: usize>(
    constraint: C,
    x: &[Vector3<f64>; N],
    before: &[Vector3<f64>; N],
    w: &[f64; N],
    alpha_tilde: f64,
) -> Result<(), TestCaseError> {
    prop_assert!(C::IS_VECTOR);
    let any = AnyRows(constraint);
    let (one, start) = (&any.0, [0.3, -0.2, 0.1]);
    let mut lambda = [start; 6];
    let xpbd = Update::xpbd();
    prop_assert_eq!(
        project(one, x, w, alpha_tilde, xpbd, &mut lambda[0]),
        project(&any, x, w, alpha_tilde, xpbd, &mut lambda[1])
    );
    prop_assert_eq!(
        project_rigid(one, x, w, None, &mut lambda[2]),
        project_rigid(&any, x, w, None, &mut lambda[3])
    );
    let damping = Damping { previous: before, gamma: 3.0 };
    prop_assert_eq!(
        project_damped(one, x, w, alpha_tilde, damping, xpbd, &mut lambda[4]),
        project_damped(&any, x, w, alpha_tilde, damping, xpbd, &mut lambda[5])
    );
    prop_assert!(lambda.chunks(2).all(|pair| pair[0] == pair[1]), "{:?}", lambda);
    let at = LinearisationPoint { x, w, alpha_tilde, rigid: 1e-3, damping };
    let (as_vector, by_rows) = (linearise(one, &at, &start), linearise(&any, &at, &start));
    prop_assert_eq!(as_vector.blocks, by_rows.blocks);
    prop_assert_eq!((as_vector.lambda, as_vector.impulses), (by_rows.lambda, by_rows.impulses));
    Ok(())
}

fn first<const N: usize, X: Copy>(all: &[X; 5]) -> [X; N] {
    std::array::from_fn(|j| all[j])
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn a_vector_is_projected_as_its_rows(
        x in stencil::<5>(),
        before in points::<5>(1.0),
        w in weights::<5>(),
        alpha_tilde in scaled_compliance(),
        b in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        let target = Vector3::from(b);
        is_the_same(PointTarget { target }, &first(&x), &first(&before), &first(&w), alpha_tilde)?;
        is_the_same(Coincidence, &first(&x), &first(&before), &first(&w), alpha_tilde)?;
        is_the_same(PointOnEdge { place: b[0] }, &first(&x), &first(&before), &first(&w), alpha_tilde)?;
        let in_triangle = PointInTriangle { weights: [b[0], b[1]] };
        is_the_same(in_triangle, &first(&x), &first(&before), &first(&w), alpha_tilde)?;
        is_the_same(PointInTet { weights: b }, &x, &before, &w, alpha_tilde)?;
        is_the_same(IsometricBending { weights: b }, &first(&x), &first(&before), &first(&w), alpha_tilde)?;
        let contact = FrictionalContact {
            normal: Vector3::y(),
            weights: [1.0, -0.5, -0.25, -0.25],
            distance: 0.1,
            friction: [0.4, 0.3],
            slip: Vector3::new(b[0], 0.0, b[2]) * 0.1,
        };
        is_the_same(contact, &first(&x), &first(&before), &first(&w), alpha_tilde)?;
    }
}
