//! [`Attributes`]: data of single vertices and elements in a file, by name.

mod attribute;

use std::borrow::Cow;

use thiserror::Error;

use crate::location::Location;
use crate::quote::shown;

pub use attribute::{Attribute, Group};

/// Numbers and groups that belong to the vertices and elements of a mesh, by name.
///
/// [`ReadOptions`](crate::ReadOptions) asks a reader for them and [`write_mesh_with`](crate::write_mesh_with)
/// writes them. They follow the mesh that was read: where a hexahedron became six tetrahedra, each of these
/// has the numbers of the hexahedron and is in its groups.
///
/// ```
/// use pliant_io::{Attribute, Attributes, Group, Location};
///
/// let mut attributes = Attributes::default();
/// attributes.push(Attribute::scalars("young", Location::Elements, vec![1e5, 2e5, 1e5]))?;
/// attributes.push_group(Group::new("foot", Location::Elements, vec![2, 0]));
/// assert_eq!(attributes.field("young", Location::Elements).unwrap().range(), Some([1e5, 2e5]));
/// assert_eq!(attributes.group("foot", Location::Elements).unwrap().members(), [0, 2]);
/// assert!(attributes.fit(4, 3).is_ok() && attributes.fit(4, 2).is_err());
/// # Ok::<(), pliant_io::AttributeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attributes {
    /// The time of the numbers, if the file has one, s.
    pub time: Option<f64>,
    fields: Vec<Attribute>,
    groups: Vec<Group>,
}

/// Attributes that do not fit each other or the mesh.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AttributeError {
    /// Two have the same name at the same place.
    #[error("there are two attributes {:?} of the {location}", shown(name))]
    Twice {
        /// The name.
        name: String,
        /// What they belong to.
        location: Location,
    },
    /// There are more or fewer numbers than vertices or elements.
    #[error(
        "the attribute {:?} has numbers for {found} {location}, but the mesh has {expected}",
        shown(name)
    )]
    Length {
        /// Name of the attribute.
        name: String,
        /// What it belongs to.
        location: Location,
        /// For how many it has numbers.
        found: usize,
        /// How many the mesh has.
        expected: usize,
    },
    /// A group has a vertex or an element that does not exist.
    #[error(
        "the group {:?} has number {member} of the {location}, but the mesh has {count}, numbered from 0",
        shown(name)
    )]
    Member {
        /// Name of the group.
        name: String,
        /// What it is a set of.
        location: Location,
        /// The number.
        member: u32,
        /// How many the mesh has.
        count: usize,
    },
}

impl Attributes {
    /// Adds an attribute.
    ///
    /// # Errors
    ///
    /// If there is one of that name at the same place.
    pub fn push(&mut self, attribute: Attribute) -> Result<(), AttributeError> {
        if self.field(&attribute.name, attribute.location).is_some() {
            return Err(AttributeError::Twice { name: attribute.name, location: attribute.location });
        }
        self.fields.push(attribute);
        Ok(())
    }

    /// Adds a group; one of that name at the same place gets the members of both.
    pub fn push_group(&mut self, group: Group) {
        let same = |known: &&mut Group| known.name == group.name && known.location == group.location;
        match self.groups.iter_mut().find(same) {
            Some(known) => {
                let members = [std::mem::take(&mut known.members), group.members].concat();
                *known = Group::new(group.name, group.location, members);
            }
            None => self.groups.push(group),
        }
    }

    /// Adds an attribute whose name is known to be new at its place.
    pub(crate) fn push_new(&mut self, attribute: Attribute) {
        self.fields.push(attribute);
    }

    /// Adds a group whose name is known to be new at its place.
    pub(crate) fn push_new_group(&mut self, group: Group) {
        self.groups.push(group);
    }

    /// The attributes, in the order of the file.
    #[must_use]
    pub fn fields(&self) -> &[Attribute] {
        &self.fields
    }

    /// The groups, in the order of the file.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether there is neither an attribute nor a group.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.groups.is_empty()
    }

    /// The attribute of that name at vertices or at elements.
    #[must_use]
    pub fn field(&self, name: &str, location: Location) -> Option<&Attribute> {
        self.fields.iter().find(|field| field.name == name && field.location == location)
    }

    /// The group of that name of vertices or of elements. An attribute that [marks](Attribute::is_mask) some
    /// of them is such a group too, as formats without groups keep them.
    #[must_use]
    pub fn group(&self, name: &str, location: Location) -> Option<Cow<'_, Group>> {
        let known = self.groups.iter().find(|group| group.name == name && group.location == location);
        known
            .map(Cow::Borrowed)
            .or_else(|| self.field(name, location).and_then(Attribute::marked).map(Cow::Owned))
    }

    /// The names of all groups, those that are attributes included, each once.
    #[must_use]
    pub fn group_names(&self) -> Vec<&str> {
        let masks = self.fields.iter().filter(|field| field.is_mask()).map(Attribute::name);
        once(self.groups.iter().map(Group::name).chain(masks))
    }

    /// The names of all attributes, each once.
    #[must_use]
    pub fn field_names(&self) -> Vec<&str> {
        once(self.fields.iter().map(Attribute::name))
    }

    /// The attributes of a mesh that was made of this one by renumbering, dropping, joining, copying or dividing.
    ///
    /// `vertex_of` and `element_of` give for each vertex and element of the new mesh which one here it was, none for
    /// new ones, which have no numbers (NaN) and are in no group. `became` gives for each vertex here which one of the
    /// new mesh it is, so that a vertex that others were joined with is in their groups too; it may be empty.
    #[must_use]
    pub fn carried(
        &self,
        became: &[Option<u32>],
        vertex_of: &[Option<u32>],
        element_of: &[Option<u32>],
    ) -> Self {
        let old = |location| match location {
            Location::Vertices => vertex_of,
            Location::Elements => element_of,
        };
        let group = |group: &Group| {
            let holds = |old: u32| group.members.binary_search(&old).is_ok();
            let kept = (0_u32..).zip(old(group.location)).filter(|(_, old)| old.is_some_and(holds));
            let mut members: Vec<u32> = kept.map(|(new, _)| new).collect();
            if group.location == Location::Vertices {
                let joined = group.members.iter().filter_map(|&v| became.get(v as usize).copied().flatten());
                members.extend(joined);
            }
            Group::new(group.name.clone(), group.location, members)
        };
        let field = |field: &Attribute| {
            // A group stays a group.
            if let Some(marked) = field.marked() {
                let mut values = vec![0.0; old(field.location).len()];
                group(&marked).members.iter().for_each(|&member| values[member as usize] = 1.0);
                return Attribute { values, ..field.clone_without_values() };
            }
            let n = field.components;
            let mut values = Vec::with_capacity(n * old(field.location).len());
            for old in old(field.location) {
                let start = old.map_or(usize::MAX, |old| n * old as usize);
                match start.checked_add(n).and_then(|end| field.values.get(start..end)) {
                    Some(own) => values.extend_from_slice(own),
                    None => values.extend(std::iter::repeat_n(f64::NAN, n)),
                }
            }
            Attribute { values, ..field.clone_without_values() }
        };
        Self {
            time: self.time,
            fields: self.fields.iter().map(field).collect(),
            groups: self.groups.iter().map(group).collect(),
        }
    }

    /// Checks that there are numbers for as many vertices and elements, and that groups have no other.
    ///
    /// # Errors
    ///
    /// The first that does not fit, by name.
    pub fn fit(&self, vertices: usize, elements: usize) -> Result<(), AttributeError> {
        let count = |location| match location {
            Location::Vertices => vertices,
            Location::Elements => elements,
        };
        for field in &self.fields {
            let (found, expected) = (field.len(), count(field.location));
            if found != expected {
                let (name, location) = (field.name.clone(), field.location);
                return Err(AttributeError::Length { name, location, found, expected });
            }
        }
        for group in &self.groups {
            let count = count(group.location);
            if let Some(&member) = group.members.last().filter(|&&last| last as usize >= count) {
                let (name, location) = (group.name.clone(), group.location);
                return Err(AttributeError::Member { name, location, member, count });
            }
        }
        Ok(())
    }
}

/// The names in their order, each once.
fn once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = std::collections::BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_one_name_are_joined_and_masks_are_groups() {
        let mut attributes = Attributes::default();
        attributes.push_group(Group::new("a", Location::Vertices, vec![3, 1, 3]));
        attributes.push_group(Group::new("a", Location::Elements, vec![0]));
        attributes.push_group(Group::new("a", Location::Vertices, vec![2]));
        assert_eq!(attributes.group("a", Location::Vertices).unwrap().members(), [1, 2, 3]);
        assert_eq!(attributes.groups().len(), 2);
        let mask = Attribute::scalars("b", Location::Elements, vec![0.0, 1.0, 1.0]);
        attributes.push(mask.clone()).unwrap();
        assert!(attributes.group("b", Location::Elements).is_none());
        let mut attributes = Attributes::default();
        attributes.push(mask.integers()).unwrap();
        assert_eq!(attributes.group("b", Location::Elements).unwrap().members(), [1, 2]);
        assert_eq!((attributes.group_names(), attributes.field_names()), (vec!["b"], vec!["b"]));
    }

    #[test]
    fn numbers_are_looked_at_by_component_and_length() {
        let field = Attribute::vectors("v", Location::Vertices, 2, vec![3.0, 4.0, f64::NAN, -1.0]);
        assert_eq!((field.len(), field.missing(), field.range()), (2, 1, Some([-1.0, 4.0])));
        assert_eq!(field.component(1), [4.0, -1.0]);
        assert_eq!(field.magnitudes()[0], 5.0);
        assert_eq!(Attribute::scalars("n", Location::Vertices, vec![f64::NAN]).range(), None);
    }

    #[test]
    fn attributes_follow_a_mesh_that_was_made_of_theirs() {
        let mut attributes = Attributes::default();
        attributes
            .push(Attribute::vectors("v", Location::Vertices, 2, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]))
            .unwrap();
        attributes.push(Attribute::scalars("E", Location::Elements, vec![7.0, 8.0]).integers()).unwrap();
        attributes
            .push(Attribute::scalars("mask", Location::Vertices, vec![0.0, 0.0, 1.0]).integers())
            .unwrap();
        attributes.push_group(Group::new("top", Location::Vertices, vec![2]));
        attributes.push_group(Group::new("foot", Location::Elements, vec![1]));
        // Vertex 2 was joined with vertex 0, which was then copied; element 1 was divided.
        let carried = attributes.carried(
            &[Some(0), Some(2), Some(0)],
            &[Some(0), Some(0), Some(1), None],
            &[Some(1), None, Some(1)],
        );
        let v = carried.field("v", Location::Vertices).unwrap().values();
        assert_eq!(v[..6], [0.0, 1.0, 0.0, 1.0, 2.0, 3.0]);
        assert!(v[6].is_nan() && v.len() == 8);
        let young = carried.field("E", Location::Elements).unwrap();
        assert!(young.is_integer() && young.values()[0] == 8.0 && young.values()[1].is_nan());
        assert_eq!(carried.group("top", Location::Vertices).unwrap().members(), [0]);
        assert_eq!(carried.group("mask", Location::Vertices).unwrap().members(), [0]);
        assert_eq!(carried.group("foot", Location::Elements).unwrap().members(), [0, 2]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let mut attributes = Attributes::default();
        attributes.push(Attribute::scalars("E", Location::Elements, vec![1.0; 3])).unwrap();
        let twice = attributes.push(Attribute::scalars("E", Location::Elements, vec![])).unwrap_err();
        assert_eq!(twice.to_string(), "there are two attributes \"E\" of the elements");
        let error = attributes.fit(3, 4).unwrap_err().to_string();
        assert_eq!(error, "the attribute \"E\" has numbers for 3 elements, but the mesh has 4");
        attributes.push_group(Group::new("top", Location::Vertices, vec![3]));
        let error = attributes.fit(3, 3).unwrap_err().to_string();
        assert_eq!(
            error,
            "the group \"top\" has number 3 of the vertices, but the mesh has 3, numbered from 0"
        );
    }
}
