//! Area of the triangles and enclosed volume, kept while edges are relaxed.
//!
//! Edges keep lengths, and a fold can lose area and volume without changing a single one by much. Two
//! constraints of position based dynamics push back, each after the edges of an iteration, with a stiffness k
//! in [0, 1]:
//!
//! ```text
//! area     C = ½|N| − A₀        N = (x₁ − x₀) × (x₂ − x₀),  n = N/|N|,   ∂C/∂x₁ = ½ (x₂ − x₀) × n,   ∂C/∂x₂ = ½ n × (x₁ − x₀)
//! volume   C = Σ V(o, a, b, c) − V₀   over all triangles, with the tetrahedra that they make with a point o
//! ```
//!
//! and the step Δx_j = −k w_j ∇_j C · C / Σ w|∇C|² (Müller et al. 2007, sections 3.3 and 4.4).

use nalgebra::Vector3;
use pliant_constraints::{Constraint, TetVolume, Update, project};
use pliant_mesh::TriMesh;

use crate::error::{BindError, check_share};

/// Keeps the area of a triangle at `rest`.
///
/// *Hazard.* A triangle without area has no normal to grow in; its gradient counts as zero and the projection
/// leaves it alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TriangleArea {
    /// Rest area A₀, m².
    pub(crate) rest: f64,
}

impl Constraint<f64, 3> for TriangleArea {
    fn value(&self, x: &[Vector3<f64>; 3]) -> f64 {
        0.5 * (x[1] - x[0]).cross(&(x[2] - x[0])).norm() - self.rest
    }

    fn value_and_gradient(&self, x: &[Vector3<f64>; 3]) -> (f64, [Vector3<f64>; 3]) {
        let (b, c) = (x[1] - x[0], x[2] - x[0]);
        let normal = b.cross(&c);
        let doubled = normal.norm();
        let n = if doubled > 0.0 { normal / doubled } else { Vector3::zeros() };
        let (g1, g2) = (c.cross(&n) * 0.5, n.cross(&b) * 0.5);
        (0.5 * doubled - self.rest, [-(g1 + g2), g1, g2])
    }
}

/// How strongly area and volume are kept, each from 0 (not at all) to 1 (in full, once per iteration).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Preserve {
    /// Stiffness of the triangles' areas.
    pub area: f64,
    /// Stiffness of the enclosed volume; above 0 for closed surfaces only.
    pub volume: f64,
}

/// The constraints of a mesh.
#[derive(Debug, Clone)]
pub(super) struct Preserved {
    settings: Preserve,
    triangles: Vec<[u32; 3]>,
    areas: Vec<f64>,
    volume: f64,
    gradient: Vec<Vector3<f64>>,
}

impl Preserved {
    /// Takes areas and volume of a rest mesh; `None` if nothing is to be preserved.
    pub(super) fn new(rest: &TriMesh, settings: Preserve) -> Result<Option<Self>, BindError> {
        check_share("the stiffness of areas", settings.area)?;
        check_share("the stiffness of the volume", settings.volume)?;
        if settings == Preserve::default() {
            return Ok(None);
        }
        let hinges = rest.hinges();
        if settings.volume > 0.0 && (!hinges.is_closed() || rest.triangles().is_empty()) {
            let (boundary, non_manifold) = (hinges.boundary.len(), hinges.non_manifold.len());
            return Err(BindError::Open { boundary, non_manifold });
        }
        let areas = (0..rest.triangles().len()).map(|t| rest.triangle_area(t)).collect();
        let mut preserved =
            Self { settings, triangles: rest.triangles().to_vec(), areas, volume: 0.0, gradient: Vec::new() };
        preserved.volume = preserved.volume_and_gradient(rest.positions());
        Ok(Some(preserved))
    }

    /// One pass: the areas one after the other, then the volume. `w` are inverse masses.
    pub(super) fn apply(&mut self, x: &mut [Vector3<f64>], w: &[f64]) {
        if self.settings.area > 0.0 {
            for (t, &rest) in self.triangles.iter().zip(&self.areas) {
                let i = t.map(|v| v as usize);
                let update = Update::pbd(self.settings.area);
                let moved = project(
                    &TriangleArea { rest },
                    &i.map(|v| x[v]),
                    &i.map(|v| w[v]),
                    0.0,
                    update,
                    &mut [0.0],
                );
                i.iter().zip(moved).for_each(|(&v, d)| x[v] += d);
            }
        }
        if self.settings.volume > 0.0 {
            let missing = self.volume - self.volume_and_gradient(x);
            let mass: f64 = self.gradient.iter().zip(w).map(|(g, w)| w * g.norm_squared()).sum();
            if mass > 0.0 {
                let lambda = self.settings.volume * missing / mass;
                for ((x, g), w) in x.iter_mut().zip(&self.gradient).zip(w) {
                    *x += g * (lambda * w);
                }
            }
        }
    }

    /// The enclosed volume, m³; leaves its gradient behind.
    fn volume_and_gradient(&mut self, x: &[Vector3<f64>]) -> f64 {
        self.gradient.clear();
        self.gradient.resize(x.len(), Vector3::zeros());
        let Some(first) = self.triangles.first() else { return 0.0 };
        // The sum does not depend on the point; a near one keeps the digits.
        let origin = x[first[0] as usize];
        let mut volume = 0.0;
        for t in &self.triangles {
            let i = t.map(|v| v as usize);
            let (value, [_, g1, g2, g3]) =
                TetVolume { rest: 0.0 }.value_and_gradient(&[origin, x[i[0]], x[i[1]], x[i[2]]]);
            volume += value;
            i.iter().zip([g1, g2, g3]).for_each(|(&v, g)| self.gradient[v] += g);
        }
        volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pliant_testkit::constraint_suite!(mod area, free, 3 points, |x| TriangleArea {
        rest: TriangleArea { rest: 0.0 }.value(x)
    });

    #[test]
    fn a_squeezed_ball_gets_its_volume_back() {
        let ball = TriMesh::icosphere(1.0, 3).unwrap();
        let settings = Preserve { volume: 1.0, area: 0.0 };
        let mut preserved = Preserved::new(&ball, settings).unwrap().unwrap();
        let mut x: Vec<_> =
            ball.positions().iter().map(|p| p.component_mul(&Vector3::new(1.0, 0.5, 1.0))).collect();
        for _ in 0..5 {
            preserved.apply(&mut x, &vec![1.0; ball.positions().len()]);
        }
        let volume = ball.with_positions(x).unwrap().enclosed_volume();
        assert!((volume / ball.enclosed_volume() - 1.0).abs() < 1e-9, "{volume}");
    }

    #[test]
    fn fixed_vertices_stay_and_open_meshes_have_no_volume() {
        let sheet = TriMesh::grid([3, 3], [1.0, 1.0]).unwrap();
        let open = Preserved::new(&sheet, Preserve { volume: 0.5, area: 0.0 });
        assert!(matches!(open, Err(BindError::Open { boundary: 8, non_manifold: 0 })));
        assert!(Preserved::new(&sheet, Preserve::default()).unwrap().is_none());
        let mut area = Preserved::new(&sheet, Preserve { area: 1.0, volume: 0.0 }).unwrap().unwrap();
        let start: Vec<_> = sheet.positions().iter().map(|p| p * 0.5).collect();
        let (mut x, mut w) = (start.clone(), vec![1.0; 9]);
        w[4] = 0.0;
        for _ in 0..200 {
            area.apply(&mut x, &w);
        }
        assert_eq!(x[4], start[4]);
        let grown = sheet.with_positions(x).unwrap();
        assert!((grown.area() - 1.0).abs() < 1e-6, "{}", grown.area());
    }
}
