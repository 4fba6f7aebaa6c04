import type { HeadEdit, HeadRef } from "../data/index.js";
import { isSilenced } from "./edits.js";
import type { StackSizes } from "./limits.js";
import { withoutHeads } from "./head-edits.js";
import { covers, scopeOf } from "./scopes.js";
import type { EditLists } from "./state.js";

/** Silences a head, or wakes it and no other, however many one edit silences. */
export function toggleHead(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  if (isSilenced(edits, head)) return woken(edits, [head], sizes);
  return { ...edits, heads: [...edits.heads, { ...scopeOf(head), gate: 0 }] };
}

/** Silences all other heads of a head's layer, in one edit; where they are silent already, lets them speak again. */
export function toggleSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  const layer = layerOf(head, sizes);
  const others = layer.map((one) => one.head).filter((one) => one !== head.head);
  if (others.length === 0) return edits;
  // Another solo of the layer, or a silence of this head, would leave none to be heard.
  const kept = woken(edits, layer, sizes);
  if (isSolo(edits, head, sizes)) return kept;
  return {
    ...kept,
    heads: [...kept.heads, { stack: head.stack, layers: [head.layer], heads: others, gate: 0 }],
  };
}

/** Whether a head is the only one of its layer that is heard. */
export function isSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): boolean {
  const layer = layerOf(head, sizes);
  return (
    layer.length > 1 && layer.every((one) => isSilenced(edits, one) === (one.head !== head.head))
  );
}

/** With some heads taken out of the edits that silence them; what else those say stays, for these heads too. */
function woken(edits: EditLists, heads: readonly HeadRef[], sizes: StackSizes): EditLists {
  const silences = (edit: HeadEdit): boolean =>
    edit.gate === 0 && heads.some((head) => covers(edit, head));
  return {
    ...edits,
    heads: edits.heads.flatMap((edit) =>
      silences(edit) ? withoutHeads(edit, "gate", heads, sizes) : [edit],
    ),
  };
}

/** All heads of a head's layer. */
function layerOf(head: HeadRef, sizes: StackSizes): HeadRef[] {
  return Array.from({ length: sizes[head.stack]?.heads ?? 0 }, (_, index) => ({
    ...head,
    head: index,
  }));
}
