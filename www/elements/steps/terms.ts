// What an explanation says, in the order in which a reader wants it: the largest terms first, and where each leads.
import type { CellOperation, Explanation, StepPlace, TermSource } from "../../data/index.js";

/** One term of a cell. */
export interface Term {
  /** Its place in the lines. */
  index: number;
  /** The numbers that are multiplied; one number where nothing is. */
  factors: number[];
  /** What it adds to the cell, before a common factor. */
  amount: number;
}

/** All terms of a sum, largest first; none of what is no sum. */
export function termsOf({ operation, lines }: Explanation): Term[] {
  const [first, second] = lines;
  if (!first) return [];
  switch (operation.kind) {
    case "product": {
      const weights = second?.values;
      return sorted(
        Array.from(first.values, (a, index) => ({
          index,
          factors: [a, weights?.[index] ?? 0],
          amount: a * (weights?.[index] ?? 0),
        })),
      );
    }
    case "softmax":
      return sorted(
        Array.from(second?.values ?? [], (amount, index) => ({
          index,
          factors: [first.values[index] ?? NaN],
          amount,
        })),
      );
    case "add":
      return lines.map(({ values: [amount = NaN] }, index) => ({ index, factors: [], amount }));
    case "rotation":
      return sorted(
        lines.map(({ values: [a = NaN] }, index) =>
          turned(a, index === 0 ? operation.cosine : operation.sine, index),
        ),
      );
    case "embedding":
      return lines.map(({ values: [a = NaN] }, index) => ({
        index,
        factors: index === 0 ? [a, operation.scale] : [a],
        amount: index === 0 ? a * operation.scale : a,
      }));
    default:
      return [];
  }
}

function turned(a: number, by: number, index: number): Term {
  return { index, factors: [a, by], amount: a * by };
}

/** Whether every line is a term of its own, instead of holding them all. */
export function isTermByLine({ kind }: CellOperation): boolean {
  return kind === "add" || kind === "embedding" || kind === "rotation";
}

function sorted(terms: Term[]): Term[] {
  return terms.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
}

/** The cell of a step that a term stands in; null for a number that was learnt. */
export function termPlace(source: TermSource | undefined, term: number): StepPlace | null {
  // What is made of a row leads to the row.
  if (source?.kind === "made")
    return source.part === "drawn"
      ? null
      : {
          stack: source.stack,
          layer: source.layer,
          head: source.head,
          step: source.step,
          row: source.row,
          column: source.column,
        };
  if (source?.kind !== "step") return null;
  const { stack, layer, head, step, row, column, along } = source;
  return {
    stack,
    layer,
    head,
    step,
    row: along === "rows" ? row + term : row,
    column: along === "columns" ? column + term : column,
  };
}

/** The places that a trace can go on to, the most telling first; none where all numbers were learnt. */
export function waysBack(explanation: Explanation): StepPlace[] {
  const { operation, lines } = explanation;
  const [largest] = termsOf(explanation);
  const ways = (): (StepPlace | null)[] => {
    switch (operation.kind) {
      case "product":
        return lines.map(({ source }) => termPlace(source, largest?.index ?? 0));
      case "add":
        return lines
          .toSorted((a, b) => Math.abs(b.values[0] ?? 0) - Math.abs(a.values[0] ?? 0))
          .map(({ source }) => termPlace(source, 0));
      case "rotation":
        return termsOf(explanation).map(({ index }) => termPlace(lines[index]?.source, 0));
      case "softmax":
      case "norm":
      case "rmsNorm":
        return [termPlace(lines[0]?.source, operation.term)];
      default:
        return [termPlace(lines[0]?.source, 0)];
    }
  };
  return ways().filter((place) => place !== null);
}

/** Where the lines of an explanation stand in the same block: the first cell, and how far they go. */
export function runsOf({
  lines,
  operation,
}: Explanation): { place: StepPlace; rows: number; columns: number }[] {
  return lines.flatMap(({ source, values }) => {
    const place = termPlace(source, 0);
    if (!place || source.kind !== "step") return [];
    if (operation.kind === "norm" || operation.kind === "rmsNorm" || source.along === "columns")
      return [{ place, rows: 1, columns: values.length }];
    return [{ place, rows: source.along === "rows" ? values.length : 1, columns: 1 }];
  });
}
