/** In English: the list of keys. */
export const keys = {
  "keys.title": "Shortcuts",
  "keys.close": "Close",
  "keys.move": "Move in the picture or the grid",
  "keys.lock": "Lock the cell, or choose the head",
  "keys.release": "Let go",
  "keys.block": "Block or allow the cell, in the picture",
  "keys.silence": "Silence or wake the head",
  "keys.solo": "Silence or wake the others of its layer, in the grid",
  "keys.zoom": "Zoom in, out, or show all, in the picture",
  "keys.layer": "Layer up or down",
  "keys.head": "Head before or after",
  "keys.undo": "Undo or redo",
  "keys.undoable":
    "Undo takes back what you made: texts, the model, edits, hidden tokens, what is compared, your numbers, and what you set in a laboratory. Where you look is no step: the head, the picture and its stage, the cell that is held, the open bench.",
  "keys.help": "This list",
  "keys.pick": "Pick the token in addition to others",
} as const;
