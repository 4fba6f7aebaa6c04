import { html, nothing, svg, type TemplateResult, css } from "lit";
import { property, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { curvesFont, lineLook, paintCurves, paintPlace } from "../draw/curves-paint.js";
import {
  layoutCurves,
  nearestPlace,
  numberAt,
  placesOf,
  type CurveLine,
  type CurvesLayout,
  type CurvesScene,
  heightFor,
} from "../draw/curves.js";
import { placeWords, readingWords, beginWords } from "../draw/text.js";
import type { Print, Inks } from "../draw/theme.js";
import { LanguageController, language, message } from "../i18n/index.js";
import { measurer, sizedBrush } from "./matrix/canvas.js";
import { MOST_CELLS, numbersToggle } from "./matrix/table.js";
import { CheckedElement, NUMBER, TEXT, given, listOf, orNull, record } from "./shared/checked.js";
import { InkController, Memo, SizeController, define } from "./shared/controllers.js";
import { tableStyles, baseStyles, stageStyles } from "./shared/base-styles.js";
import { isShortcut, moveInGrid } from "./shared/grid-navigation.js";
import { styled } from "./shared/templates.js";

const curvesStyles = css`
  figure {
    margin: 0;
  }

  /* Along the line a finger reads; up and down it scrolls the page. */
  .stage {
    touch-action: pan-y;
  }

  figcaption {
    margin-bottom: 4px;
    font-size: 12px;
    color: var(--_muted);
  }

  .keys {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 20px;
    min-height: 18px;
    margin: 4px 0;
    padding: 0;
    list-style: none;
    font-size: 12px;
  }

  /* Names at the lines themselves say it; it keeps its room, so that nothing moves under the pointer. */
  .keys.resting {
    visibility: hidden;
  }

  .keys svg {
    display: inline-block;
    margin-right: 6px;
    vertical-align: middle;
  }

  .keys b {
    font-weight: 600;
  }

  .place {
    color: var(--_muted);
  }

  /* Below its lines the table stands where they begin. */
  .foot {
    justify-content: flex-start;
    margin-top: 4px;
  }

  .numbers {
    max-height: 240px;
  }

  table {
    margin: 0;
  }

  @media (pointer: coarse) {
    .foot button {
      min-height: 40px;
    }
  }
`;

const HEIGHT = 240;
const UP_AND_DOWN: readonly string[] = ["ArrowUp", "ArrowDown", "PageUp", "PageDown"];

/** Lines over one quantity: named, with axes, places marked, each number under the pointer or the keyboard, and all of them in a table on request. */
export class HeadscopeCurves extends CheckedElement {
  static override styles = [baseStyles, stageStyles, tableStyles, curvesStyles];

  @given(listOf(record({ name: TEXT, points: listOf(record({ x: NUMBER, y: NUMBER })) })))
  lines: readonly CurveLine[] = [];
  /** What the lines lead over, and what their numbers are. */
  @given(record({ x: TEXT, y: TEXT })) titles: CurvesScene["titles"] = { x: "", y: "" };
  /** A place that a line stands at. */
  @given(orNull(NUMBER)) marked: number | null = null;
  /** What is said of it. */
  @given(TEXT) markedAs = "";
  /** Further places, quieter. */
  @given(listOf(record({ x: NUMBER, words: TEXT }))) marks: CurvesScene["marks"] = [];
  /** Linear without a word. */
  @given(record({})) scales: CurvesScene["scales"] = {};
  /** Where an axis begins and ends; without a word that follows from the numbers. */
  @given(record({})) range: CurvesScene["range"] = {};
  /** How numbers read. */
  @given(record({})) words: CurvesScene["words"] = {};
  /** Whether a number holds until the next one. */
  @property({ type: Boolean }) stepped = false;

  @state() private tabled = false;
  /** The place that is looked at. */
  @state() private place: number | null = null;
  /** Whether a key led there: what a pointer passes over is not read out. */
  @state() private walked = false;
  @query(".curves") private canvas!: HTMLCanvasElement | null;
  @query(".marks") private overlay!: HTMLCanvasElement | null;

  private readonly look = new InkController(this);
  private readonly size = new SizeController(this);
  private readonly scene = new Memo<CurvesScene>();
  private readonly placed = new Memo<CurvesLayout>();
  private readonly painted = new Memo<void>();
  private readonly places = new Memo<number[]>();
  private layout: CurvesLayout | null = null;
  /** The place that was looked at last: the pointer leaves the lines to read the table. */
  private seen: number | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  /** The inks that it is painted with on the page. */
  get inks(): Inks {
    return this.look.inks;
  }

  /** The picture apart from the page, in its own size. Null when there is none. */
  print(inks: Inks): Print | null {
    return this.isEmpty ? null : printCurves(this.drawn, inks);
  }

  private get isEmpty(): boolean {
    return this.lines.every(({ points }) => points.length === 0);
  }

  private get drawn(): CurvesScene {
    const { lines, titles, marked, markedAs, marks, scales, range, words, stepped } = this;
    return this.scene.get(
      [
        lines,
        titles.x,
        titles.y,
        marked,
        markedAs,
        marks,
        scales.x,
        scales.y,
        range.x,
        range.y,
        words.x,
        words.y,
        stepped,
      ],
      () => ({
        lines,
        titles,
        marked: marked === null ? null : { x: marked, words: markedAs },
        marks,
        scales,
        range,
        words,
        stepped,
      }),
    );
  }

  private get along(): number[] {
    return this.places.get([this.lines], () => placesOf(this.lines));
  }

  protected override willUpdate(): void {
    const { width } = this.size;
    if (this.place !== null && !this.along.includes(this.place)) this.place = null;
    if (this.place !== null) this.seen = this.place;
    // Colours can be read only once there is something to read them from.
    this.layout = width > 0 && this.hasUpdated && !this.isEmpty ? this.laidOut(width) : null;
  }

  private laidOut(width: number): CurvesLayout {
    const { font, size } = curvesFont(this.look.inks);
    return this.placed.get([this.drawn, width, font, language()], () =>
      layoutCurves(this.drawn, width, HEIGHT, measurer(font, size)),
    );
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.isEmpty) return nothing;
    return html`<figure>
        <figcaption part="caption">${this.titles.y}</figcaption>
        <div
          class="stage"
          part="picture"
          style=${styled({ height: `${HEIGHT}px` })}
          role="application"
          tabindex="0"
          aria-label=${this.name}
          aria-describedby="help"
          @pointermove=${this.moved}
          @pointerdown=${this.moved}
          @pointerleave=${this.left}
          @blur=${this.forget}
          @keydown=${this.pressed}
        >
          <canvas class="curves" part="canvas" aria-hidden="true"></canvas>
          <canvas class="marks" part="canvas" aria-hidden="true"></canvas>
        </div>
      </figure>
      <p id="help" class="heard">${message("curves.help")}</p>
      <p class="heard" aria-live="polite">${this.spoken}</p>
      ${this.renderKeys()}
      <div class="foot" part="foot">${numbersToggle(this.tabled, () => (this.tabled = !this.tabled))}</div>
      ${this.tabled ? this.renderTable() : nothing}`;
  }

  /** The lines' names, and their numbers at the place that is looked at. */
  private renderKeys(): TemplateResult {
    const { lines, place, layout } = this;
    return html`<ul part="legend" class=${classMap({ keys: true, resting: place === null && layout !== null && (layout.names !== null || lines.length === 1) })}>
      ${place === null ? nothing : html`<li class="place">${this.titles.x} ${this.said("x", place)}</li>`}
      ${lines.map((line, index) => html`<li>${this.renderSwatch(index)}${line.name}${place === null ? nothing : html` <b>${this.said("y", numberAt(line, place, this.stepped))}</b>`}</li>`)}
    </ul>`;
  }

  private renderSwatch(index: number): TemplateResult | typeof nothing {
    if (!this.hasUpdated) return nothing;
    const { colour, width, dash } = lineLook(this.lines, index, this.look.inks);
    return html`<svg width="22" height="6" aria-hidden="true">${svg`<line x1="0" x2="22" y1="3" y2="3" stroke=${colour} stroke-width=${width} stroke-dasharray=${dash.join(" ") || "none"} />`}</svg>`;
  }

  /** The numbers at every place, or at one where there are very many. */
  private renderTable(): TemplateResult {
    const { along, lines } = this;
    const whole = along.length * lines.length <= MOST_CELLS;
    const one = this.seen !== null && along.includes(this.seen) ? this.seen : (along[0] ?? NaN);
    return html`<div class="numbers" part="table" tabindex="0" role="region" aria-label=${this.name}>
      ${whole ? nothing : html`<p>${message("figure.oneRow", { query: `${this.titles.x} ${this.said("x", one)}` })}</p>`}
      <table>
        <thead>
          <tr><th scope="col">${this.titles.x}</th>${this.lines.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${(whole ? along : [one]).map((place) => html`<tr><th scope="row">${this.said("x", place)}</th>${this.lines.map((line) => html`<td>${this.said("y", numberAt(line, place, this.stepped))}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
  }

  protected override updated(): void {
    const { layout, canvas, overlay, place } = this;
    if (!layout || !canvas || !overlay) {
      // The first rendering had no colours to paint with.
      if (!layout && this.size.width > 0 && !this.isEmpty) this.requestUpdate();
      return;
    }
    const { inks } = this.look;
    const { ratio } = this.size;
    this.painted.get([canvas, layout, inks, ratio], () => {
      const brush = sizedBrush(canvas, layout.width, layout.height, ratio);
      if (brush) paintCurves(brush, layout, this.drawn, inks);
    });
    const brush = sizedBrush(overlay, layout.width, layout.height, ratio);
    if (brush && place !== null) paintPlace(brush, layout, this.drawn, place, inks);
  }

  private get name(): string {
    return message("curves.name", {
      y: this.titles.y,
      x: this.titles.x,
      lines: this.lines.map(({ name }) => name).join(", "),
    });
  }

  private get spoken(): string {
    const { place, lines, walked } = this;
    if (place === null || !walked) return "";
    const numbers = lines
      .map((line) => `${line.name} ${this.said("y", numberAt(line, place, this.stepped))}`)
      .join(", ");
    return `${this.titles.x} ${this.said("x", place)}: ${numbers}`;
  }

  private said(side: "x" | "y", value: number): string {
    if (!Number.isFinite(value)) return readingWords(value);
    return (this.words[side] ?? (side === "x" ? placeWords : readingWords))(value);
  }

  private readonly moved = ({ clientX }: PointerEvent): void => {
    const box = this.overlay?.getBoundingClientRect();
    if (!this.layout || !box) return;
    this.walked = false;
    this.place = nearestPlace(this.layout, this.along, clientX - box.x);
  };

  /** A finger that is lifted leaves too: what it pointed at stays to be read. */
  private readonly left = ({ pointerType }: PointerEvent): void => {
    if (pointerType !== "touch") this.forget();
  };

  private readonly forget = (): void => {
    this.place = null;
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    // Places lie side by side: keys that lead up and down scroll the page.
    if (isShortcut(event) || UP_AND_DOWN.includes(event.key)) return;
    const { along, place } = this;
    const from = place === null ? -1 : along.indexOf(place);
    const to = moveInGrid(event.key, { row: 0, column: from }, 1, along.length);
    if (to) {
      this.walked = true;
      this.place = along[to.column] ?? null;
    } else if (event.key === "Escape" && place !== null) this.place = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

// Curves apart from the page: the painters of the screen, at a size of their own.

const WIDTH = 640;
const WORDS_LINE = 360;
const TITLE_HEIGHT = 22;

export function printCurves(scene: CurvesScene, inks: Inks): Print {
  const { font, size } = curvesFont(inks);
  const height = Math.max(WORDS_LINE, heightFor(scene));
  const layout = layoutCurves(scene, WIDTH, height, measurer(font, size));
  return {
    width: WIDTH,
    height: height + TITLE_HEIGHT,
    paint: (brush) => {
      brush.save();
      beginWords(brush, font, inks.muted);
      brush.fillText(scene.titles.y, 0, TITLE_HEIGHT / 2);
      brush.translate(0, TITLE_HEIGHT);
      paintCurves(brush, layout, scene, inks);
      brush.restore();
    },
  };
}

define("headscope-curves", HeadscopeCurves);
