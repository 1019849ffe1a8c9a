//! The kinds of `pliant-constraints`, planned by code of this crate.
//!
//! A list of constraints is generic over its kind, so the code that plans and projects it is compiled where
//! the list is made. For a kind of the caller's own this cannot be avoided. The kinds that are known here
//! need not be compiled again in every crate that uses one.

use std::any::Any;

use pliant_constraints::Kind;

use crate::build::typed::{GroupData, Typed};

/// The list as the data from which a group is planned.
pub(crate) fn erase<K: Kind<N, M>, const N: usize, const M: usize>(
    list: Typed<K, N, M>,
) -> Box<dyn GroupData> {
    // A constant, so that only one of the two is compiled.
    if const { K::BUILT_IN.is_some() } { known(Box::new(list)) } else { Box::new(list) }
}

/// The list of a built-in kind.
fn known(mut list: Box<dyn Any>) -> Box<dyn GroupData> {
    macro_rules! find {
        ($($Kind:ty, $n:literal, $m:literal;)*) => {
            $(match list.downcast::<Typed<$Kind, $n, $m>>() {
                Ok(found) => return found,
                Err(other) => list = other,
            })*
        };
    }
    pliant_constraints::built_in_kinds!(find);
    let _ = list;
    unreachable!("the list of pliant-constraints has all built-in kinds")
}
