//! [`pack`]: the constraints of a cluster, eight by eight.
//!
//! Constraints are coloured so that those of a colour share no particle, and a colour is cut into packs: a
//! pack does not wait for the one before it. The rest of a colour starts a pack, which later rests of the
//! cluster may fill.
//!
//! As many constraints between two points as possible are packed as the sides of triangles, whose corners are
//! then loaded and stored once for three constraints instead of six times: see [`TrioCount`]. Triangles are
//! coloured like constraints; those that do not fill packs are separated again.
//!
//! *Hazard.* The sides of a triangle follow one another, so an error travels around it in one direction
//! within a sweep. If all triangles begin at the same corner and follow one another in the same direction,
//! the displacements by the sweeps add up: a sheet never comes to rest, however many substeps there are. So
//! the triangles are taken in an order without direction, and their sides in different orders.

use pliant_kernel::{NONE, PACK, TrioCount};
use pliant_mesh::Colouring;

use crate::plan::triangles::triangles;

/// The number of triangles from which a pack of them is worth its empty lanes: it then needs fewer packs than
/// the single sides, which share packs with other rests.
const FULL_ENOUGH: usize = 6;

/// The packs of a cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Packing {
    /// One to eight constraints each, then [`NONE`].
    pub(crate) packs: Vec<[u32; PACK]>,
    /// How many of them are trios.
    pub(crate) trio_count: TrioCount,
}

/// Packs the constraints with the given stencils, in points below `count`; `numbers` are their numbers. With
/// `triangles`, constraints of two points are packed as the sides of triangles where possible.
pub(crate) fn pack<const N: usize>(
    count: usize,
    stencils: &[[u32; N]],
    numbers: &[u32],
    triangles: bool,
) -> Packing {
    let mut packing = Packing::default();
    let mut left: Vec<u32> = (0..stencils.len() as u32).collect();
    if triangles && N == 2 {
        let edges: Vec<[u32; 2]> = stencils.iter().map(|stencil| [stencil[0], stencil[N - 1]]).collect();
        let trios = Trios::new(count, &edges);
        let mut joined = vec![false; edges.len()];
        packing.trio_count = TrioCount { pairs: trios.pairs.len(), single: trios.single.len() };
        for pair in &trios.pairs {
            (0..3).for_each(|side| packing.packs.extend(pair.iter().map(|trio| trio[side])));
        }
        packing.packs.extend(trios.single.iter().flatten());
        for place in packing.packs.iter_mut().flatten().filter(|place| **place != NONE) {
            joined[*place as usize] = true;
            *place = numbers[*place as usize];
        }
        left.retain(|&i| !joined[i as usize]);
    }
    let stencils_left: Vec<[u32; N]> = left.iter().map(|&i| stencils[i as usize]).collect();
    for places in eight_by_eight(count, &stencils_left) {
        packing.packs.push(places.map(|i| if i == NONE { NONE } else { numbers[left[i as usize] as usize] }));
    }
    packing
}

/// Orders of the sides of a triangle.
const TURNS: [[usize; 3]; 6] = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1], [1, 0, 2]];

/// Scatters the order of triangles, and of the sides of each. A random order would do; this one is the same each time.
fn scattered(triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    let mut keyed: Vec<(u32, [u32; 3])> = triangles
        .into_iter()
        .map(|sides| {
            // The finaliser of MurmurHash3, by Appleby.
            let mut key = sides[0];
            key = (key ^ (key >> 16)).wrapping_mul(0x85eb_ca6b);
            key = (key ^ (key >> 13)).wrapping_mul(0xc2b2_ae35);
            key ^= key >> 16;
            (key, TURNS[(key % 6) as usize].map(|side| sides[side]))
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, sides)| sides).collect()
}

/// The three packs of a trio.
type Trio = [[u32; PACK]; 3];

/// Triangles in packs.
struct Trios {
    pairs: Vec<[Trio; 2]>,
    single: Vec<Trio>,
}

impl Trios {
    fn new(count: usize, edges: &[[u32; 2]]) -> Self {
        let triangles = scattered(triangles(count, edges));
        let corners: Vec<[u32; 3]> = triangles
            .iter()
            .map(|&[first, second, _]| {
                let [a, b] = edges[first as usize];
                let [c, d] = edges[second as usize];
                [a, b, if c == a || c == b { d } else { c }]
            })
            .collect();
        let trio = |members: &[u32; PACK]| -> Trio {
            [0, 1, 2].map(|side| members.map(|t| if t == NONE { NONE } else { triangles[t as usize][side] }))
        };
        let packs = eight_by_eight(count, &corners);
        let is_full = |pack: &&[u32; PACK]| pack[PACK - 1] != NONE;
        let share = |one: &[u32; PACK], other: &[u32; PACK]| {
            one.iter().any(|&t| {
                let corners_of_t = &corners[t as usize];
                other.iter().any(|&o| corners[o as usize].iter().any(|v| corners_of_t.contains(v)))
            })
        };
        let (mut pairs, mut single) = (Vec::new(), Vec::new());
        let full: Vec<&[u32; PACK]> = packs.iter().filter(is_full).collect();
        let mut rest = &full[..];
        while let [one, others @ ..] = rest {
            rest = others;
            match others {
                // Packs of a colour follow one another.
                [other, after @ ..] if !share(one, other) => {
                    pairs.push([trio(one), trio(other)]);
                    rest = after;
                }
                _ => single.push(trio(one)),
            }
        }
        let worth = packs.iter().filter(|pack| !is_full(pack) && pack[FULL_ENOUGH - 1] != NONE);
        single.extend(worth.map(trio));
        Self { pairs, single }
    }
}

/// Packs of eight stencils that share no point; the rests of colours share packs if they share no point.
fn eight_by_eight<const N: usize>(count: usize, stencils: &[[u32; N]]) -> Vec<[u32; PACK]> {
    let colouring = Colouring::greedy(count, stencils);
    let mut packs = Vec::with_capacity(stencils.len().div_ceil(PACK) + colouring.len());
    let mut tails: Vec<[u32; PACK]> = Vec::new();
    let meet = |o: u32, i: u32| stencils[o as usize].iter().any(|v| stencils[i as usize].contains(v));
    for colour in colouring.iter() {
        let mut chunks = colour.chunks_exact(PACK);
        packs.extend(chunks.by_ref().map(|chunk| std::array::from_fn(|k| chunk[k])));
        for &i in chunks.remainder() {
            let room = |pack: &[u32; PACK]| {
                let end = pack.iter().position(|&o| o == NONE)?;
                (!pack[..end].iter().any(|&o| meet(o, i))).then_some(end)
            };
            match tails.iter().enumerate().find_map(|(k, pack)| Some((k, room(pack)?))) {
                Some((k, place)) => tails[k][place] = i,
                None => {
                    let mut pack = [NONE; PACK];
                    pack[0] = i;
                    tails.push(pack);
                }
            }
        }
    }
    packs.append(&mut tails);
    packs
}

#[cfg(test)]
mod trios;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Edges of a mesh of triangles that share many corners.
    fn edges() -> impl Strategy<Value = Vec<[u32; 2]>> {
        prop::collection::btree_set((0..80_u32, 1..9_u32), 0..500)
            .prop_map(|edges| edges.into_iter().map(|(a, step)| [a, a + step]).collect())
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_edge_is_packed_once_and_trios_are_triangles(edges in edges()) {
            let numbers: Vec<u32> = (0..edges.len() as u32).map(|i| 3 * i + 1).collect();
            let Packing { packs, trio_count } = pack(90, &edges, &numbers, true);
            let mut seen: Vec<u32> = packs.iter().flatten().copied().filter(|&i| i != NONE).collect();
            seen.sort_unstable();
            prop_assert_eq!(&seen, &numbers);
            let edge = |number: u32| edges[(number / 3) as usize];
            for trio in trio_count.trios() {
                let [ab, bc, ac] = trio.map(|pack| packs[pack]);
                for ((ab, bc), ac) in ab.into_iter().zip(bc).zip(ac) {
                    if [ab, bc, ac] == [NONE; 3] {
                        continue;
                    }
                    let mut corners = [ab, bc, ac].map(edge).concat();
                    corners.sort_unstable();
                    corners.dedup();
                    prop_assert_eq!(corners.len(), 3, "no triangle");
                }
            }
            for pack in &packs {
                let mut points: Vec<u32> = pack.iter().filter(|&&i| i != NONE).flat_map(|&i| edge(i)).collect();
                let count = points.len();
                points.sort_unstable();
                points.dedup();
                prop_assert_eq!(points.len(), count, "constraints of a pack share a point");
            }
        }
    }

    #[test]
    fn most_edges_of_a_mesh_lie_in_trios() {
        let mesh = pliant_mesh::TriMesh::grid([32; 2], [1.0; 2]).expect("a grid");
        let edges = mesh.edges();
        let numbers: Vec<u32> = (0..edges.len() as u32).collect();
        let Packing { trio_count, .. } = pack(mesh.positions().len(), &edges, &numbers, true);
        assert!(8 * trio_count.packs() > edges.len() * 9 / 10, "{trio_count:?} of {} edges", edges.len());
        assert!(trio_count.pairs > trio_count.single);
    }
}
