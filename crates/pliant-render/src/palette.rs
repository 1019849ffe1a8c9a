//! [`Palette`]: the few colours that serve many pixels best.
//!
//! The colours are divided into boxes, always the one with the largest weighted sum of squares about its
//! mean, where that leaves the least (Wan, Prusinkiewicz and Wong, *Variance-based color image quantization
//! for frame buffer display*, 1990); a few rounds of Lloyd's method then move the means to where their pixels
//! are.

use std::collections::HashMap;

/// Colours of a palette; one of 256 is left for transparency.
pub(crate) const COLOURS: usize = 255;

/// A colour is near enough if no channel is further away than this, for all but 2 % of the pixels.
const NEAR: u8 = 12;

/// The most pixels that are sampled: of more every second, third, … one.
const SEEN: usize = 1 << 21;

const ROUNDS: usize = 3;

/// Up to 255 colours, and the nearest of them to any other.
pub(crate) struct Palette {
    /// Red, green and blue of 256 entries.
    pub(crate) table: Vec<u8>,
    /// Cache of earlier queries. Only looked up, never iterated over.
    known: HashMap<[u8; 3], u8>,
}

/// Colours, each once, with how much they count.
type Weighted = ([u8; 3], f64);

impl Palette {
    /// The colours that serve some pixels best: all of them if they are few.
    pub(crate) fn of(pixels: impl Iterator<Item = [u8; 3]> + Clone) -> Self {
        let count = pixels.clone().count();
        // Odd, so that it does not run along the columns of a picture.
        let every = count.div_ceil(SEEN).max(1) | 1;
        let mut all: Vec<[u8; 3]> = pixels.step_by(every).collect();
        all.sort_unstable();
        let mut distinct: Vec<Weighted> = Vec::new();
        for pixel in &all {
            match distinct.last_mut() {
                Some((last, count)) if last == pixel => *count += 1.0,
                _ => distinct.push((*pixel, 1.0)),
            }
        }
        let colours = if distinct.len() <= COLOURS {
            distinct.iter().map(|(colour, _)| *colour).collect()
        } else {
            // Half of the weight does not depend on the number of pixels, so that a small bright thing counts
            // beside a large dull one.
            let share = distinct.len() as f64 / all.len() as f64;
            distinct.iter_mut().for_each(|(_, count)| *count = 1.0 + *count * share);
            let mut colours = divided(&mut distinct);
            for _ in 0..ROUNDS {
                colours = moved(&colours, &distinct);
            }
            colours
        };
        let mut table = colours.concat();
        table.resize(3 * (COLOURS + 1), 0);
        Self { table, known: HashMap::new() }
    }

    /// The place of the nearest colour.
    pub(crate) fn nearest(&mut self, pixel: [u8; 3]) -> u8 {
        if let Some(&index) = self.known.get(&pixel) {
            return index;
        }
        let index = nearest_of(self.table.as_chunks().0[..COLOURS].iter(), pixel) as u8;
        self.known.insert(pixel, index);
        index
    }

    pub(crate) fn colour(&self, index: u8) -> [u8; 3] {
        self.table.as_chunks().0[usize::from(index)]
    }

    /// Whether these colours are near enough to the pixels.
    pub(crate) fn serves(&mut self, pixels: impl Iterator<Item = [u8; 3]>) -> bool {
        let (mut all, mut far) = (0_usize, 0_usize);
        for pixel in pixels {
            let nearest = self.nearest(pixel);
            let nearest = self.colour(nearest);
            all += 1;
            far += usize::from((0..3).any(|k| nearest[k].abs_diff(pixel[k]) > NEAR));
        }
        far * 50 <= all
    }
}

/// How far two colours look apart, squared: the weights are near to how bright the channels look.
pub(crate) fn apart(a: [u8; 3], b: [u8; 3]) -> i32 {
    let part = |k: usize| WEIGHTS[k] * (i32::from(a[k]) - i32::from(b[k])).pow(2);
    part(0) + part(1) + part(2)
}

const WEIGHTS: [i32; 3] = [3, 5, 2];

fn nearest_of<'a>(colours: impl Iterator<Item = &'a [u8; 3]>, pixel: [u8; 3]) -> usize {
    let least = colours.enumerate().min_by_key(|(_, colour)| apart(**colour, pixel));
    least.map_or(0, |(index, _)| index)
}

/// A box of colours, and the gain of dividing it.
struct ColourBox {
    start: usize,
    end: usize,
    error: f64,
    axis: usize,
}

impl ColourBox {
    fn of(colours: &[Weighted], start: usize, end: usize) -> Self {
        let (mut weight, mut sums, mut squares) = (0.0, [0.0; 3], [0.0; 3]);
        for (colour, count) in &colours[start..end] {
            weight += count;
            for k in 0..3 {
                let c = f64::from(colour[k]);
                sums[k] += count * c;
                squares[k] += count * c * c;
            }
        }
        let error = |k: usize| f64::from(WEIGHTS[k]) * (squares[k] - sums[k] * sums[k] / weight);
        let axis = (0..3).max_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(0);
        // A part of one colour cannot be divided, whatever rounding says.
        let error = if end - start < 2 { f64::NEG_INFINITY } else { error(0) + error(1) + error(2) };
        Self { start, end, error, axis }
    }

    /// Divides the part along its axis; returns where.
    fn divide(&self, colours: &mut [Weighted]) -> usize {
        let part = &mut colours[self.start..self.end];
        let axis = self.axis;
        part.sort_unstable_by_key(|(colour, _)| (colour[axis], *colour));
        let weight: f64 = part.iter().map(|(_, count)| count).sum();
        let sum: f64 = part.iter().map(|(colour, count)| count * f64::from(colour[axis])).sum();
        let (mut left, mut left_sum) = (0.0, 0.0);
        let (mut best, mut place) = (f64::NEG_INFINITY, 1);
        for (at, (colour, count)) in part[..part.len() - 1].iter().enumerate() {
            left += count;
            left_sum += count * f64::from(colour[axis]);
            // The gain of a separate mean on each side.
            let gain = left_sum * left_sum / left + (sum - left_sum).powi(2) / (weight - left);
            if gain > best {
                (best, place) = (gain, at + 1);
            }
        }
        self.start + place
    }
}

/// The means of as many parts as there may be colours.
fn divided(colours: &mut [Weighted]) -> Vec<[u8; 3]> {
    let mut parts = vec![ColourBox::of(colours, 0, colours.len())];
    while parts.len() < COLOURS {
        let widest = (0..parts.len()).max_by(|&a, &b| parts[a].error.total_cmp(&parts[b].error)).unwrap_or(0);
        let part = parts.swap_remove(widest);
        let middle = part.divide(colours);
        parts.push(ColourBox::of(colours, part.start, middle));
        parts.push(ColourBox::of(colours, middle, part.end));
    }
    parts.sort_unstable_by_key(|part| part.start);
    parts.iter().filter_map(|part| mean(colours[part.start..part.end].iter())).collect()
}

/// Each colour at the mean of those that it is nearest to.
fn moved(colours: &[[u8; 3]], all: &[Weighted]) -> Vec<[u8; 3]> {
    let mut members: Vec<Vec<&Weighted>> = vec![Vec::new(); colours.len()];
    for weighted in all {
        members[nearest_of(colours.iter(), weighted.0)].push(weighted);
    }
    colours
        .iter()
        .zip(members)
        .map(|(colour, members)| mean(members.into_iter()).unwrap_or(*colour))
        .collect()
}

fn mean<'a>(colours: impl Iterator<Item = &'a Weighted>) -> Option<[u8; 3]> {
    let (mut weight, mut sums) = (0.0, [0.0; 3]);
    for (colour, count) in colours {
        weight += count;
        (0..3).for_each(|k| sums[k] += count * f64::from(colour[k]));
    }
    (weight > 0.0).then(|| sums.map(|sum| (sum / weight).round() as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_are_met_nearly() {
        let few = (0..250_u8).map(|k| [k, 255 - k, 7]);
        let mut palette = Palette::of(few.clone());
        for pixel in few {
            let index = palette.nearest(pixel);
            assert_eq!(palette.colour(index), pixel);
        }
        // A faint slope beside a small thing of many bright colours.
        let slope =
            (0..60_000_u32).map(|k| [235 + (k / 3000) as u8, 240 + (k / 4500) as u8, 245 + (k / 6500) as u8]);
        let bright = (0..4000_u32).map(|k| [(k % 200) as u8 + 50, (k / 20) as u8, 20]);
        let all = slope.clone().chain(bright.clone());
        let mut palette = Palette::of(all.clone());
        for pixel in slope {
            let index = palette.nearest(pixel);
            assert!(apart(palette.colour(index), pixel) <= 10, "a step less than can be seen: {pixel:?}");
        }
        assert!(palette.serves(all));
        assert!(!palette.serves(std::iter::once([0, 0, 255])));
    }
}
