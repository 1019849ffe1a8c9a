//! Whitened rows with one compliance against plain rows with a full compliance matrix, solved densely.

use nalgebra::{DMatrix, DVector, Vector3};
use pliant_constraints::{
    BlockConstraint, Elastic, Lame, NeoHookeanTet, Orthotropic, RestTet, StVkMembrane, StVkTet, Update,
    project,
};
use pliant_testkit::stencil;
use proptest::prelude::*;

use super::support::{oriented, solid, young};

/// Rows as the literature has them.
struct Plain {
    values: DVector<f64>,
    jacobian: DMatrix<f64>,
    /// Stiffness matrix times volume, J: the inverse of the compliance matrix.
    stiffness: DMatrix<f64>,
    /// Lᵀ, which maps these rows to the whitened ones.
    root: DMatrix<f64>,
}

/// Green strains E_ab of the given pairs and their Jacobian, from the rows of D̄⁻¹ for the points after the first.
fn green<const D: usize>(
    inverse: &[[f64; D]],
    x: &[Vector3<f64>],
    pairs: &[(usize, usize)],
) -> (DVector<f64>, DMatrix<f64>) {
    let first: [f64; D] = std::array::from_fn(|a| -inverse.iter().map(|row| row[a]).sum::<f64>());
    let rows = |j: usize| if j == 0 { first } else { inverse[j - 1] };
    let f: [Vector3<f64>; D] =
        std::array::from_fn(|a| (1..x.len()).map(|j| (x[j] - x[0]) * inverse[j - 1][a]).sum());
    let values = DVector::from_fn(pairs.len(), |r, _| {
        let (a, b) = pairs[r];
        0.5 * (f[a].dot(&f[b]) - f64::from(u8::from(a == b)))
    });
    let jacobian = DMatrix::from_fn(pairs.len(), 3 * x.len(), |r, c| {
        let ((a, b), j, axis) = (pairs[r], c / 3, c % 3);
        0.5 * (rows(j)[a] * f[b][axis] + rows(j)[b] * f[a][axis])
    });
    (values, jacobian)
}

/// The random input of a comparison, in addition to the element.
#[derive(Debug, Clone)]
struct Draw<const N: usize, const M: usize> {
    x: [Vector3<f64>; N],
    w: [f64; N],
    lambda: [f64; M],
    softness: f64,
}

fn draw<const N: usize, const M: usize>() -> impl Strategy<Value = Draw<N, M>> {
    let w = prop::array::uniform(0.2..5.0_f64);
    let lambda = prop::array::uniform(-1.0..1.0_f64);
    (stencil::<N>(), w, lambda, 0.0..3.0_f64).prop_map(|(x, w, lambda, e)| Draw {
        x,
        w,
        lambda,
        softness: 10.0_f64.powf(e),
    })
}

/// Projects both ways and compares the displacements.
fn agree<K: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    element: &Elastic<K>,
    plain: &Plain,
    draw: &Draw<N, M>,
) -> Result<(), TestCaseError> {
    // Some positive α̃ of the size of J W Jᵀ, so that the systems are well conditioned; this defines the substep.
    let (_, gradients) = element.kind.values_and_gradients(&draw.x);
    let mass: f64 =
        gradients.iter().flat_map(|g| g.iter().zip(&draw.w)).map(|(g, w)| w * g.norm_squared()).sum();
    let alpha_tilde = draw.softness * mass;
    let inverse_h2 = alpha_tilde / element.compliance;
    // Multipliers of the size that a projection gives.
    let size = element.kind.values(&draw.x).iter().map(|c| c.abs()).fold(0.0, f64::max) / alpha_tilde;
    let start = draw.lambda.map(|l| l * size);

    let mut lambda = start;
    let dx = project(&element.kind, &draw.x, &draw.w, alpha_tilde, Update::xpbd(), &mut lambda);

    let compliance = plain.stiffness.clone().try_inverse().expect("positive definite") * inverse_h2;
    let weights = DMatrix::from_fn(3 * N, 3 * N, |r, c| if r == c { draw.w[r / 3] } else { 0.0 });
    let before = plain.root.transpose() * DVector::from_row_slice(&start);
    let matrix = &plain.jacobian * &weights * plain.jacobian.transpose() + &compliance;
    let rhs = -(&plain.values + &compliance * &before);
    let delta = matrix.lu().solve(&rhs).expect("positive definite");
    let expected = &weights * plain.jacobian.transpose() * &delta;

    let (mut linear, mut angular, mut momentum) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for j in 0..N {
        linear += dx[j] / draw.w[j];
        angular += (draw.x[j] - draw.x[0]).cross(&dx[j]) / draw.w[j];
        momentum += dx[j].norm() / draw.w[j];
    }
    let reach = draw.x.iter().map(|x| (x - draw.x[0]).norm()).fold(0.0, f64::max);
    prop_assert!(linear.norm() <= 1e-14 * momentum && angular.norm() <= 1e-13 * momentum * reach);

    let longest = expected.amax();
    for j in 0..N {
        for axis in 0..3 {
            let (a, b) = (dx[j][axis], expected[3 * j + axis]);
            prop_assert!((a - b).abs() <= 1e-12 * longest, "{a} {b} of {longest}");
        }
    }
    // The multipliers are those of the change of variables, λ_ε = L λ_C.
    let after = plain.root.transpose() * DVector::from_row_slice(&lambda);
    prop_assert!((&after - (&before + &delta)).amax() <= 1e-11 * (before.amax() + delta.amax()));
    // And so is the energy.
    let energy = 0.5 * (plain.values.transpose() * &plain.stiffness * &plain.values)[(0, 0)];
    prop_assert!((element.energy(&draw.x) - energy).abs() <= 1e-12 * energy);
    Ok(())
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn a_woven_sheet(
        rest in stencil::<3>(), draw in draw::<3, 3>(), warp in young(), ratio in 0.2..5.0_f64, share in -0.8..0.8_f64, shear in 0.05..2.0_f64,
    ) {
        let cloth = Orthotropic { warp, weft: warp * ratio, poisson: share / ratio.sqrt(), shear: shear * warp };
        let along = (rest[1] - rest[0]) - 0.4 * (rest[2] - rest[0]);
        let element = StVkMembrane::orthotropic(&rest, &cloth, &along, 0.01).unwrap();
        let (values, jacobian) = green(&element.kind.inverse, &draw.x, &[(0, 0), (1, 1), (0, 1)]);
        let k = cloth.stiffness().unwrap();
        let stiffness = DMatrix::from_row_slice(3, 3, &[k.k11, k.k12, 0.0, k.k12, k.k22, 0.0, 0.0, 0.0, k.k33]);
        let volume = 0.005 * (rest[1] - rest[0]).cross(&(rest[2] - rest[0])).norm();
        let [l11, l21, l22, l33] = element.kind.root;
        let root = DMatrix::from_row_slice(3, 3, &[l11, l21, 0.0, 0.0, l22, 0.0, 0.0, 0.0, l33]);
        agree(&element, &Plain { values, jacobian, stiffness: stiffness * volume, root }, &draw)?;
    }

    #[test]
    fn a_solid(rest in stencil::<4>(), draw in draw::<4, 6>(), moduli in solid()) {
        let rest = oriented(&rest);
        let element = StVkTet::elastic(&rest, moduli).unwrap();
        let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        let (values, jacobian) = green(&element.kind.inverse, &draw.x, &pairs);
        let Lame { mu, lambda } = moduli;
        let q = element.kind.trace;
        // Both matrices have the same pattern: something on the diagonal, something among the normal strains.
        let pattern = |normal: f64, among: f64, shear: f64| DMatrix::from_fn(6, 6, |r, c| {
            let diagonal = if r != c { 0.0 } else if r < 3 { normal } else { shear };
            diagonal + if r < 3 && c < 3 { among } else { 0.0 }
        });
        let volume = RestTet::new(&rest).unwrap().volume;
        let plain = Plain {
            values, jacobian,
            stiffness: pattern(2.0 * mu, lambda, 4.0 * mu) * volume,
            root: pattern(1.0, q, 2.0_f64.sqrt()),
        };
        agree(&element, &plain, &draw)?;
    }

    #[test]
    fn a_neo_hookean_solid(rest in stencil::<4>(), draw in draw::<4, 2>(), young in young(), poisson in -0.5..0.49_f64) {
        let rest = oriented(&rest);
        let moduli = Lame::neo_hookean(young, poisson).unwrap();
        let element = NeoHookeanTet::with_moduli(&rest, moduli).unwrap();
        let (values, gradients) = element.kind.unscaled(&draw.x);
        let volume = RestTet::new(&rest).unwrap().volume;
        let plain = Plain {
            values: DVector::from_row_slice(&values),
            jacobian: DMatrix::from_fn(2, 12, |r, c| gradients[r][c / 3][c % 3]),
            stiffness: DMatrix::from_row_slice(2, 2, &[moduli.lambda, 0.0, 0.0, moduli.mu]) * volume,
            root: DMatrix::from_row_slice(2, 2, &[element.kind.scale, 0.0, 0.0, 1.0]),
        };
        agree(&element, &plain, &draw)?;
    }
}
