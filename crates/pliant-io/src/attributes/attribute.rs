//! [`Attribute`] and [`Group`]: numbers of vertices or elements, and sets of them.

use crate::location::Location;

/// A number or several for every vertex, or for every element.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) components: usize,
    pub(super) integer: bool,
    pub(super) values: Vec<f64>,
}

/// A named set of vertices, or of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) members: Vec<u32>,
}

impl Attribute {
    /// One number for each vertex or element.
    #[must_use]
    pub fn scalars(name: impl Into<String>, location: Location, values: Vec<f64>) -> Self {
        Self::vectors(name, location, 1, values)
    }

    /// `components` numbers for each vertex or element, one behind the other.
    ///
    /// # Panics
    ///
    /// If `components` is 0 or does not divide the number of values.
    #[must_use]
    pub fn vectors(name: impl Into<String>, location: Location, components: usize, values: Vec<f64>) -> Self {
        assert!(
            components > 0 && values.len().is_multiple_of(components),
            "the numbers must come in whole vectors"
        );
        Self { name: name.into(), location, components, integer: false, values }
    }

    /// Marks the numbers as whole: tags, references, flags. They are exact up to 2⁵³.
    #[must_use]
    pub fn integers(self) -> Self {
        Self { integer: true, ..self }
    }

    /// The name, as the file has it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the numbers belong to.
    #[must_use]
    pub fn location(&self) -> Location {
        self.location
    }

    /// How many numbers each vertex or element has.
    #[must_use]
    pub fn components(&self) -> usize {
        self.components
    }

    /// Whether they are whole numbers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.integer
    }

    /// All numbers: those of vertex or element 0, then those of 1… NaN stands where the file has no number.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of vertices or elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.components
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// One component of every vertex or element, counted from 0.
    ///
    /// # Panics
    ///
    /// If there are not so many components.
    #[must_use]
    pub fn component(&self, component: usize) -> Vec<f64> {
        assert!(component < self.components, "the attribute has {} components", self.components);
        self.values.iter().skip(component).step_by(self.components).copied().collect()
    }

    /// The number of every vertex or element, the length where it is a vector.
    #[must_use]
    pub fn magnitudes(&self) -> Vec<f64> {
        if self.components == 1 {
            return self.values.clone();
        }
        let length = |vector: &[f64]| vector.iter().map(|c| c * c).sum::<f64>().sqrt();
        self.values.chunks_exact(self.components).map(length).collect()
    }

    /// The group that it is, if it [marks](Self::is_mask) one.
    pub(super) fn marked(&self) -> Option<Group> {
        let marked = (0_u32..).zip(&self.values).filter(|(_, value)| **value == 1.0);
        self.is_mask().then(|| Group {
            name: self.name.clone(),
            location: self.location,
            members: marked.map(|(member, _)| member).collect(),
        })
    }

    pub(super) fn clone_without_values(&self) -> Self {
        Self { name: self.name.clone(), values: Vec::new(), ..*self }
    }

    /// The smallest and the largest finite number.
    #[must_use]
    pub fn range(&self) -> Option<[f64; 2]> {
        let finite = self.values.iter().filter(|value| value.is_finite());
        finite.fold(None, |range, &value| {
            let [low, high] = range.unwrap_or([value, value]);
            Some([value.min(low), value.max(high)])
        })
    }

    /// How many numbers are NaN or infinite.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.values.iter().filter(|value| !value.is_finite()).count()
    }

    /// Whether it marks some by 1 and the others by 0, and so is a group too.
    #[must_use]
    pub fn is_mask(&self) -> bool {
        self.integer && self.components == 1 && self.values.iter().all(|&value| value == 0.0 || value == 1.0)
    }
}

impl Group {
    /// The set of these vertices or elements, numbered from 0.
    #[must_use]
    pub fn new(name: impl Into<String>, location: Location, mut members: Vec<u32>) -> Self {
        members.sort_unstable();
        members.dedup();
        Self { name: name.into(), location, members }
    }

    /// The name, as the file has it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is a set of.
    #[must_use]
    pub fn location(&self) -> Location {
        self.location
    }

    /// The vertices or elements, ascending, each once.
    #[must_use]
    pub fn members(&self) -> &[u32] {
        &self.members
    }
}
