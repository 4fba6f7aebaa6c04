//! The recorded operations of a forward pass, each with its backward formula; `dy` is the gradient
//! with respect to the result.

use std::ops::Range;

use super::{Autodiff, Derivatives, Traced, TracedMatrix, untraced};
use crate::backend::{Algebra, Attend, Attention, Epilogue, SiteCache};
use crate::kernels::activation::Activation;

impl<B: Derivatives> Algebra for Autodiff<B> {
    /// `y_i = s · E[id_i]`: to the row of each id goes `s · dy_i`.
    fn embed(&self, table: &TracedMatrix<B>, ids: &[u32], scale: f32) -> Traced<B> {
        let value = self.backend.embed(table.own(), ids, scale);
        let (matrix, ids) = (table.clone(), ids.to_vec());
        Traced::made(value, [table.node()], move |backend: &B, dy, _| {
            vec![Some(backend.embed_backward(matrix.own(), &ids, scale, dy))]
        })
    }

    /// `y = x W + b`: `dx = dy Wᵀ`, `dW = xᵀ dy`, `db = Σ dy` over the rows.
    fn linear(
        &self,
        x: &Traced<B>,
        matrix: &TracedMatrix<B>,
        bias: Option<&Traced<B>>,
    ) -> Traced<B> {
        let value = self.backend.linear(x.value(), matrix.own(), bias.map(Traced::value));
        let (input, weight) = (x.value().clone(), matrix.clone());
        let backward = move |backend: &B, dy: &B::Tensor, needs: &[bool]| {
            let into_input = || backend.linear(dy, weight.transpose(backend), None);
            let mut parts = vec![
                needs[0].then(into_input),
                needs[1].then(|| backend.weight_backward(&input, dy)),
            ];
            // A map without a bias has two inputs.
            parts.extend(needs.get(2).map(|needs| needs.then(|| backend.sum_rows(dy))));
            parts
        };
        match bias {
            None => Traced::made(value, [x.node(), matrix.node()], backward),
            Some(bias) => Traced::made(value, [x.node(), matrix.node(), bias.node()], backward),
        }
    }

    /// The operations one after the other, so that each has its gradient.
    fn linear_epilogue(
        &self,
        x: &Traced<B>,
        matrix: &TracedMatrix<B>,
        bias: Option<&Traced<B>>,
        then: &Epilogue<'_, Traced<B>>,
    ) -> Traced<B> {
        let mut y = self.linear(x, matrix, bias);
        if let Some(activation) = then.activation {
            y = self.activate(&y, activation);
        }
        if let Some(times) = then.times {
            y = self.multiply(&y, times);
        }
        if let Some(plus) = then.plus {
            y = self.add(&y, plus);
        }
        y
    }

    /// `y = a ⊙ b`: `da = dy ⊙ b`, `db = dy ⊙ a`.
    fn multiply(&self, a: &Traced<B>, b: &Traced<B>) -> Traced<B> {
        let [left, right] = [a, b].map(|x| x.value().clone());
        let value = self.backend.multiply(&left, &right);
        Traced::made(value, [a.node(), b.node()], move |backend: &B, dy, needs| {
            vec![
                needs[0].then(|| backend.multiply(dy, &right)),
                needs[1].then(|| backend.multiply(dy, &left)),
            ]
        })
    }

    /// `y = a + b`: both gradients are `dy`.
    fn add(&self, a: &Traced<B>, b: &Traced<B>) -> Traced<B> {
        let value = self.backend.add(a.value(), b.value());
        Traced::made(value, [a.node(), b.node()], |_, dy, _| {
            vec![Some(dy.clone()), Some(dy.clone())]
        })
    }

    /// See [`Derivatives::layer_norm_backward`].
    fn layer_norm(
        &self,
        x: &Traced<B>,
        gain: &Traced<B>,
        bias: &Traced<B>,
        epsilon: f32,
    ) -> Traced<B> {
        let value = self.backend.layer_norm(x.value(), gain.value(), bias.value(), epsilon);
        let [input, factors] = [x, gain].map(|x| x.value().clone());
        Traced::made(value, [x.node(), gain.node(), bias.node()], move |backend: &B, dy, _| {
            backend.layer_norm_backward(&input, &factors, epsilon, dy).map(Some).into()
        })
    }

    /// See [`Derivatives::rms_norm_backward`].
    fn rms_norm(&self, x: &Traced<B>, gain: &Traced<B>, epsilon: f32) -> Traced<B> {
        let value = self.backend.rms_norm(x.value(), gain.value(), epsilon);
        let [input, factors] = [x, gain].map(|x| x.value().clone());
        Traced::made(value, [x.node(), gain.node()], move |backend: &B, dy, _| {
            backend.rms_norm_backward(&input, &factors, epsilon, dy).map(Some).into()
        })
    }

    /// A rotation is undone by the opposite angles: `dx` is `dy`, rotated back. The table of
    /// rotations is a constant.
    fn rotate(&self, x: &Traced<B>, turns: &Traced<B>, head_dim: usize) -> Traced<B> {
        let value = self.backend.rotate(x.value(), turns.value(), head_dim);
        let turns = turns.value().clone();
        Traced::made(value, [x.node()], move |backend: &B, dy, _| {
            // A row of the table has the cosines, then the sines.
            let width = backend.columns(&turns);
            let mut signs = vec![1.0; width / 2];
            signs.resize(width, -1.0);
            let signs = backend.upload(signs.repeat(backend.rows(&turns)), width);
            vec![Some(backend.rotate(dy, &backend.multiply(&turns, &signs), head_dim))]
        })
    }

    /// `y = f(x)`: `dx = dy ⊙ f′(x)`.
    fn activate(&self, x: &Traced<B>, activation: Activation) -> Traced<B> {
        let value = self.backend.activate(x.value(), activation);
        let input = x.value().clone();
        Traced::made(value, [x.node()], move |backend: &B, dy, _| {
            vec![Some(backend.multiply(dy, &backend.slope(&input, activation)))]
        })
    }

    /// See [`Derivatives::log_softmax_backward`].
    fn log_softmax(&self, x: &Traced<B>) -> Traced<B> {
        let value = self.backend.log_softmax(x.value());
        let output = value.clone();
        Traced::made(value, [x.node()], move |backend: &B, dy, _| {
            vec![Some(backend.log_softmax_backward(&output, dy))]
        })
    }

    /// Ranks are not differentiable: the gradient ends here.
    fn top_k(&self, x: &Traced<B>, k: usize) -> Traced<B> {
        Traced::given(self.backend.top_k(x.value(), k))
    }
}

impl<B: Derivatives> Attend for Autodiff<B> {
    /// See [`Derivatives::attend_backward`]. Mask, gates, fixed patterns and terms of relative
    /// positions are constants.
    fn attend(&self, site: &Attention<'_, Traced<B>>, queries: Range<usize>) -> Traced<B> {
        let value = self.backend.attend(&untraced(site), queries.clone());
        let [query, key, rows] = [site.query, site.key, site.value].map(|x| x.value().clone());
        let (n_heads, n_kv_heads) = (site.n_heads, site.n_kv_heads);
        let (scale, cap) = (site.scale, site.cap);
        let (mask, gates) = (site.mask.clone(), site.gates.to_vec());
        let (fixed_patterns, variants) = (site.fixed_patterns.clone(), site.variants.clone());
        let relative = site.relative.cloned();
        let inputs = [site.query, site.key, site.value].map(Traced::node);
        Traced::made(value, inputs, move |backend: &B, dy, _| {
            let site = Attention {
                query: &query,
                key: &key,
                value: &rows,
                n_heads,
                n_kv_heads,
                scale,
                cap,
                mask: &mask,
                gates: &gates,
                fixed_patterns: &fixed_patterns,
                variants: &variants,
                relative: relative.as_ref(),
                memo: &SiteCache::default(),
            };
            backend.attend_backward(&site, queries.clone(), dy).map(Some).into()
        })
    }

    fn unprepared(&self, site: &Attention<'_, Traced<B>>) -> usize {
        self.backend.unprepared(&untraced(site))
    }

    fn prepare(&self, site: &Attention<'_, Traced<B>>) {
        self.backend.prepare(&untraced(site));
    }

    fn declines(&self, site: &Attention<'_, Traced<B>>) -> bool {
        self.backend.declines(&untraced(site))
    }
}
