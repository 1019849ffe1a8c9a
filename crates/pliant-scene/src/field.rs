//! [`FieldPath`]: the path to a field of a scene.

use std::borrow::Cow;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(Cow<'static, str>),
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
        self.with(Segment::Key(Cow::Borrowed(key)))
    }

    /// The field of a key that was read from a text.
    pub(crate) fn key_read(&self, key: &str) -> Self {
        self.with(Segment::Key(Cow::Owned(key.to_owned())))
    }

    /// The keys, without the numbers of elements.
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.0
            .iter()
            .filter_map(|segment| match segment {
                Segment::Key(key) => Some(&**key),
                Segment::Index(_) => None,
            })
            .collect()
    }

    /// Element `index`, from 0, of the array at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    /// The number of the body, from 0, that the field belongs to; none if it belongs to no body.
    #[must_use]
    pub fn body(&self) -> Option<usize> {
        match &self.0[..] {
            [Segment::Key(key), Segment::Index(body), ..] if key == "body" => Some(*body),
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
