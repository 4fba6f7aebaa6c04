/** In English: what the bench shows of masks besides their rules: stages, cost, cheating, padding. */
export const maskLabs = {
  "lab.waiting": "Computing…",
  "lab.failed": "This could not be computed. Change the text or a rule to try again.",

  "stages.title": "What the rules do here",
  "stages.intro":
    "Layer {layer} · head {head}, from its scores to its weights. Point at a cell: it is the same pair in all four.",
  "stages.scores": "Scores, before the mask",
  "stages.mask": "+ the mask",
  "stages.masked": "= scores after the mask",
  "stages.weights": "→ weights, by softmax",

  "cost.title": "What attention costs",
  "cost.intro":
    "Layer {layer}, its {heads} heads of {size} numbers each: time grows as n² · d, memory as n² · h + n · d. The rules in force are counted row by row for every length.",
  "cost.quantity": "What is counted",
  "cost.pairs": "pairs of a head",
  "cost.operations": "multiply-adds of the layer",
  "cost.memory": "memory of the layer",
  "cost.axis": "tokens",
  "cost.here": "here",
  "cost.line.full": "every pair",
  "cost.line.masked": "with the rules",
  "cost.line.vectors": "Q, K, V, context",
  "cost.line.recurrent": "recurrent, n · d²",
  "cost.line.convolutional": "convolutional",
  "cost.table": "One head, in f32",
  "cost.tokens": "Tokens",
  "cost.allPairs": "All pairs",
  "cost.openPairs": "Allowed",
  "cost.share": "Share",
  "cost.headMemory": "Memory, all",
  "cost.openMemory": "Allowed",
  "cost.estimated":
    "≈: rules are joined cell by cell here, so rows that rules name are counted, and of the others every so-manieth stands for its neighbours.",
  "cost.paper": "The layers of Vaswani et al. 2017, Table 1, for n = {tokens} and d = {size}",
  "cost.layers": "Other layers, by the paper",
  "cost.layer": "Layer",
  "cost.perLayer": "Complexity",
  "cost.sequential": "Sequential operations",
  "cost.path": "Longest path",
  "cost.kind.attention": "Self-attention",
  "cost.kind.recurrent": "Recurrent",
  "cost.kind.convolutional": "Convolutional (k = 3, dilated)",
  "cost.kind.restricted": "Self-attention, restricted",
  "cost.paperNote":
    "r is how many keys a query may look at under the rules in force, {neighbours} on average.",

  "cheat.title": "Cheating: without the causal mask",
  "cheat.intro":
    "A decoder is trained to say the next word without seeing it. Take its mask away and the word to come is among those that it looks at. What was never trained to look ahead need not know how to use it.",
  "cheat.encoder":
    "This model has no decoder: nothing is hidden from it, so there is nothing to cheat about.",
  "cheat.remove": "Take the decoder’s own mask away",
  "cheat.sum":
    "Predicts the next word: {before} of {all} → {after} of {all}. It gives the word that comes {meanBefore} → {meanAfter} on average.",
  "cheat.sumPlain":
    "Predicts the next word: {before} of {all}. It gives the word that comes {meanBefore} on average.",
  "cheat.table": "The next word at every position, without your edits and with them",
  "cheat.comes": "After → comes",
  "cheat.before": "Original expects",
  "cheat.after": "Edited expects",
  "cheat.truth": "gives what comes",

  "pad.title": "Padding: two texts in one batch",
  "pad.intro":
    "A batch is a table, so shorter texts are filled up. Nobody may look at what fills them: then each text gets the numbers that it gets alone, up to rounding. Your sentence is the first; your edits are left out here.",
  "pad.other": "Second text",
  "pad.missing": "Type both texts.",
  "pad.failed": "These texts could not be computed together: one may be too long for the model.",
  "pad.batch": "The batch, a text per row",
  "pad.table":
    "Both texts at {tokens} tokens, beside each alone: the largest difference between their last hidden states",
  "pad.numbers": "Both texts beside each alone",
  "pad.text": "Text",
  "pad.tokens": "Tokens",
  "pad.pads": "Padding",
  "pad.masked": "Padding closed",
  "pad.open": "Padding seen",
  "pad.largest": "Largest state",
  "pad.causal":
    "This decoder looks only backwards: padding at the end is never seen, with a mask for it or without.",
} as const;
