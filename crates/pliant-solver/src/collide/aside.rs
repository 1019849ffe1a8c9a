//! [`Aside`]: what becomes of what is in the way of held particles, and [`Habit`], when that is not asked anew.

/// Substeps in which what is in the way goes along at once, at most, before it is asked again whether it has to.
const LONGEST: u32 = 15;

/// What becomes of what is in the way of held particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aside {
    /// It goes with them, and what touches it as well: displacements are averaged a few times.
    Along,
    /// The same, with what is farther from them: displacements are averaged often.
    FarAlong,
    /// It is put behind the planes that they leave.
    Behind,
}

impl Aside {
    /// This one, and then the others.
    pub(super) fn and_others(self) -> impl Iterator<Item = Self> {
        let others =
            [Self::Along, Self::FarAlong, Self::Behind].into_iter().filter(move |&aside| aside != self);
        std::iter::once(self).chain(others)
    }
}

/// For how many substeps what is in the way goes along at once, without being asked whether the displacement of its island
/// leaves it room: about twice as many each time that it does not.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Habit {
    left: u32,
    last: u32,
}

impl Habit {
    /// Whether it goes along at once in the next substep.
    pub(super) fn take(&mut self) -> bool {
        let at_once = self.left > 0;
        self.left -= u32::from(at_once);
        at_once
    }

    /// Whether it had room without that, where it was asked.
    pub(super) fn learn(&mut self, had_room: bool) {
        self.last = if had_room { 0 } else { (2 * self.last + 1).min(LONGEST) };
        self.left = self.last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_always_has_to_go_along_is_seldom_asked() {
        let asked = |had_room: fn(usize) -> bool| {
            let mut habit = Habit::default();
            let asks = |&substep: &usize| {
                let asks = !habit.take();
                if asks {
                    habit.learn(had_room(substep));
                }
                asks
            };
            (0..100).filter(asks).count()
        };
        assert_eq!(asked(|_| true), 100);
        assert_eq!(asked(|_| false), 9);
        // One in ten has no room: the next one is not asked.
        assert_eq!(asked(|substep| substep % 10 != 0), 90);
    }
}
