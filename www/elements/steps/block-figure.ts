import type { ReactiveController, ReactiveElement } from "lit";
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
  CheckedElement,
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

/** How long a step of a block stands still while they are played. */
const PAUSE_MS = 1600;

/** Plays from step to step until it is stopped, there is none left, or its host leaves the page. */
export class Player implements ReactiveController {
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  /** `advance` goes one step further and says whether there was one; `pause` is how long a step stands still, in milliseconds. */
  constructor(
    private readonly host: ReactiveElement,
    private readonly advance: () => boolean,
    private readonly pause = PAUSE_MS,
  ) {
    host.addController(this);
  }

  /** Whether the reader wants nothing to move by itself. */
  get isStill(): boolean {
    return this.still.matches;
  }

  get playing(): boolean {
    return this.timer !== null;
  }

  toggle(): void {
    if (this.timer !== null) this.stop();
    else if (!this.isStill) this.timer = setInterval(() => this.tick(), this.pause);
    this.host.requestUpdate();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.stop();
  }

  private tick(): void {
    if (!this.advance()) this.stop();
  }
}
