/** In English: the inspector: a pair, and what a head is like. */
export const inspector = {
  "inspect.title": "Under the pointer",
  "inspect.pair": "This pair",
  "inspect.looksAt": "looks at",
  "inspect.empty": "Point at a cell, or press an arrow key in the picture.",
  "inspect.raw": "q · k",
  "inspect.scaled": "÷ √{size}",
  "inspect.mask": "mask",
  "inspect.softmax": "softmax over {count} {count|key|keys}",
  "inspect.rowMasked": "This query may look at nothing, so all its weights are 0.",
  "inspect.topKeys": "This query looks at",
  "inspect.next": "What the model would write after “{token}”",
  "inspect.nextNone": "This checkpoint has no output head, so it predicts nothing.",
  "inspect.nextHint":
    "Choose the decoder or cross-attention to see what the model would write after a token.",

  "measures.title": "This head on this text",
  "measures.entropy": "Entropy",
  "measures.distance": "Mean distance",
  "measures.nats": "{value} nats",
  "measures.bits": "= {value} bits",
  "measures.tokens": "{value} tokens",
  "measures.noDistance": "not defined between two texts",

  "spectrum.title": "Singular values",
  "spectrum.scores": "Scores, before mask and softmax",
  "spectrum.weights": "Weights, after mask and softmax",
  "spectrum.scores.edited": "Scores, before the mask",
  "spectrum.weights.edited": "Weights, as your edits make them",
  "spectrum.none": "None: some of its numbers are not finite.",
  "spectrum.holds": "{rank} of {count} hold {share}",
  "spectrum.label":
    "{name}: {count} singular values, from {largest} down to {smallest}; the first {rank} hold {share} of the sum of their squares",
  "spectrum.hint":
    "Each bar is one direction of the matrix, on a linear scale. The ones in the stronger colour hold {share} of the sum of all squares.",
  "spectrum.working": "Computing…",
  "spectrum.table": "All singular values",
  "spectrum.index": "No.",

  "like.title": "Heads like layer {layer} · head {head}",
  "like.hint":
    "How unlike their weights are on this text: Jensen–Shannon divergence in nats, from 0 (the same) to ln 2 ≈ {most}.",
  "like.none": "No other head can be compared on this text.",
} as const;
