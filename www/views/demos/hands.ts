import { css, html, nothing, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Rotary } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import type { Print, Inks } from "../../draw/theme.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { numbersToggle } from "../../elements/matrix/table.js";
import { tableStyles, baseStyles } from "../../elements/shared/base-styles.js";
import { formatNumber, message } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { ARC, printHands, type Point, type PrintedHand } from "./print-hands.js";

/** Pairs that are shown until the reader asks for all. */
const FEW = 8;
const DEGREES = 180 / Math.PI;
const SIDES = ["query", "key"] as const;
type Side = (typeof SIDES)[number];

/** The pairs of a head's dimensions as clocks: the hands of a query and of a key, where they stand and both moved on. */
@customElement("headscope-turning-hands")
export class HeadscopeTurningHands extends PagePart {
  static override styles = [
    baseStyles,
    tableStyles,
    partStyles,
    css`
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(112px, 1fr));
        gap: 12px 16px;
        margin: 8px 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: grid;
        justify-items: center;
        font-size: 12px;
        font-variant-numeric: tabular-nums;
      }

      li > svg {
        width: 100%;
        max-width: 132px;
      }

      circle.dial {
        fill: none;
        stroke: var(--headscope-line);
        stroke-width: 0.02;
      }

      .hand {
        stroke-width: 0.05;
        stroke-linecap: round;
      }

      .query {
        stroke: var(--headscope-accent);
        fill: var(--headscope-accent);
      }

      .key {
        stroke: var(--headscope-bar);
        fill: var(--headscope-bar);
      }

      .moved {
        fill: none;
      }

      .hand.moved {
        stroke-dasharray: 0.06 0.1;
      }

      .arc {
        fill: none;
        stroke: var(--headscope-muted);
        stroke-width: 0.025;
      }

      .keys {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 20px;
        margin: 4px 0;
        padding: 0;
        list-style: none;
      }

      .keys li {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }

      .keys svg {
        width: 30px;
        height: 10px;
      }

      .foot {
        justify-content: flex-start;
      }

      table {
        margin: 0;
      }

      .more {
        color: var(--headscope-accent);
        text-decoration: underline;
        text-underline-offset: 3px;
      }
    `,
  ];

  @property({ attribute: false }) found: Rotary | null = null;
  /** By how much both were moved on; 0 where there is nothing to see of it. */
  @property({ type: Number }) shift = 0;
  @state() private all = false;
  @state() private tabled = false;

  override render(): TemplateResult | typeof nothing {
    const { found, all } = this;
    if (!found) return nothing;
    const pairs = found.speeds.length;
    const shown = this.shown(found);
    const longest = longestOf(found);
    return html`<ul class="keys">
        ${SIDES.map((side) => html`<li>${keyOf(side, false)}${message(`rotaryLab.hand.${side}`)}</li>`)}
        ${this.shift === 0 ? nothing : html`<li>${keyOf("query", true)}${keyOf("key", true)}${message("rotaryLab.hand.moved")}</li>`}
      </ul>
      <ol>
        ${Array.from({ length: shown }, (_, pair) => this.renderDial(found, pair, longest))}
      </ol>
      ${pairs > FEW ? html`<button class="more" aria-expanded=${all} @click=${() => (this.all = !all)}>${message(all ? "rotaryLab.few" : "rotaryLab.all", { count: formatNumber(all ? FEW : pairs) })}</button>` : nothing}
      <div class="foot">${numbersToggle(this.tabled, () => (this.tabled = !this.tabled))}</div>
      ${this.tabled ? this.renderTable() : nothing}`;
  }

  /** The same numbers as in a file. */
  private renderTable(): TemplateResult | typeof nothing {
    const table = this.table();
    if (!table) return nothing;
    return html`<div class="numbers" tabindex="0" role="region" aria-label=${message("rotaryLab.hands")}>
      <table>
        <thead><tr>${table.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
        <tbody>
          ${table.rows.map(([pair = 0, speed = NaN, ...angles]) => html`<tr><th scope="row">${formatNumber(pair)}</th><td>${formatValue(speed)}</td>${angles.map((angle) => html`<td>${degrees(angle)}°</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
  }

  private shown({ speeds }: Rotary): number {
    return this.all ? speeds.length : Math.min(FEW, speeds.length);
  }

  /** The dials that are shown, for a file; null while there are none. */
  print(inks: Inks): Print | null {
    const { found, shift } = this;
    if (!found) return null;
    const longest = longestOf(found);
    const handsOf = (turned: Rotary["here"], pair: number, moved: boolean): PrintedHand[] =>
      SIDES.map((side) => {
        const { x, y } = handOf(turned[side], pair);
        return { end: { x: x / longest, y: y / longest }, side, moved };
      });
    const dials = Array.from({ length: this.shown(found) }, (_, pair) => {
      const here = handsOf(found.here, pair, false);
      const between = angleBetween({
        query: handOf(found.here.query, pair),
        key: handOf(found.here.key, pair),
      });
      const from = angleOf(handOf(found.here.key, pair)) / DEGREES;
      const words = { pair, speed: formatValue(found.speeds[pair] ?? NaN) };
      return {
        hands: [...(shift === 0 ? [] : handsOf(found.shifted, pair, true)), ...here],
        from,
        to: from + between / DEGREES,
        lines: [message("rotaryLab.pair", words), `∠ ${degrees(between)}°`],
      };
    });
    const key = (
      side: Side,
      moved: boolean,
      words: string,
    ): { hand: PrintedHand; words: string } => ({
      hand: { end: { x: 1, y: 0 }, side, moved },
      words,
    });
    const moved = shift === 0 ? [] : [key("query", true, message("rotaryLab.hand.moved"))];
    return printHands(
      dials,
      [...SIDES.map((side) => key(side, false, message(`rotaryLab.hand.${side}`))), ...moved],
      inks,
      measurer,
    );
  }

  /** A row for each pair that is shown, angles in degrees; null while there is none. */
  table(): { columns: readonly string[]; rows: readonly (readonly number[])[] } | null {
    const { found, shift } = this;
    if (!found) return null;
    const angles = (turned: Rotary["here"], pair: number): number[] =>
      SIDES.map((side) => angleOf(handOf(turned[side], pair)));
    const between = (turned: Rotary["here"], pair: number): number =>
      angleBetween({ query: handOf(turned.query, pair), key: handOf(turned.key, pair) });
    const names = (): string[] => [...SIDES.map((side) => message(`rotaryLab.hand.${side}`)), "∠"];
    const moved = names().map((name) => `${name}, s = ${shift}`);
    return {
      columns: ["i", "θ", ...names(), ...(shift === 0 ? [] : moved)],
      rows: Array.from({ length: this.shown(found) }, (_, pair) => [
        pair,
        found.speeds[pair] ?? NaN,
        ...angles(found.here, pair),
        between(found.here, pair),
        ...(shift === 0 ? [] : [...angles(found.shifted, pair), between(found.shifted, pair)]),
      ]),
    };
  }

  private renderDial(found: Rotary, pair: number, longest: number): TemplateResult {
    const at = (turned: Rotary["here"]): Record<Side, Point> => ({
      query: handOf(turned.query, pair),
      key: handOf(turned.key, pair),
    });
    const [here, moved] = [at(found.here), at(found.shifted)];
    const between = angleBetween(here);
    const speed = found.speeds[pair] ?? NaN;
    const words = {
      pair,
      speed: formatValue(speed),
      between: degrees(between),
      query: degrees(angleOf(here.query)),
      key: degrees(angleOf(here.key)),
    };
    const ghosts =
      this.shift === 0 ? nothing : SIDES.map((side) => hand(moved[side], longest, `${side} moved`));
    return html`<li data-pair=${pair} data-between=${between} data-moved=${angleBetween(moved)}>
      <svg viewBox="-1.1 -1.1 2.2 2.2" role="img" aria-label=${message("rotaryLab.dial", words)}>
        <circle class="dial" r="1" />
        ${ghosts} ${svg`<path class="arc" d=${arcOf(here)} />`} ${SIDES.map((side) => hand(here[side], longest, side))}
      </svg>
      <span aria-hidden="true">${message("rotaryLab.pair", words)}</span>
      <span class="muted" aria-hidden="true">∠ ${words.between}°</span>
    </li>`;
  }
}

/** The numbers of one pair: the first half of a head's dimensions and the second. */
function handOf(vector: readonly number[], pair: number): Point {
  return { x: vector[pair] ?? NaN, y: vector[pair + vector.length / 2] ?? NaN };
}

/** Of the longest hand of all. */
function longestOf(found: Rotary): number {
  return Math.max(
    ...SIDES.flatMap((side) =>
      found.speeds.map((_, pair) => lengthOf(handOf(found.here[side], pair))),
    ),
    Number.MIN_VALUE,
  );
}

function lengthOf({ x, y }: Point): number {
  return Math.hypot(x, y);
}

function angleOf({ x, y }: Point): number {
  return Math.atan2(y, x) * DEGREES;
}

/** From the key to the query, in degrees from −180 to 180. */
function angleBetween({ query, key }: Record<Side, Point>): number {
  return Math.atan2(key.x * query.y - key.y * query.x, key.x * query.x + key.y * query.y) * DEGREES;
}

/** No sign before a zero. */
function degrees(angle: number): string {
  return formatNumber(Math.round(angle * 10) / 10 + 0, 1).replace("-", "−");
}

/** A line with a round end for queries and a square one for keys: hues alone would not do. */
function hand(point: Point, longest: number, kind: string): TemplateResult {
  const [x, y] = [point.x / longest, -point.y / longest];
  const end = kind.startsWith("query")
    ? svg`<circle class=${kind} cx=${x} cy=${y} r="0.06" stroke-width="0.02" />`
    : svg`<rect class=${kind} x=${x - 0.055} y=${y - 0.055} width="0.11" height="0.11" stroke-width="0.02" />`;
  return svg`<line class="hand ${kind}" x2=${x} y2=${y} />${end}`;
}

function arcOf({ query, key }: Record<Side, Point>): string {
  const place = (point: Point): string => {
    const length = lengthOf(point) || 1;
    return `${(ARC * point.x) / length} ${(-ARC * point.y) / length}`;
  };
  return `M${place(key)}A${ARC} ${ARC} 0 0 ${angleBetween({ query, key }) > 0 ? 0 : 1} ${place(query)}`;
}

function keyOf(side: Side, moved: boolean): TemplateResult {
  return html`<svg viewBox="-0.1 -0.25 1.5 0.5" aria-hidden="true">${hand({ x: 1.2, y: 0 }, 1, moved ? `${side} moved` : side)}</svg>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-turning-hands": HeadscopeTurningHands;
  }
}
