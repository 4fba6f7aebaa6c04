/** In English: kinds of attention on the bench. */
export const kinds = {
  "kindBench.intro":
    "How a head comes to its weights. The last word about a head counts, and the model computes with it.",
  "kindBench.title": "Kind {number}: {kind}",
  "kindBench.kind": "Kind of attention",
  "kindBench.scores": "Scores",
  "kindBench.cheaper": "Cheaper attention",
  "kindBench.add": "Change this head to",
  "kindBench.remove": "Take this kind away",
  "kindBench.scale": "Scale",
  "kindBench.scale.model": "÷ √d",
  "kindBench.scale.none": "none",
  "kindBench.scale.by": "a number",
  "kindBench.factor": "times",
  "kindBench.temperature": "temperature",
  "kindBench.rate": "dropout",
  "kindBench.seed": "its seed",
  "kindBench.disabled":
    "What cannot be chosen needs all tokens at once: it holds where they are read together, and not where a text is written.",
  "kindBench.notEverywhere":
    "It needs all tokens at once: it holds where they are read together, and not where a text is written.",
  "kind.softmax.hint":
    "Queries times keys; ÷ √d keeps the scores as wide whatever d is (Vaswani et al. 2017, section 3.2.1). Without it they are dot-product scores.",
  "kind.cosine.hint":
    "Only directions count, not lengths: scores from −1 to 1, so a scale of 5 or 10 brings contrast back (Graves et al. 2014, eq. 6). The model’s own scale is 1 here.",
  "kind.additive.hint":
    "A small network on query and key, vᵀ tanh(W q + U k) (Bahdanau et al. 2015, A.1.2). Its weights are drawn by the seed: untrained.",
  "kind.sliding.hint":
    "Each query is compared with its neighbours alone; the rest is never computed (Beltagy et al. 2020, section 3.1).",
  "kind.blocks.hint":
    "Blocks of queries against their own and neighbouring blocks of keys (Zaheer et al. 2020, appendix D).",
  "kind.linear.hint":
    "elu + 1 of queries and keys in place of the exponential: one running sum serves all queries (Katharopoulos et al. 2020, eq. 7).",
  "kind.performer.hint":
    "Random positive features whose products are the exponentials on the average (Choromanski et al. 2021, sections 2.3 and 2.4).",
  "kind.low-rank.hint":
    "The softmax’s pattern with its largest singular values alone. Weights can be negative, and rows need not sum to 1 (Eckart & Young 1936).",
  "kind.linformer.hint":
    "Keys and values averaged over segments of the text; a query looks at segments (Wang et al. 2020, section 4, pooling).",
  "kind.chunked.hint":
    "The exact softmax, a chunk of keys at a time with a running maximum and sum: less memory, same numbers but for rounding (Rabe & Staats 2021).",
  "kindReport.title": "Layer {layer} · head {head}: {kind}",
  "kindReport.untrained": "Untrained: these weights are drawn, and no model learnt with them.",
  "kindReport.implied.features":
    "This kind takes no softmax of a row: the pattern shown is the one that it implies.",
  "kindReport.implied.rank": "The pattern shown is the softmax’s own, cut down to this rank.",
  "kindReport.implied.segments":
    "This kind takes its softmax over segments: the pattern shown shares each segment’s weight out evenly among its keys.",
  "kindReport.here": "here",
  "kindReport.exact": "exact",
  "kindReport.ratio": "here ÷ exact",
  "kindReport.operations": "Operations",
  "kindReport.bytes": "Bytes held at once",
  "kindReport.pattern":
    "Weights differ from exact ones by at most {largest}, in all by {relative}.",
  "kindReport.output": "What the head finds differs by at most {largest}, in all by {relative}.",
  "kindReport.rounding": "rounding",
  "kindReport.counted":
    "Counted by the engine while it computed this head: products with their sums, exponentials and quotients; and the buffers that it held.",
  "kindReport.inAll": "“In all” is ‖Δ‖ ÷ ‖exact‖ (Frobenius).",
  "kindReport.notRead": "What this head takes could not be read.",
  "kindReport.dropout": "Dropout",
  "kindReport.dropoutHint":
    "Dropped cells are hatched; what is left is divided by 1 − rate, so that a row sums to 1 on the average only. The sum stands beside each row.",
  "kindReport.mean":
    "On the average of {draws} seeds no weight is further than {furthest} from the undropped one. Rows of this draw sum to {least} … {most}.",
  "kindReport.tooLong":
    "The mean of {draws} seeds is shown of heads with at most {most} cells; this one has {cells}. Shorten the text to see it.",
  "kindReport.thisDraw": "This draw",
  "kindReport.meanOf": "Mean of {draws} seeds",
  "kindReport.undropped": "Without dropout",
  "kindReport.rows": "sum · query",
  "kindReport.columns": "key",
  "scoreLab.title": "Why divide by √d",
  "scoreLab.intro":
    "64 queries against 32 keys, every number drawn with mean 0 and variance 1 (Vaswani et al. 2017, section 3.2.1, footnote 4):",
  "scoreLab.dim": "dimensions d of a head",
  "scoreLab.plain": "q · k",
  "scoreLab.scaled": "q · k ÷ √d",
  "scoreLab.variance": "Variance of the scores",
  "scoreLab.entropy": "Entropy of a row (nats)",
  "scoreLab.jacobian": "‖diag(p) − ppᵀ‖",
  "scoreLab.weights": "Largest weights of one row, {side}",
  "scoreLab.widest": "all keys alike",
  "scoreLab.hint":
    "Wide scores make the softmax choose one key: entropy falls, and so does the norm of its Jacobian, through which the gradient comes. Divided by √d, neither depends on d.",
} as const;
