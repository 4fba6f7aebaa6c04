// How one number of the calculator came about, from the numbers of the engine: nothing is computed here.
import { html, nothing, type TemplateResult } from "lit";
import type { Workbench } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import type { MatrixInputs, Rows } from "../../../state/index.js";
import type { Refusal } from "../form.js";
import { numberText, type Digits } from "./words.js";

/** The matrices that are computed, in their order, with their symbols. */
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

/** Matrices that are the same for every head. */
export const SHARED: ReadonlySet<WorkedName> = new Set(["joined", "output"]);

/** What the engine computed of the numbers of the calculator, with those numbers, for one head. */
export interface Answered {
  inputs: MatrixInputs;
  worked: Workbench;
  head: number;
  /** Shows another head. */
  choose: (head: number) => void;
}

export interface WorkedPlace {
  matrix: WorkedName;
  row: number;
  column: number;
}

/** What made a cell; a copy stands in the context of a head as well. */
export type Arithmetic = { value: number } & (
  | { kind: "products"; terms: [number, number][] }
  | { kind: "quotient" | "sum"; left: number; right: number }
  | { kind: "softmax"; score: number; top: number; exponential: number; total: number }
  | { kind: "copy"; head: number }
);

/** The columns of a head in a matrix that all heads share. */
function columnsOf(rows: Rows, head: number, heads: number): Rows {
  const width = (rows[0]?.length ?? 0) / heads;
  return rows.map((row) => row.slice(head * width, (head + 1) * width));
}

/** All computed matrices for a head, of the projections its own columns; with one head its context is the whole. */
export function shownOf(worked: Workbench, head: number): Partial<Record<WorkedName, Rows>> {
  const heads = worked.heads.length;
  const own = worked.heads[head];
  if (!own) return {};
  const { raw, scores, masked, weights, context } = own;
  return {
    query: columnsOf(worked.query, head, heads),
    key: columnsOf(worked.key, head, heads),
    value: columnsOf(worked.value, head, heads),
    ...{ raw, scores, masked, weights, context },
    ...(heads > 1 && { joined: worked.joined }),
    ...(worked.output && { output: worked.output }),
  };
}

/** What made a cell; null where there is none. */
export function arithmeticOf(
  inputs: MatrixInputs,
  worked: Workbench,
  head: number,
  { matrix, row, column }: WorkedPlace,
): Arithmetic | null {
  const shown = shownOf(worked, head);
  const own = worked.heads[head];
  const value = shown[matrix]?.[row]?.[column];
  if (value === undefined || !own) return null;
  const at = (rows: Rows | null | undefined, down: number, across: number): number =>
    rows?.[down]?.[across] ?? NaN;
  const products = (
    left: readonly number[] = [],
    right: (inner: number) => number,
  ): Arithmetic => ({
    kind: "products",
    terms: left.map((one, inner) => [one, right(inner)]),
    value,
  });
  switch (matrix) {
    case "query":
    case "key":
    case "value": {
      const map = columnsOf(inputs[matrix], head, worked.heads.length);
      return products(inputs.x[row], (inner) => at(map, inner, column));
    }
    case "raw":
      return products(shown.query?.[row], (inner) => at(shown.key, column, inner));
    case "scores":
      return { kind: "quotient", left: at(own.raw, row, column), right: worked.divisor, value };
    case "masked": {
      const [left, right] = [at(own.scores, row, column), at(inputs.mask, row, column)];
      return { kind: "sum", left, right, value };
    }
    case "weights": {
      const [top = NaN, total = NaN] = [own.tops[row], own.totals[row]];
      const exponential = at(own.exponentials, row, column);
      return {
        kind: "softmax",
        score: at(own.masked, row, column),
        top,
        exponential,
        total,
        value,
      };
    }
    case "context":
      return products(own.weights[row], (inner) => at(shown.value, inner, column));
    case "joined":
      return { kind: "copy", head: Math.floor(column / (own.context[0]?.length ?? 1)), value };
    case "output":
      return products(worked.joined[row], (inner) => at(inputs.output, inner, column));
  }
}

/** One number with all that made it, as a line that can be read aloud. */
export function arithmeticLine(
  place: WorkedPlace | null,
  arithmetic: Arithmetic | null,
  digits: Digits,
): TemplateResult {
  if (!place || !arithmetic) return html`<p class="muted">${message("numbers.sum.empty")}</p>`;
  const name = html`<b>${SYMBOLS[place.matrix]}</b><sub>${place.row + 1},${place.column + 1}</sub>`;
  return html`<p>${name} = ${made(arithmetic, digits)} = <b data-value>${numberText(arithmetic.value, digits)}</b></p>`;
}

function made(arithmetic: Arithmetic, digits: Digits): TemplateResult | string {
  const text = (value: number): string =>
    value < 0 ? `(${numberText(value, digits)})` : numberText(value, digits);
  switch (arithmetic.kind) {
    case "products":
      return html`${arithmetic.terms.map(([left, right], index) => html`${index > 0 ? " + " : nothing}<span class="term">${text(left)} · ${text(right)}</span>`)}`;
    case "quotient":
      return `${text(arithmetic.left)} ÷ ${text(arithmetic.right)}`;
    case "sum":
      return `${text(arithmetic.left)} + ${text(arithmetic.right)}`;
    case "copy":
      return message("numbers.sum.copy", { head: arithmetic.head + 1 });
    case "softmax": {
      const { score, top, exponential, total } = arithmetic;
      if (top === -Infinity) return message("numbers.sum.nowhere");
      return html`exp(${text(score)} − ${text(top)}) ÷ Σ = ${text(exponential)} ÷ ${text(total)}`;
    }
  }
}

/** The first number that is ∞ or NaN, in the order in which they are computed, as a sentence; null if there is none. */
export function overflowRefusal(worked: Workbench, mask: Rows): Refusal | null {
  const shown = worked.heads.map((_, head) => shownOf(worked, head));
  for (const matrix of WORKED)
    for (const [head, { [matrix]: rows = [] }] of shown.entries()) {
      const place = overflowedAt(rows, matrix === "masked" ? mask : null);
      if (!place) continue;
      const name =
        shown.length === 1 || SHARED.has(matrix)
          ? SYMBOLS[matrix]
          : message("numbers.overflowed.head", { name: SYMBOLS[matrix], head: head + 1 });
      // What was finite before it was divided is finite if it is divided by more.
      const advice = message(
        matrix === "scores" ? "numbers.overflowed.divisor" : "numbers.overflowed.smaller",
      );
      return {
        sentence: message("numbers.overflowed", { name, ...place, advice }),
        code: "numbers/overflow",
      };
    }
  return null;
}

/** The first number that is ∞ or NaN, counted from 1, and not -∞ because the mask says so. */
export function overflowedAt(
  rows: Rows,
  mask: Rows | null,
): { row: number; column: number } | null {
  for (const [row, cells] of rows.entries())
    for (const [column, value] of cells.entries())
      if (!Number.isFinite(value) && !(value === -Infinity && mask?.[row]?.[column] === -Infinity))
        return { row: row + 1, column: column + 1 };
  return null;
}
