//! Contact between the surfaces of bodies: their triangles keep a distance, rub, and cannot pass through each other.
//!
//! A substep goes through these rooms:
//!
//! | room | what |
//! |---|---|
//! | [`collider`], [`meeting`] | what the scene says: surfaces, distances, who meets whom |
//! | [`paths`] | where particles are expected to be; whether they are there |
//! | [`fineness`] | how much room neighbours in a mesh leave beside the thickness |
//! | [`history`] | how lists of pairs came about, so that the same are made again where a state is restored |
//! | [`elements`] | which two elements a pair is of, and what counts as near |
//! | [`candidates`] | pairs that may come near, eight side by side, and when they are to be looked at |
//! | [`eight`] | particles of a list, eight side by side |
//! | [`reach`] | how far particles are off their paths, and what they go in a substep |
//! | [`patience`] | when distances are measured again, so that what has come to rest elsewhere may sleep |
//! | [`narrow`] | closest points at the start of the substep: pairs that are near become [contacts](pliant_constraints::FrictionalContact) |
//! | [`allowance`] | how far a particle may lag before lists no longer hold |
//! | [`idle`] | contacts whose pairs are not near |
//! | [`memory`] | contacts of the substep before, for those that take their place |
//! | [`law`] | friction, restitution and compliance of pairs of bodies |
//! | [`impact`] | the velocity that a contact gives back |
//! | [`islands`] | bodies that have pairs in common, and how each group of them moves as a whole |
//! | [`stray_pairs`] | the pairs of strays, and which of them are held already |
//! | [`strays`] | the strays of a substep whose pairs are listed for the net |
//! | [`aside`] | what becomes of what is in the way of held particles |
//! | [`fallback`] | where particles go whose own ways are cut back altogether |
//! | [`pulls`] | contacts and edges that even out these ways |
//! | [`crowded`] | which pairs use up their room |
//! | [`net`] | after the sweeps: what would cross is cut back to planes between the closest points |
//! | [`skin`], [`carried`] | fine surfaces that solids carry, and their contacts |
//! | [`set`] | all of them as a constraint set |
//! | [`tangle`] | what crosses already, and is let go |
//! | [`untangle`] | which way it is driven apart |
//! | [`query`] | what programs ask while they run |
//! | [`crossed`] | which crossings count |
//! | [`meetings`] | what programs ask that have positions and no simulation |
//! | [`tally`] | what reports and certificates say of it |

mod allowance;
mod aside;
mod candidates;
mod carried;
pub(crate) mod collider;
mod crossed;
mod crowded;
mod eight;
mod elements;
mod fallback;
mod fineness;
pub(crate) mod history;
mod idle;
mod impact;
mod islands;
mod law;
pub(crate) mod meeting;
pub(crate) mod meetings;
pub(crate) mod memory;
mod narrow;
mod net;
mod paths;
mod patience;
mod pulls;
pub(crate) mod query;
mod reach;
mod set;
pub(crate) mod skin;
mod stray_pairs;
mod strays;
pub(crate) mod tally;
mod tangle;
mod untangle;
