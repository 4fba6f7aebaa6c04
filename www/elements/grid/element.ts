import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { ROLES, type HeadMeasures, type Palette } from "../../data/index.js";
import type { Role, Stack, Tensor } from "../../data/index.js";
import { formatFixed, language, message } from "../../i18n/index.js";
import { emit, type HeadDetail } from "../events.js";
import { COUNT, CheckedElement, HEAD, NUMBER, PALETTE, STACK } from "../shared/checked.js";
import { TEXT, given, listOf, orNull, record, tensor } from "../shared/checked.js";
import { InkController, SizeController, define } from "../shared/controllers.js";
import { isShortcut, moveInGrid } from "../shared/grid-navigation.js";
import { styled } from "../shared/templates.js";
import { headsTable } from "./table.js";
import { paintThumbnails, thumbnailRoom } from "./thumbnail.js";

/** A head in a list, with a few words below its picture. */
export interface RankedHead extends HeadDetail {
  note: string;
}

/** The role of a head and its score; `none` and null where it reaches no threshold. */
export interface HeadRole {
  role: Role | "none";
  score: number | null;
}

/** What the buttons of a head show. */
interface PicturedHead extends HeadDetail {
  silenced: boolean;
  caption: string | undefined;
  note: string | undefined;
  /** Whether the Tab key reaches it. */
  reached: boolean;
  selected: boolean;
}

/** Widths of the styles, in CSS pixels: the widest picture of the table and of the list, the number of a row, and a gap. */
const WIDTH = { table: 60 - 4, list: 72, number: 16, gap: 4 };
/** The least widths of a picture for the name of a role and for a score below it. */
const LEAST = { name: 50, score: 24 };
const DIGITS = 2;

const same = (one: HeadDetail | null, layer: number, head: number): boolean =>
  one?.layer === layer && one.head === head;

const gridStyles = css`
  .role {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 4px;
    margin-top: 3px;
    font-size: 11px;
    line-height: 13px;
    white-space: nowrap;
  }
  .row:has(.role) {
    align-items: start;
  }
  .grid .role {
    flex-direction: column;
    align-items: center;
  }
  /* All rows of a table have one height. */
  .grid .role.scored {
    min-height: 26px;
  }
  :is(.role.none, .score, .legend, .number, .note) {
    color: var(--_muted);
  }
  .selected .role {
    color: var(--_accent);
  }
  .silenced .role {
    text-decoration: line-through;
  }
  .legend {
    margin-top: 12px;
    font-size: 12px;
  }
  .signs {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
  }
  .sign b {
    color: var(--_ink);
  }
  .whole {
    position: relative;
  }
  /* Below the cells, which are transparent. Its colour is the background of the pictures. */
  canvas {
    color: var(--_cell);
    pointer-events: none;
  }
  .grid {
    display: grid;
    gap: 8px;
    max-width: calc(20px + var(--heads) * 60px);
  }
  .row {
    display: grid;
    grid-template-columns: 16px repeat(var(--heads), minmax(0, 1fr));
    gap: 4px;
    align-items: center;
  }
  .number {
    font-size: 12px;
    text-align: center;
  }
  [role="rowheader"] {
    text-align: left;
  }
  .list {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(72px, 1fr));
    gap: 12px 8px;
    max-width: 480px;
    font-size: 12px;
    line-height: 1.35;
    text-align: center;
  }
  .place,
  .note {
    display: block;
    white-space: nowrap;
  }
  .place {
    margin-top: 4px;
  }
  .cell {
    position: relative;
    aspect-ratio: 1;
  }
  .head {
    display: block;
    width: 100%;
    height: 100%;
    min-height: 0;
    padding: 0;
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--_line);
  }
  .head:hover {
    box-shadow: 0 0 0 1px var(--_muted);
  }
  /* The accent marks the selected head. */
  .head:focus-visible {
    outline-color: var(--_ink);
  }
  .cell:focus-within {
    z-index: 1;
  }
  .selected .head {
    box-shadow: 0 0 0 2px var(--_accent);
  }
  /* A no-entry sign. A hidden one does not take the pointer. */
  .silence {
    --_disk: var(--_paper);
    --_edge: var(--_muted);
    position: absolute;
    z-index: 1;
    top: -5px;
    right: -5px;
    width: 17px;
    height: 17px;
    min-height: 0;
    padding: 1px;
    pointer-events: none;
  }
  .silence::before {
    content: "";
    display: block;
    height: 100%;
    border: 1px solid var(--_edge);
    border-radius: 50%;
    background: linear-gradient(var(--_mark, var(--_edge)) 0 0) center / 54% 2px no-repeat var(--_disk);
    /* Not transparent, which would be a layer for every sign. */
    visibility: hidden;
  }
  .silence:hover {
    --_edge: var(--_accent);
  }
  .silenced .silence {
    --_disk: var(--_accent);
    --_edge: var(--_accent);
    --_mark: var(--_paper);
  }
  :is(.selected, .silenced) .silence {
    pointer-events: auto;
  }
  :is(.selected, .silenced) .silence::before {
    visibility: visible;
  }
  @media not (pointer: coarse) {
    .cell:is(:hover, :focus-within) .silence {
      pointer-events: auto;
    }
    .cell:is(:hover, :focus-within) .silence::before {
      visibility: visible;
    }
  }
  @media (pointer: coarse) {
    .silence {
      width: 26px;
      height: 26px;
      padding: 4px;
    }
  }
`;

/**
 * All heads of a stack, layers down, heads across, each with a small picture of its pattern; or some of them as a list.
 *
 * @fires headscope-head-hover - the head under the pointer or the keyboard, or null
 * @fires headscope-head-select - the head to select
 * @fires headscope-head-toggle - the head to ablate or to restore
 * @fires headscope-head-solo - the head of whose layer all others are to be ablated, or restored
 */
export class HeadscopeGrid extends CheckedElement {
  static override styles = gridStyles;

  /** Shape `[layer, head, size, size]`. */
  @given(orNull(tensor("layer", "head", "query", "key"))) thumbnails: Tensor | null = null;
  @given(orNull(HEAD)) selected: HeadDetail | null = null;
  @given(listOf(HEAD)) silenced: HeadDetail[] = [];
  /** The tooltip of each head, by layer and head; null for none. */
  @given(orNull(listOf(listOf(TEXT)))) captions: readonly (readonly string[])[] | null = null;
  /** The role below the picture of each head, by layer and head; null where unknown. */
  @given(orNull(listOf(listOf(record({ role: TEXT, score: orNull(NUMBER) })))))
  worn: readonly (readonly HeadRole[])[] | null = null;
  /** The measures of each head on the present text, for the table; null where unknown. */
  @given(orNull(listOf(HEAD))) measures: readonly HeadMeasures[] | null = null;
  /** The heads to show, in this order; null for all of them in their places. */
  @given(orNull(listOf(record({ layer: COUNT, head: COUNT, note: TEXT }))))
  order: readonly RankedHead[] | null = null;
  @given(STACK) stack: Stack = "encoder";
  @given(PALETTE) colours: Palette = "blue";

  /** The head at the keyboard: the selected one until an arrow key moves on. */
  @state() private stop: HeadDetail | null = null;
  @state() private tableShown = false;

  private readonly inkController = new InkController(this);
  private readonly size = new SizeController(this, "both");

  private get layers(): number {
    return this.thumbnails?.shape[0] ?? 0;
  }

  private get heads(): number {
    return this.thumbnails?.shape[1] ?? 0;
  }

  /** The heads of the list that have a picture: the order may be older than the thumbnails. */
  private get listed(): readonly RankedHead[] | null {
    return (
      this.order?.filter(({ layer, head }) => layer < this.layers && head < this.heads) ?? null
    );
  }

  /** The one head that the Tab key reaches; `stop` may be a head of an earlier, larger model. */
  private get reached(): HeadDetail {
    const { layer, head } = this.stop ?? { layer: 0, head: 0 };
    const { listed } = this;
    if (listed) return listed.find((one) => same(one, layer, head)) ?? listed[0] ?? { layer, head };
    return { layer: Math.min(layer, this.layers - 1), head: Math.min(head, this.heads - 1) };
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("selected")) this.stop = this.selected;
  }

  protected override render(): TemplateResult {
    if (this.layers === 0 || this.heads === 0)
      return html`<p class="empty" part="empty">${message("figure.empty")}</p>`;
    const { listed } = this;
    return html`
      <div class="whole">
        <canvas part="canvas" aria-hidden="true"></canvas>
        ${listed ? this.list(listed) : this.cells()}
      </div>
      ${this.worn && listed?.length !== 0 ? this.renderLegend(this.worn) : nothing}
      <p id="help" class="visually-hidden">${message("grid.help")}</p>
      ${listed?.length === 0 ? nothing : this.renderTable(listed ?? this.all)}
    `;
  }

  private get all(): HeadDetail[] {
    const { layers, heads } = this;
    return Array.from({ length: layers * heads }, (_, at) => ({
      layer: Math.floor(at / heads),
      head: at % heads,
    }));
  }

  private renderTable(heads: readonly HeadDetail[]): TemplateResult {
    const { tableShown, captions, measures, silenced, selected, stack } = this;
    const toggle = (): void => {
      this.tableShown = !tableShown;
    };
    return html`<div class="foot" part="foot">
        <button part="button" aria-expanded=${tableShown} @click=${toggle}>${message(tableShown ? "grid.hideTable" : "grid.showTable")}</button>
      </div>
      ${tableShown ? headsTable({ heads, captions, measures, silenced, selected, stack }) : nothing}`;
  }

  private cells(): TemplateResult {
    const heads = Array.from({ length: this.heads }, (_, head) => head);
    const layers = Array.from({ length: this.layers }, (_, layer) => layer);
    const column = (head: number): TemplateResult =>
      html`<span role="columnheader" class="number" part="label" aria-label=${message("grid.head", { head: head + 1 })}>${head + 1}</span>`;
    const row = (layer: number): TemplateResult =>
      html`<div class="row" role="row">
        <span role="rowheader" class="number" part="label" aria-label=${message("grid.layer", { layer: layer + 1 })}>${layer + 1}</span>
        ${heads.map((head) => this.cell(layer, head))}
      </div>`;
    return html`<div
      class="grid"
      role="grid"
      style=${styled({ "--heads": `${this.heads}` })}
      aria-label=${message("grid.label", { stack: message(`stack.${this.stack}`) })}
      aria-describedby="help"
      @keydown=${this.pressed}
      @pointerleave=${this.left}
      @focusout=${this.left}
    >
      <div class="row" role="row"><span role="gridcell"></span>${heads.map(column)}</div>
      ${layers.map(row)}
    </div>`;
  }

  private cell(layer: number, head: number): TemplateResult {
    return html`<div role="gridcell" part="head" aria-selected=${same(this.selected, layer, head)} class=${classMap(this.headClasses(layer, head))}>
      <div class="cell">${this.picture(layer, head)}</div>
      ${this.roleBelow(layer, head)}
    </div>`;
  }

  private list(heads: readonly RankedHead[]): TemplateResult {
    const item = ({ layer, head, note }: RankedHead): TemplateResult =>
      html`<li part="head" class=${classMap(this.headClasses(layer, head))}>
        <div class="cell">${this.picture(layer, head, note)}</div>
        <span class="place" part="label" aria-hidden="true">${message("grid.place", { layer: layer + 1, head: head + 1 })}</span>
        ${this.roleBelow(layer, head)}
        <span class="note" aria-hidden="true">${note}</span>
      </li>`;
    return html`<ul
      class="list"
      role="list"
      aria-label=${message("grid.list", { stack: message(`stack.${this.stack}`), count: heads.length })}
      aria-describedby="help"
      @keydown=${this.pressed}
      @pointerleave=${this.left}
      @focusout=${this.left}
    >
      ${repeat(heads, ({ layer, head }) => `${layer}.${head}`, item)}
    </ul>`;
  }

  private headClasses(layer: number, head: number): Record<string, boolean> {
    return { selected: same(this.selected, layer, head), silenced: this.isSilenced(layer, head) };
  }

  /** How a role is written below a picture: as its name, or as a sign that a legend explains, with or without a score. */
  private get form(): "names" | "signs" | "bare" {
    const shared = (this.size.width - WIDTH.number) / this.heads - WIDTH.gap;
    const width = this.listed ? WIDTH.list : Math.min(WIDTH.table, shared);
    return width >= LEAST.name ? "names" : width >= LEAST.score ? "signs" : "bare";
  }

  /** The role below a head, hidden from screen readers because the button of the head names it. */
  private roleBelow(layer: number, head: number): DirectiveResult | typeof nothing {
    const own = this.worn?.[layer]?.[head];
    const caption = this.captions?.[layer]?.[head];
    const { form } = this;
    if (!own) return nothing;
    return guard([language(), own, form, caption], () => {
      const { role, score } = own;
      const word = message(form === "names" ? `role.${role}.short` : `role.${role}.sign`);
      return html`<span class=${classMap({ role: true, scored: form !== "bare", none: role === "none" })} aria-hidden="true" title=${caption ?? nothing}><span>${word}</span>${score === null || form === "bare" ? nothing : html` <span class="score">${formatFixed(score, DIGITS)}</span>`}</span>`;
    });
  }

  /** The legend of the roles: the name of every sign that occurs. */
  private renderLegend(roles: readonly (readonly HeadRole[])[]): TemplateResult {
    const { form } = this;
    const present = new Set(roles.flat().map(({ role }) => role));
    const sign = (role: HeadRole["role"]): TemplateResult =>
      html`<span class="sign"><b>${message(`role.${role}.sign`)}</b> ${message(role === "none" ? "roles.none" : `role.${role}`)}</span>`;
    const known = [...ROLES.map(({ role }) => role), "none" as const];
    const signs = known.filter((role) => present.has(role)).map(sign);
    return html`<p class="legend" part="legend">
      ${message(form === "bare" ? "grid.signs" : "grid.worn")}
      ${form === "names" ? nothing : html`<span class="signs">${signs}</span>`}
    </p>`;
  }

  private isSilenced(layer: number, head: number): boolean {
    return this.silenced.some((one) => same(one, layer, head));
  }

  /** The two buttons of a head; a keystroke renders none of the hundreds of heads again. */
  private picture(layer: number, head: number, note?: string): DirectiveResult {
    const pictured = {
      layer,
      head,
      silenced: this.isSilenced(layer, head),
      caption: this.captions?.[layer]?.[head],
      note,
      reached: same(this.reached, layer, head),
      selected: same(this.selected, layer, head),
    };
    return guard([language(), this.heads, ...Object.values(pictured)], () =>
      this.buttons(pictured),
    );
  }

  /** Only in a list, which has no cells, the button itself is marked as selected. */
  private buttons(pictured: PicturedHead): TemplateResult {
    const { layer, head, silenced, caption, note, reached, selected } = pictured;
    const place = { layer: layer + 1, head: head + 1 };
    const name = message(silenced ? "grid.cellSilenced" : "grid.cell", place);
    const words = [caption, note].filter((word) => word !== undefined && word !== "").join(", ");
    return html`<button
        class="head"
        data-at="${layer}.${head}"
        tabindex=${reached ? 0 : -1}
        title=${caption ?? nothing}
        aria-current=${note !== undefined && selected ? "true" : nothing}
        aria-label=${words === "" ? name : message("grid.captioned", { cell: name, caption: words })}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== "touch") emit(this, "headscope-head-hover", { layer, head });
        }}
        @focus=${() => {
          this.stop = { layer, head };
          emit(this, "headscope-head-hover", { layer, head });
        }}
        @click=${() => emit(this, "headscope-head-select", { layer, head })}
        @dblclick=${() => emit(this, "headscope-head-solo", { layer, head, heads: this.heads })}
      ></button>
      <button
        class="silence"
        tabindex="-1"
        title=${message(silenced ? "head.wake" : "head.silence")}
        aria-label=${message("grid.silence", place)}
        aria-pressed=${silenced}
        @click=${() => emit(this, "headscope-head-toggle", { layer, head })}
      ></button>`;
  }

  /** Paints the pictures again only when they, their places or their style have changed. */
  protected override updated(): void {
    const { thumbnails, colours, listed, silenced, heads } = this;
    const { width, height, ratio } = this.size;
    const { inks } = this.inkController;
    const canvas = this.renderRoot.querySelector("canvas");
    if (!thumbnails || !canvas) return;
    const room = this.memo(
      "room",
      [canvas, this.layers, heads, this.order, this.worn, width, height, ratio],
      () => {
        const buttons = (listed ?? this.all).flatMap(({ layer, head }) => {
          const element = this.buttonOf(layer, head);
          return element ? [{ element, index: layer * heads + head }] : [];
        });
        return thumbnailRoom(canvas, buttons);
      },
    );
    const cell = this.memo("cell", [canvas, inks], () => getComputedStyle(canvas).color);
    this.memo("painted", [canvas, thumbnails, room, silenced, colours, inks], () => {
      const quiet = new Set(silenced.map(({ layer, head }) => layer * heads + head));
      const sheet = { thumbnails, colours, ground: inks.ground, cell, ratio };
      paintThumbnails(canvas, room, quiet, sheet);
    });
  }

  private readonly left = (): void => {
    emit(this, "headscope-head-hover", null);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    if (isShortcut(event)) return;
    const to = this.stepTo(event.key);
    if (to) this.buttonOf(to.layer, to.head)?.focus();
    else if (event.key === "s" || event.key === "Delete")
      emit(this, "headscope-head-toggle", this.reached);
    else if (event.key === "o")
      emit(this, "headscope-head-solo", { ...this.reached, heads: this.heads });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** The head to which a moving key leads; undefined for other keys. */
  private stepTo(key: string): HeadDetail | undefined {
    const { reached, listed, columns } = this;
    if (!listed) {
      const from = { row: reached.layer, column: reached.head };
      const step = moveInGrid(key, from, this.layers, this.heads);
      return step ? { layer: step.row, head: step.column } : undefined;
    }
    const at = listed.findIndex((one) => same(one, reached.layer, reached.head));
    const from = { row: Math.floor(at / columns), column: at % columns };
    const step = moveInGrid(key, from, Math.ceil(listed.length / columns), columns);
    return step ? (listed[step.row * columns + step.column] ?? listed.at(-1)) : undefined;
  }

  /** The number of columns of the list. */
  private get columns(): number {
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>("li")];
    return Math.max(1, items.filter(({ offsetTop }) => offsetTop === items[0]?.offsetTop).length);
  }

  private buttonOf(layer: number, head: number): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-at="${layer}.${head}"]`);
  }
}

define("headscope-grid", HeadscopeGrid);
