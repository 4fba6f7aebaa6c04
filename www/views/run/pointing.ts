import type { Cell, HeadRef, ModelInfo, Stack, Tensor } from "../../data/index.js";
import type { CellsPaintDetail, HeadDetail } from "../../elements/events.js";
import type { Run } from "../../headscope.js";
import { tracked } from "../../signals.js";
import {
  paintFor,
  type Picked,
  type Reach,
  type Side,
  type State,
  type Store,
  toggleCells,
  toggleHead,
  togglePicked,
} from "../../state/index.js";
import type { Computation } from "./computation.js";
import { cellAt, cellOf, cellsAt, type DisplayedPattern, groupAt } from "./displayed.js";
import { Steady } from "./scheduling.js";
import { axisOf, isHideable, type Neighbour, neighbourOf, toggleHidden } from "./selection.js";

/** What is under the pointer or the keyboard, which no link carries. */
export interface Hover {
  cell: Cell | null;
  head: HeadRef | null;
}

const NO_HOVER: Hover = { cell: null, head: null };

/** A token of one of the texts that is pointed at or clicked; null for none. */
export interface TokenTouch {
  side: Side;
  index: number | null;
  action: "hover" | "lock" | "pick";
}

/** A key's request that is about heads: silences the shown one, or goes to a neighbour. */
export type HeadShortcut = Neighbour | "silence";

/** What pointing reads of the session. */
export interface Pointed {
  readonly store: Store;
  readonly state: State;
  readonly computation: Computation;
  readonly info: ModelInfo | null;
  readonly stacks: readonly Stack[];
  readonly chosen: HeadRef | null;
  readonly shown: HeadRef | null;
  readonly displayed: DisplayedPattern | null;
  readonly locked: Cell | null;
  readonly pairsShown: boolean;
}

/** What a person points at, holds and blocks: cells of pictures, heads and tokens. What is held and blocked goes into the State. */
export class Pointing {
  @tracked hover: Hover = NO_HOVER;
  /** Whether clicks on cells block them and strokes paint them. */
  @tracked blocking = false;
  /** Whose cells they are, seen from the head that is drawn. */
  @tracked reach: Reach = "head";

  private next: Hover = NO_HOVER;
  private readonly steady = new Steady(() => (this.hover = this.next));

  constructor(private readonly session: Pointed) {}

  /** Points at nothing any more. */
  clear(): void {
    this.hoverAt(NO_HOVER);
  }

  /** Shows what is pointed at now: no other change of the page may come before it. */
  settle(): void {
    if (this.hover !== this.next) this.steady.now();
  }

  /** Lets go of all that is held. */
  release(): void {
    this.clear();
    this.blocking = false;
    this.session.store.update({ locked: null, picked: null });
  }

  /** Silences or wakes the head that is shown, or goes on from the chosen one to another. */
  follow(shortcut: HeadShortcut): void {
    const { chosen, shown, info, store, state } = this.session;
    if (shortcut === "silence") {
      if (shown && info) store.update({ edits: toggleHead(state.edits, shown, info.stacks) });
    } else if (info && chosen) {
      // The head under a resting pointer or focus would hide the one that was asked for.
      this.clear();
      store.update(neighbourOf(chosen, shortcut, info));
    }
  }

  readonly hoverHead = ({ detail }: CustomEvent<HeadDetail | null>): void => {
    const stack = this.session.chosen?.stack;
    this.hoverAt({ ...this.next, head: detail && stack ? { stack, ...detail } : null });
  };

  readonly hoverCell = ({ detail }: CustomEvent<Cell | null>): void => {
    this.hoverAt({ ...this.next, cell: this.cellOfTokens(detail) });
  };

  readonly lockCell = ({ detail }: CustomEvent<Cell | null>): void => {
    this.session.store.update({ locked: this.cellOfTokens(detail) });
  };

  readonly toggleCell = ({ detail }: CustomEvent<Cell>): void => {
    const to = this.canvas([detail]);
    const { store, state, stacks } = this.session;
    if (to)
      store.update({
        edits: toggleCells(state.edits, to.head, to.cells, to.mask, this.reach, stacks),
      });
  };

  readonly paintCells = ({ detail: { cells, open } }: CustomEvent<CellsPaintDetail>): void => {
    const to = this.canvas(cells);
    const { store, state, stacks } = this.session;
    const brush = open ? "open" : "block";
    if (to)
      store.update({
        edits: paintFor(state.edits, to.head, to.cells, brush, to.mask, this.reach, stacks),
      });
  };

  /** Where cells of the picture are painted: in the head that is drawn, for the one that was asked for may still be on its way. */
  private canvas(
    places: readonly Cell[],
  ): { head: HeadRef; cells: Cell[]; mask: Tensor | null } | null {
    const { displayed } = this.session;
    if (!displayed) return null;
    const { head, mask, run } = displayed.figures;
    const cells = this.session.pairsShown
      ? [...places]
      : places.flatMap((place) => cellsAt(displayed, place));
    return { head, cells, mask: this.isOfTheseEdits(run) ? mask : null };
  }

  /** Whether a run was computed under the edits of the State. What else is still read of it, or fetched, is no matter. */
  private isOfTheseEdits(shown: Run): boolean {
    const { run, busy, stopped, stale } = this.session.computation;
    return shown === run && !busy && !stopped && !stale;
  }

  /**
   * A token stands for the strongest cell of its row or column; in a model that fills gaps, a click hides it. Several
   * are picked one by one, beginning with the one that is held.
   */
  touchToken({ side, index, action }: TokenTouch): void {
    const { store, state, info, displayed, locked } = this.session;
    if (
      action === "lock" &&
      info &&
      index !== null &&
      side === "source" &&
      this.hides(info, index)
    ) {
      store.update({ hidden: toggleHidden(state.hidden, index) });
      return;
    }
    const axis = info && displayed ? axisOf(side, displayed.figures.head.stack, info) : null;
    if (action === "pick" && index !== null) {
      // Where words are looked at, every piece of a word stands for it.
      const groups =
        displayed &&
        (axis === "query" ? displayed.rows : axis === "key" ? displayed.columns : null);
      const word = groups ? groupAt(groups, index) : -1;
      const isSame = (one: number): boolean =>
        one === index || (groups !== null && word >= 0 && groupAt(groups, one) === word);
      const held = axis && locked && !state.picked ? locked[axis] : index;
      const first = isSame(held) ? state.picked : togglePicked(null, side, held);
      const again = first?.side === side ? first.tokens.filter(isSame) : [];
      const picked = (again.length > 0 ? again : [index]).reduce<Picked | null>(
        (before, one) => togglePicked(before, side, one),
        first,
      );
      store.update({ picked });
      return;
    }
    const cell = axis && index !== null && displayed ? cellOf(displayed, axis, index) : null;
    if (action === "hover") this.hoverAt({ ...this.next, cell });
    else {
      const again = axis !== null && cell !== null && locked?.[axis] === cell[axis];
      store.update({ locked: again ? null : cell, ...(state.picked && { picked: null }) });
    }
  }

  private hides(info: ModelInfo, index: number): boolean {
    const token = this.session.computation.run?.tokens[index];
    return info.architecture === "encoder" && (token?.role === "mask" || isHideable(info, token));
  }

  /** From one cell to the next what is beside the picture follows at its own pace; all else must not wait. */
  private hoverAt(hover: Hover): void {
    const { cell, head } = this.next;
    this.next = hover;
    if (hover.head === head && hover.cell !== null && cell !== null) this.steady.ask();
    else this.steady.now();
  }

  private cellOfTokens(place: Cell | null): Cell | null {
    const { displayed, pairsShown } = this.session;
    return displayed && !pairsShown ? cellAt(displayed, place) : place;
  }
}
