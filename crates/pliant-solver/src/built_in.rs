//! The kinds of `pliant-constraints`, planned by code of this crate.
//!
//! A list of constraints is generic over its kind, and what plans and projects it is therefore compiled where the list is made. For a kind of the caller's own that cannot
//! be otherwise. The kinds that are known here need not be compiled again by everybody who names one.

use std::any::Any;

use pliant_constraints::{
    BendDistance, BookDistance, Coincidence, Dihedral, Distance, IsometricBending, Kind, LengthLimit,
    NeoHookeanTet, PointInTet, PointInTriangle, PointTarget, StVkMembrane, StVkTet, SteadyNeoHookeanTet,
    StretchLimit, TetVolume, Tether,
};

use crate::constraints::{GroupData, Typed};

/// The list as what a group is planned from.
pub(crate) fn erase<K: Kind<N, M>, const N: usize, const M: usize>(
    list: Typed<K, N, M>,
) -> Box<dyn GroupData> {
    // A constant, so that only one of the two is compiled.
    if const { K::BUILT_IN.is_some() } { known(Box::new(list)) } else { Box::new(list) }
}

/// The list of a built-in kind.
fn known(mut list: Box<dyn Any>) -> Box<dyn GroupData> {
    macro_rules! find {
        ($($kind:ty, $n:literal, $m:literal;)*) => {
            $(match list.downcast::<Typed<$kind, $n, $m>>() {
                Ok(found) => return found,
                Err(other) => list = other,
            })*
        };
    }
    find! {
        BendDistance<f64>, 2, 1;
        BookDistance<f64>, 2, 1;
        Coincidence, 2, 3;
        Dihedral<f64>, 4, 1;
        Distance<f64>, 2, 1;
        IsometricBending<f64>, 4, 3;
        LengthLimit<f64>, 2, 1;
        NeoHookeanTet<f64>, 4, 2;
        PointInTet<f64>, 5, 3;
        PointInTriangle<f64>, 4, 3;
        PointTarget<f64>, 1, 3;
        SteadyNeoHookeanTet<f64>, 4, 2;
        StVkMembrane<f64>, 3, 3;
        StVkTet<f64>, 4, 6;
        StretchLimit<f64>, 3, 2;
        TetVolume<f64>, 4, 1;
        Tether<f64>, 1, 1;
    }
    let _ = list;
    unreachable!("a kind of pliant-constraints is missing from this list")
}
