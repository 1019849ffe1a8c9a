//! How pictures are drawn: [`Style`].

use nalgebra::Vector3;

use crate::colour::Rgb;
use crate::error::{RenderError, check};

/// How a picture is drawn: background, ground, light, edges.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// The background at the top of the picture.
    pub sky: Rgb,
    /// The background at the bottom of the picture.
    pub haze: Rgb,
    /// The ground, if there is one.
    pub ground: Option<Ground>,
    /// The direction *towards* the main light; none: over the left shoulder of the camera.
    pub light: Option<Vector3<f64>>,
    /// How soft its shadows are: the tangent of half the angle under which the light is seen, 0 to 1.
    pub softness: f64,
    /// How smooth edges are.
    pub smoothing: Smoothing,
    /// Height of letters in pixels; none: by the size of the picture.
    pub text: Option<f64>,
}

/// The ground: a level plane that catches shadows and fades into the background.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// Where it lies along the camera's `up`, metres.
    pub height: f64,
    /// Its colour in full light.
    pub colour: Rgb,
    /// Whether it shows lines at round distances.
    pub grid: bool,
}

/// How many samples there are in each pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Smoothing {
    /// One sample: jagged edges, for previews.
    Off,
    /// Four samples.
    Four,
    /// Eight samples, each in its own row and column of the pixel.
    #[default]
    Eight,
    /// Sixteen samples, each in its own row and column of the pixel.
    Sixteen,
}

impl Default for Style {
    /// A bright room without a ground.
    fn default() -> Self {
        Self {
            sky: Rgb(222, 230, 239),
            haze: Rgb(247, 248, 250),
            ground: None,
            light: None,
            softness: 0.09,
            smoothing: Smoothing::default(),
            text: None,
        }
    }
}

impl Style {
    /// A dark room.
    #[must_use]
    pub fn dark() -> Self {
        Self { sky: Rgb(24, 28, 36), haze: Rgb(52, 58, 68), ..Self::default() }
    }

    /// Adds a ground at a height along `up`, metres.
    #[must_use]
    pub fn ground(mut self, height: f64) -> Self {
        self.ground = Some(Ground { height, colour: self.haze, grid: true });
        self
    }

    pub(crate) fn check(&self) -> Result<(), RenderError> {
        check("the softness of the light", self.softness, 0.0..=1.0, "between 0 and 1")?;
        if let Some(light) = self.light {
            check("the length of the direction of the light", light.norm(), 1e-9..=1e9, "above zero")?;
        }
        if let Some(ground) = self.ground {
            check("the height of the ground", ground.height, -1e15..=1e15, "finite")?;
        }
        if let Some(text) = self.text {
            check("the height of letters", text, 4.0..=400.0, "between 4 and 400 pixels")?;
        }
        Ok(())
    }
}

impl Smoothing {
    /// Where the samples lie in the pixel, in 256ths from its upper left corner: the standard patterns of Direct3D 11,
    /// in which no two share a row or a column.
    pub(crate) fn pattern(self) -> &'static [[i32; 2]] {
        const OFF: [[i32; 2]; 1] = [[128, 128]];
        const FOUR: [[i32; 2]; 4] = [[96, 32], [224, 96], [32, 160], [160, 224]];
        const EIGHT: [[i32; 2]; 8] =
            [[144, 80], [112, 176], [208, 144], [80, 48], [48, 208], [16, 112], [176, 240], [240, 16]];
        const SIXTEEN: [[i32; 2]; 16] = [
            [144, 144],
            [112, 80],
            [80, 160],
            [192, 112],
            [48, 96],
            [160, 208],
            [208, 176],
            [176, 48],
            [96, 224],
            [128, 16],
            [64, 32],
            [32, 192],
            [0, 128],
            [240, 64],
            [224, 240],
            [16, 0],
        ];
        match self {
            Self::Off => &OFF,
            Self::Four => &FOUR,
            Self::Eight => &EIGHT,
            Self::Sixteen => &SIXTEEN,
        }
    }
}
