import { html, nothing, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import type { Step, StepCell, StepPlace, Tensor } from "../../data/index.js";
import {
  bandsOf,
  isBanded,
  isPattern,
  layoutSteps,
  paintStepMarks,
  paintSteps,
  scrollToStep,
  stepCellAt,
  stepCellsRect,
  type StepMarks,
  type StepsLayout,
  type StepsScene,
} from "../../draw/steps.js";
import { formatValue } from "../../draw/text.js";
import type { Inks, Print } from "../../draw/theme.js";
import { language, message } from "../../i18n/index.js";
import { emit } from "../events.js";
import { baseStyles, stageStyles, tableStyles } from "../shared/base-styles.js";
import { Memo } from "../shared/controllers.js";
import { canvases, FigureParts } from "../shared/figure-parts.js";
import { isShortcut, moveInGrid } from "../shared/grid-navigation.js";
import { styled, tokenLabels } from "../shared/templates.js";
import { BlockFigure, Player } from "./block-figure.js";
import { runsOf } from "./explanation.js";
import { operationOf, symbolOf } from "./formulas.js";
import {
  cellWords,
  printSteps,
  shapesOf,
  stepImages,
  stepKey,
  stepRanges,
  stepTable,
  stepWords,
  type StepLabels,
} from "./labels.js";
import { stepsStyles } from "./styles.js";

const NARROW = 560;
const LABELS = { wide: 96, narrow: 64 };

/**
 * The whole way through a block as a strip of matrices, every one a tensor of the run.
 *
 * @fires headscope-number-hover - the cell under the pointer, or null
 * @fires headscope-number-hold - the cell to look at
 * @fires headscope-number-trace - the cell that is looked at is to be traced one step back
 * @fires headscope-number-back - back to where the trace came from
 */
export class HeadscopeStrip extends BlockFigure {
  static override styles = [baseStyles, stageStyles, tableStyles, stepsStyles];

  @state() private hovered: StepCell | null = null;
  @state() private offset = 0;
  @query(".frame") private frame!: HTMLElement | null;
  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".marks") private marks!: HTMLCanvasElement | null;

  private readonly parts = new FigureParts(this);
  private readonly player = new Player(this, () => this.skip(1));
  private layout: StepsLayout | null = null;
  /** Where a cell was brought into sight last: another strip does not move under the eye. */
  private revealedIn: StepsLayout | null = null;
  private labels: StepLabels = { queries: [], keys: [], typed: false, unusual: [] };
  private readonly placed = new Memo<StepsLayout | null>();
  private readonly named = new Memo<StepLabels>();
  private readonly images = new Memo<StepsScene["images"]>();
  private readonly ranged = new Memo<ReadonlyMap<Step, string>>();
  private readonly painted = new Memo<void>();
  private readonly revealed = new Memo<void>();

  /** The inks that it is painted with on the page. */
  get inks(): Inks {
    return this.parts.inks;
  }

  /** The whole strip apart from the page. Null when there is none. */
  print(inks: Inks): Print | null {
    const { steps, colours } = this;
    const scene = { ...this.scene(stepImages(steps, inks, colours)), current: null };
    return steps.length === 0 ? null : printSteps(steps, scene, inks);
  }

  private get shown(): StepCell | null {
    return this.inside(this.hovered) ?? this.inside(this.held);
  }

  private get index(): number {
    const shown = this.shown?.step;
    const index = this.steps.findIndex(({ step }) => step === shown);
    return Math.max(0, index);
  }

  /** Whether the tokens that are looked at are another text. */
  private get keysApart(): boolean {
    return this.head?.stack === "cross";
  }

  private get ranges(): ReadonlyMap<Step, string> {
    return this.ranged.get([this.steps, language()], () => stepRanges(this.steps));
  }

  private tensorOf(step: Step): Tensor | null {
    return this.steps.find((one) => one.step === step)?.tensor ?? null;
  }

  private inside(cell: StepCell | null): StepCell | null {
    const [rows = 0, columns = 0] = (cell && this.tensorOf(cell.step)?.shape) ?? [];
    return cell && cell.row < rows && cell.column < columns ? cell : null;
  }

  protected override willUpdate(): void {
    const { queries, keys, tokenTypes, unusual, steps, keysApart } = this;
    this.labels = this.named.get([queries, keys, tokenTypes, unusual, language()], () => ({
      queries: tokenLabels(queries),
      keys: tokenLabels(keys),
      typed: tokenTypes > 0,
      unusual,
    }));
    const { width } = this.parts.size;
    const labels = width < NARROW ? LABELS.narrow : LABELS.wide;
    this.layout = this.placed.get([steps, width > 0, labels, keysApart], () =>
      width > 0 ? layoutSteps(shapesOf(steps), labels, keysApart) : null,
    );
  }

  protected override render(): TemplateResult {
    const { steps, layout, shown, parts, moved, clicked, pressed } = this;
    const [first] = steps;
    if (!first) return html`<p class="empty" part="empty">${message("steps.loading")}</p>`;
    const name = message("steps.strip", {
      steps: steps.length,
      rows: first.tensor.shape[0] ?? 0,
      head: (this.head?.head ?? 0) + 1,
      heads: this.heads,
    });
    const spoken = shown
      ? message("steps.reading", {
          cell: cellWords(shown, this.labels),
          value: this.reading(shown),
        })
      : "";
    const left = (): void => this.hover(null);
    const size = (width: number): Record<string, string> =>
      layout ? { width: `${width}px`, height: `${layout.height}px` } : {};
    const content = html`<div class="window" style=${styled(size(parts.size.width))}>${canvases("cells", "marks")}</div>`;
    return html`
      ${this.renderTransport()}
      <div class="frame" @scroll=${() => (this.offset = this.frame?.scrollLeft ?? 0)}>
        ${parts.stage(name, { moved, left, blurred: () => undefined, clicked, pressed }, size(layout?.width ?? 0), content)}
      </div>
      ${parts.heard(message("steps.help"), spoken)} ${parts.foot(nothing, () => this.renderTable())}
    `;
  }

  /** The matrix that is held, or else the first: one that is only pointed at would make thousands of cells on the way to another. */
  private renderTable(): DirectiveResult {
    const { steps, labels } = this;
    const held = this.inside(this.held);
    const of = steps.find(({ step }) => step === held?.step) ?? steps[0];
    const row = held?.row ?? 0;
    return guard([of, row, labels, language()], () => (of ? stepTable(of, row, labels) : nothing));
  }

  private reading({ step, row, column }: StepCell): string {
    const tensor = this.tensorOf(step);
    return formatValue(tensor?.data[row * (tensor.shape[1] ?? 0) + column] ?? NaN);
  }

  private renderTransport(): TemplateResult {
    const { steps, index, player } = this;
    const step = steps[index]?.step ?? "input";
    const position = message("steps.position", {
      index: index + 1,
      count: steps.length,
      step: stepWords(step, this.labels),
    });
    return html`<div class="transport wrap" part="controls">
      ${player.isStill ? null : html`<button class="play edged" part="button" aria-pressed=${player.playing} @click=${() => player.toggle()}>${message(player.playing ? "steps.pause" : "steps.play")}</button>`}
      <button class="edged" part="button" aria-label=${message("steps.previous")} ?disabled=${index === 0} @click=${() => this.skip(-1)}>‹</button>
      <input
        type="range"
        min="1"
        max=${steps.length}
        .value=${String(index + 1)}
        aria-label=${message("steps.step")}
        aria-valuetext=${position}
        @input=${(event: Event) => event.target instanceof HTMLInputElement && this.goTo(Number(event.target.value) - 1)}
      />
      <button class="edged" part="button" aria-label=${message("steps.next")} ?disabled=${index === steps.length - 1} @click=${() => this.skip(1)}>›</button>
      <span class="at">${position}</span>
    </div>`;
  }

  private scene(images: StepsScene["images"]): StepsScene {
    const { labels, steps, head, heads } = this;
    const captions: StepsScene["captions"] = new Map(
      steps.map(({ step }) => [
        step,
        {
          symbol: symbolOf(step, labels),
          words: message(stepKey(step, labels)),
          range: this.ranges.get(step) ?? "",
          operation: operationOf(step, labels),
        },
      ]),
    );
    return {
      images,
      captions,
      rows: labels.queries,
      keys: this.keysApart ? labels.keys : null,
      head: head?.head ?? 0,
      heads,
      current: this.shown?.step ?? null,
    };
  }

  protected override updated(): void {
    const { layout, cells, marks, steps, offset, colours, inks, labels } = this;
    if (!layout || !cells || !marks) return;
    const images = this.images.get([steps, inks, colours], () => stepImages(steps, inks, colours));
    const { width, ratio } = this.parts.size;
    const looks = [images, inks, ratio, language(), labels, this.shown?.step, this.head?.head];
    this.painted.get([cells, layout, offset, width, ...looks], () => {
      const pen = this.parts.pen(cells, width, layout.height);
      if (pen) paintSteps(pen, layout, this.scene(images), offset, width);
    });
    const pen = this.parts.pen(marks, width, layout.height);
    if (pen) paintStepMarks(pen, layout, this.outlined(layout), offset, width);
    const held = this.inside(this.held);
    this.revealed.get([layout, held?.step, held?.row, held?.column], () => {
      if (held) this.reveal(held, this.revealedIn === layout && !this.player.isStill);
      this.revealedIn = layout;
    });
  }

  /** The cell that is looked at, and where the numbers stand that made it. */
  private outlined(layout: StepsLayout): StepMarks {
    const { shown, head, explanation } = this;
    const own = ({ stack, layer, head: of, step }: StepPlace): boolean =>
      stack === head?.stack && layer === head.layer && (of === head.head || !isPattern(step));
    const sources = (explanation ? runsOf(explanation) : [])
      .filter(({ place }) => own(place))
      .map(({ place, rows, columns }) => stepCellsRect(layout, place, rows, columns))
      .filter((rect) => rect !== null);
    return { cell: shown && stepCellsRect(layout, shown), sources };
  }

  private reveal({ step, column }: StepCell, smoothly: boolean): void {
    const { frame, layout } = this;
    if (!frame || !layout) return;
    const left = scrollToStep(layout, step, column, frame.scrollLeft, this.parts.size.width);
    if (left !== frame.scrollLeft) frame.scrollTo({ left, behavior: smoothly ? "smooth" : "auto" });
  }

  private hover(cell: StepCell | null): void {
    const { hovered: from } = this;
    if (from?.step === cell?.step && from?.row === cell?.row && from?.column === cell?.column)
      return;
    this.hovered = cell;
    emit(this, "headscope-number-hover", cell);
  }

  private hold(cell: StepCell): void {
    this.hover(null);
    emit(this, "headscope-number-hold", cell);
  }

  /** Goes some steps on; whether there was one. */
  private skip(by: number): boolean {
    const to = this.index + by;
    if (to < 0 || to >= this.steps.length) return false;
    this.goTo(to);
    return true;
  }

  /** The same token in another step, in the band of the head where there are bands. */
  private goTo(index: number): void {
    const to = this.steps[index];
    if (!to) return;
    const [rows = 1, columns = 1] = to.tensor.shape;
    const { row, column } = this.shown ?? { row: 0, column: 0 };
    const queryColumns = this.tensorOf("query")?.shape[1] ?? columns;
    const { count, shared } = bandsOf(columns, queryColumns, this.heads);
    const wide = Math.floor(columns / count);
    const band = Math.floor((this.head?.head ?? 0) / shared);
    const within = isBanded(to.step)
      ? band * wide + (column % wide)
      : Math.min(column, columns - 1);
    this.hold({ step: to.step, row: Math.min(row, rows - 1), column: within });
  }

  private under(event: MouseEvent): StepCell | null {
    const box = this.marks?.getBoundingClientRect();
    if (!box || !this.layout || event.clientX - box.x < this.layout.labels) return null;
    return stepCellAt(this.layout, event.clientX - box.x + this.offset, event.clientY - box.y);
  }

  private readonly moved = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") this.hover(this.under(event));
  };

  private readonly clicked = (event: MouseEvent): void => {
    const cell = this.under(event);
    if (!cell) return;
    this.player.stop();
    this.hold(cell);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    if (isShortcut(event)) return;
    const { shown } = this;
    const [rows = 1, columns = 1] = (shown && this.tensorOf(shown.step)?.shape) ?? [];
    const to = shown && moveInGrid(event.key, shown, rows, columns);
    if (shown && to) this.hold({ step: shown.step, ...to });
    else if (event.key === ",") this.skip(-1);
    else if (event.key === ".") this.skip(1);
    else if (event.key === "Enter" && shown) this.hold(shown);
    else if (event.key === "t" || event.key === "T") emit(this, "headscope-number-trace", null);
    else if (event.key === "Escape") emit(this, "headscope-number-back", null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
