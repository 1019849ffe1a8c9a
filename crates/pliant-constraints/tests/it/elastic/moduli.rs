//! Moduli.

use nalgebra::Matrix3;
use pliant_constraints::{Lame, ModuliError, Orthotropic, PlaneStiffness, flexural_rigidity};
use proptest::prelude::*;

use super::support::{sheet, young};

#[test]
fn limits_of_poissons_ratio_are_errors() {
    for poisson in [-1.0, 0.5, 0.7, -1.5, 1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Lame::solid(1.0, poisson), Err(ModuliError::Poisson { .. })), "{poisson}");
        assert!(Lame::neo_hookean(1.0, poisson).is_err());
    }
    for poisson in [-1.0, 1.0, 1.5, f64::NAN] {
        assert!(matches!(Lame::plane_stress(1.0, poisson), Err(ModuliError::Poisson { .. })), "{poisson}");
    }
    assert!(Lame::plane_stress(1.0, 0.5).is_ok() && Lame::solid(1.0, 0.499_999).is_ok());
}

#[test]
fn moduli_that_are_not_positive_are_errors() {
    for young in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Lame::solid(young, 0.3).is_err() && Lame::plane_stress(young, 0.3).is_err());
        assert!(flexural_rigidity(young, 0.3, 0.1).is_err() && flexural_rigidity(1.0, 0.3, young).is_err());
        for broken in [
            Orthotropic { warp: young, weft: 1.0, poisson: 0.1, shear: 1.0 },
            Orthotropic { warp: 1.0, weft: young, poisson: 0.1, shear: 1.0 },
            Orthotropic { warp: 1.0, weft: 1.0, poisson: 0.1, shear: young },
        ] {
            assert!(broken.stiffness().is_err(), "{broken:?}");
        }
    }
    assert!(Lame { mu: 1.0, lambda: -0.7 }.checked_solid().is_err());
    assert!(Lame { mu: 1.0, lambda: -0.7 }.checked_sheet().is_ok());
    assert!(Lame { mu: 1.0, lambda: -0.1 }.checked_neo_hookean().is_err());
    assert!(PlaneStiffness::isotropic(Lame { mu: 1.0, lambda: -1.0 }).is_err());
    assert!(Orthotropic { warp: 4.0, weft: 1.0, poisson: 1.9, shear: 1.0 }.stiffness().is_ok());
    assert!(Orthotropic { warp: 4.0, weft: 1.0, poisson: 2.0, shear: 1.0 }.stiffness().is_err());
    assert!(Orthotropic { warp: 1.0, weft: 4.0, poisson: 0.6, shear: 1.0 }.stiffness().is_err());
}

#[test]
fn a_message_says_what_is_wrong() {
    let error = Lame::solid(1e6, 0.5).unwrap_err().to_string();
    assert!(error.contains("0.5") && error.contains("-1"), "{error}");
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    /// The compliance matrix must be that of the tensile test: strain (1, −ν)/E for a unit of stress.
    #[test]
    fn pulling_a_sheet_gives_back_its_moduli(warp in young(), ratio in 0.1..10.0_f64, share in -0.95..0.95_f64, shear in young()) {
        let poisson = share * (1.0 / ratio).sqrt();
        let cloth = Orthotropic { warp, weft: ratio * warp, poisson, shear };
        let k = cloth.stiffness().unwrap();
        let matrix = Matrix3::new(k.k11, k.k12, 0.0, k.k12, k.k22, 0.0, 0.0, 0.0, k.k33);
        let s = matrix.try_inverse().unwrap();
        prop_assert!((s[(0, 0)] * warp - 1.0).abs() < 1e-12);
        prop_assert!((s[(1, 1)] * cloth.weft - 1.0).abs() < 1e-12);
        prop_assert!((s[(1, 0)] * warp + poisson).abs() < 1e-12);
        prop_assert!((s[(2, 2)] * 4.0 * shear - 1.0).abs() < 1e-12);
        prop_assert_eq!(k.stress([1.0, 0.0, 0.0]), [k.k11, k.k12, 0.0]);
    }

    #[test]
    fn an_isotropic_sheet_is_an_orthotropic_one(young in young(), poisson in -0.9..0.9_f64) {
        let isotropic = PlaneStiffness::isotropic(Lame::plane_stress(young, poisson).unwrap()).unwrap();
        let shear = young / (2.0 * (1.0 + poisson));
        let orthotropic = Orthotropic { warp: young, weft: young, poisson, shear }.stiffness().unwrap();
        for (a, b) in [
            (isotropic.k11, orthotropic.k11), (isotropic.k12, orthotropic.k12),
            (isotropic.k22, orthotropic.k22), (isotropic.k33, orthotropic.k33),
        ] {
            prop_assert!((a - b).abs() < 1e-12 * isotropic.k11);
        }
    }

    #[test]
    fn a_solid_gives_back_its_moduli(young in young(), poisson in -0.9..0.49_f64) {
        let Lame { mu, lambda } = Lame::solid(young, poisson).unwrap();
        prop_assert!((mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu) / young - 1.0).abs() < 1e-12);
        prop_assert!((lambda / (2.0 * (lambda + mu)) - poisson).abs() < 1e-12);
        let stable = Lame::neo_hookean(young, poisson).unwrap();
        prop_assert_eq!((stable.mu, stable.lambda), (mu, lambda + mu));
    }

    #[test]
    fn every_sheet_has_a_positive_matrix(moduli in sheet()) {
        let k = PlaneStiffness::isotropic(moduli).unwrap();
        prop_assert!(k.k11 * k.k22 > k.k12 * k.k12 && k.k33 > 0.0);
    }
}
