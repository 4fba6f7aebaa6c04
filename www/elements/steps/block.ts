// What the figures of the steps of a block share: their properties, and the names of steps and cells.
import { property } from "lit/decorators.js";
import type { Explanation, HeadRef, Palette, Stage, Step } from "../../data/index.js";
import type { StepCell, StepTensor, Token } from "../../data/index.js";
import { language, message, type MessageKey } from "../../i18n/index.js";
import { COUNT, EXPLANATION, given, listOf, orNull, PALETTE, record } from "../shared/checked.js";
import { STACK, STAGE, STEP_CELL, tensor, TEXT, TOKENS } from "../shared/checked.js";
import { FigureElement } from "../shared/figure.js";
import { tokenLabels } from "../shared/templates.js";
import { isOfKeys, isPattern, symbolOf, type StepMaking } from "./formulas.js";

/** The tokens of rows and columns, and what changes the names of steps. */
export interface StepLabels extends StepMaking {
  queries: readonly string[];
  keys: readonly string[];
}

export function stepName(step: Step, { typed, unusual }: StepMaking): string {
  const key: MessageKey =
    step === "embedded" && typed
      ? "step.embedded.typed"
      : (step === "raw" || step === "scores") && unusual.includes(step)
        ? `stage.${step}`
        : `step.${step}`;
  return message(key);
}

export function stepWords(step: Step, made: StepMaking): string {
  return `${symbolOf(step, made)} · ${stepName(step, made)}`;
}

/** The name of a cell: its token, and its column or key. */
export function cellWords({ step, row, column }: StepCell, labels: StepLabels): string {
  const { queries, keys } = labels;
  const symbol = symbolOf(step, labels);
  const token = (isOfKeys(step) ? keys : queries)[row] ?? String(row + 1);
  return isPattern(step)
    ? message("sum.pair", { step: symbol, query: token, key: keys[column] ?? String(column + 1) })
    : message("sum.place", { step: symbol, token, column: column + 1 });
}

/** A figure of the steps of a block. */
export abstract class StepFigure extends FigureElement {
  /** The computation of the cell in focus. */
  @given(orNull(EXPLANATION)) explanation: Explanation | null = null;
  /** The number of token types of the model; 0 for none. */
  @property({ type: Number }) tokenTypes = 0;
  /** Stages that an edit computes in another way than q · k, ÷ √d, + M and softmax: they have their own names. */
  @given(listOf(STAGE)) unusual: readonly Stage[] = [];
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

/** A figure of the matrices of a block. */
export abstract class BlockFigure extends StepFigure {
  @given(listOf(record({ step: TEXT, tensor: tensor("row", "column") })))
  steps: readonly StepTensor[] = [];
  @given(orNull(record({ stack: STACK, layer: COUNT, head: COUNT }))) head: HeadRef | null = null;
  /** The number of heads of the block. */
  @property({ type: Number }) heads = 1;
  /** The locked cell. */
  @given(orNull(STEP_CELL)) held: StepCell | null = null;
  /** The colour map of the weights. */
  @given(PALETTE) colours: Palette = "blue";
}
