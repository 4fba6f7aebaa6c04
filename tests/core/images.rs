//! Image processors beside Hugging Face's: bytes as torchvision computes them, exactly, and where
//! it cannot as Pillow does; numbers; the fields that are refused, and those that nothing reads.

use headscope::error::Code;
use headscope::model::{ImageConfig, ImageProcessor, ProcessedImage};
use headscope::warning::FieldWarning;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

const CASES: &str = include_str!("../reference/images.json");
const ANSWERS: &[u8] = include_bytes!("../reference/images.safetensors");

/// By how much a byte of torchvision's weights of 15 places may differ from Pillow's of 22.
const PILLOW: u8 = 1;

fn model(channels: usize, size: [usize; 2]) -> ImageConfig {
    ImageConfig { channels, size, patch: [1, 1], grid: size, specials: 1 }
}

fn sides(value: &Value) -> [usize; 2] {
    [0, 1].map(|at| value[at].as_u64().unwrap() as usize)
}

/// The image that `tests/reference/images.py` draws, `[height, width, 4]`.
fn drawn(kind: &str, [height, width]: [usize; 2], is_transparent: bool) -> Vec<u8> {
    let byte = |x: usize, y: usize, colour: usize| match (kind, colour) {
        (_, 3) if !is_transparent => 255,
        ("noise", _) => x * 37 + y * 61 + colour * 83 + x * y * 7,
        _ => (x * 5 + y * 3 + colour * 40) / 2,
    };
    let pixels = (0..height * width).map(|at| (at % width, at / width));
    pixels.flat_map(|(x, y)| (0..4).map(move |colour| byte(x, y, colour) as u8)).collect()
}

fn processed(
    (channels, size): (usize, [usize; 2]),
    (family, settings): (&str, &Value),
    (image, from): (&[u8], [usize; 2]),
) -> ProcessedImage {
    let json = settings.to_string();
    let (processor, _) = ImageProcessor::new(model(channels, size), family, Some(&json)).unwrap();
    let row = from[1] * 4;
    processor.process(from, |at, out| out.copy_from_slice(&image[at * row..][..row])).unwrap()
}

/// The colours of a processed image, `[channels, height, width]`.
fn colours(image: &ProcessedImage, channels: usize) -> Vec<u8> {
    let pixels = || image.bytes.chunks_exact(4);
    (0..channels).flat_map(|channel| pixels().map(move |pixel| pixel[channel])).collect()
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks().0.iter().map(|&number| f32::from_le_bytes(number))
}

#[wasm_bindgen_test(unsupported = test)]
fn images_become_what_hugging_face_makes_of_them() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let cases = cases["cases"].as_object().unwrap();
    let answers = SafeTensors::deserialize(ANSWERS).unwrap();
    assert!(cases.len() >= 90, "{}", cases.len());
    for (name, case) in cases {
        let from = sides(&case["image"]);
        let mode = case["mode"].as_str().unwrap();
        let channels = if mode == "L" { 1 } else { 3 };
        let image = drawn(case["kind"].as_str().unwrap(), from, mode == "RGBA");
        let family = case["family"].as_str().unwrap();
        let found = processed(
            (channels, sides(&case["size"])),
            (family, &case["settings"]),
            (&image, from),
        );
        let bytes = colours(&found, channels);
        let answer = |by: &str| answers.tensor(&format!("{name}/{by}")).ok();
        let torchvision = answer("torchvision");
        let pillow = answer("pil");
        let exact = torchvision.as_ref().or(pillow.as_ref()).unwrap();
        assert_eq!(exact.dtype(), Dtype::U8, "{name}");
        let wrong = bytes.iter().zip(exact.data()).filter(|(got, want)| got != want).count();
        assert_eq!((wrong, bytes.len()), (0, exact.data().len()), "{name}");
        if let Some(pillow) = pillow.filter(|_| comparable(name)) {
            let apart = bytes.iter().zip(pillow.data()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(apart <= Some(PILLOW), "{name}: {apart:?} from Pillow");
        }
        if let Some(numbers) = answer("numbers") {
            assert_eq!(found.pixels.len(), bytes.len(), "{name}");
            for (got, want) in found.pixels.iter().zip(floats(numbers.data())) {
                assert!((got - want).abs() <= 1e-6 * want.abs().max(1.0), "{name}: {got}, {want}");
            }
        }
    }
}

/// Pillow's class takes another nearest pixel on a border, and has an odd row that is missing
/// above.
fn comparable(name: &str) -> bool {
    !name.starts_with("filter 0") && !name.starts_with("padded") && !name.ends_with("40x9")
}

#[wasm_bindgen_test(unsupported = test)]
fn absent_fields_are_those_of_the_class() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let from = [50, 61];
    let image = drawn("noise", from, true);
    for (class, saved) in cases["defaults"].as_object().unwrap() {
        let family = if class == "DeiTImageProcessor" { "deit" } else { "vit" };
        let own = ["ViTImageProcessor", "DeiTImageProcessor"].contains(&class.as_str());
        let file = if own { json!({}) } else { json!({"image_processor_type": class}) };
        let [absent, given] = [&file, saved]
            .map(|settings| processed((3, [224, 224]), (family, settings), (&image, from)));
        assert_eq!(absent.bytes, given.bytes, "{class}");
        assert_eq!(absent.pixels, given.pixels, "{class}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn what_is_not_computed_is_refused_by_name() {
    let refused = |settings: Value| {
        let file = settings.to_string();
        let found = ImageProcessor::new(model(3, [8, 6]), "vit", Some(&file));
        let error = found.err().unwrap_or_else(|| panic!("{file} was read"));
        (error.code, error.doing)
    };
    let field = Code::ConfigBadField;
    let contradiction = Code::ConfigContradiction;
    for (settings, code, name) in [
        (json!([]), Code::ConfigNotJson, ""),
        (json!({"image_processor_type": "LevitImageProcessor"}), field, "image_processor_type"),
        (
            json!({"feature_extractor_type": "BeitFeatureExtractor"}),
            field,
            "feature_extractor_type",
        ),
        (json!({"size": 8}), contradiction, "size"),
        (json!({"size": {"height": 8, "width": 7}}), contradiction, "size"),
        (json!({"size": {"height": 8}}), field, "size"),
        (json!({"size": {"height": 8, "width": 0}}), field, "size"),
        (json!({"size": {"longest_edge": 8}}), field, "size"),
        (json!({"size": {"min_pixels": 8, "max_pixels": 9}}), field, "size"),
        (json!({"size": {"shortest_edge": "8"}}), field, "size.shortest_edge"),
        (json!({"size": 8.5}), field, "size"),
        (json!({"do_center_crop": true}), Code::ConfigMissingField, "crop_size"),
        (json!({"do_center_crop": true, "crop_size": 6}), contradiction, "crop_size"),
        (json!({"do_center_crop": 1}), field, "do_center_crop"),
        (json!({"resample": 6}), field, "resample"),
        (json!({"resample": "nearest"}), field, "resample"),
        (json!({"resample": true}), field, "resample"),
        (json!({"rescale_factor": 0}), field, "rescale_factor"),
        (json!({"image_mean": [0.5, 0.5]}), field, "image_mean"),
        (json!({"image_std": [0.5, 0.5, 0]}), field, "image_std"),
        (json!({"image_std": "0.5"}), field, "image_std"),
        (json!({"do_pad": true, "pad_size": {"height": 9, "width": 9}}), field, "pad_size"),
        (json!({"use_square_size": true}), field, "use_square_size"),
    ] {
        let doing =
            ["preprocessor_config.json", name].join(if name.is_empty() { "" } else { ": " });
        assert_eq!(refused(settings.clone()), (code, doing), "{settings}");
    }
    let two = ImageProcessor::new(model(2, [8, 6]), "vit", None).err().unwrap();
    assert_eq!(two.doing, "preprocessor_config.json: num_channels of config.json");
}

#[wasm_bindgen_test(unsupported = test)]
fn what_nothing_reads_is_listed() {
    let file = json!({
        "crop_pct": 0.9, "do_pad": true, "image_processor_type": "ViTImageProcessorFast",
        "device": "cuda", "resample": null, "size_divisor": null, "apply_ocr": true,
    });
    let found = ImageProcessor::new(model(3, [8, 6]), "vit", Some(&file.to_string()));
    let listed = |field: &str, value: &str| {
        FieldWarning::without_effect("preprocessor_config.json", field, value.to_owned())
    };
    assert_eq!(found.unwrap().1, [listed("apply_ocr", "true"), listed("crop_pct", "0.9")]);
}

#[wasm_bindgen_test(unsupported = test)]
fn an_image_that_cannot_become_one_of_the_model_is_refused() {
    let shortest = json!({"size": {"shortest_edge": 8}});
    let within = json!({"size": {"max_height": 8, "max_width": 8}});
    let as_it_is = json!({"do_resize": false});
    let large = json!({"size": {"shortest_edge": 8}, "do_center_crop": true, "crop_size": [8, 6]});
    for (settings, size, want) in [
        (&shortest, [9, 9], "8 × 8"),
        (&within, [1, 100], "0 × 8"),
        (&as_it_is, [8, 7], "8 × 7"),
        (&large, [1, 1 << 25], "8 × 268435456"),
        (&large, [0, 9], "0 × 9"),
    ] {
        let file = settings.to_string();
        let (processor, _) = ImageProcessor::new(model(3, [8, 6]), "vit", Some(&file)).unwrap();
        let error = processor.process(size, |_, _| ()).err().unwrap();
        assert_eq!((error.code, error.got.as_str()), (Code::InputBadImage, want), "{file}");
    }
    let as_it_is: Map<String, Value> = as_it_is.as_object().unwrap().clone();
    let bytes = drawn("noise", [8, 6], false);
    let found = processed((3, [8, 6]), ("vit", &Value::Object(as_it_is)), (&bytes, [8, 6]));
    assert_eq!(found.bytes, bytes);
}
