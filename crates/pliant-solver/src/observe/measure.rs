//! [`Measure`]: a number of a certificate; [`FrameCertificate`]: those of a frame.

use std::borrow::Cow;

/// A number of a certificate.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Measure {
    /// Its name; in a file, the key of the measure.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub name: String,
    /// Its unit; `"1"` for numbers without one.
    pub unit: Cow<'static, str>,
    /// The value; null in a file if it is not a finite number.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    #[cfg_attr(feature = "schemars", schemars(with = "Option<f64>"))]
    pub value: f64,
    /// The constraint, element or particle in which it occurs, in the caller's numbering, if it is known.
    pub at: Option<usize>,
}

/// The measures of a frame.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct FrameCertificate {
    /// Number of the frame, from 1.
    pub frame: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Substeps that the frame was divided into.
    pub substeps: u32,
    /// Substeps that were spent on it, including those whose result was discarded; in a run that does not
    /// certify every frame, also those of the frames before it.
    pub substeps_spent: u32,
    /// The measures, in the order of the [table](crate::Certificate); by name in a file.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::by_name"))]
    #[cfg_attr(feature = "schemars", schemars(with = "std::collections::BTreeMap<String, Measure>"))]
    pub measures: Vec<Measure>,
}

impl FrameCertificate {
    /// A measure by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }
}

#[cfg(feature = "serde")]
impl crate::serial::Named for Measure {
    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: String) {
        self.name = name;
    }
}
