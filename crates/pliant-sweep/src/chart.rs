//! [`Chart`]: a quantity over one or two parameters.

use std::collections::BTreeMap;

use pliant_render::{Axis, ColourMap, Plot, Rgb};
use serde_json::Value;

use crate::table::{Table, plain};

/// With more values than these, the second parameter is an axis and not a curve for each value.
const MOST_CURVES: usize = 8;
/// Colours for the values of a quantity over two axes.
const CLASSES: usize = 6;
/// An axis is logarithmic if its values span more than this.
const LOGARITHMIC: f64 = 50.0;

/// What to plot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// A quantity of the certificate, or `solve_s`.
    pub quantity: String,
    /// The parameter along x; its values are numbers.
    pub over: String,
    /// A second parameter: a curve for each value, or an axis if it has many, with the quantity as a colour.
    pub by: Option<String>,
}

/// What a table does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChartError {
    /// There is no such column.
    #[error("there is no {what} `{name}` in the table; there are {}", known.join(", "))]
    Unknown {
        /// A quantity, or a parameter.
        what: &'static str,
        /// Its name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A parameter whose values are not numbers cannot be an axis.
    #[error(
        "`{0}` has values that are not numbers, such as {1}, and cannot be an axis; it can be a second parameter (by) of few values"
    )]
    NoNumber(String, String),
    /// No unit is finished.
    #[error("no unit with these parameters is finished yet; run the study first")]
    Nothing,
}

/// A finished unit: x, the second parameter, the quantity.
type Point<'a> = (f64, Option<&'a Value>, f64);

impl Chart {
    /// The plot of a table.
    ///
    /// # Errors
    /// If the table does not have the quantity or the parameters, or no unit is finished.
    pub fn plot(&self, table: &Table) -> Result<Plot, ChartError> {
        let unknown = |what, name: &String, known: std::collections::BTreeSet<&str>| ChartError::Unknown {
            what,
            name: name.clone(),
            known: known.into_iter().map(str::to_owned).collect(),
        };
        for key in [Some(&self.over), self.by.as_ref()].into_iter().flatten() {
            if !table.parameters().contains(key.as_str()) {
                return Err(unknown("parameter", key, table.parameters()));
            }
        }
        let quantities = table.quantities();
        if quantities.is_empty() {
            return Err(ChartError::Nothing);
        }
        if !quantities.contains(self.quantity.as_str()) {
            return Err(unknown("quantity", &self.quantity, quantities));
        }
        let mut points: Vec<Point<'_>> = Vec::new();
        for row in &table.rows {
            let (Some(&y), Some(x)) = (row.quantities.get(&self.quantity), row.parameters.get(&self.over))
            else {
                continue;
            };
            let by = self.by.as_ref().and_then(|by| row.parameters.get(by));
            if self.by.is_some() && by.is_none() {
                continue;
            }
            points.push((number(&self.over, x)?, by, y));
        }
        if points.is_empty() {
            return Err(ChartError::Nothing);
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        match &self.by {
            Some(by) if distinct(&points) > MOST_CURVES => self.map(&points, by),
            _ => Ok(self.curves(&points)),
        }
    }

    /// A curve for every value of the second parameter, or one.
    fn curves(&self, points: &[Point<'_>]) -> Plot {
        let mut plot = Plot::new("", &self.over, &self.quantity)
            .x_axis(axis(points.iter().map(|p| p.0)))
            .y_axis(axis(points.iter().map(|p| p.2)));
        let mut curves: BTreeMap<String, (f64, Vec<(f64, f64)>)> = BTreeMap::new();
        for &(x, by, y) in points {
            let name = by.map_or_else(String::new, plain);
            let place = by.and_then(Value::as_f64).unwrap_or(f64::INFINITY);
            curves.entry(name).or_insert((place, Vec::new())).1.push((x, y));
        }
        let mut curves: Vec<_> = curves.into_iter().collect();
        curves.sort_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b));
        for (index, (value, (_, curve))) in curves.into_iter().enumerate() {
            let name = self.by.as_ref().map_or_else(String::new, |by| format!("{} {value}", short(by)));
            let colour = Rgb::of_body(index);
            // Points are joined where each x has one: other parameters may vary as well.
            if curve.windows(2).all(|pair| pair[0].0 < pair[1].0) {
                plot = plot.dots("", curve.clone(), colour).curve(name, curve);
                if let Some(last) = plot.series.last_mut() {
                    last.colour = Some(colour);
                }
            } else {
                plot = plot.dots(name, curve, colour);
            }
        }
        plot
    }

    /// Both parameters as axes, and the quantity in classes of colours.
    fn map(&self, points: &[Point<'_>], by: &str) -> Result<Plot, ChartError> {
        let mut placed = Vec::with_capacity(points.len());
        for &(x, second, z) in points {
            placed.push((x, number(by, second.unwrap_or(&Value::Null))?, z));
        }
        let mut values: Vec<f64> = placed.iter().map(|p| p.2).filter(|z| z.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let mut plot = Plot::new("", &self.over, by)
            .x_axis(axis(placed.iter().map(|p| p.0)))
            .y_axis(axis(placed.iter().map(|p| p.1)));
        // As many points in each class.
        let bound = |class: usize| values[(class * values.len() / CLASSES).min(values.len() - 1)];
        let mut from = f64::NEG_INFINITY;
        for class in 0..CLASSES.min(values.len()) {
            let to = if class + 1 == CLASSES.min(values.len()) { f64::INFINITY } else { bound(class + 1) };
            let inside: Vec<_> =
                placed.iter().filter(|p| p.2 >= from && p.2 < to).map(|p| (p.0, p.1)).collect();
            if !inside.is_empty() {
                let least = from.max(values[0]);
                let name = format!("{} from {least:.3e}", self.quantity);
                let colour = ColourMap::Viridis.at(class as f64 / (CLASSES - 1) as f64);
                plot = plot.dots(name, inside, colour);
            }
            from = to;
        }
        Ok(plot)
    }
}

fn number(key: &str, value: &Value) -> Result<f64, ChartError> {
    value.as_f64().ok_or_else(|| ChartError::NoNumber(key.to_owned(), value.to_string()))
}

fn distinct(points: &[Point<'_>]) -> usize {
    let values: std::collections::BTreeSet<String> =
        points.iter().filter_map(|point| Some(point.1?.to_string())).collect();
    values.len()
}

/// The last two parts of a key.
fn short(key: &str) -> &str {
    key.rmatch_indices('.').nth(1).map_or(key, |(dot, _)| &key[dot + 1..])
}

fn axis(values: impl Iterator<Item = f64> + Clone) -> Axis {
    let finite = values.filter(|value| value.is_finite());
    let (least, most) = finite.fold((f64::INFINITY, 0.0_f64), |(a, b), value| (a.min(value), b.max(value)));
    if least > 0.0 && most > LOGARITHMIC * least { Axis::Logarithmic } else { Axis::Linear }
}
