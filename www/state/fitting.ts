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

/** Of each edit what is left of it, in each list: nothing of one that does not fit, several where stacks differ. */
type Fitted = { readonly [List in keyof EditLists]: EditLists[List][] };

/** The part of the edits that fits a model and the present texts: what a run is given. */
export function fittingEdits(edits: EditLists, limits: Limits): Edits {
  const { masks, heads, blocks, attention, positions } = fitted(edits, limits);
  return editsOf({
    masks: masks.flat(),
    heads: heads.flat(),
    blocks: blocks.flat(),
    attention: attention.flat(),
    positions: positions.flat(),
  });
}

/** Says of each edit whether any part of it fits. */
export function activeIn(edits: EditLists, limits: Limits): (ref: EditRef) => boolean {
  const left = fitted(edits, limits);
  return ({ list, index }) => (left[list][index]?.length ?? 0) > 0;
}

function fitted(edits: EditLists, limits: Limits): Fitted {
  return {
    masks: edits.masks.map((edit) => fitMask(edit, limits)),
    heads: fitHeads(edits.heads, limits),
    blocks: edits.blocks.map((edit) => fitBlock(edit, limits)),
    attention: edits.attention.map((edit) => fitKind(edit, edits, limits)),
    positions: edits.positions.map((edit) => fitPosition(edit, limits)),
  };
}

/** Without the cells and the global tokens that a text does not have. In cross-attention a token may be a query or a key. */
function fitMask(edit: MaskEdit, limits: Limits): MaskEdit[] {
  const stacks = stacksOf(edit, limits);
  return fitScope(edit, limits).flatMap((scoped) => {
    const { preset } = edit;
    if (preset && "tokens" in preset) {
      const end = Math.min(...stacks.map(({ queries, keys }) => Math.max(queries, keys)));
      const tokens = preset.tokens.filter((token) => token < end);
      return [{ ...scoped, preset: { ...preset, tokens } }];
    }
    if (preset || edit.fill !== undefined) return [scoped];
    const fits = ([query, key]: [number, number]): boolean =>
      stacks.every((stack) => query < stack.queries && key < stack.keys);
    const block = edit.block?.filter(fits) ?? [];
    const allow = edit.allow?.filter(fits) ?? [];
    if (block.length + allow.length === 0) return [];
    return [{ ...scoped, ...(block.length > 0 && { block }), ...(allow.length > 0 && { allow }) }];
  });
}

/**
 * Each edit of heads as far as it fits: nothing of one that names no head, or takes a head's gates too far, for they
 * multiply; without the rows and columns of a drawn pattern that the text does not have.
 */
function fitHeads(edits: readonly HeadEdit[], limits: Limits): HeadEdit[][] {
  const products = new Map<string, number>();
  return edits.map((edit) => {
    const [scoped] = fitScope(edit, limits);
    if (!scoped || silencesAllOf(edit, scoped, limits)) return [];
    const grown = headsOf(scoped, limits)
      .map(nameOfHead)
      .map((name): [string, number] => [name, (products.get(name) ?? 1) * (edit.gate ?? 1)]);
    if (grown.some(([, product]) => Math.abs(product) > LARGEST_GATE)) return [];
    for (const [name, product] of grown) products.set(name, product);
    if (scoped.pattern === undefined || typeof scoped.pattern === "string") return [scoped];
    const stacks = stacksOf(edit, limits);
    const [queries, keys] = [
      Math.min(...stacks.map((stack) => stack.queries)),
      Math.min(...stacks.map((stack) => stack.keys)),
    ];
    const pattern = scoped.pattern.slice(0, queries).map((row) => row.slice(0, keys));
    return pattern.length > 0 ? [{ ...scoped, pattern }] : [];
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
function fitBlock(edit: BlockEdit, limits: Limits): BlockEdit[] {
  const { cross, ...stacks } = limits;
  const hasCross = cross !== undefined && edit.stack !== "encoder";
  const sublayers = edit.sublayers?.filter(
    (sublayer) => sublayer !== "cross-attention" || hasCross,
  );
  if (sublayers?.length === 0) return [];
  return fitScope(edit, stacks).map((scoped) => ({ ...scoped, ...(sublayers && { sublayers }) }));
}

/**
 * A kind of attention in the stacks where it makes sense, with the layers and heads that exist, and all that there is to
 * say of it, so that nothing is left of an edit before it. Positions that join the scores leave no place for a kind that
 * never holds them.
 */
function fitKind(edit: AttentionEdit, edits: EditLists, limits: Limits): AttentionEdit[] {
  const { holdsScores, stacks = STACKS } = KIND_PARTS[edit.kind ?? "softmax"];
  const joined = (stack: Stack): boolean =>
    stack !== "cross" && isRelative(placementOf(edits, stack));
  const isShort = ({ queries, keys }: { queries: number; keys: number }): boolean =>
    edit.kind !== "low-rank" || Math.min(queries, keys) <= LONGEST_DECOMPOSED;
  const among = STACKS.filter((stack) => limits[stack] && (edit.stack ?? stack) === stack);
  const left = among.filter(
    (stack) =>
      stacks.includes(stack) &&
      (holdsScores || !joined(stack)) &&
      limits[stack] !== undefined &&
      isShort(limits[stack]),
  );
  const whole = { ...scopeIn(edit), ...allParts(edit) };
  const isEverywhere = stacks === STACKS && left.length === among.length;
  return (isEverywhere ? [whole] : left.map((stack) => ({ stack, ...whole }))).flatMap((one) =>
    fitScope(one, limits),
  );
}

function fitPosition(edit: PositionEdit, limits: Limits): PositionEdit[] {
  const stacks = (["encoder", "decoder"] as const)
    .filter((stack) => (edit.stack ?? stack) === stack)
    .flatMap((stack) => limits[stack] ?? []);
  if (stacks.length === 0) return [];
  const { order, ...rest } = edit;
  if (rest.scheme === "rotary" && !stacks.every(({ headDim = 0 }) => turnsIn(headDim))) return [];
  const fits = order !== undefined && stacks.every(({ queries }) => order.length <= queries);
  return fits || rest.scheme !== undefined ? [{ ...rest, ...(fits && { order }) }] : [];
}

/** The edit with the layers and heads that exist; nothing where none of those it names does. */
function fitScope<Edit extends Scope | BlockEdit>(edit: Edit, limits: Limits): Edit[] {
  const stacks = stacksOf(edit, limits);
  if (stacks.length === 0) return [];
  const layers = edit.layers?.filter((layer) => stacks.every((stack) => layer < stack.layers));
  const heads =
    "heads" in edit
      ? edit.heads.filter((head) => stacks.every((stack) => head < stack.heads))
      : undefined;
  if (layers?.length === 0 || heads?.length === 0) return [];
  return [{ ...edit, ...(layers && { layers }), ...(heads && { heads }) }];
}

function stacksOf({ stack }: Pick<Scope, "stack">, limits: Limits): NonNullable<Limits[Stack]>[] {
  const chosen = stack ? [limits[stack]] : Object.values(limits);
  return chosen.filter((limit) => limit !== undefined);
}

/**
 * Whether an edit does nothing because another active one contradicts it: a later one, or of factors any that is 0. Said
 * is whether one other undoes all of it, wherever it holds; of several that do so together nothing is said.
 */
export function isOverridden(
  edits: EditLists,
  { list, index }: EditRef,
  isActive: (ref: EditRef) => boolean,
): boolean {
  const by = <Edit extends Scope>(
    all: readonly Edit[],
    undoes: (edit: Edit, other: Edit, isLater: boolean) => boolean,
  ): boolean => {
    const edit = all[index];
    return (
      edit !== undefined &&
      all.some(
        (other, at) =>
          at !== index &&
          isWithin(edit, other) &&
          undoes(edit, other, at > index) &&
          isActive({ list, index: at }),
      )
    );
  };
  switch (list) {
    case "masks":
      return by(edits.masks, (edit, other, isLater) => isLater && replacesMask(edit, other));
    case "heads":
      return by(edits.heads, replacesHead);
    case "blocks":
      return by(
        edits.blocks,
        (edit, other, isLater) =>
          isLater &&
          (other.sublayers === undefined ||
            (edit.sublayers?.every((one) => other.sublayers?.includes(one)) ?? false)) &&
          saysAll(edit, other, ["residual", "norm"]),
      );
    case "attention":
      return by(
        edits.attention,
        (edit, other, isLater) =>
          isLater &&
          canHave(other, edit) &&
          saysAll(edit, other, ["kind", "scale", "temperature", "dropout"]),
      );
    case "positions":
      return by(
        edits.positions,
        (edit, other, isLater) => isLater && saysAll(edit, other, ["scheme", "order"]),
      );
  }
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
