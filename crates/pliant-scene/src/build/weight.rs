//! The mass of a body, whose inverse the number type must be able to represent: a particle whose inverse mass
//! rounds to zero hangs in the air.

use pliant_io::Mesh;
use pliant_solver::Float;

use crate::error::Fault;
use crate::field::FieldPath;

/// Area of cloth, m², or volume of a solid, m³.
pub(super) fn measure(mesh: &Mesh) -> f64 {
    match mesh {
        Mesh::Tri(mesh) => mesh.area(),
        Mesh::Tet(mesh) => mesh.volume(),
    }
}

/// Refuses a mass, kg, if the number type cannot represent its inverse or that of a small part.
pub(super) fn check<T: Float>(at: &FieldPath, mass: f64) -> Result<(), Fault> {
    let (least, most) = match T::NAME {
        "f32" => (1e-33, 1e36),
        _ => (1e-280, 1e280),
    };
    if (least..=most).contains(&mass) {
        return Ok(());
    }
    let problem = format!("the mass of the body is {mass:.1e} kg, which {} cannot move", T::NAME);
    Err(Fault::new(at.clone(), problem, format!("{least:e} to {most:e} kg: check its density and its size")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_beyond_the_precision_are_refused() {
        let at = FieldPath::root().key("body").index(0);
        for mass in [1e48, 1e-42, f64::INFINITY, 0.0] {
            assert!(check::<f32>(&at, mass).is_err(), "{mass}");
        }
        assert!(check::<f64>(&at, 1e48).is_ok());
        assert!([1e-30, 1.0, 1e30].into_iter().all(|mass| check::<f32>(&at, mass).is_ok()));
    }
}
