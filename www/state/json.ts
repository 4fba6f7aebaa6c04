import {
  type AttentionEdit,
  type BlockEdit,
  type Edits,
  type HeadEdit,
  LARGEST_CELL,
  LARGEST_GATE,
  LARGEST_SIDE,
  type MaskEdit,
  type PositionEdit,
} from "../data/index.js";
import { allParts, ATTENTION_KINDS, kindEdit, kindValues } from "./attention-edits.js";
import { editLists, editsOf, scopeIn } from "./edits.js";
import { NAMED_PATTERNS, NORM_PLACES, SUBLAYERS } from "./head-edits.js";
import { MASK_MODES, NUMBER_RANGES, PRESET_KINDS, PRESET_PARTS } from "./mask-edits.js";
import { MOST_CELLS, packCells, packRows, unpackCells, unpackRows } from "./packed.js";
import { areBuckets, isPositionNumber, SCHEME_NUMBERS, SCHEMES } from "./position-edits.js";
import { STACKS, type EditLists } from "./state.js";
import { headChoices, LONGEST_WORD, shapeOf, type MatrixInputs } from "./workbench.js";

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

/** Writes edits down; an empty text when there are none. */
export function encodeEdits(lists: EditLists): string {
  const edits = editsOf(lists);
  return Object.keys(edits).length === 0 ? "" : encodeJson(edits, packed);
}

/** Reads edits; undefined when any part of them is none that the core takes. */
export function decodeEdits(text: string): EditLists | undefined {
  if (text === "") return editLists({});
  let left = MOST_CELLS;
  const unpacked = (key: string, value: unknown): unknown => {
    if (typeof value !== "string" || !value.startsWith(PACKED)) return value;
    const cells = (key === "pattern" ? unpackRows : unpackCells)(value.slice(1), left);
    left -= cells?.flat().length ?? 0;
    return cells ?? null;
  };
  const edits = decodeJson(text, unpacked);
  if (!isEdits(edits)) return undefined;
  // A kind of attention says all that there is to say of it.
  const attention = edits.attention?.map((edit) => kindEdit(kindValues(edit), scopeIn(edit)));
  return editLists({ ...edits, ...(attention && { attention }) });
}

/** Writes inputs numbers down; a forbidden cell of the mask is null. */
export function encodeNumbers(inputs: MatrixInputs): string {
  return encodeJson(inputs);
}

/** Reads inputs numbers; undefined when any part of them cannot be what a page wrote. */
export function decodeNumbers(text: string): MatrixInputs | undefined {
  const numbers = decodeJson(text);
  if (!isRecord(numbers)) return undefined;
  const opened = Array.isArray(numbers.mask)
    ? numbers.mask.map((row: unknown): unknown =>
        Array.isArray(row) ? row.map((cell: unknown) => cell ?? -Infinity) : row,
      )
    : undefined;
  const inputs = { ...numbers, mask: opened };
  return isMatrixInputs(inputs) ? inputs : undefined;
}

/** The text of an object. */
export function encodeJson(
  value: unknown,
  replaced?: (key: string, value: unknown) => unknown,
): string {
  return withOtherQuotes(JSON.stringify(value, replaced));
}

/** The value of such a text; undefined where it is none. */
export function decodeJson(
  text: string,
  revived?: (key: string, value: unknown) => unknown,
): unknown {
  try {
    return JSON.parse(/^\s*\{\s*"/.test(text) ? text : withOtherQuotes(text), revived);
  } catch {
    return undefined; // Not JSON: the caller names the field.
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withOtherQuotes(text: string): string {
  return text.replace(/['"]/g, (quote) => (quote === '"' ? "'" : '"'));
}

function packed(key: string, value: unknown): unknown {
  if (!["block", "allow", "pattern"].includes(key) || !Array.isArray(value)) return value;
  const rows = value as [number, number][];
  const text = key === "pattern" ? packedRows(rows) : rows.length < FEW ? null : packCells(rows);
  return text && text.length < JSON.stringify(rows).length ? PACKED + text : rows;
}

function packedRows(rows: readonly (readonly number[])[]): string | null {
  const cells = rows.flat();
  return cells.length > FEW && cells.every(Number.isInteger) ? packRows(rows) : null;
}

type Check = (value: unknown) => boolean;

const isBoolean: Check = (value) => typeof value === "boolean";
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const within =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === "number" && value >= least && value <= most;
const isNumber = within(-Number.MAX_VALUE, Number.MAX_VALUE);
const wholeWithin =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && within(least, most)(value);
const isPlace = wholeWithin(0, Number.MAX_SAFE_INTEGER);
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

/** An object with no other fields than these; with one of `some`, or of several with each of `all`. */
function record<Type>(
  fields: Readonly<Record<keyof Required<Type> & string, Check>>,
  { some, all = [] }: { some?: readonly (keyof Type)[]; all?: readonly (keyof Type)[] } = {},
): (value: unknown) => value is Type {
  const checks = new Map<string, Check>(Object.entries(fields));
  return (value): value is Type =>
    isRecord(value) &&
    Object.entries(value).every(([name, part]) => checks.get(name)?.(part) ?? false) &&
    (some?.some((name) => name in value) ?? true) &&
    all.every((name) => name in value);
}

const SCOPE = {
  stack: oneOf(STACKS),
  layers: listOf(isPlace, 1),
  heads: listOf(isPlace, 1),
};
const STACK_OF_BLOCKS = oneOf(["encoder", "decoder"]);

const isPreset: Check = (value) => {
  const kind = isRecord(value) && PRESET_KINDS.find((one) => one === value.kind);
  if (!kind) return false;
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  const asked = {
    kind: oneOf([kind]),
    ...Object.fromEntries(
      numbers.map((name) => [
        name,
        wholeWithin(NUMBER_RANGES[name].least, NUMBER_RANGES[name].most),
      ]),
    ),
    ...(tokens && { tokens: listOf(isPlace) }),
  };
  const fields: Record<string, Check> = { ...asked, ...(oneSided && { oneSided: isBoolean }) };
  return record<Record<string, unknown>>(fields, { all: Object.keys(asked) })(value);
};

const isCells = listOf(listOf(isPlace, 2, 2));
const isMask = record<MaskEdit>(
  {
    ...SCOPE,
    mode: oneOf(MASK_MODES),
    invert: isBoolean,
    preset: isPreset,
    block: isCells,
    allow: isCells,
    fill: oneOf(["-inf", "-1e9"]),
  },
  { some: ["preset", "block", "allow", "fill"] },
);

const isPattern: Check = (value) =>
  oneOf(NAMED_PATTERNS)(value) || rowsOf(within(0, LARGEST_CELL))(value);
const isHead = record<HeadEdit>(
  { ...SCOPE, gate: within(-LARGEST_GATE, LARGEST_GATE), pattern: isPattern },
  { some: ["gate", "pattern"] },
);

const isBlock = record<BlockEdit>(
  {
    stack: STACK_OF_BLOCKS,
    layers: SCOPE.layers,
    sublayers: listOf(oneOf(SUBLAYERS), 1),
    residual: isBoolean,
    norm: oneOf(NORM_PLACES),
  },
  { some: ["residual", "norm"] },
);

const hasKindFields = record<AttentionEdit>({
  ...SCOPE,
  kind: oneOf(ATTENTION_KINDS),
  parameters: isRecord,
  scale: (value) => isNumber(value) || oneOf(["model", "none"])(value),
  temperature: isNumber,
  dropout: isRecord,
});
/** What is out of range, or of no account in a kind, is not what the values within range say. */
const isKind: Check = (value) => {
  if (!hasKindFields(value)) return false;
  const { parameters, dropout, scale, temperature } = allParts(value);
  const same = (held: object, given: object = {}): boolean =>
    Object.entries(given).every(([name, part]) => held[name as never] === part);
  return (
    (value.scale ?? scale) === scale &&
    (value.temperature ?? temperature) === temperature &&
    same(parameters, value.parameters) &&
    same(dropout, value.dropout)
  );
};

const hasPositionFields = record<PositionEdit>(
  {
    stack: STACK_OF_BLOCKS,
    scheme: oneOf(SCHEMES),
    parameters: isRecord,
    order: listOf(isPlace, 1),
  },
  { some: ["scheme", "order"] },
);
const isPosition: Check = (value) => {
  if (!hasPositionFields(value)) return false;
  const { scheme = "model", parameters = {}, order = [] } = value;
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

const isEdits = record<Edits>({
  masks: listOf(isMask),
  heads: listOf(isHead),
  blocks: listOf(isBlock),
  attention: listOf(isKind),
  positions: listOf(isPosition),
});

const isMatrix = rowsOf(isNumber, LARGEST_SIDE);
const hasMatrices = record<MatrixInputs>(
  {
    words: listOf((word) => typeof word === "string" && word.length <= LONGEST_WORD),
    x: isMatrix,
    query: isMatrix,
    key: isMatrix,
    value: isMatrix,
    output: (value) => value === null || isMatrix(value),
    mask: rowsOf((cell) => cell === -Infinity || isNumber(cell), LARGEST_SIDE),
    heads: isNumber,
    divisor: (value) => value === "root" || (isNumber(value) && Number(value) > 0),
  },
  { all: ["words", "x", "query", "key", "value", "output", "mask", "heads", "divisor"] },
);
function isMatrixInputs(value: unknown): value is MatrixInputs {
  return (
    hasMatrices(value) &&
    value.words.length === value.x.length &&
    headChoices(shapeOf(value.query)[1], shapeOf(value.value)[1]).includes(value.heads)
  );
}
