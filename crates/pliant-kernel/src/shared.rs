//! [`Shared`]: a pointer for several threads.

/// A pointer that several threads use for places of their own.
pub(crate) struct Shared<X>(pub(crate) *mut X);

// SAFETY: code that dereferences it ensures that no two threads do so at the same place between two barriers.
// It points to plain data.
unsafe impl<X: Send> Sync for Shared<X> {}

impl<X> Shared<X> {
    /// The pointer; a method, so that closures capture the `Shared` and not the pointer in it.
    pub(crate) fn get(&self) -> *mut X {
        self.0
    }
}
