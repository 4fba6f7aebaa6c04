import type { Calculation, CalculationAsked, CalculationHead } from "../../../data/index.js";
import type { DemoCore } from "../../../engine/index.js";
import { NUMBER_PRESETS } from "../../../state/matrix-changes.js";
import { questionOf } from "../arithmetic.js";

const product = (a: number[][], b: number[][]): number[][] =>
  a.map((row) =>
    (b[0] ?? []).map((_, column) =>
      row.reduce((sum, x, inner) => sum + x * (b[inner]?.[column] ?? NaN), 0),
    ),
  );
const transposed = (a: number[][]): number[][] =>
  (a[0] ?? []).map((_, column) => a.map((row) => row[column] ?? NaN));
const slice = (a: number[][], head: number, heads: number): number[][] =>
  a.map((row) => row.slice((head * row.length) / heads, ((head + 1) * row.length) / heads));
const NONE = { multiplications: 0, additions: 0, divisions: 0, exponentials: 0 };

/** What the engine answers, by plain loops. */
export function workedOut(of: CalculationAsked): Calculation {
  const { x, query, key, value, output, mask, nHeads, divisor } = of;
  const [q, k, v] = [query, key, value].map((map) => product(x, map));
  if (!q || !k || !v) throw new Error("no maps");
  const by = divisor ?? Math.sqrt((q[0]?.length ?? 1) / nHeads);
  const heads = Array.from({ length: nHeads }, (_, head): CalculationHead => {
    const raw = product(slice(q, head, nHeads), transposed(slice(k, head, nHeads)));
    const scores = raw.map((row) => row.map((score) => score / by));
    const masked = scores.map((row, one) =>
      row.map((score, other) => score + (mask[one]?.[other] ?? NaN)),
    );
    const tops = masked.map((row) => Math.max(...row));
    const exponentials = masked.map((row, one) =>
      row.map((score) => (tops[one] === -Infinity ? 0 : Math.exp(score - (tops[one] ?? NaN)))),
    );
    const totals = exponentials.map((row) => row.reduce((sum, share) => sum + share, 0));
    const weights = exponentials.map((row, one) =>
      row.map((share) => (totals[one] === 0 ? 0 : share / (totals[one] ?? NaN))),
    );
    const context = product(weights, slice(v, head, nHeads));
    return { raw, scores, masked, tops, exponentials, totals, weights, context };
  });
  const joined = x.map((_, row) => heads.flatMap(({ context }) => context[row] ?? []));
  return {
    divisor: by,
    query: q,
    key: k,
    value: v,
    heads,
    joined,
    attention: NONE,
    output: output && product(joined, output),
  };
}

export const WORKED_TWO = workedOut(questionOf(NUMBER_PRESETS.heads));

/**
 * A demo core without an engine, which answers `calculator` by plain loops and says that all else
 * is out of order.
 */
export function fakeDemoCore(
  questions: CalculationAsked[] = [],
): () => Promise<Pick<DemoCore, "ask">> {
  const ask = (what: string, question: unknown): Promise<unknown> => {
    if (what !== "calculator") return Promise.reject(new Error(`${what} is out of order`));
    questions.push(question as CalculationAsked);
    return Promise.resolve(workedOut(question as CalculationAsked));
  };
  return () => Promise.resolve({ ask: ask as DemoCore["ask"] });
}

/** A matrix from its text: rows separated by slashes, numbers by spaces. */
export function matrix(text: string): number[][] {
  return text.split("/").map((row) => row.trim().split(" ").map(Number));
}
