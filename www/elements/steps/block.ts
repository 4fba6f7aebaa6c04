import { LitElement } from "lit";
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

/** What a figure of the steps of a block is told: the whole one, and the strip in it. */
export abstract class BlockFigure extends LitElement {
  @property({ attribute: false }) steps: readonly StepTensor[] = [];
  /** The head that is looked at, and how many the block has. */
  @property({ attribute: false }) head: HeadRef | null = null;
  @property({ type: Number }) heads = 1;
  /** How many types of token the model tells apart; 0 for none. */
  @property({ type: Number }) tokenTypes = 0;
  /** Stages that an edit makes otherwise than by q · k, ÷ √d, + M and softmax: they go by their own names. */
  @property({ attribute: false }) unusual: readonly Stage[] = [];
  @property({ attribute: false }) queries: Token[] = [];
  @property({ attribute: false }) keys: Token[] = [];
  /** The cell that is held. */
  @property({ attribute: false }) held: StepCell | null = null;
  /** The colours of the weights. */
  @property({ attribute: false }) colours: Palette = "blue";
  /** What makes the cell that is looked at: the hovered one, or else the held one. */
  @property({ attribute: false }) explanation: Explanation | null = null;
}
