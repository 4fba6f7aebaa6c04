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
import {
  COUNT,
  CheckedElement,
  EXPLANATION,
  PALETTE,
  STACK,
  STAGE,
  STEP_CELL,
  TEXT,
  TOKENS,
  given,
  listOf,
  orNull,
  record,
  tensor,
} from "../shared/checked.js";

/** What a figure of the steps of a block is told: the whole one, and the strip in it. */
export abstract class BlockFigure extends CheckedElement {
  @given(listOf(record({ step: TEXT, tensor: tensor("row", "column") })))
  steps: readonly StepTensor[] = [];
  /** The head that is looked at, and how many the block has. */
  @given(orNull(record({ stack: STACK, layer: COUNT, head: COUNT }))) head: HeadRef | null = null;
  @property({ type: Number }) heads = 1;
  /** How many types of token the model tells apart; 0 for none. */
  @property({ type: Number }) tokenTypes = 0;
  /** Stages that an edit makes otherwise than by q · k, ÷ √d, + M and softmax: they go by their own names. */
  @given(listOf(STAGE)) unusual: readonly Stage[] = [];
  @given(TOKENS) queries: Token[] = [];
  @given(TOKENS) keys: Token[] = [];
  /** The cell that is held. */
  @given(orNull(STEP_CELL)) held: StepCell | null = null;
  /** The colours of the weights. */
  @given(PALETTE) colours: Palette = "blue";
  /** What makes the cell that is looked at: the hovered one, or else the held one. */
  @given(orNull(EXPLANATION)) explanation: Explanation | null = null;
}
