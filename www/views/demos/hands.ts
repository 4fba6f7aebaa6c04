import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Rotary } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { labelFont, type Brush, type Inks, type Print } from "../../draw/theme.js";
import { measurer, sizedBrush } from "../../elements/matrix/canvas.js";
import { dataTable } from "../../elements/matrix/table.js";
import { baseStyles, tableStyles } from "../../elements/shared/base-styles.js";
import { FigureElement } from "../../elements/shared/figure.js";
import type { Table } from "../../export/provenance.js";
import { formatNumber, message } from "../../i18n/index.js";

/** Pairs that are shown until the user asks for all. */
const FEW = 8;
const DEGREES = 180 / Math.PI;
const SIDES = ["query", "key"] as const;
type Side = (typeof SIDES)[number];

const RADIUS = 56;
const CELL = { width: 148, line: 18, gap: 20 };
/** Dials in a row of a file. */
const COLUMNS = 4;
const SIZE = 12.5;
const KEY_HEIGHT = 26;
/** The radius of the arc between two hands, as a part of the dial's. */
const ARC = 0.32;

/** A point of the plane, `y` upwards. */
interface Point {
  x: number;
  y: number;
}

/** The hands of one pair of dimensions: where they stand, and where both are moved on to. */
interface Dial {
  pair: number;
  speed: number;
  here: Record<Side, Point>;
  moved: Record<Side, Point>;
}

/** The pairs of a head's dimensions as dials: the hands of a query and of a key, where they stand and both moved on. */
@customElement("headscope-turning-hands")
export class HeadscopeTurningHands extends FigureElement {
  static override styles = [
    baseStyles,
    tableStyles,
    css`
      canvas {
        display: block;
      }

      .foot {
        justify-content: flex-start;
      }

      table {
        margin: 0;
      }
    `,
  ];

  @property({ attribute: false }) found: Rotary | null = null;
  /** By how much both were moved on; 0 hides where they are then. */
  @property({ type: Number }) shift = 0;
  @state() private all = false;
  @query("canvas") private readonly canvas!: HTMLCanvasElement | null;

  private get dials(): Dial[] {
    const { found, all } = this;
    const { speeds = [], here, shifted } = found ?? {};
    const handsOf = (turned: Rotary["here"] | undefined, pair: number): Dial["here"] => ({
      query: handOf(turned?.query ?? [], pair),
      key: handOf(turned?.key ?? [], pair),
    });
    return speeds.slice(0, all ? speeds.length : FEW).map((speed, pair) => ({
      pair,
      speed,
      here: handsOf(here, pair),
      moved: handsOf(shifted, pair),
    }));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { found, all } = this;
    if (!found) return nothing;
    const pairs = found.speeds.length;
    const more = html`<button aria-expanded=${all} @click=${() => (this.all = !all)}>${message(all ? "rotaryLab.few" : "rotaryLab.all", { count: formatNumber(all ? FEW : pairs) })}</button>`;
    return html`<canvas role="img" aria-label=${message("rotaryLab.hands")}></canvas>
      ${this.renderBelow(pairs > FEW ? more : nothing, () => this.renderTable())}`;
  }

  protected override updated(): void {
    const { canvas, size, inks } = this;
    const { width: room, ratio } = size;
    const print = room > 0 && this.laidOut(inks, room);
    if (!canvas || !print) return;
    Object.assign(canvas.style, { width: `${print.width}px`, height: `${print.height}px` });
    const brush = sizedBrush(canvas, print.width, print.height, ratio);
    if (brush) print.paint(brush);
  }

  private renderTable(): TemplateResult | typeof nothing {
    const table = this.table();
    if (!table) return nothing;
    return dataTable({
      caption: message("rotaryLab.hands"),
      columns: table.columns,
      rows: table.rows.map(([pair, speed, ...angles]) => ({
        name: formatNumber(Number(pair)),
        cells: [formatValue(Number(speed)), ...angles.map((angle) => degrees(Number(angle)))],
      })),
    });
  }

  /** A row for each pair that is shown, angles in degrees; null while there is none. */
  table(): Table | null {
    const { found, shift, dials } = this;
    if (!found) return null;
    const angles = (hands: Dial["here"]): number[] => [
      ...SIDES.map((side) => angleOf(hands[side])),
      angleBetween(hands),
    ];
    const names = [...SIDES.map((side) => message(`rotaryLab.hand.${side}`)), "∠"];
    const moved = shift === 0 ? [] : names.map((name) => `${name}, s = ${shift}`);
    return {
      columns: ["i", "θ", ...names, ...moved],
      rows: dials.map((dial) => [
        dial.pair,
        dial.speed,
        ...angles(dial.here),
        ...(shift === 0 ? [] : angles(dial.moved)),
      ]),
    };
  }

  /** The dials for a file; null while there are none. */
  print(inks: Inks): Print | null {
    return this.found && this.laidOut(inks, Infinity);
  }

  /** As many dials in a row as have room, in a file a fixed number, below a legend that wraps. */
  private laidOut(inks: Inks, room: number): Print {
    const { dials, shift } = this;
    const widthOf = measurer(labelFont(inks, "normal", SIZE), SIZE);
    const keys = SIDES.map((side) => ({
      side: side,
      moved: false,
      words: message(`rotaryLab.hand.${side}`),
    }));
    if (shift !== 0)
      keys.push({ side: "query", moved: true, words: message("rotaryLab.hand.moved") });
    const places: Point[] = [];
    const end = { x: 0, y: 0, width: 0 };
    for (const { words } of keys) {
      const width = 36 + widthOf(words) + 24;
      if (end.x > 0 && end.x + width > room) Object.assign(end, { x: 0, y: end.y + KEY_HEIGHT });
      places.push({ x: end.x, y: end.y + KEY_HEIGHT / 2 - 4 });
      end.x += width;
      end.width = Math.max(end.width, end.x);
    }
    const top = end.y + KEY_HEIGHT;
    const most = room === Infinity ? COLUMNS : Math.max(1, Math.floor(room / CELL.width));
    const columns = Math.min(most, dials.length);
    const height = 2 * RADIUS + 2 * CELL.line + CELL.gap;
    const longest = Math.max(
      ...(this.found?.speeds ?? []).flatMap((_, pair) =>
        SIDES.map((side) => lengthOf(handOf(this.found?.here[side] ?? [], pair))),
      ),
      Number.MIN_VALUE,
    );
    const paint = (brush: Brush): void => {
      brush.save();
      brush.direction = "ltr";
      brush.textBaseline = "middle";
      brush.font = labelFont(inks, "normal", SIZE);
      keys.forEach(({ side, moved, words }, at) => {
        const place = places[at] ?? { x: 0, y: 0 };
        paintHand(brush, place, { x: place.x + 24, y: place.y }, side, moved, inks);
        brush.textAlign = "left";
        brush.fillStyle = inks.ink;
        brush.fillText(words, place.x + 36, place.y);
      });
      dials.forEach((dial, at) => {
        const middle = {
          x: (at % columns) * CELL.width + CELL.width / 2,
          y: top + Math.floor(at / columns) * height + RADIUS + 4,
        };
        paintDial(brush, middle, dial, { longest, moved: shift !== 0, inks });
      });
      brush.restore();
    };
    return {
      width: Math.max(columns * CELL.width, end.width),
      height: top + Math.ceil(dials.length / Math.max(1, columns)) * height,
      paint,
    };
  }
}

function paintDial(
  brush: Brush,
  middle: Point,
  { pair, speed, here, moved }: Dial,
  on: { longest: number; moved: boolean; inks: Inks },
): void {
  const { longest, inks } = on;
  const between = angleBetween(here);
  const from = angleOf(here.key) / DEGREES;
  const to = from + between / DEGREES;
  brush.strokeStyle = inks.line;
  brush.lineWidth = 1;
  brush.beginPath();
  brush.arc(middle.x, middle.y, RADIUS, 0, 2 * Math.PI);
  brush.stroke();
  brush.strokeStyle = inks.muted;
  brush.beginPath();
  // A canvas counts angles with the clock.
  brush.arc(middle.x, middle.y, ARC * RADIUS, -from, -to, to > from);
  brush.stroke();
  const paintHands = (hands: Dial["here"], isMoved: boolean): void => {
    for (const side of SIDES) {
      const [x, y] = [hands[side].x / longest, hands[side].y / longest];
      const tip = { x: middle.x + RADIUS * x, y: middle.y - RADIUS * y };
      paintHand(brush, middle, tip, side, isMoved, inks);
    }
  };
  if (on.moved) paintHands(moved, true);
  paintHands(here, false);
  brush.textAlign = "center";
  const lines = [
    message("rotaryLab.pair", { pair, speed: formatValue(speed) }),
    `∠ ${degrees(between)}`,
  ];
  lines.forEach((line, index) => {
    brush.fillStyle = index === 0 ? inks.ink : inks.muted;
    brush.fillText(line, middle.x, middle.y + RADIUS + (index + 0.8) * CELL.line);
  });
}

/** A line with a round end for queries and a square one for keys, as hues alone would not do; dashed and hollow where it is moved on. */
function paintHand(
  brush: Brush,
  middle: Point,
  tip: Point,
  side: Side,
  moved: boolean,
  inks: Inks,
): void {
  const colour = side === "query" ? inks.accent : inks.ink;
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.setLineDash(moved ? [3, 4] : []);
  brush.beginPath();
  brush.moveTo(middle.x, middle.y);
  brush.lineTo(tip.x, tip.y);
  brush.stroke();
  brush.setLineDash([]);
  brush.lineWidth = 1;
  brush.fillStyle = moved ? inks.paper : colour;
  brush.beginPath();
  if (side === "query") brush.arc(tip.x, tip.y, 3.4, 0, 2 * Math.PI);
  else brush.rect(tip.x - 3.1, tip.y - 3.1, 6.2, 6.2);
  brush.fill();
  brush.stroke();
}

/** The numbers of one pair: the first half of a head's dimensions and the second. */
function handOf(vector: readonly number[], pair: number): Point {
  return { x: vector[pair] ?? NaN, y: vector[pair + vector.length / 2] ?? NaN };
}

function lengthOf({ x, y }: Point): number {
  return Math.hypot(x, y);
}

function angleOf({ x, y }: Point): number {
  return Math.atan2(y, x) * DEGREES;
}

/** From the key to the query, in degrees from −180 to 180. */
function angleBetween({ query, key }: Dial["here"]): number {
  return Math.atan2(key.x * query.y - key.y * query.x, key.x * query.x + key.y * query.y) * DEGREES;
}

/** No sign before a zero. */
function degrees(angle: number): string {
  return `${formatNumber(Math.round(angle * 10) / 10 + 0, 1).replace("-", "−")}°`;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-turning-hands": HeadscopeTurningHands;
  }
}
