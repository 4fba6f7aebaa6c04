//! The settings of `preprocessor_config.json`: how an image of any size becomes one of the model's
//! size. An absent field has the default of the image processor's class in Hugging Face; the class
//! is the one that the file names, else the default of the model's family.
//!
//! Source: transformers 5.24.0, `image_processing_backends.py`, `TorchvisionBackend`.

use serde_json::Value;

use super::config::ImageConfig;
use super::wire::Fields;
use crate::error::{Code, Error, Result};
use crate::kernels::resample::Filter;
use crate::warning::FieldWarning;

/// The name of the file, for error messages.
const FILE: &str = "preprocessor_config.json";

/// Fields that do not affect a single image. `auto_map` names code that is not run; the others are
/// about the layout of arrays, the device and the form of results.
const IRRELEVANT: &[&str] = &[
    "_valid_processor_keys",
    "auto_map",
    "data_format",
    "device",
    "disable_grouping",
    "image_processor_type",
    "image_seq_length",
    "input_data_format",
    "processor_class",
    "return_tensors",
    "use_fast",
    "feature_extractor_type",
];

/// The fields that are read.
const READ: &[&str] = &[
    "crop_size",
    "default_to_square",
    "do_center_crop",
    "do_convert_rgb",
    "do_normalize",
    "do_pad",
    "do_rescale",
    "do_resize",
    "image_mean",
    "image_std",
    "pad_size",
    "rescale_factor",
    "resample",
    "size",
    "use_square_size",
];

/// The size to which an image is resized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resized {
    /// The image keeps its size.
    No,
    /// Height and width, in pixels.
    Sides([usize; 2]),
    /// The shorter side, the other one in proportion.
    Shortest(usize),
    /// The shorter side, unless the longer one would exceed the second number.
    Between(usize, usize),
    /// The largest size within this height and width, in proportion.
    Within([usize; 2]),
}

/// The settings of image preprocessing.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageSettings {
    /// Whether transparent pixels are composed on white. Otherwise their colours are used
    /// unchanged.
    pub is_composed: bool,
    /// The size after resizing.
    pub resized: Resized,
    /// The filter of resizing.
    pub filter: Filter,
    /// The height and width of the centre crop; black where the image is smaller.
    pub crop: Option<[usize; 2]>,
    /// The factor of a byte.
    pub factor: f64,
    /// For each channel, the mean that is subtracted and the standard deviation that divides.
    pub normalised: Vec<[f64; 2]>,
}

/// The defaults of a class of image processors.
struct Class {
    name: &'static str,
    filter: u64,
    mean: [f64; 3],
    std: [f64; 3],
    /// Whether a size of one number is the size of both sides.
    is_square: bool,
    /// The default side of a resized image, for a model of side 224.
    size: usize,
    crops: bool,
    composes: bool,
}

const HALF: [f64; 3] = [0.5; 3];
const CLIP: Class = Class {
    name: "CLIPImageProcessor",
    filter: 3,
    mean: [0.481_454_66, 0.457_827_5, 0.408_210_73],
    std: [0.268_629_54, 0.261_302_58, 0.275_777_11],
    is_square: false,
    size: 224,
    crops: true,
    composes: true,
};

/// The classes that resize, crop, rescale and normalise, and do nothing else.
const CLASSES: [Class; 4] = [
    Class {
        name: "ViTImageProcessor",
        filter: 2,
        mean: HALF,
        std: HALF,
        is_square: true,
        size: 224,
        crops: false,
        composes: false,
    },
    Class {
        name: "DeiTImageProcessor",
        filter: 3,
        mean: HALF,
        std: HALF,
        is_square: true,
        size: 256,
        crops: true,
        composes: false,
    },
    CLIP,
    Class { name: "BitImageProcessor", ..CLIP },
];

impl ImageSettings {
    /// Reads the text of the file; without a text all fields are absent. Fields that no class here
    /// reads are among the warnings.
    ///
    /// # Errors
    /// `config/…`, naming the field.
    pub fn read(
        format: ImageConfig,
        family: &str,
        json: Option<&str>,
    ) -> Result<(Self, Vec<FieldWarning>)> {
        let of_file = |error: Error| {
            let doing =
                if error.doing == FILE { error.doing } else { format!("{FILE}: {}", error.doing) };
            Error { doing, ..error }
        };
        let fields = Fields::parse(FILE, json.unwrap_or("{}"))?;
        let settings = Self::of(format, family, &fields).map_err(of_file)?;
        for (field, value) in fields.beside(&[READ, IRRELEVANT].concat()) {
            fields.warn(field, value);
        }
        Ok((settings, fields.warnings()))
    }

    fn of(format: ImageConfig, family: &str, fields: &Fields) -> Result<Self> {
        let class = class(family, fields)?;
        if !matches!(format.channels, 1 | 3) {
            let expected = "1 (grey) or 3 (red, green and blue) for a model that reads images";
            let got = format.channels.to_string();
            return Err(Error::new(
                Code::ConfigBadField,
                "num_channels of config.json",
                expected,
                got,
            ));
        }
        fields.require("use_square_size", &Value::Bool(false))?;
        if fields.flag_or("do_pad", false)? {
            // Without a size, padding makes the images of a batch as large as the largest: a single
            // image stays unchanged.
            fields.require("pad_size", &Value::Null)?;
        }
        let resized = resized(class, format, fields)?;
        let crop = crop(class, format, fields)?;
        check_size(format, resized, crop)?;
        Ok(Self {
            is_composed: flag_or(fields, "do_convert_rgb", class.composes)?,
            resized,
            filter: if resized == Resized::No { Filter::Nearest } else { filter(class, fields)? },
            crop,
            factor: factor(fields)?,
            normalised: normalised(class, format.channels, fields)?,
        })
    }
}

/// A flag; null is false, as in Hugging Face.
fn flag_or(fields: &Fields, field: &str, default: bool) -> Result<bool> {
    fields.flag_or(field, default && !fields.is_null(field))
}

/// The class that Hugging Face selects; old class names are read as today's.
fn class(family: &str, fields: &Fields) -> Result<&'static Class> {
    let usual = if family == "deit" { "DeiTImageProcessor" } else { "ViTImageProcessor" };
    let (mut field, mut named) = ("image_processor_type", fields.text("image_processor_type")?);
    if named.is_none() {
        field = "feature_extractor_type";
        named = fields.text(field)?;
    }
    let named = named.unwrap_or(usual).replace("FeatureExtractor", "ImageProcessor");
    let short = named.strip_suffix("Fast").or(named.strip_suffix("Pil")).unwrap_or(&named);
    CLASSES.iter().find(|class| class.name == short).ok_or_else(|| {
        let names: Vec<&str> = CLASSES.iter().map(|class| class.name).collect();
        Error::new(Code::ConfigBadField, field, names.join(", "), named)
    })
}

/// The size after resizing, from any form that Hugging Face accepts.
fn resized(class: &Class, format: ImageConfig, fields: &Fields) -> Result<Resized> {
    if !flag_or(fields, "do_resize", true)? {
        return Ok(Resized::No);
    }
    let is_square = flag_or(fields, "default_to_square", class.is_square)?;
    let Some(size) = parts_of(fields, "size")? else {
        // A crop of a given size is one of the class's own size, whatever the model's is.
        let is_cut = flag_or(fields, "do_center_crop", class.crops)? && fields.has("crop_size");
        let of_model = if is_cut {
            [class.size; 2]
        } else {
            format.size.map(|side| (side * class.size / 224).max(1))
        };
        let given = fields.get("size");
        let sides = match given {
            Some(_) => fields.sides_or("size", 0)?,
            None => of_model,
        };
        let is_square = given.map_or(class.is_square, |size| is_square || size.is_array());
        let shortest = Resized::Shortest(sides[0].max(sides[1]));
        return Ok(if is_square { Resized::Sides(sides) } else { shortest });
    };
    let side = |name: &str| -> Result<usize> {
        let length = size.size(name)?;
        if length > 0 { Ok(length) } else { Err(wrong_size("size", SIZES, "0")) }
    };
    match size.names().as_slice() {
        ["height", "width"] => Ok(Resized::Sides([side("height")?, side("width")?])),
        ["shortest_edge"] => Ok(Resized::Shortest(side("shortest_edge")?)),
        ["longest_edge", "shortest_edge"] => {
            Ok(Resized::Between(side("shortest_edge")?, side("longest_edge")?))
        }
        ["max_height", "max_width"] => {
            Ok(Resized::Within([side("max_height")?, side("max_width")?]))
        }
        other => Err(wrong_size("size", SIZES, &other.join(", "))),
    }
}

/// The fields of a size that is an object; `None` for another form.
fn parts_of(fields: &Fields, field: &str) -> Result<Option<Fields>> {
    let is_object = fields.get(field).is_some_and(Value::is_object);
    if is_object { fields.object(field) } else { Ok(None) }
}

const SIZES: &str = "one size from 1, or height and width, shortest_edge, shortest_edge and \
                     longest_edge, or max_height and max_width";

fn wrong_size(field: &str, expected: &str, got: &str) -> Error {
    Error::new(Code::ConfigBadField, field, expected, got)
}

/// The size of the centre crop.
fn crop(class: &Class, format: ImageConfig, fields: &Fields) -> Result<Option<[usize; 2]>> {
    if !flag_or(fields, "do_center_crop", class.crops)? {
        return Ok(None);
    }
    let Some(size) = parts_of(fields, "crop_size")? else {
        if fields.has("crop_size") {
            return fields.sides_or("crop_size", 0).map(Some);
        }
        if class.crops {
            return Ok(Some(format.size));
        }
        let expected = "the size to which do_center_crop crops";
        return Err(Error::new(Code::ConfigMissingField, "crop_size", expected, "nothing"));
    };
    let side = |name: &str| size.size(name);
    match size.names().as_slice() {
        ["height", "width"] => Ok(Some([side("height")?, side("width")?])),
        other => Err(wrong_size("crop_size", "one size, or height and width", &other.join(", "))),
    }
}

/// Refuses settings that give an image of another size than the model's, as far as the settings
/// alone show it.
fn check_size(format: ImageConfig, resized: Resized, crop: Option<[usize; 2]>) -> Result<()> {
    let (field, size) = match (crop, resized) {
        (Some(size), _) => ("crop_size", size),
        (None, Resized::Sides(size)) => ("size", size),
        // The size depends on the image.
        _ => return Ok(()),
    };
    if size == format.size {
        return Ok(());
    }
    let [height, width] = format.size;
    let expected = format!("{height} × {width}, the image_size of config.json");
    let got = format!("{} × {}", size[0], size[1]);
    Err(Error::new(Code::ConfigContradiction, field, expected, got))
}

/// The filter, by its number in Pillow or its name in torchvision. The name `nearest` is another
/// filter there than the number 0, and is refused.
fn filter(class: &Class, fields: &Fields) -> Result<Filter> {
    let usual = Value::from(class.filter);
    let value = fields.get("resample").unwrap_or(&usual);
    let name = value.as_str().unwrap_or("");
    match value.as_u64() {
        Some(0) => Ok(Filter::Nearest),
        Some(1) => Ok(Filter::Lanczos),
        Some(2) => Ok(Filter::Bilinear),
        Some(3) => Ok(Filter::Bicubic),
        Some(4) => Ok(Filter::Box),
        Some(5) => Ok(Filter::Hamming),
        None if name == "nearest-exact" => Ok(Filter::Nearest),
        None if name == "lanczos" => Ok(Filter::Lanczos),
        None if name == "bilinear" => Ok(Filter::Bilinear),
        None if name == "bicubic" => Ok(Filter::Bicubic),
        None if name == "box" => Ok(Filter::Box),
        None if name == "hamming" => Ok(Filter::Hamming),
        _ => {
            let expected =
                "0 (nearest), 1 (lanczos), 2 (bilinear), 3 (bicubic), 4 (box) or 5 (hamming)";
            Err(Error::new(Code::ConfigBadField, "resample", expected, value.to_string()))
        }
    }
}

/// The factor of bytes.
fn factor(fields: &Fields) -> Result<f64> {
    if !flag_or(fields, "do_rescale", true)? {
        return Ok(1.0);
    }
    let factor = fields.number_or("rescale_factor", 1.0 / 255.0)?;
    if factor != 0.0 {
        return Ok(factor);
    }
    Err(Error::new(Code::ConfigBadField, "rescale_factor", "another number than 0", "0"))
}

/// Mean and standard deviation of each channel; 0 and 1 without normalisation.
fn normalised(class: &Class, channels: usize, fields: &Fields) -> Result<Vec<[f64; 2]>> {
    if !flag_or(fields, "do_normalize", true)? {
        return Ok(vec![[0.0, 1.0]; channels]);
    }
    let listed = |field: &str, usual: [f64; 3]| -> Result<Vec<f64>> {
        let given = match fields.get(field) {
            Some(Value::Number(_)) => vec![fields.number_or(field, 0.0)?],
            _ => fields.numbers(field)?.unwrap_or(usual.to_vec()),
        };
        if given.len() == channels || given.len() == 1 {
            return Ok((0..channels).map(|at| given[at % given.len()]).collect());
        }
        let expected = format!("{channels} numbers, as num_channels of config.json says, or one");
        Err(Error::new(Code::ConfigBadField, field, expected, format!("{} numbers", given.len())))
    };
    let (mean, std) = (listed("image_mean", class.mean)?, listed("image_std", class.std)?);
    if std.contains(&0.0) {
        return Err(Error::new(Code::ConfigBadField, "image_std", "no number that is 0", "0"));
    }
    Ok(mean.into_iter().zip(std).map(|(mean, std)| [mean, std]).collect())
}
