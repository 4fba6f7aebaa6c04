import { html, nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { AXIS_SIZE, curvesFont, heightFor, LineChart, lineStyle } from "../draw/charts.js";
import { numberAt, placesOf, type CurveLine, type CurvesScene } from "../draw/charts.js";
import { readingWords } from "../draw/number-words.js";
import { measurer } from "../draw/text.js";
import { placeWords } from "../draw/ticks.js";
import { Pen, type Inks, type Print } from "../draw/theme.js";
import { language, message } from "../i18n/index.js";
import { dataTable, MOST_CELLS } from "./matrix/table.js";
import { given, listOf, orNull } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { FigureElement } from "./shared/figure.js";
import { keyListener, moveInRow } from "./shared/grid-navigation.js";
import styles from "./curves.css?inline";

const HEIGHT = 240;
/** The least height at which the names of lines and axes have room, and that of what is around. */
const LEAST_HEIGHT = 120;
const AROUND = 48;
const PRINT = { width: 640, least: 360, title: 22 };

/**
 * Lines over one quantity, with axes, marked places, the numbers at the pointer or the keyboard,
 * and a table.
 */
export class HeadscopeCurves extends FigureElement {
  static override styles = unsafeCSS(styles);

  @given(listOf({ name: "text", points: listOf({ x: "number", y: "number" }) }))
  lines: readonly CurveLine[] = [];
  /** The titles of the axes. */
  @given({ x: "text", y: "text" }) titles: CurvesScene["titles"] = { x: "", y: "" };
  /** A place with a line in the accent colour. */
  @given(orNull("number")) marked: number | null = null;
  /** The label of the place `marked`. */
  @given("text") markedAs = "";
  /** Further places, with lines in grey. */
  @given(listOf({ x: "number", words: "text" })) marks: CurvesScene["marks"] = [];
  /** The scale of each axis; linear by default. */
  @given({}) scales: CurvesScene["scales"] = {};
  /** The ends of each axis; by default, those of all numbers. */
  @given({}) range: CurvesScene["range"] = {};
  /** The format of the numbers on each axis. */
  @given({}) words: CurvesScene["words"] = {};
  /** Whether a value holds until the next point. */
  @property({ type: Boolean }) stepped = false;
  /**
   * The most height of the plot with its caption and its legend, in CSS pixels; null where it has
   * its usual height.
   */
  @property({ attribute: false }) highest: number | null = null;
  @state() private place: number | null = null;
  /** Whether a key set the place: screen readers do not read what a pointer passes over. */
  @state() private byKey = false;
  private chart: LineChart | null = null;
  private lastPlace: number | null = null;

  print(inks: Inks): Print | null {
    if (this.isEmpty) return null;
    const { scene } = this;
    const { width, title } = PRINT;
    const height = Math.max(PRINT.least, heightFor(scene));
    const chart = new LineChart(scene, width, height, measurer(curvesFont(inks)));
    const paint: Print["paint"] = (brush) => {
      const pen = new Pen(brush, inks);
      brush.save();
      pen.words(AXIS_SIZE, inks.muted);
      brush.fillText(scene.titles.y, 0, title / 2);
      brush.translate(0, title);
      chart.paint(pen);
      brush.restore();
    };
    return { width, height: height + title, paint };
  }

  private get isEmpty(): boolean {
    return this.lines.every(({ points }) => points.length === 0);
  }

  private get scene(): CurvesScene {
    const { lines, titles, marked, markedAs, marks, scales, range, words, stepped } = this;
    const axes = [titles, scales, range, words].flatMap(({ x, y }) => [x, y]);
    const mark = marked === null ? null : { x: marked, words: markedAs };
    return this.memo("scene", [lines, marked, markedAs, marks, stepped, ...axes], () => {
      return { lines, titles, marked: mark, marks, scales, range, words, stepped };
    });
  }

  private get height(): number {
    const room = (this.highest ?? Infinity) - AROUND;
    return Math.max(LEAST_HEIGHT, Math.min(HEIGHT, room));
  }

  private get places(): number[] {
    return this.memo("places", [this.lines], () => placesOf(this.lines));
  }

  protected override willUpdate(): void {
    const { width } = this.size;
    if (this.place !== null && !this.places.includes(this.place)) this.place = null;
    if (this.place !== null) this.lastPlace = this.place;
    this.chart = null;
    // The theme colours can be read only after the first rendering.
    if (width === 0 || !this.hasUpdated || this.isEmpty) return;
    const font = curvesFont(this.inks);
    const { scene, height } = this;
    this.chart = this.memo("chart", [scene, width, height, font, language()], () => {
      return new LineChart(scene, width, height, measurer(font));
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.isEmpty) return nothing;
    const { titles, lines, place, byKey, moved, left, unfocus: blurred, pressed } = this;
    const names = lines.map(({ name }) => name).join(", ");
    const numbers = lines.map((line) => `${line.name} ${this.numberOf(line, place ?? NaN)}`);
    const spoken =
      place === null || !byKey ? "" : `${this.placeName(place)}: ${numbers.join(", ")}`;
    const name = message("curves.name", { ...titles, lines: names });
    return html`<figure>
        <figcaption class="small muted" part="caption">${titles.y}</figcaption>
        ${this.renderStage(
          name,
          { moved, left, blurred, pressed },
          { height: `${this.height}px` },
          this.canvases,
        )}
      </figure>
      ${this.renderSpoken(message("curves.help"), spoken)} ${this.renderKeys()}
      ${this.renderBelow(nothing, () => this.renderTable(name))}`;
  }

  private renderKeys(): TemplateResult {
    const { lines, place, chart } = this;
    const named = chart !== null && (chart.names !== null || lines.length === 1);
    const swatch = (index: number): TemplateResult => {
      const { colour, width, dash } = lineStyle(lines, index, this.inks);
      return html`<svg width="22" height="6" aria-hidden="true">
        ${svg`<line
          x1="0"
          x2="22"
          y1="3"
          y2="3"
          stroke=${colour}
          stroke-width=${width}
          stroke-dasharray=${dash.join(" ") || "none"}
        />`}
      </svg>`;
    };
    return html`<ul
      part="legend"
      class=${classMap({ keys: true, inline: true, small: true, unused: place === null && named })}
    >
      ${place === null ? nothing : html`<li class="muted">${this.placeName(place)}</li>`}
      ${lines.map(
        (line, index) =>
          html`<li>
            ${this.hasUpdated ? swatch(index) : nothing}${line.name}${
              place === null ? nothing : html` <b>${this.numberOf(line, place)}</b>`
            }
          </li>`,
      )}
    </ul>`;
  }

  private renderTable(caption: string): TemplateResult {
    const { places, lines, lastPlace } = this;
    const whole = places.length * lines.length <= MOST_CELLS;
    const known = lastPlace !== null && places.includes(lastPlace);
    const one = known ? lastPlace : (places[0] ?? NaN);
    return dataTable(
      caption,
      [this.titles.x, ...lines.map(({ name }) => name)],
      (whole ? places : [one]).map((place) => [
        this.written("x", place),
        ...lines.map((line) => this.numberOf(line, place)),
      ]),
      { only: whole ? null : this.placeName(one) },
    );
  }

  protected override updated(): void {
    const { chart, place } = this;
    if (!chart && this.size.width > 0 && !this.isEmpty) this.requestUpdate();
    if (!chart) return;
    const paintPlace = (pen: Pen): void => {
      if (place !== null) chart.paintPlace(pen, place);
    };
    this.paintLayers(chart, [chart], (pen) => chart.paint(pen), paintPlace);
  }

  private placeName(place: number): string {
    return `${this.titles.x} ${this.written("x", place)}`;
  }

  private numberOf(line: CurveLine, place: number): string {
    return this.written("y", numberAt(line, place, this.stepped));
  }

  private written(side: "x" | "y", value: number): string {
    if (!Number.isFinite(value)) return readingWords(value);
    return (this.words[side] ?? (side === "x" ? placeWords : readingWords))(value);
  }

  private readonly moved = (event: PointerEvent): void => {
    const at = this.pointOf(event);
    if (!this.chart || !at) return;
    this.byKey = false;
    this.place = this.chart.nearestPlace(this.places, at.x);
  };

  /** Keeps the place in focus after a finger is lifted. */
  private readonly left = ({ pointerType }: PointerEvent): void => {
    if (pointerType !== "touch") this.unfocus();
  };

  private readonly unfocus = (): void => {
    this.place = null;
  };

  private readonly pressed = keyListener((key) => {
    const { places, place } = this;
    const to = moveInRow(key, place === null ? -1 : places.indexOf(place), places.length);
    if (to === null && (key !== "Escape" || place === null)) return false;
    if (to !== null) this.byKey = true;
    this.place = places[to ?? -1] ?? null;
    return true;
  });
}

define("headscope-curves", HeadscopeCurves);
