//! USD as text (`.usda`): polygon meshes and tetrahedra of a stage, placed by the transforms above them.
//!
//! Source: Pixar, *Universal Scene Description*, schemas `UsdGeomMesh`, `UsdGeomTetMesh` and
//! `UsdGeomXformable`. Read are `points`, `faceVertexCounts`, `faceVertexIndices`, `tetVertexIndices`,
//! `orientation` and the operations of `xformOpOrder`; and of values in time the first. References, payloads,
//! variants and instancers need all of USD and are named in the report. If attributes are wanted, primvars at
//! points and faces become attributes, and every mesh and every `GeomSubset` becomes a group of its name.

mod attributes;
mod lexer;
mod primvars;
mod stage;
mod value;
mod xform;

use nalgebra::Matrix4;

use crate::error::{ImportError, Place};
use crate::quote::shown;
use crate::raw::RawMesh;
use crate::source::Source;

use attributes::Attributes;
use lexer::{Ends, Lexer, Token};
use stage::Stage;
use value::{Value, Wanted};
use xform::local_matrix;

/// The beginning of a file.
pub(crate) const MAGIC: &[u8] = b"#usda";

/// How deep prims may be nested.
const DEEPEST: usize = 256;

/// Reads a USDA file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    if source.bytes.starts_with(b"PXR-USDC") || source.bytes.starts_with(b"PK\x03\x04") {
        return Err(
            source.unsupported("binary or packed USD (.usdc, .usdz)", "save it as text: usdcat -o mesh.usda")
        );
    }
    if !source.bytes.starts_with(MAGIC) {
        let head = &source.bytes[..source.bytes.len().min(8)];
        return Err(source.parse_error(Place::Line(1), head, "\"#usda 1.0\""));
    }
    let mut stage = Stage {
        lexer: Lexer::new(*source),
        raw: RawMesh::new(source),
        meshes: 0,
        left_out: 0,
        sampled: 0,
        above: None,
        ends: Ends::default(),
    };
    let mut metadata = Attributes::default();
    stage.metadata(&mut metadata)?;
    while stage.lexer.peek()? != Token::End {
        stage.prim(&Matrix4::identity(), 0)?;
        stage.ends.clear();
    }
    let Stage { mut raw, meshes, left_out, sampled, .. } = stage;
    if let Some(scale) = metadata.number("metersPerUnit").filter(|&scale| scale != 1.0) {
        raw.notes
            .push(format!("the file says that its unit is {scale} m; coordinates were left in this unit"));
    }
    if metadata.word("upAxis").is_some_and(|axis| axis == "Z") {
        raw.notes.push("the file says that z points up".to_owned());
    }
    for (count, what) in [
        (meshes.saturating_sub(1), "further meshes were put behind the first"),
        (sampled, "attributes vary in time: their first values were read"),
        (left_out, "references, payloads and variants were left out: flatten the stage to have them"),
    ] {
        if count > 0 {
            raw.notes.push(format!("{count} {what}"));
        }
    }
    Ok(raw)
}

impl Stage<'_> {
    /// A prim with all below it: `def Mesh "name" (metadata) { … }`.
    fn prim(&mut self, above: &Matrix4<f64>, depth: usize) -> Result<(), ImportError> {
        if !matches!(self.lexer.peek()?, Token::Word(b"def" | b"over" | b"class")) {
            return Err(self.lexer.unexpected("def, over or class"));
        }
        let specifier = self.lexer.word("def, over or class")?;
        if depth > DEEPEST {
            return Err(self.lexer.unexpected(&format!("prims nested no deeper than {DEEPEST}")));
        }
        let mut kind = String::new();
        if let Token::Word(_) = self.lexer.peek()? {
            kind = self.lexer.word("the type of a prim")?;
        }
        let name = self.lexer.string("the name of a prim")?;
        let line = self.lexer.line();
        self.metadata(&mut Attributes::default())?;
        self.lexer.punctuation(b'{')?;
        let mut attributes = Attributes::default();
        let of_mesh = matches!(kind.as_str(), "Mesh" | "TetMesh");
        // Transforms stand before or behind the children: the children wait until all attributes are known.
        let mut children = Vec::new();
        loop {
            match self.lexer.peek()? {
                Token::Punctuation(b'}') => break,
                Token::Punctuation(b';') => self.lexer.punctuation(b';')?,
                Token::Word(b"def" | b"over" | b"class") => {
                    children.push(self.lexer.clone());
                    self.pass_prim()?;
                }
                Token::Word(b"variantSet") => {
                    self.left_out += 1;
                    self.lexer.word("variantSet")?;
                    self.lexer.string("the name of a variant set")?;
                    self.lexer.punctuation(b'=')?;
                    self.lexer.pass_brackets()?;
                }
                Token::Word(_) => self.property(&mut attributes, of_mesh)?,
                _ => return Err(self.lexer.unexpected("an attribute, a prim or \"}\"")),
            }
        }
        self.lexer.punctuation(b'}')?;
        if specifier == "class" {
            return Ok(());
        }
        let (local, resets) = local_matrix(&attributes, line, self.lexer.source())?;
        let placed = if resets { local } else { above * local };
        let mut own = None;
        match kind.as_str() {
            _ if of_mesh => {
                let before = self.extent();
                self.label(&name);
                self.mesh(&attributes, &placed, line, kind == "Mesh")?;
                let extent = self.extent().since(&before);
                self.primvars(&attributes, &extent, line)?;
                own = Some(extent);
            }
            "GeomSubset" => self.subset(&name, &attributes, line)?,
            "PointInstancer" => {
                self.raw.skip("PointInstancer", 1);
                return Ok(());
            }
            "Xform" | "Scope" | "" | "SkelRoot" | "Material" | "Camera" => {}
            other => self.raw.skip(&shown(other), 1),
        }
        let end = self.lexer.clone();
        for child in children {
            self.lexer = child;
            self.above = own.clone();
            self.prim(&placed, depth + 1)?;
        }
        self.lexer = end;
        Ok(())
    }

    /// Skips a prim without reading it.
    fn pass_prim(&mut self) -> Result<(), ImportError> {
        loop {
            match self.lexer.peek()? {
                Token::Punctuation(b'{') => return self.lexer.pass_braces(&mut self.ends),
                Token::Punctuation(b'(') => self.lexer.pass_brackets()?,
                Token::Word(_) | Token::Text(_) => self.lexer.pass()?,
                _ => return Err(self.lexer.unexpected("\"{\" of a prim")),
            }
        }
    }

    /// `( key = value … )`, if it comes next.
    fn metadata(&mut self, into: &mut Attributes) -> Result<(), ImportError> {
        if self.lexer.peek()? != Token::Punctuation(b'(') {
            return Ok(());
        }
        self.lexer.punctuation(b'(')?;
        loop {
            match self.lexer.peek()? {
                Token::Punctuation(b')') => return self.lexer.punctuation(b')'),
                Token::Punctuation(b';') => self.lexer.punctuation(b';')?,
                Token::Text(_) => self.lexer.pass()?,
                Token::Word(_) => {
                    let mut name = self.lexer.word("a key")?;
                    while let Token::Word(_) = self.lexer.peek()? {
                        name = self.lexer.word("a key")?;
                    }
                    if matches!(
                        name.as_str(),
                        "references" | "payload" | "inherits" | "specializes" | "subLayers"
                    ) {
                        self.left_out += 1;
                    }
                    self.lexer.punctuation(b'=')?;
                    let wanted = match name.as_str() {
                        "metersPerUnit" | "upAxis" => Wanted::All,
                        _ => Wanted::Nothing,
                    };
                    let value = Value::read(&mut self.lexer, &name, wanted)?;
                    into.push(name, value);
                }
                _ => return Err(self.lexer.unexpected("a key or \")\"")),
            }
        }
    }

    /// `uniform token[] name = value (metadata)`, or a relationship.
    fn property(&mut self, into: &mut Attributes, of_mesh: bool) -> Result<(), ImportError> {
        let mut name = self.lexer.word("an attribute")?;
        let mut kind = String::new();
        loop {
            match self.lexer.peek()? {
                Token::Word(_) => {
                    kind = std::mem::replace(&mut name, self.lexer.word("the name of an attribute")?);
                }
                Token::Punctuation(b'[') => self.lexer.pass_brackets()?,
                _ => break,
            }
        }
        let (plain, sampled) = match name.strip_suffix(".timeSamples") {
            Some(plain) => (plain.to_owned(), true),
            None => (name, false),
        };
        let wanted = matches!(
            plain.as_str(),
            "points"
                | "faceVertexCounts"
                | "faceVertexIndices"
                | "tetVertexIndices"
                | "orientation"
                | "xformOpOrder"
        ) || plain.starts_with("xformOp:")
            || (self.raw.attributes.is_some()
                && (plain.starts_with("primvars:") || matches!(plain.as_str(), "indices" | "elementType")));
        let form = match plain.as_str() {
            "points" if of_mesh => Wanted::Tuples(3),
            "tetVertexIndices" if of_mesh => Wanted::Tuples(4),
            _ if wanted => Wanted::All,
            _ => Wanted::Nothing,
        };
        if self.lexer.peek()? == Token::Punctuation(b'=') {
            self.lexer.punctuation(b'=')?;
            if sampled && wanted {
                let value = Value::first_sample(&mut self.lexer, &plain, form)?;
                self.sampled += 1;
                // A value without a time comes first.
                if into.get(&plain).is_none() {
                    into.push(plain.clone(), value);
                }
            } else {
                let value = Value::read(&mut self.lexer, &plain, form)?;
                if wanted {
                    into.push(plain.clone(), value);
                }
            }
        }
        if self.lexer.peek()? == Token::Punctuation(b'(') {
            if wanted && plain.starts_with("primvars:") {
                return self.interpolation(&plain, kind, into);
            }
            self.lexer.pass_brackets()?;
        }
        Ok(())
    }

    fn mesh(
        &mut self,
        attributes: &Attributes,
        placed: &Matrix4<f64>,
        line: usize,
        of_polygons: bool,
    ) -> Result<(), ImportError> {
        let source = self.lexer.source();
        let place = Place::Line(line);
        let wrong = |what: String, expected: &str| source.parse_error(place, what.as_bytes(), expected);
        for name in ["faceVertexCounts", "faceVertexIndices"] {
            if let Some(word) = attributes.word(name) {
                return Err(wrong(word.to_owned(), &format!("numbers only in {name}")));
            }
        }
        // Only whole tuples were read.
        let (points, _) = attributes.numbers("points").as_chunks::<3>();
        let first = self.raw.positions.len();
        let mirrors = placed.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        for point in points {
            let position = placed.transform_point(&(*point).into()).coords;
            if let Some(&value) = position.iter().find(|c| !c.is_finite()) {
                return Err(source.non_finite(Place::Vertex(self.raw.positions.len()), value));
            }
            self.raw.positions.push(position);
        }
        if u32::try_from(self.raw.positions.len()).is_err() {
            let (file, count) = (source.name.to_owned(), self.raw.positions.len() as u64);
            return Err(ImportError::TooLarge { file, what: "points", count, limit: u64::from(u32::MAX) });
        }
        self.meshes += 1;
        let vertex = |number: f64| match number {
            _ if number >= 0.0 && number < points.len() as f64 && number.fract() == 0.0 => {
                Ok(first as u32 + number as u32)
            }
            _ => Err(source.index_error(place, number as i64, 0, points.len())),
        };
        let left_handed = attributes.word("orientation") == Some("leftHanded");
        if !of_polygons {
            let (tets, _) = attributes.numbers("tetVertexIndices").as_chunks::<4>();
            for tet in tets {
                let mut corners = [0; 4];
                for (corner, &number) in corners.iter_mut().zip(tet) {
                    *corner = vertex(number)?;
                }
                if mirrors != left_handed {
                    corners.swap(2, 3);
                }
                self.raw.tets.push(corners);
                self.raw.end_cell();
            }
            return Ok(());
        }
        let counts = attributes.numbers("faceVertexCounts");
        let mut rest = attributes.numbers("faceVertexIndices");
        let mut corners = Vec::new();
        for (f, &count) in counts.iter().enumerate() {
            let length = (count >= 0.0 && count.fract() == 0.0).then_some(count as usize);
            let Some((face, after)) = length.and_then(|length| rest.split_at_checked(length)) else {
                return Err(wrong(
                    format!("faceVertexCounts[{f}] = {count}"),
                    &format!("a count that the {} faceVertexIndices left can meet", rest.len()),
                ));
            };
            rest = after;
            corners.clear();
            for &number in face {
                corners.push(vertex(number)?);
            }
            if mirrors != left_handed {
                corners.reverse();
            }
            if corners.len() < 3 {
                self.raw.skip("face of fewer than three corners", 1);
                self.raw.end_cell();
                continue;
            }
            self.raw.push_face(&corners);
            self.raw.end_cell();
        }
        if !rest.is_empty() {
            return Err(wrong(
                format!("{} faceVertexIndices too many", rest.len()),
                "as many as faceVertexCounts says",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
