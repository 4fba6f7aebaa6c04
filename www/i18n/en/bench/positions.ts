/** In English: where tokens stand, on the bench. */
export const positions = {
  "at.intro":
    "How tokens know where they stand. Another scheme takes the place of the model’s own, and everything after it is computed anew.",
  "at.noText": "Type a sentence first: positions are those of its tokens.",
  "at.stack": "Whose positions",
  "at.scheme": "Scheme",
  "at.layout": "Sine and cosine",
  "at.layout.model": "as by default",
  "at.layout.interleaved": "side by side",
  "at.layout.halves": "in halves",
  "at.table": "Table",
  "at.table.own": "the model’s",
  "at.table.drawn": "drawn by seed",
  "at.untrained.hint":
    "The numbers of this scheme are drawn by the seed. The model was never trained with them: untrained.",
  "at.model.hint": "Tokens know their places as the model was trained to.",
  "at.none.hint":
    "Nothing says where a token stands. What is left of the order is what the mask shows.",
  "at.sinusoidal.hint":
    "Waves of many lengths are added to the embeddings (Vaswani et al. 2017, section 3.5).",
  "at.learned.hint":
    "A row per position is added to the embeddings (Devlin et al. 2019, section 3).",
  "at.rotary.hint":
    "Queries and keys are turned, so that their product depends on the distance alone (Su et al. 2021, section 3.2).",
  "at.alibi.hint":
    "Every score loses a share of the distance, with a slope per head (Press et al. 2022, section 3).",
  "at.t5.hint":
    "A number per head and bucket of distances joins the scores (Raffel et al. 2020, section 2.1).",
  "at.transformer-xl.hint":
    "Content and distance meet in four terms: q·k, q·r, u·k and v·r (Dai et al. 2019, section 3.3).",
  "at.rotary.odd":
    "Rotary positions turn pairs of dimensions. A head of this model has {width}, which is odd: rotary cannot be chosen here.",
  "at.order": "Order of the positions",
  "at.order.hint":
    "Drag a token to another place, or move it with the arrow keys. The text stays as it is; only where its tokens believe to stand changes.",
  "at.order.token": "{token}, place {place} of {count}",
  "at.order.restore": "Back to the order of the text",
  "at.order.long": "Tokens can be moved in texts of up to {count} tokens.",
  "at.heads": "Which heads break",
  "at.heads.hint":
    "How unlike each head’s weights are to those under the model’s own positions: the Jensen–Shannon divergence in nats, 0 for the same, at most {most}. Of {count} heads {broken} differ by more than {threshold}.",
  "at.heads.head": "Layer {layer} · head {head}",
  "at.heads.broken": "Heads that break, the most changed first",
  "at.heads.others": "Heads that do not break, the most changed first",
  "at.heads.whole": "{count} heads do not break",
  "at.heads.none": "Choose another scheme or another order to see which heads it breaks.",
  "at.measure": "Measure",
  "at.measuring": "Measuring…",
  "at.failed": "This could not be measured. {sentence}",
  "at.permuted": "The tokens in another order",
  "at.permuted.hint":
    "The same tokens, permuted, go through the model once more. If nothing but their order changed, each row of the output moves with its token, and what is left is rounding.",
  "at.permuted.same":
    "Permuting the tokens permutes the output and nothing else: no number differs by more than {number}, no row by more than ‖Δ‖ = {row}.",
  "at.permuted.other":
    "Permuting the tokens changes more than the order of the output: numbers differ by up to {number}, rows by up to ‖Δ‖ = {row}.",
  "at.permuted.own": "With the model’s own positions these are {number} and {row}.",
  "at.permuted.causal":
    "A causal mask still knows the order: it shows each token other tokens than before.",
} as const;
