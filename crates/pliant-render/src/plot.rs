//! [`Plot`]: curves over time, as SVG and as pictures.

use std::path::Path;
use std::sync::LazyLock;

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use crate::colour::Rgb;
use crate::error::RenderError;
use crate::picture::{Picture, Size};
use crate::text::FONT_FILE;

/// The name of the font in plots; a viewer of the SVG without it takes the next.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// The one font that comes with the crate, registered with the plotting library once.
static REGISTERED: LazyLock<bool> =
    LazyLock::new(|| register_font(FONT, FontStyle::Normal, FONT_FILE).is_ok());

/// How numbers are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axis {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithm; points that are not above zero are left out.
    Logarithmic,
}

/// A curve of a [`Plot`].
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend; empty for none.
    pub name: String,
    /// Its points; where one is not finite, the curve has a gap.
    pub points: Vec<(f64, f64)>,
    /// Its colour; none: the next of [`Rgb::of_body`].
    pub colour: Option<Rgb>,
    /// Whether its points are dots that nothing joins.
    pub dots: bool,
}

/// A line plot: energy, residual or stretch over time.
///
/// ```
/// use pliant_render::{Axis, Plot, Size};
///
/// let residual: Vec<(f64, f64)> = (0..60).map(|i| (f64::from(i) / 60.0, 10_f64.powi(-i / 10))).collect();
/// let plot = Plot::new("Residual", "time (s)", "largest residual (m)").y_axis(Axis::Logarithmic).curve("edges", residual);
/// let svg = plot.to_svg(Size::new(640, 400)?)?;
/// assert!(svg.starts_with("<svg"));
/// let picture = plot.to_picture(Size::new(640, 400)?)?;
/// assert_eq!(picture.size().width(), 640);
/// # Ok::<(), pliant_render::RenderError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plot {
    /// Its title.
    pub title: String,
    /// The quantity along x and its unit.
    pub x_label: String,
    /// The quantity along y and its unit.
    pub y_label: String,
    /// How y is spread.
    pub y_axis: Axis,
    /// How x is spread.
    pub x_axis: Axis,
    /// The curves, drawn in this order.
    pub series: Vec<Series>,
}

impl Plot {
    /// A plot without curves.
    #[must_use]
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self { title: title.into(), x_label: x_label.into(), y_label: y_label.into(), ..Self::default() }
    }

    /// Sets how y is spread.
    #[must_use]
    pub fn y_axis(mut self, axis: Axis) -> Self {
        self.y_axis = axis;
        self
    }

    /// Sets how x is spread.
    #[must_use]
    pub fn x_axis(mut self, axis: Axis) -> Self {
        self.x_axis = axis;
        self
    }

    /// Adds a curve.
    #[must_use]
    pub fn curve(mut self, name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        self.series.push(Series { name: name.into(), points, colour: None, dots: false });
        self
    }

    /// Adds points that nothing joins.
    #[must_use]
    pub fn dots(mut self, name: impl Into<String>, points: Vec<(f64, f64)>, colour: Rgb) -> Self {
        self.series.push(Series { name: name.into(), points, colour: Some(colour), dots: true });
        self
    }

    /// Draws it as SVG; text stays text.
    ///
    /// # Errors
    ///
    /// If the plotting library fails.
    pub fn to_svg(&self, size: Size) -> Result<String, RenderError> {
        let mut svg = String::new();
        let backend = SVGBackend::with_string(&mut svg, (size.width(), size.height()));
        self.draw(&backend.into_drawing_area(), size)?;
        Ok(svg)
    }

    /// Draws it as a picture.
    ///
    /// # Errors
    ///
    /// If the plotting library fails.
    pub fn to_picture(&self, size: Size) -> Result<Picture, RenderError> {
        let mut picture = Picture::filled(size, Rgb::WHITE);
        let backend = BitMapBackend::with_buffer(picture.bytes_mut(), (size.width(), size.height()));
        self.draw(&backend.into_drawing_area(), size)?;
        Ok(picture)
    }

    /// Writes it as SVG; the file appears whole or not at all.
    ///
    /// # Errors
    ///
    /// If the plotting library fails or the file cannot be written.
    pub fn write_svg(&self, path: impl AsRef<Path>, size: Size) -> Result<(), RenderError> {
        crate::file::write(path.as_ref(), self.to_svg(size)?.as_bytes())
    }

    /// Writes it as PNG; the file appears whole or not at all.
    ///
    /// # Errors
    ///
    /// If the plotting library fails or the file cannot be written.
    pub fn write_png(&self, path: impl AsRef<Path>, size: Size) -> Result<(), RenderError> {
        self.to_picture(size)?.write_png(path)
    }

    /// The least and greatest of one coordinate over all points that can be shown, with some room.
    fn range(&self, axis: Axis, pick: impl Fn(&(f64, f64)) -> f64, room: f64) -> std::ops::Range<f64> {
        let mut ends: Option<(f64, f64)> = None;
        for point in self.series.iter().flat_map(|series| &series.points).filter(|p| self.shows(p)) {
            let value = pick(point);
            ends = Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
        }
        match (axis, ends) {
            (Axis::Linear, None) => 0.0..1.0,
            (Axis::Linear, Some((low, high))) => {
                let wide = if high - low > 1e-12 * high.abs().max(low.abs()) {
                    high - low
                } else {
                    high.abs().max(1.0)
                };
                low - room * wide..high + room * wide
            }
            (Axis::Logarithmic, None) => 0.1..1.0,
            (Axis::Logarithmic, Some((low, high))) => {
                // Whole powers of ten, one at least.
                let (low, high) = (low.log10().floor(), high.log10().ceil());
                10_f64.powf(low)..10_f64.powf(high.max(low + 1.0))
            }
        }
    }

    fn shows(&self, point: &(f64, f64)) -> bool {
        let fits = |axis: Axis, x: f64| match axis {
            Axis::Linear => x.abs() < 1e100,
            Axis::Logarithmic => (1e-100..1e100).contains(&x),
        };
        fits(self.x_axis, point.0) && fits(self.y_axis, point.1)
    }

    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, plotters::coord::Shift>,
        size: Size,
    ) -> Result<(), RenderError> {
        let x = self.range(self.x_axis, |p| p.0, 0.0);
        let y = self.range(self.y_axis, |p| p.1, 0.05);
        match (self.x_axis, self.y_axis) {
            (Axis::Linear, Axis::Linear) => self.draw_over(area, size, x, y),
            (Axis::Linear, Axis::Logarithmic) => self.draw_over(area, size, x, y.log_scale()),
            (Axis::Logarithmic, Axis::Linear) => self.draw_over(area, size, x.log_scale(), y),
            (Axis::Logarithmic, Axis::Logarithmic) => {
                self.draw_over(area, size, x.log_scale(), y.log_scale())
            }
        }
    }

    fn draw_over<B: DrawingBackend, X: AsRangedCoord<Value = f64>, Y: AsRangedCoord<Value = f64>>(
        &self,
        area: &DrawingArea<B, plotters::coord::Shift>,
        size: Size,
        x: X,
        y: Y,
    ) -> Result<(), RenderError>
    where
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        if !*REGISTERED {
            return Err(RenderError::Plot("the font cannot be read".to_owned()));
        }
        let wrong = |error: DrawingAreaErrorKind<B::ErrorType>| RenderError::Plot(error.to_string());
        area.fill(&WHITE).map_err(wrong)?;
        let side = f64::from(size.width().min(size.height()));
        if side < 60.0 {
            // No room for axes or letters.
            return area.present().map_err(wrong);
        }
        let letters = (0.036 * side).clamp(11.0, 60.0);
        let ink = RGBColor(44, 48, 56);
        let style = (FONT, letters).into_font().color(&ink);
        let mut builder = ChartBuilder::on(area);
        builder
            .margin(letters as u32)
            .x_label_area_size((2.8 * letters) as u32)
            .y_label_area_size((5.0 * letters) as u32);
        if !self.title.is_empty() {
            builder.caption(&self.title, (FONT, 1.25 * letters).into_font().color(&ink));
        }
        let mut chart = builder.build_cartesian_2d(x, y).map_err(wrong)?;
        let per_label =
            |pixels: u32, each: f64| ((f64::from(pixels) / (each * letters)) as usize).clamp(2, 12);
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_labels(per_label(size.width(), 7.0))
            .y_labels(per_label(size.height(), 3.5))
            .x_label_formatter(&|value| number(*value))
            .y_label_formatter(&|value| number(*value))
            .label_style(style.clone())
            .axis_desc_style(style.clone())
            .axis_style(ink.mix(0.6))
            .bold_line_style(ink.mix(0.14))
            .light_line_style(ink.mix(0.0))
            .draw()
            .map_err(wrong)?;
        let stroke = ((0.004 * side).round() as u32).max(1);
        for (index, series) in self.series.iter().enumerate() {
            let Rgb(red, green, blue) = series.colour.unwrap_or(Rgb::of_body(index));
            let line = RGBColor(red, green, blue).stroke_width(stroke);
            if series.dots {
                let radius = (0.009 * side).round().max(2.0) as i32;
                let shown = series.points.iter().filter(|point| self.shows(point));
                let dot = RGBColor(red, green, blue).filled();
                let drawn =
                    chart.draw_series(shown.map(|&point| Circle::new(point, radius, dot))).map_err(wrong)?;
                if !series.name.is_empty() {
                    let half = (0.7 * letters) as i32;
                    drawn.label(&series.name).legend(move |(x, y)| Circle::new((x + half, y), radius, dot));
                }
                continue;
            }
            for piece in series.points.split(|point| !self.shows(point)).filter(|piece| !piece.is_empty()) {
                chart.draw_series(LineSeries::new(piece.iter().copied(), line)).map_err(wrong)?;
            }
            if !series.name.is_empty() {
                let drawn = chart.draw_series(LineSeries::new(std::iter::empty(), line)).map_err(wrong)?;
                let long = (1.4 * letters) as i32;
                drawn
                    .label(&series.name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + long, y)], line));
            }
        }
        let names: Vec<&str> =
            self.series.iter().map(|series| series.name.as_str()).filter(|name| !name.is_empty()).collect();
        if !names.is_empty() {
            let font = (FONT, letters).into_font();
            let widths = names.iter().filter_map(|name| font.box_size(name).ok());
            let widest = f64::from(widths.map(|(width, _)| width).max().unwrap_or_default());
            let legend = [widest + 3.0 * letters, (1.3 * names.len() as f64 + 1.2) * letters];
            let (across, down) = chart.plotting_area().get_pixel_range();
            let pixel = |point: &(f64, f64)| {
                let (x, y) = chart.backend_coord(point);
                [f64::from(x - across.start), f64::from(y - down.start)]
            };
            let pieces =
                self.series.iter().flat_map(|series| series.points.split(|point| !self.shows(point)));
            let curves: Vec<Vec<[f64; 2]>> = pieces.map(|piece| piece.iter().map(pixel).collect()).collect();
            let area = [across.len() as f64, down.len() as f64];
            let [left, top] = crate::vacant::place(legend, area, &curves).map(|c| c as i32);
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::Coordinate(left, top))
                .legend_area_size((1.8 * letters) as u32)
                .margin((0.6 * letters) as u32)
                .background_style(WHITE.mix(0.8))
                .border_style(ink.mix(0.25))
                .label_font(style)
                .draw()
                .map_err(wrong)?;
        }
        area.present().map_err(wrong)
    }
}

/// A number for an axis: short, and with a power of ten where that is shorter.
fn number(value: f64) -> String {
    // The sum of round steps is round except for the last bits.
    let plain = format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned();
    let size = value.abs();
    let text = if value == 0.0 || (1e-3..1e5).contains(&size) {
        plain
    } else if size < 1e-12 {
        "0".to_owned()
    } else {
        let scientific = format!("{value:.3e}");
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let points = (0..50).map(|i| (f64::from(i) * 0.1, (f64::from(i) * 0.3).sin())).collect();
        Plot::new("Energy", "time (s)", "energy (J)").curve("kinetic", points)
    }

    #[test]
    fn the_curve_is_in_the_picture_and_the_words_in_the_svg() {
        let size = Size::new(320, 240).unwrap();
        let picture = plot().to_picture(size).unwrap();
        let blue = picture.bytes().chunks_exact(3).filter(|p| i32::from(p[2]) - i32::from(p[0]) > 60).count();
        assert!(blue > 200, "{blue}");
        let svg = plot().to_svg(size).unwrap();
        for word in ["Energy", "time (s)", "energy (J)", "kinetic"] {
            assert!(svg.contains(word), "{word}");
        }
    }

    #[test]
    fn dots_are_not_joined() {
        let ends = vec![(0.0, 0.0), (1.0, 1.0)];
        let [apart, joined] =
            [Plot::default().dots("", ends.clone(), Rgb(200, 0, 0)), Plot::default().curve("", ends)];
        let size = Size::new(320, 240).unwrap();
        assert_eq!(apart.to_svg(size).unwrap().matches("<circle").count(), 2);
        assert_eq!(joined.to_svg(size).unwrap().matches("<circle").count(), 0);
        let red =
            |picture: Picture| picture.bytes().chunks_exact(3).filter(|p| p[0] > 150 && p[1] < 60).count();
        assert!((4..60).contains(&red(apart.to_picture(size).unwrap())));
    }

    #[test]
    fn nothing_that_a_run_may_produce_is_too_much() {
        let size = Size::new(200, 150).unwrap();
        let odd = [f64::NAN, f64::INFINITY, f64::MAX, -f64::MAX, 0.0, 1e-300, 5.0, -3.0];
        for axis in [Axis::Linear, Axis::Logarithmic] {
            for points in [
                vec![],
                vec![(0.0, 0.0)],
                vec![(1.0, 5.0), (2.0, 5.0)],
                odd.iter().map(|y| (1.0, *y)).collect(),
                odd.iter().map(|x| (*x, 1.0)).collect(),
            ] {
                for x_axis in [Axis::Linear, Axis::Logarithmic] {
                    let plot = Plot::new("", "", "").x_axis(x_axis).y_axis(axis).curve("", points.clone());
                    plot.to_picture(size).unwrap();
                    plot.to_svg(size).unwrap();
                }
            }
        }
        for (width, height) in [(1, 1), (1, 300), (300, 1), (60, 60)] {
            plot().to_picture(Size::new(width, height).unwrap()).unwrap();
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, 0.30000000000000004, -12.5, 1e-7, 2.5e9].map(number),
            ["0", "0.3", "−12.5", "1e−7", "2.5e9"]
        );
    }
}
