//! Colours for numbers: perceptual colour maps, and the scale that maps numbers to colours.

use crate::colour::{Light, Rgb};
use crate::error::{RenderError, check};

/// A colour map: equal steps of the number look like equal steps of the colour, also in grey and to most colour-blind
/// eyes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourMap {
    /// Dark violet over green to yellow, for magnitudes. Viridis by Nathaniel Smith and Stéfan van der Walt
    /// (2015, CC0), at fifteen of its colours, linear between; its darkest eighth is black to the eye where a
    /// surface lies in the shade, and is left out.
    #[default]
    Viridis,
    /// Blue over light grey to red, for numbers of either sign: the scale's middle is grey. The smooth cool-warm map
    /// of Kenneth Moreland, *Diverging Color Maps for Scientific Visualization* (2009), at nine of its colours.
    CoolWarm,
    /// Light grey to red, for magnitudes that are mostly zero: the upper half of [`CoolWarm`](Self::CoolWarm).
    Warm,
    /// Black to white.
    Grey,
}

const VIRIDIS: [Rgb; 15] = [
    Rgb(0x47, 0x2d, 0x7b),
    Rgb(0x42, 0x40, 0x86),
    Rgb(0x3b, 0x52, 0x8b),
    Rgb(0x33, 0x63, 0x8d),
    Rgb(0x2c, 0x72, 0x8e),
    Rgb(0x26, 0x82, 0x8e),
    Rgb(0x21, 0x91, 0x8c),
    Rgb(0x1f, 0xa0, 0x88),
    Rgb(0x28, 0xae, 0x80),
    Rgb(0x3f, 0xbc, 0x73),
    Rgb(0x5e, 0xc9, 0x62),
    Rgb(0x84, 0xd4, 0x4b),
    Rgb(0xad, 0xdc, 0x30),
    Rgb(0xd8, 0xe2, 0x19),
    Rgb(0xfd, 0xe7, 0x25),
];

const COOL_WARM: [Rgb; 9] = [
    Rgb(59, 76, 192),
    Rgb(98, 130, 234),
    Rgb(141, 176, 254),
    Rgb(184, 208, 249),
    Rgb(221, 221, 221),
    Rgb(245, 196, 173),
    Rgb(244, 154, 123),
    Rgb(222, 96, 77),
    Rgb(180, 4, 38),
];

const GREY: [Rgb; 2] = [Rgb::BLACK, Rgb::WHITE];

impl ColourMap {
    /// The colour at a place of the map, 0 to 1; beyond, the end colours. NaN gives [`ColourMap::NO_VALUE`].
    ///
    /// ```
    /// use pliant_render::{ColourMap, Rgb};
    ///
    /// assert_eq!(ColourMap::Viridis.at(0.0), Rgb(0x47, 0x2d, 0x7b));
    /// assert_eq!(ColourMap::CoolWarm.at(0.5), Rgb(221, 221, 221));
    /// assert_eq!(ColourMap::Warm.at(0.0), ColourMap::CoolWarm.at(0.5));
    /// assert_eq!(ColourMap::Viridis.at(7.0), ColourMap::Viridis.at(1.0));
    /// assert_eq!(ColourMap::Viridis.at(f64::NAN), ColourMap::NO_VALUE);
    /// ```
    #[must_use]
    pub fn at(self, place: f64) -> Rgb {
        if place.is_nan() {
            return Self::NO_VALUE;
        }
        let stops = self.stops();
        let along = place.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let stop = (along as usize).min(stops.len() - 2);
        let share = along - stop as f64;
        // Between neighbours of a table in sRGB, as the tables are published.
        let between = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        let (a, b) = (stops[stop], stops[stop + 1]);
        Rgb(between(a.0, b.0), between(a.1, b.1), between(a.2, b.2))
    }

    /// The colour of elements without a value.
    pub const NO_VALUE: Rgb = Rgb(150, 150, 150);

    fn stops(self) -> &'static [Rgb] {
        match self {
            Self::Viridis => &VIRIDIS,
            Self::CoolWarm => &COOL_WARM,
            Self::Warm => &COOL_WARM[COOL_WARM.len() / 2..],
            Self::Grey => &GREY,
        }
    }
}

/// Which number gets which colour, and the meaning of the numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// The colours.
    pub map: ColourMap,
    /// The number at the lower end of the map, in the field's unit.
    pub low: f64,
    /// The number at the upper end of the map, in the field's unit.
    pub high: f64,
    /// The title of the legend: the quantity and its unit, such as "strain (%)".
    pub label: String,
}

impl Scale {
    /// A scale between two numbers.
    ///
    /// # Errors
    ///
    /// If an end is not finite, or the upper end is not above the lower.
    pub fn new(map: ColourMap, low: f64, high: f64, label: impl Into<String>) -> Result<Self, RenderError> {
        check("the lower end of the scale", low, f64::MIN..=f64::MAX, "finite")?;
        check("the upper end of the scale", high, f64::MIN..=f64::MAX, "finite")?;
        check("the width of the scale", high - low, f64::MIN_POSITIVE..=f64::MAX, "above zero, and finite")?;
        Ok(Self { map, low, high, label: label.into() })
    }

    /// A scale over all finite numbers of some fields; for [`ColourMap::CoolWarm`] as far below zero as above.
    /// Without numbers, or if all are the same, a scale around them.
    ///
    /// ```
    /// use pliant_render::{ColourMap, Scale};
    ///
    /// let scale = Scale::over(ColourMap::CoolWarm, [1.0, -3.0, f64::NAN], "error");
    /// assert_eq!((scale.low, scale.high), (-3.0, 3.0));
    /// ```
    #[must_use]
    pub fn over(map: ColourMap, values: impl IntoIterator<Item = f64>, label: impl Into<String>) -> Self {
        // A tenth of the largest number leaves room for small differences.
        let sane = |x: &f64| x.is_finite() && x.abs() < f64::MAX / 10.0;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(sane) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if map == ColourMap::CoolWarm {
            high = high.abs().max(low.abs());
            low = -high;
        }
        if high - low <= f64::EPSILON * high.abs().max(low.abs()) {
            let around = if high == 0.0 { 1.0 } else { high.abs() * 0.5 };
            (low, high) = (low - around, high + around);
        }
        Self { map, low, high, label: label.into() }
    }

    /// The colour of a number.
    #[must_use]
    pub fn colour(&self, value: f64) -> Rgb {
        self.map.at((value - self.low) / (self.high - self.low))
    }

    /// Round numbers to write beside the legend, ascending, about `count` of them, all within the scale.
    #[must_use]
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let step = round_step((self.high - self.low) / count.max(1) as f64);
        if !step.is_finite() || step <= 0.0 {
            return Vec::new();
        }
        // A hair of slack, so that an end that is itself a round number counts.
        let (first, last) = ((self.low / step - 1e-9).ceil(), (self.high / step + 1e-9).floor());
        let number = (last - first).clamp(-1.0, 100.0) as i64;
        (0..=number).map(|i| (first + i as f64) * step).map(|x| if x == 0.0 { 0.0 } else { x }).collect()
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
pub(crate) fn round_step(least: f64) -> f64 {
    let power = 10_f64.powi(least.log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|&step| step >= least * (1.0 - 1e-9))
        .unwrap_or(least)
}

/// A colour map in linear light as a table, fast enough for every pixel.
pub(crate) struct Lookup {
    table: Vec<Light>,
    low: f64,
    per_unit: f64,
}

impl Lookup {
    const STEPS: usize = 1024;

    pub(crate) fn new(scale: &Scale) -> Self {
        let step = |i: usize| scale.map.at(i as f64 / (Self::STEPS - 1) as f64).to_light();
        Self {
            table: (0..Self::STEPS).map(step).collect(),
            low: scale.low,
            per_unit: 1.0 / (scale.high - scale.low),
        }
    }

    /// Where on the map a number lies, 0 to 1; NaN stays NaN.
    pub(crate) fn place(&self, value: f64) -> f32 {
        ((value - self.low) * self.per_unit).clamp(0.0, 1.0) as f32
    }

    pub(crate) fn light(&self, place: f32) -> Light {
        if place.is_nan() {
            return ColourMap::NO_VALUE.to_light();
        }
        self.table[((place * (Self::STEPS - 1) as f32 + 0.5) as usize).min(Self::STEPS - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn magnitudes_grow_lighter_all_the_way() {
        for map in [ColourMap::Viridis, ColourMap::Grey] {
            let luminances: Vec<_> = (0..=256).map(|i| map.at(f64::from(i) / 256.0).luminance()).collect();
            assert!(luminances.windows(2).all(|pair| pair[1] >= pair[0] - 1e-3), "{map:?}");
        }
        let ends = [0.0, 1.0].map(|x| ColourMap::CoolWarm.at(x).luminance());
        assert!(ColourMap::CoolWarm.at(0.5).luminance() > 2.0 * ends[0].max(ends[1]));
    }

    #[test]
    fn a_scale_without_width_is_refused_or_widened() {
        assert!(Scale::new(ColourMap::Viridis, 1.0, 1.0, "").is_err());
        assert!(Scale::new(ColourMap::Viridis, 0.0, f64::NAN, "").is_err());
        assert!(Scale::new(ColourMap::Viridis, -f64::MAX, f64::MAX, "").is_err());
        for values in [vec![], vec![0.0], vec![5.0, 5.0], vec![f64::INFINITY], vec![f64::MAX, -f64::MAX]] {
            let scale = Scale::over(ColourMap::Viridis, values, "");
            assert!(scale.high > scale.low && (scale.high - scale.low).is_finite());
        }
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn ticks_are_few_round_and_inside(low in -1e6..1e6_f64, log_width in -6.0..6.0_f64, count in 3..9_usize) {
            let scale = Scale::new(ColourMap::Viridis, low, low + 10_f64.powf(log_width), "").unwrap();
            let ticks = scale.ticks(count);
            prop_assert!(!ticks.is_empty() && ticks.len() <= count + 1, "{ticks:?}");
            let slack = 1e-6 * (scale.high - scale.low);
            prop_assert!(ticks.iter().all(|t| scale.low - slack <= *t && *t <= scale.high + slack));
        }
    }
}
