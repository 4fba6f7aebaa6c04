import { html, nothing, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import type { Step, StepCell, Tensor } from "../../data/index.js";
import {
  bandsOf,
  layoutSteps,
  scrollToStep,
  stepCellAt,
  stepCellsRect,
  isBanded,
  isPattern,
  type StepsLayout,
  paintStepMarks,
  paintSteps,
  type StepCaption,
  type StepMarks,
  type StepsScene,
} from "../../draw/steps.js";
import { formatValue } from "../../draw/text.js";
import type { Print, Inks } from "../../draw/theme.js";
import { LanguageController, language, message } from "../../i18n/index.js";
import { emit } from "../events.js";
import { sizedBrush } from "../matrix/canvas.js";
import { numbersToggle } from "../matrix/table.js";
import { InkController, Memo, SizeController } from "../shared/controllers.js";
import { tableStyles, baseStyles, stageStyles } from "../shared/base-styles.js";
import { isShortcut, moveInGrid } from "../shared/grid-navigation.js";
import { styled, tokenLabels } from "../shared/templates.js";
import { BlockFigure, Player } from "./block-figure.js";
import { runsOf } from "./explanation.js";
import { operationOf, symbolOf } from "./formulas.js";
import {
  stepImages,
  stepRanges,
  printSteps,
  stepTable,
  cellWords,
  stepKey,
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
  @state() private tabled = false;
  @query(".frame") private frame!: HTMLElement | null;
  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".marks") private marks!: HTMLCanvasElement | null;

  private readonly look = new InkController(this);
  private readonly size = new SizeController(this);
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

  constructor() {
    super();
    new LanguageController(this);
  }

  /** The inks that it is painted with on the page. */
  get inks(): Inks {
    return this.look.inks;
  }

  /** The whole strip apart from the page. Null when there is none. */
  print(inks: Inks): Print | null {
    if (this.steps.length === 0) return null;
    return printSteps(
      this.steps,
      { ...this.scene(stepImages(this.steps, inks, this.colours)), current: null },
      inks,
    );
  }

  /** The cell that is looked at. */
  private get shown(): StepCell | null {
    return this.inside(this.hovered) ?? this.inside(this.held);
  }

  private get index(): number {
    const { shown } = this;
    return Math.max(
      0,
      this.steps.findIndex(({ step }) => step === shown?.step),
    );
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
    this.labels = this.named.get(
      [this.queries, this.keys, this.tokenTypes, this.unusual, language()],
      () => ({
        queries: tokenLabels(this.queries),
        keys: tokenLabels(this.keys),
        typed: this.tokenTypes > 0,
        unusual: this.unusual,
      }),
    );
    const { width } = this.size;
    this.layout = this.placed.get([this.steps, width > 0, width < NARROW, this.keysApart], () =>
      width > 0
        ? layoutSteps(
            this.steps.map(
              ({
                step,
                tensor: {
                  shape: [rows = 0, columns = 0],
                },
              }) => ({ step, rows, columns }),
            ),
            width < NARROW ? LABELS.narrow : LABELS.wide,
            this.keysApart,
          )
        : null,
    );
  }

  protected override render(): TemplateResult {
    const { steps, layout, shown, size } = this;
    const [first] = steps;
    if (!first) return html`<p class="empty" part="empty">${message("steps.loading")}</p>`;
    const name = message("steps.strip", {
      steps: steps.length,
      rows: first.tensor.shape[0] ?? 0,
      head: (this.head?.head ?? 0) + 1,
      heads: this.heads,
    });
    return html`
      ${this.renderTransport()}
      <div class="frame" @scroll=${() => (this.offset = this.frame?.scrollLeft ?? 0)}>
        <div
          class="stage"
          part="picture"
          style=${styled(layout ? { width: `${layout.width}px`, height: `${layout.height}px` } : {})}
          role="application"
          tabindex="0"
          aria-label=${name}
          aria-describedby="help"
          @keydown=${this.pressed}
          @pointermove=${this.moved}
          @pointerleave=${() => this.hover(null)}
          @click=${this.clicked}
        >
          <div class="window" style=${styled(layout ? { width: `${size.width}px`, height: `${layout.height}px` } : {})}>
            <canvas class="cells" part="canvas" aria-hidden="true"></canvas>
            <canvas class="marks" part="canvas" aria-hidden="true"></canvas>
          </div>
        </div>
      </div>
      <p id="help" class="heard">${message("steps.help")}</p>
      <div class="foot" part="foot">${numbersToggle(this.tabled, () => (this.tabled = !this.tabled))}</div>
      ${this.tabled ? this.renderTable() : nothing}
      <p class="heard" aria-live="polite">${shown ? message("steps.reading", { cell: cellWords(shown, this.labels), value: this.reading(shown) }) : ""}</p>
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
    return html`<div class="transport" part="controls">
      ${player.isStill ? null : html`<button class="play" part="button" aria-pressed=${player.playing} @click=${() => player.toggle()}>${message(player.playing ? "steps.pause" : "steps.play")}</button>`}
      <button part="button" aria-label=${message("steps.previous")} ?disabled=${index === 0} @click=${() => this.skip(-1)}>‹</button>
      <input
        type="range"
        min="1"
        max=${steps.length}
        .value=${String(index + 1)}
        aria-label=${message("steps.step")}
        aria-valuetext=${position}
        @input=${(event: Event) => event.target instanceof HTMLInputElement && this.goTo(Number(event.target.value) - 1)}
      />
      <button part="button" aria-label=${message("steps.next")} ?disabled=${index === steps.length - 1} @click=${() => this.skip(1)}>›</button>
      <span class="at">${position}</span>
    </div>`;
  }

  private scene(images: StepsScene["images"]): StepsScene {
    const { labels } = this;
    const captionOf = (step: Step): StepCaption => ({
      symbol: symbolOf(step, labels),
      words: message(stepKey(step, labels)),
      range: this.ranges.get(step) ?? "",
      operation: operationOf(step, labels),
    });
    const captions = new Map(this.steps.map(({ step }) => [step, captionOf(step)]));
    return {
      images,
      captions,
      rows: this.labels.queries,
      keys: this.keysApart ? this.labels.keys : null,
      head: this.head?.head ?? 0,
      heads: this.heads,
      current: this.shown?.step ?? null,
    };
  }

  protected override updated(): void {
    const { layout, cells, marks, steps, offset, size, colours } = this;
    if (!layout || !cells || !marks) return;
    const { inks } = this.look;
    const images = this.images.get([steps, inks, colours], () => stepImages(steps, inks, colours));
    const { width, ratio } = size;
    this.painted.get(
      [
        cells,
        layout,
        images,
        offset,
        inks,
        width,
        ratio,
        language(),
        this.labels,
        this.shown?.step,
        this.head?.head,
      ],
      () => {
        const brush = sizedBrush(cells, width, layout.height, ratio);
        if (brush) paintSteps(brush, layout, this.scene(images), inks, offset, width);
      },
    );
    const brush = sizedBrush(marks, width, layout.height, ratio);
    if (brush) paintStepMarks(brush, layout, this.outlined(layout), inks, offset, width);
    const held = this.inside(this.held);
    this.revealed.get([layout, held?.step, held?.row, held?.column], () => {
      if (held) this.reveal(held, this.revealedIn === layout && !this.player.isStill);
      this.revealedIn = layout;
    });
  }

  /** The cell that is looked at, and where the numbers stand that made it. */
  private outlined(layout: StepsLayout): StepMarks {
    const { shown, head, explanation } = this;
    const own = (stack: string, layer: number, of: number, step: Step): boolean =>
      stack === head?.stack && layer === head.layer && (of === head.head || !isPattern(step));
    const runs = explanation
      ? runsOf(explanation).filter(({ place }) =>
          own(place.stack, place.layer, place.head, place.step),
        )
      : [];
    const sources = runs
      .map(({ place, rows, columns }) => stepCellsRect(layout, place, rows, columns))
      .filter((rect) => rect !== null);
    return { cell: shown && stepCellsRect(layout, shown), sources };
  }

  /** Brings a cell into sight. */
  private reveal({ step, column }: StepCell, smoothly: boolean): void {
    const { frame, layout } = this;
    if (!frame || !layout) return;
    const left = scrollToStep(layout, step, column, frame.scrollLeft, this.size.width);
    if (left !== frame.scrollLeft) frame.scrollTo({ left, behavior: smoothly ? "smooth" : "auto" });
  }

  private hover(cell: StepCell | null): void {
    const { hovered } = this;
    if (
      hovered?.step === cell?.step &&
      hovered?.row === cell?.row &&
      hovered?.column === cell?.column
    )
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
    const { count, shared } = bandsOf(
      columns,
      this.tensorOf("query")?.shape[1] ?? columns,
      this.heads,
    );
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
