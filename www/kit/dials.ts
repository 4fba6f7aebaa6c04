import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Rotary } from "../data/index.js";
import { formatValue, measurer } from "../draw/text.js";
import { labelFont, Pen, type Inks, type Print } from "../draw/theme.js";
import { dataTable } from "../elements/matrix/table.js";
import { FigureElement, type Point } from "../elements/shared/figure.js";
import type { Table } from "../export/provenance.js";
import { formatNumber, message } from "../i18n/index.js";

const FEW = 8;
const DEGREES = 180 / Math.PI;
const SIDES = ["query", "key"] as const;
type Side = (typeof SIDES)[number];

const RADIUS = 56;
const CELL = { width: 148, height: 2 * RADIUS + 2 * 18 + 20, line: 18 };
const COLUMNS = 4;
const FONT_SIZE = 12.5;
const LEGEND_HEIGHT = 26;
/** The radius of the arc between two hands, as a share of the dial's radius. */
const ARC = 0.32;

/** The vectors of query and key in one pair of dimensions, `y` upwards. */
type Hands = Record<Side, Point>;

/**
 * A dial for each pair of a head's dimensions: the hands of a query and of a key, at their
 * positions and both shifted.
 */
@customElement("headscope-rotary-dials")
export class HeadscopeRotaryDials extends FigureElement {
  static override styles = css`
    canvas {
      position: static;
    }
    .foot {
      justify-content: flex-start;
    }
  `;

  @property({ attribute: false }) found: Rotary | null = null;
  /** The number of positions by which both are shifted; at 0 the shifted hands are not shown. */
  @property({ type: Number }) shift = 0;
  @state() private all = false;
  @query("canvas") private readonly canvas!: HTMLCanvasElement | null;

  private get pairs() {
    const { speeds = [], here, shifted } = this.found ?? {};
    return speeds.map((speed, pair) => {
      return { pair, speed, here: handsOf(here, pair), shifted: handsOf(shifted, pair) };
    });
  }

  private get dials() {
    return this.all ? this.pairs : this.pairs.slice(0, FEW);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { found, all } = this;
    if (!found) return nothing;
    const pairs = found.speeds.length;
    const count = formatNumber(all ? FEW : pairs);
    const more = html`<button aria-expanded=${all} @click=${() => (this.all = !all)}>
      ${message(all ? "rotaryDemo.few" : "rotaryDemo.all", { count })}
    </button>`;
    const tabled = (): TemplateResult => {
      const { columns, rows } = this.table() ?? { columns: [], rows: [] };
      const written = rows.map(([pair, speed, ...angles]) => [
        formatNumber(Number(pair)),
        formatValue(Number(speed)),
        ...angles.map((angle) => degrees(Number(angle))),
      ]);
      return dataTable(message("rotaryDemo.hands"), columns, written);
    };
    return html`<canvas role="img" aria-label=${message("rotaryDemo.hands")}></canvas>
      ${this.renderBelow(pairs > FEW ? more : nothing, tabled)}`;
  }

  protected override updated(): void {
    const { canvas, size } = this;
    const print = size.width > 0 && this.laidOut(this.inks, size.width);
    if (!canvas || !print) return;
    Object.assign(canvas.style, { width: `${print.width}px`, height: `${print.height}px` });
    this.paintOn(canvas, print.width, print.height, ({ brush }) => print.paint(brush));
  }

  /** A row for each shown pair, angles in degrees; null without an answer. */
  table(): Table | null {
    const { found, shift, dials } = this;
    if (!found) return null;
    const names = [...SIDES.map((side) => message(`rotaryDemo.hand.${side}`)), "∠"];
    const moved = shift === 0 ? [] : names.map((name) => `${name}, s = ${shift}`);
    const rows = dials.map(({ pair, speed, here, shifted }) => {
      const angles = (shift === 0 ? [here] : [here, shifted]).flatMap((hands) => [
        ...SIDES.map((side) => angleOf(hands[side])),
        angleBetween(hands),
      ]);
      return [pair, speed, ...angles];
    });
    return { columns: ["i", "θ", ...names, ...moved], rows };
  }

  /** The dials for a file; null without an answer. */
  print(inks: Inks): Print | null {
    return this.found && this.laidOut(inks, Infinity);
  }

  /** Dials in a grid as wide as the room, in a file of fixed width, below a legend that wraps. */
  private laidOut(inks: Inks, room: number): Print {
    const { dials, pairs, shift } = this;
    const widthOf = measurer(labelFont(inks, "normal", FONT_SIZE));
    const keys = (["query", "key", "moved"] as const).slice(0, shift === 0 ? 2 : 3);
    const end = { x: 0, y: 0, width: 0 };
    const legend = keys.map((key) => {
      const words = message(`rotaryDemo.hand.${key}`);
      const width = 36 + widthOf(words) + 24;
      if (end.x > 0 && end.x + width > room) Object.assign(end, { x: 0, y: end.y + LEGEND_HEIGHT });
      const place = { x: end.x, y: end.y + LEGEND_HEIGHT / 2 - 4 };
      end.x += width;
      end.width = Math.max(end.width, end.x);
      return { key, words, place };
    });
    const top = end.y + LEGEND_HEIGHT;
    const most = room === Infinity ? COLUMNS : Math.max(1, Math.floor(room / CELL.width));
    const columns = Math.min(most, dials.length);
    const lengths = pairs.flatMap(({ here }) =>
      SIDES.map((side) => Math.hypot(here[side].x, here[side].y)),
    );
    const longest = Math.max(...lengths, Number.MIN_VALUE);
    return {
      width: Math.max(columns * CELL.width, end.width),
      height: top + Math.ceil(dials.length / Math.max(1, columns)) * CELL.height,
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        brush.save();
        for (const { key, words, place } of legend) {
          const isMoved = key === "moved";
          paintHand(pen, isMoved ? "query" : key, isMoved, place, { ...place, x: place.x + 24 });
          pen.words(FONT_SIZE, inks.ink);
          brush.fillText(words, place.x + 36, place.y);
        }
        for (const [at, { pair, speed, here, shifted }] of dials.entries()) {
          const x = (at % columns) * CELL.width + CELL.width / 2;
          const y = top + Math.floor(at / columns) * CELL.height + RADIUS + 4;
          paintDial(pen, { x, y }, here);
          for (const hollow of shift === 0 ? [false] : [true, false])
            for (const side of SIDES) {
              const hand = (hollow ? shifted : here)[side];
              const right = RADIUS * (hand.x / longest);
              const up = RADIUS * (hand.y / longest);
              paintHand(pen, side, hollow, { x, y }, { x: x + right, y: y - up });
            }
          const name = message("rotaryDemo.pair", { pair, speed: formatValue(speed) });
          [name, `∠ ${degrees(angleBetween(here))}`].forEach((line, index) => {
            pen.words(FONT_SIZE, index === 0 ? inks.ink : inks.muted, "center");
            brush.fillText(line, x, y + RADIUS + (index + 0.8) * CELL.line);
          });
        }
        brush.restore();
      },
    };
  }
}

/** The circle, and the arc from the key's hand to the query's. */
function paintDial(pen: Pen, { x, y }: Point, hands: Hands): void {
  const from = angleOf(hands.key) / DEGREES;
  const to = from + angleBetween(hands) / DEGREES;
  const arc = (colour: string, ...arc: [number, number, number, boolean?]): void => {
    pen.line(colour, 1);
    pen.brush.beginPath();
    pen.brush.arc(x, y, ...arc);
    pen.brush.stroke();
  };
  arc(pen.inks.line, RADIUS, 0, 2 * Math.PI);
  // A canvas counts angles clockwise.
  arc(pen.inks.muted, ARC * RADIUS, -from, -to, to > from);
}

/**
 * Paints a line with a round end for queries and a square one for keys, since hue alone is not
 * enough; dashed and hollow if shifted.
 */
function paintHand(pen: Pen, side: Side, hollow: boolean, middle: Point, tip: Point): void {
  const { brush, inks } = pen;
  const colour = side === "query" ? inks.accent : inks.ink;
  pen.line(colour, 2);
  brush.setLineDash(hollow ? [3, 4] : []);
  pen.segments([middle.x, middle.y, tip.x, tip.y]);
  brush.setLineDash([]);
  pen.line(colour, 1);
  brush.fillStyle = hollow ? inks.paper : colour;
  brush.beginPath();
  if (side === "query") brush.arc(tip.x, tip.y, 3.4, 0, 2 * Math.PI);
  else brush.rect(tip.x - 3.1, tip.y - 3.1, 6.2, 6.2);
  brush.fill();
  brush.stroke();
}

/** The two numbers of one pair, which are half a head apart in the vector. */
function handsOf(rotated: Rotary["here"] | undefined, pair: number): Hands {
  const handOf = (vector: readonly number[] = []): Point => ({
    x: vector[pair] ?? NaN,
    y: vector[pair + vector.length / 2] ?? NaN,
  });
  return { query: handOf(rotated?.query), key: handOf(rotated?.key) };
}

function angleOf({ x, y }: Point): number {
  return Math.atan2(y, x) * DEGREES;
}

/** The angle from the key to the query, in degrees from −180 to 180. */
function angleBetween({ query, key }: Hands): number {
  return Math.atan2(key.x * query.y - key.y * query.x, key.x * query.x + key.y * query.y) * DEGREES;
}

/** An angle as text, without a sign before zero. */
function degrees(angle: number): string {
  return `${formatNumber(Math.round(angle * 10) / 10 + 0, 1)}°`;
}
