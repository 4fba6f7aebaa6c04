import type { BlockStack, HeadRef, Sublayer } from "../data/index.js";
import {
  covers,
  type EditLists,
  type EditScope,
  headsOf,
  isAblated,
  type Part,
  scopeAt,
  STACKS,
  type StackSizes,
  withEdit,
} from "./edits.js";
import { sized } from "./matrix-inputs.js";

/*
 * Edits of heads and sublayers as a user sets them: a head has one gate and one pattern, a sublayer
 * its residual or not and one place for its norm, however many edits say so. Setting one of them
 * removes what earlier edits say of these heads or sublayers, and adds as few edits as possible.
 */

export const NAMED_PATTERNS = ["uniform", "diagonal", "previous"] as const;
export const SUBLAYERS = ["self-attention", "cross-attention", "feed-forward"] as const;
export const NORM_PLACES = ["model", "none", "pre", "post"] as const;

export type PartEdit = EditScope & Readonly<Record<string, unknown>>;

/** Ablates a head, or restores this head alone, however many heads one edit ablates. */
export function toggleHead(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  return isAblated(edits, head)
    ? restored(edits, [head], sizes)
    : withEdit(edits, "heads", { ...scopeAt("head", head), gate: 0 });
}

/** Ablates all other heads of a head's layer in one edit, or restores them if they are ablated. */
export function toggleSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  const layer = headsOf(scopeAt("layer", head), sizes);
  const heads = layer.map((one) => one.head).filter((one) => one !== head.head);
  if (heads.length === 0) return edits;
  // Another solo of the layer, or an ablation of this head, would leave none.
  const rest = restored(edits, layer, sizes);
  return isSolo(edits, head, sizes)
    ? rest
    : withEdit(rest, "heads", { ...scopeAt("layer", head), heads, gate: 0 });
}

export function isSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): boolean {
  const layer = headsOf(scopeAt("layer", head), sizes);
  return (
    layer.length > 1 && layer.every((one) => isAblated(edits, one) === (one.head !== head.head))
  );
}

/** Removes heads from the edits that ablate them; other fields of those edits stay. */
function restored(edits: EditLists, heads: readonly HeadRef[], sizes: StackSizes): EditLists {
  const all = partsOf("heads", sizes);
  const rest = edits.heads.flatMap((edit) =>
    edit.gate === 0 ? without(edit, "gate", heads, all) : [edit],
  );
  return { ...edits, heads: rest };
}

export function sublayersOf(stack: BlockStack, stacks: StackSizes): Sublayer[] {
  const hasCross = stack === "decoder" && stacks.cross !== undefined;
  return SUBLAYERS.filter((sublayer) => hasCross || sublayer !== "cross-attention");
}

export function partsOf(list: "heads" | "blocks", stacks: StackSizes): Part[] {
  if (list === "heads") return headsOf({}, stacks);
  return (["encoder", "decoder"] as const).flatMap((stack) =>
    [...Array(stacks[stack]?.layers ?? 0).keys()].flatMap((layer) =>
      sublayersOf(stack, stacks).map((sublayer) => ({ stack, layer, sublayer })),
    ),
  );
}

const nameOf = ({ stack, layer, head, sublayer }: Part): string =>
  `${stack} ${layer} ${head ?? sublayer}`;

const SCOPE = ["stack", "layers", "heads", "sublayers"];

/**
 * An edit without one field for some of `all` parts: unchanged if it does not cover them, else as
 * several edits.
 */
export function without(
  edit: PartEdit,
  name: string,
  parts: readonly Part[],
  all: readonly Part[],
): PartEdit[] {
  const named = new Set(parts.map(nameOf));
  const own = all.filter((part) => covers(edit, part));
  const gone = own.filter((part) => named.has(nameOf(part)));
  if (edit[name] === undefined || gone.length === 0) return [edit];
  const left = own.filter((part) => !named.has(nameOf(part)));
  const fields = Object.entries(edit).filter(([field]) => !SCOPE.includes(field));
  const others = fields.filter(([field]) => field !== name);
  return [
    ...editsAbout(left, Object.fromEntries(fields), all),
    ...(others.length > 0 ? editsAbout(gone, Object.fromEntries(others), all) : []),
  ];
}

/**
 * Edits of exactly these of `all` parts: one for all layers with the same parts, without lists that
 * would name everything.
 */
export function editsAbout(
  parts: readonly Part[],
  fields: object,
  all: readonly Part[],
): PartEdit[] {
  const named = new Set(parts.map(nameOf));
  return STACKS.flatMap((stack) => {
    const whole = all.filter((part) => part.stack === stack);
    const layers = [...new Set(whole.map(({ layer = 0 }) => layer))];
    const idsIn = (layer: number | undefined): (number | string | undefined)[] =>
      whole
        .filter((part) => part.layer === layer && named.has(nameOf(part)))
        .map(({ head, sublayer }) => head ?? sublayer);
    const groups = new Map<string, number[]>();
    for (const layer of layers) {
      const key = idsIn(layer).join();
      groups.set(key, [...(groups.get(key) ?? []), layer]);
    }
    groups.delete("");
    return [...groups.values()].map((group): PartEdit => {
      const ids = idsIn(group[0]);
      const isWhole = ids.length * layers.length === whole.length;
      const list = typeof ids[0] === "number" ? "heads" : "sublayers";
      // A list of some heads applies layer by layer, a list of sublayers does not.
      const isEverywhere = group.length === layers.length && (isWhole || list === "sublayers");
      return {
        stack,
        ...(!isEverywhere && { layers: group }),
        ...(!isWhole && { [list]: ids }),
        ...fields,
      };
    });
  });
}

/** The sum of a drawn row that starts from a head's weights; drawings have whole numbers. */
export const DRAWN_WHOLE = 1000;

/** A drawing with another number in one cell, extended to hold the cell. */
export function painted(
  drawing: readonly (readonly number[])[],
  { query, key }: { query: number; key: number },
  value: number,
): number[][] {
  const rows = Math.max(drawing.length, query + 1);
  const columns = Math.max(drawing[0]?.length ?? 0, key + 1);
  return sized(rows, columns, (row, column) =>
    row === query && column === key ? value : (drawing[row]?.[column] ?? 0),
  );
}
