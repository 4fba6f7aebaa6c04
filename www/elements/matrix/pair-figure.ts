import { html, type nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Cell, Tensor, Token } from "../../data/index.js";
import type { Sign } from "../../draw/legend.js";
import { LABEL_SIZE, labelFont, type Inks, type Print } from "../../draw/theme.js";
import { language, message } from "../../i18n/index.js";
import { CELL, CheckedElement, COUNT, given, listOf, orNull, TOKENS } from "../shared/checked.js";
import { Memo } from "../shared/controllers.js";
import { FigureParts } from "../shared/figure-parts.js";
import { moveInGrid } from "../shared/grid-navigation.js";
import { type Styles, tokenLabels } from "../shared/templates.js";
import { measurer } from "./canvas.js";
import { MatrixPointer, type MatrixPad } from "./gestures.js";

interface Labels {
  queries: string[];
  keys: string[];
}

/** A length for queries and one for keys, in CSS pixels. */
export interface Lengths {
  query: number;
  key: number;
}

const NARROW = 560;
const LABEL_ROOM = { wide: { query: 112, key: 96 }, narrow: { query: 72, key: 64 } };
const LEAST_LABEL = 48;

/** What the longest labels need, as they will be drawn, but no more than `most`. */
export function labelWidths({ queries, keys }: Labels, most: Lengths, inks: Inks): Lengths {
  const measure = measurer(labelFont(inks, "bold"), LABEL_SIZE);
  const longest = (labels: string[], room: number): number =>
    Math.min(
      room,
      Math.ceil(labels.reduce((widest, label) => Math.max(widest, measure(label)), 0)),
    );
  return {
    query: Math.max(longest(queries, most.query), LEAST_LABEL),
    key: longest(keys, most.key),
  };
}

/** A figure about pairs of a query and a key: which pair it looks at, what it says of it, keyboard and table. */
export abstract class PairFigure extends CheckedElement implements MatrixPad {
  @given(TOKENS) queries: Token[] = [];
  @given(TOKENS) keys: Token[] = [];
  /** Cells that the reader blocked, hatched in the accent. */
  @given(listOf(CELL)) blocked: Cell[] = [];
  /** Rows that may look at nothing. */
  @given(listOf(COUNT)) fullyMasked: number[] = [];
  /** The name of the key without which weights were renormalised; empty where they are the model's own. */
  @property() without = "";
  /** Rows that have nothing left without it. */
  @given(listOf(COUNT)) emptied: number[] = [];
  @given(orNull(CELL)) focused: Cell | null = null;
  @given(orNull(CELL)) locked: Cell | null = null;
  /** While set, a click toggles a cell instead of locking it. */
  @property({ type: Boolean }) blocking = false;

  /** The height in CSS pixels that the cells should keep to; a long text grows beyond it rather than lose its labels. */
  @property({ type: Number, attribute: "comfortable-height" }) comfortableHeight = 440;

  @state() hovered: Cell | null = null;
  @state() touched = false;

  protected readonly parts = new FigureParts(this);
  protected labels: Labels = { queries: [], keys: [] };
  protected readonly pointer = new MatrixPointer(this);
  private readonly named = new Memo<Labels>();
  private readonly empty = new Memo<number[]>();

  /** The numbers of the pairs, `[query, key]`. */
  protected abstract get matrix(): Tensor | null;

  protected abstract get name(): string;

  protected get help(): string {
    return message("figure.help");
  }

  /** What a cell says beside its two tokens. */
  protected abstract reading(cell: Cell): string;

  protected abstract renderPicture(): TemplateResult;

  protected abstract renderFoot(): TemplateResult | typeof nothing;

  protected abstract renderTable(matrix: Tensor): TemplateResult | typeof nothing;

  abstract cellUnder(event: MouseEvent): Cell | null;

  /** The picture apart from the page, in its own size: without what only the pointer shows. Null when there is none. */
  abstract print(inks: Inks): Print | null;

  /** The inks that it is painted with on the page. */
  get inks(): Inks {
    return this.parts.inks;
  }

  get rows(): number {
    return this.matrix?.shape[0] ?? 0;
  }

  get columns(): number {
    return this.matrix?.shape[1] ?? 0;
  }

  /** A matrix whose labels do not match its shape would be read wrongly, so it is not drawn. */
  protected get labelled(): boolean {
    return this.queries.length === this.rows && this.keys.length === this.columns;
  }

  get cursor(): Cell {
    const { query, key } = this.hovered ?? this.focused ?? this.locked ?? { query: 0, key: 0 };
    return { query: Math.min(query, this.rows - 1), key: Math.min(key, this.columns - 1) };
  }

  /** Queries are down the figure and keys across, unless a kind says otherwise. */
  step(key: string): Cell | null {
    const { query: row, key: column } = this.cursor;
    const to = moveInGrid(key, { row, column }, this.rows, this.columns);
    return to && { query: to.row, key: to.column };
  }

  protected inside(cell: Cell | null): Cell | null {
    return cell && cell.query < this.rows && cell.key < this.columns ? cell : null;
  }

  /** `focused = hovered ?? locked`, with the page's own word for it in between. */
  protected get shown(): Cell | null {
    return this.inside(this.hovered) ?? this.inside(this.focused) ?? this.inside(this.locked);
  }

  /** The pair that a small card beside it describes. */
  protected get tipped(): Cell | null {
    return this.inside(this.hovered) ?? (this.touched ? this.inside(this.locked) : null);
  }

  protected words(cell: Cell): { query: string; key: string; value: string } {
    return {
      query: this.labels.queries[cell.query] ?? "",
      key: this.labels.keys[cell.key] ?? "",
      value: this.reading(cell),
    };
  }

  protected isBlocked(cell: Cell): boolean {
    return this.blocked.some(({ query, key }) => query === cell.query && key === cell.key);
  }

  /** What weights are called: whoever reads a changed one must not take it for the model's own. */
  protected get weightsTitle(): string {
    return message(this.without === "" ? "stage.weights" : "lens.renormalised");
  }

  /** Why a row is empty; null for one that is not. */
  protected emptiness(query: number): string | null {
    if (this.emptied.includes(query)) return message("lens.emptied", { token: this.without });
    return this.fullyMasked.includes(query) ? message("figure.emptyRow") : null;
  }

  /** All rows that are empty, for whatever reason. */
  protected get emptyRows(): number[] {
    const { fullyMasked, emptied } = this;
    return emptied.length === 0
      ? fullyMasked
      : this.empty.get([fullyMasked, emptied], () => [...fullyMasked, ...emptied]);
  }

  /** What the hatching in the accent means, where there is any. */
  protected blockedSign(): Sign[] {
    const words = message("figure.blockedCell");
    return this.blocked.length === 0 ? [] : [{ kind: "blocked", words }];
  }

  /** The most that one label may take of a figure's width. */
  protected get room(): Lengths {
    return this.parts.size.width < NARROW ? LABEL_ROOM.narrow : LABEL_ROOM.wide;
  }

  protected override willUpdate(): void {
    const { queries, keys } = this;
    this.labels = this.named.get([queries, keys, language()], () => ({
      queries: tokenLabels(queries),
      keys: tokenLabels(keys),
    }));
  }

  protected override render(): TemplateResult {
    const { matrix, rows, columns } = this;
    const counts = { rows, columns, queries: this.queries.length, keys: this.keys.length };
    if (!matrix || rows === 0 || columns === 0)
      return html`<p class="empty" part="empty">${message("figure.empty")}</p>`;
    if (!this.labelled)
      return html`<p class="empty" part="empty">${message("figure.misfit", counts)}</p>`;
    return html`${this.renderPicture()} ${this.parts.heard(this.help, this.spoken())}
    ${this.parts.foot(this.renderFoot(), () => this.renderTable(matrix))}`;
  }

  /** The place that takes the pointer and the keyboard. */
  protected renderStage(style: Styles, content: TemplateResult): TemplateResult {
    return this.parts.stage(this.name, this.pointer, style, content);
  }

  /** What is said of the pair that the figure looks at. */
  protected spoken(): string {
    const cell = this.shown;
    return cell ? this.sentence(cell) : "";
  }

  /** A cell as it is read aloud. */
  protected sentence(cell: Cell): string {
    return message("figure.cell", this.words(cell));
  }
}
