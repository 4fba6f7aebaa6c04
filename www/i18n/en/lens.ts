/** In English: tokens as words, several at once, without special tokens, without the sink. */
export const lens = {
  "lens.label": "How tokens are looked at",
  "lens.menu": "Tokens",
  "lens.unit": "Weights between",
  "lens.token": "tokens",
  "lens.word": "words",
  "lens.ordinaryOnly": "Hide special tokens",
  "lens.several": "Pick several",
  "lens.severalHint":
    "Pick several tokens to see where they look together; Shift and a click does the same.",
  "lens.byWord": "By word: the sum over key pieces, the mean over query pieces.",
  "lens.onlyWeights": "By token here: only weights can be joined into words.",
  "lens.changed": "Renormalised without “{token}”: not the weights that the model uses.",
  "lens.hiddenShare": "Rows add up to less than 1: on average {share} goes to hidden tokens.",
  "lens.renormalised": "renormalised",
  "lens.weightsWithout": "weights renormalised without “{token}”",
  "lens.emptied": "nothing left without “{token}”",
  "lens.summaryByWord": "by word (sum over key pieces, mean over query pieces)",
  "lens.summaryOrdinary": "special tokens hidden",
  "lens.summaryWithout": "renormalised without “{token}”",

  "lens.exported": "View: {view}",
  "lens.exportWeights": "weights as shown: {view}",

  "sink.label": "Attention sink",
  "sink.what":
    "“{token}” takes {share} of the weight of the queries that may look at more than one key: an attention sink.",
  "sink.why":
    "Softmax makes every query give away all of its weight, and a query that needs nothing from this head parks it on one token (Xiao et al. 2023).",
  "sink.without": "Renormalise without “{token}”",

  "together.title": "Picked together",
  "together.from": "look at",
  "together.to": "are looked at by",
  "together.looking": "Direction",
  "together.pool": "How they are combined",
  "together.sum": "sum",
  "together.mean": "mean",
  "together.release": "Let go",
  "together.more": "The {count} strongest of {all}",

  "pieces.weight": "weight between the words",
  "pieces.of":
    "mean over {queries} query {queries|piece|pieces}, sum over {keys} key {keys|piece|pieces}",
  "pieces.model": "The strongest of its pieces, {query} → {key}:",
  "pieces.without": "renormalised without “{token}”",
} as const;
