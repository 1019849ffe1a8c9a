//! [`Study`]: a study file, read and checked.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pliant_scene::{Scene, SceneError, set_key};
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use crate::draw::{Draw, Method};
use crate::error::SweepError;
use crate::sobol::DIMENSIONS;
use crate::vary::Spread;

/// The most units of a study: a folder with more entries is a burden on most file systems.
const MOST_UNITS: u64 = 1_000_000;

/// A study: a scene, the keys of it that vary, and how.
///
/// Reading it checks every key and the ends of every range on the scene, so that errors name a line of the study.
#[derive(Debug)]
pub struct Study {
    pub(crate) file: PathBuf,
    /// The scene with what is set for all units.
    pub(crate) base: Table,
    /// The folder that paths in the scene start from.
    pub(crate) base_dir: PathBuf,
    /// The keys that vary, sorted.
    pub(crate) keys: Vec<Key>,
    pub(crate) draw: Option<Draw>,
    /// How many combinations there are apart from the sample.
    pub(crate) combinations: u64,
    /// Points of the sample; 1 without one.
    pub(crate) samples: u32,
}

/// A key that varies.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) spread: Spread,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    scene: Spanned<PathBuf>,
    #[serde(default)]
    require: Vec<String>,
    #[serde(default)]
    set: BTreeMap<Spanned<String>, Spanned<Value>>,
    vary: Spanned<BTreeMap<Spanned<String>, Spanned<Value>>>,
    sample: Option<Spanned<SampleTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleTable {
    method: Method,
    samples: u32,
    #[serde(default)]
    seed: u64,
}

/// A file in the words of its errors.
struct Page<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Page<'_> {
    fn at(&self, span: Range<usize>, problem: impl Into<String>) -> SweepError {
        SweepError::at(self.file, self.text, span, problem)
    }
}

impl Study {
    /// Reads a study, and the scene that it names, relative to its own folder.
    ///
    /// # Errors
    /// If the study or its scene cannot be read, a key does not exist or does not take such values, or there
    /// are too many units; with file and line.
    pub fn load(file: &Path) -> Result<Self, SweepError> {
        let text = fs::read_to_string(file).map_err(|error| SweepError::read(file, &error))?;
        let page = Page { file, text: &text };
        let model: Model = toml::from_str(&text).map_err(|error| {
            page.at(error.span().unwrap_or(0..0), error.message().trim().replace('\n', ", "))
        })?;
        let folder = file.parent().unwrap_or_else(|| Path::new(""));
        let path = folder.join(model.scene.get_ref());
        let scene = Scene::load(&path).map_err(|error| match error {
            SceneError::Read { .. } => page.at(model.scene.span(), error.to_string()),
            error => error.into(),
        })?;
        let mut base: Table =
            scene.text().parse().map_err(|_| page.at(model.scene.span(), "the scene is not TOML"))?;
        base.entry("name").or_insert_with(|| scene.name().into());
        if !model.require.is_empty() {
            let all = scene.model.require.iter().chain(&model.require).cloned().map(Value::String);
            base.insert("require".to_owned(), Value::Array(all.collect()));
        }
        for (key, value) in &model.set {
            set_key(&mut base, key.get_ref(), value.get_ref().clone())
                .map_err(|problem| page.at(key.span(), format!("{}: {problem}", key.get_ref())))?;
        }
        let (vary, sample) = (model.vary, model.sample);
        let mut keys = Vec::new();
        let mut spans = Vec::new();
        let whole = vary.span();
        for (key, value) in vary.into_inner() {
            let (span, value_span) = (key.span(), value.span());
            let name = key.into_inner();
            let spread = Spread::of(value.into_inner())
                .map_err(|problem| page.at(value_span, format!("{name}: {problem}")))?;
            spans.push(span);
            keys.push(Key { name, spread });
        }
        if keys.is_empty() {
            return Err(page.at(whole, "nothing varies; name a key of the scene under [vary]"));
        }
        let combinations = combinations(&page, &keys, &spans)?;
        let drawn: Vec<usize> = (0..keys.len()).filter(|&k| keys[k].spread.count().is_none()).collect();
        let (draw, samples) = match (drawn.first(), sample) {
            (None, None) => (None, 1),
            (None, Some(sample)) => {
                return Err(page.at(
                    sample.span(),
                    "nothing is sampled: every key has a list or `steps`; leave `steps` out of a range, or leave out [sample]",
                ));
            }
            (Some(&first), None) => {
                let name = &keys[first].name;
                return Err(page.at(
                    spans[first].clone(),
                    format!("{name}: a range needs `steps`, or a table [sample] such as method = \"sobol\", samples = 64, seed = 1"),
                ));
            }
            (Some(_), Some(sample)) => {
                let span = sample.span();
                let SampleTable { method, samples, seed } = sample.into_inner();
                let units = combinations.checked_mul(u64::from(samples)).filter(|&units| units <= MOST_UNITS);
                if samples == 0 || units.is_none() {
                    let times = if combinations == 1 {
                        String::new()
                    } else {
                        format!(" for each of {combinations} combinations")
                    };
                    return Err(page.at(
                        span,
                        format!(
                            "{samples} samples{times}: a study has 1 to {MOST_UNITS} units; change `samples`"
                        ),
                    ));
                }
                if method == Method::Sobol && drawn.len() > DIMENSIONS {
                    return Err(page.at(
                        span,
                        format!("{} keys are sampled, and a Sobol sequence has at most {DIMENSIONS}; use method = \"random\"", drawn.len()),
                    ));
                }
                let names = drawn.iter().map(|&k| keys[k].name.as_str());
                (Some(Draw::new(method, seed, names)), samples)
            }
        };
        let study = Self {
            file: file.to_owned(),
            base,
            base_dir: folder_of(&path),
            keys,
            draw,
            combinations,
            samples,
        };
        study.check(&page, &spans, whole)?;
        Ok(study)
    }

    /// Tries every key on the scene, with the first value of every other.
    fn check(&self, page: &Page<'_>, spans: &[Range<usize>], whole: Range<usize>) -> Result<(), SweepError> {
        let firsts: Vec<(usize, Value)> =
            self.keys.iter().enumerate().map(|(k, key)| (k, key.spread.witnesses().swap_remove(0))).collect();
        let refuse = |k: usize, value: &Value, problem: String| {
            page.at(spans[k].clone(), format!("{} = {value}: {problem}", self.keys[k].name))
        };
        if let Err(problem) = self.scene_with(&firsts) {
            // The key that is to blame by itself, if one is.
            let alone = firsts
                .iter()
                .find_map(|first| Some((first, self.scene_with(std::slice::from_ref(first)).err()?)));
            return Err(match alone {
                Some(((k, value), problem)) => refuse(*k, value, problem),
                None => {
                    page.at(whole, format!("the first values of all keys do not fit together: {problem}"))
                }
            });
        }
        for (k, key) in self.keys.iter().enumerate() {
            for value in key.spread.witnesses() {
                let mut values = firsts.clone();
                values[k].1 = value;
                self.scene_with(&values).map_err(|problem| refuse(k, &values[k].1, problem))?;
            }
        }
        Ok(())
    }

    /// The scene with values of some keys, given by their numbers; else a sentence.
    pub(crate) fn scene_with(&self, values: &[(usize, Value)]) -> Result<Scene, String> {
        let mut table = self.base.clone();
        for (k, value) in values {
            set_key(&mut table, &self.keys[*k].name, value.clone())?;
        }
        Scene::parse_named("scene", &table.to_string(), &self.base_dir).map_err(|mut error| {
            if let SceneError::Invalid(invalid) = &mut error {
                // A place in a text that nobody has seen.
                invalid.place = None;
            }
            let told = error.to_string();
            told.strip_prefix("scene: ").map_or(told.clone(), str::to_owned)
        })
    }

    /// How many units it has, before those that are equal count once.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.combinations * u64::from(self.samples)
    }

    /// Its file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }
}

/// How many combinations of lists and steps there are.
fn combinations(page: &Page<'_>, keys: &[Key], spans: &[Range<usize>]) -> Result<u64, SweepError> {
    let counts: Vec<u64> = keys.iter().map(|key| key.spread.count().unwrap_or(1)).collect();
    let product = counts.iter().try_fold(1_u64, |product, &count| product.checked_mul(count));
    if let Some(product) = product.filter(|&product| product <= MOST_UNITS) {
        return Ok(product);
    }
    let most = (0..keys.len()).max_by_key(|&k| counts[k]).unwrap_or(0);
    let counts: Vec<String> = counts.iter().filter(|&&count| count > 1).map(u64::to_string).collect();
    let name = &keys[most].name;
    Err(page.at(
        spans[most].clone(),
        format!(
            "{name}: the keys have {} combinations, and a study has at most {MOST_UNITS} units; give fewer values, or draw a sample: leave out `steps`, and add [sample]",
            counts.join(" × ")
        ),
    ))
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}
