//! The description of a simulation: bodies, materials, pins, obstacles, settings.

pub(crate) mod attachment;
pub(crate) mod body;
pub(crate) mod body_check;
pub(crate) mod body_ref;
pub(crate) mod body_shape;
pub mod book;
pub(crate) mod category;
pub(crate) mod collide;
pub(crate) mod compliance;
pub(crate) mod contact_pair;
pub(crate) mod custom_constraints;
pub(crate) mod elasticity;
pub(crate) mod factors;
pub(crate) mod material;
pub(crate) mod motion;
pub(crate) mod obstacle;
pub(crate) mod pin;
pub(crate) mod pressure;
pub(crate) mod scene;
pub(crate) mod seam;
pub(crate) mod settings;
pub(crate) mod shape_match;
pub(crate) mod stitch;
pub(crate) mod sweep_order;
pub(crate) mod tie;
pub(crate) mod wind;
