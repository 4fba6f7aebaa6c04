import { css, html, nothing, svg, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import {
  curvesFont,
  heightFor,
  layoutCurves,
  lineLook,
  nearestPlace,
  numberAt,
  paintCurves,
  paintPlace,
  placesOf,
  type CurveLine,
  type CurvesLayout,
  type CurvesScene,
} from "../draw/curves.js";
import { beginWords, placeWords, readingWords } from "../draw/text.js";
import { Pen, type Inks, type Print } from "../draw/theme.js";
import { language, message } from "../i18n/index.js";
import { measurer } from "./matrix/canvas.js";
import { dataTable, MOST_CELLS } from "./matrix/table.js";
import { baseStyles, stageStyles, tableStyles } from "./shared/base-styles.js";
import { CheckedElement, given, listOf, NUMBER, orNull, record, TEXT } from "./shared/checked.js";
import { define, Memo } from "./shared/controllers.js";
import { canvases, FigureParts } from "./shared/figure-parts.js";
import { isShortcut, moveInGrid } from "./shared/grid-navigation.js";

const curvesStyles = css`
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
    gap: 4px 20px;
    min-height: 18px;
    margin: 4px 0;
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

  /** The place that is looked at. */
  @state() private place: number | null = null;
  /** Whether a key led there: what a pointer passes over is not read out. */
  @state() private walked = false;
  @query(".curves") private canvas!: HTMLCanvasElement | null;
  @query(".marks") private overlay!: HTMLCanvasElement | null;

  private readonly parts = new FigureParts(this);
  private readonly scene = new Memo<CurvesScene>();
  private readonly placed = new Memo<CurvesLayout>();
  private readonly painted = new Memo<void>();
  private readonly places = new Memo<number[]>();
  private layout: CurvesLayout | null = null;
  /** The place that was looked at last: the pointer leaves the lines to read the table. */
  private seen: number | null = null;

  /** The inks that it is painted with on the page. */
  get inks(): Inks {
    return this.parts.inks;
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
    const axes = [titles, scales, range, words].flatMap(({ x, y }) => [x, y]);
    return this.scene.get([lines, marked, markedAs, marks, stepped, ...axes], () => ({
      lines,
      titles,
      marked: marked === null ? null : { x: marked, words: markedAs },
      marks,
      scales,
      range,
      words,
      stepped,
    }));
  }

  private get along(): number[] {
    return this.places.get([this.lines], () => placesOf(this.lines));
  }

  protected override willUpdate(): void {
    const { width } = this.parts.size;
    if (this.place !== null && !this.along.includes(this.place)) this.place = null;
    if (this.place !== null) this.seen = this.place;
    // Colours can be read only once there is something to read them from.
    this.layout = width > 0 && this.hasUpdated && !this.isEmpty ? this.laidOut(width) : null;
  }

  private laidOut(width: number): CurvesLayout {
    const { font, size } = curvesFont(this.inks);
    return this.placed.get([this.drawn, width, font, language()], () =>
      layoutCurves(this.drawn, width, HEIGHT, measurer(font, size)),
    );
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.isEmpty) return nothing;
    const { parts, titles, moved, left, forget: blurred, pressed } = this;
    const size = { height: `${HEIGHT}px` };
    const content = canvases("curves", "marks");
    return html`<figure>
        <figcaption part="caption">${titles.y}</figcaption>
        ${parts.stage(this.name, { moved, left, blurred, pressed }, size, content)}
      </figure>
      ${parts.heard(message("curves.help"), this.spoken)} ${this.renderKeys()}
      ${parts.foot(nothing, () => this.renderTable())}`;
  }

  /** The lines' names, and their numbers at the place that is looked at. */
  private renderKeys(): TemplateResult {
    const { lines, place, layout } = this;
    const named = layout !== null && (layout.names !== null || lines.length === 1);
    return html`<ul part="legend" class=${classMap({ keys: true, wrap: true, resting: place === null && named })}>
      ${place === null ? nothing : html`<li class="place">${this.placeName(place)}</li>`}
      ${lines.map((line, index) => html`<li>${this.renderSwatch(index)}${line.name}${place === null ? nothing : html` <b>${this.numberOf(line, place)}</b>`}</li>`)}
    </ul>`;
  }

  private renderSwatch(index: number): TemplateResult | typeof nothing {
    if (!this.hasUpdated) return nothing;
    const { colour, width, dash } = lineLook(this.lines, index, this.inks);
    return html`<svg width="22" height="6" aria-hidden="true">${svg`<line x1="0" x2="22" y1="3" y2="3" stroke=${colour} stroke-width=${width} stroke-dasharray=${dash.join(" ") || "none"} />`}</svg>`;
  }

  /** The numbers at every place, or at one where there are very many. */
  private renderTable(): TemplateResult {
    const { along, lines, seen } = this;
    const whole = along.length * lines.length <= MOST_CELLS;
    const one = seen !== null && along.includes(seen) ? seen : (along[0] ?? NaN);
    return dataTable({
      caption: this.name,
      only: whole ? null : this.placeName(one),
      columns: [this.titles.x, ...lines.map(({ name }) => name)],
      rows: (whole ? along : [one]).map((place) => ({
        name: this.said("x", place),
        cells: lines.map((line) => this.numberOf(line, place)),
      })),
    });
  }

  protected override updated(): void {
    const { layout, canvas, overlay, place, inks, drawn } = this;
    const { width: room, ratio } = this.parts.size;
    if (!layout || !canvas || !overlay) {
      // The first rendering had no colours to paint with.
      if (!layout && room > 0 && !this.isEmpty) this.requestUpdate();
      return;
    }
    const { width, height } = layout;
    this.painted.get([canvas, layout, inks, ratio], () => {
      const pen = this.parts.pen(canvas, width, height);
      if (pen) paintCurves(pen, layout, drawn);
    });
    const pen = this.parts.pen(overlay, width, height);
    if (pen && place !== null) paintPlace(pen, layout, drawn, place);
  }

  private get name(): string {
    const lines = this.lines.map(({ name }) => name).join(", ");
    return message("curves.name", { ...this.titles, lines });
  }

  private get spoken(): string {
    const { place, lines, walked } = this;
    if (place === null || !walked) return "";
    const numbers = lines.map((line) => `${line.name} ${this.numberOf(line, place)}`);
    return `${this.placeName(place)}: ${numbers.join(", ")}`;
  }

  private placeName(place: number): string {
    return `${this.titles.x} ${this.said("x", place)}`;
  }

  private numberOf(line: CurveLine, place: number): string {
    return this.said("y", numberAt(line, place, this.stepped));
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
      paintCurves(new Pen(brush, inks), layout, scene);
      brush.restore();
    },
  };
}

define("headscope-curves", HeadscopeCurves);
