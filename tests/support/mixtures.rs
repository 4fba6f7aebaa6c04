//! Edits of positions, kinds of attention, masks and heads in one request, and whether a backend
//! computes under them what the `cpu` backend computes.

use headscope::backend::{Backend, Cpu};
use serde_json::{Value, json};

use super::cases::{IDS, sent};
use super::{assert_close, everything, families, finished};

/// Every scheme of positions, every kind of attention, frozen and silenced heads, masks.
pub fn mixtures() -> [Value; 7] {
    [
        json!({
            "positions": [{"scheme": "rotary", "parameters": {"base": 11}}],
            "attention": [{"kind": "linear", "heads": [0]}, {"kind": "cosine", "heads": [1]}],
            "heads": [{"heads": [1], "pattern": "diagonal"}],
            "masks": [{"preset": {"kind": "window", "width": 2}}],
        }),
        json!({
            "positions": [{"scheme": "alibi", "order": [2, 0, 1]}],
            "attention": [{"kind": "additive", "heads": [0]}, {"kind": "cosine", "heads": [1]}],
            "heads": [{"layers": [1], "heads": [0], "pattern": "uniform"}],
        }),
        json!({
            "positions": [{"scheme": "t5", "parameters": {"buckets": 4, "maxDistance": 3}}],
            "attention": [{"dropout": {"rate": 0.25, "seed": 5}}],
            "heads": [{"layers": [0], "pattern": [[1, 0], [3, 1]]}, {"heads": [1], "gate": 0}],
        }),
        json!({
            "positions": [{"scheme": "transformer-xl", "parameters": {"seed": 4}}],
            "attention": [{"temperature": 2, "scale": "none"}],
            "heads": [{"layers": [1], "heads": [1], "pattern": "previous"}],
            "masks": [{"preset": {"kind": "random", "keys": 1, "seed": 3}, "fill": "-1e9"}],
        }),
        json!({
            "positions": [{"scheme": "learned", "parameters": {"seed": 9}}],
            "attention": [{"kind": "performer", "parameters": {"features": 8, "seed": 2}}],
            "heads": [{"heads": [0], "pattern": "previous", "gate": 2}],
        }),
        json!({
            "positions": [{"scheme": "none"}],
            "attention": [
                {"kind": "sliding", "parameters": {"width": 1}, "heads": [0]},
                {"kind": "additive", "parameters": {"width": 3}, "heads": [1]},
            ],
            "heads": [{"layers": [0], "heads": [0], "pattern": [[1, 0, 0], [1, 1, 0], [0, 2, 1]]}],
            "masks": [{"preset": {"kind": "global", "tokens": [0], "width": 1}}],
        }),
        json!({
            "positions": [{"scheme": "sinusoidal", "parameters": {"base": 7}, "order": [1, 0]}],
            "attention": [{"kind": "chunked", "parameters": {"size": 2}}],
            "blocks": [{"layers": [1], "residual": false}],
        }),
    ]
}

/// Panics where another backend than the `cpu` one computes something else under a mixture.
pub async fn mixtures_on<B: Backend + Clone>(backend: B) {
    for reference in families() {
        let (session, other) = (reference.load(Cpu), reference.load(backend.clone()));
        for edits in mixtures() {
            let run = finished(&session, &sent(&IDS, &session, &edits), None).await;
            let beside = finished(&other, &sent(&IDS, &other, &edits), None).await;
            let (want, got) = (everything(&session, &run).await, everything(&other, &beside).await);
            for ((name, got), (_, want)) in got.into_iter().zip(want) {
                let what = format!("{}: {edits}: {name}", reference.name);
                assert_eq!(got.shape(), want.shape(), "{what}");
                // What is the same needs no tolerance, and −∞ has none.
                let pairs = got.into_data().into_iter().zip(want.into_data());
                let (got, want): (Vec<f32>, Vec<f32>) = pairs.filter(|(a, b)| a != b).unzip();
                assert!(got.iter().chain(&want).all(|x| x.is_finite()), "{what}");
                assert_close(&got, &want, &what);
            }
        }
    }
}
