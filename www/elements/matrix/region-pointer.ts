import type { Cell, Region } from "../../data/index.js";
import { around, moved, regionOf, shownOf, zoomed, type Extent } from "../../draw/region.js";
import { emit } from "../events.js";
import { isShortcut } from "../shared/grid-navigation.js";

/** What the gestures need to know of a matrix figure. */
export interface RegionPad extends EventTarget, Extent {
  /** What is shown; null for all of it. */
  readonly held: Region | null;
  /** Side of a cell in CSS pixels. */
  readonly cellSide: number;
  /** Where the keyboard stands. */
  readonly cursor: Cell;
  /** While set, a press is for a cell. */
  readonly blocking: boolean;
  cellUnder(event: { clientX: number; clientY: number }): Cell | null;
  /** The pointer is no longer at a cell. */
  letGo(): void;
}

interface Point {
  clientX: number;
  clientY: number;
}

/** A press that may become a drag, or two fingers. */
interface Grip {
  region: Region;
  from: Point;
  /** The distance between two fingers, and the cell between them. */
  fingers: { apart: number; at: Cell } | null;
}

/** How much nearer one step goes. */
export const STEP = 0.5;
/** One notch of a wheel, which sends many. */
const WHEEL_STEP = 0.8;
/** A hand is not still: this far, in CSS pixels, a press is a click. */
const SLACK = 4;

/** Turns what a person does to see more or less of a large matrix into `headscope-region-change`. */
export class RegionPointer {
  private readonly points = new Map<number, Point>();
  private grip: Grip | null = null;
  private dragging = false;

  constructor(private readonly pad: RegionPad) {}

  /** The browser's own gesture for it: a wheel with Ctrl, two fingers on a touchpad. */
  readonly wheeled = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(
      event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP,
      this.pad.cellUnder(event) ?? this.pad.cursor,
    );
  };

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.points.set(event.pointerId, event);
    this.dragging = false;
    this.take();
  };

  readonly move = (event: PointerEvent): void => {
    if (!this.points.has(event.pointerId)) return;
    // Let go where nobody heard of it.
    if (event.buttons === 0) {
      this.up(event);
      return;
    }
    this.points.set(event.pointerId, event);
    const { grip } = this;
    if (!grip) return;
    if (!this.dragging && !this.start(event, grip)) return;
    event.stopPropagation();
    this.ask(grip.fingers ? this.pinched(grip, grip.fingers) : this.dragged(event, grip));
  };

  readonly up = (event: PointerEvent): void => {
    this.points.delete(event.pointerId);
    this.take();
  };

  /** The end of a drag is no click. */
  readonly clicked = (event: MouseEvent): void => {
    if (this.dragging) event.stopPropagation();
    this.dragging = false;
  };

  /** Two fingers are for the figure, one is for the page. */
  readonly touched = (event: TouchEvent): void => {
    if (event.touches.length > 1) event.preventDefault();
  };

  readonly pressed = (event: KeyboardEvent): void => {
    if (isShortcut(event)) return;
    if (event.key === "+" || event.key === "=") this.zoom(STEP);
    else if (event.key === "-") this.zoom(1 / STEP);
    else if (event.key === "0") this.ask(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  zoom(factor: number, at: Cell = this.pad.cursor): void {
    const held = shownOf(this.pad.held, this.pad);
    const inside =
      around(held, at) === held
        ? at
        : { query: held.query + (held.rows >> 1), key: held.key + (held.columns >> 1) };
    this.ask(zoomed(this.pad.held, inside, factor, this.pad));
  }

  /** Shows a cell that the keyboard has come to. */
  follow(cell: Cell): void {
    if (this.pad.held) this.ask(around(this.pad.held, cell));
  }

  /** Whole again, or what is asked for. */
  ask(region: Region | null): void {
    const next = regionOf(region, this.pad);
    if (!same(next, this.pad.held)) emit(this.pad, "headscope-region-change", next);
  }

  /** Where fingers are now is where a gesture starts from. */
  private take(): void {
    const [first, second] = this.points.values();
    if (!first || this.pad.blocking) {
      this.grip = null;
      return;
    }
    const middle = second ? between(first, second) : first;
    const at = this.pad.cellUnder(middle);
    const fingers = second && at ? { apart: Math.max(1, apart(first, second)), at } : null;
    this.grip = { region: shownOf(this.pad.held, this.pad), from: middle, fingers };
  }

  /** A drag of the whole matrix would lead nowhere; two fingers always mean something. */
  private start(event: PointerEvent, { from, fingers }: Grip): boolean {
    if (!fingers && (!this.pad.held || apart(from, event) < SLACK)) return false;
    this.dragging = true;
    this.pad.letGo();
    if (event.currentTarget instanceof Element)
      event.currentTarget.setPointerCapture(event.pointerId);
    return true;
  }

  private dragged(to: Point, { region, from }: Grip): Region {
    const cells = (pixels: number): number => Math.round(pixels / this.pad.cellSide);
    return moved(
      region,
      cells(from.clientY - to.clientY),
      cells(from.clientX - to.clientX),
      this.pad,
    );
  }

  private pinched({ region }: Grip, fingers: { apart: number; at: Cell }): Region | null {
    const [first, second] = this.points.values();
    return first && second
      ? zoomed(region, fingers.at, fingers.apart / Math.max(1, apart(first, second)), this.pad)
      : region;
  }
}

function apart(one: Point, other: Point): number {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

function between(one: Point, other: Point): Point {
  return { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
}

function same(one: Region | null, other: Region | null): boolean {
  if (!one || !other) return one === other;
  return (
    one.query === other.query &&
    one.key === other.key &&
    one.rows === other.rows &&
    one.columns === other.columns
  );
}
