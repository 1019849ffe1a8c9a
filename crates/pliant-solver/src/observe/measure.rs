//! [`Measure`]: a number of a certificate; [`FrameCertificate`]: those of a frame.

/// A number of a certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Its unit; `"1"` for numbers without one.
    pub unit: &'static str,
    /// The value.
    pub value: f64,
    /// The constraint, element or particle that has it, in the caller's numbering, if it is known.
    pub at: Option<usize>,
}

/// The measures of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameCertificate {
    /// Number of the frame, from 1.
    pub frame: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Substeps that the frame was divided into.
    pub substeps: u32,
    /// The measures, in the order of the [table](crate::Certificate).
    pub measures: Vec<Measure>,
}

impl FrameCertificate {
    /// A measure by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }
}
