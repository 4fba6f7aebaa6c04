// The activations of `kernels/activation.rs`, number by number. Exponents are clipped
// where f32 ends, because WGSL leaves open what an overflow gives.

const SQRT_HALF: f32 = 0.70710678;
const GELU_CUBIC: f32 = 0.044715;
const GELU_SCALE: f32 = 0.79788456; // sqrt(2 / pi)
const GELU_LIMIT: f32 = 10.0;
const QUICK_GELU_SCALE: f32 = 1.702;
const LEAK: f32 = 0.01;
const MISH_LINEAR: f32 = 20.0;
const LAPLACE_MEAN: f32 = 0.707107;
const LAPLACE_DEVIATION: f32 = 0.282095;

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

fn gelu(x: f32) -> f32 {
    return 0.5 * x * (1.0 + erf(x * SQRT_HALF));
}

fn sigmoid(x: f32) -> f32 {
    return 1.0 / (1.0 + exp(min(-x, LARGEST_EXPONENT)));
}

fn activated(x: f32, kind: u32) -> f32 {
    switch kind {
        case RELU: {
            return max(x, 0.0);
        }
        case GELU: {
            return gelu(x);
        }
        case GELU_TANH: {
            return 0.5 * x * (1.0 + hyperbolic_tangent(vec4(GELU_SCALE * (x + GELU_CUBIC * x * x * x))).x);
        }
        case TANH: {
            return hyperbolic_tangent(vec4(x)).x;
        }
        case GELU_CLIPPED: {
            return clamp(gelu(x), -GELU_LIMIT, GELU_LIMIT);
        }
        case QUICK_GELU: {
            return x * sigmoid(QUICK_GELU_SCALE * x);
        }
        case MISH: {
            let e = exp(min(x, MISH_LINEAR));
            let n = e * (e + 2.0);
            return x * (n / (n + 2.0));
        }
        case RELU2: {
            return max(x, 0.0) * max(x, 0.0);
        }
        case RELU6: {
            return clamp(x, 0.0, 6.0);
        }
        case LEAKY_RELU: {
            return max(x, 0.0) + LEAK * min(x, 0.0);
        }
        case HARDSWISH: {
            return x * clamp(x + 3.0, 0.0, 6.0) / 6.0;
        }
        case SIGMOID: {
            return sigmoid(x);
        }
        case LAPLACE: {
            return 0.5 * (1.0 + erf((x - LAPLACE_MEAN) * SQRT_HALF / LAPLACE_DEVIATION));
        }
        case LINEAR: {
            return x;
        }
        default: { // SILU
            return x / (1.0 + exp(min(-x, LARGEST_EXPONENT)));
        }
    }
}
