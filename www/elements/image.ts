import { html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { type Cell, type ImageConfig, rowOf, type Tensor, type Token } from "../data/index.js";
import { cellOfToken, type Rect } from "../draw/layout.js";
import { pixelImage } from "../draw/matrix.js";
import { fitLabel, formatValue } from "../draw/text.js";
import { type Inks, OWN_ROOM, Pen, type Print, type PrintRoom } from "../draw/theme.js";
import { formatNumber, language, message } from "../i18n/index.js";
import { PairFigure, pairStyles } from "./matrix/pair-figure.js";
import { dataTable } from "./matrix/table.js";
import { given, MATRIX, orNull } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { type ClientPoint, type Point } from "./shared/figure.js";
import { moveInGrid, type Place } from "./shared/grid-navigation.js";
import { patchLabel } from "./shared/templates.js";

/** Pixels of an image, RGBA. */
interface Pixels {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/** The size of special tokens, which are above the image. */
const SPECIAL = { width: 56, height: 22, gap: 6 };
const TOP = SPECIAL.height + SPECIAL.gap;
const PRINT_WIDTH = 480;
/** The opacity of the cover on a patch without weight. */
const COVER = 0.82;

interface Layout {
  width: number;
  height: number;
  plot: Rect;
}

/**
 * One query's weights over the image that the model reads: the more weight a patch has, the clearer
 * it is. Pointing at a patch makes it the query; the arrow keys go from patch to patch.
 *
 * @fires headscope-cell-hover - the patch under the pointer or the keyboard with its strongest key,
 *   or null
 * @fires headscope-cell-lock - the same to lock, or null to unlock
 */
export class HeadscopeImage extends PairFigure {
  static override styles = pairStyles;
  protected static override readonly sentences = ["pictures"] as const;
  /** The weights, `[query, key]`. */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;
  /** The weights of a figure beside this one, and its query: both share one scale. */
  @given(orNull({ weights: MATRIX, query: "count" }))
  scaledWith: { weights: Tensor; query: number } | null = null;
  @property({ attribute: false }) image: Pixels | null = null;
  @property({ attribute: false }) grid: ImageConfig | null = null;

  protected override get matrix(): Tensor | null {
    return this.grid && this.tensor;
  }

  private get layout(): Layout | null {
    const { comfortableHeight, highest } = this;
    return this.layoutIn(this.size.width, Math.min(comfortableHeight, highest ?? Infinity));
  }

  private layoutIn(most: number, highest: number): Layout | null {
    const [height = 1, width = 1] = this.grid?.size ?? [];
    if (most <= 0) return null;
    const wide = Math.floor(Math.min(most, ((highest - TOP) * width) / height));
    const high = Math.round((wide * height) / width);
    return { width: wide, height: TOP + high, plot: { x: 0, y: TOP, width: wide, height: high } };
  }

  /**
   * The place of a token: a patch by its row and column, a special token in the row above the
   * patches.
   */
  private placeOf({ id }: Token): Place {
    const { specials = 0, grid = [1, 1] } = this.grid ?? {};
    const at = id - specials;
    return at < 0
      ? { row: -1, column: id }
      : { row: Math.floor(at / grid[1]), column: at % grid[1] };
  }

  private rectOf(token: Token, { plot }: Layout): Rect {
    const { row, column } = this.placeOf(token);
    const { size = [1, 1], patch = [1, 1] } = this.grid ?? {};
    if (row < 0) return { ...SPECIAL, x: column * (SPECIAL.width + SPECIAL.gap), y: 0 };
    const height = (plot.height * patch[0]) / size[0];
    const width = (plot.width * patch[1]) / size[1];
    return { x: plot.x + column * width, y: plot.y + row * height, width, height };
  }

  private ofQuery(query: number): Cell | null {
    return this.matrix && query >= 0 ? cellOfToken(this.matrix, "query", query) : null;
  }

  override cellUnder(event: ClientPoint): Cell | null {
    const at = this.pointOf(event);
    const layout = this.layout;
    if (!at || !layout) return null;
    const isAt = ({ x, y, width, height }: Rect, point: Point): boolean =>
      point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
    return this.ofQuery(this.queries.findIndex((token) => isAt(this.rectOf(token, layout), at)));
  }

  /** Handles the arrow keys; up from the first row of patches leads to the special tokens. */
  override step(key: string): Cell | null {
    const { grid = [1, 1], specials = 0 } = this.grid ?? {};
    const token = this.queries[this.cursor.query];
    if (!token) return null;
    const { row, column } = this.placeOf(token);
    const to = moveInGrid(key, { row: row + 1, column }, grid[0] + 1, grid[1]);
    if (!to) return null;
    const id =
      to.row > 0 || specials === 0
        ? specials + Math.max(0, to.row - 1) * grid[1] + to.column
        : Math.min(to.column, specials - 1);
    return this.ofQuery(this.queries.findIndex((one) => one.id === id));
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { queries, keys } = this;
    this.labels = this.memo("patches", [queries, keys, language()], () => ({
      query: queries.map(patchLabel),
      key: keys.map(patchLabel),
    }));
  }

  protected override get name(): string {
    return message("figure.image", {
      query: this.labels.query[this.cursor.query] ?? "",
      keys: formatNumber(this.columns),
    });
  }

  protected override reading({ query, key }: Cell): string {
    return formatValue(this.matrix ? (rowOf(this.matrix, query)[key] ?? NaN) : NaN);
  }

  protected override renderPicture(): TemplateResult {
    const { layout } = this;
    const size = layout && { width: `${layout.width}px`, height: `${layout.height}px` };
    return this.renderStage(
      this.name,
      this.listeners,
      { margin: "0 auto", ...size },
      this.canvases,
    );
  }

  /** The patch to which the query attends most, and its weight. */
  private get clearest(): { label: string; most: number } {
    const weights = this.matrix ? rowOf(this.matrix, this.cursor.query) : [];
    let at = -1;
    let most = 0;
    this.keys.forEach(({ special }, key) => {
      const weight = weights[key] ?? 0;
      if (special || weight <= most) return;
      at = key;
      most = weight;
    });
    return { label: this.labels.key[at] ?? "", most };
  }

  /** The weight at which a patch is quite clear. */
  private get reach(): number {
    const { scaledWith: beside, clearest } = this;
    if (!beside) return clearest.most;
    const patches = rowOf(beside.weights, beside.query).slice(this.grid?.specials ?? 0);
    return Math.max(clearest.most, ...patches);
  }

  protected override renderFoot(): TemplateResult {
    const { label, most } = this.clearest;
    const query = this.labels.query[this.cursor.query] ?? "";
    const words = message("image.scale", { query, key: label, most: formatValue(most) });
    return html`<span part="legend">${words}</span>`;
  }

  protected override renderTable(matrix: Tensor): TemplateResult {
    const weights = rowOf(matrix, this.cursor.query);
    const rows = this.labels.key.map((label, at) => [label, formatValue(weights[at] ?? NaN)]);
    return dataTable(this.name, [message("figure.key"), this.weightsTitle], rows);
  }

  protected override updated(): void {
    const { layout } = this;
    if (!layout) return;
    this.paintLayers(
      layout,
      [this.image, layout.width],
      (pen) => this.paintImage(pen, layout),
      (pen) => this.paintWeights(pen, layout),
    );
  }

  private paintImage({ brush }: Pen, { plot: { x, y, width, height } }: Layout): void {
    const { image } = this;
    const pixels = this.memo(
      "pixels",
      [image],
      () => image && pixelImage(Uint8ClampedArray.from(image.data), image.width, image.height),
    );
    if (pixels) brush.drawImage(pixels, x, y, width, height);
  }

  private paintWeights(pen: Pen, layout: Layout): void {
    const { matrix, keys, queries, cursor, locked } = this;
    const { brush, inks } = pen;
    if (!matrix) return;
    const weights = rowOf(matrix, cursor.query);
    const most = this.reach;
    keys.forEach((token, key) => {
      const rect = this.rectOf(token, layout);
      const share = most > 0 ? Math.min(1, Math.max(0, (weights[key] ?? 0) / most)) : 0;
      brush.globalAlpha = COVER * (1 - share);
      if (!token.special) pen.fill(rect, inks.paper);
      brush.globalAlpha = 1;
      if (!token.special) return;
      brush.globalAlpha = share;
      pen.fill({ ...rect, y: rect.height - 3, height: 3 }, inks.accent);
      brush.globalAlpha = 1;
      pen.line(inks.line, 1);
      pen.frame(rect, -0.5);
      pen.words(11, inks.ink, "center");
      const label = fitLabel(this.labels.key[key] ?? "", rect.width - 6, pen.measure);
      brush.fillText(label, rect.x + rect.width / 2, rect.height / 2);
    });
    const outline = (at: number | undefined, colour: string): void => {
      const token = at === undefined ? undefined : queries[at];
      if (!token) return;
      pen.line(colour, 2);
      pen.frame(this.rectOf(token, layout), -1);
    };
    outline(locked?.query, inks.ink);
    outline(cursor.query, inks.accent);
  }

  print(inks: Inks, { width }: PrintRoom = OWN_ROOM): Print | null {
    const layout = this.layoutIn(width ?? PRINT_WIDTH, Infinity);
    if (!layout || !this.matrix) return null;
    return {
      width: layout.width,
      height: layout.height,
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        this.paintImage(pen, layout);
        this.paintWeights(pen, layout);
      },
    };
  }
}

define("headscope-image", HeadscopeImage);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-image": HeadscopeImage;
  }
}
