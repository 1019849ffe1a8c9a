//! The materials that scenes know by name: typical values of real ones, each with its source.
//!
//! Every material differs from piece to piece, rubber by a factor of three and muscle by more; these numbers
//! are a good start, not a measurement of your material. Fabrics are given by their stiffness per width, N/m,
//! because that is what is measured: their thickness depends on the pressure of the gauge.

use pliant_constraints::Orthotropic;

use crate::suggest::nearest;

/// A material that scenes know by name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Its name in scenes.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its numbers.
    pub values: MaterialValues,
    /// The ranges in the sources; `None` for fabrics, each of which was measured once.
    pub ranges: Option<MaterialRanges>,
    /// The source of the numbers.
    pub source: &'static str,
}

/// From the least to the largest number that the sources of a [`Material`] give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialRanges {
    /// Young's modulus at small strain, Pa.
    pub young: [f64; 2],
    /// Poisson's ratio. If the range is above 0.49, the material has 0.49, because linear tetrahedra lock
    /// closer to ½.
    pub poisson: [f64; 2],
    /// Density, kg/m³.
    pub density: [f64; 2],
}

/// The numbers of a [`Material`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaterialValues {
    /// A material of solids and, with a thickness, of sheets.
    Bulk {
        /// Young's modulus at small strain, Pa.
        young: f64,
        /// Poisson's ratio.
        poisson: f64,
        /// Density, kg/m³.
        density: f64,
    },
    /// A material of cloth only.
    Fabric(Fabric),
}

/// A woven or knitted fabric at small strain. The stress per width is K ε, N/m, for ε = (warp, weft) and
/// 2·`shear`·E12 in shear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fabric {
    /// K11: along the stiffer direction, here called the warp, N/m.
    pub warp: f64,
    /// K22: across it, N/m.
    pub weft: f64,
    /// K12: between the two, N/m.
    pub coupling: f64,
    /// Shear stiffness, N/m.
    pub shear: f64,
    /// Density, kg/m².
    pub area_density: f64,
    /// Flexural rigidity, N·m.
    pub bending: f64,
}

impl Fabric {
    /// The moduli of a sheet of 1 m thickness with the stiffness of the fabric.
    pub(crate) fn moduli(&self) -> Orthotropic {
        let left = 1.0 - self.coupling * self.coupling / (self.warp * self.weft);
        Orthotropic {
            warp: self.warp * left,
            weft: self.weft * left,
            poisson: self.coupling / self.weft,
            shear: self.shear,
        }
    }
}

const fn bulk(young: f64, poisson: f64, density: f64) -> MaterialValues {
    MaterialValues::Bulk { young, poisson, density }
}

/// From the measurements of Wang et al.: the row [k11, k12, k22, k33] for small strain, N/m, and the bending
/// stiffness ke for small curvature along the warp, µN·m.
///
/// The authors' program, ARCSim, defines the meaning of the numbers. Its forces are those of the energies
///
/// ```text
/// ½ k11 E11² + k12 E11 E22 + ½ k22 E22² + k33 E12²   per area: σ12 = k33 E12, where a sheet of shear stiffness G has 2 G E12
/// ke l² θ²/(8 (A0 + A1))                             per hinge, where a plate of rigidity D has ½ D l² θ²/(A0 + A1)
/// ```
///
/// so that G = k33/2 and D = ke/4. Source of the hinge: Bridson, Marino & Fedkiw 2003, section 4, whose force
/// has ke l²/(|N1| + |N2|) sin(θ/2) with normals of twice the areas.
const fn measured([k11, k12, k22, k33]: [f64; 4], area_density: f64, ke: f64) -> MaterialValues {
    MaterialValues::Fabric(Fabric {
        warp: k22,
        weft: k11,
        coupling: k12,
        shear: 0.5 * k33,
        area_density,
        bending: 1e-6 * ke / 4.0,
    })
}

const WANG: &str = "Wang, O'Brien & Ramamoorthi, \"Data-driven elastic models for cloth\" (2011), with its data as ARCSim has them";

/// The addition to the error for `"silk"`. 16 momme, a usual weight, at 4.340 g/m² are 0.07 kg/m².
const SILK: &str = "; silk is not among them, because no source has all its numbers: use `material = \"polyester\"` with `area_density = 0.07`, or measured numbers";

/// Poisson's ratios of rubbers and flesh are closer to ½ than 0.49; linear tetrahedra lock there. Silk is
/// missing ([`SILK`]): no source was found that has all the numbers of one piece of it.
const TABLE: &[Material] = &[
    Material {
        name: "rubber",
        about: "natural rubber, vulcanised, unfilled",
        values: bulk(1.2e6, 0.49, 930.0),
        ranges: Some(MaterialRanges {
            young: [1.2e6, 2.5e6],
            poisson: [0.4998, 0.4999],
            density: [910.0, 930.0],
        }),
        source: "Treloar, The Physics of Rubber Elasticity (1975): shear modulus 0.39 MPa, E three times that; E up to 2.5 MPa and density: Ashby, Materials Selection in Mechanical Design (2011), appendix A; bulk modulus 2 GPa: Wood & Martin, J. Res. NBS 68A (1964)",
    },
    Material {
        name: "silicone",
        about: "silicone elastomer (Sylgard 184, cured at 25 °C)",
        values: bulk(1.32e6, 0.49, 1030.0),
        ranges: Some(MaterialRanges {
            young: [1.32e6, 2.97e6],
            poisson: [0.494, 0.496],
            density: [1030.0, 1030.0],
        }),
        source: "Johnston et al., J. Micromech. Microeng. 24 (2014) 035017: 1.32 MPa cured at 25 °C to 2.97 MPa at 200 °C; ν: Müller, Wapler & Wallrabe, Soft Matter 15 (2019); density: Dow's data sheet",
    },
    Material {
        name: "soft-silicone",
        about: "very soft silicone (Ecoflex 00-30)",
        values: bulk(6.9e4, 0.49, 1070.0),
        ranges: Some(MaterialRanges {
            young: [6.9e4, 6.9e4],
            poisson: [0.49, 0.5],
            density: [1070.0, 1070.0],
        }),
        source: "Smooth-On's data sheet: 10 psi at 100 % elongation, specific gravity 1.07; ν as of other silicones",
    },
    Material {
        name: "muscle",
        about: "skeletal muscle, relaxed",
        values: bulk(1.2e4, 0.49, 1050.0),
        ranges: Some(MaterialRanges { young: [8e3, 1.6e4], poisson: [0.49, 0.5], density: [1050.0, 1050.0] }),
        source: "Engler et al., J. Cell Biol. 166 (2004): 12 ± 4 kPa; density: ICRU report 44 (1989); ν as of water",
    },
    Material {
        name: "fat",
        about: "adipose tissue",
        values: bulk(3.25e3, 0.49, 950.0),
        ranges: Some(MaterialRanges {
            young: [2.34e3, 4.16e3],
            poisson: [0.49, 0.5],
            density: [950.0, 950.0],
        }),
        source: "Samani, Zubovits & Plewes, Phys. Med. Biol. 52 (2007): 3.25 ± 0.91 kPa; density: ICRU report 44 (1989); ν as of water",
    },
    Material {
        name: "cork",
        about: "cork, along the radius of the tree",
        values: bulk(2.0e7, 0.05, 170.0),
        ranges: Some(MaterialRanges { young: [1.3e7, 2.7e7], poisson: [0.0, 0.1], density: [120.0, 240.0] }),
        source: "Gibson, Easterling & Ashby, \"The structure and mechanics of cork\", Proc. R. Soc. A 377 (1981): 20 ± 7 MPa, 170 kg/m³; other densities: Ashby, Materials Selection in Mechanical Design (2011), appendix A",
    },
    Material {
        name: "cotton",
        about: "woven cotton for trousers (\"Royal Target\": 65 % cotton, 35 % polyester)",
        values: measured([2016.6, 9.171, 2035.0, 104.76], 0.220, 125.4),
        ranges: None,
        source: WANG,
    },
    Material {
        name: "denim",
        about: "denim of 11 oz for jeans (\"11oz Black Denim\": 99 % cotton, 1 % spandex)",
        values: measured([205.4, 10.23, 1013.9, 53.39], 0.324, 64.2),
        ranges: None,
        source: WANG,
    },
    Material {
        name: "knit",
        about: "rib knit of cotton for underwear (\"Ivory Rib Knit\": 95 % cotton, 5 % spandex)",
        values: measured([42.87, -0.2346, 65.17, 83.18], 0.276, 46.2),
        ranges: None,
        source: WANG,
    },
    Material {
        name: "polyester",
        about: "light polyester for jackets (\"Tango Red Jet Set\": 100 % polyester)",
        values: measured([43.07, 54.37, 171.4, 14.31], 0.113, 14.3),
        ranges: None,
        source: WANG,
    },
];

/// The materials that scenes know by name.
///
/// ```
/// let names: Vec<&str> = pliant_scene::materials().iter().map(|m| m.name).collect();
/// assert!(names.contains(&"rubber") && names.contains(&"denim"));
/// ```
#[must_use]
pub fn materials() -> &'static [Material] {
    TABLE
}

/// The material of a name; the error is what was expected.
pub(crate) fn named(name: &str) -> Result<&'static Material, String> {
    if let Some(found) = TABLE.iter().find(|material| material.name == name) {
        return Ok(found);
    }
    let names: Vec<&str> = TABLE.iter().map(|material| material.name).collect();
    let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let near = nearest(name, &names).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
    let silk = if name.to_lowercase().contains("silk") { SILK } else { "" };
    Err(format!("one of {list}{near}, or a table such as {{ young = 1e6, poisson = 0.3 }}{silk}"))
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_constraints::{IsometricBending, Lame, flexural_rigidity};

    use super::*;

    #[test]
    fn every_material_can_be_made() {
        for material in materials() {
            match material.values {
                MaterialValues::Bulk { young, poisson, density } => {
                    assert!(Lame::neo_hookean(young, poisson).is_ok(), "{}", material.name);
                    assert!(flexural_rigidity(young, poisson, 1e-3).is_ok() && density > 0.0);
                }
                MaterialValues::Fabric(fabric) => {
                    let k = fabric.moduli().stiffness().expect(material.name);
                    // The moduli reproduce the measurements.
                    for (found, given) in [
                        (k.k11, fabric.warp),
                        (k.k22, fabric.weft),
                        (k.k12, fabric.coupling),
                        (k.k33, 4.0 * fabric.shear),
                    ] {
                        assert!((found - given).abs() <= 1e-12 * k.k11, "{}: {found} {given}", material.name);
                    }
                    assert!(fabric.bending > 0.0 && fabric.warp >= fabric.weft);
                }
            }
            assert!(!material.source.is_empty() && named(material.name).is_ok());
        }
    }

    #[test]
    fn numbers_are_between_those_of_their_sources() {
        let within = |value: f64, [least, most]: [f64; 2]| (least..=most).contains(&value);
        for material in materials() {
            match (material.values, material.ranges) {
                (MaterialValues::Bulk { young, poisson, density }, Some(ranges)) => {
                    assert!(within(young, ranges.young), "{}: E = {young}", material.name);
                    assert!(within(density, ranges.density), "{}: {density} kg/m³", material.name);
                    // As close to the measurement as elements allow.
                    let [least, most] = ranges.poisson.map(|nu| nu.min(0.49));
                    assert!(within(poisson, [least, most]), "{}: ν = {poisson}", material.name);
                }
                (MaterialValues::Bulk { .. }, None) => panic!("{} has no ranges", material.name),
                (MaterialValues::Fabric(fabric), ranges) => {
                    assert!(ranges.is_none(), "{}", material.name);
                    // Clothing weighs 0.05 to 0.5 kg/m² and bends with 10⁻⁶ to 10⁻³ N·m.
                    assert!(within(fabric.area_density, [0.05, 0.5]), "{}", material.name);
                    assert!(within(fabric.bending, [1e-6, 1e-3]), "{}", material.name);
                }
            }
        }
    }

    /// The energies of ARCSim, of which the stiffnesses of fabrics are the coefficients.
    #[test]
    fn fabrics_have_the_energies_in_which_they_were_measured() {
        let [k11, k12, k22, k33] = [205.352_005, 10.234_077, 1_013.886_29, 53.387_184];
        let ke = 64.196_457;
        let MaterialValues::Fabric(fabric) = measured([k11, k12, k22, k33], 0.324, ke) else {
            unreachable!()
        };

        // Warp and weft are named the other way round.
        let [e11, e22, e12] = [0.01, -0.02, 0.03];
        let strain = [e22, e11, e12];
        let stress = fabric.moduli().stiffness().expect("of denim").stress(strain);
        let found: f64 = strain.iter().zip(stress).map(|(e, s)| 0.5 * e * s).sum();
        let theirs = 0.5 * k11 * e11 * e11 + k12 * e11 * e22 + 0.5 * k22 * e22 * e22 + k33 * e12 * e12;
        assert!((found / theirs - 1.0).abs() < 1e-12, "{found} {theirs}");

        // A hinge of unequal wings, folded a little, as `bending = { modulus = ..., model = "isometric" }` has it.
        let (length, a, b, theta) = (0.03, 0.02, 0.01, 1e-4_f64);
        let wing = |height: f64, angle: f64| Vector3::new(0.01, height * angle.cos(), height * angle.sin());
        let rest = [Vector3::zeros(), Vector3::x() * length, wing(a, 0.0), wing(-b, 0.0)];
        let bend = IsometricBending::elastic(&rest, fabric.bending / 3.0).expect("a hinge");
        let found = bend.energy(&[rest[0], rest[1], wing(a, theta), rest[3]]);
        let area = 0.5 * length * (a + b);
        let theirs = 1e-6 * ke * length * length * theta * theta / (8.0 * area);
        assert!((found / theirs - 1.0).abs() < 1e-6, "{found} {theirs}");
    }

    #[test]
    fn slips_are_recognised() {
        assert!(named("rubbr").unwrap_err().contains("did you mean `rubber`?"));
        assert!(!named("unobtainium").unwrap_err().contains("did you mean"));
        assert!(named("Silk").unwrap_err().contains("area_density = 0.07"));
        assert!(!named("unobtainium").unwrap_err().contains("silk"));
    }
}
