/** The second side of a comparison: its run, read for the head and the picture beside the first. */
import type { Cell, HeadRef, ModelInfo } from "../data/index.js";
import { derived } from "../signals.js";
import type { State } from "../state/index.js";
import { type Hover, NO_HOVER } from "./run/pointing.js";
import { RunView } from "./run/run-view.js";
import { chosenHead } from "./run/selection.js";
import { otherEditsOf, type SecondRun } from "./second-run.js";

/** The side of a comparison that a user points at: its State and its head. */
interface First {
  readonly state: State;
  readonly shown: HeadRef | null;
}

/**
 * The head of the second run beside a head of the first: the one that the State names, or else the
 * same one; the nearest one if the second model lacks it.
 */
export function headBeside(
  first: HeadRef,
  { compare, otherHead }: Pick<State, "compare" | "otherHead">,
  info: ModelInfo,
): HeadRef | null {
  return chosenHead((compare === "other" ? otherHead : null) ?? first, info);
}

/** A second run in the picture of the first: what is held there is held here in its counterpart. */
export class SecondView extends RunView {
  readonly hover: Hover = NO_HOVER;
  /** A second run is shown once it is whole. */
  readonly writing = false;

  constructor(
    private readonly first: First,
    private readonly other: SecondRun,
    private readonly counterparts: () => Readonly<Record<"locked" | "focused", Cell | null>>,
  ) {
    super();
  }

  @derived get computation(): RunView["computation"] {
    const { model, run, revision } = this.other;
    return { model, run, revision, sourceRevision: revision, restarts: 0 };
  }

  @derived get state(): State {
    const { state, shown } = this.first;
    const { info } = this;
    const head = shown && info && headBeside(shown, state, info);
    return { ...state, ...head, edits: otherEditsOf(state) };
  }

  override get locked(): Cell | null {
    return this.counterparts().locked;
  }

  override get focused(): Cell | null {
    return this.counterparts().focused;
  }
}
