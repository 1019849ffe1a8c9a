//! Carries the data of the cells of a file over to their elements.

use super::{Budget, RawAttributes, RawField};
use crate::attributes::{Attribute, AttributeError, Attributes, Group};
use crate::error::ImportError;
use crate::location::Location;
use crate::raw::RawMesh;
use crate::source::Source;

impl RawMesh {
    /// An empty mesh, which keeps attributes if the reader was asked to.
    pub(crate) fn new(source: &Source<'_>) -> Self {
        Self { attributes: source.attributes.then(Box::default), ..Self::default() }
    }

    /// The cell of the file is complete: everything added since the last one belongs to it.
    #[inline]
    pub(crate) fn end_cell(&mut self) {
        if self.attributes.is_some() {
            self.end_cells(1);
        }
    }

    /// So many cells are complete, of which no more than one added elements.
    pub(crate) fn end_cells(&mut self, count: usize) {
        let Some(attributes) = &mut self.attributes else { return };
        // `finish` refuses more cells than the numbers can count.
        let cell = attributes.cells as u32;
        attributes.cells += count;
        attributes.cell_of_triangle.resize(self.triangles.len(), cell);
        attributes.cell_of_tet.resize(self.tets.len(), cell);
        if attributes.label != 0 || !attributes.label_of_cell.is_empty() {
            attributes.label_of_cell.resize(cell as usize, 0);
            attributes.label_of_cell.resize(attributes.cells, attributes.label);
        }
    }

    /// Records the corners of a cell that does not become an element, such as a line, for groups of such cells.
    pub(crate) fn note_corners(&mut self, corners: &[u32]) {
        if let Some(attributes) = &mut self.attributes {
            let cell = attributes.cells as u32;
            attributes.corners.extend(corners.iter().map(|&corner| (cell, corner)));
        }
    }

    /// The attributes, carried over to the mesh that was read, whose elements are the tetrahedra if it has
    /// any. They are taken out.
    pub(crate) fn take_attributes(&mut self, source: &Source<'_>) -> Result<Attributes, ImportError> {
        let Some(raw) = self.attributes.take() else { return Ok(Attributes::default()) };
        let (raw, notes) = raw.carry_over(source, self)?;
        self.notes.extend(notes);
        Ok(raw)
    }
}

impl RawAttributes {
    fn carry_over(
        mut self,
        source: &Source<'_>,
        mesh: &RawMesh,
    ) -> Result<(Attributes, Vec<String>), ImportError> {
        if u32::try_from(self.cells).is_err() {
            let (file, count) = (source.name.to_owned(), self.cells as u64);
            return Err(ImportError::TooLarge { file, what: "cells", count, limit: u64::from(u32::MAX) });
        }
        let mut budget = Budget::of(source, self.beside);
        let mut attributes = Attributes::default();
        attributes.time = self.time;
        let solid = !mesh.tets.is_empty();
        let elements = if solid { &self.cell_of_tet } else { &self.cell_of_triangle };
        for field in std::mem::take(&mut self.fields) {
            let count = match field.location {
                Location::Vertices => mesh.positions.len(),
                Location::Elements => self.cells,
            };
            let given = field.values.len() / field.components;
            if given > count {
                let RawField { name, location, .. } = field;
                let error = AttributeError::Length { name, location, found: given, expected: count };
                return Err(source.attribute(error));
            }
            let own = match field.location {
                Location::Vertices => count,
                Location::Elements => elements.len(),
            };
            budget.spend(source, 8 * own * field.components, &format!("the attribute {:?}", field.name))?;
            let values = match field.location {
                Location::Vertices => {
                    let mut values = field.values;
                    values.resize(count * field.components, f64::NAN);
                    values
                }
                Location::Elements => gather(&field, elements),
            };
            let carried = Attribute::vectors(field.name, field.location, field.components, values);
            let carried = if field.integer { carried.integers() } else { carried };
            // An attribute without numbers for the elements that were kept is dropped.
            if carried.missing() < carried.values().len() {
                attributes.push_new(carried);
            }
        }
        let names = std::mem::take(&mut self.by_name);
        let mut named: Vec<(usize, String)> = names.into_iter().map(|(name, group)| (group, name)).collect();
        named.sort_unstable();
        let [of_vertices, of_elements] = self.members(source, mesh, solid, &mut budget)?;
        for (((_, name), vertices), elements) in named.into_iter().zip(of_vertices).zip(of_elements) {
            for (location, members) in [(Location::Vertices, vertices), (Location::Elements, elements)] {
                if !members.is_empty() {
                    attributes.push_new_group(Group::new(name.clone(), location, members));
                }
            }
        }
        let fits = attributes.fit(mesh.positions.len(), elements_of(mesh));
        fits.map_err(|error| source.attribute(error))?;
        Ok((attributes, self.notes))
    }

    /// The vertices and the elements of every group.
    fn members(
        &mut self,
        source: &Source<'_>,
        mesh: &RawMesh,
        solid: bool,
        budget: &mut Budget,
    ) -> Result<[Vec<Vec<u32>>; 2], ImportError> {
        let mut vertices: Vec<Vec<u32>> =
            self.groups.iter_mut().map(|g| std::mem::take(&mut g.vertices)).collect();
        let mut elements = vec![Vec::new(); vertices.len()];
        // The groups that list a cell, cell by cell.
        let mut listed: Vec<(u32, usize)> = Vec::new();
        for (group, of) in self.groups.iter_mut().enumerate() {
            budget.spend(source, 16 * of.cells.len(), "the groups")?;
            listed.extend(std::mem::take(&mut of.cells).into_iter().map(|cell| (cell, group)));
        }
        listed.sort_unstable();
        listed.dedup();
        let groups_of = |cell: u32| {
            let label = self.label_of_cell.get(cell as usize).copied().unwrap_or(0);
            let labelled = self.labels.get(label as usize).map_or(&[][..], Vec::as_slice);
            let start = listed.partition_point(|&(listed, _)| listed < cell);
            let own = listed[start..].iter().take_while(move |&&(listed, _)| listed == cell);
            labelled.iter().copied().chain(own.map(|&(_, group)| group))
        };
        let kept = if solid { &self.cell_of_tet } else { &self.cell_of_triangle };
        for (element, &cell) in (0_u32..).zip(kept) {
            for group in groups_of(cell) {
                budget.spend(source, 4, "the groups")?;
                elements[group].push(element);
            }
        }
        // Triangles beside tetrahedra, lines and points mark vertices.
        let beside = if solid { mesh.triangles.as_slice() } else { &[] };
        for (triangle, &cell) in beside.iter().zip(&self.cell_of_triangle) {
            for group in groups_of(cell) {
                budget.spend(source, 12, "the groups")?;
                vertices[group].extend(triangle);
            }
        }
        for &(cell, vertex) in &self.corners {
            for group in groups_of(cell) {
                budget.spend(source, 4, "the groups")?;
                vertices[group].push(vertex);
            }
        }
        Ok([vertices, elements])
    }
}

fn elements_of(mesh: &RawMesh) -> usize {
    if mesh.tets.is_empty() { mesh.triangles.len() } else { mesh.tets.len() }
}

/// The numbers of the cells of elements.
fn gather(field: &RawField, cell_of: &[u32]) -> Vec<f64> {
    let n = field.components;
    let mut values = Vec::with_capacity(n * cell_of.len());
    for &cell in cell_of {
        let start = n * cell as usize;
        match field.values.get(start..start + n) {
            Some(own) => values.extend_from_slice(own),
            None => values.extend(std::iter::repeat_n(f64::NAN, n)),
        }
    }
    values
}
