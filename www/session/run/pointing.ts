import type { Cell, HeadRef, ModelInfo, Stack, Tensor } from "../../data/index.js";
import type { CellsPaintDetail, HeadDetail } from "../../elements/events.js";
import { tracked } from "../../signals.js";
import {
  type EditLists,
  type Paint,
  paintCells,
  type Picked,
  type Reach,
  type Side,
  type State,
  type Store,
  toggleHead,
  togglePicked,
} from "../../state/index.js";
import type { Computation } from "./computation.js";
import { cellAt, cellOf, cellsAt, type DisplayedPattern, groupAt } from "./head.js";
import { Steady } from "./scheduling.js";
import { axisOf, isMaskable, neighbourOf } from "./selection.js";

/** The cell and the head under the pointer or the keyboard, which no link carries. */
export interface Hover {
  cell: Cell | null;
  head: HeadRef | null;
}

export const NO_HOVER: Hover = { cell: null, head: null };

/** A token of one of the texts that is pointed at or clicked; null for none. */
export interface TokenTouch {
  side: Side;
  index: number | null;
  action: "hover" | "lock" | "pick" | "mask";
}

/**
 * What cells are painted on: the picture, the edits before, and the head's mask under these, or
 * null while it is unknown.
 */
interface Ground {
  displayed: DisplayedPattern;
  edits: EditLists;
  mask: Tensor | null;
}

/** A stroke that goes on; its first cell is the same object in all that is reported of it. */
interface Stroke extends Ground {
  first: Cell | undefined;
}

/** The part of the session that pointing reads. */
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
}

/**
 * The cells, heads and tokens that a user points at, locks and blocks. Locked and blocked ones go
 * into the State.
 */
export class Pointing {
  @tracked hover: Hover = NO_HOVER;
  /** Whether clicks on cells block them and strokes paint them. */
  @tracked blocking = false;
  /** The heads whose cells are blocked, relative to the displayed head. */
  @tracked reach: Reach = "head";
  private stroke: Stroke | null = null;
  private next: Hover = NO_HOVER;
  private readonly steady = new Steady(() => (this.hover = this.next));

  constructor(private readonly session: Pointed) {}

  clear(): void {
    this.hoverAt(NO_HOVER);
  }

  /** Shows the present target of the pointer, before any other change of the page. */
  settle(): void {
    if (this.hover !== this.next) this.steady.now();
  }

  /** Shows no further target of the pointer. */
  stop(): void {
    this.steady.stop();
  }

  release(): void {
    this.clear();
    this.blocking = false;
    this.session.store.update({ locked: null, picked: null });
  }

  /** Ablates the displayed head, or undoes that. */
  toggleShown(): void {
    const { shown, info, store, state } = this.session;
    if (shown && info) store.update({ edits: toggleHead(state.edits, shown, info.stacks) });
  }

  /** Moves from the chosen head to a neighbour. */
  go(along: "layer" | "head", step: -1 | 1): void {
    const { chosen, info, store } = this.session;
    if (!info || !chosen) return;
    // The hovered head would hide the one that was asked for.
    this.clear();
    store.update(neighbourOf(chosen, along, step, info));
  }

  readonly hoverHead = ({ detail }: CustomEvent<HeadDetail | null>): void => {
    const stack = this.session.chosen?.stack;
    this.hoverAt({ ...this.next, head: detail && stack ? { stack, ...detail } : null });
  };

  readonly hoverCell = ({ detail }: CustomEvent<Cell | null>): void => this.pointAt(detail);

  /** Points at a cell of the picture as a pointer does; null ends that. */
  pointAt(cell: Cell | null): void {
    this.hoverAt({ ...this.next, cell: this.cellOfTokens(cell) });
  }

  readonly lockCell = ({ detail }: CustomEvent<Cell | null>): void => {
    this.session.store.update({ locked: this.cellOfTokens(detail) });
  };

  readonly toggleCell = ({ detail }: CustomEvent<Cell>): void => {
    const ground = this.ground();
    if (ground) this.session.store.update({ edits: this.painted(ground, [detail], "toggle") });
  };

  /** Paints a stroke while it goes on: all of it is one step of undo. */
  readonly strokeCells = ({ detail }: CustomEvent<CellsPaintDetail | null>): void => {
    if (detail) this.paint(detail);
    else this.giveUpStroke();
  };

  readonly paintCells = ({ detail }: CustomEvent<CellsPaintDetail>): void => {
    this.paint(detail);
    this.stroke = null;
  };

  /** Paints all cells of a stroke, as far as it has come, on what there was before it. */
  private paint({ cells, open }: CellsPaintDetail): void {
    const { store } = this.session;
    const [first] = cells;
    if (this.stroke?.first !== first) {
      const ground = this.ground();
      this.stroke = ground && { ...ground, first };
    }
    const { stroke } = this;
    if (!stroke) return;
    const edits = this.painted(stroke, cells, open ? "open" : "block");
    if (store.state.edits === stroke.edits) store.update({ edits });
    else store.amend({ edits });
  }

  private giveUpStroke(): void {
    const { stroke } = this;
    const { store } = this.session;
    if (stroke && store.state.edits !== stroke.edits) store.undo();
    this.stroke = null;
  }

  private ground(): Ground | null {
    const { displayed, computation, state } = this.session;
    if (!displayed) return null;
    const { mask, run } = displayed.figures;
    // The mask of a run with other edits is not used.
    const { busy, stopped, stale } = computation;
    const isOfTheseEdits = run === computation.run && !busy && !stopped && !stale;
    return { displayed, edits: state.edits, mask: isOfTheseEdits ? mask : null };
  }

  /** The edits with cells of the displayed head painted: the requested one may not be read yet. */
  private painted(
    { displayed, edits, mask }: Ground,
    places: readonly Cell[],
    how: Paint,
  ): EditLists {
    const cells = places.flatMap((place) => cellsAt(displayed, place));
    const { head } = displayed.figures;
    return paintCells(edits, head, cells, how, mask, this.reach, this.session.stacks);
  }

  /**
   * Handles a click or a pointer on a token: it stands for the cell with the largest weight of its
   * row or column; a token that cannot be masked is locked instead.
   */
  touchToken({ side, index, action }: TokenTouch): void {
    const { store, state, info, displayed, locked } = this.session;
    const axis = info && displayed ? axisOf(side, displayed.figures.head.stack, info) : null;
    if (action === "mask" && index !== null && this.canHide(index)) {
      const others = state.masked.filter((other) => other !== index);
      const isMasked = others.length < state.masked.length;
      store.update({ masked: isMasked ? others : [...others, index] });
    } else if (action === "pick" && index !== null) {
      store.update({ picked: this.pick(side, index, axis) });
    } else {
      const cell = axis && index !== null && displayed ? cellOf(displayed, axis, index) : null;
      if (action === "hover") this.hoverAt({ ...this.next, cell });
      else {
        const again = axis !== null && cell !== null && locked?.[axis] === cell[axis];
        store.update({ locked: again ? null : cell, ...(state.picked && { picked: null }) });
      }
    }
  }

  /**
   * The selected tokens with one more, or one less; if words are shown, all tokens of a word are
   * selected together.
   */
  private pick(side: Side, index: number, axis: keyof Cell | null): Picked | null {
    const { state, displayed, locked } = this.session;
    const groups = displayed && axis && (axis === "query" ? displayed.rows : displayed.columns);
    const word = groups ? groupAt(groups, index) : -1;
    const isSame = (one: number): boolean =>
      one === index || (groups !== null && word >= 0 && groupAt(groups, one) === word);
    const start = axis && locked && !state.picked ? locked[axis] : index;
    const first = isSame(start) ? state.picked : togglePicked(null, side, start);
    const again = first?.side === side ? first.tokens.filter(isSame) : [];
    return (again.length > 0 ? again : [index]).reduce<Picked | null>(
      (before, one) => togglePicked(before, side, one),
      first,
    );
  }

  private canHide(index: number): boolean {
    const { info, computation } = this.session;
    const token = computation.run?.tokens[index];
    return info?.architecture === "encoder" && (token?.role === "mask" || isMaskable(info, token));
  }

  /**
   * Moves the pointer from cell to cell: the texts beside the picture follow at their own pace;
   * other changes must not wait.
   */
  private hoverAt(hover: Hover): void {
    const { cell, head } = this.next;
    this.next = hover;
    if (hover.head === head && hover.cell !== null && cell !== null) this.steady.ask();
    else this.steady.now();
  }

  private cellOfTokens(place: Cell | null): Cell | null {
    const { displayed } = this.session;
    return displayed ? cellAt(displayed, place) : place;
  }
}
