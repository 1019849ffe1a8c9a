//! [`DisjointParticles`]: shared write access to particles by constraints that touch different ones.

use std::marker::PhantomData;
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU32, Ordering};

use crate::number::Number;
use crate::particles::Particle;

/// The particles of a simulation, writable by several threads as long as no two touch the same one.
pub(super) struct DisjointParticles<'a, T: Number> {
    start: *mut Particle<T>,
    len: usize,
    exclusive: PhantomData<&'a mut [Particle<T>]>,
    #[cfg(debug_assertions)]
    writers: Option<Writers<'a>>,
}

/// Debug builds mark each particle with the colour that last wrote it.
#[cfg(debug_assertions)]
#[derive(Clone, Copy)]
pub(super) struct Writers<'a> {
    /// One mark per particle.
    pub(super) marks: &'a [AtomicU32],
    /// The mark of the colour at work; never used before for these marks.
    pub(super) epoch: u32,
}

// SAFETY: all access goes through `load` and `store`, whose callers promise that no two threads touch the same particle
// between two synchronisation points. `Particle<T>` is plain data.
unsafe impl<T: Number> Sync for DisjointParticles<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Number> Send for DisjointParticles<'_, T> {}

impl<'a, T: Number> DisjointParticles<'a, T> {
    pub(super) fn new(
        particles: &'a mut [Particle<T>],
        #[cfg(debug_assertions)] writers: Option<Writers<'a>>,
    ) -> Self {
        Self {
            start: particles.as_mut_ptr(),
            len: particles.len(),
            exclusive: PhantomData,
            #[cfg(debug_assertions)]
            writers,
        }
    }

    /// Reads a particle.
    ///
    /// # Safety
    ///
    /// `index` is below the number of particles, and no other thread writes this particle now.
    #[inline(always)]
    pub(super) unsafe fn load(&self, index: u32) -> Particle<T> {
        debug_assert!((index as usize) < self.len);
        // SAFETY: in range and not written by another thread, as the caller promises.
        unsafe { *self.start.add(index as usize) }
    }

    /// Writes the position of a particle.
    ///
    /// # Safety
    ///
    /// `index` is below the number of particles, and no other thread reads or writes this particle now.
    ///
    /// # Panics
    ///
    /// In debug builds, if the particle has been written in the same colour before.
    #[inline(always)]
    pub(super) unsafe fn store(&self, index: u32, x: nalgebra::Vector3<T>) {
        debug_assert!((index as usize) < self.len);
        #[cfg(debug_assertions)]
        if let Some(Writers { marks, epoch }) = self.writers {
            let earlier = marks[index as usize].swap(epoch, Ordering::Relaxed);
            assert_ne!(earlier, epoch, "particle {index} is written by two constraints of one colour");
        }
        // SAFETY: in range and not accessed by another thread, as the caller promises.
        unsafe { (*self.start.add(index as usize)).x = x }
    }
}
