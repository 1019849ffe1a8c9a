//! [`ListedStrays`]: the strays of a substep whose pairs are listed for the net.
//!
//! Their pairs hold as long as they go along the way by which they were listed, however far, and the islands keep their
//! frames. So while the net is drawn only those that stray meanwhile, or were put elsewhere, are listed.

use nalgebra::Vector3;
use pliant_contact::Strays;
use pliant_kernel::Scalar;

/// Which strays are listed, and beside which frames.
pub(super) struct ListedStrays<T: Scalar> {
    are_listed: Vec<bool>,
    listed: Vec<u32>,
    /// Those that are being listed, as flags and as a list.
    are_new: Vec<bool>,
    new: Vec<u32>,
    /// The displacements of the islands of all bodies at that time, m.
    frames: Vec<Vector3<T>>,
}

impl<T: Scalar> ListedStrays<T> {
    pub(super) fn new(particles: usize) -> Self {
        Self {
            are_listed: vec![false; particles],
            listed: Vec::new(),
            are_new: vec![false; particles],
            new: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// None are listed.
    pub(super) fn clear(&mut self) {
        for v in self.listed.drain(..) {
            self.are_listed[v as usize] = false;
        }
        self.frames.clear();
    }

    /// None are listed; those that will be go beside these frames.
    pub(super) fn begin(&mut self, frames: &[Vector3<T>]) {
        self.clear();
        self.frames.extend_from_slice(frames);
    }

    /// Whether the listed ones go beside these frames.
    pub(super) fn are_beside(&self, frames: &[Vector3<T>]) -> bool {
        self.frames == frames
    }

    /// Particles go another way.
    pub(super) fn forget(&mut self, particles: &[u32]) {
        for &v in particles {
            self.are_listed[v as usize] = false;
        }
    }

    /// Those of the strays that are not listed; from now on they are.
    pub(super) fn take_new(&mut self, strays: &[u32]) -> Strays<'_> {
        for v in self.new.drain(..) {
            self.are_new[v as usize] = false;
        }
        for &v in strays {
            if !std::mem::replace(&mut self.are_listed[v as usize], true) {
                self.are_new[v as usize] = true;
                self.new.push(v);
                self.listed.push(v);
            }
        }
        Strays { particles: &self.new, flags: &self.are_new }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_is_new_once_unless_it_goes_another_way() {
        let mut listed = ListedStrays::<f64>::new(6);
        let frames = [Vector3::x()];
        assert!(!listed.are_beside(&frames));
        listed.begin(&frames);
        assert!(listed.are_beside(&frames) && !listed.are_beside(&[Vector3::y()]));
        let mut new = |strays: &[u32], again: &[u32]| {
            listed.forget(again);
            let Strays { particles, flags } = listed.take_new(strays);
            let set = (0..6).filter(|&v| flags[v as usize]);
            let mut sorted = particles.to_vec();
            sorted.sort_unstable();
            assert_eq!(set.collect::<Vec<u32>>(), sorted);
            particles.to_vec()
        };
        assert_eq!(new(&[4, 1], &[]), [4, 1]);
        assert_eq!(new(&[4, 1, 2], &[]), [2]);
        assert_eq!(new(&[1, 2, 4], &[5, 4]), [4]);
        assert!(new(&[1, 2, 4], &[]).is_empty());
        listed.begin(&frames);
        assert_eq!(listed.take_new(&[1, 2]).particles, [1, 2]);
        listed.clear();
        assert!(!listed.are_beside(&frames) && listed.take_new(&[1]).particles == [1]);
    }
}
