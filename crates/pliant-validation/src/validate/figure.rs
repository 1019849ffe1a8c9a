//! [`Table`] and [`Figure`]: the tables and plots of a page.

use std::path::Path;

use pliant_render::{Axis, Plot, Size};
use serde::{Deserialize, Serialize};

use super::number::rounded;
use crate::problem::Problem;

/// Size of a plot, px.
const SIZE: (u32, u32) = (720, 440);

/// Numbers beside each other, written as the page shows them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Table {
    /// Its title.
    pub(super) title: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new<const N: usize>(title: impl Into<String>, columns: [&str; N]) -> Self {
        let columns = columns.map(str::to_owned).to_vec();
        Self { title: title.into(), columns, rows: Vec::new() }
    }

    /// Adds a row; one cell for each column.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// Curves in a plot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Figure {
    /// The end of the name of its file.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) x_label: String,
    pub(super) y_label: String,
    /// Whether x and y are logarithmic.
    pub(super) logarithmic: [bool; 2],
    pub(super) curves: Vec<Curve>,
}

/// A curve and its name in the legend.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

impl Figure {
    /// A plot with both axes logarithmic.
    pub(super) fn logarithmic(name: &str, title: &str, x_label: &str, y_label: &str) -> Self {
        Self { logarithmic: [true; 2], ..Self::linear(name, title, x_label, y_label) }
    }

    pub(super) fn linear(name: &str, title: &str, x_label: &str, y_label: &str) -> Self {
        let [name, title, x_label, y_label] = [name, title, x_label, y_label].map(str::to_owned);
        Self { name, title, x_label, y_label, ..Self::default() }
    }

    /// Adds a curve; points that are not finite are left out.
    pub(super) fn curve(&mut self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) {
        let finite = points.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        let points = finite.map(|(x, y)| (rounded(x), rounded(y))).collect();
        self.curves.push(Curve { name: name.into(), points });
    }

    /// The file of the plot beside the page of an experiment.
    pub(super) fn file(&self, experiment: &str) -> String {
        format!("{experiment}-{}.svg", self.name)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Problem> {
        let axis = |logarithmic| if logarithmic { Axis::Logarithmic } else { Axis::Linear };
        let plot = Plot::new(self.title.as_str(), self.x_label.as_str(), self.y_label.as_str())
            .x_axis(axis(self.logarithmic[0]))
            .y_axis(axis(self.logarithmic[1]));
        let plot = self.curves.iter().fold(plot, |plot, c| plot.curve(c.name.as_str(), c.points.clone()));
        Ok(plot.write_svg(path, Size::new(SIZE.0, SIZE.1)?)?)
    }
}
