import type {
  AttentionEdit,
  BlockEdit,
  HeadEdit,
  MaskEdit,
  PositionEdit,
  Scope,
} from "../data/index.js";
import { formatList, message } from "../i18n/index.js";
import {
  fittingEdits,
  NO_EDITS,
  STACKS,
  type EditLists,
  type EditRef,
  type Limits,
} from "../state/index.js";

/** What of an edit is at work, where that is not all of it, and by which code the rest is left out. */
export interface PartialFit {
  words: string;
  code: "edit/not-in-model" | "edit/not-in-text" | "edit/not-possible";
}

/** How far an edit fits a model and the present texts; null for one that fits as it is, or not at all. */
export function partialFit(
  edits: EditLists,
  { list, index }: EditRef,
  limits: Limits,
): PartialFit | null {
  const edit = edits[list][index];
  if (!edit) return null;
  const alone: EditLists = { ...NO_EDITS, positions: edits.positions, [list]: [edit] };
  const sent = fittingEdits(alone, limits)[list] ?? [];
  const [first] = sent;
  if (!first) return null;
  if (lacks(edit, first)) return { words: message("edits.partlyModel"), code: "edit/not-in-model" };
  switch (list) {
    case "masks":
      return maskFit(edit, first, limits);
    case "heads":
      return drawnFit(edit, first);
    case "attention":
      return stacksFit(edit, sent, limits);
    case "positions":
      return orderFit(edit as PositionEdit, first as PositionEdit);
    case "blocks":
      return null;
  }
}

/** Whether layers, heads or sublayers are named that the model does not have. */
function lacks(
  edit: Scope & Pick<BlockEdit, "sublayers">,
  sent: Scope & Pick<BlockEdit, "sublayers">,
): boolean {
  return (["layers", "heads", "sublayers"] as const).some(
    (part) => (sent[part]?.length ?? 0) < (edit[part]?.length ?? 0),
  );
}

function inText(
  key:
    | "edits.partly"
    | "edits.partlyTokens"
    | "edits.partlyLength"
    | "edits.partlyDrawn"
    | "edits.partlyOrder",
  values: Record<string, number>,
): PartialFit {
  return { words: message(key, values), code: "edit/not-in-text" };
}

/** Cells, global tokens, and lengths beyond the text: of them a rule says nothing that the text could follow. */
function maskFit(edit: MaskEdit, sent: MaskEdit, limits: Limits): PartialFit | null {
  const cells = ({ block = [], allow = [] }: MaskEdit): number => block.length + allow.length;
  if (cells(sent) < cells(edit)) return inText("edits.partly", { count: cells(sent) });
  const [tokens, left] = [edit, sent].map(({ preset }) =>
    preset && "tokens" in preset ? preset.tokens.length : 0,
  );
  if (tokens !== left) return inText("edits.partlyTokens", { count: left ?? 0, all: tokens ?? 0 });
  const { preset } = edit;
  if (preset?.kind !== "padding" && preset?.kind !== "prefix") return null;
  const keys = Math.min(
    ...STACKS.filter((stack) => (edit.stack ?? stack) === stack).map(
      (stack) => limits[stack]?.keys ?? Infinity,
    ),
  );
  return preset.length > keys ? inText("edits.partlyLength", { count: keys }) : null;
}

/** A drawn pattern may have more rows and columns than the text has tokens. */
function drawnFit({ pattern }: HeadEdit, { pattern: sent }: HeadEdit): PartialFit | null {
  if (!Array.isArray(pattern) || !Array.isArray(sent)) return null;
  const [[rows, columns], [allRows, allColumns]] = [sizeOf(sent), sizeOf(pattern)];
  return rows < allRows || columns < allColumns
    ? inText("edits.partlyDrawn", { rows, columns, allRows, allColumns })
    : null;
}

function sizeOf(pattern: readonly (readonly number[])[]): [rows: number, columns: number] {
  return [pattern.length, pattern[0]?.length ?? 0];
}

/** A kind of attention that some of the stacks cannot have. */
function stacksFit(
  edit: AttentionEdit,
  sent: readonly AttentionEdit[],
  limits: Limits,
): PartialFit | null {
  const named = STACKS.filter(
    (stack) => limits[stack] !== undefined && (edit.stack ?? stack) === stack,
  );
  const left = named.filter((stack) => sent.some((one) => (one.stack ?? stack) === stack));
  return left.length < named.length
    ? {
        words: message("edits.partlyStacks", {
          stacks: formatList(left.map((stack) => message(`stack.${stack}`))),
        }),
        code: "edit/not-possible",
      }
    : null;
}

/** An order of more tokens than there are is left out, whatever scheme comes with it. */
function orderFit({ order }: PositionEdit, sent: PositionEdit): PartialFit | null {
  return order && !sent.order ? inText("edits.partlyOrder", { count: order.length }) : null;
}
