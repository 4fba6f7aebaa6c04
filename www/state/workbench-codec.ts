import { LARGEST_SIDE } from "../data/index.js";
import {
  headChoices,
  LONGEST_WORD,
  shapeOf,
  TUTORIAL,
  type BroughtNumbers,
  type Rows,
} from "./workbench.js";

/*
 * Brought numbers in an address: `w1,w2/1,0;0,1/…/…/…//0,-;0,0/1/root`.
 *
 *   numbers = words "/" x "/" query "/" key "/" value "/" [ output ] "/" [ mask ] "/" heads "/" divisor
 *   words   = word *( "," word )         each percent-encoded by itself
 *   matrix  = row *( ";" row )           row = number *( "," number ); "-" alone is -Infinity, in the mask only
 *   divisor = "root" | number
 *
 * A mask that is all zero is left out.
 */

const PARTS = 9;
const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export function encodeNumbers({
  words,
  x,
  query,
  key,
  value,
  output,
  mask,
  heads,
  divisor,
}: BroughtNumbers): string {
  const open =
    mask.every((row) => row.every((cell) => cell === 0)) &&
    mask.length === x.length &&
    shapeOf(mask)[1] === x.length;
  const matrices = [x, query, key, value].map(encodeRows);
  return [
    words.map(encodeWord).join(","),
    ...matrices,
    output ? encodeRows(output) : "",
    open ? "" : encodeRows(mask),
    heads,
    divisor,
  ].join("/");
}

/** Undefined when any part of the text cannot be read. */
export function decodeNumbers(text: string): BroughtNumbers | undefined {
  const parts = text.split("/");
  if (parts.length !== PARTS) return undefined;
  const [
    wordsText = "",
    xText = "",
    queryText = "",
    keyText = "",
    valueText = "",
    outputText = "",
    maskText = "",
    headsText = "",
    divisorText = "",
  ] = parts;
  const [x, query, key, value] = [xText, queryText, keyText, valueText].map((part) =>
    decodeRows(part, false),
  );
  const words = wordsText.split(",").map(decodeWord);
  const output = outputText === "" ? null : decodeRows(outputText, false);
  const mask = maskText === "" ? x?.map(() => x.map(() => 0)) : decodeRows(maskText, true);
  const heads = Number(headsText);
  const divisor =
    divisorText === TUTORIAL.divisor ? TUTORIAL.divisor : decodeNumber(divisorText, false);
  if (!x || !query || !key || !value || output === undefined || !mask || divisor === undefined)
    return undefined;
  if (words.length !== x.length || !words.every((word) => word !== undefined)) return undefined;
  if (divisor !== "root" && divisor <= 0) return undefined;
  if (!headChoices(shapeOf(query)[1], shapeOf(value)[1]).includes(heads)) return undefined;
  return { words, x, query, key, value, output, mask, heads, divisor };
}

function encodeRows(rows: Rows): string {
  return rows
    .map((row) => row.map((cell) => (cell === -Infinity ? "-" : String(cell))).join(","))
    .join(";");
}

function decodeRows(text: string, forbids: boolean): Rows | undefined {
  const rows = text.split(";");
  const width = rows[0]?.split(",").length ?? 0;
  if (rows.length > LARGEST_SIDE || width > LARGEST_SIDE) return undefined;
  const numbers: number[][] = [];
  for (const row of rows) {
    const cells = row.split(",").map((cell) => decodeNumber(cell, forbids));
    if (cells.length !== width || !cells.every((cell) => cell !== undefined)) return undefined;
    numbers.push(cells);
  }
  return numbers;
}

function decodeNumber(text: string, forbids: boolean): number | undefined {
  if (text === "-") return forbids ? -Infinity : undefined;
  const value = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** What separates words and parts is written with a percent sign. */
function encodeWord(word: string): string {
  return word.replace(/[%,/]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function decodeWord(word: string): string | undefined {
  if (word.length > 3 * LONGEST_WORD) return undefined;
  return word
    .replace(/%(25|2c|2f)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .slice(0, LONGEST_WORD);
}
