//! [`Parts`]: a mesh under repair, with the numbers that its vertices and elements had before.

use nalgebra::Vector3;

use super::report::{Action, RepairReport, Step};
use crate::defects::{duplicate_elements, unreferenced_vertices};

/// The arrays of a mesh, which need not be a valid mesh between two steps.
pub(super) struct Parts<const N: usize> {
    pub(super) positions: Vec<Vector3<f64>>,
    pub(super) elements: Vec<[u32; N]>,
    /// The old number of each vertex, if it had one.
    pub(super) vertex_of: Vec<Option<u32>>,
    /// The old number of each element, if it had one.
    pub(super) element_of: Vec<Option<u32>>,
    steps: Vec<Step>,
    pub(super) left: Vec<String>,
    /// The old vertex that each old vertex was joined with, if it was; else itself.
    joined: Vec<u32>,
}

impl<const N: usize> Parts<N> {
    pub(super) fn new(positions: Vec<Vector3<f64>>, elements: Vec<[u32; N]>) -> Self {
        Self {
            vertex_of: (0..positions.len() as u32).map(Some).collect(),
            joined: (0..positions.len() as u32).collect(),
            element_of: (0..elements.len() as u32).map(Some).collect(),
            positions,
            elements,
            steps: Vec::new(),
            left: Vec::new(),
        }
    }

    /// Records a step that was applied to vertices or elements with these old numbers.
    pub(super) fn note(&mut self, action: Action, mut at: Vec<u32>) {
        if !at.is_empty() {
            at.sort_unstable();
            at.dedup();
            self.steps.push(Step { action, at });
        }
    }

    /// Records a step that was applied to vertices with these present numbers.
    pub(super) fn note_vertices(&mut self, action: Action, vertices: &[u32]) {
        let old = vertices.iter().filter_map(|&v| self.vertex_of[v as usize]).collect();
        self.note(action, old);
    }

    /// Makes vertices one: each [later, first] of the present numbers, ascending; no first is a later. The
    /// later ones are removed.
    pub(super) fn join(&mut self, action: Action, pairs: &[[u32; 2]]) {
        let mut kept: Vec<u32> = (0..self.positions.len() as u32).collect();
        for &[later, first] in pairs {
            kept[later as usize] = first;
            if let (Some(later), Some(first)) =
                (self.vertex_of[later as usize], self.vertex_of[first as usize])
            {
                self.joined[later as usize] = first;
            }
        }
        for v in self.elements.as_flattened_mut() {
            *v = kept[*v as usize];
        }
        let gone: Vec<u32> = pairs.iter().map(|pair| pair[0]).collect();
        self.note_vertices(action, &gone);
        self.remove_vertices(&gone);
    }

    /// Records a step that was applied to elements with these present numbers.
    pub(super) fn note_elements(&mut self, action: Action, elements: &[usize]) {
        let old = elements.iter().filter_map(|&e| self.element_of[e]).collect();
        self.note(action, old);
    }

    /// Drops the elements for which `is_bad` is true.
    pub(super) fn drop_elements(
        &mut self,
        action: Action,
        is_bad: impl Fn(&[Vector3<f64>], &[u32; N]) -> bool,
    ) {
        let bad: Vec<usize> =
            (0..self.elements.len()).filter(|&e| is_bad(&self.positions, &self.elements[e])).collect();
        self.drop_numbered(action, &bad);
    }

    /// Drops elements by their present numbers, ascending.
    pub(super) fn drop_numbered(&mut self, action: Action, bad: &[usize]) {
        self.note_elements(action, bad);
        let mut keep = vec![true; self.elements.len()];
        for &e in bad {
            keep[e] = false;
        }
        let mut kept = keep.iter();
        self.elements.retain(|_| kept.next() == Some(&true));
        let mut kept = keep.iter();
        self.element_of.retain(|_| kept.next() == Some(&true));
    }

    /// Drops elements that name a vertex twice.
    pub(super) fn drop_collapsed(&mut self) {
        self.drop_elements(Action::DropCollapsed, |_, corners| {
            (1..N).any(|i| corners[..i].contains(&corners[i]))
        });
    }

    /// Drops elements with the vertices of an earlier one.
    pub(super) fn drop_duplicates(&mut self) {
        let later = duplicate_elements(self.positions.len(), &self.elements);
        let bad: Vec<usize> = later.iter().map(|pair| pair[0] as usize).collect();
        self.drop_numbered(Action::DropDuplicates, &bad);
    }

    /// Drops vertices without elements. Those that welding left behind are not recorded, because they are
    /// joined with others.
    pub(super) fn drop_unreferenced(&mut self) {
        let welded: Vec<u32> = self
            .steps
            .iter()
            .filter(|s| matches!(s.action, Action::Weld | Action::Unite))
            .flat_map(|s| s.at.iter().copied())
            .collect();
        let gone = unreferenced_vertices(self.positions.len(), &self.elements);
        let noted = gone.iter().filter_map(|&v| self.vertex_of[v as usize]);
        let noted = noted.filter(|old| welded.binary_search(old).is_err()).collect();
        self.note(Action::DropUnreferenced, noted);
        self.remove_vertices(&gone);
    }

    /// Removes vertices that no element names, and renumbers the others in their order.
    pub(super) fn remove_vertices(&mut self, gone: &[u32]) {
        let mut number: Vec<u32> = vec![0; self.positions.len()];
        for &v in gone {
            number[v as usize] = u32::MAX;
        }
        let mut next = 0;
        for slot in &mut number {
            if *slot != u32::MAX {
                *slot = next;
                next += 1;
            }
        }
        let mut at = number.iter();
        self.positions.retain(|_| at.next() != Some(&u32::MAX));
        let mut at = number.iter();
        self.vertex_of.retain(|_| at.next() != Some(&u32::MAX));
        for v in self.elements.as_flattened_mut() {
            *v = number[*v as usize];
        }
    }

    /// The arrays and the record of the steps.
    pub(super) fn finish(self) -> (Vec<Vector3<f64>>, Vec<[u32; N]>, RepairReport) {
        let mut number = vec![None; self.joined.len()];
        for (new, old) in self.vertex_of.iter().enumerate() {
            if let Some(old) = old {
                // The first of several copies.
                number[*old as usize].get_or_insert(new as u32);
            }
        }
        // A vertex is joined with one that may be joined with another later.
        let last = |mut v: u32| {
            while self.joined[v as usize] != v {
                v = self.joined[v as usize];
            }
            v
        };
        let became = (0..self.joined.len() as u32).map(|old| number[last(old) as usize]).collect();
        let report = RepairReport {
            steps: self.steps,
            became,
            vertex_of: self.vertex_of,
            element_of: self.element_of,
            left: self.left,
        };
        (self.positions, self.elements, report)
    }
}
