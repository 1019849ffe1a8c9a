//! Seams.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{Mesh, unreadable};
use pliant_mesh::counted;
use pliant_solver::{Seam, SeamPair};

use super::held::Held;
use super::pairs::{self, Listed};
use super::region;
use super::tie::Ties;
use super::values::Table;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{Bounded, RegionModel, SeamModel, SeamPairs};

/// The columns of a file of pairs.
const COLUMNS: [&str; 4] = ["vertex", "edge_a", "edge_b", "t"];
/// What to write in it.
const EXPECTED: &str = "lines such as `12, 40, 41, 0.25`: a vertex, the two ends of an edge, and the share of the way between them";

/// A pair, and where it is written.
struct Written {
    /// The field, with the line of the file if it is one.
    at: FieldPath,
    place: String,
    vertices: [u32; 3],
    share: f64,
}

/// The seam, and what is worth knowing about it.
pub(super) fn seam(
    at: &FieldPath,
    name: String,
    model: &SeamModel,
    ties: &Ties<'_>,
) -> Result<(Seam, Vec<String>), Fault> {
    let [first, second] = model.pair_of_bodies().unwrap_or_default();
    let (a, vertices_of) = ties.body(at, first)?;
    let (b, edges_of) = ties.body(at, second)?;
    let is_one = a == b;
    let (pairs, mut remarks) = match (&model.pairs, &model.borders) {
        (Some(pairs), _) => listed(&at.key("pairs"), pairs, [&vertices_of, &edges_of], is_one, ties)?,
        (None, Some(borders)) => {
            (between(&at.key("borders"), borders, [&vertices_of, &edges_of], is_one)?, Vec::new())
        }
        // Checked before.
        (None, None) => (Vec::new(), Vec::new()),
    };
    let [x, y] = [&vertices_of, &edges_of].map(Held::start_positions);
    let gap = |pair: &SeamPair| {
        let [c, d] = pair.edge.map(|v| y[v as usize]);
        (x[pair.vertex as usize] - c.lerp(&d, pair.place)).norm()
    };
    let widest = pairs.iter().map(gap).fold(0.0, f64::max);
    let close_time = model.close_time.map_or(0.0, Bounded::get);
    let is_welded = model.weld == Some(true);
    let closed = match ties.from {
        Some(from) => from.closed(at, &name, pairs.len())?,
        None => None,
    };
    let how = if is_welded {
        let within = pairs.iter().filter(|pair| pair.is_within_edge()).count();
        let within = match within {
            0 => String::new(),
            _ => format!("{within} of them, within an edge, are held by rigid constraints; "),
        };
        format!("{within}its vertices are welded where they are together")
    } else if close_time > 0.0 {
        format!("it closes within {close_time} s, at {:.2e} m/s at most", widest / close_time)
    } else {
        "it closes at once; a `close_time` would draw it together".to_owned()
    };
    let count = counted(pairs.len(), "pair", "pairs");
    remarks.insert(0, format!("{count}, at most {widest:.2e} m apart at the start; {how}"));
    let mut seam = Seam::new(a, b, pairs).name(name).close_time(close_time);
    if is_welded {
        seam = seam.closed(closed.unwrap_or_default());
    } else if let Some(closed) = closed.filter(|_| close_time > 0.0) {
        let count = closed.iter().filter(|closed| **closed).count();
        remarks.push(format!("{count} of its pairs start closed, as in the run that the scene starts from"));
        seam = seam.closed(closed);
    }
    Ok((if is_welded { seam.weld() } else { seam }, remarks))
}

/// The pairs of a list or of a file.
fn listed(
    at: &FieldPath,
    model: &SeamPairs,
    [vertices_of, edges_of]: [&Held<'_>; 2],
    is_one: bool,
    ties: &Ties<'_>,
) -> Result<(Vec<SeamPair>, Vec<String>), Fault> {
    let written = match model {
        SeamPairs::Listed(list) => of_list(at, list)?,
        SeamPairs::File(path) => of_file(at, &ties.files.resolve(path))?,
    };
    for Written { at, place, vertices, share } in &written {
        let refuse = |problem: String, expected: String| {
            Err(Fault::new(at.clone(), format!("{place}{problem}"), expected))
        };
        for (k, &v) in vertices.iter().enumerate() {
            let held = if k == 0 { vertices_of } else { edges_of };
            let count = held.file_vertices();
            if v as usize >= count {
                let problem =
                    format!("the seam has vertex {v}, but body {:?} has {count} vertices", held.body);
                return refuse(problem, format!("a number from 0 to {}", count.saturating_sub(1)));
            }
        }
        let [v, a, b] = *vertices;
        if a == b {
            let problem = format!("both ends of the edge are vertex {a}");
            return refuse(problem, "the two ends of an edge".to_owned());
        }
        if is_one && (v == a || v == b) {
            let problem = format!("vertex {v} is sewn to an edge that ends in it");
            return refuse(problem, "an edge of the other panel".to_owned());
        }
        if !(0.0..=1.0).contains(share) {
            let problem = format!("the share of the way along the edge is {share}");
            return refuse(problem, "a number from 0, the first end, to 1, the second".to_owned());
        }
    }
    let list: Vec<Vec<u32>> = written.iter().map(|pair| pair.vertices.to_vec()).collect();
    let found: Listed<'_, 3> = pairs::listed(at, &list, vertices_of, edges_of)?;
    let remarks = pairs::remarks(&list, &found, edges_of, is_one);
    let pair = |(&[vertex, a, b], &of): (&[u32; 3], &usize)| SeamPair {
        vertex,
        edge: [a, b],
        place: written[of].share,
    };
    Ok((found.pairs.iter().zip(&found.of).map(pair).collect(), remarks))
}

fn of_list(at: &FieldPath, list: &[[f64; 4]]) -> Result<Vec<Written>, Fault> {
    let pair = |(i, numbers): (usize, &[f64; 4])| {
        let at = at.index(i);
        let mut vertices = [0; 3];
        for (k, (vertex, &number)) in vertices.iter_mut().zip(numbers).enumerate() {
            *vertex = whole(number).ok_or_else(|| {
                let problem = format!("{number} is not the number of a vertex");
                Fault::new(at.index(k), problem, "a whole number from 0")
            })?;
        }
        Ok(Written { at, place: String::new(), vertices, share: numbers[3] })
    };
    list.iter().enumerate().map(pair).collect()
}

/// The number of a vertex.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked")]
fn whole(number: f64) -> Option<u32> {
    (number >= 0.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0).then_some(number as u32)
}

fn of_file(at: &FieldPath, path: &Path) -> Result<Vec<Written>, Fault> {
    let shown = path.display();
    let refuse = |problem: String| Fault::new(at.clone(), problem, EXPECTED);
    let text = fs::read_to_string(path)
        .map_err(|error| refuse(format!("cannot read {shown}: {}", unreadable(&error))))?;
    let table = Table::parse(&text);
    let mut places = [0, 1, 2, 3];
    if let Some(names) = &table.names {
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            let found = names.iter().position(|name| *name == column);
            *place = found.ok_or_else(|| {
                let names = names.join(", ");
                refuse(format!("{shown} has no column {column:?} among those of its first line, {names}"))
            })?;
        }
    }
    let mut written = Vec::with_capacity(table.rows.len());
    for (line, cells) in table.rows {
        let place = format!("{shown}, line {line}: ");
        if cells.len() != table.names.as_ref().map_or(4, Vec::len) {
            return Err(refuse(format!("{place}{} instead of 4 numbers", cells.len())));
        }
        let mut numbers = [0.0; 4];
        for (number, (at, column)) in numbers.iter_mut().zip(places.into_iter().zip(COLUMNS)) {
            let cell = cells[at];
            let read: Option<f64> = cell.parse().ok();
            let is_whole = |number: &f64| column == "t" || whole(*number).is_some();
            *number = read.filter(is_whole).ok_or_else(|| {
                let what = if column == "t" { "a number" } else { "the number of a vertex" };
                refuse(format!("{place}{cell:?} is not {what}"))
            })?;
        }
        let vertices = [numbers[0], numbers[1], numbers[2]].map(|number| whole(number).unwrap_or_default());
        written.push(Written { at: at.clone(), place, vertices, share: numbers[3] });
    }
    if written.is_empty() {
        return Err(refuse(format!("{shown} has no pairs")));
    }
    Ok(written)
}

/// The vertices of one border, each with the nearest place of the edges of the other.
fn between(
    at: &FieldPath,
    borders: &[RegionModel; 2],
    [vertices_of, edges_of]: [&Held<'_>; 2],
    is_one: bool,
) -> Result<Vec<SeamPair>, Fault> {
    let border = |k: usize, held: &Held<'_>| -> Result<Vec<[u32; 2]>, Fault> {
        let at = at.index(k);
        let Mesh::Tri(mesh) = held.mesh else {
            let problem = format!("body {:?} is a solid, which has no border", held.body);
            return Err(Fault::new(at, problem, "a piece of cloth, or `pairs`"));
        };
        let mut chosen = vec![false; mesh.positions().len()];
        for v in region::vertices(&at, &borders[k], held, "the seam")? {
            chosen[v as usize] = true;
        }
        let is_in = |edge: &[u32; 2]| edge.iter().all(|&v| chosen[v as usize]);
        let edges: Vec<[u32; 2]> = mesh.hinges().boundary.into_iter().filter(is_in).collect();
        if edges.is_empty() {
            let problem = format!("no edge of the border of body {:?} is in the region", held.body);
            return Err(Fault::new(at, problem, "a region with a part of the border"));
        }
        Ok(edges)
    };
    let mut vertices: Vec<u32> = border(0, vertices_of)?.into_iter().flatten().collect();
    vertices.sort_unstable();
    vertices.dedup();
    let edges = border(1, edges_of)?;
    let [x, y] = [vertices_of, edges_of].map(|held| held.mesh.positions());
    let mut pairs = Vec::with_capacity(vertices.len());
    for &vertex in &vertices {
        let nearest = edges
            .iter()
            .filter(|edge| !(is_one && edge.contains(&vertex)))
            .map(|&edge| {
                let place = nearest_place(&x[vertex as usize], edge.map(|v| y[v as usize]));
                let [a, b] = edge.map(|v| y[v as usize]);
                ((x[vertex as usize] - a.lerp(&b, place)).norm_squared(), edge, place)
            })
            .min_by(|p, q| p.0.total_cmp(&q.0));
        pairs.extend(nearest.map(|(_, edge, place)| SeamPair { vertex, edge, place }));
    }
    if pairs.is_empty() {
        let problem = "the two borders are the same edge";
        return Err(Fault::new(at.clone(), problem, "two borders"));
    }
    Ok(pairs)
}

/// The share of the way along an edge at which a point is nearest.
fn nearest_place(point: &Vector3<f64>, [a, b]: [Vector3<f64>; 2]) -> f64 {
    let along = b - a;
    let squared = along.norm_squared();
    if squared > 0.0 { ((point - a).dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 }
}
