//! A cell as its explanation makes it: the operation once more, in f64, on the terms that it names.

use headscope::kernels::scalar::erf;
use headscope::run::{Explanation, Operation};

use super::TOLERANCE;

/// The cell once more, from its terms, and how large what was added up is.
pub fn recomputed(made: &Explanation) -> (f64, f64) {
    let line = |at: usize| made.lines[at].values.iter().map(|&x| f64::from(x));
    let first = || line(0).next().unwrap();
    let x = |number: f32| f64::from(number);
    match made.operation {
        Operation::Product { factor, bias } => {
            let products: Vec<f64> = line(0).zip(line(1)).map(|(a, b)| a * b).collect();
            let bias = bias.map_or(0.0, x);
            let size = products.iter().map(|p| p.abs()).sum::<f64>() + bias.abs();
            (products.iter().sum::<f64>() * x(factor) + bias, size)
        }
        Operation::Scale { factor, bias } => {
            let bias = bias.map_or(0.0, x);
            (first() * x(factor) + bias, first().abs() + bias.abs())
        }
        // In f32, as the engine adds: beside −10⁹ a score is less than rounding.
        Operation::Mask { added } => (f64::from(made.lines[0].values[0] + added), first().abs()),
        Operation::Softmax { total, term, kept, .. } => {
            let exponentials: Vec<f64> = line(1).collect();
            assert!((exponentials.iter().sum::<f64>() - x(total)).abs() < TOLERANCE * x(total));
            (
                if total == 0.0 { 0.0 } else { exponentials[term] / x(total) * x(kept) },
                1.0 * x(kept),
            )
        }
        Operation::Given { total, term, .. } => {
            let sum = line(0).sum::<f64>();
            assert!((sum - x(total)).abs() <= TOLERANCE * x(total), "{sum} for {total}");
            (if total == 0.0 { 0.0 } else { line(0).nth(term).unwrap() / x(total) }, 1.0)
        }
        Operation::Add => {
            let (a, b) = (first(), line(1).next().unwrap());
            (a + b, a.abs() + b.abs())
        }
        Operation::Norm { mean, variance, epsilon, gain, bias, term } => {
            let a = line(0).nth(term).unwrap();
            let normal = (a - x(mean)) / (x(variance) + x(epsilon)).sqrt();
            (normal * x(gain) + x(bias), normal.abs() * 10.0)
        }
        Operation::RmsNorm { mean_square, epsilon, gain, term } => {
            let a = line(0).nth(term).unwrap();
            let normal = a / (x(mean_square) + x(epsilon)).sqrt();
            (normal * x(gain), normal.abs() * 10.0)
        }
        Operation::Rotation { cosine, sine, .. } => {
            assert!((x(cosine).powi(2) + x(sine).powi(2) - 1.0).abs() < TOLERANCE, "no turn");
            let (a, b) = (first(), line(1).next().unwrap());
            (a * x(cosine) + b * x(sine), a.abs() + b.abs())
        }
        Operation::Activation { function } => {
            let a = first();
            let cube = 0.797_884_560_802_865_4 * (a + 0.044_715 * a * a * a);
            let value = match function {
                "ReLU" => a.max(0.0),
                "GELU (tanh)" => 0.5 * a * (1.0 + cube.tanh()),
                "SiLU" => a / (1.0 + (-a).exp()),
                "GELU" => 0.5 * a * (1.0 + erf(a * std::f64::consts::FRAC_1_SQRT_2)),
                other => panic!("{other}"),
            };
            (value, a.abs())
        }
        Operation::Embedding { scale } => {
            let rest: Vec<f64> = (1..made.lines.len()).map(|at| line(at).next().unwrap()).collect();
            let token = first() * x(scale);
            (
                token + rest.iter().sum::<f64>(),
                token.abs() + rest.iter().map(|x| x.abs()).sum::<f64>(),
            )
        }
        Operation::Same => (first(), 0.0),
        Operation::Logarithm { of } => {
            // It is the raw score, but for what f32 leaves of that.
            let of = of.expect("the cpu knows the sum");
            assert_eq!((of as f32).to_bits(), made.lines[0].values[0].to_bits());
            (of.ln(), 1.0)
        }
        Operation::Shared { factor, keys } => {
            (first() * x(factor) - (keys as f64).ln(), first().abs() + 1.0)
        }
    }
}
