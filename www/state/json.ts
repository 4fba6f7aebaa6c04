import { type AttentionEdit, LARGEST_SIDE, STEPS } from "../data/index.js";
import { isRecord } from "../data/shape.js";
import { allParts, ATTENTION_VARIANTS, variantEdit, variantValues } from "./attention-edits.js";
import {
  EDIT_LISTS,
  type EditList,
  editLists,
  type EditLists,
  editsOf,
  scopeIn,
  STACKS,
} from "./edits.js";
import { NAMED_PATTERNS, NORM_PLACES, SUBLAYERS } from "./head-edits.js";
import { MASK_MODES, PRESET_KINDS, PRESET_PARTS } from "./mask-edits.js";
import { SCHEMES } from "./position-edits.js";
import { headChoices, LONGEST_WORD, type MatrixInputs, shapeOf } from "./matrix-inputs.js";

/*
 * The fields of a State that are objects, as JSON in which ' stands for " and " for ', so that
 * neither an address nor an attribute has to escape it. JSON with its own quotes is read too.
 *
 * Edits are the object of the JavaScript API, which counts from 0. A list of many cells is a string
 * that begins with *, packed as `packCells` does it.
 */

/** The most cells that are written as a list. */
const FEW = 8;
const PACKED = "*";

type Replace = (key: string, value: unknown) => unknown;

export function encodeJson(value: unknown, replace?: Replace): string {
  return withOtherQuotes(JSON.stringify(value, replace));
}

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

export function encodeEdits(lists: EditLists): string {
  const edits = editsOf(lists);
  return Object.keys(edits).length === 0 ? "" : encodeJson(edits, packed);
}

function packed(key: string, value: unknown): unknown {
  const isLong = ["block", "allow"].includes(key) && Array.isArray(value) && value.length >= FEW;
  return isLong ? PACKED + packCells(value as [number, number][]) : value;
}

/**
 * Reads edits; undefined if any part is invalid, since the others alone are another experiment. The
 * core checks their numbers.
 */
export function decodeEdits(text: string): EditLists | undefined {
  if (text === "") return editLists({});
  const edits = unpacked(text);
  if (!hasOnly(edits, EDITS)) return undefined;
  const lists = editLists(edits);
  // An attention edit gets every part of its variant.
  const attention = lists.attention.map((edit) => variantEdit(variantValues(edit), scopeIn(edit)));
  return { ...lists, attention };
}

/**
 * Where edits that `decodeEdits` refuses have their first invalid part, such as `.patches[1]`;
 * empty for a text that is no object.
 */
export function wrongEdit(text: string): string {
  const edits = unpacked(text);
  if (!isRecord(edits)) return "";
  const [list, given] =
    Object.entries(edits).find(([name, value]) => !hasOnly({ [name]: value }, EDITS)) ?? [];
  if (list === undefined) return "";
  const isWrong = (edit: unknown): boolean => !hasOnly({ [list]: [edit] }, EDITS);
  const at = Array.isArray(given) && Object.hasOwn(EDITS, list) ? given.findIndex(isWrong) : -1;
  return `.${list.slice(0, 24)}${at < 0 ? "" : `[${at}]`}`;
}

function unpacked(text: string): unknown {
  let left = MOST_CELLS;
  return decodeJson(text, (_, value) => {
    if (typeof value !== "string" || !value.startsWith(PACKED)) return value;
    const cells = unpackCells(value.slice(1), left) ?? null;
    left = cells ? left - cells.length : 0;
    return cells;
  });
}

/**
 * Reads the calculator's matrices, with a masked cell of the mask as null; undefined for a text
 * that the page cannot have written.
 */
export function decodeNumbers(text: string): MatrixInputs | undefined {
  const numbers = decodeJson(text);
  const isWhole =
    hasOnly(numbers, MATRICES) && Object.keys(MATRICES).every((one) => one in numbers);
  if (!isWhole) return undefined;
  const { mask, ...others } = numbers as Omit<MatrixInputs, "mask"> & { mask: unknown[][] };
  const inputs = {
    ...others,
    mask: mask.map((row) => row.map((cell) => Number(cell ?? -Infinity))),
  };
  const choices = headChoices(shapeOf(inputs.query)[1], shapeOf(inputs.value)[1]);
  return inputs.words.length === inputs.x.length && choices.includes(inputs.heads)
    ? inputs
    : undefined;
}

type Check = (value: unknown) => boolean;

const isBoolean: Check = (value) => typeof value === "boolean";
const isIndex: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber: Check = (value) => Number.isFinite(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (isOne: Check, least = 0, most = Infinity): Check =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(isOne);
/** A check for rows of equal length. */
const rowsOf =
  (isCell: Check, most = Infinity): Check =>
  (value) =>
    listOf(listOf(isCell, 1, most), 1, most)(value) &&
    new Set((value as unknown[][]).map((row) => row.length)).size === 1;

const hasOnly = (value: unknown, fields: Readonly<Record<string, Check>>): value is object =>
  isRecord(value) &&
  Object.keys(value).every(
    (name) => Object.hasOwn(fields, name) && fields[name]?.(value[name]) === true,
  );

const includes = (whole: unknown, part: unknown): boolean =>
  whole === part ||
  (isRecord(whole) &&
    isRecord(part) &&
    Object.keys(part).every(
      (name) => Object.hasOwn(whole, name) && includes(whole[name], part[name]),
    ));

/** A check for a preset with its numbers; the core checks the values. */
const isPreset: Check = (value) => {
  if (!isRecord(value)) return false;
  const kind = PRESET_KINDS.find((one) => one === value.kind);
  if (!kind) return false;
  const { numbers, tokens } = PRESET_PARTS[kind];
  return numbers.every((name) => isIndex(value[name])) && (!tokens || LIST(value.tokens));
};

const LIST = listOf(isIndex);
const FILLED = listOf(isIndex, 1);
const CELLS = listOf(listOf(isIndex, 2, 2));
const DRAWN = rowsOf(isNumber);

/** The check of each field of an edit, in any list. */
const FIELDS: Readonly<Record<string, Check>> = {
  stack: oneOf(...STACKS),
  layers: FILLED,
  heads: FILLED,
  mode: oneOf(...MASK_MODES),
  invert: isBoolean,
  preset: isPreset,
  block: CELLS,
  allow: CELLS,
  fill: oneOf("-inf", "-1e9"),
  gate: isNumber,
  pattern: (value) => oneOf(...NAMED_PATTERNS)(value) || DRAWN(value),
  sublayers: listOf(oneOf(...SUBLAYERS), 1),
  residual: isBoolean,
  norm: oneOf(...NORM_PLACES),
  kind: oneOf(...ATTENTION_VARIANTS),
  parameters: isRecord,
  scale: (value) => isNumber(value) || oneOf("model", "none")(value),
  temperature: isNumber,
  dropout: isRecord,
  scheme: oneOf(...SCHEMES),
  order: FILLED,
};

/** The fields of the edits of each list: any of the first, at least one of the second. */
const LISTS: Readonly<Record<Exclude<EditList, "patches">, readonly [any: string, some: string]>> =
  {
    masks: ["stack layers heads mode invert", "preset block allow fill"],
    heads: ["stack layers heads", "gate pattern"],
    blocks: ["stack layers sublayers", "residual norm"],
    attention: [
      "stack layers heads",
      "stack layers heads kind parameters scale temperature dropout",
    ],
    positions: ["stack parameters", "scheme order"],
  };

/**
 * A check for an attention edit: a number that is out of range, or that the variant does not have,
 * differs from the normalised edit.
 */
const isVariant: Check = (value) => {
  const edit = value as AttentionEdit;
  return includes({ ...scopeIn(edit), ...allParts(edit) }, edit);
};

const isText: Check = (value) => typeof value === "string";

const ADDRESS = { stack: oneOf(...STACKS), layer: isIndex, step: oneOf(...STEPS) };
const HEAD = { stack: oneOf(...STACKS), layer: isIndex, head: isIndex };
const ROWS = { head: isIndex, positions: FILLED };
const TEXTS = { textPair: isText, target: isText };
const IDS = { tokenTypeIds: LIST, attentionMask: listOf(oneOf(0, 1)), targetIds: LIST };

/** Whether a value has all fields of the first, and of others only those of the second. */
const hasAll = (value: unknown, all: Record<string, Check>, more: Record<string, Check>): boolean =>
  hasOnly(value, { ...all, ...more }) && Object.keys(all).every((name) => name in value);

/** A check for a patch from another input: given numbers are of the JavaScript API alone. */
const isPatch: Check = (value) => {
  const isAddress: Check = (at) => hasAll(at, ADDRESS, ROWS);
  const { patches: _, ...further } = EDITS;
  const edits: Check = (made) => hasOnly(made, further);
  const isInput: Check = (from) =>
    hasAll(from, { text: isText }, { ...TEXTS, edits }) ||
    hasAll(from, { ids: FILLED }, { ...IDS, edits });
  const isReceiver: Check = (to) =>
    to === "logits" || hasAll(to, HEAD, { part: oneOf("query", "key", "value") });
  return hasAll(value, { at: isAddress, from: isInput }, { to: isReceiver });
};

function isEditOf(list: EditList): Check {
  if (list === "patches") return isPatch;
  const [any, some] = LISTS[list].map((names) => names.split(" "));
  const names = [...(any ?? []), ...(some ?? [])];
  const fields = Object.fromEntries(names.map((name) => [name, FIELDS[name] ?? isRecord]));
  return (edit) =>
    hasOnly(edit, fields) &&
    some?.some((name) => name in edit) === true &&
    (list !== "attention" || isVariant(edit)) &&
    !(list in { blocks: 0, positions: 0 } && "stack" in edit && edit.stack === "cross");
}

const EDITS = Object.fromEntries(EDIT_LISTS.map((list) => [list, listOf(isEditOf(list))]));

const MATRIX = rowsOf(isNumber, LARGEST_SIDE);
const MATRICES: Readonly<Record<keyof MatrixInputs, Check>> = {
  words: listOf((word) => typeof word === "string" && word.length <= LONGEST_WORD),
  x: MATRIX,
  query: MATRIX,
  key: MATRIX,
  value: MATRIX,
  output: (value) => value === null || MATRIX(value),
  mask: rowsOf((cell) => cell === null || isNumber(cell), LARGEST_SIDE),
  heads: isNumber,
  divisor: (value) => value === "root" || (isNumber(value) && Number(value) > 0),
};

/*
 * The cells of a painted mask in few letters: rows of the grid with equal cells are one group.
 * Groups are written as `rows:keys;rows:keys`, both as ranges such as `0-3,7`; the largest are
 * those of a mask that no range describes.
 */

/**
 * The most cells of an address, more than a whole mask of 1024 tokens has; more would fill the
 * memory.
 */
export const MOST_CELLS = 2 ** 20;

type Range = [first: number, last: number];

export function packCells(cells: readonly (readonly [number, number])[]): string {
  const keysOf = new Map<number, number[]>();
  for (const [query, key] of cells) keysOf.set(query, [...(keysOf.get(query) ?? []), key]);
  const rowsOf = new Map<string, number[]>();
  for (const [query, keys] of keysOf) {
    const written = writeRanges(keys);
    rowsOf.set(written, [...(rowsOf.get(written) ?? []), query]);
  }
  return [...rowsOf].map(([keys, rows]) => `${writeRanges(rows)}:${keys}`).join(";");
}

/** Reads at most `most` cells, row by row; undefined if the text has none, or more. */
export function unpackCells(text: string, most: number): [number, number][] | undefined {
  const cells: [number, number][] = [];
  for (const group of text.split(";")) {
    const [rows, keys] = group.split(":").map((part) => readRanges(part, most));
    if (!rows || !keys || cells.length + rows.length * keys.length > most) return undefined;
    for (const row of rows) for (const key of keys) cells.push([row, key]);
  }
  return cells.sort(([row, key], [other, otherKey]) => row - other || key - otherKey);
}

function writeRanges(numbers: readonly number[]): string {
  const ranges: Range[] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join();
}

function readRanges(text: string, most: number): number[] | undefined {
  const numbers: number[] = [];
  for (const range of text.split(",")) {
    const [, from = "", to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? [];
    const first = Number(from);
    const last = Number(to);
    if (from === "" || last < first || numbers.length + last - first >= most) return undefined;
    for (let number = first; number <= last; number += 1) numbers.push(number);
  }
  return numbers;
}
