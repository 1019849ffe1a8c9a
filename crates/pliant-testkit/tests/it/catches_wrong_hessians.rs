//! [`check_hessian`] finds the error in matrices with one error each.

use nalgebra::{DMatrix, Vector3};
use pliant_constraints::{Lame, MembraneEnergy, PlaneStiffness, RestTriangle};
use pliant_testkit::{check_hessian, stencil};
use proptest::prelude::*;

proptest! {
    #![proptest_config(pliant_testkit::config(64))]

    #[test]
    fn spoilt_hessians(rest in stencil::<3>(), x in stencil::<3>(), row in 0..9_usize, column in 0..9_usize) {
        let shape = RestTriangle::new(&rest)?;
        let stiffness = PlaneStiffness::isotropic(Lame { mu: 1.0, lambda: 0.5 })?;
        let energy = MembraneEnergy::new(&shape, &stiffness, shape.area)?;
        let gradient = |x: &[Vector3<f64>; 3]| energy.gradient(x);
        let right = DMatrix::from_column_slice(9, 9, energy.hessian(&x).as_slice());
        check_hessian(gradient, &right, &x, 1e-7)?;

        let little = 1e-4 * right.amax();
        let mut one_entry = right.clone();
        one_entry[(row, column)] += little;
        prop_assert!(check_hessian(gradient, &one_entry, &x, 1e-7).is_err());

        // Symmetric and invariant under translations, but not the derivative: one spring too many.
        let mut spring = right.clone();
        for (r, c, sign) in [(0, 0, 1.0), (3, 3, 1.0), (0, 3, -1.0), (3, 0, -1.0)] {
            spring[(r, c)] += sign * little;
        }
        let error = check_hessian(gradient, &spring, &x, 1e-7).expect_err("the derivative is another one");
        prop_assert_eq!(error.property, "Hessian against finite differences");

        let error = check_hessian(gradient, &(right.clone() + DMatrix::identity(9, 9) * little), &x, 1e-7)
            .expect_err("a frame that holds the points");
        prop_assert_eq!(error.property, "Hessian under a translation");

        let smaller = right.view((0, 0), (6, 6)).into_owned();
        prop_assert!(check_hessian(gradient, &smaller, &x, 1e-7).is_err());
    }
}
