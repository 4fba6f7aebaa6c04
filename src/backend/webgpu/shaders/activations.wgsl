// The activations of `kernels/activation.rs`, number by number. Exponents are clipped
// where f32 ends, because WGSL leaves open what an overflow gives.

const SQRT_HALF: f32 = 0.70710678;
const GELU_CUBIC: f32 = 0.044715;
const GELU_SCALE: f32 = 0.79788456; // sqrt(2 / pi)

// The error function as in `kernels/math.rs`, with the same coefficients.
fn erf(x: f32) -> f32 {
    let magnitude = abs(x);
    if (magnitude < 0.875) {
        let s = x * x;
        var p = -5.99104969e-4;
        p = p * s + 4.99339588e-3;
        p = p * s - 2.67667342e-2;
        p = p * s + 1.12818025e-1;
        p = p * s - 3.76124859e-1;
        p = p * s + 1.28379151e-1;
        return p * x + x;
    }
    let m = min(magnitude, 4.0); // From here on it is 1 in f32.
    var p = 1.7294893e-5;
    p = p * m - 3.8320868e-4;
    p = p * m + 3.88393435e-3;
    p = p * m - 2.42545605e-2;
    p = p * m + 1.06777847e-1;
    p = p * m + 6.34846687e-1;
    p = p * m + 1.28717512e-1;
    return sign(x) * (1.0 - exp(-(p * m + m)));
}

fn activated(x: f32, kind: u32) -> f32 {
    switch kind {
        case RELU: {
            return max(x, 0.0);
        }
        case GELU: {
            return 0.5 * x * (1.0 + erf(x * SQRT_HALF));
        }
        case GELU_TANH: {
            return 0.5 * x * (1.0 + hyperbolic_tangent(vec4(GELU_SCALE * (x + GELU_CUBIC * x * x * x))).x);
        }
        case TANH: {
            return hyperbolic_tangent(vec4(x)).x;
        }
        default: { // SILU
            return x / (1.0 + exp(min(-x, LARGEST_EXPONENT)));
        }
    }
}
