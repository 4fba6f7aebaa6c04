import {
  type AttentionEdit,
  type BlockEdit,
  type Edits,
  type HeadEdit,
  type HeadRef,
  LARGEST_GATE,
  LONGEST_DECOMPOSED,
  type MaskEdit,
  type PositionEdit,
  type Scope,
  type Stack,
  type Stage,
} from "../data/index.js";
import { allParts, KIND_PARTS } from "./attention-edits.js";
import { covers, editsOf, headsOf, isWithin, nameOfHead, scopeIn, type EditRef } from "./edits.js";
import { isRelative, placementOf, turnsIn } from "./position-edits.js";
import { STACKS, type EditLists, type Limits } from "./state.js";

/** Why a run is not given an edit, or a part of it. */
export interface EditMisfit {
  code: "edit/not-in-model" | "edit/not-in-text" | "edit/not-possible";
  /** Which sentence says so: the first three of an edit of which nothing fits. */
  says:
    | "otherModel"
    | "inactive"
    | "impossible"
    | "partly"
    | "partlyModel"
    | "partlyTokens"
    | "partlyLength"
    | "partlyDrawn"
    | "partlyOrder"
    | "partlyStacks";
  values?: Readonly<Record<string, number>>;
  /** The stacks that it is left in. */
  stacks?: readonly Stack[];
}

/** What a run is given of an edit: nothing of one that does not fit, several where stacks differ. */
interface Fit<Edit> {
  sent: readonly Edit[];
  misfit: EditMisfit | null;
}
type Fits = { readonly [List in keyof EditLists]: Fit<EditLists[List][number]>[] };

const NOTHING = { sent: [], misfit: null };
const NOT_IN_MODEL: EditMisfit = { code: "edit/not-in-model", says: "partlyModel" };

/** The part of the edits that fits a model and the present texts: what a run is given. */
export function fittingEdits(edits: EditLists, limits: Limits): Edits {
  const { masks, heads, blocks, attention, positions } = fitted(edits, limits);
  return editsOf({
    masks: masks.flatMap(({ sent }) => sent),
    heads: heads.flatMap(({ sent }) => sent),
    blocks: blocks.flatMap(({ sent }) => sent),
    attention: attention.flatMap(({ sent }) => sent),
    positions: positions.flatMap(({ sent }) => sent),
  });
}

/** Says of each edit whether any part of it fits, and why not all of it: of several reasons the one that no other text takes away. */
export function fitsIn(
  edits: EditLists,
  limits: Limits,
): (ref: EditRef) => { active: boolean; misfit: EditMisfit | null } {
  const fits = fitted(edits, limits);
  // What no text would let apply does not wait for one.
  const texts = { queries: Infinity, keys: Infinity };
  const endless: Limits = Object.fromEntries(
    Object.entries(limits).map(([stack, limit]) => [stack, { ...limit, ...texts }]),
  );
  let possible: Fits | null = null;
  return ({ list, index }) => {
    const { sent, misfit } = fits[list][index] ?? NOTHING;
    if (sent.length > 0) return { active: true, misfit };
    if (isElsewhere(edits[list][index] ?? {}, limits))
      return { active: false, misfit: { ...NOT_IN_MODEL, says: "otherModel" } };
    possible ??= fitted(edits, endless);
    return {
      active: false,
      misfit: possible[list][index]?.sent.length
        ? { code: "edit/not-in-text", says: "inactive" }
        : { code: "edit/not-possible", says: "impossible" },
    };
  };
}

function fitted(edits: EditLists, limits: Limits): Fits {
  return {
    masks: edits.masks.map((edit) => fitMask(edit, limits)),
    heads: fitHeads(edits.heads, limits),
    blocks: edits.blocks.map((edit) => fitBlock(edit, limits)),
    attention: edits.attention.map((edit) => fitKind(edit, edits, limits)),
    positions: edits.positions.map((edit) => fitPosition(edit, limits)),
  };
}

/** Whether the model has nothing of the stack, layers, heads or sublayers that an edit names, whatever the text. */
function isElsewhere(
  { stack, layers, heads, sublayers }: Scope & Pick<BlockEdit, "sublayers">,
  limits: Limits,
): boolean {
  const lacks = (named: number[] | undefined, count: number): boolean =>
    named?.every((index) => index >= count) ?? false;
  const lacksCross =
    !limits.cross && (sublayers?.every((sublayer) => sublayer === "cross-attention") ?? false);
  const there = stacksOf({ ...(stack && { stack }) }, limits);
  return lacksCross || there.every((one) => lacks(layers, one.layers) || lacks(heads, one.heads));
}

function inText(
  isCut: boolean,
  says: EditMisfit["says"],
  values: Record<string, number>,
): EditMisfit | null {
  return isCut ? { code: "edit/not-in-text", says, values } : null;
}

/** Without the cells and the global tokens that a text does not have. In cross-attention a token may be a query or a key. */
function fitMask(edit: MaskEdit, limits: Limits): Fit<MaskEdit> {
  const {
    sent: [scoped],
    misfit,
  } = fitScope(edit, limits);
  if (!scoped) return NOTHING;
  const stacks = stacksOf(edit, limits);
  const { preset } = edit;
  if (preset && "tokens" in preset) {
    const end = Math.min(...stacks.map(({ queries, keys }) => Math.max(queries, keys)));
    const tokens = preset.tokens.filter((token) => token < end);
    const [count, all] = [tokens.length, preset.tokens.length];
    const cut = inText(count < all, "partlyTokens", { count, all });
    return { sent: [{ ...scoped, preset: { ...preset, tokens } }], misfit: misfit ?? cut };
  }
  if (preset || edit.fill !== undefined) {
    const count = Math.min(...stacks.map(({ keys }) => keys));
    const length = preset?.kind === "padding" || preset?.kind === "prefix" ? preset.length : 0;
    return { sent: [scoped], misfit: misfit ?? inText(length > count, "partlyLength", { count }) };
  }
  const fits = ([query, key]: [number, number]): boolean =>
    stacks.every((stack) => query < stack.queries && key < stack.keys);
  const [block = [], allow = []] = [edit.block?.filter(fits), edit.allow?.filter(fits)];
  const count = block.length + allow.length;
  if (count === 0) return NOTHING;
  const { block: blocks = [], allow: allows = [], ...rest } = scoped;
  const all = blocks.length + allows.length;
  return {
    sent: [{ ...rest, ...(block.length > 0 && { block }), ...(allow.length > 0 && { allow }) }],
    misfit: misfit ?? inText(count < all, "partly", { count }),
  };
}

/**
 * Each edit of heads as far as it fits: nothing of one that names no head, or takes a head's gates too far, for they
 * multiply; without the rows and columns of a drawn pattern that the text does not have.
 */
function fitHeads(edits: readonly HeadEdit[], limits: Limits): Fit<HeadEdit>[] {
  const products = new Map<string, number>();
  return edits.map((edit) => {
    const {
      sent: [scoped],
      misfit,
    } = fitScope(edit, limits);
    if (!scoped || silencesAllOf(edit, scoped, limits)) return NOTHING;
    const grown = headsOf(scoped, limits)
      .map(nameOfHead)
      .map((name): [string, number] => [name, (products.get(name) ?? 1) * (edit.gate ?? 1)]);
    if (grown.some(([, product]) => Math.abs(product) > LARGEST_GATE)) return NOTHING;
    for (const [name, product] of grown) products.set(name, product);
    const { pattern } = scoped;
    if (!Array.isArray(pattern)) return { sent: [scoped], misfit };
    const stacks = stacksOf(edit, limits);
    const [queries, keys] = [
      Math.min(...stacks.map((stack) => stack.queries)),
      Math.min(...stacks.map((stack) => stack.keys)),
    ];
    const sent = pattern.slice(0, queries).map((row) => row.slice(0, keys));
    if (sent.length === 0) return NOTHING;
    const [rows, allRows] = [sent.length, pattern.length];
    const [columns = 0, allColumns = 0] = [sent[0]?.length, pattern[0]?.length];
    const isCut = rows < allRows || columns < allColumns;
    return {
      sent: [{ ...scoped, pattern: sent }],
      misfit: misfit ?? inText(isCut, "partlyDrawn", { rows, columns, allRows, allColumns }),
    };
  });
}

/** Whether of some heads that were silenced only those are left that a smaller model has: all of a layer, which was not meant. */
function silencesAllOf(edit: HeadEdit, scoped: HeadEdit, limits: Limits): boolean {
  const [named = 0, left = 0] = [edit.heads?.length, scoped.heads?.length];
  return (
    edit.gate === 0 && left < named && stacksOf(edit, limits).some(({ heads }) => heads === left)
  );
}

/** A block's edit with the layers and sublayers that exist; cross-attention belongs to the decoder of a translator. */
function fitBlock(edit: BlockEdit, limits: Limits): Fit<BlockEdit> {
  const { cross, ...stacks } = limits;
  const hasCross = cross !== undefined && edit.stack !== "encoder";
  const sublayers = edit.sublayers?.filter(
    (sublayer) => sublayer !== "cross-attention" || hasCross,
  );
  if (sublayers?.length === 0) return NOTHING;
  const { sent, misfit } = fitScope(edit, stacks);
  const lacks = sent.length > 0 && (sublayers?.length ?? 0) < (edit.sublayers?.length ?? 0);
  return {
    sent: sent.map((scoped) => ({ ...scoped, ...(sublayers && { sublayers }) })),
    misfit: misfit ?? (lacks ? NOT_IN_MODEL : null),
  };
}

/**
 * A kind of attention in the stacks where it makes sense, with the layers and heads that exist, and all that there is to
 * say of it, so that nothing is left of an edit before it. Positions that join the scores leave no place for a kind that
 * never holds them.
 */
function fitKind(edit: AttentionEdit, edits: EditLists, limits: Limits): Fit<AttentionEdit> {
  const { holdsScores, stacks = STACKS } = KIND_PARTS[edit.kind ?? "softmax"];
  const holds = (stack: Stack): boolean => {
    const { queries = 0, keys = 0 } = limits[stack] ?? {};
    const joined = stack !== "cross" && isRelative(placementOf(edits, stack));
    return (
      stacks.includes(stack) &&
      (holdsScores || !joined) &&
      (edit.kind !== "low-rank" || Math.min(queries, keys) <= LONGEST_DECOMPOSED)
    );
  };
  const among = STACKS.filter((stack) => limits[stack] && (edit.stack ?? stack) === stack);
  const left = among.filter(holds);
  const whole = { ...scopeIn(edit), ...allParts(edit) };
  const isEverywhere = stacks === STACKS && left.length === among.length;
  const scoped = (isEverywhere ? [whole] : left.map((stack) => ({ stack, ...whole }))).map((one) =>
    fitScope(one, limits),
  );
  const sent = scoped.flatMap((one) => one.sent);
  const inModel = scoped.find((one) => one.sent.length > 0)?.misfit ?? null;
  const here = among.filter((stack) => sent.some((one) => (one.stack ?? stack) === stack));
  const cut: EditMisfit = { code: "edit/not-possible", says: "partlyStacks", stacks: here };
  return { sent, misfit: inModel ?? (here.length < among.length ? cut : null) };
}

/** An order of more tokens than there are is left out, whatever scheme comes with it. */
function fitPosition(edit: PositionEdit, limits: Limits): Fit<PositionEdit> {
  const stacks = (["encoder", "decoder"] as const)
    .filter((stack) => (edit.stack ?? stack) === stack)
    .flatMap((stack) => limits[stack] ?? []);
  const { order, ...rest } = edit;
  const turned = rest.scheme !== "rotary" || stacks.every(({ headDim = 0 }) => turnsIn(headDim));
  const fits = order !== undefined && stacks.every(({ queries }) => order.length <= queries);
  if (stacks.length === 0 || !turned || (!fits && rest.scheme === undefined)) return NOTHING;
  const count = order?.length ?? 0;
  return {
    sent: [{ ...rest, ...(fits && { order }) }],
    misfit: inText(order !== undefined && !fits, "partlyOrder", { count }),
  };
}

/** The edit with the layers and heads that exist; nothing where none of those it names does. */
function fitScope<Edit extends Scope | BlockEdit>(edit: Edit, limits: Limits): Fit<Edit> {
  const stacks = stacksOf(edit, limits);
  const named = "heads" in edit ? edit.heads : undefined;
  const layers = edit.layers?.filter((layer) => stacks.every((stack) => layer < stack.layers));
  const heads = named?.filter((head) => stacks.every((stack) => head < stack.heads));
  if (stacks.length === 0 || layers?.length === 0 || heads?.length === 0) return NOTHING;
  const lacks = layers?.length !== edit.layers?.length || heads?.length !== named?.length;
  return {
    sent: [{ ...edit, ...(layers && { layers }), ...(heads && { heads }) }],
    misfit: lacks ? NOT_IN_MODEL : null,
  };
}

function stacksOf({ stack }: Pick<Scope, "stack">, limits: Limits): NonNullable<Limits[Stack]>[] {
  const chosen = stack ? [limits[stack]] : Object.values(limits);
  return chosen.filter((limit) => limit !== undefined);
}

/** Whether one edit takes the effect of another wherever that holds: by a later one, or by a factor of 0. */
const UNDOES: {
  readonly [List in keyof EditLists]: (
    edit: EditLists[List][number],
    other: EditLists[List][number],
    isLater: boolean,
  ) => boolean;
} = {
  masks: (edit, other, isLater) => isLater && replacesMask(edit, other),
  heads: replacesHead,
  blocks: (edit, other, isLater) =>
    isLater &&
    (other.sublayers === undefined ||
      (edit.sublayers?.every((one) => other.sublayers?.includes(one)) ?? false)) &&
    saysAll(edit, other, ["residual", "norm"]),
  attention: (edit, other, isLater) =>
    isLater &&
    canHave(other, edit) &&
    saysAll(edit, other, ["kind", "scale", "temperature", "dropout"]),
  positions: (edit, other, isLater) => isLater && saysAll(edit, other, ["scheme", "order"]),
};

/**
 * Whether an edit does nothing because one other active edit undoes all of it; of several that do so together nothing is
 * said.
 */
export function isOverridden(
  edits: EditLists,
  { list, index }: EditRef,
  isActive: (ref: EditRef) => boolean,
): boolean {
  const all: readonly Scope[] = edits[list];
  const undoes = UNDOES[list] as (edit: Scope, other: Scope, isLater: boolean) => boolean;
  const edit = all[index];
  return all.some(
    (other, at) =>
      edit !== undefined &&
      at !== index &&
      isWithin(edit, other) &&
      undoes(edit, other, at > index) &&
      isActive({ list, index: at }),
  );
}

/** Whether the other one's kind is possible wherever this one holds. */
function canHave({ kind }: AttentionEdit, { stack }: AttentionEdit): boolean {
  const stacks = kind && KIND_PARTS[kind].stacks;
  return !stacks || (stack !== undefined && stacks.includes(stack));
}

/** Whether the other one says something of all that this one says. */
function saysAll<Edit>(edit: Edit, other: Edit, says: readonly (keyof Edit)[]): boolean {
  const said = says.filter((what) => edit[what] !== undefined);
  return said.length > 0 && said.every((what) => other[what] !== undefined);
}

/** Factors multiply, so that none but 0 takes the others' place; of patterns the last that gives every row counts. */
function replacesHead({ gate, pattern }: HeadEdit, other: HeadEdit, isLater: boolean): boolean {
  if (gate === undefined && pattern === undefined) return false;
  const isGone = gate === undefined || (gate !== 0 && other.gate === 0);
  return isGone && (pattern === undefined || (isLater && typeof other.pattern === "string"));
}

/** A rule that stands instead of all before it, or the very cells the other way round. */
function replacesMask(edit: MaskEdit, other: MaskEdit): boolean {
  if (edit.fill !== undefined) return false;
  if (other.preset) return other.mode === "replace";
  if (edit.preset) return false;
  const takesBack = (
    cells: readonly [number, number][] = [],
    back: readonly [number, number][] = [],
  ): boolean => {
    const named = new Set(back.map(String));
    return cells.every((cell) => named.has(String(cell)));
  };
  const hasCells = (edit.block?.length ?? 0) + (edit.allow?.length ?? 0) > 0;
  return hasCells && takesBack(edit.block, other.allow) && takesBack(edit.allow, other.block);
}

/** Kinds whose raw numbers are no products of queries and keys. */
const OTHER_RAW = new Set<string | undefined>(["cosine", "additive", "linear", "performer"]);
/** Kinds whose weights are no softmax over single keys, or one that was changed after it was taken. */
const OTHER_WEIGHTS = new Set<string | undefined>(["linear", "performer", "linformer", "low-rank"]);

/** The stages of a head that may not be what softmax(q · k ÷ √d − ∞ where masked) says, for an edit is about them; more than are is no harm. */
export function unusualStages(
  { attention, heads, masks, positions }: EditLists,
  head: HeadRef,
): readonly Stage[] {
  const kinds = attention.filter((edit) => covers(edit, head));
  const raw = kinds.some(({ kind }) => OTHER_RAW.has(kind));
  const unusual: Readonly<Record<Stage, boolean>> = {
    raw,
    scores:
      raw ||
      kinds.some(
        ({ kind, scale, temperature }) =>
          kind === "linformer" || scale !== undefined || temperature !== undefined,
      ) ||
      positions.some((edit) => isRelative(edit) && (edit.stack ?? head.stack) === head.stack),
    masked: masks.some(
      (edit) => edit.fill !== undefined && edit.fill !== "-inf" && covers(edit, head),
    ),
    weights:
      kinds.some(({ kind, dropout }) => OTHER_WEIGHTS.has(kind) || dropout !== undefined) ||
      heads.some((edit) => edit.pattern !== undefined && covers(edit, head)),
  };
  return (["raw", "scores", "masked", "weights"] as const).filter((stage) => unusual[stage]);
}
