//! [`Factors`]: factors of the stiffness of single elements.

use std::sync::Arc;

use nalgebra::Vector3;

use crate::error::body::BodyProblem;

/// How much stiffer than the rest of its body an element is: a positive factor for each.
///
/// ```
/// use pliant_mesh::{Split, TetMesh};
/// use pliant_solver::{Body, Continuum, Factors, Category, Simulation};
///
/// // A beam whose right half is ten times as stiff.
/// let beam = TetMesh::block([8, 2, 2], [0.8, 0.2, 0.2], Split::Kuhn)?;
/// let body = Body::solid(beam)
///     .continuum(Continuum::neo_hookean(1e5, 0.4))
///     .vary(Category::Solids, Factors::by_place(|x| if x.x > 0.4 { 10.0 } else { 1.0 }));
/// Simulation::builder().body(body).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Factors(Source);

#[derive(Clone)]
enum Source {
    List(Vec<f64>),
    #[allow(clippy::type_complexity, reason = "a shared function of a position")]
    Place(Arc<dyn Fn(&Vector3<f64>) -> f64 + Send + Sync>),
}

impl std::fmt::Debug for Factors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Source::List(list) => f.debug_tuple("Factors").field(&list.len()).finish(),
            Source::Place(_) => f.debug_tuple("Factors").field(&"by place").finish(),
        }
    }
}

impl From<Vec<f64>> for Factors {
    fn from(list: Vec<f64>) -> Self {
        Self(Source::List(list))
    }
}

impl Factors {
    /// A factor for every element, in the order in which the mesh numbers them.
    #[must_use]
    pub fn list(factors: impl Into<Vec<f64>>) -> Self {
        factors.into().into()
    }

    /// A factor by the place of the element at rest: the mean of its vertices, m.
    #[must_use]
    pub fn by_place(factor: impl Fn(&Vector3<f64>) -> f64 + Send + Sync + 'static) -> Self {
        Self(Source::Place(Arc::new(factor)))
    }

    /// The factors of elements with the given vertices; the error says what is wrong.
    pub(crate) fn resolve<const N: usize>(
        &self,
        elements: &[[u32; N]],
        positions: &[Vector3<f64>],
    ) -> Result<Vec<f64>, BodyProblem> {
        let factors: Vec<f64> = match &self.0 {
            Source::List(list) if list.len() == elements.len() => list.clone(),
            Source::List(list) => {
                return Err(BodyProblem::FactorCount { given: list.len(), elements: elements.len() });
            }
            Source::Place(factor) => elements
                .iter()
                .map(|element| {
                    let sum: Vector3<f64> = element.iter().map(|&v| positions[v as usize]).sum();
                    factor(&(sum / N as f64))
                })
                .collect(),
        };
        match factors.iter().position(|f| !(*f > 0.0 && f.is_finite())) {
            None => Ok(factors),
            Some(element) => Err(BodyProblem::Factor { element, value: factors[element] }),
        }
    }
}
