//! [`Hub`]: where the thread of the simulation leaves what the threads of the pages send.
//!
//! Only the last frame is kept. A page that reads slowly is sent the newest frame when it has read the one
//! before, so frames are dropped, memory is flat, and the simulation never waits.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a page hears something although nothing happens, so that one that is gone is noticed.
const PULSE: Duration = Duration::from_secs(2);

/// The kinds of messages to a page; each is preceded by its kind and its length, `u32` little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    Pulse = 0,
    Stage = 1,
    Frame = 2,
    Seat = 3,
}

/// What the pages are sent, and who they are.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stage: (u64, Arc<[u8]>),
    frame: (u64, Arc<[u8]>),
    /// The pages in the order in which they came; the first has the controls.
    seats: Vec<u64>,
    /// The number of the last page.
    last: u64,
    /// Changes with the seats.
    seating: u64,
    /// Pages that wait for a frame.
    waiting: usize,
    closing: bool,
}

/// What a page has been sent.
#[derive(Debug)]
pub(crate) struct Seat<'a> {
    hub: &'a Hub,
    pub(crate) page: u64,
    stage: u64,
    frame: u64,
    seating: u64,
}

impl Hub {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is a single assignment, so a state is whole whatever happened to a thread that had it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a page waits for a frame.
    pub(crate) fn is_awaited(&self) -> bool {
        self.state().waiting > 0
    }

    /// Number of pages.
    pub(crate) fn pages(&self) -> usize {
        self.state().seats.len()
    }

    pub(crate) fn put_stage(&self, version: u64, stage: Vec<u8>) {
        self.state().stage = (version, stage.into());
        self.changed.notify_all();
    }

    pub(crate) fn put_frame(&self, frame: Vec<u8>) {
        let mut state = self.state();
        state.frame = (state.frame.0 + 1, frame.into());
        self.changed.notify_all();
    }

    /// Ends all conversations.
    pub(crate) fn close(&self) {
        self.state().closing = true;
        self.changed.notify_all();
    }

    /// Gives a new page its seat.
    pub(crate) fn enter(&self) -> Seat<'_> {
        let mut state = self.state();
        state.last += 1;
        let page = state.last;
        state.seats.push(page);
        state.seating += 1;
        self.changed.notify_all();
        Seat { hub: self, page, stage: 0, frame: 0, seating: 0 }
    }

    /// Whether a page has the controls.
    pub(crate) fn has_controls(&self, page: u64) -> bool {
        self.state().seats.first() == Some(&page)
    }

    /// Gives a page the controls; not one that is gone.
    pub(crate) fn hand_over(&self, page: u64) -> bool {
        let mut state = self.state();
        let Some(at) = state.seats.iter().position(|&seat| seat == page) else { return false };
        state.seats[..=at].rotate_right(1);
        state.seating += 1;
        self.changed.notify_all();
        true
    }
}

impl Seat<'_> {
    /// Waits for the next message to the page; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<(Kind, Arc<[u8]>)> {
        let mut state = self.hub.state();
        loop {
            if state.closing {
                return None;
            }
            if self.seating != state.seating {
                self.seating = state.seating;
                let has_controls = state.seats.first() == Some(&self.page);
                let seat = serde_json::json!({ "page": self.page, "controls": has_controls, "pages": state.seats.len() });
                return Some((Kind::Seat, seat.to_string().into_bytes().into()));
            }
            if self.stage != state.stage.0 {
                self.stage = state.stage.0;
                return Some((Kind::Stage, Arc::clone(&state.stage.1)));
            }
            if self.frame != state.frame.0 {
                self.frame = state.frame.0;
                return Some((Kind::Frame, Arc::clone(&state.frame.1)));
            }
            state.waiting += 1;
            let waited = self.hub.changed.wait_timeout(state, PULSE);
            let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.waiting -= 1;
            if timeout.timed_out() {
                return Some((Kind::Pulse, Arc::from([])));
            }
        }
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut state = self.hub.state();
        state.seats.retain(|&page| page != self.page);
        state.seating += 1;
        self.hub.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_comes_late_is_sent_the_last_frame_only() {
        let hub = Hub::default();
        hub.put_stage(7, b"stage".to_vec());
        let mut seat = hub.enter();
        for frame in 0..100_u8 {
            hub.put_frame(vec![frame]);
        }
        let sent: Vec<_> = (0..3).map(|_| seat.next().unwrap()).collect();
        assert_eq!(
            sent.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(),
            [Kind::Seat, Kind::Stage, Kind::Frame]
        );
        assert_eq!(&*sent[2].1, [99]);
        hub.close();
        assert!(seat.next().is_none());
    }

    #[test]
    fn one_page_has_the_controls_and_they_pass_on() {
        let hub = Hub::default();
        let first = hub.enter();
        let second = hub.enter();
        let [one, two] = [first.page, second.page];
        assert!(hub.has_controls(one) && !hub.has_controls(two));
        assert!(hub.hand_over(two) && hub.has_controls(two) && !hub.has_controls(one));
        drop(second);
        assert!(hub.has_controls(one) && !hub.hand_over(two));
    }
}
