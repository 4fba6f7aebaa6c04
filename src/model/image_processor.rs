//! From an image of any size to the numbers that a model reads, as `preprocessor_config.json` says:
//! colours, size, crop, then `(factor·byte - mean) / std` for each channel.
//!
//! What it does not do: read files of images; the caller gives bytes.

use super::config::ImageConfig;
use super::image_settings::{ImageSettings, Resized};
use crate::error::{Code, Error, Result};
use crate::kernels::resample::{PIXEL, Taps};
use crate::warning::FieldWarning;

/// Pixels that are held at once at most, 128 MiB of them.
const MOST_PIXELS: usize = 1 << 25;

/// What a model of images reads, and the image that it is.
pub struct ProcessedImage {
    /// Height and width.
    pub size: [usize; 2],
    /// `[height, width, 4]`: red, green, blue and 255.
    pub bytes: Vec<u8>,
    /// `[channels, height, width]`.
    pub pixels: Vec<f32>,
}

/// Processes images for one model.
pub struct ImageProcessor {
    format: ImageConfig,
    settings: ImageSettings,
}

impl ImageProcessor {
    /// Reads the text of `preprocessor_config.json`, of a folder without the file none. Fields that
    /// are not read are among the warnings.
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

    /// Processes an image of this height and width. `read` writes one of its rows, `[width, 4]`
    /// bytes of red, green, blue and opacity.
    ///
    /// # Errors
    /// `input/bad-image` for one without pixels, one that is too large once it is resized, and one
    /// of which something of another size than the model's is left.
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

    /// The size of an image of this one before it is cropped.
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

    /// A pixel's colours as they are resampled. Its opacity is a fourth colour, which is not read.
    fn recolour(&self, pixel: &mut [u8; PIXEL]) {
        if self.settings.is_composed {
            on_white(pixel);
        }
        if self.format.channels == 1 {
            let [red, green, blue, _] = pixel.map(u32::from);
            // ITU-R 601, as Pillow rounds it.
            let grey = ((red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16) as u8;
            *pixel = [grey, grey, grey, 255];
        }
        pixel[3] = 255;
    }

    /// Bytes as numbers, channel after channel.
    fn numbers(&self, bytes: &[u8]) -> Vec<f32> {
        let mut numbers = Vec::with_capacity(bytes.len() / PIXEL * self.format.channels);
        for (channel, &[mean, std]) in self.settings.normalised.iter().enumerate() {
            // A byte has few values.
            let value = |byte: u8| ((self.settings.factor * f64::from(byte) - mean) / std) as f32;
            let values: Vec<f32> = (0..=255).map(value).collect();
            let pixels = bytes.chunks_exact(PIXEL);
            numbers.extend(pixels.map(|pixel| values[usize::from(pixel[channel])]));
        }
        numbers
    }
}

/// Python's `int`.
#[expect(clippy::cast_sign_loss, reason = "sizes have none")]
fn floor(size: f64) -> usize {
    size as usize
}

/// The size with this shortest side.
fn shortest([height, width]: [usize; 2], side: usize) -> [usize; 2] {
    let long = |long: usize, short: usize| floor(side as f64 * long as f64 / short as f64);
    if width <= height { [long(height, width), side] } else { [side, long(width, height)] }
}

/// The size with this shortest side, or with this longest one where that is smaller.
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

/// The middle of an image; black where it is smaller. What is odd is left out, or filled, on the
/// right and below.
fn cropped(bytes: &[u8], [height, width]: [usize; 2], [high, wide]: [usize; 2]) -> Vec<u8> {
    let mut out = [0, 0, 0, 255].repeat(high * wide);
    // Of the old and the new side: where the common middle begins.
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

/// Lays a pixel on white. Source: Pillow, `AlphaComposite.c`, whose shares have seven places more.
fn on_white(pixel: &mut [u8; PIXEL]) {
    let share = u32::from(pixel[3]) << 7;
    for byte in &mut pixel[..3] {
        let sum = u32::from(*byte) * share + 255 * ((255 << 7) - share) + (0x80 << 7);
        *byte = (((sum >> 8) + sum) >> 8 >> 7) as u8;
    }
}
