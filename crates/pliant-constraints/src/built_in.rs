//! The list of the kinds of this crate that are planned once.
//!
//! `FrictionalContact` is not among them: it is found again in every substep, and what finds it compiles the
//! one kernel that it needs.

/// Calls `$each` with all kinds that are [`BuiltIn`](crate::BuiltIn), each with its numbers of points and rows.
#[doc(hidden)]
#[macro_export]
macro_rules! built_in_kinds {
    ($each:ident) => {
        $each! {
            $crate::BendDistance<f64>, 2, 1;
            $crate::book::BookDistance<f64>, 2, 1;
            $crate::Coincidence, 2, 3;
            $crate::Dihedral<f64>, 4, 1;
            $crate::Distance<f64>, 2, 1;
            $crate::IsometricBending<f64>, 4, 3;
            $crate::LengthLimit<f64>, 2, 1;
            $crate::NeoHookeanTet<f64>, 4, 2;
            $crate::PointInTet<f64>, 5, 3;
            $crate::PointInTriangle<f64>, 4, 3;
            $crate::PointOnEdge<f64>, 3, 3;
            $crate::PointTarget<f64>, 1, 3;
            $crate::StabilisedNeoHookeanTet<f64>, 4, 2;
            $crate::StVkMembrane<f64>, 3, 3;
            $crate::StVkTet<f64>, 4, 6;
            $crate::StretchLimit<f64>, 3, 2;
            $crate::TetVolume<f64>, 4, 1;
            $crate::Tether<f64>, 1, 1;
        }
    };
}
