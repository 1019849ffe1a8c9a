//! Plots of tables.

use std::collections::BTreeMap;

use pliant_render::{Axis, Size};
use pliant_sweep::{Chart, ChartError, Row, State, Table};
use serde_json::{Value, json};

fn table(rows: &[(&[(&str, Value)], f64)]) -> Table {
    let row = |(parameters, y): &(&[(&str, Value)], f64)| Row {
        unit: "unit".to_owned(),
        state: State::Finished,
        parameters: parameters.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect(),
        quantities: BTreeMap::from([("stretch.max".to_owned(), *y)]),
        met: None,
        verdict: None,
        state_hash: None,
    };
    Table { rows: rows.iter().map(row).collect() }
}

fn chart(over: &str, by: Option<&str>) -> Chart {
    Chart { quantity: "stretch.max".to_owned(), over: over.to_owned(), by: by.map(str::to_owned) }
}

#[test]
fn a_curve_for_every_value_of_the_second_parameter() {
    let rows: Vec<_> = (0..9)
        .map(|k| {
            (
                [("n", json!(10_i32.pow(k % 3))), ("solver.kind", json!(["a", "b", "c"][k as usize / 3]))],
                f64::from(k),
            )
        })
        .collect();
    let table = table(&rows.iter().map(|(p, y)| (&p[..], *y)).collect::<Vec<_>>());
    let plot = chart("n", Some("solver.kind")).plot(&table).unwrap();
    assert_eq!(plot.x_axis, Axis::Logarithmic);
    let curves: Vec<_> = plot.series.iter().filter(|series| !series.dots).collect();
    assert_eq!(
        curves.iter().map(|series| series.name.as_str()).collect::<Vec<_>>(),
        ["solver.kind a", "solver.kind b", "solver.kind c"]
    );
    assert_eq!(curves[1].points, [(1.0, 3.0), (10.0, 4.0), (100.0, 5.0)]);
    assert!(plot.to_svg(Size::new(400, 300).unwrap()).unwrap().contains("solver.kind b"));
    // Without the second parameter every x has three values, which nothing joins.
    assert!(chart("n", None).plot(&table).unwrap().series.iter().all(|series| series.dots));
}

#[test]
fn a_second_parameter_of_many_values_is_an_axis() {
    let rows: Vec<_> = (0..30).map(|k| ([("a", json!(k)), ("b", json!(30 - k))], f64::from(k * k))).collect();
    let table = table(&rows.iter().map(|(p, y)| (&p[..], *y)).collect::<Vec<_>>());
    let plot = chart("a", Some("b")).plot(&table).unwrap();
    assert_eq!(plot.y_label, "b");
    assert_eq!(plot.series.len(), 6);
    assert_eq!(plot.series.iter().map(|series| series.points.len()).sum::<usize>(), 30);
}

#[test]
fn what_is_not_in_the_table_is_named() {
    let table = table(&[(&[("n", json!(1)), ("m", json!("x"))], 1.0)]);
    assert!(matches!(chart("nn", None).plot(&table), Err(ChartError::Unknown { what: "parameter", .. })));
    assert!(matches!(chart("m", None).plot(&table), Err(ChartError::NoNumber(..))));
    let other = Chart { quantity: "strech".to_owned(), ..chart("n", None) };
    assert!(other.plot(&table).unwrap_err().to_string().contains("stretch.max"));
    assert_eq!(
        chart("n", None).plot(&Table::default()).unwrap_err().to_string(),
        "there is no parameter `n` in the table; there are "
    );
}
