//! [`Light`]: the light of pictures, for the page.

use pliant_render::{Drawable, Lighting};
use serde::Serialize;

/// The light of pictures, for the page.
#[derive(Debug, Clone, Serialize)]
pub struct Light {
    key_from: [f64; 3],
    fill_from: [f64; 3],
    /// Shares of key, fill and the light from above and from below.
    shares: [f32; 4],
    /// Gloss and sharpness of highlights, the brightness at which the tone curve bends, and the unshaded
    /// share of colours that show numbers.
    finish: [f32; 4],
}

impl Light {
    /// That of all pictures.
    #[must_use]
    pub fn studio() -> Self {
        Self::of(&Lighting::STUDIO, Drawable::solid(&[], &[]).gloss)
    }

    fn of(lighting: &Lighting, gloss: f32) -> Self {
        let Lighting { key_from, fill_from, key, fill, above, below, shine, sharpness, knee, number } =
            *lighting;
        #[allow(clippy::cast_precision_loss, reason = "a small number")]
        let finish = [shine * gloss, sharpness as f32, knee, number];
        Self { key_from, fill_from, shares: [key, fill, above, below], finish }
    }
}
