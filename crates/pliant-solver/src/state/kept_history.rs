//! Histories of lists of pairs as numbers, for files.

use pliant_kernel::Scalar;
use serde::{Deserialize, Serialize};

use crate::collide::history::{Course, History, ListHistory, Update, Way};

/// The path of a particle: where it is at first, and its step.
type KeptWay<T> = [[T; 3]; 2];

/// [`History`] as numbers. Every change needs another version of snapshots.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub(crate) struct KeptHistory<T> {
    /// The common step, and drifts: now and before.
    frame: [T; 3],
    drift: [[T; 3]; 2],
    drifts: bool,
    /// Age and horizon.
    substeps: [u32; 2],
    past: Option<f64>,
    slack: f64,
    h: f64,
    lists: Option<KeptLists<T>>,
}

/// [`ListHistory`] as numbers.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
struct KeptLists<T> {
    ways: Vec<KeptWay<T>>,
    horizon: u32,
    held: Vec<bool>,
    updates: Vec<KeptUpdate<T>>,
    strays: Vec<u32>,
    islands: Vec<u32>,
}

/// [`Update`] as numbers.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
struct KeptUpdate<T> {
    substeps: [u32; 2],
    drift: [T; 3],
    strays: Vec<(u32, KeptWay<T>)>,
}

fn numbers<T: Scalar>(way: &Way<T>) -> KeptWay<T> {
    [way.anchor.into(), way.step.into()]
}

fn way<T: Scalar>([anchor, step]: KeptWay<T>) -> Way<T> {
    Way { anchor: anchor.into(), step: step.into() }
}

impl<T: Scalar> KeptHistory<T> {
    pub(super) fn of(history: &History<T>) -> Self {
        let Course { frame, age, horizon, past, slack, drift, drift_before, drifts, h } = history.course;
        let strays = |update: &Update<T>| update.strays.iter().map(|(v, way)| (*v, numbers(way))).collect();
        let lists = history.lists.as_ref().map(|lists| KeptLists {
            ways: lists.ways.iter().map(numbers).collect(),
            horizon: lists.horizon,
            held: lists.held.clone(),
            updates: lists
                .updates
                .iter()
                .map(|update| KeptUpdate {
                    substeps: [update.age, update.horizon],
                    drift: update.drift.into(),
                    strays: strays(update),
                })
                .collect(),
            strays: lists.strays.clone(),
            islands: lists.islands.clone(),
        });
        Self {
            frame: frame.into(),
            drift: [drift.into(), drift_before.into()],
            drifts,
            substeps: [age, horizon],
            past,
            slack,
            h,
            lists,
        }
    }

    pub(super) fn open(self) -> History<T> {
        let Self {
            frame,
            drift: [drift, drift_before],
            drifts,
            substeps: [age, horizon],
            past,
            slack,
            h,
            lists,
        } = self;
        let update = |KeptUpdate { substeps: [age, horizon], drift, strays }: KeptUpdate<T>| Update {
            age,
            horizon,
            drift: drift.into(),
            strays: strays.into_iter().map(|(v, kept)| (v, way(kept))).collect(),
        };
        let lists = lists.map(|lists| ListHistory {
            ways: lists.ways.into_iter().map(way).collect(),
            horizon: lists.horizon,
            held: lists.held,
            updates: lists.updates.into_iter().map(update).collect(),
            strays: lists.strays,
            islands: lists.islands,
        });
        let course = Course {
            frame: frame.into(),
            age,
            horizon,
            past,
            slack,
            drift: drift.into(),
            drift_before: drift_before.into(),
            drifts,
            h,
        };
        History { course, lists }
    }
}
