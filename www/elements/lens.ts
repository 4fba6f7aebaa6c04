// What a model would predict at each depth: tokens down, depths across, in each cell the likeliest
// entry over the colour of a number.
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { type DepthPlace, isDrawn, type Palette, type Tensor, type Token } from "../data/index.js";
import { type ColourScale, rampColour, rampStep, scaleOf } from "../draw/colours.js";
import { rampInk } from "../draw/inks.js";
import { placeAt } from "../draw/layout.js";
import { paintLegend } from "../draw/legend.js";
import { fitLabel, formatValue, writeLabel } from "../draw/text.js";
import { type Inks, labelFont, Pen, type Print } from "../draw/theme.js";
import { formatNumber, language, message } from "../i18n/index.js";
import { dataTable } from "./matrix/table.js";
import { emit } from "./events.js";
import { given, listOf, orNull, PALETTE, tensor, TOKENS } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { FigureElement } from "./shared/figure.js";
import { keyListener, moveInGrid, type Place } from "./shared/grid-navigation.js";
import { tokenLabel } from "./shared/templates.js";
import styles from "./lens.css?inline";

const MARGIN = { left: 92, right: 2, top: 24 };
const LEGEND = { gap: 14, width: 148, height: 8, text: 20 };
const ROW = 22;
const PADDING = 4;
const TEXT_SIZE = 12;
const TITLE_SIZE = 11;
const PRINTED_COLUMN = 92;

type Layout = ReturnType<typeof layoutLayers>;

function layoutLayers(rows: number, columns: number, width: number) {
  const across = Math.max(1, width - MARGIN.left - MARGIN.right) / Math.max(1, columns);
  const cell = { width: across, height: ROW };
  const plot = { x: MARGIN.left, y: MARGIN.top, width: across * columns, height: ROW * rows };
  const y = plot.y + plot.height + LEGEND.gap;
  const long = Math.min(LEGEND.width, plot.width / 2);
  const legend = { x: plot.x, y, width: long, height: LEGEND.height, upright: false };
  const height = Math.ceil(y + LEGEND.height + LEGEND.text);
  return { width, height, plot, legend, cell, rows, columns };
}

/** The name of a depth: the embedding, or a layer, from one. */
export function depthName(layer: number): string {
  return layer === 0 ? message("layers.embedding") : formatNumber(layer);
}

/**
 * The predictions of all depths as a table of positions and depths.
 * @fires headscope-depth-choose - the depth and the position of the cell that was chosen
 */
export class HeadscopeLens extends FigureElement {
  static override styles = unsafeCSS(styles);
  protected static override readonly sentences = ["layers"] as const;
  /** The tokens after which, or in place of which, the model predicts. */
  @given(TOKENS) tokens: Token[] = [];
  /** The likeliest entry of each cell, `[layer, position]`, row after row. */
  @given(listOf("text")) words: string[] = [];
  /** The numbers behind the colours, `[layer, position]`. */
  @given(orNull(tensor("layer", "position"))) numbers: Tensor | null = null;
  /** What the numbers are, for the legend. */
  @property() quantity = "";
  /** The chosen cell; null for none. */
  @given(orNull({ layer: "count", position: "count" })) chosen: DepthPlace | null = null;
  @given(PALETTE) colours: Palette = "blue";
  @state() private hovered: Place | null = null;
  private layout: Layout | null = null;

  private get columns(): number {
    return this.numbers?.shape[0] ?? 0;
  }

  /** The word and the number of a cell, by its row of tokens and its column of depths. */
  private cellAt({ row, column }: Place): { word: string; value: number } {
    const at = column * (this.numbers?.shape[1] ?? 0) + row;
    return { word: this.words[at] ?? "", value: this.numbers?.data[at] ?? NaN };
  }

  /** The picture for files, whose size follows from the numbers alone. Null when there is none. */
  print(inks: Inks): Print | null {
    const { numbers, tokens, columns } = this;
    if (!numbers || numbers.data.length === 0) return null;
    const width = MARGIN.left + columns * PRINTED_COLUMN + MARGIN.right;
    const layout = layoutLayers(tokens.length, columns, width);
    const scale = scaleOf(numbers.data, this.colours, inks.ground);
    return {
      width,
      height: layout.height,
      paint: (brush) => this.paintCells(new Pen(brush, inks), layout, scale),
    };
  }

  protected override willUpdate(): void {
    const { width } = this.size;
    const { hovered, columns } = this;
    const rows = this.tokens.length;
    this.layout = this.memo("layout", [rows, columns, width], () =>
      width > 0 ? layoutLayers(rows, columns, width) : null,
    );
    if (hovered && (hovered.row >= rows || hovered.column >= columns)) this.hovered = null;
  }

  protected override render(): TemplateResult {
    const { numbers, layout, hovered, moved, left, clicked, pressed } = this;
    if (!numbers || numbers.data.length === 0) return this.renderEmpty();
    const name = message("layers.figure", { count: this.tokens.length, depths: this.columns });
    const size = layout ? { height: `${layout.height}px` } : {};
    return html`
      ${this.renderStage(name, { moved, left, clicked, pressed }, size, this.canvases)}
      ${this.renderSpoken(message("layers.help"), this.reading(this.hovered))}
      <p class="reading small" part="value" aria-hidden="true">
        ${hovered ? this.reading(hovered) : nothing}
      </p>
      ${this.renderBelow(nothing, () =>
        guard([numbers, this.words, this.tokens, language()], () => this.renderTable()),
      )}
    `;
  }

  private reading(place: Place | null): string {
    if (!place) return "";
    const { word, value } = this.cellAt(place);
    return message("layers.cell", {
      token: this.labelOf(place.row),
      depth: depthName(place.column),
      word,
      quantity: this.quantity,
      value: formatValue(value),
    });
  }

  private labelOf(row: number): string {
    const token = this.tokens[row];
    return token ? tokenLabel(token) : "";
  }

  private renderTable(): TemplateResult {
    const depths = Array.from({ length: this.columns }, (_, layer) => layer);
    const titles = [message("layers.token"), ...depths.map(depthName)];
    const rows = this.tokens.map((_, row) => [
      this.labelOf(row),
      ...depths.map((column) => {
        const { word, value } = this.cellAt({ row, column });
        return `${word} ${formatValue(value)}`;
      }),
    ]);
    return dataTable(message("picture.layers"), titles, rows);
  }

  protected override updated(): void {
    const { numbers, layout, colours, words, tokens, quantity } = this;
    const { ground } = this.inks;
    if (!numbers || !layout) return;
    const scale = this.memo("scale", [numbers, colours, ground], () =>
      scaleOf(numbers.data, colours, ground),
    );
    const paint = (pen: Pen): void => this.paintCells(pen, layout, scale);
    this.paintLayers(layout, [layout, scale, words, tokens, quantity], paint, (pen) => {
      this.paintMarks(pen, layout);
    });
  }

  private paintCells(pen: Pen, layout: Layout, scale: ColourScale): void {
    const { brush, inks } = pen;
    const { plot, cell, rows, columns } = layout;
    const font = labelFont(inks, "normal", TEXT_SIZE);
    const measure = (text: string): number => pen.measure(text);
    brush.save();
    pen.words(TITLE_SIZE, inks.muted, "center");
    for (let column = 0; column < columns; column++) {
      const middle = plot.x + (column + 0.5) * cell.width;
      const title = fitLabel(depthName(column), cell.width - PADDING, measure);
      brush.fillText(title, middle, plot.y - 11);
    }
    for (let row = 0; row < rows; row++) {
      const y = plot.y + row * cell.height;
      brush.font = font;
      brush.textAlign = "right";
      brush.fillStyle = inks.ink;
      const label = fitLabel(this.labelOf(row), MARGIN.left - 2 * PADDING, measure);
      writeLabel(brush, label, plot.x - 2 * PADDING, y + cell.height / 2);
      brush.textAlign = "center";
      for (let column = 0; column < columns; column++) {
        const { word, value } = this.cellAt({ row, column });
        const x = plot.x + column * cell.width;
        const step = isDrawn(value) ? rampStep(scale, value) : null;
        // What is no number has no colour of the scale.
        const [colour, ink] =
          step === null
            ? [inks.paper, inks.ink]
            : [rampColour(scale.ramp, step), rampInk(scale.ramp, step)];
        pen.fill({ x, y, width: cell.width, height: cell.height }, colour);
        brush.fillStyle = ink;
        const text = fitLabel(word, cell.width - PADDING, measure);
        writeLabel(brush, text, x + cell.width / 2, y + cell.height / 2);
      }
    }
    pen.line(inks.paper, 1);
    const lines = (count: number): number[] =>
      Array.from({ length: Math.max(0, count - 1) }, (_, at) => at + 1);
    const right = plot.x + plot.width;
    const bottom = plot.y + plot.height;
    pen.segments(
      ...lines(columns).map((at) => {
        const x = plot.x + at * cell.width;
        return [x, plot.y, x, bottom] as const;
      }),
      ...lines(rows).map((at) => {
        const y = plot.y + at * cell.height;
        return [plot.x, y, right, y] as const;
      }),
    );
    pen.line(inks.line, 1);
    pen.frame(plot, 0.5);
    brush.restore();
    paintLegend(pen, layout.legend, scale, this.quantity);
  }

  private paintMarks(pen: Pen, { plot, cell }: Layout): void {
    const { hovered, chosen } = this;
    const { brush, inks } = pen;
    const outline = ({ row, column }: Place, width: number): void => {
      pen.line(inks.accent, width);
      const x = plot.x + column * cell.width;
      brush.strokeRect(x + 1, plot.y + row * cell.height + 1, cell.width - 2, cell.height - 2);
    };
    brush.save();
    if (chosen) outline({ row: chosen.position, column: chosen.layer }, 2.5);
    if (hovered) outline(hovered, 1);
    brush.restore();
  }

  private readonly moved = (event: PointerEvent): void => {
    const at = this.pointOf(event);
    if (this.layout && at) this.hovered = placeAt(this.layout, at);
  };

  private readonly left = (): void => {
    this.hovered = null;
  };

  private choose({ row, column }: Place): void {
    emit(this, "headscope-depth-choose", { layer: column, position: row });
  }

  private readonly clicked = (): void => {
    if (this.hovered) this.choose(this.hovered);
  };

  private readonly pressed = keyListener((key) => {
    const { hovered, chosen } = this;
    if (key === "Enter" || key === " ") {
      if (hovered) this.choose(hovered);
      return hovered !== null;
    }
    const from = chosen ? { row: chosen.position, column: chosen.layer } : { row: 0, column: 0 };
    const to = moveInGrid(key, hovered ?? from, this.tokens.length, this.columns);
    if (!to) return false;
    this.hovered = to;
    return true;
  });
}

define("headscope-lens", HeadscopeLens);
