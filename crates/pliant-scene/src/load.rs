//! Reads a file or a text into a checked [`Scene`].

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_io::{Mesh, unreadable};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::check;
use crate::elsewhere::elsewhere;
use crate::error::{Fault, Invalid, SceneError, SourceSpan};
use crate::model::{OutOfBounds, SceneModel};
use crate::noun::noun;
use crate::source::{Source, field_at};
use crate::suggest::nearest;
use crate::toml_reader::{Problem, ReadError, from_str, one_of};
use crate::toml_writer::to_string;

/// Larger scenes and stacks are refused unread: a parsed text takes about seventy times its size in memory.
const MOST_BYTES: u64 = 16 << 20;

/// A scene: the data of its file, and the place of the file.
///
/// ```
/// use pliant_scene::Scene;
///
/// let text = r#"
///     frames = 10
///     [[body]]
///     mesh = { ball = { radius = 0.5, shells = 2 } }
///     rest_on = 0.1
///     edges = { stiffness = 1e5 }
///     [[obstacle]]
///     floor = { height = 0.0 }
/// "#;
/// let scene = Scene::parse(text, ".")?;
/// assert_eq!(scene.model.bodies.len(), 1);
///
/// let wrong = Scene::parse(&text.replace("1e5", "-1e5"), ".").unwrap_err();
/// assert!(wrong.to_string().starts_with("scene:6:27: the stiffness is -100000.0; expected"));
/// # Ok::<(), pliant_scene::SceneError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The data of the file. After a change, [check](Scene::check) it again.
    pub model: SceneModel,
    pub(crate) source: Source,
}

impl Scene {
    /// Reads and checks a scene file. Relative paths in it start from its directory.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not TOML, or has an invalid value. Mesh files are not read:
    /// [`build`](Scene::build) does that.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::load_here(path.as_ref())
    }

    // Not generic, so that the reader is compiled in this crate only.
    fn load_here(path: &Path) -> Result<Self, SceneError> {
        let (model, source) = load(path)?;
        Ok(Self { model, source })
    }

    /// Reads and checks a scene from text; relative paths in it start from `base_dir`.
    ///
    /// # Errors
    ///
    /// As [`load`](Scene::load).
    pub fn parse(text: &str, base_dir: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::parse_named("scene", text, base_dir)
    }

    /// Like [`parse`](Scene::parse), with the name of the text in errors.
    ///
    /// # Errors
    ///
    /// As [`load`](Scene::load).
    pub fn parse_named(name: &str, text: &str, base_dir: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::parse_here(name, text, base_dir.as_ref())
    }

    fn parse_here(name: &str, text: &str, base_dir: &Path) -> Result<Self, SceneError> {
        let (model, source) = parse(name, text, base_dir)?;
        Ok(Self { model, source })
    }

    /// A scene made by a program; relative paths in it start from `base_dir`.
    ///
    /// # Errors
    ///
    /// If the scene has an invalid value.
    pub fn from_model(model: SceneModel, base_dir: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::from_model_here(model, base_dir.as_ref().to_owned())
    }

    fn from_model_here(model: SceneModel, base: PathBuf) -> Result<Self, SceneError> {
        let meshes = Arc::default();
        let scene =
            Self { model, source: Source { name: "scene".into(), text: Arc::from(""), base, meshes } };
        scene.check()?;
        Ok(scene)
    }

    /// The scene with meshes that the program has: wherever the scene names such a path as a mesh file, the
    /// mesh stands for the file, which need not exist. It has no attributes, groups or texture coordinates.
    /// Those given before are replaced.
    ///
    /// ```
    /// use pliant_io::Mesh;
    /// use pliant_mesh::TriMesh;
    /// use pliant_scene::Scene;
    ///
    /// let scene = Scene::parse("[[body]]\nmesh = \"flag.obj\"\nmaterial = \"cotton\"\n", ".")?;
    /// let flag = Mesh::Tri(TriMesh::grid([11, 11], [1.0, 1.0])?);
    /// let built = scene.with_meshes([("flag.obj", flag)]).build::<f32>()?;
    /// assert_eq!(built.simulation.len(), 121);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_meshes<P: Into<PathBuf>>(mut self, meshes: impl IntoIterator<Item = (P, Mesh)>) -> Self {
        self.source.meshes = Arc::new(meshes.into_iter().map(|(path, mesh)| (path.into(), mesh)).collect());
        self
    }

    /// The meshes that the program has given, by the paths that stand for them in the scene.
    pub fn given_meshes(&self) -> impl Iterator<Item = (&Path, &Mesh)> {
        self.source.meshes.iter().map(|(path, mesh)| (path.as_path(), mesh))
    }

    /// The folder that relative paths of the scene start from.
    #[must_use]
    pub fn base_dir(&self) -> &Path {
        &self.source.base
    }

    /// Checks every choice and name of the scene, and numbers that depend on others, as far as that needs no meshes.
    ///
    /// # Errors
    ///
    /// The first error that can be found without meshes.
    pub fn check(&self) -> Result<(), SceneError> {
        self.model.check().map_err(|fault| self.locate(fault))
    }

    /// The scene's name, `"scene"` if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.model.name.as_deref().unwrap_or("scene")
    }

    /// The text that the scene was read from; empty for one made by a program.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The name of the scene in errors: its path.
    #[must_use]
    pub fn source_name(&self) -> &str {
        &self.source.name
    }

    /// The scene as a file would have it, without comments.
    #[must_use]
    pub fn to_toml(&self) -> String {
        to_string(&self.model).expect("every part of the model has a form in TOML")
    }

    pub(crate) fn locate(&self, fault: Fault) -> SceneError {
        self.source.locate(fault)
    }
}

/// The data of a file: a scene, or a stack of deformers.
pub(crate) trait FileModel: Serialize + DeserializeOwned + PartialEq {
    /// What it is, for messages.
    const WHAT: &'static str;

    /// Its name; a file without one takes the name of the file.
    fn name(&self) -> &Option<String>;

    /// The same, to be changed.
    fn name_mut(&mut self) -> &mut Option<String>;

    /// The first error that can be found without meshes.
    fn check(&self) -> Result<(), Fault>;
}

impl FileModel for SceneModel {
    const WHAT: &'static str = "scene";

    fn name(&self) -> &Option<String> {
        &self.name
    }

    fn name_mut(&mut self) -> &mut Option<String> {
        &mut self.name
    }

    fn check(&self) -> Result<(), Fault> {
        check::check(self)
    }
}

/// Reads and checks a file.
pub(crate) fn load<M: FileModel>(path: &Path) -> Result<(M, Source), SceneError> {
    let text = read(M::WHAT, path)?;
    let base = path.parent().unwrap_or_else(|| Path::new(""));
    let (mut model, source) = parse::<M>(&path.display().to_string(), &text, base)?;
    if model.name().is_none() {
        *model.name_mut() = path.file_stem().map(|stem| file_name_of(&stem.to_string_lossy()));
    }
    Ok((model, source))
}

/// Reads and checks a text; `name` is its name in errors.
pub(crate) fn parse<M: FileModel>(name: &str, text: &str, base: &Path) -> Result<(M, Source), SceneError> {
    let bytes = text.len() as u64;
    if bytes > MOST_BYTES {
        let (text, meshes) = (Arc::from(""), Arc::default());
        let source = Source { name: name.to_owned(), text, base: base.to_owned(), meshes };
        let problem = too_long(M::WHAT, bytes);
        return Err(SceneError::Invalid(Box::new(Invalid::new(
            &source.name,
            &source.text,
            None,
            &problem,
            "",
        ))));
    }
    let meshes = Arc::default();
    let source = Source { name: name.to_owned(), text: text.into(), base: base.to_owned(), meshes };
    let model: M = from_str(text).map_err(|error| not_toml(&source, error))?;
    model.check().map_err(|fault| source.locate(fault))?;
    Ok((model, source))
}

/// Reads the table of a part of a scene from text, such as a body that a program adds; what it says is
/// checked with the scene that gets the part. `name` is its name in errors.
///
/// ```
/// use pliant_scene::{model::BodyModel, parse_part};
///
/// let body: BodyModel = parse_part("the body", "mesh = { ball = { radius = 0.5, shells = 2 } }\ndensity = 50")?;
/// assert_eq!(body.density.map(|density| density.get()), Some(50.0));
/// let error = parse_part::<BodyModel>("the body", "mesh = \"ball.msh\"\ndensity = -50").unwrap_err();
/// assert_eq!(error.to_string(), "the body:2:11: the density is -50.0; expected a positive number, kg/m³ (at density: `-50`)");
/// # Ok::<(), pliant_scene::SceneError>(())
/// ```
///
/// # Errors
///
/// If the text is not TOML, has an unknown key or a value that its type does not allow.
pub fn parse_part<M: DeserializeOwned>(name: &str, text: &str) -> Result<M, SceneError> {
    from_str(text).map_err(|error| {
        let meshes = Arc::default();
        let source = Source { name: name.to_owned(), text: text.into(), base: PathBuf::new(), meshes };
        not_toml(&source, error)
    })
}

/// The message that a text is too long, and what to do about it.
fn too_long(what: &str, bytes: u64) -> String {
    format!(
        "it has {bytes} bytes, and a {what} may have at most {MOST_BYTES}: put meshes and long lists into files of their own, \
         such as groups of a mesh file for vertices, `file` for numbers of elements or weights, and a point cache for motions"
    )
}

/// The text of a scene or stack file; `what` says which.
fn read(what: &'static str, path: &Path) -> Result<String, SceneError> {
    let refuse = |reason: String| SceneError::Read { what, path: path.to_owned(), reason };
    // Checked before opening, because opening a pipe would wait for a writer.
    let meta = fs::metadata(path).map_err(|error| refuse(unreadable(&error)))?;
    if meta.is_dir() {
        return Err(refuse(format!("it is a directory; give the path of a {what} file (TOML)")));
    }
    if !meta.is_file() {
        return Err(refuse(format!("it is a device or a pipe; give the path of a {what} file (TOML)")));
    }
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        return Err(refuse(
            match what {
                "scene" => "its name does not end in .toml; a mesh is simulated by a scene that names it (`pliant new own-mesh` writes one)",
                _ => "its name does not end in .toml; a mesh is deformed by a stack that names it (`pliant new elbow` writes one)",
            }
            .into(),
        ));
    }
    if meta.len() > MOST_BYTES {
        return Err(refuse(too_long(what, meta.len())));
    }
    let bytes = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
        refuse(format!("line {line} is not UTF-8 text; save the file as UTF-8"))
    })
}

/// The error of the TOML parser or of the model, with what to do about it.
fn not_toml(source: &Source, error: ReadError) -> SceneError {
    let mut field = None;
    let (problem, expected) = match error.problem {
        Problem::Syntax(_) if error.span.as_ref().is_some_and(|span| is_value(&source.text, span)) => (
            "invalid TOML value".to_owned(),
            "a number, a text in quotes, true or false, a list [..] or a table {..}".to_owned(),
        ),
        Problem::Syntax(message) => (message, String::new()),
        Problem::Key { found, known } => {
            let expected = expected_key(&found, known);
            (format!("unknown field `{found}`"), expected)
        }
        Problem::Word { found, known } if found == "coloured" && known.contains(&"clustered") => (
            "the plan `coloured` has been removed".to_owned(),
            "`clustered`, which is faster on any number of threads, `ordered`, `sequential` or `auto`"
                .to_owned(),
        ),
        Problem::Word { found, known } => {
            let expected = with_the_nearest(&found, known);
            (format!("unknown variant `{found}`"), expected)
        }
        Problem::Unfit { found, expected } => (found, expected),
        Problem::Other(message) => {
            // What the model of a scene says of its own values: "PROBLEM, expected EXPECTED".
            let (problem, expected) = message.split_once(", expected ").unwrap_or((&message, ""));
            field = error.span.as_ref().and_then(|span| field_at(&source.text, span));
            match (problem.strip_prefix(OutOfBounds::SUBJECT), &field) {
                // A number out of its bounds, which does not know its key.
                (Some(rest), Some(found)) => (noun(found).to_owned() + rest, expected.to_owned()),
                _ => {
                    field = None;
                    (problem.to_owned(), expected.to_owned())
                }
            }
        }
    };
    let place = error.span.map(|span| SourceSpan::of(&source.text, span));
    let invalid = Invalid::new(&source.name, &source.text, place, &problem, in_toml(&expected));
    SceneError::Invalid(Box::new(Invalid { field, ..invalid }))
}

/// What a model expects, in the words of the file and not of the program that reads it.
fn in_toml(expected: &str) -> &str {
    match expected {
        "a map" => "a table {..}",
        "a sequence" => "a list [..]",
        _ if expected.starts_with("struct ") => "a table {..}",
        _ => expected,
    }
}

/// Whether these bytes of a text that is not TOML stand where a value should.
fn is_value(text: &str, span: &Range<usize>) -> bool {
    let (Some(before), Some(found)) = (text.get(..span.start), text.get(span.clone())) else { return false };
    let is_word = found.starts_with(|c: char| c.is_alphanumeric());
    match before.trim_end().chars().next_back() {
        Some('=') => is_word || found.trim().is_empty(),
        Some('[' | ',') => is_word,
        _ => false,
    }
}

/// What to expect instead of an unknown key.
fn expected_key(found: &str, known: &[&str]) -> String {
    let beside = match found {
        "density" => "`density`, kg/m³, or `area_density`, kg/m²,",
        "area_density" => "`area_density`, kg/m²,",
        _ => "",
    };
    if known.contains(&"young") && !beside.is_empty() {
        return format!("{beside} as a key of the body beside `material`");
    }
    match elsewhere(found, known) {
        Some(place) => format!("{} (it is a key of {place})", one_of(known)),
        None => with_the_nearest(found, known),
    }
}

/// A list of what is possible, and what was probably meant.
fn with_the_nearest(found: &str, known: &[&str]) -> String {
    let all = one_of(known);
    match nearest(found, known) {
        Some(near) => format!("{all} (did you mean `{near}`?)"),
        None => all,
    }
}

/// The name with characters replaced that file names must not have.
fn file_name_of(stem: &str) -> String {
    let fit = |c: char| if check::fits_file_name(c) { c } else { '_' };
    let name: String = stem.chars().map(fit).take(check::LONGEST_NAME).collect();
    if name.is_empty() { "scene".to_owned() } else { name }
}
