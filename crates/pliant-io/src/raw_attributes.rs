//! [`RawAttributes`]: the attributes that a reader records while it reads the cells of a file, and their conversion to [`Attributes`](crate::Attributes).
//!
//! A cell of the file may become several elements (a hexahedron six tetrahedra), one, or none (a line). The
//! reader reports where one ends ([`RawMesh::end_cell`](crate::raw::RawMesh::end_cell)), so that the cell of
//! each element is known and the data of cells can be carried over.

mod cells;

use std::collections::BTreeMap;

use crate::error::ImportError;
use crate::location::Location;
use crate::source::Source;

/// Attributes in the numbering of the file: of vertices, and of cells in the order in which they were read.
#[derive(Debug, Default)]
pub(crate) struct RawAttributes {
    /// The time of the file, s.
    pub(crate) time: Option<f64>,
    fields: Vec<RawField>,
    /// Where the field of a name is, of the vertices (true) or cells.
    field_by_name: BTreeMap<(bool, String), usize>,
    /// The size of the fields, bytes.
    bytes: usize,
    /// Bytes of files beside the one that is read, such as the buffers of a glTF file.
    pub(crate) beside: usize,
    /// Groups by name, with the vertices and cells that the file lists.
    groups: Vec<RawGroup>,
    by_name: BTreeMap<String, usize>,
    /// Sets of groups; cells have the number of one of them. Label 0 is the empty set.
    labels: Vec<Vec<usize>>,
    /// The label of the cells that are read from now on.
    pub(crate) label: u32,
    /// Number of cells so far.
    cells: usize,
    label_of_cell: Vec<u32>,
    cell_of_triangle: Vec<u32>,
    cell_of_tet: Vec<u32>,
    /// Cells that are not elements, with a corner each.
    corners: Vec<(u32, u32)>,
    /// Remarks for the report.
    notes: Vec<String>,
}

/// Numbers for a run of vertices or cells.
#[derive(Debug)]
pub(crate) struct RawField {
    pub(crate) name: String,
    pub(crate) location: Location,
    pub(crate) components: usize,
    pub(crate) integer: bool,
    pub(crate) values: Vec<f64>,
}

#[derive(Debug, Default)]
struct RawGroup {
    vertices: Vec<u32>,
    cells: Vec<u32>,
}

impl RawField {
    /// One number each, of a type that may be whole.
    pub(crate) fn scalars(
        name: impl Into<String>,
        location: Location,
        integer: bool,
        values: Vec<f64>,
    ) -> Self {
        Self { name: name.into(), location, components: 1, integer, values }
    }
}

impl RawAttributes {
    /// Number of cells so far.
    pub(crate) fn cells(&self) -> usize {
        self.cells
    }

    /// Sets the number of the next cell to `cell`, in files whose order of cells is not that of their numbers.
    pub(crate) fn go_to_cell(&mut self, cell: usize) {
        self.cells = cell;
    }

    /// A remark for the report.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// The number of the group of that name, which is made if it is new.
    pub(crate) fn group(&mut self, name: &str) -> usize {
        if let Some(&group) = self.by_name.get(name) {
            return group;
        }
        self.by_name.insert(name.to_owned(), self.groups.len());
        self.groups.push(RawGroup::default());
        self.groups.len() - 1
    }

    /// Gives a group another name, unless that is taken.
    pub(crate) fn rename_group(&mut self, from: &str, to: &str) {
        if !self.by_name.contains_key(to)
            && let Some(group) = self.by_name.remove(from)
        {
            self.by_name.insert(to.to_owned(), group);
        }
    }

    /// The label of each cell, from the first to the last that has one.
    pub(crate) fn labels_of_cells(&self) -> &[u32] {
        &self.label_of_cell
    }

    /// Refuses numbers that would take more bytes than a file of this size may use.
    pub(crate) fn afford(&self, source: &Source<'_>, numbers: usize) -> Result<(), ImportError> {
        let bytes = self.bytes.saturating_add(numbers.saturating_mul(8));
        Budget::of(source, self.beside).spend(source, bytes, "attributes")
    }

    /// Adds vertices to a group.
    pub(crate) fn extend_vertices(&mut self, group: usize, vertices: impl IntoIterator<Item = u32>) {
        self.groups[group].vertices.extend(vertices);
    }

    /// Adds cells to a group.
    pub(crate) fn extend_cells(&mut self, group: usize, cells: impl IntoIterator<Item = u32>) {
        self.groups[group].cells.extend(cells);
    }

    /// Adds the vertices or the cells of the group of that name to another; false if there is no such group.
    pub(crate) fn include(
        &mut self,
        source: &Source<'_>,
        group: usize,
        name: &str,
        vertices: bool,
    ) -> Result<bool, ImportError> {
        let Some(&other) = self.by_name.get(name) else { return Ok(false) };
        let of = |group: &mut RawGroup| match vertices {
            true => std::mem::take(&mut group.vertices),
            false => std::mem::take(&mut group.cells),
        };
        let own = of(&mut self.groups[group]);
        let more = if other == group { Vec::new() } else { of(&mut self.groups[other]) };
        self.bytes = self.bytes.saturating_add(4 * more.len());
        Budget::of(source, self.beside).spend(source, self.bytes, "the groups")?;
        let mut all = [own.as_slice(), more.as_slice()].concat();
        all.sort_unstable();
        all.dedup();
        for (group, members) in [(other, more), (group, all)] {
            match vertices {
                true => self.groups[group].vertices = members,
                false => self.groups[group].cells = members,
            }
        }
        Ok(true)
    }

    /// A new label, for cells in these groups.
    pub(crate) fn new_label(&mut self, groups: Vec<usize>) -> u32 {
        if self.labels.is_empty() {
            self.labels.push(Vec::new());
        }
        self.labels.push(groups);
        (self.labels.len() - 1) as u32
    }

    /// The groups of a label, which may change until the end.
    pub(crate) fn relabel(&mut self, label: u32, groups: Vec<usize>) {
        self.labels[label as usize] = groups;
    }

    /// Adds numbers of the vertices or cells from `first` on. A field of that name which ends before is
    /// continued; NaN stands for those between.
    pub(crate) fn add(
        &mut self,
        source: &Source<'_>,
        first: usize,
        field: RawField,
    ) -> Result<(), ImportError> {
        let key = (field.location == Location::Vertices, field.name.clone());
        let known = self.field_by_name.get(&key).map(|&known| &mut self.fields[known]);
        let start = first * field.components;
        self.bytes = self.bytes.saturating_add(8 * field.values.len());
        match known {
            Some(known) if known.components == field.components && known.values.len() <= start => {
                self.bytes = self.bytes.saturating_add(8 * (start - known.values.len()));
                Budget::of(source, self.beside).spend(source, self.bytes, "attributes")?;
                known.values.resize(start, f64::NAN);
                known.values.extend(field.values);
                known.integer &= field.integer;
            }
            Some(known) => {
                let twice = format!("the attribute {:?} is given twice; the first was kept", known.name);
                self.notes.push(twice);
            }
            None => {
                self.field_by_name.insert(key, self.fields.len());
                self.bytes = self.bytes.saturating_add(8 * start);
                Budget::of(source, self.beside).spend(source, self.bytes, "attributes")?;
                let mut values = vec![f64::NAN; start];
                values.extend(field.values);
                self.fields.push(RawField { values, ..field });
            }
        }
        Budget::of(source, self.beside).spend(source, self.bytes, "attributes")
    }
}

/// The memory that attributes may take: a few names in a small file can require numbers for every vertex of a
/// large mesh.
struct Budget(usize);

impl Budget {
    /// The limit for a file with so many bytes beside it.
    fn of(source: &Source<'_>, beside: usize) -> Self {
        let bytes = source.bytes.len().saturating_add(beside);
        Self(bytes.saturating_mul(200).saturating_add(64 << 20))
    }

    fn spend(&mut self, source: &Source<'_>, bytes: usize, what: &str) -> Result<(), ImportError> {
        self.0 = self.0.checked_sub(bytes).ok_or_else(|| {
            source.unsupported(
                format!("{what} (they would take more than 200 times the size of the file)"),
                "leave out what is not needed",
            )
        })?;
        Ok(())
    }
}
