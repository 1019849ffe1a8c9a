//! [`FieldPath`]: the path to a field of a scene.

use std::fmt;

/// The path from the top of a scene to one of its fields, such as `body[1].pin[0].box.min`.
///
/// ```
/// use pliant_scene::FieldPath;
///
/// let field = FieldPath::root().key("body").index(1).key("edges");
/// assert_eq!(field.to_string(), "body[1].edges");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldPath(Vec<Segment>);

/// One step of a [`FieldPath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(&'static str),
    Index(usize),
}

impl FieldPath {
    /// The scene itself.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The field `key` of the table at this path.
    #[must_use]
    pub fn key(&self, key: &'static str) -> Self {
        self.with(Segment::Key(key))
    }

    /// Element `index`, from 0, of the array at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    /// The number of the body, from 0, that the field belongs to; none if it belongs to no body.
    #[must_use]
    pub fn body(&self) -> Option<usize> {
        match self.0[..] {
            [Segment::Key("body"), Segment::Index(body), ..] => Some(body),
            _ => None,
        }
    }

    fn with(&self, segment: Segment) -> Self {
        let mut path = self.clone();
        path.0.push(segment);
        path
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.0
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the scene");
        }
        for (i, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if i == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
