//! [`Shared`]: a pointer for several threads.

/// A pointer that several threads use for places of their own.
pub(crate) struct Shared<X>(pub(crate) *mut X);

// SAFETY: whoever dereferences it promises that no two threads do so at the same place between two barriers. What it points to is plain data.
unsafe impl<X: Send> Sync for Shared<X> {}

impl<X> Shared<X> {
    /// The pointer; a method, so that closures capture what is shared and not what it holds.
    pub(crate) fn get(&self) -> *mut X {
        self.0
    }
}
