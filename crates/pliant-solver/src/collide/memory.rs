//! [`Memory`]: contacts of the substep before, for those that take their place.
//!
//! A contact knows how far it has slid since it stuck by what it was in the substep before. Contacts that keep their places
//! find it there; those that are planned in every substep, and all when pairs are listed again, are looked up here. So
//! contacts are a part of the state.

use pliant_constraints::FrictionalContact;
use pliant_kernel::Scalar;

use super::idle::is_idle;

/// Contacts by their points.
pub(super) struct Memory<T> {
    contacts: Vec<Remembered<T>>,
    /// Their places by the first of their points.
    sorted: Vec<u32>,
    /// Where those of each point end.
    ends: Vec<u32>,
}

/// A contact of the last substep.
#[derive(Debug, Clone, Copy)]
pub struct Remembered<T> {
    /// Its particles, in the numbering of the simulation.
    pub(crate) points: [u32; 4],
    pub(crate) contact: FrictionalContact<T>,
}

impl<T: Scalar> Remembered<T> {
    /// The same contact of other particles.
    pub(crate) fn of(self, points: [u32; 4]) -> Self {
        Self { points, ..self }
    }
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        Self { contacts: Vec::new(), sorted: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Scalar> Memory<T> {
    pub(super) fn clear(&mut self) {
        self.contacts.clear();
    }

    /// Takes contacts in place of all others.
    pub(super) fn set(&mut self, contacts: &[Remembered<T>]) {
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
    }

    /// Takes up a contact, if it may stick and is not idle.
    pub(super) fn push(&mut self, points: [u32; 4], contact: &FrictionalContact<T>) {
        if contact.friction[0] > T::zero() && !is_idle(contact) {
            self.contacts.push(Remembered { points, contact: *contact });
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// What was taken up.
    pub(super) fn contacts(&self) -> &[Remembered<T>] {
        &self.contacts
    }

    /// Sorts what was taken up, to be asked for; there are so many points.
    #[allow(clippy::cast_possible_truncation, reason = "contacts are numbered by u32")]
    pub(super) fn sort(&mut self, points: usize) {
        let Self { contacts, sorted, ends } = self;
        contacts.retain(|of| (of.points[0] as usize) < points);
        ends.clear();
        if contacts.is_empty() {
            return;
        }
        ends.resize(points, 0);
        for of in &*contacts {
            ends[of.points[0] as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut *ends {
            sum += std::mem::replace(end, sum);
        }
        sorted.resize(contacts.len(), 0);
        for (place, of) in (0..).zip(&*contacts) {
            let end = &mut ends[of.points[0] as usize];
            sorted[*end as usize] = place;
            *end += 1;
        }
    }

    /// The contact that these points had.
    pub(super) fn of(&self, points: &[u32; 4]) -> Option<&FrictionalContact<T>> {
        let first = points[0] as usize;
        let until = *self.ends.get(first)? as usize;
        let from = first.checked_sub(1).map_or(0, |before| self.ends[before]) as usize;
        let mut known = self.sorted.get(from..until)?.iter().map(|&place| &self.contacts[place as usize]);
        known.find(|of| of.points == *points).map(|of| &of.contact)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;

    #[test]
    fn every_contact_is_found_by_its_points_and_no_other() {
        let contact = |distance| FrictionalContact {
            normal: Vector3::y(),
            weights: [1.0, -0.5, -0.25, -0.25],
            distance,
            friction: [0.3; 2],
            slip: Vector3::zeros(),
        };
        let all = [[7, 1, 2, 3], [0, 4, 5, 6], [7, 2, 1, 3], [3, 4, 5, 6], [7, 4, 5, 6]];
        let all: Vec<_> = (1_u8..)
            .zip(all)
            .map(|(k, points)| Remembered { points, contact: contact(f64::from(k)) })
            .collect();
        let mut memory = Memory::default();
        memory.set(&all);
        memory.sort(9);
        for of in &all {
            assert_eq!(memory.of(&of.points), Some(&of.contact));
        }
        for points in [[7, 3, 2, 1], [1, 7, 2, 3], [8, 1, 2, 3], [9, 1, 2, 3]] {
            assert_eq!(memory.of(&points), None);
        }
        memory.clear();
        memory.sort(9);
        assert_eq!(memory.of(&all[0].points), None);
    }
}
