//! Input that is refused, and its errors.

use pliant_multigrid::{
    BlockMatrix, BlockPattern, Hierarchy, MatrixError, NO_SLOT, Nodes, PatternError, Region, Settings,
    Tolerance,
};

fn pattern(nodes: &Nodes<'_>, elements: &[&[u32]]) -> Result<BlockPattern, PatternError> {
    BlockPattern::new(nodes, elements)
}

#[test]
fn patterns_of_nonsense() {
    let three = Nodes { count: 3, ..Nodes::default() };
    let refused = |nodes: &Nodes<'_>, elements: &[&[u32]]| pattern(nodes, elements).unwrap_err();
    assert_eq!(refused(&three, &[&[0, 1], &[1, 3]]), PatternError::Node { element: 1, node: 3, nodes: 3 });
    assert_eq!(refused(&three, &[&[0, 1, 2, 1]]), PatternError::Repeated { element: 0, node: 1 });
    let short = PatternError::Length { what: "`fixed`", len: 2, nodes: 3 };
    assert_eq!(refused(&Nodes { fixed: &[true; 2], ..three }, &[]), short);
    let short = PatternError::Length { what: "`rest`", len: 1, nodes: 3 };
    assert_eq!(refused(&Nodes { rest: &[[0.0; 3]], ..three }, &[]), short);
    let rest = [[0.0; 3], [0.0, f64::NAN, 0.0], [0.0; 3]];
    assert_eq!(refused(&Nodes { rest: &rest, ..three }, &[]), PatternError::Rest { node: 1 });
    let message = refused(&three, &[&[7]]).to_string();
    assert!(
        message.contains("element 0") && message.contains("node 7") && message.contains("3 nodes"),
        "{message}"
    );
}

#[test]
fn elements_of_any_size() {
    let three = Nodes { count: 3, ..Nodes::default() };
    let pattern = pattern(&three, &[&[], &[1], &[2, 0, 1]]).unwrap();
    assert_eq!(pattern.blocks(), 9);
    assert_eq!(pattern.slots(&[]).count(), 0);
    assert!(pattern.slots(&[1]).eq([pattern.diagonal(1)]));
    let slots: Vec<u32> = pattern.slots(&[2, 0, 1]).collect();
    assert_eq!([0, 4, 8].map(|k| slots[k]), [2, 0, 1].map(|node| pattern.diagonal(node)));
    let mut sorted = slots.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..9), "{slots:?}");
    assert_eq!([(0, 3), (3, 0), (u32::MAX, 1)].map(|(a, b)| pattern.slot(a, b)), [NO_SLOT; 3]);
    assert_eq!(pattern.diagonal(3), NO_SLOT);
}

#[test]
fn matrices_and_vectors_of_something_else() {
    let three = Nodes { count: 3, ..Nodes::default() };
    let (a, b) = (pattern(&three, &[&[0, 1]]).unwrap(), pattern(&three, &[&[0, 1]]).unwrap());
    let mut hierarchy = Hierarchy::<f32>::new(&a, Settings::default());
    assert_eq!(hierarchy.refresh(&BlockMatrix::new(&b)).unwrap_err(), MatrixError::Pattern);
    let mut matrix = BlockMatrix::new(&a.clone());
    matrix.add(NO_SLOT, [[1.0; 3]; 3]);
    matrix.add_scalar(9, 1.0);
    assert_eq!(matrix.block(a.diagonal(0)), [[0.0; 3]; 3]);
    let mut system = hierarchy.refresh(&matrix).unwrap();
    let short = |what, len| MatrixError::Length { what, len, nodes: 3 };
    assert_eq!(system.solve(&[[0.0; 3]; 2], &mut [[0.0; 3]; 3], 0.1, 1).unwrap_err(), short("`rhs`", 2));
    assert_eq!(system.solve(&[[0.0; 3]; 3], &mut [[0.0; 3]; 4], 0.1, 1).unwrap_err(), short("`x`", 4));
    assert_eq!(system.precondition(&[[0.0; 3]; 3], &mut []).unwrap_err(), short("`x`", 0));
    assert_eq!(matrix.multiply(&[[0.0; 3]; 1], &mut [[0.0; 3]; 3]).unwrap_err(), short("`x`", 1));
    let mut region = Region::default();
    let tolerance = Tolerance { residual: 0.1, error: 1.0, distance: 0.0 };
    let solve = |region: &mut Region<f32>, matrix, b: &[[f32; 3]], x: &mut [[f32; 3]]| {
        region.solve(matrix, b, x, tolerance, 1).unwrap_err()
    };
    let (b, mut x) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
    assert_eq!(solve(&mut region, &matrix, &b, &mut x), MatrixError::Pattern);
    region.gather(&a, |_| true, 0);
    assert_eq!(solve(&mut region, &matrix, &b[1..], &mut x), short("`b`", 2));
    assert_eq!(solve(&mut region, &matrix, &b, &mut x[..1]), short("`x`", 1));
    let mut other = BlockMatrix::new(&pattern(&three, &[&[0, 1]]).unwrap());
    assert_eq!(solve(&mut region, &other, &b, &mut x), MatrixError::Pattern);
    assert_eq!(other.clear_halves_around(&region).unwrap_err(), MatrixError::Pattern);
    assert_eq!(other.mirror_around(&region).unwrap_err(), MatrixError::Pattern);
}
