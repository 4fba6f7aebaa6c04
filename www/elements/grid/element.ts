import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Stack, Tensor } from "../../data/index.js";
import type { Palette } from "../../draw/ramp.js";
import { LanguageController, message } from "../../i18n/index.js";
import { emit, type HeadDetail } from "../events.js";
import { InkController } from "../shared/inks.js";
import { Kept } from "../shared/kept.js";
import { looks } from "../shared/looks.js";
import { isShortcut, walk } from "../shared/walk.js";
import { gridStyles } from "./styles.js";
import { paintThumbnail } from "./thumbnail.js";

const same = (one: HeadDetail | null, layer: number, head: number): boolean => one?.layer === layer && one.head === head;

/**
 * Every head of a stack at a glance: layers down, heads across, each with a small picture of its pattern.
 *
 * @fires headscope-head-hover - the head under the pointer or the keyboard, or null
 * @fires headscope-head-select - the head to look at
 * @fires headscope-head-toggle - the head to silence or to let speak again
 */
export class HeadscopeGrid extends LitElement {
  static override styles = [looks, gridStyles];

  /** Shape `[layer, head, size, size]`. */
  @property({ attribute: false }) thumbnails: Tensor | null = null;
  @property({ attribute: false }) selected: HeadDetail | null = null;
  @property({ attribute: false }) silenced: HeadDetail[] = [];
  /** A few words for each head, by layer and head, said when it is pointed at; null where there are none. */
  @property({ attribute: false }) captions: readonly (readonly string[])[] | null = null;
  @property() stack: Stack = "encoder";
  @property() colours: Palette = "blue";

  /** Where the keyboard is: at the selected head until an arrow key moves on. */
  @state() private stop: HeadDetail | null = null;

  private readonly look = new InkController(this);
  private readonly painted = new Kept<void>();

  constructor() {
    super();
    new LanguageController(this);
  }

  private get layers(): number {
    return this.thumbnails?.shape[0] ?? 0;
  }

  private get heads(): number {
    return this.thumbnails?.shape[1] ?? 0;
  }

  /** The one head that the Tab key reaches. A choice may be older than the pictures, or belong to a larger model. */
  private get reached(): HeadDetail {
    const { layer, head } = this.stop ?? { layer: 0, head: 0 };
    return { layer: Math.min(layer, this.layers - 1), head: Math.min(head, this.heads - 1) };
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("selected")) this.stop = this.selected;
  }

  protected override render(): TemplateResult {
    if (this.layers === 0 || this.heads === 0) return html`<p class="empty">${message("figure.empty")}</p>`;
    const heads = Array.from({ length: this.heads }, (_, head) => head);
    const layers = Array.from({ length: this.layers }, (_, layer) => layer);
    return html`
      <div
        class="grid"
        role="grid"
        style="--heads: ${this.heads}"
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
              html`<span role="columnheader" class="number" aria-label=${message("grid.head", { head: head + 1 })}>
                ${head + 1}
              </span>`,
          )}
        </div>
        ${layers.map(
          (layer) => html`<div class="row" role="row">
            <span role="rowheader" class="number" aria-label=${message("grid.layer", { layer: layer + 1 })}>
              ${layer + 1}
            </span>
            ${heads.map((head) => this.cell(layer, head))}
          </div>`,
        )}
      </div>
      <p id="help" class="heard">${message("grid.help")}</p>
    `;
  }

  private cell(layer: number, head: number): TemplateResult {
    const silenced = this.silenced.some((one) => same(one, layer, head));
    const selected = same(this.selected, layer, head);
    const place = { layer: layer + 1, head: head + 1 };
    const name = message(silenced ? "grid.cellSilenced" : "grid.cell", place);
    const caption = this.captions?.[layer]?.[head];
    return html`<div role="gridcell" aria-selected=${selected} class=${classMap({ cell: true, selected, silenced })}>
      <button
        class="head"
        data-at="${layer}.${head}"
        tabindex=${same(this.reached, layer, head) ? 0 : -1}
        title=${caption ?? nothing}
        aria-label=${caption === undefined ? name : message("grid.captioned", { cell: name, caption })}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== "touch") emit(this, "headscope-head-hover", { layer, head });
        }}
        @focus=${() => {
          this.stop = { layer, head };
          emit(this, "headscope-head-hover", { layer, head });
        }}
        @click=${() => emit(this, "headscope-head-select", { layer, head })}
      >
        <canvas aria-hidden="true"></canvas>
      </button>
      <button
        class="silence"
        tabindex="-1"
        title=${message(silenced ? "head.wake" : "head.silence")}
        aria-label=${message("grid.silence", place)}
        aria-pressed=${silenced}
        @click=${() => emit(this, "headscope-head-toggle", { layer, head })}
      ></button>
    </div>`;
  }

  protected override updated(): void {
    const { thumbnails, colours } = this;
    const { ground } = this.look.inks;
    if (!thumbnails) return;
    const canvases = this.renderRoot.querySelectorAll("canvas");
    this.painted.get([canvases[0], thumbnails, colours, ground], () => {
      canvases.forEach((canvas, index) => {
        paintThumbnail(canvas, thumbnails, index, colours, ground);
      });
    });
  }

  private readonly left = (): void => {
    emit(this, "headscope-head-hover", null);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const at = this.reached;
    const step = walk(event.key, { row: at.layer, column: at.head }, this.layers, this.heads);
    if (isShortcut(event)) return;
    if (step) this.go({ layer: step.row, head: step.column });
    else if (event.key === "s" || event.key === "Delete") emit(this, "headscope-head-toggle", at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  private go({ layer, head }: HeadDetail): void {
    this.renderRoot.querySelector<HTMLElement>(`[data-at="${layer}.${head}"]`)?.focus();
  }
}
