import { css, html, nothing, type TemplateResult } from "lit";
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
import { figureStyles } from "../shared/base-styles.js";
import { Player } from "../shared/controllers.js";
import { isShortcut, moveInGrid } from "../shared/grid-navigation.js";
import { styled } from "../shared/templates.js";
import { BlockFigure } from "./block-figure.js";
import { runsOf } from "./explanation.js";
import {
  cellWords,
  printSteps,
  shapesOf,
  stepCaptions,
  stepImages,
  stepTable,
  stepWords,
} from "./labels.js";

const stripStyles = css`
  .transport {
    gap: 8px 12px;
    margin-bottom: 12px;
  }

  .transport button {
    min-width: 32px;
  }

  .transport button:disabled {
    color: var(--_muted);
    opacity: 0.55;
    cursor: default;
  }

  .transport input {
    flex: 1 1 160px;
    max-width: 420px;
    accent-color: var(--_accent);
  }

  .at {
    color: var(--_muted);
    font-size: 13px;
  }

  @media (pointer: coarse) {
    .transport button,
    .transport input {
      min-height: 40px;
    }
  }

  .frame {
    overflow-x: auto;
    overflow-y: hidden;
    border-bottom: 1px solid var(--_line);
  }

  .window {
    position: sticky;
    left: 0;
  }
`;

const NARROW = 560;
const LABELS = { wide: 96, narrow: 64 };

/**
 * The computation of a block as a strip of matrices, every one a tensor of the run.
 *
 * @fires headscope-number-hover - the cell under the pointer, or null
 * @fires headscope-number-hold - the cell to lock
 * @fires headscope-number-trace - trace the cell in focus one step back
 * @fires headscope-number-back - return on the trail
 */
export class HeadscopeStrip extends BlockFigure {
  static override styles = [figureStyles, stripStyles];

  @state() private hovered: StepCell | null = null;
  @state() private offset = 0;
  @query(".frame") private frame!: HTMLElement | null;

  private readonly player = new Player(this, () => this.skip(1));
  private layout: StepsLayout | null = null;
  /** The layout of the last reveal: scrolling is smooth only within one layout. */
  private revealedIn: StepsLayout | null = null;

  /** The whole strip for files. Null when there is none. */
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

  /** Whether the keys are another text than the queries. */
  private get keysApart(): boolean {
    return this.head?.stack === "cross";
  }

  private tensorOf(step: Step): Tensor | null {
    return this.steps.find((one) => one.step === step)?.tensor ?? null;
  }

  private inside(cell: StepCell | null): StepCell | null {
    const [rows = 0, columns = 0] = (cell && this.tensorOf(cell.step)?.shape) ?? [];
    return cell && cell.row < rows && cell.column < columns ? cell : null;
  }

  protected override willUpdate(): void {
    const { steps, keysApart } = this;
    const { width } = this.size;
    const labels = width < NARROW ? LABELS.narrow : LABELS.wide;
    this.layout = this.memo("layout", [steps, width > 0, labels, keysApart], () =>
      width > 0 ? layoutSteps(shapesOf(steps), labels, keysApart) : null,
    );
  }

  protected override render(): TemplateResult {
    const { steps, layout, shown, moved, clicked, pressed } = this;
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
    const content = html`<div class="window" style=${styled(size(this.size.width))}>${this.canvases}</div>`;
    return html`
      ${this.renderTransport()}
      <div class="frame" @scroll=${() => (this.offset = this.frame?.scrollLeft ?? 0)}>
        ${this.renderStage(name, { moved, left, blurred: () => undefined, clicked, pressed }, size(layout?.width ?? 0), content)}
      </div>
      ${this.renderSpoken(message("steps.help"), spoken)} ${this.renderBelow(nothing, () => this.renderTable())}
    `;
  }

  /** The table of the locked matrix, or else of the first; not of the hovered one, which would render thousands of cells. */
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
    const captions = this.memo("captions", [steps, labels, language()], () =>
      stepCaptions(steps, labels),
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
    const { layout, cells, overlay, steps, offset, colours, inks, labels } = this;
    if (!layout || !cells || !overlay) return;
    const images = this.memo("images", [steps, inks, colours], () =>
      stepImages(steps, inks, colours),
    );
    const { width, ratio } = this.size;
    const looks = [images, inks, ratio, language(), labels, this.shown?.step, this.head?.head];
    this.memo("painted", [cells, layout, offset, width, ...looks], () => {
      const pen = this.pen(cells, width, layout.height);
      if (pen) paintSteps(pen, layout, this.scene(images), offset, width);
    });
    const pen = this.pen(overlay, width, layout.height);
    if (pen) paintStepMarks(pen, layout, this.outlined(layout), offset, width);
    const held = this.inside(this.held);
    this.memo("revealed", [layout, held?.step, held?.row, held?.column], () => {
      if (held) this.reveal(held, this.revealedIn === layout && !this.player.isStill);
      this.revealedIn = layout;
    });
  }

  /** The cell in focus, and the cells of its terms. */
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
    const left = scrollToStep(layout, step, column, frame.scrollLeft, this.size.width);
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

  /** Moves by some steps; returns whether there was one. */
  private skip(by: number): boolean {
    const to = this.index + by;
    if (to < 0 || to >= this.steps.length) return false;
    this.goTo(to);
    return true;
  }

  /** Locks the same token in another step, in the band of the head where there are bands. */
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
    const at = this.pointOf(event);
    if (!at || !this.layout || at.x < this.layout.labels) return null;
    return stepCellAt(this.layout, at.x + this.offset, at.y);
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
