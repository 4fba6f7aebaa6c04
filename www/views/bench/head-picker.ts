import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadRef, ModelInfo, Stack } from "../../data/index.js";
import { isShortcut, moveInGrid } from "../../elements/shared/grid-navigation.js";
import { message } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";
import { stacksOf } from "../run/selection.js";

/** All heads of a model as small squares, to pick any of them. Fires `headscope-pick` with those that are picked then. */
@customElement("headscope-head-picker")
export class HeadscopeHeadPicker extends PagePart {
  static override styles = css`
    h3 {
      font-size: 12px;
      font-weight: 400;
      color: var(--_muted);
    }
    .row {
      display: flex;
      gap: 3px;
      margin-bottom: 3px;
    }
    .row button {
      width: max(26px, var(--_touch) - 6px);
      min-height: max(24px, var(--_touch) - 6px);
      padding: 0;
      border: 1px solid var(--_line);
      border-radius: 3px;
      font-size: 11px;
      color: var(--_muted);
    }
    .row [aria-pressed="true"] {
      background: var(--_ink);
      color: var(--_paper);
    }
  `;

  @property({ attribute: false }) info!: ModelInfo;
  @property({ attribute: false }) picked: readonly HeadRef[] = [];
  /** Where the Tab key leads in each stack. */
  @state() private stops: Partial<Record<Stack, { row: number; column: number }>> = {};

  override render(): TemplateResult {
    return html`<div class="inline">${stacksOf(this.info).map((stack) => this.renderStack(stack))}</div>`;
  }

  private renderStack(stack: Stack): TemplateResult {
    const { layers = 0, heads = 0 } = this.info.stacks[stack] ?? {};
    const stop = this.stops[stack] ?? { row: 0, column: 0 };
    return html`<div role="group" aria-label=${message(`stack.${stack}`)} @keydown=${(event: KeyboardEvent) => this.pressed(event, stack, layers, heads)}>
      <h3>${message(`stack.${stack}`)}</h3>
      ${Array.from(
        { length: layers },
        (_, layer) => html`<div class="row">
        ${Array.from(
          { length: heads },
          (__, head) => html`<button
            data-at="${stack} ${layer} ${head}"
            tabindex=${stop.row === layer && stop.column === head ? 0 : -1}
            aria-pressed=${this.isPicked({ stack, layer, head })}
            aria-label=${message("head.title", { layer: layer + 1, head: head + 1 })}
            @click=${() => this.toggle({ stack, layer, head })}
          >${layer + 1}.${head + 1}</button>`,
        )}
      </div>`,
      )}
    </div>`;
  }

  private isPicked(head: HeadRef): boolean {
    return this.picked.some((one) => same(one, head));
  }

  private toggle(head: HeadRef): void {
    this.stops = { ...this.stops, [head.stack]: { row: head.layer, column: head.head } };
    const detail = this.isPicked(head)
      ? this.picked.filter((one) => !same(one, head))
      : [...this.picked, head];
    this.dispatchEvent(
      new CustomEvent("headscope-pick", { detail, bubbles: true, composed: true }),
    );
  }

  private pressed(event: KeyboardEvent, stack: Stack, layers: number, heads: number): void {
    if (isShortcut(event)) return;
    const to = moveInGrid(event.key, this.stops[stack] ?? { row: 0, column: 0 }, layers, heads);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    this.stops = { ...this.stops, [stack]: to };
    this.renderRoot
      .querySelector<HTMLElement>(`[data-at="${stack} ${to.row} ${to.column}"]`)
      ?.focus();
  }
}

function same(one: HeadRef, other: HeadRef): boolean {
  return one.stack === other.stack && one.layer === other.layer && one.head === other.head;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-head-picker": HeadscopeHeadPicker;
  }
  interface HTMLElementEventMap {
    "headscope-pick": CustomEvent<readonly HeadRef[]>;
  }
}
