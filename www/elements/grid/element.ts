import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { HeadMeasures, Palette, Stack, Tensor } from "../../data/index.js";
import { language, message } from "../../i18n/index.js";
import { emit, type HeadDetail } from "../events.js";
import {
  COUNT,
  CheckedElement,
  HEAD,
  NUMBER,
  PALETTE,
  STACK,
  TEXT,
  given,
  listOf,
  orNull,
  record,
  tensor,
} from "../shared/checked.js";
import { InkController, SizeController, define } from "../shared/controllers.js";
import { tableStyles, baseStyles } from "../shared/base-styles.js";
import { isShortcut, moveInGrid, type Place } from "../shared/grid-navigation.js";
import { styled } from "../shared/templates.js";
import {
  gridStyles,
  labelForm,
  roleLabel,
  roleLegend,
  type LabelForm,
  type WornScore,
} from "./role-labels.js";
import type * as Tables from "./table.js";
import { paintThumbnails, thumbnailRoom } from "./thumbnail.js";

/** A head in a list, with a few words below its picture. */
export interface RankedHead extends HeadDetail {
  note: string;
}

/** A head as its buttons show it. */
interface PicturedHead extends HeadDetail {
  silenced: boolean;
  caption: string | undefined;
  note: string | undefined;
  /** Whether the Tab key reaches it. */
  reached: boolean;
  selected: boolean;
}

/** Widths of the styles, in CSS pixels: the widest picture of the table and of the list, the number of a row, and a gap. */
const TABLE_PICTURE = 60 - 4;
const LIST_PICTURE = 72;
const ROW_NUMBER = 16;
const GAP = 4;

const same = (one: HeadDetail | null, layer: number, head: number): boolean =>
  one?.layer === layer && one.head === head;

/**
 * All heads of a stack, layers down, heads across, each with a small picture of its pattern; or some of them as a list.
 *
 * @fires headscope-head-hover - the head under the pointer or the keyboard, or null
 * @fires headscope-head-select - the head to select
 * @fires headscope-head-toggle - the head to ablate or to restore
 * @fires headscope-head-solo - the head of whose layer all others are to be ablated, or restored
 */
export class HeadscopeGrid extends CheckedElement {
  static override styles = [baseStyles, tableStyles, gridStyles];

  /** Shape `[layer, head, size, size]`. */
  @given(orNull(tensor("layer", "head", "query", "key"))) thumbnails: Tensor | null = null;
  @given(orNull(HEAD)) selected: HeadDetail | null = null;
  @given(listOf(HEAD)) silenced: HeadDetail[] = [];
  /** The tooltip of each head, by layer and head; null for none. */
  @given(orNull(listOf(listOf(TEXT)))) captions: readonly (readonly string[])[] | null = null;
  /** The role below the picture of each head, by layer and head; null where unknown. */
  @given(orNull(listOf(listOf(record({ role: TEXT, score: orNull(NUMBER) }))))) worn:
    | readonly (readonly WornScore[])[]
    | null = null;
  /** The measures of each head on the present text, for the table; null where unknown. */
  @given(orNull(listOf(HEAD))) measures: readonly HeadMeasures[] | null = null;
  /** The heads to show, in this order; null for all of them in their places. */
  @given(orNull(listOf(record({ layer: COUNT, head: COUNT, note: TEXT })))) order:
    | readonly RankedHead[]
    | null = null;
  @given(STACK) stack: Stack = "encoder";
  @given(PALETTE) colours: Palette = "blue";

  /** The head at the keyboard: the selected one until an arrow key moves on. */
  @state() private stop: HeadDetail | null = null;
  /** The module of the table, loaded on request; null while the table is hidden. */
  @state() private table: typeof Tables | "unreached" | null = null;

  private readonly look = new InkController(this);
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
      ${this.worn && listed?.length !== 0 ? roleLegend(this.worn, this.form) : nothing}
      <p id="help" class="spoken">${message("grid.help")}</p>
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
    const { table, captions, measures, silenced, selected, stack } = this;
    const tabled = table === "unreached" ? null : table;
    return html`<div class="foot" part="foot">
        <button part="button" aria-expanded=${tabled !== null} @click=${this.tabulate}>${message(tabled ? "grid.hideTable" : "grid.showTable")}</button>
        ${table === "unreached" ? html`<p role="alert">${message("embed.unreached")}</p>` : nothing}
      </div>
      ${tabled ? tabled.headsTable({ heads, captions, measures, silenced, selected, stack }) : nothing}`;
  }

  private readonly tabulate = async (): Promise<void> => {
    const hidden = this.table === null || this.table === "unreached";
    this.table = hidden ? await import("./table.js").catch(() => "unreached" as const) : null;
  };

  private cells(): TemplateResult {
    const heads = Array.from({ length: this.heads }, (_, head) => head);
    const layers = Array.from({ length: this.layers }, (_, layer) => layer);
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
      <div class="row" role="row">
        <span role="gridcell"></span>
        ${heads.map(
          (head) =>
            html`<span role="columnheader" class="number" part="label" aria-label=${message("grid.head", { head: head + 1 })}>
              ${head + 1}
            </span>`,
        )}
      </div>
      ${layers.map(
        (layer) => html`<div class="row" role="row">
          <span role="rowheader" class="number" part="label" aria-label=${message("grid.layer", { layer: layer + 1 })}>
            ${layer + 1}
          </span>
          ${heads.map(
            (head) =>
              html`<div role="gridcell" part="head" aria-selected=${same(this.selected, layer, head)} class=${classMap(this.headClasses(layer, head))}>
                <div class="cell">${this.picture(layer, head)}</div>
                ${this.roleBelow(layer, head)}
              </div>`,
          )}
        </div>`,
      )}
    </div>`;
  }

  private list(heads: readonly RankedHead[]): TemplateResult {
    return html`<ul
      class="list"
      role="list"
      aria-label=${message("grid.list", { stack: message(`stack.${this.stack}`), count: heads.length })}
      aria-describedby="help"
      @keydown=${this.pressed}
      @pointerleave=${this.left}
      @focusout=${this.left}
    >
      ${repeat(
        heads,
        ({ layer, head }) => `${layer}.${head}`,
        ({
          layer,
          head,
          note,
        }) => html`<li part="head" class=${classMap(this.headClasses(layer, head))}>
          <div class="cell">${this.picture(layer, head, note)}</div>
          <span class="place" part="label" aria-hidden="true">${message("grid.place", { layer: layer + 1, head: head + 1 })}</span>
          ${this.roleBelow(layer, head)}
          <span class="note" aria-hidden="true">${note}</span>
        </li>`,
      )}
    </ul>`;
  }

  private headClasses(layer: number, head: number): Record<string, boolean> {
    return { selected: same(this.selected, layer, head), silenced: this.isSilenced(layer, head) };
  }

  private get form(): LabelForm {
    const shared = (this.size.width - ROW_NUMBER) / this.heads - GAP;
    return labelForm(this.listed ? LIST_PICTURE : Math.min(TABLE_PICTURE, shared));
  }

  private roleBelow(layer: number, head: number): DirectiveResult | typeof nothing {
    const worn = this.worn?.[layer]?.[head];
    const caption = this.captions?.[layer]?.[head];
    const { form } = this;
    return worn
      ? guard([language(), worn, form, caption], () => roleLabel(worn, form, caption))
      : nothing;
  }

  private isSilenced(layer: number, head: number): boolean {
    return this.silenced.some((one) => same(one, layer, head));
  }

  /** The two buttons of a head. Only in a list, which has no cells, the button itself is marked as selected. */
  private picture(layer: number, head: number, note?: string): DirectiveResult {
    const silenced = this.isSilenced(layer, head);
    const caption = this.captions?.[layer]?.[head];
    const [reached, selected] = [same(this.reached, layer, head), same(this.selected, layer, head)];
    // All inputs of the template: a keystroke renders none of the hundreds of heads again.
    return guard(
      [language(), layer, head, this.heads, silenced, caption, note, reached, selected],
      () => this.buttons({ layer, head, silenced, caption, note, reached, selected }),
    );
  }

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
    const { inks } = this.look;
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
    if (to) this.go(to);
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
    const { reached, listed } = this;
    if (!listed) {
      const from = { row: reached.layer, column: reached.head };
      const step = moveInGrid(key, from, this.layers, this.heads);
      return step ? { layer: step.row, head: step.column } : undefined;
    }
    const columns = this.columns;
    const at = listed.findIndex((one) => same(one, reached.layer, reached.head));
    const place: Place = { row: Math.floor(at / columns), column: at % columns };
    const step = moveInGrid(key, place, Math.ceil(listed.length / columns), columns);
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

  private go({ layer, head }: HeadDetail): void {
    this.buttonOf(layer, head)?.focus();
  }
}

define("headscope-grid", HeadscopeGrid);

export type { WornScore } from "./role-labels.js";
