import { property } from "lit/decorators.js";
import type { CellOperation, Explanation, HeadRef, Palette, Stage } from "../../data/index.js";
import type { StepCell, StepPlace, StepTensor, TermSource, Token } from "../../data/index.js";
import { language } from "../../i18n/index.js";
import { given, listOf, orNull, PALETTE } from "../shared/checked.js";
import { EXPLANATION } from "../shared/checked-steps.js";
import { STACK, tensor, TOKENS } from "../shared/checked.js";
import { STAGE, STEP_CELL } from "../shared/checked-steps.js";
import { FigureElement } from "../shared/figure.js";
import { tokenLabels } from "../shared/templates.js";
import type { StepLabels } from "./formulas.js";

export abstract class StepFigure extends FigureElement {
  protected static override readonly sentences = ["steps"] as const;
  /** The computation of the cell in focus. */
  @given(orNull(EXPLANATION)) explanation: Explanation | null = null;
  /** The number of token types of the model; 0 for none. */
  @property({ type: Number }) tokenTypes = 0;
  /**
   * Stages that an edit computes by another formula than q · k, ÷ √d, + M and softmax: they have
   * names of their own.
   */
  @given(listOf(STAGE)) unusual: readonly Stage[] = [];
  /** Whether numbers can only be held, since none is explained but a given one. */
  @property({ type: Boolean }) plain = false;
  @given(TOKENS) queries: Token[] = [];
  @given(TOKENS) keys: Token[] = [];

  protected get labels(): StepLabels {
    const { queries, keys, tokenTypes, unusual } = this;
    return this.memo("labels", [queries, keys, tokenTypes, unusual, language()], () => ({
      queries: tokenLabels(queries),
      keys: tokenLabels(keys),
      typed: tokenTypes > 0,
      unusual,
    }));
  }
}

export abstract class BlockFigure extends StepFigure {
  @given(listOf({ step: "text", tensor: tensor("row", "column") }))
  steps: readonly StepTensor[] = [];
  /** The steps of a figure beside this one: each matrix shares one scale with its counterpart. */
  @given(listOf({ step: "text", tensor: tensor("row", "column") }))
  scaledWith: readonly StepTensor[] = [];
  @given(orNull({ stack: STACK, layer: "count", head: "count" })) head: HeadRef | null = null;
  @property({ type: Number }) heads = 1;
  @given(orNull(STEP_CELL)) held: StepCell | null = null;
  /** The colour map of the weights. */
  @given(PALETTE) colours: Palette = "blue";
}

export interface Term {
  index: number;
  factors: number[];
  amount: number;
}

const times = (a: number, by: number, index: number): Term => ({
  index,
  factors: [a, by],
  amount: a * by,
});

/** All terms of a sum, largest first; empty if the operation is no sum. */
export function termsOf({ operation, lines }: Explanation): Term[] {
  const [first, second] = lines;
  const ends = lines.map(({ values: [a = NaN] }) => a);
  if (!first) return [];
  switch (operation.kind) {
    case "product":
      return sorted(Array.from(first.values, (a, at) => times(a, second?.values[at] ?? 0, at)));
    case "softmax": {
      const factors = (index: number): number[] => [first.values[index] ?? NaN];
      const weights = Array.from(second?.values ?? []);
      return sorted(weights.map((amount, index) => ({ index, factors: factors(index), amount })));
    }
    case "add":
      return ends.map((amount, index) => ({ index, factors: [], amount }));
    case "rotation": {
      const { cosine, sine } = operation;
      return sorted(ends.map((a, index) => times(a, index === 0 ? cosine : sine, index)));
    }
    case "embedding":
      return ends.map((a, index) =>
        index === 0 ? times(a, operation.scale, 0) : { index, factors: [a], amount: a },
      );
    default:
      return [];
  }
}

/** Whether every line is one term, instead of one factor of all terms. */
export const isTermByLine = ({ kind }: CellOperation): boolean =>
  kind === "add" || kind === "embedding" || kind === "rotation";

const sorted = (terms: Term[]): Term[] =>
  terms.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));

/** The cell of a step that a term comes from; null for a learned number. */
export function termPlace(source: TermSource | undefined, term: number): StepPlace | null {
  if (source?.kind !== "step" && source?.kind !== "made") return null;
  const { stack, layer, head, step, row, column } = source;
  const place = { stack, layer, head, step, row, column };
  // A feature of a row leads to the row.
  if (source.kind === "made") return source.part === "drawn" ? null : place;
  if (source.along === "rows") return { ...place, row: row + term };
  return source.along === "columns" ? { ...place, column: column + term } : place;
}

/**
 * The cells to which a trace can continue, the largest term first; empty if all numbers are
 * learned.
 */
export function waysBack(explanation: Explanation): StepPlace[] {
  const { operation, lines } = explanation;
  const { kind } = operation;
  const terms = termsOf(explanation);
  const first = ("term" in operation ? operation.term : null) ?? 0;
  const places =
    kind === "product"
      ? lines.map(({ source }) => termPlace(source, terms[0]?.index ?? 0))
      : kind === "add" || kind === "rotation"
        ? sorted(terms).map(({ index }) => termPlace(lines[index]?.source, 0))
        : [termPlace(lines[0]?.source, first)];
  return places.filter((place) => place !== null);
}

/** The cells of the lines of an explanation: the first cell, and their rows and columns. */
export function runsOf({ lines, operation }: Explanation) {
  const isNorm = operation.kind === "norm" || operation.kind === "rmsNorm";
  return lines.flatMap(({ source, values }) => {
    const place = termPlace(source, 0);
    if (!place || source.kind !== "step") return [];
    const columns = isNorm || source.along === "columns" ? values.length : 1;
    const rows = columns === 1 && source.along === "rows" ? values.length : 1;
    return [{ place, rows, columns }];
  });
}
