//! [`Membrane`] and [`Continuum`]: what a body is made of, by physical parameters.
//!
//! Both use finite elements instead of springs, so that a mesh may be refined without becoming stiffer or softer.

use nalgebra::Vector3;
use pliant_constraints::{
    Elastic, ElasticError, Lame, ModuliError, NeoHookeanTet, Orthotropic, StVkMembrane, StVkTet,
};

/// Moduli of an isotropic material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moduli {
    /// As materials are tabulated.
    Young {
        /// Young's modulus E, Pa. Positive.
        young: f64,
        /// Poisson's ratio ν: in (−1, ½) for a solid, in (−1, 1) for a sheet in plane stress.
        poisson: f64,
    },
    /// Lamé's moduli μ and λ of the energy, used as they are.
    Lame(Lame),
}

impl Moduli {
    /// From Young's modulus `young`, Pa, and Poisson's ratio.
    #[must_use]
    pub fn young(young: f64, poisson: f64) -> Self {
        Self::Young { young, poisson }
    }

    /// From μ and λ, Pa.
    #[must_use]
    pub fn lame(mu: f64, lambda: f64) -> Self {
        Self::Lame(Lame { mu, lambda })
    }

    fn resolve(self, convert: fn(f64, f64) -> Result<Lame, ModuliError>) -> Result<Lame, ModuliError> {
        match self {
            Self::Young { young, poisson } => convert(young, poisson),
            Self::Lame(lame) => Ok(lame),
        }
    }
}

/// Cloth as a thin elastic sheet: each triangle resists stretching and shearing in its plane (Saint
/// Venant–Kirchhoff, plane stress).
///
/// It does not resist bending; see [`Body::bend_isometric`](crate::Body::bend_isometric). Equations and
/// source: [`StVkMembrane`].
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::Orthotropic;
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Membrane, Simulation};
///
/// // Half a millimetre of denim-like twill, ten times stiffer along its threads than across the bias.
/// let twill = Orthotropic { warp: 2e6, weft: 1e6, poisson: 0.1, shear: 1e5 };
/// let sheet = Body::cloth(TriMesh::grid([9, 9], [0.4, 0.4])?)
///     .area_density(0.4)
///     .membrane(Membrane::orthotropic(twill, Vector3::x(), 5e-4))
///     .pin_vertices([0, 8]);
/// let mut sim = Simulation::builder().body(sheet).build()?;
/// let frame = sim.step(1.0 / 60.0)?;
/// assert_eq!(frame.residuals[0].name, "membranes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Membrane {
    law: MembraneLaw,
    thickness: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum MembraneLaw {
    /// One for all triangles, or one for each.
    Isotropic(Vec<Moduli>),
    Orthotropic(Orthotropic, Vector3<f64>),
}

impl Membrane {
    /// An isotropic sheet: Young's modulus `young`, Pa, Poisson's ratio `poisson` in (−1, 1), and `thickness`, m.
    #[must_use]
    pub fn isotropic(young: f64, poisson: f64, thickness: f64) -> Self {
        Self::with_moduli(vec![Moduli::young(young, poisson)], thickness)
    }

    /// An isotropic sheet with the given moduli: one for all triangles, or one for each in the order of the mesh.
    #[must_use]
    pub fn with_moduli(moduli: Vec<Moduli>, thickness: f64) -> Self {
        Self { law: MembraneLaw::Isotropic(moduli), thickness }
    }

    /// A woven sheet of `thickness`, m, whose warp runs along `warp` at rest. Only the part of the direction
    /// in the plane of each triangle counts.
    #[must_use]
    pub fn orthotropic(moduli: Orthotropic, warp: Vector3<f64>, thickness: f64) -> Self {
        Self { law: MembraneLaw::Orthotropic(moduli, warp), thickness }
    }

    /// Number of moduli that are given for single triangles; `None` where one serves for all.
    pub(crate) fn listed(&self) -> Option<usize> {
        match &self.law {
            MembraneLaw::Isotropic(moduli) if moduli.len() != 1 => Some(moduli.len()),
            _ => None,
        }
    }

    pub(crate) fn element(
        &self,
        triangle: usize,
        rest: &[Vector3<f64>; 3],
    ) -> Result<Elastic<StVkMembrane<f64>>, ElasticError> {
        match &self.law {
            MembraneLaw::Isotropic(moduli) => {
                let lame = one_or_each(moduli, triangle).resolve(Lame::plane_stress)?;
                StVkMembrane::isotropic(rest, lame, self.thickness)
            }
            MembraneLaw::Orthotropic(moduli, warp) => {
                StVkMembrane::orthotropic(rest, moduli, warp, self.thickness)
            }
        }
    }
}

/// A solid as an elastic continuum: each tetrahedron resists every change of its shape.
///
/// ```
/// use pliant_mesh::{Split, TetMesh};
/// use pliant_solver::{Body, Continuum, Simulation};
///
/// // Soft silicone, nearly incompressible.
/// let block = TetMesh::block([3, 3, 3], [0.1; 3], Split::Kuhn)?;
/// let body = Body::solid(block).density(1070.0).continuum(Continuum::neo_hookean(2e5, 0.45));
/// let mut sim = Simulation::builder().gravity([0.0; 3]).body(body).build_as::<f64>()?;
/// let frame = sim.step(1.0 / 60.0)?;
/// assert!(frame.energy.elastic.abs() < 1e-9, "free of stress as it was made");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Continuum {
    law: Law,
    stabilised: bool,
    moduli: Vec<Moduli>,
}

/// The energy of a [`Continuum`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Law {
    NeoHookean,
    StVk,
}

/// A tetrahedron of either law.
pub(crate) enum Tet {
    NeoHookean(Elastic<NeoHookeanTet<f64>>),
    StVk(Elastic<StVkTet<f64>>),
}

impl Continuum {
    /// Stable neo-Hookean material of Young's modulus `young`, Pa, and Poisson's ratio `poisson` in (−1, ½):
    /// the choice for large deformations, because flat and inverted tetrahedra are turned back. Equations,
    /// hazards and source: [`NeoHookeanTet`].
    ///
    /// *Substeps.* The rows of this material are not zero at rest, and a projection neglects the rotation of
    /// their gradients; that part of the stiffness would act as in explicit integration. A body that is too
    /// stiff, too light or too thin for the substeps would gain energy. So the material is *stabilised*: it
    /// compensates for that, and gives way more than its moduli imply if the substeps are too long; see
    /// [`StabilisedNeoHookeanTet`](pliant_constraints::StabilisedNeoHookeanTet), and [`plain`](Continuum::plain) for
    /// the material without.
    #[must_use]
    pub fn neo_hookean(young: f64, poisson: f64) -> Self {
        Self::neo_hookean_with(vec![Moduli::young(young, poisson)])
    }

    /// Stable neo-Hookean material with the given moduli: one for all tetrahedra, or one for each in the
    /// order of the mesh.
    #[must_use]
    pub fn neo_hookean_with(moduli: Vec<Moduli>) -> Self {
        Self { law: Law::NeoHookean, stabilised: true, moduli }
    }

    /// Saint Venant–Kirchhoff material of Young's modulus `young`, Pa, and Poisson's ratio `poisson` in (−1,
    /// ½): linear elasticity for large rotations. Do not use it for bodies that fall, are squeezed or
    /// collide: compressed below 58 % of its length an element gets softer instead of stiffer, nothing keeps
    /// it from turning inside out, and its energy does not distinguish a tetrahedron from its mirror image.
    /// Equations and source: [`StVkTet`].
    #[must_use]
    pub fn stvk(young: f64, poisson: f64) -> Self {
        Self::stvk_with(vec![Moduli::young(young, poisson)])
    }

    /// Saint Venant–Kirchhoff material with the given moduli: one for all tetrahedra, or one for each in the
    /// order of the mesh.
    #[must_use]
    pub fn stvk_with(moduli: Vec<Moduli>) -> Self {
        Self { law: Law::StVk, stabilised: false, moduli }
    }

    /// Removes the compensation of neo-Hookean material: every projection is the plain one of XPBD. Nothing
    /// changes if the substeps are short enough, nor for Saint Venant–Kirchhoff material, whose rows are zero
    /// at rest. If they are slightly too long, plain material is more accurate; if they are much too long, it
    /// gains energy and bursts.
    ///
    /// ```
    /// use pliant_mesh::{Split, TetMesh};
    /// use pliant_solver::{Body, Continuum, Simulation};
    ///
    /// // Stiff rubber that hangs by a corner, with ten substeps where plain material would need a hundred.
    /// let energy = |rubber: Continuum| -> Result<f64, Box<dyn std::error::Error>> {
    ///     let block = TetMesh::block([3, 3, 3], [0.1; 3], Split::Kuhn)?;
    ///     let body = Body::solid(block).density(1000.0).continuum(rubber).pin_vertices([0]);
    ///     let mut sim = Simulation::builder().substeps(10).body(body).build()?;
    ///     (0..30).try_for_each(|_| sim.advance(1.0 / 60.0))?;
    ///     Ok(sim.report().energy.elastic)
    /// };
    /// let rubber = Continuum::neo_hookean(1e7, 0.45);
    /// assert!(energy(rubber.clone())? < 0.1 * energy(rubber.plain())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plain(self) -> Self {
        Self { stabilised: false, ..self }
    }

    /// Whether it is stabilised.
    pub(crate) fn is_stabilised(&self) -> bool {
        self.stabilised
    }

    /// Whether its energy distinguishes a tetrahedron from its mirror image.
    pub(crate) fn knows_inversion(&self) -> bool {
        self.law == Law::NeoHookean
    }

    /// Whether it gets softer under compression.
    pub(crate) fn softens(&self) -> bool {
        self.law == Law::StVk
    }

    /// Number of moduli that are given for single tetrahedra; `None` where one serves for all.
    pub(crate) fn listed(&self) -> Option<usize> {
        Some(self.moduli.len()).filter(|&n| n != 1)
    }

    pub(crate) fn element(&self, tet: usize, rest: &[Vector3<f64>; 4]) -> Result<Tet, ElasticError> {
        let moduli = one_or_each(&self.moduli, tet);
        Ok(match self.law {
            Law::NeoHookean => {
                let lame = moduli.resolve(Lame::neo_hookean)?;
                Tet::NeoHookean(NeoHookeanTet::with_moduli(rest, lame)?)
            }
            Law::StVk => Tet::StVk(StVkTet::elastic(rest, moduli.resolve(Lame::solid)?)?),
        })
    }
}

/// The number of moduli was checked.
fn one_or_each(moduli: &[Moduli], element: usize) -> Moduli {
    moduli[if moduli.len() == 1 { 0 } else { element }]
}
