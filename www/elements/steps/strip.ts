// The computation of a block as a strip of matrices side by side. Rows are tokens in all of them,
// so that a token can be followed across the strip.
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { query, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import type { Step, StepCell, StepTensor, Tensor } from "../../data/index.js";
import { scaleOf } from "../../draw/colours.js";
import { headHue } from "../../draw/inks.js";
import { placeAt, type Rect } from "../../draw/layout.js";
import { fitLabel, formatValue, labelled, labelStep, writeLabel } from "../../draw/text.js";
import {
  labelFont,
  OWN_ROOM,
  Pen,
  type Inks,
  type Print,
  type PrintRoom,
} from "../../draw/theme.js";
import { formatNumber, language, message } from "../../i18n/index.js";
import { emit } from "../events.js";
import { cellImage } from "../../draw/matrix.js";
import { numbersTable } from "../matrix/table.js";
import { Player } from "../shared/player.js";
import type { Point } from "../shared/figure.js";
import { keyListener, moveInGrid } from "../shared/grid-navigation.js";
import { styled } from "../shared/templates.js";
import { BlockFigure, runsOf } from "./block.js";
import { cellWords, isBanded, isOfKeys, isPattern, operationOf } from "./formulas.js";
import { stepName, stepWords, symbolOf } from "./formulas.js";
import styles from "./strip.css?inline";

type StripLayout = ReturnType<typeof layoutSteps>;
type Box = StripLayout["boxes"][number];

interface Picture {
  image: OffscreenCanvas | null;
  range: string;
}

const HEAD = 66;
const FOOT = 10;
const GAP = 58;
const CAPTION = 176;
const MOST_HEIGHT = 380;
const CELL = { tallest: 20, widest: 10, narrowest: 2 };
const EASY_WIDTH = 320;

/**
 * Places the matrices from left to right with rows of one height; the labels of rows do not scroll.
 * `keysApart` gives keys labels of their own.
 */
export function layoutSteps(
  steps: readonly StepTensor[],
  labels: number,
  keysApart: boolean,
  { lead = 0, widest = Infinity } = {},
) {
  const most = Math.max(1, ...steps.map(({ tensor }) => tensor.shape[0] ?? 0));
  const cellHeight = Math.min(CELL.tallest, MOST_HEIGHT / most);
  let from = labels + 8;
  let x = from + lead;
  const boxes = steps.map(({ step, tensor }) => {
    const [rows = 0, columns = 0] = tensor.shape;
    if (keysApart && isOfKeys(step)) x += labels;
    const easy = isPattern(step)
      ? Math.min(CELL.tallest, MOST_HEIGHT / Math.max(1, columns))
      : Math.min(CELL.widest, Math.max(CELL.narrowest, EASY_WIDTH / Math.max(1, columns)));
    const cellWidth = Math.min(easy, widest / Math.max(1, columns));
    const plot = { x, y: HEAD, width: cellWidth * columns, height: cellHeight * rows };
    const room = Math.max(plot.width + GAP, CAPTION);
    const box = { step, rows, columns, plot, room, from, cellWidth, cellHeight };
    from = x + plot.width;
    x += room;
    return box;
  });
  const width = Math.ceil(Math.max(from + 16, (boxes.at(-1)?.plot.x ?? 0) + CAPTION));
  return { boxes, labels, lead, width, height: Math.ceil(HEAD + cellHeight * most + FOOT) };
}

const BETWEEN_ROWS = 16;
/** The width from which a matrix has room beside another one in a row. */
const LEAST_ABREAST = 240;
const LABELS = { wide: 96, narrow: 64, print: 120 };

/**
 * The matrices in rows of at most a width, each row with labels, and from the second on with room
 * for the arrow that leads to it.
 */
function rowsOf(
  steps: readonly StepTensor[],
  keysApart: boolean,
  most: number,
): { shown: readonly StepTensor[]; layout: StripLayout }[] {
  const room = most - LABELS.print * (keysApart ? 2 : 1) - 24;
  const abreast = Math.max(1, Math.floor(room / LEAST_ABREAST));
  const widest = most === Infinity ? Infinity : Math.max(1, room / abreast - GAP);
  const laidOut = (shown: readonly StepTensor[], isFirst: boolean): StripLayout =>
    layoutSteps(shown, LABELS.print, keysApart, { lead: isFirst ? 0 : GAP, widest });
  const rows: { shown: StepTensor[]; layout: StripLayout }[] = [];
  for (const step of steps) {
    const last = rows.at(-1);
    const longer = last && laidOut([...last.shown, step], rows.length === 1);
    if (last && longer && longer.width <= most) {
      last.shown.push(step);
      last.layout = longer;
    } else rows.push({ shown: [step], layout: laidOut([step], rows.length === 0) });
  }
  return rows;
}

export function stepCellAt({ boxes }: StripLayout, at: Point): StepCell | null {
  for (const box of boxes) {
    const place = placeAt(box, at);
    if (place) return { step: box.step, ...place };
  }
  return null;
}

function rectsOf(layout: StripLayout, cell: StepCell, rows = 1, columns = 1): Rect[] {
  const { step, row, column } = cell;
  return layout.boxes
    .filter((box) => box.step === step && row < box.rows && column < box.columns)
    .map(({ plot, cellWidth, cellHeight }) => ({
      x: plot.x + column * cellWidth,
      y: plot.y + row * cellHeight,
      width: columns * cellWidth,
      height: rows * cellHeight,
    }));
}

/** The scroll position with a matrix, or the column of a wide one, in sight. */
function scrollToStep(
  { boxes, labels }: StripLayout,
  { step, column }: StepCell,
  from: number,
  width: number,
): number {
  const box = boxes.find((candidate) => candidate.step === step);
  if (!box) return from;
  const room = width - labels;
  const { x, width: wide } = box.plot;
  const start = x - labels - 12;
  if (wide + 24 > room) {
    const at = x + column * box.cellWidth - labels;
    return at > from + 16 && at < from + room - 16 ? from : Math.max(0, at - room / 2);
  }
  const isInSight = start >= from && start + wide + 24 <= from + room;
  return isInSight ? from : Math.max(0, start - (room - wide) / 2);
}

const TITLE = 17;
const SMALL = 11.5;
const PITCH = 14;
const AFTER = 12;
const PALE = 0.62;

/**
 * Paints the arrow to a matrix with its operation: a word, or a symbol whose index follows an
 * underscore.
 */
function paintArrow(pen: Pen, { plot, from: edge }: Box, labels: number, operation: string): void {
  const { brush, inks } = pen;
  const y = HEAD + Math.min(plot.height / 2, 60);
  const from = edge + 8;
  const to = plot.x - labels - 8;
  pen.line(inks.muted, 1.25);
  brush.beginPath();
  brush.moveTo(from, y);
  brush.lineTo(to, y);
  brush.moveTo(to - 5, y - 4);
  brush.lineTo(to, y);
  brush.lineTo(to - 5, y + 4);
  brush.stroke();
  const x = (from + to) / 2;
  const [symbol = "", index = ""] = operation.split("_");
  pen.words(SMALL, inks.muted, "center", "alphabetic");
  const wide = pen.measure(symbol);
  brush.fillText(symbol, index ? x - 4 : x, y - 9);
  if (!index) return;
  brush.font = labelFont(inks, "normal", SMALL - 3);
  brush.fillText(index, x + wide / 2 + 1, y - 6);
}

function paintLabels(pen: Pen, box: Box, rows: readonly string[], x: number, room: number): void {
  pen.words(SMALL, pen.inks.muted, "right");
  for (const row of labelled(rows.length, labelStep(box.cellHeight, PITCH))) {
    const label = fitLabel(rows[row] ?? "", room, pen.measure);
    writeLabel(pen.brush, label, x, HEAD + (row + 0.5) * box.cellHeight);
  }
}

const stripStyles = unsafeCSS(styles);

const NARROW = 560;

/**
 * The computation of a block as a strip of matrices, every one a tensor of the run.
 *
 * @fires headscope-number-hover - the cell under the pointer, or null
 * @fires headscope-number-hold - the cell to lock
 * @fires headscope-number-trace - trace the cell in focus one step back
 * @fires headscope-number-back - return on the trail
 */
export class HeadscopeStrip extends BlockFigure {
  static override styles = stripStyles;
  @state() private hovered: StepCell | null = null;
  @state() private offset = 0;
  @query(".frame") private frame!: HTMLElement | null;
  private readonly player = new Player(this, () => this.skip(1));
  private layout: StripLayout | null = null;
  /** The layout of the last reveal: scrolling is smooth only within one layout. */
  private revealedIn: StripLayout | null = null;

  /** The strip for a file: in one row, or in as many as a width needs. */
  print(inks: Inks, { width: most }: PrintRoom = OWN_ROOM): Print | null {
    const { steps, keysApart } = this;
    if (steps.length === 0) return null;
    const rows = rowsOf(steps, keysApart, most ?? Infinity);
    const heights = rows.map(({ layout }) => layout.height + BETWEEN_ROWS);
    return {
      width: Math.max(...rows.map(({ layout }) => layout.width)),
      height: heights.reduce((sum, height) => sum + height, -BETWEEN_ROWS),
      paint: (brush) => {
        brush.save();
        rows.forEach(({ shown, layout }, row) => {
          this.paint(new Pen(brush, inks), layout, shown, null, 0, layout.width);
          brush.translate(0, heights[row] ?? 0);
        });
        brush.restore();
      },
    };
  }

  private get shown(): StepCell | null {
    return this.inside(this.hovered) ?? this.inside(this.held);
  }

  private get index(): number {
    const shown = this.shown?.step;
    const index = this.steps.findIndex(({ step }) => step === shown);
    return Math.max(0, index);
  }

  private get help(): string {
    const own = message("steps.help");
    return this.plain ? own : `${own} ${message("steps.helpTrace")}`;
  }

  private get keysApart(): boolean {
    return this.head?.stack === "cross";
  }

  private tensorOf(step: Step | undefined): Tensor | null {
    return this.steps.find((one) => one.step === step)?.tensor ?? null;
  }

  private inside(cell: StepCell | null): StepCell | null {
    const [rows = 0, columns = 0] = this.tensorOf(cell?.step)?.shape ?? [];
    return cell && cell.row < rows && cell.column < columns ? cell : null;
  }

  protected override willUpdate(): void {
    const { steps, keysApart } = this;
    const { width } = this.size;
    const labels = width < NARROW ? LABELS.narrow : LABELS.wide;
    this.layout = this.memo("layout", [steps, width > 0, labels, keysApart], () =>
      width > 0 ? layoutSteps(steps, labels, keysApart) : null,
    );
  }

  protected override render(): TemplateResult {
    const { steps, layout, shown, moved, clicked, pressed } = this;
    const [first] = steps;
    if (!first) return this.renderEmpty("steps.loading");
    const name = message("steps.strip", {
      steps: steps.length,
      rows: first.tensor.shape[0] ?? 0,
      head: (this.head?.head ?? 0) + 1,
      heads: this.heads,
    });
    const { data, shape } = this.tensorOf(shown?.step) ?? first.tensor;
    const value = data[(shown?.row ?? 0) * (shape[1] ?? 0) + (shown?.column ?? 0)] ?? NaN;
    const cell = shown ? cellWords(shown, this.labels) : "";
    const spoken = shown ? message("steps.reading", { cell, value: formatValue(value) }) : "";
    const on = { moved, left: () => this.hover(null), blurred: () => undefined, clicked, pressed };
    const size = (width: number): Record<string, string> =>
      layout ? { width: `${width}px`, height: `${layout.height}px` } : {};
    const content = html`<div class="window" style=${styled(size(this.size.width))}>
      ${this.canvases}
    </div>`;
    // The table of the locked matrix, or else of the first; not of the hovered one, which would
    // render thousands of cells.
    const held = this.inside(this.held);
    const of = steps.find(({ step }) => step === held?.step) ?? first;
    const row = held?.row ?? 0;
    return html`
      ${this.renderTransport()}
      <div class="frame" @scroll=${() => (this.offset = this.frame?.scrollLeft ?? 0)}>
        ${this.renderStage(name, on, size(layout?.width ?? 0), content)}
      </div>
      ${this.renderSpoken(this.help, spoken)}
      ${this.renderBelow(nothing, () =>
        guard([of, row, this.labels, language()], () => this.renderTable(of, row)),
      )}
    `;
  }

  private renderTable({ step, tensor: { data, shape } }: StepTensor, row: number): TemplateResult {
    const { queries, keys } = this.labels;
    const [rows = 0, columns = 0] = shape;
    const ofKeys = isOfKeys(step);
    const pairs = isPattern(step);
    const named = (count: number, names: readonly string[]): string[] =>
      Array.from({ length: count }, (_, index) => names[index] ?? formatNumber(index + 1));
    const caption = stepWords(step, this.labels);
    const query = named(rows, ofKeys ? keys : queries);
    const labels = { query, key: named(columns, pairs ? keys : []) };
    const down = message(ofKeys ? "figure.key" : "figure.query");
    const corner = { query: down, key: message(pairs ? "figure.key" : "figure.dimension") };
    return html`<p class="small muted" aria-hidden="true">${caption}</p>
      ${numbersTable(caption, data, labels, { corner, row })}`;
  }

  private renderTransport(): TemplateResult {
    const { steps, index, player } = this;
    const step = stepWords(steps[index]?.step ?? "input", this.labels);
    const position = message("steps.position", { index: index + 1, count: steps.length, step });
    const play = message(player.playing ? "steps.pause" : "steps.play");
    const slide = ({ target }: Event): void =>
      this.goTo(Number((target as HTMLInputElement).value) - 1);
    return html`<div class="transport inline" part="controls">
      ${
        player.isStill
          ? null
          : html`<button
              class="play boxed"
              part="button"
              aria-pressed=${player.playing}
              @click=${() => player.toggle()}
            >
              ${play}
            </button>`
      }
      <button
        class="boxed"
        part="button"
        aria-label=${message("steps.previous")}
        ?disabled=${index === 0}
        @click=${() => this.skip(-1)}
      >
        ‹
      </button>
      <input
        type="range"
        min="1"
        max=${steps.length}
        .value=${String(index + 1)}
        aria-label=${message("steps.step")}
        aria-valuetext=${position}
        @input=${slide}
      />
      <button
        class="boxed"
        part="button"
        aria-label=${message("steps.next")}
        ?disabled=${index === steps.length - 1}
        @click=${() => this.skip(1)}
      >
        ›
      </button>
      <span class="small muted">${position}</span>
    </div>`;
  }

  /** The picture of a matrix: weights have a sequential scale, all other steps a diverging one. */
  private pictureOf({ step, tensor }: StepTensor, { ground }: Inks): Picture {
    const { colours } = this;
    const beside = this.scaledWith.find((one) => one.step === step)?.tensor.data ?? null;
    return this.memo(`picture of ${step}`, [tensor, beside, ground, colours, language()], () => {
      const isWeights = step === "weights";
      const scale = scaleOf(tensor.data, isWeights ? colours : "signed", ground, beside);
      const range = `${isWeights ? "0 – " : "±"}${formatValue(scale.high)}`;
      return { image: cellImage(tensor, scale), range };
    });
  }

  /**
   * Paints all but the marks, with colours only for what is in sight; `from` is the scroll
   * position, `width` the width of the window.
   */
  private paint(
    pen: Pen,
    layout: StripLayout,
    steps: readonly StepTensor[],
    current: Step | null,
    from: number,
    width: number,
  ): void {
    const { brush, inks } = pen;
    const { labels, keysApart } = this;
    brush.save();
    brush.translate(-from, 0);
    layout.boxes.forEach((box, index) => {
      const { step, plot } = box;
      if (plot.x + box.room < from || box.from > from + width) return;
      const chosen = current === step;
      const tensor = steps[index];
      const left = Math.max(plot.x, from + layout.labels);
      if (tensor) this.paintBox(pen, box, this.pictureOf(tensor, inks), { chosen, left });
      if (isBanded(step)) this.paintBands(pen, box);
      pen.line(chosen ? inks.accent : inks.line, chosen ? 2 : 1);
      pen.frame(plot, 0.5);
      const apart = keysApart && isOfKeys(step);
      if (apart) paintLabels(pen, box, labels.keys, plot.x - 8, layout.labels - 12);
      if (index > 0 || layout.lead > 0)
        paintArrow(pen, box, apart ? layout.labels : 0, operationOf(step, labels));
    });
    brush.restore();
    // Row labels stay at the left; keys of another text have labels of their own instead.
    const [first] = layout.boxes;
    if (!first) return;
    const rows = keysApart && current && isOfKeys(current) ? [] : labels.queries;
    brush.fillStyle = inks.paper;
    brush.fillRect(0, 0, layout.labels, layout.height);
    paintLabels(pen, first, rows, layout.labels - 8, layout.labels - 12);
  }

  /** Paints a matrix with its title, which begins at `left`: above the matrix, where it is seen. */
  private paintBox(
    pen: Pen,
    box: Box,
    picture: Picture,
    { chosen, left }: { chosen: boolean; left: number },
  ): void {
    const { brush, inks } = pen;
    const { plot, step, rows, columns } = box;
    const symbol = symbolOf(step, this.labels);
    pen.words(TITLE, chosen ? inks.accent : inks.ink, "left", "alphabetic", "bold");
    const beside = left + pen.measure(symbol) + 8;
    const end = plot.x + box.room - AFTER;
    if (beside <= end) brush.fillText(symbol, left, 20);
    const write = (words: string, x: number, y: number): void =>
      brush.fillText(fitLabel(words, end - x, pen.measure), x, y);
    pen.words(SMALL, inks.muted, "left", "alphabetic");
    write(`${rows} × ${columns}   ${picture.range}`, beside, 20);
    write(stepName(step, this.labels), left, 37);
    brush.imageSmoothingEnabled = false;
    if (picture.image) brush.drawImage(picture.image, plot.x, plot.y, plot.width, plot.height);
  }

  /** The number of bands of a matrix, and of heads per band: heads may share keys and values. */
  private bandsOf(columns: number): { count: number; shared: number } {
    const { heads } = this;
    const queryColumns = this.tensorOf("query")?.shape[1] ?? columns;
    const count = Math.max(1, Math.round((columns * heads) / Math.max(1, queryColumns)));
    return { count, shared: Math.max(1, Math.round(heads / count)) };
  }

  private paintBands(pen: Pen, { plot, columns }: Box): void {
    const { brush, inks } = pen;
    const { heads } = this;
    const head = this.head?.head ?? 0;
    const { count, shared } = this.bandsOf(columns);
    const width = plot.width / count;
    for (let band = 0; band < count; band += 1) {
      const x = plot.x + band * width;
      const first = band * shared;
      const own = head >= first && head < first + shared;
      brush.save();
      brush.globalAlpha = PALE;
      if (!own) pen.fill({ ...plot, x, width }, inks.paper);
      brush.restore();
      brush.fillStyle = headHue(own ? head : first, heads, inks.ground);
      brush.fillRect(x + 0.5, plot.y - (own ? 7 : 5), width - 1, own ? 5 : 3);
      const ink = own ? inks.ink : inks.muted;
      pen.words(SMALL, ink, "center", "alphabetic", own ? "bold" : "normal");
      const label = shared > 1 ? `${first + 1}–${first + shared}` : String(first + 1);
      if (width >= PITCH || own) brush.fillText(label, x + width / 2, plot.y - 10);
    }
  }

  protected override updated(): void {
    const { layout, offset, frame } = this;
    if (!layout) return;
    const { width } = this.size;
    const current = this.shown?.step ?? null;
    this.paintLayers(
      { width, height: layout.height },
      [layout, this.scaledWith, this.colours, offset, this.labels, current, this.head?.head],
      (pen) => this.paint(pen, layout, this.steps, current, offset, width),
      (pen) => this.paintMarks(pen, layout, offset, width),
    );
    const held = this.inside(this.held);
    this.memo("revealed", [layout, held?.step, held?.row, held?.column], () => {
      const smoothly = this.revealedIn === layout && !this.player.isStill;
      this.revealedIn = layout;
      if (!held || !frame) return;
      const left = scrollToStep(layout, held, frame.scrollLeft, width);
      const behavior = smoothly ? "smooth" : "auto";
      if (left !== frame.scrollLeft) frame.scrollTo({ left, behavior });
    });
  }

  private paintMarks(pen: Pen, layout: StripLayout, from: number, width: number): void {
    const { brush, inks } = pen;
    const { shown, head, explanation } = this;
    const sources = (explanation ? runsOf(explanation) : []).filter(
      ({ place: { stack, layer, head: of, step } }) =>
        stack === head?.stack && layer === head.layer && (of === head.head || !isPattern(step)),
    );
    brush.save();
    brush.beginPath();
    brush.rect(layout.labels, 0, width - layout.labels, layout.height);
    brush.clip();
    brush.translate(-from, 0);
    pen.line(inks.ink, 1.5);
    for (const { place, rows, columns } of sources)
      for (const rect of rectsOf(layout, place, rows, columns)) pen.frame(rect, 1.5);
    pen.line(inks.accent, 2);
    if (shown) for (const rect of rectsOf(layout, shown)) pen.frame(rect, 2.5);
    brush.restore();
  }

  private hover(cell: StepCell | null): void {
    const axes = ["step", "row", "column"] as const;
    if (axes.every((axis) => this.hovered?.[axis] === cell?.[axis])) return;
    this.hovered = cell;
    emit(this, "headscope-number-hover", cell);
  }

  private lock(cell: StepCell): void {
    this.hover(null);
    emit(this, "headscope-number-hold", cell);
  }

  private skip(by: number): boolean {
    const to = this.index + by;
    if (to < 0 || to >= this.steps.length) return false;
    this.goTo(to);
    return true;
  }

  /** Locks the same token in another step, in the band of the head if there are bands. */
  private goTo(index: number): void {
    const to = this.steps[index];
    if (!to) return;
    const { step, tensor } = to;
    const [rows = 1, columns = 1] = tensor.shape;
    const { row, column } = this.shown ?? { row: 0, column: 0 };
    const { count, shared } = this.bandsOf(columns);
    const wide = Math.floor(columns / count);
    const band = Math.floor((this.head?.head ?? 0) / shared);
    const own = isBanded(step) ? band * wide + (column % wide) : Math.min(column, columns - 1);
    this.lock({ step, row: Math.min(row, rows - 1), column: own });
  }

  private under(event: MouseEvent): StepCell | null {
    const at = this.pointOf(event);
    if (!at || !this.layout || at.x < this.layout.labels) return null;
    return stepCellAt(this.layout, { x: at.x + this.offset, y: at.y });
  }

  private readonly moved = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") this.hover(this.under(event));
  };

  private readonly clicked = (event: MouseEvent): void => {
    const cell = this.under(event);
    if (!cell) return;
    this.player.stop();
    this.lock(cell);
  };

  private readonly pressed = keyListener((key) => {
    const { shown, steps } = this;
    const from = shown ?? { step: steps[0]?.step ?? "input", row: 0, column: 0 };
    const [rows = 1, columns = 1] = this.tensorOf(from.step)?.shape ?? [];
    const to = moveInGrid(key, from, rows, columns);
    if (to) this.lock({ step: from.step, ...to });
    else if (key === ",") this.skip(-1);
    else if (key === ".") this.skip(1);
    else if (key === "Enter" && shown) this.lock(shown);
    else if (key.toLowerCase() === "t" && !this.plain) emit(this, "headscope-number-trace", null);
    else if (key === "Escape") emit(this, "headscope-number-back", null);
    else return false;
    return true;
  });
}
