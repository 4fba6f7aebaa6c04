import {
  type Edits,
  LARGEST_CELL,
  LARGEST_GATE,
  LARGEST_SIDE,
  type PositionEdit,
} from "../data/index.js";
import type { AttentionEdit } from "../data/index.js";
import { allParts, ATTENTION_KINDS, kindEdit, kindValues } from "./attention-edits.js";
import { editLists, type EditLists, editsOf, isInRange, scopeIn, STACKS } from "./edits.js";
import { NAMED_PATTERNS, NORM_PLACES, SUBLAYERS } from "./head-edits.js";
import { MASK_MODES, NUMBER_RANGES, PRESET_KINDS, PRESET_PARTS } from "./mask-edits.js";
import { MOST_CELLS, packCells, packRows, unpackCells, unpackRows } from "./packed.js";
import { areBuckets, isPositionNumber, SCHEME_NUMBERS, SCHEMES } from "./position-edits.js";
import { headChoices, LONGEST_WORD, type MatrixInputs, shapeOf } from "./workbench.js";

/*
 * The fields of a State that are objects, as JSON in which ' stands for " and " for ', so that neither an address nor an
 * attribute has to escape it. JSON with its own quotes is read too.
 *
 * Edits are the object of the JavaScript API, which counts from 0. Where it is shorter, a list of cells or a drawn pattern
 * is a string that begins with *, packed as in `packed.ts`.
 */

/** So few cells, and so few numbers of a pattern, stay readable. */
const FEW = 8;
const PACKED = "*";

type Replace = (key: string, value: unknown) => unknown;

export function encodeJson(value: unknown, replace?: Replace): string {
  return withOtherQuotes(JSON.stringify(value, replace));
}

/** The value of such a text; undefined where it is no JSON. */
export function decodeJson(text: string, revive?: Replace): unknown {
  try {
    return JSON.parse(/^\s*\{\s*"/.test(text) ? text : withOtherQuotes(text), revive);
  } catch {
    return undefined; // The caller names the field.
  }
}

function withOtherQuotes(text: string): string {
  return text.replace(/['"]/g, (quote) => (quote === '"' ? "'" : '"'));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Edits as a text; empty when there are none. */
export function encodeEdits(lists: EditLists): string {
  const edits = editsOf(lists);
  return Object.keys(edits).length === 0 ? "" : encodeJson(edits, packed);
}

function packed(key: string, value: unknown): unknown {
  if (!["block", "allow", "pattern"].includes(key) || !Array.isArray(value)) return value;
  const rows = value as [number, number][];
  const numbers = rows.flat();
  const text =
    key !== "pattern"
      ? rows.length >= FEW && packCells(rows)
      : numbers.length > FEW && numbers.every(Number.isInteger) && packRows(rows);
  return text && text.length < JSON.stringify(rows).length ? PACKED + text : rows;
}

/** Reads edits; undefined when the core would not take some part of them. */
export function decodeEdits(text: string): EditLists | undefined {
  if (text === "") return editLists({});
  let left = MOST_CELLS;
  const edits = decodeJson(text, (key, value) => {
    if (typeof value !== "string" || !value.startsWith(PACKED)) return value;
    const cells = (key === "pattern" ? unpackRows : unpackCells)(value.slice(1), left);
    left -= cells?.flat().length ?? 0;
    return cells ?? null;
  });
  if (!isEdits(edits)) return undefined;
  const lists = editLists(edits as Edits);
  // An attention edit says every part that its variant has.
  const attention = lists.attention.map((edit) => kindEdit(kindValues(edit), scopeIn(edit)));
  return { ...lists, attention };
}

/** Reads the calculator's matrices, a forbidden cell of the mask as null; undefined when a page cannot have written them. */
export function decodeNumbers(text: string): MatrixInputs | undefined {
  const numbers = decodeJson(text);
  if (!isRecord(numbers) || !isMasked(numbers.mask)) return undefined;
  const mask = numbers.mask.map((row) => row.map((cell) => cell ?? -Infinity));
  const inputs = { ...numbers, mask };
  return isMatrixInputs(inputs) ? inputs : undefined;
}

type Check = (value: unknown) => boolean;

const isBoolean: Check = (value) => typeof value === "boolean";
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const within =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === "number" && value >= least && value <= most;
const isNumber = within(-Number.MAX_VALUE, Number.MAX_VALUE);
const isIndex: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const listOf =
  (isOne: Check, least = 0, most = Infinity): Check =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(isOne);
/** Rows that are equally long. */
const rowsOf =
  (isCell: Check, most = Infinity): Check =>
  (value) =>
    listOf(listOf(isCell, 1, most), 1, most)(value) &&
    new Set((value as unknown[][]).map((row) => row.length)).size === 1;

/** An object with no other fields than these: with each of `all`, and with one of `some` where there are any. */
const record =
  (
    fields: Readonly<Record<string, Check>>,
    { some = [], all = [] }: { some?: readonly string[]; all?: readonly string[] } = {},
  ): Check =>
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, part]) => Object.hasOwn(fields, name) && fields[name]?.(part) === true,
    ) &&
    (some.length === 0 || some.some((name) => name in value)) &&
    all.every((name) => name in value);

/** Whether an object has all that another has. */
const includes = (whole: unknown, part: unknown): boolean =>
  whole === part ||
  (isRecord(whole) &&
    isRecord(part) &&
    Object.entries(part).every(
      ([name, value]) => Object.hasOwn(whole, name) && includes(whole[name], value),
    ));

const SCOPE = {
  stack: oneOf(...STACKS),
  layers: listOf(isIndex, 1),
  heads: listOf(isIndex, 1),
};
const STACK_OF_BLOCKS = oneOf("encoder", "decoder");

const isPreset: Check = (value) => {
  const kind = isRecord(value) && PRESET_KINDS.find((one) => one === value.kind);
  if (!kind) return false;
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  const asked: Record<string, Check> = { kind: oneOf(kind) };
  for (const name of numbers) asked[name] = (number) => isInRange(number, NUMBER_RANGES[name]);
  if (tokens) asked.tokens = listOf(isIndex);
  const fields = { ...asked, ...(oneSided && { oneSided: isBoolean }) };
  return record(fields, { all: Object.keys(asked) })(value);
};

const isCells = listOf(listOf(isIndex, 2, 2));
const isDrawn = rowsOf(within(0, LARGEST_CELL));

const hasKindFields = record({
  ...SCOPE,
  kind: oneOf(...ATTENTION_KINDS),
  parameters: isRecord,
  scale: (value) => isNumber(value) || value === "model" || value === "none",
  temperature: isNumber,
  dropout: isRecord,
});
/** A number out of range, or one that the variant does not have, differs from what the edit then says. */
const isKind: Check = (value) => {
  if (!hasKindFields(value)) return false;
  const edit = value as AttentionEdit;
  return includes({ ...scopeIn(edit), ...allParts(edit) }, edit);
};

const hasPositionFields = record(
  {
    stack: STACK_OF_BLOCKS,
    scheme: oneOf(...SCHEMES),
    parameters: isRecord,
    order: listOf(isIndex, 1),
  },
  { some: ["scheme", "order"] },
);
const isPosition: Check = (value) => {
  if (!hasPositionFields(value)) return false;
  const { scheme = "model", parameters = {}, order = [] } = value as PositionEdit;
  const isParameter = ([name, part]: [string, unknown]): boolean => {
    const number = SCHEME_NUMBERS[scheme].find((one) => one === name);
    return number
      ? isNumber(part) && isPositionNumber(number, Number(part))
      : scheme === "sinusoidal" && name === "interleaved" && isBoolean(part);
  };
  return (
    Object.entries(parameters).every(isParameter) &&
    areBuckets(parameters) &&
    order.every((position) => position < order.length) &&
    new Set(order).size === order.length
  );
};

const isEdits = record({
  masks: listOf(
    record(
      {
        ...SCOPE,
        mode: oneOf(...MASK_MODES),
        invert: isBoolean,
        preset: isPreset,
        block: isCells,
        allow: isCells,
        fill: oneOf("-inf", "-1e9"),
      },
      { some: ["preset", "block", "allow", "fill"] },
    ),
  ),
  heads: listOf(
    record(
      {
        ...SCOPE,
        gate: within(-LARGEST_GATE, LARGEST_GATE),
        pattern: (value) => oneOf(...NAMED_PATTERNS)(value) || isDrawn(value),
      },
      { some: ["gate", "pattern"] },
    ),
  ),
  blocks: listOf(
    record(
      {
        stack: STACK_OF_BLOCKS,
        layers: SCOPE.layers,
        sublayers: listOf(oneOf(...SUBLAYERS), 1),
        residual: isBoolean,
        norm: oneOf(...NORM_PLACES),
      },
      { some: ["residual", "norm"] },
    ),
  ),
  attention: listOf(isKind),
  positions: listOf(isPosition),
});

const isMatrix = rowsOf(isNumber, LARGEST_SIDE);
const isMasked = rowsOf((cell) => cell === null || isNumber(cell), LARGEST_SIDE) as (
  value: unknown,
) => value is (number | null)[][];
const MATRICES: Readonly<Record<keyof MatrixInputs, Check>> = {
  words: listOf((word) => typeof word === "string" && word.length <= LONGEST_WORD),
  x: isMatrix,
  query: isMatrix,
  key: isMatrix,
  value: isMatrix,
  output: (value) => value === null || isMatrix(value),
  mask: () => true,
  heads: isNumber,
  divisor: (value) => value === "root" || (isNumber(value) && Number(value) > 0),
};

function isMatrixInputs(value: object): value is MatrixInputs {
  if (!record(MATRICES, { all: Object.keys(MATRICES) })(value)) return false;
  const { words, x, query, value: values, heads } = value as MatrixInputs;
  return (
    words.length === x.length && headChoices(shapeOf(query)[1], shapeOf(values)[1]).includes(heads)
  );
}
