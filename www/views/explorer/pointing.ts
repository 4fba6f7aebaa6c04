import type { Cell, HeadRef, Stack, Tensor } from "../../data/index.js";
import type { CellsPaintDetail, HeadDetail } from "../../elements/events.js";
import type { Run } from "../../headscope.js";
import { paintFor, type Reach, type Store, toggleCells, toggleHead } from "../../state/index.js";
import type { SideTokenDetail } from "../parts/sentence-bar.js";
import type { Computation } from "../run/computation.js";
import { cellAt, cellsAt } from "../run/looked-cells.js";
import { type Neighbour, neighbourOf } from "../run/selection.js";
import { type Hover, NO_HOVER, type Scene } from "./scene.js";
import { Steady } from "./scheduling.js";
import { touchOf } from "./token-touch.js";

/** The page that is pointed at. */
interface Ground {
  /** What it shows now. */
  scene: () => Scene | undefined;
  /** Whether its pictures speak of cells of tokens, as two side by side do, instead of their own rows and columns. */
  ofTokens: () => boolean;
  changed: () => void;
}

/** What a person points at, holds and blocks: cells of pictures, heads and tokens. What is held and blocked goes into the State. */
export class Pointing {
  hover: Hover = NO_HOVER;
  /** Whether clicks on cells block them and strokes paint them. */
  blocking = false;
  /** Whose cells they are, seen from the head that is drawn. */
  reach: Reach = "head";

  private readonly steady = new Steady(() => this.ground.changed());

  constructor(
    private readonly store: Store,
    private readonly computation: Computation,
    private readonly ground: Ground,
  ) {}

  /** Points at nothing any more. */
  clear(): void {
    this.hoverAt(NO_HOVER);
  }

  /** Lets go of all that is held. */
  release(): void {
    this.clear();
    this.blocking = false;
    this.store.update({ locked: null, picked: null });
  }

  /** Silences or wakes the head that is shown, or goes on from the chosen one to another. */
  follow(shortcut: HeadShortcut): void {
    const { chosen, shown } = this.ground.scene() ?? {};
    const info = this.computation.model?.info;
    if (shortcut === "silence") {
      if (shown && info)
        this.store.update({ edits: toggleHead(this.store.state.edits, shown, info.stacks) });
    } else if (info && chosen) {
      // The head under a resting pointer or focus would hide the one that was asked for.
      this.clear();
      this.store.update(neighbourOf(chosen, shortcut, info));
    }
  }

  readonly block = ({ detail: blocking }: CustomEvent<boolean>): void => {
    this.blocking = blocking;
    this.ground.changed();
  };

  readonly reachFor = ({ detail: reach }: CustomEvent<Reach>): void => {
    this.reach = reach;
    this.ground.changed();
  };

  readonly hoverHead = ({ detail }: CustomEvent<HeadDetail | null>): void => {
    const stack = this.ground.scene()?.chosen?.stack;
    this.hoverAt({ ...this.hover, head: detail && stack ? { stack, ...detail } : null });
  };

  readonly hoverCell = ({ detail }: CustomEvent<Cell | null>): void => {
    this.hoverAt({ ...this.hover, cell: this.cellOfTokens(detail) });
  };

  readonly lockCell = ({ detail }: CustomEvent<Cell | null>): void => {
    this.store.update({ locked: this.cellOfTokens(detail) });
  };

  readonly toggleCell = ({ detail }: CustomEvent<Cell>): void => {
    const to = this.canvas([detail]);
    if (to)
      this.store.update({
        edits: toggleCells(
          this.store.state.edits,
          to.head,
          to.cells,
          to.mask,
          this.reach,
          to.stacks,
        ),
      });
  };

  readonly paintCells = ({ detail: { cells, open } }: CustomEvent<CellsPaintDetail>): void => {
    const to = this.canvas(cells);
    if (to)
      this.store.update({
        edits: paintFor(
          this.store.state.edits,
          to.head,
          to.cells,
          open ? "open" : "block",
          to.mask,
          this.reach,
          to.stacks,
        ),
      });
  };

  /** Where cells of the picture are painted: in the head that is drawn, for the one that was asked for may still be on its way. */
  private canvas(
    places: readonly Cell[],
  ): { head: HeadRef; cells: Cell[]; mask: Tensor | null; stacks: readonly Stack[] } | null {
    const { looked, stacks = [] } = this.ground.scene() ?? {};
    if (!looked) return null;
    const { head, mask, run } = looked.figures;
    const cells = this.ground.ofTokens()
      ? [...places]
      : places.flatMap((place) => cellsAt(looked, place));
    return { head, cells, mask: this.isOfTheseEdits(run) ? mask : null, stacks };
  }

  /** Whether a run was computed under the edits of the State. What else is still read of it, or fetched, is no matter. */
  private isOfTheseEdits(run: Run): boolean {
    const { busy, stopped, stale } = this.computation;
    return run === this.computation.run && !busy && !stopped && !stale;
  }

  readonly touchToken = (detail: SideTokenDetail): void => {
    const scene = this.ground.scene();
    if (!scene) return;
    const touch = touchOf(detail, this.store.state, scene, this.computation);
    if ("hover" in touch) this.hoverAt({ ...this.hover, cell: touch.hover });
    else this.store.update(touch.patch);
  };

  /** From one cell to the next what is beside the picture follows at its own pace; all else must not wait. */
  private hoverAt(hover: Hover): void {
    const { cell, head } = this.hover;
    this.hover = hover;
    if (hover.head === head && hover.cell !== null && cell !== null) this.steady.ask();
    else this.steady.now();
  }

  private cellOfTokens(place: Cell | null): Cell | null {
    const looked = this.ground.scene()?.looked;
    return looked && !this.ground.ofTokens() ? cellAt(looked, place) : place;
  }
}

/** What a key asks for, wherever the focus is, as long as nobody is typing or reading the list of keys. */
export type Shortcut = HeadShortcut | "release" | "undo" | "redo" | "show-keys";

/** Those that are about heads. */
export type HeadShortcut = Neighbour | "silence";

const PLAIN: Readonly<Record<string, Shortcut>> = {
  "[": "layer-before",
  "]": "layer-after",
  ",": "head-before",
  ".": "head-after",
  Escape: "release",
  s: "silence",
  "?": "show-keys",
};

/** Kinds of inputs into which nothing is written. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  "button",
  "checkbox",
  "color",
  "file",
  "radio",
  "range",
  "reset",
  "submit",
]);

/** The shortcut of a key press; undefined when it is none, or is meant for something else. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  if (event.defaultPrevented || isTaken(event)) return undefined;
  if (event.altKey) return undefined;
  if (!event.ctrlKey && !event.metaKey) return PLAIN[event.key];
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : undefined;
}

/** Whether the keys belong to a text field, a list or a dialog, also inside shadow roots. */
function isTaken(event: KeyboardEvent): boolean {
  const [target, ...around] = event.composedPath();
  return (
    isTextField(target) ||
    target instanceof HTMLSelectElement ||
    around.some((place) => place instanceof HTMLDialogElement)
  );
}

/** Where the browser has an undo of its own, and letters are letters. */
function isTextField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
