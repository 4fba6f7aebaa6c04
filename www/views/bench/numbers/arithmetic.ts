// What made one number of the workbench, out of the numbers that the engine gave: no sum is taken here.
import { html, nothing, type TemplateResult } from "lit";
import type { Workbench } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import type { BroughtNumbers, Rows } from "../../../state/index.js";
import { numberText, type Digits } from "./number-words.js";

/** The matrices that are computed, in their order. */
export const WORKED = [
  "query",
  "key",
  "value",
  "raw",
  "scores",
  "masked",
  "weights",
  "context",
  "joined",
  "output",
] as const;
export type WorkedName = (typeof WORKED)[number];

/** Matrices that are the same whichever head is looked at. */
export const SHARED: ReadonlySet<WorkedName> = new Set(["joined", "output"]);

/** A cell of one of them, as one head sees it; its columns are the head's own. */
export interface WorkedPlace {
  readonly matrix: WorkedName;
  readonly row: number;
  readonly column: number;
}

/** What made a cell. */
export type Arithmetic =
  | {
      readonly kind: "products";
      readonly terms: readonly (readonly [number, number])[];
      readonly value: number;
    }
  | {
      readonly kind: "quotient" | "sum";
      readonly left: number;
      readonly right: number;
      readonly value: number;
    }
  | {
      readonly kind: "softmax";
      readonly score: number;
      readonly top: number;
      readonly exponential: number;
      readonly total: number;
      readonly value: number;
    }
  /** A cell that stands in another matrix as well. */
  | { readonly kind: "copy"; readonly head: number; readonly value: number };

/** What is computed as one head sees it: of the projections its own columns. */
export type Shown = Partial<Record<WorkedName, Rows>>;

/** The columns of a head in a matrix that all heads share. */
function columnsOf(rows: Rows, head: number, heads: number): Rows {
  const width = (rows[0]?.length ?? 0) / heads;
  return rows.map((row) => row.slice(head * width, (head + 1) * width));
}

/** All matrices that the bench shows for a head; with one head its context is the whole. */
export function shownOf(worked: Workbench, head: number): Shown {
  const heads = worked.heads.length;
  const own = worked.heads[head];
  if (!own) return {};
  const { raw, scores, masked, weights, context } = own;
  const [query, key, value] = [worked.query, worked.key, worked.value].map((rows) =>
    columnsOf(rows, head, heads),
  );
  return {
    query: query ?? [],
    key: key ?? [],
    value: value ?? [],
    raw,
    scores,
    masked,
    weights,
    context,
    ...(heads > 1 ? { joined: worked.joined } : {}),
    ...(worked.output ? { output: worked.output } : {}),
  };
}

/** What made a cell; null where there is none. */
export function arithmeticOf(
  brought: BroughtNumbers,
  worked: Workbench,
  head: number,
  { matrix, row, column }: WorkedPlace,
): Arithmetic | null {
  const shown = shownOf(worked, head);
  const own = worked.heads[head];
  const value = shown[matrix]?.[row]?.[column];
  if (value === undefined || !own) return null;
  const at = (rows: Rows | undefined, down: number, across: number): number =>
    rows?.[down]?.[across] ?? NaN;
  const products = (
    left: readonly number[] | undefined,
    right: (inner: number) => number,
  ): Arithmetic => ({
    kind: "products",
    terms: (left ?? []).map((one, inner) => [one, right(inner)] as const),
    value,
  });
  switch (matrix) {
    case "query":
    case "key":
    case "value": {
      const map = columnsOf(brought[matrix], head, worked.heads.length);
      return products(brought.x[row], (inner) => at(map, inner, column));
    }
    case "raw":
      return products(shown.query?.[row], (inner) => at(shown.key, column, inner));
    case "scores":
      return { kind: "quotient", left: at(own.raw, row, column), right: worked.divisor, value };
    case "masked":
      return {
        kind: "sum",
        left: at(own.scores, row, column),
        right: at(brought.mask, row, column),
        value,
      };
    case "weights":
      return {
        kind: "softmax",
        score: at(own.masked, row, column),
        top: own.tops[row] ?? NaN,
        exponential: at(own.exponentials, row, column),
        total: own.totals[row] ?? NaN,
        value,
      };
    case "context":
      return products(own.weights[row], (inner) => at(shown.value, inner, column));
    case "joined": {
      const width = own.context[0]?.length ?? 1;
      return { kind: "copy", head: Math.floor(column / width), value };
    }
    case "output":
      return products(worked.joined[row], (inner) =>
        at(brought.output ?? undefined, inner, column),
      );
  }
}

/** The symbols of the matrices that are computed. */
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
} as const satisfies Record<WorkedPlace["matrix"], string>;

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

// Where numbers leave what f64 holds.

/** A cell as one head sees it; the head is null where all share the matrix, and where there is but one. */
export interface Overflowed extends WorkedPlace {
  readonly head: number | null;
}

/** The first number that is ∞ or NaN, in the order in which they are computed; null if there is none. */
export function overflowedIn(worked: Workbench, mask: Rows): Overflowed | null {
  const shown = worked.heads.map((_, head) => shownOf(worked, head));
  for (const matrix of WORKED) {
    for (const [head, { [matrix]: rows = [] }] of shown.entries()) {
      const forbidding = matrix === "masked" ? mask : null;
      const row = rows.findIndex((cells, index) => !isSoundRow(cells, forbidding?.[index]));
      if (row < 0) continue;
      const column = (rows[row] ?? []).findIndex(
        (value, index) => !isSound(value, forbidding?.[row]?.[index]),
      );
      const shared = shown.length === 1 || SHARED.has(matrix);
      return { matrix, row, column, head: shared ? null : head };
    }
  }
  return null;
}

/** Whether scores with their mask are numbers, or forbidden because the mask says so. */
export function areSound(masked: Rows, mask: Rows): boolean {
  return masked.every((row, index) => isSoundRow(row, mask[index]));
}

function isSoundRow(row: readonly number[], mask: readonly number[] | undefined): boolean {
  return row.every((value, index) => isSound(value, mask?.[index]));
}

function isSound(value: number, mask: number | undefined): boolean {
  return Number.isFinite(value) || (value === -Infinity && mask === -Infinity);
}
