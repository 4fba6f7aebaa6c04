import { property } from "lit/decorators.js";
import type {
  Explanation,
  HeadRef,
  Palette,
  Stage,
  StepCell,
  StepTensor,
  Token,
} from "../../data/index.js";
import { language } from "../../i18n/index.js";
import {
  COUNT,
  EXPLANATION,
  given,
  listOf,
  orNull,
  PALETTE,
  record,
  STACK,
  STAGE,
  STEP_CELL,
  tensor,
  TEXT,
  TOKENS,
} from "../shared/checked.js";
import { FigureElement } from "../shared/figure.js";
import { tokenLabels } from "../shared/templates.js";
import type { StepLabels } from "./labels.js";

/** What all figures of the steps of a block have: what explains a cell, and the names of steps and tokens. */
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
