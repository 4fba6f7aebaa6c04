//! The trained parameters under the names of the Hugging Face folder that a model was loaded from.
//!
//! The loader turns the tensors of a file into the parameters of a model: it splits, transposes and
//! shares them, by family. Here it is read backwards, without a word about families: a file of the
//! same names and shapes, whose numbers are their own indices, goes through the same loader, and
//! the parameters that come out name the numbers of the file that they are made of. A second such
//! file tells what is added to a number, as the 1 of Gemma's gains. That the parameters of the
//! folder itself give its numbers back is checked at once.

use std::collections::HashMap;

use super::{Parameter, Parameters};
use crate::backend::{Autodiff, Derivatives};
use crate::error::{Code, Error, Result};
use crate::files::{self, Bytes, to_safetensors};
use crate::model::{Checkpoint, Model};

/// The most numbers whose indices, and twice their indices, are exact in f32.
const MOST_NUMBERS: usize = 1 << 23;

/// The numbers of a folder, and which of them each parameter is.
pub struct Folder {
    tensors: Vec<Tensor>,
    /// The numbers of all tensors, as the file had them; of tensors that repeat each other once.
    numbers: Vec<f32>,
    /// Of each parameter: the index of each of its numbers, `None` for one that is not of the file.
    places: Vec<Vec<Option<u32>>>,
    /// Of each parameter: the number that the loader adds.
    added: Vec<f32>,
}

/// A tensor of the file.
struct Tensor {
    name: String,
    shape: Vec<u64>,
    /// The index of its first number.
    start: usize,
}

impl Tensor {
    fn len(&self) -> usize {
        self.shape.iter().product::<u64>() as usize
    }
}

impl Folder {
    /// The folder with these texts and weights, whose parameters are `own`.
    ///
    /// # Errors
    /// The errors of loading; `checkpoint/too-large` for more numbers than are trained here,
    /// `config/unsupported-family` for a family whose parameters do not give its numbers back.
    pub async fn of<B: Derivatives + Clone>(
        backend: &Autodiff<B>,
        config: &str,
        weights: &[u8],
        own: &[Parameter],
    ) -> Result<Self> {
        let (tensors, numbers) = read(weights)?;
        let mut folder = Self { tensors, numbers, places: Vec::new(), added: Vec::new() };
        if folder.numbers.len() >= MOST_NUMBERS {
            let expected = format!("at most {MOST_NUMBERS} numbers in a model that is trained");
            let got = folder.numbers.len().to_string();
            return Err(Error::new(Code::CheckpointTooLarge, "the weights", expected, got));
        }
        let indices = (0..folder.numbers.len()).map(|index| index as f32);
        let one = folder.loaded(backend, config, indices.clone().collect()).await?;
        let other = indices.map(|index| 2.0 * index + 1.0).collect();
        let other = folder.loaded(backend, config, other).await?;
        for (one, other) in one.iter().zip(&other) {
            folder.learn(&one.values, &other.values);
        }
        folder.check(own)?;
        Ok(folder)
    }

    /// The file of the folder, `model.safetensors`, with the parameters as they are now.
    pub fn file(&self, parameters: &[Parameter]) -> Vec<u8> {
        let numbers = self.filled(parameters);
        to_safetensors(self.tensors.iter().map(|tensor| {
            let values = &numbers[tensor.start..][..tensor.len()];
            (tensor.name.as_str(), tensor.shape.as_slice(), values)
        }))
    }

    /// The numbers of all tensors, with the parameters as they are now.
    fn filled(&self, parameters: &[Parameter]) -> Vec<f32> {
        let mut numbers = self.numbers.clone();
        let known = self.places.iter().zip(&self.added);
        for (parameter, (places, added)) in parameters.iter().zip(known) {
            for (value, place) in parameter.values.iter().zip(places) {
                if let Some(place) = place {
                    numbers[*place as usize] = value - added;
                }
            }
        }
        numbers
    }

    /// The parameters of the model that is loaded from a file with other numbers.
    async fn loaded<B: Derivatives + Clone>(
        &self,
        backend: &Autodiff<B>,
        config: &str,
        numbers: Vec<f32>,
    ) -> Result<Vec<Parameter>> {
        let bytes = to_safetensors(self.tensors.iter().map(|tensor| {
            let values = &numbers[tensor.start..][..tensor.len()];
            (tensor.name.as_str(), tensor.shape.as_slice(), values)
        }));
        let files = files::open(vec![Box::new(Bytes::new("model.safetensors", &bytes))])?;
        let mut model = Model::load(backend.clone(), Some(config), None, files)?;
        Ok(Parameters::of(&mut model).await?.all)
    }

    /// Learns the places of a parameter from its numbers in both files: `i + a` and `2i + 1 + a`.
    fn learn(&mut self, one: &[f32], other: &[f32]) {
        let index = |(one, other): (&f32, &f32)| other - one - 1.0;
        let found: Vec<f32> = one.iter().zip(other).map(index).collect();
        let place = |index: f32| {
            // A number that both files share is of neither.
            let is_there = index >= 0.0 && index.fract() == 0.0;
            is_there.then(|| crate::error::whole(f64::from(index), 0..=self.numbers.len() - 1))?
        };
        let places = found.iter().map(|&index| place(index).map(|place| place as u32)).collect();
        self.added.push(one.iter().zip(&found).next().map_or(0.0, |(one, index)| one - index));
        self.places.push(places);
    }

    /// Refuses a folder whose numbers do not follow from its parameters, or follow from two.
    fn check(&self, own: &[Parameter]) -> Result<()> {
        let places: Vec<&Option<u32>> = self.places.iter().flatten().collect();
        let mut taken = vec![false; self.numbers.len()];
        let is_single = places.into_iter().flatten().all(|&place| {
            let before = std::mem::replace(&mut taken[place as usize], true);
            !before
        });
        let sizes =
            own.iter().zip(&self.places).all(|(own, places)| own.values.len() == places.len());
        let is_whole = own.len() == self.places.len() && sizes;
        // What is added to a number takes its last bits.
        let most = if self.added.iter().all(|&added| added == 0.0) { 0.0 } else { 1e-6 };
        let same =
            |(now, before): (&f32, &f32)| (now - before).abs() <= most * before.abs().max(1.0);
        if is_single && is_whole && self.filled(own).iter().zip(&self.numbers).all(same) {
            return Ok(());
        }
        let expected = "weights that follow from the trained parameters alone";
        let got = "others: the family combines them in another way";
        Err(Error::new(Code::ConfigUnsupportedFamily, "the model to train", expected, got))
    }
}

/// The tensors of a file, and their numbers. Tables that repeat each other, as a tied output
/// projection does, are one.
fn read(weights: &[u8]) -> Result<(Vec<Tensor>, Vec<f32>)> {
    let files = files::open(vec![Box::new(Bytes::new("model.safetensors", weights))])?;
    let shapes: Vec<(String, Vec<u64>)> = files
        .weights
        .iter()
        .flat_map(|file| &file.tensors)
        // Other types hold no parameters, such as the positions that older folders list.
        .filter(|(_, tensor)| tensor.format.is_some())
        .map(|(name, tensor)| (name.clone(), tensor.shape.clone()))
        .collect();
    let checkpoint = Checkpoint::new(files);
    let mut tensors = Vec::new();
    let mut numbers = Vec::new();
    let mut tables: HashMap<(Vec<u64>, Vec<u32>), usize> = HashMap::new();
    for (name, shape) in shapes {
        let sizes: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
        let own = checkpoint.read(&name, &sizes)?;
        let is_table = sizes.len() > 1 && own.iter().any(|value| *value != own[0]);
        let mut start = numbers.len();
        if is_table {
            let bits = own.iter().map(|value| value.to_bits()).collect();
            start = *tables.entry((shape.clone(), bits)).or_insert(start);
        }
        if start == numbers.len() {
            numbers.extend(own);
        }
        tensors.push(Tensor { name, shape, start });
    }
    Ok((tensors, numbers))
}
