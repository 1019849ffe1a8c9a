//! Colours: eight bits of sRGB for users and files, linear light for shading.

/// A colour as screens and files have it: sRGB, eight bits a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Linear light, red green blue, 1 for the white of the screen.
pub(crate) type Light = [f32; 3];

impl Rgb {
    /// Black.
    pub const BLACK: Self = Self(0, 0, 0);
    /// White.
    pub const WHITE: Self = Self(255, 255, 255);

    /// Eight colours that can be distinguished, for one body after another (after Okabe and Ito, 2008, calmed down for
    /// shaded surfaces); they repeat.
    ///
    /// ```
    /// use pliant_render::Rgb;
    ///
    /// assert_ne!(Rgb::of_body(0), Rgb::of_body(1));
    /// assert_eq!(Rgb::of_body(0), Rgb::of_body(8));
    /// ```
    #[must_use]
    pub const fn of_body(body: usize) -> Self {
        const PALETTE: [Rgb; 8] = [
            Rgb(46, 116, 181),
            Rgb(226, 125, 47),
            Rgb(52, 158, 124),
            Rgb(196, 84, 96),
            Rgb(232, 184, 72),
            Rgb(98, 176, 220),
            Rgb(150, 110, 184),
            Rgb(128, 134, 142),
        ];
        PALETTE[body % PALETTE.len()]
    }

    /// This colour mixed with another: 0 is this, 1 the other, in linear light.
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let (a, b) = (self.to_light(), other.to_light());
        Self::from_light(std::array::from_fn(|k| a[k] + (b[k] - a[k]) * share))
    }

    /// Relative luminance, 0 to 1 (Rec. 709).
    #[must_use]
    pub fn luminance(self) -> f32 {
        let [r, g, b] = self.to_light();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    pub(crate) fn to_light(self) -> Light {
        [self.0, self.1, self.2].map(|byte| decode(f32::from(byte) / 255.0))
    }

    pub(crate) fn from_light(light: Light) -> Self {
        let [r, g, b] = light.map(|x| (encode(x) * 255.0 + 0.5) as u8);
        Self(r, g, b)
    }
}

/// sRGB to linear light (IEC 61966-2-1).
fn decode(x: f32) -> f32 {
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// Linear light to sRGB, clamped to 0 … 1 (IEC 61966-2-1).
fn encode(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    if x <= 0.003_130_8 { x * 12.92 } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

/// Linear light to sRGB bytes by a table, because a picture needs it a million times.
pub(crate) struct Encoder {
    table: Vec<u8>,
}

impl Encoder {
    /// Fine enough that the byte is the nearest one everywhere but in the darkest dozen, where it is next to it.
    const STEPS: usize = 16384;

    pub(crate) fn new() -> Self {
        let step = |i: usize| (encode((i as f32 + 0.5) / Self::STEPS as f32) * 255.0 + 0.5) as u8;
        Self { table: (0..Self::STEPS).map(step).collect() }
    }

    pub(crate) fn bytes(&self, light: Light) -> [u8; 3] {
        // A cast saturates, and takes NaN to 0.
        light.map(|x| self.table[((x * Self::STEPS as f32) as usize).min(Self::STEPS - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let encoder = Encoder::new();
        for byte in 0..=255 {
            let colour = Rgb(byte, byte, byte);
            assert_eq!(Rgb::from_light(colour.to_light()), colour);
            let near = encoder.bytes(colour.to_light())[0];
            assert!(near.abs_diff(byte) <= u8::from(byte < 12), "{byte} becomes {near}");
        }
        assert_eq!(encoder.bytes([f32::NAN, -1.0, 9.0]), [0, 0, 255]);
    }

    #[test]
    fn half_the_light_is_not_half_the_byte() {
        assert_eq!(Rgb::BLACK.mix(Rgb::WHITE, 0.5), Rgb(188, 188, 188));
        assert!((Rgb::WHITE.luminance() - 1.0).abs() < 1e-6);
    }
}
