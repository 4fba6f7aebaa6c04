//! Image preprocessing: from an image of any size to the numbers that a model reads, by
//! `preprocessor_config.json`: colours, size, crop, then `(factor·byte - mean) / std` for each
//! channel.
//!
//! The caller decodes image files; the input here is bytes.

use super::config::ImageConfig;
use super::image_settings::{ImageSettings, Resized};
use crate::error::{Code, Error, Result};
use crate::kernels::resample::{PIXEL, Taps};
use crate::warning::FieldWarning;

/// The most pixels held at once, 128 MiB.
const MOST_PIXELS: usize = 1 << 25;

/// A preprocessed image: the numbers that a model reads, and the picture that they show.
pub struct ProcessedImage {
    /// Height and width, in pixels.
    pub size: [usize; 2],
    /// The picture `[height, width, 4]`: red, green, blue and 255.
    pub bytes: Vec<u8>,
    /// The model's input `[channels, height, width]`.
    pub pixels: Vec<f32>,
}

/// The image preprocessing of one model.
pub struct ImageProcessor {
    format: ImageConfig,
    settings: ImageSettings,
}

impl ImageProcessor {
    /// Reads the text of `preprocessor_config.json`; `None` for a folder without the file. Fields
    /// that are not read are among the warnings.
    ///
    /// # Errors
    /// `config/…`, naming the field.
    pub fn new(
        format: ImageConfig,
        family: &str,
        json: Option<&str>,
    ) -> Result<(Self, Vec<FieldWarning>)> {
        let (settings, warnings) = ImageSettings::read(format, family, json)?;
        Ok((Self { format, settings }, warnings))
    }

    /// Preprocesses an image of height and width `from`. `read` writes one row of the image,
    /// `[width, 4]` bytes of red, green, blue and opacity.
    ///
    /// # Errors
    /// `input/bad-image` for an image without pixels, one that is too large after resizing, and one
    /// whose size after resizing and cropping is not the model's.
    pub fn process(
        &self,
        from: [usize; 2],
        mut read: impl FnMut(usize, &mut [u8]),
    ) -> Result<ProcessedImage> {
        let to = self.resized(from)?;
        let mut row = vec![0; from[1] * PIXEL];
        let across = (to[1] != from[1]).then(|| Taps::new(self.settings.filter, from[1], to[1]));
        let mut bytes = vec![0; from[0] * to[1] * PIXEL];
        for (at, out) in bytes.chunks_exact_mut(to[1] * PIXEL).enumerate() {
            read(at, &mut row);
            row.as_chunks_mut().0.iter_mut().for_each(|pixel| self.recolour(pixel));
            match &across {
                Some(taps) => taps.across(&row, out),
                None => out.copy_from_slice(&row),
            }
        }
        if to[0] != from[0] {
            let down = Taps::new(self.settings.filter, from[0], to[0]);
            let across = bytes;
            bytes = vec![0; to[0] * to[1] * PIXEL];
            let mut sums = vec![0; to[1] * PIXEL];
            for (at, out) in bytes.chunks_exact_mut(to[1] * PIXEL).enumerate() {
                down.down(&across, at, &mut sums, out);
            }
        }
        let (bytes, size) = match self.settings.crop {
            Some(crop) => (cropped(&bytes, to, crop), crop),
            None => (bytes, to),
        };
        let [height, width] = self.format.size;
        if size != [height, width] {
            let expected = format!(
                "one of which {height} × {width} is left, since preprocessor_config.json neither \
                 resizes nor crops to that size"
            );
            let got = format!("{} × {}", size[0], size[1]);
            return Err(Error::new(Code::InputBadImage, "the image", expected, got));
        }
        let pixels = self.numbers(&bytes);
        Ok(ProcessedImage { size, bytes, pixels })
    }

    /// The size of an image of size `from` after resizing, before cropping.
    fn resized(&self, from: [usize; 2]) -> Result<[usize; 2]> {
        let [height, width] = from;
        let refused = |expected: String, size: [usize; 2]| {
            let got = format!("{} × {}", size[0], size[1]);
            Err(Error::new(Code::InputBadImage, "the image", expected, got))
        };
        if from.contains(&0) {
            return refused("at least one pixel".to_owned(), from);
        }
        let to = match self.settings.resized {
            Resized::No => from,
            Resized::Sides(sides) => sides,
            Resized::Shortest(side) => shortest(from, side),
            Resized::Between(side, most) => between(from, side, most),
            Resized::Within([high, wide]) => {
                let scale = (high as f64 / height as f64).min(wide as f64 / width as f64);
                from.map(|side| floor(side as f64 * scale))
            }
        };
        let area = |high: usize, wide: usize| high.saturating_mul(wide);
        if to.contains(&0) {
            return refused("a resized image of at least one pixel".to_owned(), to);
        }
        if area(to[0], to[1]).max(area(height, to[1])) > MOST_PIXELS {
            return refused(format!("a resized image of at most {MOST_PIXELS} pixels"), to);
        }
        Ok(to)
    }

    /// Converts a pixel's colours for resampling; opacity becomes 255.
    fn recolour(&self, pixel: &mut [u8; PIXEL]) {
        if self.settings.is_composed {
            on_white(pixel);
        }
        if self.format.channels == 1 {
            let [red, green, blue, _] = pixel.map(u32::from);
            // ITU-R 601, with Pillow's rounding.
            let grey = ((red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16) as u8;
            *pixel = [grey, grey, grey, 255];
        }
        pixel[3] = 255;
    }

    /// Normalises bytes to numbers, channel after channel.
    fn numbers(&self, bytes: &[u8]) -> Vec<f32> {
        let mut numbers = Vec::with_capacity(bytes.len() / PIXEL * self.format.channels);
        for (channel, &[mean, std]) in self.settings.normalised.iter().enumerate() {
            // A table of all 256 byte values.
            let value = |byte: u8| ((self.settings.factor * f64::from(byte) - mean) / std) as f32;
            let values: Vec<f32> = (0..=255).map(value).collect();
            let pixels = bytes.chunks_exact(PIXEL);
            numbers.extend(pixels.map(|pixel| values[usize::from(pixel[channel])]));
        }
        numbers
    }
}

/// Python's `int`: a size rounded down.
#[expect(clippy::cast_sign_loss, reason = "sizes have none")]
fn floor(size: f64) -> usize {
    size as usize
}

/// The size whose shorter side is `side`, in proportion.
fn shortest([height, width]: [usize; 2], side: usize) -> [usize; 2] {
    let long = |long: usize, short: usize| floor(side as f64 * long as f64 / short as f64);
    if width <= height { [long(height, width), side] } else { [side, long(width, height)] }
}

/// The size whose shorter side is `side`, or whose longer side is `most` if that gives a smaller
/// one.
fn between(from: [usize; 2], side: usize, most: usize) -> [usize; 2] {
    let [height, width] = from;
    let (short, long) = (height.min(width) as f64, height.max(width) as f64);
    let exact = if long / short * side as f64 > most as f64 {
        most as f64 * short / long
    } else {
        side as f64
    };
    // Python rounds a half to the even number.
    let side = floor(exact.round_ties_even());
    if height.min(width) == side {
        return from;
    }
    let other = floor(exact * long / short);
    if width < height { [other, side] } else { [side, other] }
}

/// The centre of an image, on black if the image is smaller. An odd row or column is cut, or
/// filled, at the bottom or on the right.
fn cropped(bytes: &[u8], [height, width]: [usize; 2], [high, wide]: [usize; 2]) -> Vec<u8> {
    let mut out = [0, 0, 0, 255].repeat(high * wide);
    // The first row or column of the common centre, in the old and in the new image.
    let begins =
        |old: usize, new: usize| (old.saturating_sub(new) / 2, new.saturating_sub(old) / 2);
    let ((top, above), (left, before)) = (begins(height, high), begins(width, wide));
    let n = width.min(wide) * PIXEL;
    for row in 0..height.min(high) {
        let from = ((top + row) * width + left) * PIXEL;
        let to = ((above + row) * wide + before) * PIXEL;
        out[to..to + n].copy_from_slice(&bytes[from..from + n]);
    }
    out
}

/// Composes a pixel on white. Source: Pillow, `AlphaComposite.c`, whose shares have seven more
/// bits.
fn on_white(pixel: &mut [u8; PIXEL]) {
    let share = u32::from(pixel[3]) << 7;
    for byte in &mut pixel[..3] {
        let sum = u32::from(*byte) * share + 255 * ((255 << 7) - share) + (0x80 << 7);
        *byte = (((sum >> 8) + sum) >> 8 >> 7) as u8;
    }
}
