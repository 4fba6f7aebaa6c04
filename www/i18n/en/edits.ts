/** In English: edits, and the steps that undo takes back. */
export const edits = {
  "edits.title": "Your edits",
  "edits.none": "None yet. Block a cell or silence a head and watch the translation change.",
  "edits.noneDecoder":
    "None yet. Block a cell or silence a head and watch what the model writes next.",
  "edits.noneEncoder":
    "None yet. Block a cell or silence a head and watch how the model fills a gap.",
  "edits.clear": "Clear all",
  "edits.undo": "Undo",
  "edits.redo": "Redo",
  "edits.remove": "Undo this edit: {edit}",
  "edits.undoStep": "Undo: {step}",
  "edits.redoStep": "Redo: {step}",

  "undo.tour": "step of the tour",
  "undo.model": "change of model",
  "undo.text": "change of the text",
  "undo.target": "change of the translation",
  "undo.masks": "change of a mask",
  "undo.heads": "change of heads",
  "undo.blocks": "change of a block",
  "undo.edits": "change of edits",
  "undo.hidden": "hidden tokens",
  "undo.view": "change of view",
} as const;
