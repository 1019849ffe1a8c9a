//! The table of planted defects: each row is a good mesh with one thing done to it, what the doctor must
//! report (exactly), how it is repaired, and what must remain. The library and the program are held to the
//! same table.

use nalgebra::Vector3;
use pliant_mesh::{CheckUp, Defect, Finding, Keep, RepairOptions, Split, TetMesh, TriMesh};

/// A surface or a solid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AnyMesh {
    Surface(TriMesh),
    Solid(TetMesh),
}

/// A row of the table.
pub(crate) struct Planted {
    pub(crate) name: &'static str,
    pub(crate) shape: AnyMesh,
    /// The kinds that must be found, in their order, with the numbers of their places; none where only the kind is
    /// known beforehand.
    pub(crate) found: Vec<(Defect, Option<Vec<u32>>)>,
    /// How it is repaired: for the library, and the same for the program.
    pub(crate) repair: RepairOptions,
    pub(crate) flags: &'static [&'static str],
    /// The kinds that are left, with how many of each.
    pub(crate) left: Vec<(Defect, usize)>,
    /// The units that it might be in.
    pub(crate) units: &'static [&'static str],
}

impl Planted {
    /// A row that the default repair mends completely.
    fn new(name: &'static str, shape: AnyMesh, found: Vec<(Defect, Option<Vec<u32>>)>) -> Self {
        let repair = RepairOptions::default();
        Self { name, shape, found, repair, flags: &[], left: Vec::new(), units: &[] }
    }

    fn leaves(mut self, left: &[(Defect, usize)]) -> Self {
        self.left = left.to_vec();
        self
    }

    fn with(mut self, repair: RepairOptions, flags: &'static [&'static str]) -> Self {
        (self.repair, self.flags) = (repair, flags);
        self
    }

    /// Whether a check-up reports what it must.
    pub(crate) fn assert_found(&self, check: &CheckUp) {
        let kinds: Vec<Defect> = check.findings.iter().map(|finding| finding.defect).collect();
        let wanted: Vec<Defect> = self.found.iter().map(|(defect, _)| *defect).collect();
        assert_eq!(kinds, wanted, "{}\n{check}", self.name);
        for (finding, (defect, at)) in check.findings.iter().zip(&self.found) {
            if let Some(at) = at {
                assert_eq!(&finding.at, at, "{}: {defect:?}", self.name);
                assert_eq!(finding.count, at.len() / defect.width(), "{}: {defect:?}", self.name);
            }
            assert!(finding.place.is_some() && finding.count > 0, "{}: {defect:?}", self.name);
        }
        let units: Vec<&str> = check.units.iter().map(|guess| guess.unit).collect();
        assert_eq!(units, self.units, "{}", self.name);
    }

    /// Whether the list of errors is that part of a check-up which is.
    pub(crate) fn assert_errors(&self, check: &CheckUp, errors: &[Finding]) {
        let wanted: Vec<&Finding> = check.findings.iter().filter(|f| f.defect.is_error()).collect();
        assert_eq!(errors.iter().collect::<Vec<_>>(), wanted, "{}", self.name);
    }

    /// Whether a check-up after the repair reports what must remain.
    pub(crate) fn assert_left(&self, check: &CheckUp) {
        let left: Vec<(Defect, usize)> =
            check.findings.iter().map(|finding| (finding.defect, finding.count)).collect();
        assert_eq!(left, self.left, "{} after the repair\n{check}", self.name);
    }
}

fn sphere() -> TriMesh {
    TriMesh::icosphere(0.5, 3).unwrap()
}

fn block() -> TetMesh {
    TetMesh::block([2, 2, 2], [1.0, 1.0, 1.0], Split::Kuhn).unwrap()
}

/// A sphere with a defect.
fn surface(change: impl FnOnce(&mut Vec<Vector3<f64>>, &mut Vec<[u32; 3]>)) -> AnyMesh {
    let (mut positions, mut triangles) = sphere().into_parts();
    change(&mut positions, &mut triangles);
    AnyMesh::Surface(TriMesh::new(positions, triangles).unwrap())
}

/// A block with a defect.
fn solid(change: impl FnOnce(&mut Vec<Vector3<f64>>, &mut Vec<[u32; 4]>)) -> AnyMesh {
    let (mut positions, mut tets) = block().into_parts();
    change(&mut positions, &mut tets);
    AnyMesh::Solid(TetMesh::new(positions, tets).unwrap())
}

/// Adds another mesh, moved; returns the number of its first vertex.
fn add<const N: usize>(
    positions: &mut Vec<Vector3<f64>>,
    elements: &mut Vec<[u32; N]>,
    others: (&[Vector3<f64>], &[[u32; N]]),
    shift: Vector3<f64>,
) -> u32 {
    let first = positions.len() as u32;
    positions.extend(others.0.iter().map(|p| p + shift));
    elements.extend(others.1.iter().map(|corners| corners.map(|v| v + first)));
    first
}

/// Divides triangle 0 in the middle of its first edge; returns that edge and the new vertex. Its neighbour stays whole.
fn divide_one_side(positions: &mut Vec<Vector3<f64>>, triangles: &mut Vec<[u32; 3]>) -> [u32; 3] {
    let [a, b, c] = triangles[0];
    let middle = positions.len() as u32;
    positions.push((positions[a as usize] + positions[b as usize]) / 2.0);
    triangles[0] = [a, middle, c];
    triangles.push([middle, b, c]);
    [a, b, middle]
}

fn least(vertices: &[u32]) -> u32 {
    vertices.iter().copied().min().unwrap()
}

pub(crate) fn table() -> Vec<Planted> {
    let (sphere_vertices, sphere_triangles) =
        (sphere().positions().len() as u32, sphere().triangles().len() as u32);
    let (block_vertices, block_tets) = (block().positions().len() as u32, block().tets().len() as u32);
    let mut rows = elements(sphere_triangles, block_tets);
    rows.extend(connections(sphere_vertices));
    rows.extend(pieces(sphere_vertices, sphere_triangles));
    rows.extend(solids(block_vertices, block_tets));
    rows.extend(sizes());
    rows
}

/// Single elements of surfaces and vertices.
fn elements(sphere_triangles: u32, block_tets: u32) -> Vec<Planted> {
    let inward = surface(|_, triangles| triangles.iter_mut().for_each(|t| t.swap(1, 2)));
    let needle = surface(|positions, triangles| {
        let [a, b, middle] = divide_one_side(positions, triangles);
        triangles.push([a, b, middle]);
    });
    let floating = surface(|positions, _| positions.push(Vector3::repeat(0.7)));
    let first_loose = sphere().positions().len() as u32;
    vec![
        Planted::new("nothing", AnyMesh::Surface(sphere()), vec![]),
        Planted::new("nothing in a solid", AnyMesh::Solid(block()), vec![]),
        Planted::new(
            "flipped winding",
            surface(|_, triangles| triangles[17].swap(0, 1)),
            vec![(Defect::MixedOrientation, Some(vec![17]))],
        ),
        Planted::new(
            "mixed orientation",
            surface(|_, triangles| [3, 60, 61, 100].iter().for_each(|&t: &usize| triangles[t].swap(0, 1))),
            vec![(Defect::MixedOrientation, Some(vec![3, 60, 61, 100]))],
        ),
        Planted::new("inside out", inward, vec![(Defect::InsideOut, Some(vec![0]))]),
        Planted::new(
            "triangle without area",
            needle,
            vec![(Defect::FlatElements, Some(vec![sphere_triangles + 1]))],
        ),
        Planted::new(
            "duplicate triangles",
            surface(|_, triangles| {
                let [a, b, c] = triangles[5];
                triangles.extend([[b, c, a], [a, c, b]]);
            }),
            vec![(Defect::DuplicateElements, Some(vec![sphere_triangles, sphere_triangles + 1]))],
        ),
        Planted::new(
            "duplicate tetrahedron",
            solid(|_, tets| {
                let [a, b, c, d] = tets[3];
                tets.push([c, d, a, b]);
            }),
            vec![(Defect::DuplicateElements, Some(vec![block_tets]))],
        ),
        Planted::new(
            "floating vertex",
            floating,
            vec![(Defect::UnreferencedVertices, Some(vec![first_loose]))],
        ),
    ]
}

/// The connections of triangles.
fn connections(sphere_vertices: u32) -> Vec<Planted> {
    let [p, q, r] = sphere().triangles()[0];
    let doubled = surface(|positions, triangles| {
        positions.push(positions[p as usize]);
        triangles[0][0] = sphere_vertices;
    });
    let fin = surface(|positions, triangles| {
        positions.push(1.5 * positions[p as usize] + 0.5 * positions[q as usize]);
        triangles.push([p, q, sphere_vertices]);
    });
    let touching = surface(|positions, triangles| {
        let other = sphere();
        let shift = 2.0 * positions[0];
        // Mirrored in the common vertex, so that they touch there.
        let mirrored: Vec<_> = other.positions().iter().map(|x| shift - x).collect();
        let turned: Vec<_> = other.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        let first = add(positions, triangles, (&mirrored, &turned), Vector3::zeros());
        for v in triangles.as_flattened_mut() {
            if *v == first {
                *v = 0;
            } else if *v > first {
                *v -= 1;
            }
        }
        positions.remove(first as usize);
    });
    let crossing = surface(|positions, _| positions[0] *= -1.3);
    let mut junction = [0; 3];
    let divided = surface(|positions, triangles| junction = divide_one_side(positions, triangles));
    let [a, b, middle] = junction;
    vec![
        Planted::new(
            "duplicate vertex",
            doubled,
            vec![
                (Defect::CoincidentVertices, Some(vec![sphere_vertices])),
                (Defect::Holes, Some(vec![least(&[p, q, r])])),
            ],
        ),
        Planted::new(
            "open boundary",
            surface(|_, triangles| drop(triangles.drain(..1))),
            vec![(Defect::Holes, Some(vec![least(&[p, q, r])]))],
        )
        .with(RepairOptions { fill_holes: Some(10), ..RepairOptions::default() }, &["--fill-holes", "10"]),
        Planted::new(
            "non-manifold edge",
            fin,
            vec![
                (Defect::NonManifoldEdges, Some(vec![p.min(q), p.max(q)])),
                (Defect::Holes, Some(vec![p.min(q)])),
            ],
        )
        .with(RepairOptions { keep: Some(Keep::Largest), ..RepairOptions::default() }, &["--keep-largest"]),
        Planted::new("non-manifold vertex", touching, vec![(Defect::NonManifoldVertices, Some(vec![0]))])
            .leaves(&[(Defect::CoincidentVertices, 1), (Defect::SeparatePieces, 1)]),
        Planted::new("self-intersection", crossing, vec![(Defect::SelfIntersections, None)])
            .leaves(&[(Defect::SelfIntersections, 10)]),
        Planted::new(
            "T-junction",
            divided,
            vec![
                (Defect::TJunctions, Some(vec![middle, a.min(b), a.max(b)])),
                (Defect::Holes, Some(vec![least(&[a, b, middle])])),
            ],
        ),
        Planted::new(
            "one side only",
            moebius(),
            vec![(Defect::OneSided, Some(vec![0])), (Defect::Holes, Some(vec![0]))],
        )
        .leaves(&[(Defect::OneSided, 1), (Defect::Holes, 1)]),
        Planted::new(
            "sheet with a turned half",
            AnyMesh::Surface({
                let (positions, mut triangles) = TriMesh::grid([4, 4], [1.0, 1.0]).unwrap().into_parts();
                triangles[..6].iter_mut().for_each(|t| t.swap(0, 1));
                TriMesh::new(positions, triangles).unwrap()
            }),
            vec![(Defect::MixedOrientation, Some(vec![0, 1, 2, 3, 4, 5])), (Defect::Holes, None)],
        )
        .leaves(&[(Defect::Holes, 1)]),
    ]
}

/// Pieces, and the seams between them.
fn pieces(sphere_vertices: u32, sphere_triangles: u32) -> Vec<Planted> {
    let last = sphere_triangles - 1;
    let corners = sphere().triangles()[last as usize];
    let torn = |shift: f64| {
        surface(|positions, triangles| {
            let corner = triangles.last_mut().unwrap();
            *corner = corner.map(|v| {
                positions.push(positions[v as usize] + Vector3::repeat(shift));
                positions.len() as u32 - 1
            });
        })
    };
    let holes = (Defect::Holes, Some(vec![least(&corners), sphere_vertices]));
    let separate = (Defect::SeparatePieces, Some(vec![last]));
    let copies = (Defect::CoincidentVertices, Some((sphere_vertices..sphere_vertices + 3).collect()));
    let crumb = surface(|positions, triangles| {
        let crumb = TriMesh::icosphere(0.05, 1).unwrap();
        add(positions, triangles, (crumb.positions(), crumb.triangles()), Vector3::repeat(1.0));
    });
    // Two sheets side by side, of 3 and of 4 cells along their common side, a little apart.
    let sheets = {
        let (mut positions, mut triangles) = TriMesh::grid([4, 4], [1.0, 1.0]).unwrap().into_parts();
        let other = TriMesh::grid([5, 5], [1.0, 1.0]).unwrap();
        let shift = Vector3::new(1.0 + 1e-4, 0.0, 0.0);
        add(&mut positions, &mut triangles, (other.positions(), other.triangles()), shift);
        AnyMesh::Surface(TriMesh::new(positions, triangles).unwrap())
    };
    vec![
        Planted::new("seam", torn(0.0), vec![copies, holes.clone(), separate.clone()]),
        Planted::new("seam with a gap", torn(1e-5), vec![holes, separate])
            .with(RepairOptions { unite: Some(1e-4), ..RepairOptions::default() }, &["--unite", "1e-4"]),
        Planted::new(
            "sheets side by side",
            sheets,
            vec![(Defect::Holes, None), (Defect::SeparatePieces, Some(vec![18]))],
        )
        .with(RepairOptions { unite: Some(1e-3), ..RepairOptions::default() }, &["--unite", "1e-3"])
        .leaves(&[(Defect::Holes, 1)]),
        Planted::new("a piece beside", crumb, vec![(Defect::SeparatePieces, Some(vec![sphere_triangles]))])
            .with(
                RepairOptions { keep: Some(Keep::Share(0.05)), ..RepairOptions::default() },
                &["--keep-share", "0.05"],
            ),
    ]
}

/// Tetrahedra.
fn solids(block_vertices: u32, block_tets: u32) -> Vec<Planted> {
    // The first face of the boundary and its neighbour in the plane of the same cell side: four corners of a square.
    let square = {
        let surface = block().surface();
        let hinges = surface.mesh.hinges();
        let flat = hinges.interior.iter().find(|hinge| {
            let [a, b, c, d] = hinge.vertices().map(|v| surface.mesh.positions()[v as usize]);
            (b - a).cross(&(c - a)).dot(&(d - a)).abs() < 1e-12
        });
        flat.unwrap().vertices().map(|v| surface.vertex_of[v as usize])
    };
    let hinged = AnyMesh::Solid({
        // Two tetrahedra with a common edge.
        let (o, x, y, z) = (Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z());
        TetMesh::new(vec![o, z, x, y, -x, -y], vec![[0, 2, 3, 1], [0, 4, 5, 1]]).unwrap()
    });
    // The first and the last cube of a row, whose corners are joined.
    let cornered = AnyMesh::Solid({
        let cube = TetMesh::block([1, 1, 1], [1.0; 3], Split::Kuhn).unwrap();
        let (mut positions, mut tets) = (cube.positions().to_vec(), cube.tets().to_vec());
        add(&mut positions, &mut tets, (cube.positions(), cube.tets()), Vector3::repeat(1.0));
        let (top, bottom) = (cube.positions()[7], cube.positions()[0]);
        assert_eq!(top, bottom + Vector3::repeat(1.0));
        tets.as_flattened_mut()
            .iter_mut()
            .filter(|v| **v >= 8)
            .for_each(|v| *v = if *v == 8 { 7 } else { *v - 1 });
        positions.remove(8);
        TetMesh::new(positions, tets).unwrap()
    });
    let apart = || RepairOptions { split_solids: true, ..RepairOptions::default() };
    let crowded = AnyMesh::Solid({
        let (o, x, y, z) = (Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z());
        let above = Vector3::new(0.3, 0.2, 0.8);
        TetMesh::new(vec![o, x, y, z, -z, above], vec![[0, 1, 2, 3], [0, 2, 1, 4], [0, 1, 2, 5]]).unwrap()
    });
    let sliver = AnyMesh::Solid({
        let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(0.3, 0.3, 0.01)];
        TetMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap()
    });
    vec![
        Planted::new(
            "inverted tetrahedron",
            solid(|_, tets| tets[7].swap(0, 1)),
            vec![(Defect::InvertedTets, Some(vec![7]))],
        ),
        Planted::new(
            "flat tetrahedron",
            solid(|_, tets| tets.push(square)),
            vec![(Defect::FlatElements, Some(vec![block_tets]))],
        ),
        Planted::new(
            "floating vertex of a solid",
            solid(|positions, _| positions.push(Vector3::repeat(2.0))),
            vec![(Defect::UnreferencedVertices, Some(vec![block_vertices]))],
        ),
        Planted::new("sliver", sliver, vec![(Defect::Slivers, Some(vec![0]))])
            .leaves(&[(Defect::Slivers, 1)]),
        Planted::new("mismatched diagonals", cells_of_five(), vec![(Defect::MismatchedDiagonals, None)]),
        Planted::new("crowded face", crowded, vec![(Defect::CrowdedFaces, Some(vec![0, 1, 2]))])
            .leaves(&[(Defect::CrowdedFaces, 1)]),
        Planted::new(
            "solids on one edge",
            hinged.clone(),
            vec![(Defect::NonManifoldEdges, Some(vec![0, 1]))],
        )
        .leaves(&[(Defect::NonManifoldEdges, 1)]),
        Planted::new("a hinge to take apart", hinged, vec![(Defect::NonManifoldEdges, Some(vec![0, 1]))])
            .with(apart(), &["--split-solids"])
            .leaves(&[(Defect::CoincidentVertices, 2), (Defect::SeparatePieces, 1)]),
        Planted::new(
            "solids on one vertex",
            cornered.clone(),
            vec![(Defect::NonManifoldVertices, Some(vec![7]))],
        )
        .leaves(&[(Defect::NonManifoldVertices, 1)]),
        Planted::new("a corner to take apart", cornered, vec![(Defect::NonManifoldVertices, Some(vec![7]))])
            .with(apart(), &["--split-solids"])
            .leaves(&[(Defect::CoincidentVertices, 1), (Defect::SeparatePieces, 1)]),
        Planted::new(
            "a solid beside",
            solid(|positions, tets| {
                let crumb = TetMesh::block([1, 1, 1], [0.1, 0.1, 0.1], Split::Kuhn).unwrap();
                add(positions, tets, (crumb.positions(), crumb.tets()), Vector3::repeat(2.0));
            }),
            vec![(Defect::SeparatePieces, Some(vec![block_tets]))],
        )
        .with(RepairOptions { keep: Some(Keep::Largest), ..RepairOptions::default() }, &["--keep-largest"]),
        Planted::new(
            "solids with a gap",
            solid(|positions, tets| {
                let other = block();
                add(positions, tets, (other.positions(), other.tets()), Vector3::new(1.0 + 1e-4, 0.0, 0.0));
            }),
            vec![(Defect::SeparatePieces, Some(vec![block_tets]))],
        )
        .with(RepairOptions { unite: Some(1e-3), ..RepairOptions::default() }, &["--unite", "1e-3"]),
    ]
}

/// Sizes that are not in metres.
fn sizes() -> Vec<Planted> {
    let large = AnyMesh::Surface(TriMesh::icosphere(90.0, 2).unwrap());
    let small = AnyMesh::Surface(TriMesh::icosphere(1e-4, 2).unwrap());
    let mut rows =
        vec![Planted::new("large in metres", large, vec![]), Planted::new("small in metres", small, vec![])];
    rows[0].units = &["millimetres", "centimetres", "inches"];
    rows[1].units = &["kilometres"];
    rows
}

/// A strip with half a turn.
fn moebius() -> AnyMesh {
    let n = 9_u32;
    let across = |i: u32| {
        let (s, c) = (f64::from(i) / f64::from(n) * std::f64::consts::TAU).sin_cos();
        let (hs, hc) = (f64::from(i) / f64::from(n) * std::f64::consts::PI).sin_cos();
        [-0.3, 0.3].map(|w| Vector3::new(c * (1.0 + w * hc), s * (1.0 + w * hc), w * hs))
    };
    let quad = |i: u32| {
        let [a, b] = [2 * i, 2 * i + 1];
        let [c, d] = if i + 1 < n { [2 * i + 2, 2 * i + 3] } else { [1, 0] };
        [[a, b, d], [a, d, c]]
    };
    AnyMesh::Surface(
        TriMesh::new((0..n).flat_map(across).collect(), (0..n).flat_map(quad).collect()).unwrap(),
    )
}

/// Two cubes of five tetrahedra each that share four vertices, the second not turned.
fn cells_of_five() -> AnyMesh {
    let cube = |x: f64| {
        (0..8_u32).map(move |i| Vector3::new(x + f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)))
    };
    let five = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
    let positions: Vec<_> = cube(0.0).chain(cube(1.0)).collect();
    let tets: Vec<[u32; 4]> = five.iter().copied().chain(five.map(|t| t.map(|v| v + 8))).collect();
    let torn = TetMesh::new(positions, tets).unwrap();
    let weld = RepairOptions { weld: Some(0.0), ..RepairOptions::nothing() };
    AnyMesh::Solid(torn.repair(&weld).0)
}
