//! The rows of a manifest.

use std::fs;
use std::path::Path;

/// A row: the content of a file by two other readers.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// Path below the folder of the manifest.
    pub(crate) file: String,
    /// Format as the maker of the manifest names it.
    pub(crate) format: String,
    /// Size of the file, bytes.
    pub(crate) bytes: u64,
    pub(crate) vertices: Option<f64>,
    tets: Option<f64>,
    triangles: Option<f64>,
    /// The reader that gave these numbers: `meshio` or `trimesh` or one written for the purpose.
    pub(crate) reader: String,
    notes: String,
    pub(crate) box_min: Option<[f64; 3]>,
    pub(crate) box_max: Option<[f64; 3]>,
    pub(crate) coordinate_sum: Option<f64>,
    pub(crate) volume: Option<f64>,
    pub(crate) area: Option<f64>,
    pub(crate) checksum: Option<f64>,
}

/// Reads `manifest.tsv` of a folder.
pub(crate) fn read(folder: &Path) -> Result<Vec<Row>, String> {
    let path = folder.join("manifest.tsv");
    let text =
        fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    text.lines()
        .skip(1)
        .enumerate()
        .map(|(i, line)| {
            Row::parse(line).ok_or_else(|| format!("{}, line {}: not a row", path.display(), i + 2))
        })
        .collect()
}

impl Row {
    fn parse(line: &str) -> Option<Self> {
        let columns: Vec<&str> = line.split('\t').collect();
        let text = |column: usize| columns.get(column).copied().unwrap_or_default();
        let number = |column: usize| match text(column) {
            "" => Some(None),
            text => text.parse().ok().map(Some),
        };
        let point = |column: usize| match text(column) {
            "" => Some(None),
            text => {
                let numbers: Vec<f64> = text.split(' ').map(|c| c.parse().ok()).collect::<Option<_>>()?;
                numbers.try_into().ok().map(Some)
            }
        };
        Some(Self {
            file: text(0).to_owned(),
            format: text(5).to_owned(),
            bytes: text(6).parse().ok()?,
            vertices: number(7)?,
            tets: number(8)?,
            triangles: number(9)?,
            reader: text(10).to_owned(),
            notes: text(11).to_owned(),
            box_min: point(12)?,
            box_max: point(13)?,
            coordinate_sum: number(14)?,
            volume: number(15)?,
            area: number(16)?,
            checksum: number(17)?,
        })
    }

    /// Whether the file is read by itself: buffers of glTF files and tables of truth are not.
    pub(crate) fn is_read(&self) -> bool {
        !matches!(self.format.as_str(), "bin" | "json")
    }

    /// The format without its variants: `vtk` of `vtk-4.2-ascii`.
    pub(crate) fn family(&self) -> &str {
        let family = self.format.split('-').next().unwrap_or_default();
        match family {
            _ if family.starts_with("msh") => "msh",
            "glb" => "gltf",
            "node" | "ele" => "tetgen",
            other => other,
        }
    }

    /// Whether the file is damaged, so that a refusal is as good as a mesh.
    pub(crate) fn may_be_refused(&self) -> bool {
        self.file.starts_with("broken/") || self.file.starts_with("mutated/")
    }

    /// Whether the reader of the row failed or none was run.
    pub(crate) fn is_silent(&self) -> bool {
        self.vertices.is_none()
    }

    pub(crate) fn is_stl(&self) -> bool {
        self.format.starts_with("stl")
    }

    /// Numbers of tetrahedra and triangles. meshio counts plain `tetra` and `triangle` cells only; the list
    /// in the notes shows how its other cells are read here. No number of triangles if there are polygons.
    pub(crate) fn elements(&self) -> (Option<f64>, Option<f64>) {
        let cells = self.notes.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        let Some((cells, _)) = cells.filter(|_| self.reader == "meshio") else {
            return (self.tets, self.triangles);
        };
        let count = |kind: &str| -> f64 {
            cells
                .split(", ")
                .map(|cell| cell.replace('"', ""))
                .filter(|cell| cell.starts_with(kind))
                .filter_map(|cell| cell.split_once(": ")?.1.parse::<f64>().ok())
                .sum()
        };
        // Split from their smallest corner, hexahedra give six tetrahedra, wedges three, pyramids two.
        let solids =
            6.0 * (count("hexahedron") + count("voxel")) + 3.0 * count("wedge") + 2.0 * count("pyramid");
        let triangles = count("triangle") + 2.0 * count("quad");
        (Some(count("tetra") + solids), Some(triangles).filter(|_| !cells.contains("polygon")))
    }

    /// Whether the row's sums over elements count all elements that are read here.
    pub(crate) fn has_sums_of_all(&self, of_tets: bool) -> bool {
        let (tets, triangles) = self.elements();
        if of_tets { self.tets == tets } else { self.triangles == triangles }
    }

    /// Whether the row holds vertices but nothing that would be an element here.
    pub(crate) fn has_no_elements(&self) -> bool {
        matches!(self.elements(), (Some(0.0) | None, Some(0.0) | None)) && !self.notes.contains("\"polygon\"")
    }
}
