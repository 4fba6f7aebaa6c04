/** In English: what leads to parts of the page that come later, with sentences of their own. */
export const entries = {
  "export.open": "Export",
  "export.label": "Export",

  "pairs.begin": "Compare…",
  "pairs.withOriginal": "Compare with the original",
  "pairs.difference": "difference",
  "pairs.noCounterpart": "no counterpart",
  "pairs.signs": "+ only in the first, − only in the second",
  "figure.difference": "Difference: {queries} {queries|query|queries} by {keys} {keys|key|keys}",
  "undo.compare": "comparison",
  "undo.otherModel": "change of the other model",
  "undo.otherText": "change of the other text",
  "undo.aligned": "change of the alignment",
  "undo.pairs": "paired tokens",
} as const;
