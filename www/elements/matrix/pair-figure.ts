import { html, unsafeCSS, type CSSResultGroup, type nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Cell, Tensor, Token } from "../../data/index.js";
import { measurer } from "../../draw/text.js";
import type { Sign } from "../../draw/legend.js";
import { labelFont, type Inks, type Print, type PrintRoom } from "../../draw/theme.js";
import { formatNumber, language, message } from "../../i18n/index.js";
import { CELL, given, givenSmall, listOf, orNull, TOKENS } from "../shared/checked.js";
import { emit } from "../events.js";
import { FigureElement, type ClientPoint, type StageListeners } from "../shared/figure.js";
import { keyListener, moveInGrid } from "../shared/grid-navigation.js";
import { styled, tokenLabels } from "../shared/templates.js";
import pairs from "../../styles/pairs.css?inline";

export type Labels = Readonly<Record<keyof Cell, readonly string[]>>;
export type Lengths = Readonly<Record<keyof Cell, number>>;
export const isSameCell = (one: Cell | null, other: Cell | null): boolean =>
  one?.query === other?.query && one?.key === other?.key;

const NARROW = 560;
const LABEL_ROOM = { wide: { query: 112, key: 96 }, narrow: { query: 72, key: 64 } };
/** The room for labels in a file. */
export const PRINT_LABELS: Lengths = { query: 200, key: 200 };
const LEAST_LABEL = 48;

export function labelWidths(labels: Labels, most: Lengths, inks: Inks): Lengths {
  const measure = measurer(labelFont(inks, "bold"));
  const widest = (side: keyof Cell): number => {
    const width = labels[side].reduce((longest, label) => Math.max(longest, measure(label)), 0);
    return Math.min(most[side], Math.ceil(width));
  };
  return { query: Math.max(widest("query"), LEAST_LABEL), key: widest("key") };
}

export function renderSigns(signs: readonly Sign[]): TemplateResult {
  return html`${signs.map(
    ({ kind, words, colour }) =>
      html`<span class="sign" part="legend"
        ><i class=${kind} style=${styled(colour ? { background: colour } : {})}></i>${words}</span
      >`,
  )}`;
}

export const pairStyles = unsafeCSS(pairs);

/**
 * A figure about pairs of a query and a key: the pair in focus, its description, keyboard and
 * table.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to lock, or null to unlock
 * @fires headscope-cell-toggle - the pair to block or to allow again
 */
export abstract class PairFigure extends FigureElement {
  static override styles: CSSResultGroup = pairStyles;
  @given(TOKENS) queries: Token[] = [];
  @given(TOKENS) keys: Token[] = [];
  /**
   * Cells that the user blocked, hatched in the accent colour; null where none can be blocked, so
   * that no key is named for it.
   */
  @given(orNull(listOf(CELL))) blocked: Cell[] | null = null;
  /** Whether cells can only be locked, though some are blocked. */
  @property({ type: Boolean }) plain = false;
  /** Rows in which every key is masked. */
  @givenSmall(listOf("count")) fullyMasked: number[] = [];
  /**
   * The name of the key without which weights were renormalised; empty for the model's own weights.
   */
  @property() without = "";
  /** The rows that have no weight left without the key `without`. */
  @givenSmall(listOf("count")) emptied: number[] = [];
  @givenSmall(orNull(CELL)) focused: Cell | null = null;
  @givenSmall(orNull(CELL)) locked: Cell | null = null;
  /** Whether a click toggles a cell instead of locking it. */
  @property({ type: Boolean }) blocking = false;
  /**
   * The preferred height of the cells in CSS pixels; a long text grows beyond it rather than lose
   * its labels.
   */
  @property({ type: Number, attribute: "comfortable-height" }) comfortableHeight = 440;
  /**
   * The most height of cells or rows with their labels, sums and legend, in CSS pixels; null where
   * the figure grows instead.
   */
  @property({ attribute: false }) highest: number | null = null;
  @state() hovered: Cell | null = null;
  /** Whether the last pointer was a finger, not a mouse. */
  @state() touched = false;
  protected labels: Labels = { query: [], key: [] };
  protected readonly listeners: StageListeners = {
    moved: (event) => {
      this.touched = event.pointerType === "touch";
      if (!this.touched) this.hover(this.cellUnder(event));
    },
    left: () => this.hover(null),
    clicked: (event) => {
      const cell = this.cellUnder(event);
      if (!cell) return;
      if (this.blocking) emit(this, "headscope-cell-toggle", cell);
      else emit(this, "headscope-cell-lock", isSameCell(cell, this.locked) ? null : cell);
    },
    pressed: keyListener((key) => {
      if (this.rows === 0 || this.columns === 0) return false;
      const { cursor } = this;
      const step = this.step(key);
      if (step) this.hover(step);
      else if (key === "Enter" || key === " ") emit(this, "headscope-cell-lock", cursor);
      else if ((key === "b" || key === "x") && this.blocks)
        emit(this, "headscope-cell-toggle", cursor);
      else if (key === "Escape") {
        emit(this, "headscope-cell-lock", null);
        this.hover(null);
      } else return false;
      return true;
    }),
  };

  hover(cell: Cell | null): void {
    if (isSameCell(cell, this.hovered)) return;
    this.hovered = cell;
    emit(this, "headscope-cell-hover", cell);
  }

  protected abstract get matrix(): Tensor | null;
  protected abstract get name(): string;
  protected abstract reading(cell: Cell): string;
  protected abstract renderPicture(): TemplateResult;
  protected abstract renderFoot(): TemplateResult | typeof nothing;
  protected abstract renderTable(matrix: Tensor): TemplateResult | typeof nothing;
  abstract cellUnder(event: ClientPoint): Cell | null;
  /**
   * The picture for files, in its own size, without marks of the pointer. Null when there is none.
   */
  abstract print(inks: Inks, room?: PrintRoom): Print | null;

  /** Whether a key blocks a cell. */
  private get blocks(): boolean {
    return this.blocking || (this.blocked !== null && !this.plain);
  }

  /** What keys do, apart from the key that blocks a cell. */
  protected get keysHelp(): string {
    return message("figure.help");
  }

  protected get help(): string {
    const { keysHelp } = this;
    return this.blocks ? `${keysHelp} ${message("figure.helpBlock")}` : keysHelp;
  }

  get rows(): number {
    return this.matrix?.shape[0] ?? 0;
  }

  get columns(): number {
    return this.matrix?.shape[1] ?? 0;
  }

  protected get sizes(): { queries: string; keys: string } {
    return { queries: formatNumber(this.rows), keys: formatNumber(this.columns) };
  }

  /**
   * The matrix, if the labels match its shape; a picture needs both, and theme colours, which the
   * first rendering has.
   */
  protected get drawn(): Tensor | null {
    const isLabelled = this.queries.length === this.rows && this.keys.length === this.columns;
    return isLabelled ? this.matrix : null;
  }

  get cursor(): Cell {
    const { query, key } = this.hovered ?? this.focused ?? this.locked ?? { query: 0, key: 0 };
    return { query: Math.min(query, this.rows - 1), key: Math.min(key, this.columns - 1) };
  }

  step(key: string): Cell | null {
    const { query: row, key: column } = this.cursor;
    const to = moveInGrid(key, { row, column }, this.rows, this.columns);
    return to && { query: to.row, key: to.column };
  }

  protected inside(cell: Cell | null): Cell | null {
    return cell && cell.query < this.rows && cell.key < this.columns ? cell : null;
  }

  protected get shown(): Cell | null {
    return this.inside(this.hovered) ?? this.inside(this.focused) ?? this.inside(this.locked);
  }

  protected get tipped(): Cell | null {
    return this.inside(this.hovered) ?? (this.touched ? this.inside(this.locked) : null);
  }

  protected words(cell: Cell): { query: string; key: string; value: string } {
    const { query, key } = this.labels;
    const value = this.reading(cell);
    return { query: query[cell.query] ?? "", key: key[cell.key] ?? "", value };
  }

  protected isBlocked(cell: Cell): boolean {
    return this.blocked?.some((one) => isSameCell(one, cell)) ?? false;
  }

  protected get weightsTitle(): string {
    return message(this.without === "" ? "stage.weights" : "lens.renormalised");
  }

  /**
   * Why a pair has no weight of its own: blocked by the user, or in an empty row; null for any
   * other.
   */
  protected reasonOf(cell: Cell): string | null {
    if (this.isBlocked(cell)) return message("figure.blockedCell");
    if (this.emptied.includes(cell.query)) return message("lens.emptied", { token: this.without });
    return this.fullyMasked.includes(cell.query) ? message("figure.emptyRow") : null;
  }

  protected get emptyRows(): number[] {
    const { fullyMasked, emptied } = this;
    return this.memo("empty", [fullyMasked, emptied], () => [...fullyMasked, ...emptied]);
  }

  protected blockedSign(): Sign[] {
    const words = message("figure.blockedCell");
    return this.blocked?.length ? [{ kind: "blocked", words }] : [];
  }

  protected get room(): Lengths {
    return this.size.width < NARROW ? LABEL_ROOM.narrow : LABEL_ROOM.wide;
  }

  protected override willUpdate(): void {
    const { queries, keys } = this;
    this.labels = this.memo("labels", [queries, keys, language()], () => ({
      query: tokenLabels(queries),
      key: tokenLabels(keys),
    }));
  }

  protected override render(): TemplateResult {
    const { drawn, rows, columns } = this;
    if (rows === 0 || columns === 0) return this.renderEmpty();
    const counts = { rows, columns, queries: this.queries.length, keys: this.keys.length };
    if (!drawn) return html`<p class="empty" part="empty">${message("figure.misfit", counts)}</p>`;
    return html`${this.renderPicture()} ${this.renderSpoken(this.help, this.spoken())}
    ${this.renderBelow(this.renderFoot(), () => this.renderTable(drawn))}`;
  }

  protected spoken(): string {
    return this.shown ? this.sentence(this.shown) : "";
  }

  /** Whether the query of a pair may not attend to its key. */
  protected isClosed(cell: Cell): boolean {
    return this.isBlocked(cell) || this.fullyMasked.includes(cell.query);
  }

  protected sentence(cell: Cell): string {
    const key = this.isClosed(cell) ? "figure.cellMasked" : "figure.cell";
    return message(key, this.words(cell));
  }
}
