// The arithmetic of one number of the calculator, from the engine's numbers: nothing is computed
// here.
import { html, nothing, type TemplateResult } from "lit";
import type { Calculation, CalculationAsked } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { type MatrixInputs, type Rows } from "../../state/index.js";
import { MATRIX_NAMES, type MatrixName } from "../../state/matrix-changes.js";
import type { Refusal } from "../../session/run/failures.js";
import { numberText, type Digits } from "./matrix-text.js";

/** The computed matrices in order, with their symbols. */
export const SYMBOLS = {
  query: "Q",
  key: "K",
  value: "V",
  raw: "QKᵀ",
  scores: "S",
  masked: "S + M",
  weights: "A",
  context: "C",
  joined: "[C₁ … Cₕ]",
  output: "Y",
} as const;
export type WorkedName = keyof typeof SYMBOLS;
export const WORKED = Object.keys(SYMBOLS) as WorkedName[];

export const SHARED: ReadonlySet<WorkedName> = new Set(["joined", "output"]);

/** The engine's answer to the calculator's inputs, with those inputs, for one head. */
export interface Answered {
  inputs: MatrixInputs;
  worked: Calculation;
  head: number;
  choose: (head: number) => void;
}

export type WorkedPlace = Record<"row" | "column", number> & { matrix: WorkedName };

export function questionOf(inputs: MatrixInputs): CalculationAsked {
  const matrices = Object.fromEntries(MATRIX_NAMES.map((name) => [name, inputs[name]]));
  const divisor = inputs.divisor === "root" ? null : inputs.divisor;
  return { ...(matrices as Pick<CalculationAsked, MatrixName>), nHeads: inputs.heads, divisor };
}

/**
 * The computation of a cell: the sum of some pairs of numbers that are multiplied, divided or
 * added, or a copy.
 */
export interface Arithmetic {
  value: number;
  sign: "·" | "÷" | "+";
  pairs: readonly (readonly [number, number])[];
  /** The score and the largest score of its row, the exponential of whose difference is divided. */
  exponent?: readonly [score: number, top: number];
  copyOf?: number;
}

function columnsOf(rows: Rows, head: number, heads: number): Rows {
  const width = (rows[0]?.length ?? 0) / heads;
  return rows.map((row) => row.slice(head * width, (head + 1) * width));
}

/**
 * The computed matrices of a head, with its own columns of the projections; a single head's output
 * is the whole.
 */
export function shownOf(worked: Calculation, head: number): Partial<Record<WorkedName, Rows>> {
  const heads = worked.heads.length;
  const own = worked.heads[head];
  if (!own) return {};
  const { raw, scores, masked, weights, context } = own;
  return {
    query: columnsOf(worked.query, head, heads),
    key: columnsOf(worked.key, head, heads),
    value: columnsOf(worked.value, head, heads),
    raw,
    scores,
    masked,
    weights,
    context,
    ...(heads > 1 && { joined: worked.joined }),
    ...(worked.output && { output: worked.output }),
  };
}

export function arithmeticOf(
  { inputs, worked, head }: Omit<Answered, "choose">,
  { matrix, row, column }: WorkedPlace,
): Arithmetic | null {
  const shown = shownOf(worked, head);
  const own = worked.heads[head];
  const value = shown[matrix]?.[row]?.[column];
  if (value === undefined || !own) return null;
  const at = (rows: Rows | null | undefined, down = row, across = column): number =>
    rows?.[down]?.[across] ?? NaN;
  const pair = (sign: "÷" | "+", left: number, right: number): Arithmetic => {
    return { value, sign, pairs: [[left, right]] };
  };
  const products = (left: Rows | undefined, right: (inner: number) => number): Arithmetic => {
    const pairs = (left?.[row] ?? []).map((one, inner) => [one, right(inner)] as const);
    return { value, sign: "·", pairs };
  };
  switch (matrix) {
    case "query":
    case "key":
    case "value": {
      const map = columnsOf(inputs[matrix], head, worked.heads.length);
      return products(inputs.x, (inner) => at(map, inner));
    }
    case "raw":
      return products(shown.query, (inner) => at(shown.key, column, inner));
    case "scores":
      return pair("÷", at(own.raw), worked.divisor);
    case "masked":
      return pair("+", at(own.scores), at(inputs.mask));
    case "weights":
      return {
        ...pair("÷", at(own.exponentials), own.totals[row] ?? NaN),
        exponent: [at(own.masked), own.tops[row] ?? NaN],
      };
    case "context":
      return products(own.weights, (inner) => at(shown.value, inner));
    case "joined": {
      const copyOf = Math.floor(column / (own.context[0]?.length ?? 1));
      return { value, sign: "·", pairs: [], copyOf };
    }
    case "output":
      return products(worked.joined, (inner) => at(inputs.output, inner));
  }
}

/** One number with its computation, as a line that can be read aloud. */
export function arithmeticLine(
  answered: Answered,
  place: WorkedPlace | null,
  digits: Digits,
): TemplateResult {
  const arithmetic = place && arithmeticOf(answered, place);
  if (!arithmetic) return html`<p class="muted">${message("numbers.sum.empty")}</p>`;
  const { value, sign, pairs, exponent, copyOf } = arithmetic;
  const text = (one: number): string => {
    const shown = numberText(one, digits);
    return one < 0 ? `(${shown})` : shown;
  };
  const terms = pairs.map(
    ([left, right], at) =>
      html`${at > 0 ? " + " : nothing}<span class="term"
          >${text(left)} ${sign} ${text(right)}</span
        >`,
  );
  const [score = NaN, top = NaN] = exponent ?? [];
  const made =
    copyOf !== undefined
      ? message("numbers.sum.copy", { head: copyOf + 1 })
      : top === -Infinity
        ? message("numbers.sum.nowhere")
        : exponent
          ? html`exp(${text(score)} − ${text(top)}) ÷ Σ = ${terms}`
          : terms;
  const { matrix, row, column } = place;
  return html`<p>
    <b>${SYMBOLS[matrix]}</b><sub>${row + 1},${column + 1}</sub> = ${made} =
    <b data-value>${numberText(value, digits)}</b>
  </p>`;
}

/**
 * A sentence about the first number that is ∞ or NaN, in the order of computation; null if there is
 * none.
 */
export function overflowRefusal(worked: Calculation, mask: Rows): Refusal | null {
  const shown = worked.heads.map((_, head) => shownOf(worked, head));
  for (const matrix of WORKED)
    for (const [head, { [matrix]: rows = [] }] of shown.entries()) {
      const place = overflowedAt(rows, matrix === "masked" ? mask : null);
      if (!place) continue;
      const isOne = shown.length === 1 || SHARED.has(matrix);
      const values = { name: SYMBOLS[matrix], head: head + 1 };
      const name = isOne ? values.name : message("numbers.overflowed.head", values);
      // A number that was finite before division is finite after division by a larger number.
      const advice = message(`numbers.overflowed.${matrix === "scores" ? "divisor" : "smaller"}`);
      const sentence = message("numbers.overflowed", { name, ...place, advice });
      return { sentence, code: "numbers/overflow" };
    }
  return null;
}

/** The place of the first number that is ∞ or NaN, counted from 1, without -∞ from the mask. */
export function overflowedAt(rows: Rows, mask: Rows | null): Omit<WorkedPlace, "matrix"> | null {
  for (const [row, cells] of rows.entries())
    for (const [column, value] of cells.entries())
      if (!Number.isFinite(value) && !(value === -Infinity && mask?.[row]?.[column] === -Infinity))
        return { row: row + 1, column: column + 1 };
  return null;
}
