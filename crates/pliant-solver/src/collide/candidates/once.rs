//! [`Once`]: which particles of a bunch were seen already.

/// Places of the table: twice as many as eight pairs in each of sixteen packs have particles.
const PLACES: usize = 1024;
/// No particle.
const NOTHING: u32 = u32::MAX;

/// A table of up to 512 particles.
pub(super) struct Once([u32; PLACES]);

impl Once {
    pub(super) fn new() -> Self {
        Self([NOTHING; PLACES])
    }

    /// Whether a particle is asked for the first time.
    #[inline]
    pub(super) fn is_new(&mut self, particle: u32) -> bool {
        // The upper ten bits.
        let mut place = (particle.wrapping_mul(0x9e37_79b1) >> 22) as usize;
        while self.0[place] != NOTHING {
            if self.0[place] == particle {
                return false;
            }
            place = (place + 1) % PLACES;
        }
        self.0[place] = particle;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_many_is_new_once() {
        let mut once = Once::new();
        // Some of them meet in the table.
        let particles = (0..512).map(|i| if i % 2 == 0 { i } else { 1000 * i });
        for particle in particles.clone() {
            assert!(once.is_new(particle), "{particle}");
        }
        for particle in particles {
            assert!(!once.is_new(particle), "{particle}");
        }
    }
}
