//! [`Recorded`]: positions of all frames, from a point cache or from a sequence of meshes.

use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{ImportError, PointCache, Sequence};

/// Positions of all frames.
pub(super) enum Recorded {
    Cache(PointCache),
    Meshes(Sequence),
}

impl Recorded {
    /// A point cache, or the meshes whose names have a `*` or a row of `#` in the place of their number.
    pub(super) fn read(path: &Path) -> Result<Self, ImportError> {
        let is_pattern = path.file_name().is_some_and(|name| name.to_string_lossy().contains(['*', '#']));
        if is_pattern {
            Sequence::open(path).map(Self::Meshes)
        } else {
            PointCache::read(path).map(Self::Cache)
        }
    }

    /// Points of a sample.
    pub(super) fn points(&self) -> usize {
        match self {
            Self::Cache(cache) => cache.vertex_count(),
            Self::Meshes(meshes) => meshes.first().positions().len(),
        }
    }

    pub(super) fn samples(&self) -> usize {
        match self {
            Self::Cache(cache) => cache.sample_count(),
            Self::Meshes(meshes) => meshes.len(),
        }
    }

    /// Animation frames from one sample to the next.
    pub(super) fn frames_per_sample(&self) -> f64 {
        match self {
            Self::Cache(cache) => cache.sample_rate(),
            Self::Meshes(_) => 1.0,
        }
    }

    /// The positions of a sample.
    pub(super) fn sample(&self, k: usize) -> Result<Vec<Vector3<f64>>, ImportError> {
        match self {
            Self::Cache(cache) => {
                Ok(cache.sample(k).iter().map(|p| Vector3::from(p.map(f64::from))).collect())
            }
            Self::Meshes(meshes) => meshes.frame(k),
        }
    }
}
