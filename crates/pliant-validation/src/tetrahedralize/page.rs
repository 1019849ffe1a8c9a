//! The table, on the screen and in the book.

use std::fs;

use super::Row;
use crate::{Outcome, workspace};

pub(super) const HEADING: &str = "\
| surface | | triangles | cells | tetrahedra | s | smallest angle | largest | volume | distance, largest | mean | pieces | ms per frame | inverted at the end |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// A row of the table.
pub(super) fn line(row: &Row) -> String {
    let [least, greatest] = row.report.dihedral.map(f64::to_degrees);
    let volume = row.volume_error().map_or("–".to_owned(), |error| format!("{:+.2} %", 100.0 * error));
    let [max, mean] = row.distance.map(|d| format!("{:.2} %", 100.0 * d));
    let (time, inverted) = row.drop.as_ref().map_or(("–".to_owned(), "–".to_owned()), |drop| {
        (format!("{:.1}", drop.milliseconds_per_frame), drop.inverted.to_string())
    });
    let name = row.file.rsplit('/').next().unwrap_or(row.file);
    format!(
        "| {name} | {} | {} | {} | {} | {:.2} | {least:.1}° | {greatest:.1}° | {volume} | {max} | {mean} | {} of {} | {time} | {inverted} |",
        row.kind,
        row.triangles,
        row.cells,
        row.tets,
        row.seconds,
        row.report.pieces,
        row.report.surface_pieces
    )
}

const BEGIN: &str = "<!-- written by cargo xtask tetrahedralize --write -->";
const END: &str = "<!-- end -->";

/// Puts the table between its marks in the page of the book.
pub(super) fn write(rows: &[Row]) -> Outcome {
    let path = workspace::root().join("docs").join("src").join("guide").join("tetrahedralize.md");
    let page = fs::read_to_string(&path)?;
    let marks = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marks.ok_or_else(|| format!("{} has no marks for the table", path.display()))?;
    let lines: Vec<String> = rows.iter().map(line).collect();
    fs::write(&path, format!("{before}{BEGIN}\n\n{HEADING}\n{}\n\n{END}{after}", lines.join("\n")))?;
    println!("written: {}", path.display());
    Ok(())
}
