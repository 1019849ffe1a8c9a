//! Lists outlive frames; where a state is restored, they are made again as they came about.

use pliant_kernel::{Particle, Scalar, Team};

use super::CollisionSet;
use crate::collide::history::{Course, History, ListHistory};
use crate::set::constraint_set::Begin;

/// Lists are made anew at the start of a frame if so many new paths were given to each particle since, on the mean, or so
/// often: it would take too long to make them again as they came about.
const PATHS: f64 = 0.5;
const UPDATES: usize = 256;

impl<T: Scalar> CollisionSet<T> {
    /// Decides whether lists go on in a frame that begins, and makes those again that belong to a state that was restored.
    pub(super) fn begin_frame(&mut self, substep: &Begin<'_, T>, team: Team<'_>) {
        if let Some(history) = self.recalled.take() {
            self.paths.go_on(&history.course);
            match &history.lists {
                Some(lists) if self.suit(&history.course, &lists.held, substep) => {
                    self.list_as_then(&history.course, lists, team);
                }
                _ => self.paths.expire(),
            }
        } else if !self.may_outlive() || !self.suit(self.paths.course(), &self.held, substep) {
            self.paths.expire();
        }
    }

    /// Whether the lists may serve beyond the frame in which they were made.
    fn may_outlive(&self) -> bool {
        let (paths, updates) = self.paths.given();
        let most = PATHS * self.surface.vertices().len() as f64;
        !self.tangle.is_open() && !self.paths.course().is_over() && updates <= UPDATES && paths as f64 <= most
    }

    /// Whether lists of this course, of when these were held, suit a substep.
    fn suit(&self, course: &Course<T>, held: &[bool], substep: &Begin<'_, T>) -> bool {
        let is_held = |p: &Particle<T>| p.w <= T::zero();
        let mut vertices = self.surface.vertices().iter().map(|&v| v as usize);
        course.h == substep.h && vertices.all(|v| held[v] == is_held(&substep.now[v]))
    }

    /// How lists came about, as far as the next frame has to know it.
    pub(super) fn tell(&self) -> History<T> {
        let lists = self.may_outlive().then(|| {
            let (ways, horizon, updates) = self.paths.history();
            let strays = self.surface.vertices().iter().copied().filter(|&v| self.is_stray[v as usize]);
            ListHistory {
                ways,
                horizon,
                held: self.held.clone(),
                updates,
                strays: strays.collect(),
                islands: self.islands.of_bodies().to_vec(),
            }
        });
        History { course: *self.paths.course(), lists }
    }

    /// Makes lists again as they came about.
    fn list_as_then(&mut self, course: &Course<T>, lists: &ListHistory<T>, team: Team<'_>) {
        self.held.copy_from_slice(&lists.held);
        self.is_stray.fill(false);
        self.paths.go_back(&lists.ways, lists.horizon, course);
        self.list_all(team);
        for update in &lists.updates {
            self.paths.follow(update);
            self.strays.clear();
            self.strays.extend(update.strays.iter().map(|&(v, _)| v));
            self.strays.iter().for_each(|&v| self.is_stray[v as usize] = true);
            self.list_again(team);
        }
        self.paths.go_on(course);
        lists.strays.iter().for_each(|&v| self.is_stray[v as usize] = true);
        self.islands.set(&lists.islands);
    }
}
