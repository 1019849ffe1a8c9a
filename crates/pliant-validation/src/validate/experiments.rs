//! The experiments, in the order of the book.

mod anchored_block;
mod book_scenes;
mod cantilever;
mod certificate;
mod chain;
mod compressed_block;
mod contact;
mod determinism;
mod free_fall;
mod hanging_cloth;
mod invariance;
mod inverted;
mod jiggle;
mod methods;
mod momentum;
mod patch_test;
mod pendulum;
mod projection;
mod random;
mod relaxation;
mod spring;
mod stitches;
mod twist;

use super::experiment::Experiment;

pub(super) const EXPERIMENTS: [Experiment; 22] = [
    spring::EXPERIMENT,
    free_fall::EXPERIMENT,
    projection::EXPERIMENT,
    chain::EXPERIMENT,
    invariance::EXPERIMENT,
    pendulum::EXPERIMENT,
    momentum::EXPERIMENT,
    patch_test::EXPERIMENT,
    cantilever::EXPERIMENT,
    certificate::EXPERIMENT,
    hanging_cloth::EXPERIMENT,
    anchored_block::EXPERIMENT,
    compressed_block::EXPERIMENT,
    twist::EXPERIMENT,
    inverted::EXPERIMENT,
    stitches::EXPERIMENT,
    contact::EXPERIMENT,
    determinism::EXPERIMENT,
    methods::EXPERIMENT,
    book_scenes::EXPERIMENT,
    relaxation::EXPERIMENT,
    jiggle::EXPERIMENT,
];
