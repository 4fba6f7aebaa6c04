import { html, nothing, unsafeCSS } from "lit";
import type { CSSResultGroup, PropertyValues, TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { ROLES, type HeadMeasures, type Palette } from "../../data/index.js";
import type { Role, Stack, Tensor } from "../../data/index.js";
import { formatFixed, language, message } from "../../i18n/index.js";
import { emit, type HeadDetail } from "../events.js";
import { dataTable, MOST_CELLS } from "../matrix/table.js";
import { given, HEAD, listOf, orNull, PALETTE, STACK, tensor } from "../shared/checked.js";
import { define } from "../shared/controllers.js";
import { FigureElement } from "../shared/figure.js";
import { keyListener, moveInGrid } from "../shared/grid-navigation.js";
import { styled } from "../shared/templates.js";
import { headsOf, isSameHead, paintThumbnails, thumbnailRoom } from "./thumbnail.js";
import type { PlacedHead, RankedHead } from "./thumbnail.js";
import styles from "./grid.css?inline";

/**
 * The role of a head and its score; `none` and null where it reaches no threshold. `second` is
 * another role that it plays too.
 */
export interface HeadRole {
  role: Role | "none";
  score: number | null;
  second?: { role: Role; score: number | null } | null;
}

/** What the roles were measured on: held-out text, a sample text, or the present text. */
export type RoleBasis = "heldOut" | "sample" | "here";

/**
 * Widths of the styles, in CSS pixels: the widest picture of the table and of the list, the number
 * of a row, and a gap.
 */
const WIDTH = { table: 84 - 4, list: 72, number: 16, gap: 4 };
/** The least widths of a picture for the name of a role and for a score below it. */
const LEAST = { name: 50, score: 24 };
/**
 * Heights in CSS pixels: the row of numbers, the gap of rows, a role below a picture with and
 * without its score, the legend, and the least picture in which a pattern is seen.
 */
const HEIGHT = { numbers: 16, gap: 8, scored: 29, bare: 16, legend: 40, least: 16 };
const DIGITS = 2;
const NONE = "–";
const numbersOf = ({ layer, head }: HeadDetail): { layer: number; head: number } => ({
  layer: layer + 1,
  head: head + 1,
});
const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
/**
 * All heads of a stack, layers down, heads across, each with a small picture of its pattern; or a
 * list of some heads.
 *
 * @fires headscope-head-hover - the head under the pointer or the keyboard, or null
 * @fires headscope-head-select - the head to select
 * @fires headscope-head-toggle - the head to ablate or to restore
 * @fires headscope-head-solo - the head of whose layer all others are to be ablated, or restored
 */
export class HeadscopeGrid extends FigureElement {
  protected static override readonly sides = "both";
  static override styles: CSSResultGroup = unsafeCSS(styles);
  /** The thumbnails, shape `[layer, head, size, size]`. */
  @given(orNull(tensor("layer", "head", "query", "key"))) thumbnails: Tensor | null = null;
  @given(orNull(HEAD)) selected: HeadDetail | null = null;
  /** The ablated heads; null where none can be ablated, so that there is no control for it. */
  @given(orNull(listOf(HEAD))) ablated: HeadDetail[] | null = null;
  /** The tooltip of each head, by layer and head; null for none. */
  @given(orNull(listOf(listOf("text")))) captions: readonly (readonly string[])[] | null = null;
  /** The role below the picture of each head, by layer and head; null where unknown. */
  @given(orNull(listOf(listOf({ role: "text", score: orNull("number") }))))
  roles: readonly (readonly HeadRole[])[] | null = null;
  /** What the roles were measured on, for the legend. */
  @property({ attribute: false }) basis: RoleBasis = "heldOut";
  /** The measures of each head on the present text, for the table; null where unknown. */
  @given(orNull(listOf(HEAD))) measures: readonly HeadMeasures[] | null = null;
  /** The heads to show, in this order; null for all heads by layer. */
  @given(orNull(listOf({ layer: "count", head: "count", note: "text" })))
  order: readonly RankedHead[] | null = null;
  @given(STACK) stack: Stack = "encoder";
  @given(PALETTE) colours: Palette = "blue";
  /** Whether heads can only be selected, though some are ablated. */
  @property({ type: Boolean }) plain = false;
  /**
   * The most height of the table, in CSS pixels: pictures shrink to it as long as their patterns
   * are seen; null where they are as large as there is room for.
   */
  @property({ attribute: false }) highest: number | null = null;
  /** The head at the keyboard: the selected one until an arrow key moves on. */
  @state() private stop: HeadDetail | null = null;

  protected get help(): string {
    return message(this.isPlain ? "grid.helpPlain" : "grid.help");
  }

  private get isPlain(): boolean {
    return this.plain || this.ablated === null;
  }

  private get shape(): [layers: number, heads: number] {
    const [layers = 0, heads = 0] = this.thumbnails?.shape ?? [];
    return [layers, heads];
  }

  private get shown(): readonly PlacedHead[] {
    const { order, shape } = this;
    return this.memo("shown", [order, ...shape], () => headsOf(shape, order));
  }

  /** The head that the Tab key reaches; `stop` may be a head of an earlier, larger model. */
  private get reached(): HeadDetail {
    const { shown, stop } = this;
    // Once for all heads: each asks for it.
    return this.memo(
      "reached",
      [shown, stop],
      () => shown.find((one) => isSameHead(stop, one)) ?? shown[0] ?? { layer: 0, head: 0 },
    );
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("selected")) this.stop = this.selected;
  }

  protected override render(): TemplateResult {
    const { shown, roles, order, side } = this;
    const [layers, heads] = this.shape;
    if (layers === 0 || heads === 0) return this.renderEmpty();
    const kind = order ? "list" : "grid";
    const column = side && { "--column": `${side + WIDTH.gap}px` };
    const widths = { "--heads": `${heads}`, ...column };
    const label = message(`grid.${order ? "list" : "label"}`, {
      stack: message(`stack.${this.stack}`),
      count: shown.length,
    });
    const cell = (at: PlacedHead): TemplateResult => this.renderCell(at);
    const table = (): DirectiveResult => this.renderTable();
    return html`
      <div class="whole">
        <canvas part="canvas" aria-hidden="true"></canvas>
        <div
          class=${kind}
          role=${kind}
          style=${styled(widths)}
          aria-label=${label}
          aria-describedby="help"
          @keydown=${this.pressed}
          @pointerleave=${this.left}
          @focusout=${this.left}
        >
          ${guard(this.inputsOfHeads(), () =>
            order
              ? repeat(shown, ({ layer, head }) => `${layer}.${head}`, cell)
              : this.renderRows(layers, heads),
          )}
        </div>
      </div>
      ${
        roles && shown.length > 0
          ? guard([language(), roles, this.form, this.basis], () => this.renderLegend(roles))
          : nothing
      }
      <p id="help" class="visually-hidden">${this.help}</p>
      ${
        shown.length === 0
          ? nothing
          : this.renderBelow(nothing, table, ["grid.showTable", "grid.hideTable"])
      }
    `;
  }

  /** All inputs of the templates of heads: a letter changes none, only their pictures. */
  private inputsOfHeads(): unknown[] {
    const { shown, order, roles, captions, ablated, selected, reached, isPlain, form } = this;
    const [, heads] = this.shape;
    const lists = [shown, order, roles, captions, ablated];
    return [language(), heads, ...lists, selected, reached, isPlain, form];
  }

  private renderRows(layers: number, heads: number): TemplateResult {
    const number = (role: string, label: string, index: number): TemplateResult =>
      html`<span role=${role} class="number small muted" part="label" aria-label=${label}
        >${index + 1}</span
      >`;
    const column = (head: number): TemplateResult =>
      number("columnheader", message("grid.head", { head: head + 1 }), head);
    const row = (layer: number): TemplateResult =>
      html`<div class="row" role="row">
        ${number("rowheader", message("grid.layer", { layer: layer + 1 }), layer)}
        ${range(heads).map((head) => this.renderCell({ layer, head }))}
      </div>`;
    return html`<div class="row" role="row">
        <span role="gridcell"></span>${range(heads).map(column)}
      </div>
      ${range(layers).map(row)}`;
  }

  /** Renders a head of the table, or with a note a head of the list. */
  private renderCell(at: PlacedHead): TemplateResult {
    const { note } = at;
    const isListed = note !== undefined;
    const selected = isSameHead(this.selected, at);
    return html`<div
      role=${isListed ? "listitem" : "gridcell"}
      part="head"
      aria-selected=${isListed ? nothing : selected}
      class=${classMap({ selected, ablated: this.isAblated(at) })}
    >
      <div class="cell">${this.renderHead(at)}</div>
      ${
        isListed
          ? html`<span class="place" part="label" aria-hidden="true"
              >${message("grid.place", numbersOf(at))}</span
            >`
          : nothing
      }
      ${this.renderRole(at)}
      ${isListed ? html`<span class="note muted" aria-hidden="true">${note}</span>` : nothing}
    </div>`;
  }

  private isAblated(at: HeadDetail): boolean {
    return (this.ablated ?? []).some((one) => isSameHead(one, at));
  }

  /** The side of the pictures of a table that keeps to a height; null for any other. */
  private get side(): number | null {
    const { highest, roles, order } = this;
    const [layers] = this.shape;
    if (highest === null || order) return null;
    const room = highest - HEIGHT.numbers - (roles ? HEIGHT.legend : 0);
    const beside = (role: number): number => Math.floor(room / layers) - HEIGHT.gap - role;
    const scored = beside(roles ? HEIGHT.scored : 0);
    const side = roles && scored < LEAST.score ? beside(HEIGHT.bare) : scored;
    return Math.max(HEIGHT.least, Math.min(WIDTH.table, side));
  }

  /**
   * The form of a role below a picture: its name, or a symbol that a legend explains, with or
   * without a score.
   */
  private get form(): "names" | "signs" | "bare" {
    const shared = (this.size.width - WIDTH.number) / this.shape[1] - WIDTH.gap;
    const width = this.order ? WIDTH.list : Math.min(this.side ?? WIDTH.table, shared);
    return width >= LEAST.name ? "names" : width >= LEAST.score ? "signs" : "bare";
  }

  /** The role below a head, hidden from screen readers because the button of the head names it. */
  private renderRole({ layer, head }: HeadDetail): DirectiveResult | typeof nothing {
    const own = this.roles?.[layer]?.[head];
    const caption = this.captions?.[layer]?.[head];
    const { form } = this;
    if (!own) return nothing;
    return guard([language(), own, form, caption], () => {
      const { role, score, second = null } = own;
      const word = message(form === "names" ? `role.${role}.short` : `role.${role}.sign`);
      return html`<span
        class=${classMap({ role: true, scored: form !== "bare", muted: role === "none" })}
        aria-hidden="true"
        title=${caption ?? nothing}
        ><span>${word}</span>${
          score === null || form === "bare"
            ? nothing
            : html` <span class="muted">${formatFixed(score, DIGITS)}</span>`
        }${
          second && form !== "bare"
            ? html`<span class="second"
                >${message(
                  form === "names" ? `role.${second.role}.short` : `role.${second.role}.sign`,
                )}</span
              >`
            : nothing
        }</span
      >`;
    });
  }

  private renderLegend(roles: readonly (readonly HeadRole[])[]): TemplateResult {
    const { form } = this;
    const present = new Set(roles.flat().flatMap(({ role, second }) => [role, second?.role]));
    const known = [...ROLES.map(({ role }) => role), "none" as const];
    const sign = (role: HeadRole["role"]): TemplateResult =>
      html`<span class="sign"
        ><b>${message(`role.${role}.sign`)}</b>
        ${message(role === "none" ? "roles.none" : `role.${role}`)}</span
      >`;
    return html`<p class="legend small muted apart" part="legend">
      ${message(`grid.${form === "bare" ? "signs" : "roles"}.${this.basis}`)}
      ${
        form === "names"
          ? nothing
          : html`<span class="signs inline"
              >${known.filter((role) => present.has(role)).map(sign)}</span
            >`
      }
    </p>`;
  }

  /** The two buttons of a head; a keystroke renders none of the hundreds of heads again. */
  private renderHead(at: PlacedHead): DirectiveResult {
    const { layer, head, note } = at;
    const heads = this.shape[1];
    const caption = this.captions?.[layer]?.[head];
    const ablated = this.isAblated(at);
    const reached = isSameHead(this.reached, at);
    const selected = isSameHead(this.selected, at);
    const { isPlain } = this;
    const own = [layer, head, ablated, caption, note, reached, selected, isPlain];
    return guard([language(), heads, ...own], () => {
      const place = numbersOf(at);
      const name = message(ablated ? "grid.cellAblated" : "grid.cell", place);
      const words = [caption, note].filter(Boolean).join(", ");
      const hover = (): void => emit(this, "headscope-head-hover", { layer, head });
      // The button itself is marked as selected only in a list, which has no cells.
      const label = words === "" ? name : message("grid.captioned", { cell: name, caption: words });
      return html`<button
          class="head"
          data-at="${layer}.${head}"
          tabindex=${reached ? 0 : -1}
          title=${caption ?? nothing}
          aria-label=${label}
          aria-current=${note !== undefined && selected ? "true" : nothing}
          @pointerenter=${({ pointerType }: PointerEvent) =>
            pointerType === "touch" ? undefined : hover()}
          @focus=${() => {
            this.stop = { layer, head };
            hover();
          }}
          @click=${() => emit(this, "headscope-head-select", { layer, head })}
          @dblclick=${() => isPlain || emit(this, "headscope-head-solo", { layer, head, heads })}
        ></button>
        ${
          isPlain
            ? nothing
            : html`<button
                class="ablate"
                tabindex="-1"
                title=${message(ablated ? "head.wake" : "head.ablate")}
                aria-label=${message("grid.ablate", place)}
                aria-pressed=${ablated}
                @click=${() => emit(this, "headscope-head-toggle", { layer, head })}
              ></button>`
        }`;
    });
  }

  private renderTable(): DirectiveResult {
    const { shown, captions, measures, ablated, selected, stack } = this;
    const listed = shown.map(({ layer, head, note }) => `${layer}.${head} ${note ?? ""}`).join();
    const inputs = [listed, captions, measures, ablated, selected?.layer, stack, language()];
    return guard(inputs, () => {
      const width = 1 + (captions ? 1 : 0) + (measures ? 2 + ROLES.length : 0);
      const whole = shown.length * width <= MOST_CELLS;
      const layer = selected?.layer ?? 0;
      const heads = whole ? shown : shown.filter((one) => one.layer === layer);
      const noted = heads.some(({ note }) => note !== undefined && note !== "");
      const here = ROLES.map(({ role }) => `${message(`role.${role}`)} (${message("roles.here")})`);
      return dataTable(
        message("grid.label", { stack: message(`stack.${stack}`) }),
        [
          message("grid.headColumn"),
          ...(noted ? [message("figure.value")] : []),
          ...(captions ? [message("roles.role")] : []),
          ...(measures ? [message("measures.entropy"), message("measures.distance"), ...here] : []),
        ],
        heads.map((at) => [
          message(this.isAblated(at) ? "grid.placeAblated" : "grid.place", numbersOf(at)),
          ...(noted ? [at.note ?? ""] : []),
          ...(captions ? [captions[at.layer]?.[at.head] ?? NONE] : []),
          ...(measures ? measureWords(measures.find((one) => isSameHead(one, at))) : []),
        ]),
        { only: whole ? null : message("grid.layer", { layer: layer + 1 }) },
      );
    });
  }

  /** Paints the pictures again only when they, their places or their style have changed. */
  protected override updated(): void {
    const { thumbnails, colours, ablated, inks, order, roles, side } = this;
    const [layers, heads] = this.shape;
    const { width, height, ratio } = this.size;
    const canvas = this.renderRoot.querySelector("canvas");
    if (!thumbnails || !canvas) return;
    const indexOf = ({ layer, head }: HeadDetail): number => layer * heads + head;
    const inputs = [canvas, layers, heads, order, roles, side, width, height, ratio];
    const room = this.memo("room", inputs, () => {
      const buttons = this.shown.flatMap((at) => {
        const element = this.buttonOf(at);
        return element ? [{ element, index: indexOf(at) }] : [];
      });
      return thumbnailRoom(canvas, buttons);
    });
    const cell = this.memo("cell", [canvas, inks], () => getComputedStyle(canvas).color);
    this.memo("painted", [canvas, thumbnails, room, ablated, colours, inks], () => {
      const sheet = { thumbnails, colours, ground: inks.ground, cell, ratio };
      paintThumbnails(canvas, room, new Set(ablated?.map(indexOf)), sheet);
    });
  }

  private readonly left = (): void => emit(this, "headscope-head-hover", null);

  private readonly pressed = keyListener((key) => {
    const { reached } = this;
    const to = this.stepTo(key);
    if (to) this.buttonOf(to)?.focus();
    else if (this.isPlain) return false;
    else if (key === "s" || key === "Delete") emit(this, "headscope-head-toggle", reached);
    else if (key === "o") emit(this, "headscope-head-solo", { ...reached, heads: this.shape[1] });
    else return false;
    return true;
  });

  private stepTo(key: string): HeadDetail | undefined {
    const { reached, shown } = this;
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>("[role=listitem]")];
    const across = items.filter(({ offsetTop }) => offsetTop === items[0]?.offsetTop).length;
    const columns = this.order ? Math.max(1, across) : this.shape[1];
    const at = shown.findIndex((one) => isSameHead(one, reached));
    const from = { row: Math.floor(at / columns), column: at % columns };
    const to = moveInGrid(key, from, Math.ceil(shown.length / columns), columns);
    return to ? (shown[to.row * columns + to.column] ?? shown.at(-1)) : undefined;
  }

  private buttonOf({ layer, head }: HeadDetail): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-at="${layer}.${head}"]`);
  }
}

function measureWords(measured: HeadMeasures | undefined): string[] {
  const entropy = measured?.entropy ?? null;
  const numbers = [measured?.distance, ...ROLES.map(({ role }) => measured?.roles[role])];
  return [
    entropy === null ? NONE : message("measures.nats", { value: formatFixed(entropy) }),
    ...numbers.map((value) => (typeof value === "number" ? formatFixed(value, DIGITS) : NONE)),
  ];
}

define("headscope-grid", HeadscopeGrid);
