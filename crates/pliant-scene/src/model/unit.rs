//! Units of numbers.

/// A unit, with the largest number in it: far above anything that is simulated, and small enough that products of
/// several stay within single precision or are detected. Documented in the guide, "Keys of a scene".
pub trait Unit {
    /// The unit in messages; empty for numbers without one.
    const TEXT: &'static str;
    /// The largest number.
    const MOST: f64;
}

/// What is expected, with the unit after it.
pub(crate) fn after(unit: &str, expected: &str) -> String {
    if unit.is_empty() { expected.to_owned() } else { format!("{expected}, {unit}") }
}

macro_rules! units {
    ($($(#[$doc:meta])* $Name:ident = $text:literal, $most:literal;)+) => {
        $(
            $(#[$doc])*
            pub enum $Name {}

            impl Unit for $Name {
                const TEXT: &'static str = $text;
                const MOST: f64 = $most;
            }
        )+
    };
}

units! {
    /// No unit: a ratio.
    One = "", 1e12;
    /// m.
    Metre = "m", 1e9;
    /// s.
    Second = "s", 1e12;
    /// 1/s.
    PerSecond = "1/s", 1e9;
    /// Degrees.
    Degree = "degrees", 1e9;
    /// Degrees per second.
    DegreePerSecond = "degrees/s", 1e18;
    /// m/s; at most the velocity of light.
    MetrePerSecond = "m/s", 3e8;
    /// m/s².
    MetrePerSecondSquared = "m/s²", 1e12;
    /// rad/s.
    RadianPerSecond = "rad/s", 1e9;
    /// The unit of a mesh file, which the scene need not know.
    FileUnit = "in the unit of the file", 1e18;
    /// The unit of a mesh.
    MeshUnit = "in the unit of the mesh", 1e18;
    /// Pa; at most a thousand times the modulus of diamond.
    Pascal = "Pa", 1e15;
    /// N·m.
    NewtonMetre = "N·m", 1e15;
    /// kg/m³; at most the density of nuclear matter.
    KilogramPerCubicMetre = "kg/m³", 1e18;
    /// kg/m².
    KilogramPerSquareMetre = "kg/m²", 1e9;
    // Compliances and stiffnesses depend on the size of elements.
    /// m/N.
    MetrePerNewton = "m/N", 1e18;
    /// N/m.
    NewtonPerMetre = "N/m", 1e18;
    /// m³/Pa.
    CubicMetrePerPascal = "m³/Pa", 1e18;
    /// Pa/m³.
    PascalPerCubicMetre = "Pa/m³", 1e18;
    /// The unit of a compliance against bending: rad²/J, or m/N by distance.
    BendingCompliance = "rad²/J (m/N by distance)", 1e18;
    /// The unit of a stiffness against bending: J/rad², or N/m by distance.
    BendingStiffness = "J/rad² (N/m by distance)", 1e18;
}
