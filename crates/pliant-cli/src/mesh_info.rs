//! `pliant mesh info`: what a mesh file holds.

mod batches;
mod digits;
mod named;

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_io::{ImportReport, Mesh};
use pliant_mesh::{Colouring, TetMesh, TriMesh, counted, min_dihedral, radius_ratio};
use serde::Serialize;

use crate::args::InfoArgs;
use crate::console::Console;
use crate::crossings::Crossings;
use crate::error::CliError;

use batches::Batches;
use digits::short;
use named::Named;
pub(crate) use named::read as read_named;

pub(crate) fn info(args: &InfoArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let imported = named::read(&args.file)?;
    let batches = args.batches.then(|| Batches::of(&imported.mesh, args.precision)).transpose()?;
    let attributes = named::list(&imported.attributes);
    let info = Info { batches, attributes, ..Info::of(&imported.mesh, &imported.report) };
    if args.json {
        let mut text =
            serde_json::to_string_pretty(&info).expect("numbers, texts and lists have a form in JSON");
        text.push('\n');
        return console.print(&text);
    }
    console.print(&info.text())
}

/// A mesh file in numbers; lengths in the unit of the file.
#[derive(Debug, Serialize)]
struct Info {
    file: String,
    format: String,
    /// `"triangles"` or `"tetrahedra"`.
    kind: &'static str,
    vertices: usize,
    triangles: usize,
    tets: usize,
    edges: usize,
    components: usize,
    bounds: Bounds,
    edge_length: Spread,
    /// Surface area; for a solid, that of its boundary.
    area: f64,
    /// Volume of a solid, or enclosed by a closed surface.
    volume: Option<f64>,
    surface: SurfaceInfo,
    quality: Quality,
    /// Colours of the constraints that a simulation would have, by kind.
    colours: BTreeMap<&'static str, Colours>,
    /// How a simulation would batch them, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    batches: Option<Batches>,
    defects: Defects,
    /// Where the surface crosses itself.
    crossings: Crossings,
    /// The groups and attributes of the file.
    attributes: Vec<Named>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
    size: [f64; 3],
}

#[derive(Debug, Serialize)]
struct Spread {
    min: f64,
    mean: f64,
    max: f64,
}

/// The surface: the mesh itself or the boundary of the solid.
#[derive(Debug, Serialize)]
struct SurfaceInfo {
    triangles: usize,
    hinges: usize,
    boundary_edges: usize,
    non_manifold_edges: usize,
    inconsistent_hinges: usize,
    closed: bool,
}

/// The worst and the mean of the elements. The best ratio is one.
#[derive(Debug, Serialize)]
struct Quality {
    /// For a solid three times the inradius over the circumradius of its tetrahedra; for a surface twice that
    /// of its triangles.
    radius_ratio: Spread,
    /// The smallest angle between faces of a tetrahedron, or within a triangle, degrees.
    smallest_angle_degrees: f64,
}

#[derive(Debug, Serialize)]
struct Colours {
    constraints: usize,
    colours: usize,
    sizes: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct Defects {
    inverted_or_flat_tets: Defect,
    flat_triangles: Defect,
    duplicate_elements: Defect,
    unreferenced_vertices: Defect,
}

/// Their number, and the first of them, counted from zero.
#[derive(Debug, Serialize)]
struct Defect {
    count: usize,
    first: Option<usize>,
}

impl Defect {
    fn of(list: &[usize]) -> Self {
        Self { count: list.len(), first: list.first().copied() }
    }
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let (mut min, mut max, mut sum, mut count) = (f64::INFINITY, 0.0_f64, 0.0, 0_u32);
        for value in values {
            (min, max, sum, count) = (min.min(value), max.max(value), sum + value, count + 1);
        }
        if count == 0 {
            Self { min: 0.0, mean: 0.0, max: 0.0 }
        } else {
            Self { min, mean: sum / f64::from(count), max }
        }
    }
}

impl Info {
    fn of(mesh: &Mesh, report: &ImportReport) -> Self {
        let (kind, edges, components, quality, colours, surface) = match mesh {
            Mesh::Tri(mesh) => {
                let hinges = mesh.hinges();
                let stencils = hinges.stencils();
                let n = mesh.positions().len();
                let edges = mesh.edges();
                let colours =
                    BTreeMap::from([("edges", colours(n, &edges)), ("bending", colours(n, &stencils))]);
                ("triangles", edges, mesh.components().count(), triangle_quality(mesh), colours, mesh.clone())
            }
            Mesh::Tet(mesh) => {
                let n = mesh.positions().len();
                let edges = mesh.edges();
                let colours =
                    BTreeMap::from([("edges", colours(n, &edges)), ("volumes", colours(n, mesh.tets()))]);
                (
                    "tetrahedra",
                    edges,
                    mesh.components().count(),
                    tet_quality(mesh),
                    colours,
                    mesh.surface().mesh,
                )
            }
        };
        let hinges = surface.hinges();
        let volume = match mesh {
            Mesh::Tet(mesh) => Some(mesh.volume()),
            Mesh::Tri(mesh) => {
                (hinges.is_closed() && hinges.inconsistent.is_empty()).then(|| mesh.enclosed_volume())
            }
        };
        let x = mesh.positions();
        let length = |&[a, b]: &[u32; 2]| (x[b as usize] - x[a as usize]).norm();
        let (min, max) = (report.bounds.min, report.bounds.max);
        let mut notes = report.notes.clone();
        if report.polygons_fanned > 0 {
            notes.push(format!("{} polygons were split into triangles", report.polygons_fanned));
        }
        if report.vertices_welded > 0 {
            notes.push(format!("{} copies of vertices were merged", report.vertices_welded));
        }
        notes.extend(report.skipped.iter().map(|(kind, count)| format!("{count} of {kind} were left out")));
        Self {
            file: report.file.clone(),
            format: report.format.to_string(),
            kind,
            vertices: x.len(),
            triangles: report.triangles,
            tets: report.tets,
            edges: edges.len(),
            components,
            bounds: Bounds { min: min.into(), max: max.into(), size: (max - min).into() },
            edge_length: Spread::of(edges.iter().map(length)),
            area: surface.area(),
            volume,
            surface: SurfaceInfo {
                triangles: surface.triangles().len(),
                hinges: hinges.interior.len(),
                boundary_edges: hinges.boundary.len(),
                non_manifold_edges: hinges.non_manifold.len(),
                inconsistent_hinges: hinges.inconsistent.len(),
                closed: hinges.is_closed(),
            },
            quality,
            colours,
            batches: None,
            attributes: Vec::new(),
            defects: Defects {
                inverted_or_flat_tets: Defect::of(&report.inverted_tets),
                flat_triangles: Defect::of(&report.flat_triangles),
                duplicate_elements: Defect::of(&report.duplicate_elements),
                unreferenced_vertices: Defect::of(&report.unreferenced_vertices),
            },
            crossings: Crossings::of(mesh),
            notes,
        }
    }

    fn text(&self) -> String {
        let show = |v: &[f64; 3]| format!("[{}, {}, {}]", short(v[0]), short(v[1]), short(v[2]));
        let mut lines = vec![
            format!("{}: {}, {}", self.file, self.format, self.kind),
            format!("vertices    {}", self.vertices),
            format!("triangles   {}", self.triangles),
            format!("tetrahedra  {}", self.tets),
            format!(
                "edges       {}, {:.4e} to {:.4e} long, {:.4e} on average",
                self.edges, self.edge_length.min, self.edge_length.max, self.edge_length.mean
            ),
            format!("pieces      {}", self.components),
            format!(
                "bounds      {} to {}, size {}",
                show(&self.bounds.min),
                show(&self.bounds.max),
                show(&self.bounds.size)
            ),
            format!("area        {:.6e}", self.area),
            match self.volume {
                Some(volume) => format!("volume      {volume:.6e}"),
                None => {
                    "volume      none: the surface is not closed, or not oriented consistently".to_owned()
                }
            },
            format!(
                "surface     {}, {}, {}, {}, {} of opposite orientation",
                counted(self.surface.triangles, "triangle", "triangles"),
                counted(self.surface.hinges, "hinge", "hinges"),
                counted(self.surface.boundary_edges, "boundary edge", "boundary edges"),
                counted(self.surface.non_manifold_edges, "non-manifold edge", "non-manifold edges"),
                counted(self.surface.inconsistent_hinges, "hinge", "hinges")
            ),
            format!(
                "quality     radius ratio {:.4} at worst, {:.4} on average (1 is best); smallest angle {:.2}°",
                self.quality.radius_ratio.min,
                self.quality.radius_ratio.mean,
                self.quality.smallest_angle_degrees
            ),
        ];
        for (kind, colours) in &self.colours {
            let sizes = match (colours.sizes.iter().min(), colours.sizes.iter().max()) {
                (Some(min), Some(max)) => format!(", {min} to {max} each"),
                _ => String::new(),
            };
            lines.push(format!(
                "colours     {kind}: {} in {}{sizes}",
                counted(colours.constraints, "constraint", "constraints"),
                counted(colours.colours, "colour", "colours")
            ));
        }
        if let Some(batches) = &self.batches {
            lines.extend(batches.text().lines().map(str::to_owned));
        }
        let defects = [
            (
                "tetrahedron is inverted or flat",
                "tetrahedra are inverted or flat",
                &self.defects.inverted_or_flat_tets,
            ),
            ("triangle has no area", "triangles have no area", &self.defects.flat_triangles),
            (
                "element repeats an earlier one",
                "elements repeat an earlier one",
                &self.defects.duplicate_elements,
            ),
            (
                "vertex belongs to no element",
                "vertices belong to no element",
                &self.defects.unreferenced_vertices,
            ),
        ];
        let found: Vec<String> = defects
            .into_iter()
            .filter_map(|(one, many, defect)| {
                let (what, first) = (counted(defect.count, one, many), defect.first?);
                let which = if defect.count == 1 { "number" } else { "the first is" };
                Some(format!("defect      {what}, {which} {first}"))
            })
            .collect();
        if found.is_empty() {
            lines.push("defects     none".to_owned());
        }
        lines.extend(found);
        lines.extend(self.crossings.lines());
        lines.extend(self.attributes.iter().map(Named::text));
        lines.extend(self.notes.iter().map(|note| format!("note        {note}")));
        lines.join("\n") + "\n"
    }
}

fn colours<const N: usize>(vertices: usize, stencils: &[[u32; N]]) -> Colours {
    let colouring = Colouring::greedy(vertices, stencils);
    Colours { constraints: stencils.len(), colours: colouring.colour_count(), sizes: colouring.sizes() }
}

fn tet_quality(mesh: &TetMesh) -> Quality {
    let corners = || (0..mesh.tets().len()).map(|t| mesh.corners(t));
    Quality {
        radius_ratio: Spread::of(corners().map(|c| radius_ratio(&c))),
        smallest_angle_degrees: corners()
            .map(|c| min_dihedral(&c))
            .fold(f64::INFINITY, f64::min)
            .to_degrees(),
    }
}

fn triangle_quality(mesh: &TriMesh) -> Quality {
    let corners = || (0..mesh.triangles().len()).map(|t| mesh.corners(t));
    Quality {
        radius_ratio: Spread::of(corners().map(|c| triangle_radius_ratio(&c))),
        smallest_angle_degrees: corners()
            .map(|c| smallest_angle(&c))
            .fold(f64::INFINITY, f64::min)
            .to_degrees(),
    }
}

/// Twice the inradius over the circumradius, 16 A² / (a b c (a + b + c)): one for an equilateral triangle.
fn triangle_radius_ratio([p, q, r]: &[Vector3<f64>; 3]) -> f64 {
    let (a, b, c) = ((q - r).norm(), (r - p).norm(), (p - q).norm());
    let doubled_area = (q - p).cross(&(r - p)).norm();
    let denominator = a * b * c * (a + b + c);
    if denominator > 0.0 { 4.0 * doubled_area * doubled_area / denominator } else { 0.0 }
}

fn smallest_angle([p, q, r]: &[Vector3<f64>; 3]) -> f64 {
    let angle = |a: &Vector3<f64>, b: &Vector3<f64>| a.cross(b).norm().atan2(a.dot(b));
    angle(&(q - p), &(r - p)).min(angle(&(r - q), &(p - q))).min(angle(&(p - r), &(q - r)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_equilateral_triangle_is_best() {
        let corners = [Vector3::zeros(), Vector3::x(), Vector3::new(0.5, 0.75_f64.sqrt(), 0.0)];
        assert!((triangle_radius_ratio(&corners) - 1.0).abs() < 1e-14);
        assert!((smallest_angle(&corners).to_degrees() - 60.0).abs() < 1e-12);
        let flat = [Vector3::zeros(), Vector3::x(), Vector3::x() * 2.0];
        assert_eq!((triangle_radius_ratio(&flat), smallest_angle(&flat)), (0.0, 0.0));
    }
}
