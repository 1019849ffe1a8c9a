//! Elastic elements: their common properties, and each kind by itself.

mod isometric_bending;
mod membrane_energy;
mod moduli;
mod neo_hookean;
mod rest_shape;
mod stabilised;
mod stvk_membrane;
mod stvk_tet;
mod support;
mod whitening;
