import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Token } from "../../data/index.js";
import { tokenLabel } from "../../elements/shared/templates.js";
import { message } from "../../i18n/index.js";
import { movedTo, standing, wholeOrder } from "../../state/index.js";
import { PagePart } from "../../ui/page-part.js";

/** Beyond this a row of tokens is no picture of an order any more. */
export const MOST_MOVABLE = 128;

/**
 * The tokens of a text in the order of their positions. Each can be dragged to another place, or moved by the arrow keys.
 * Fires `headscope-order` with the position of each token.
 */
@customElement("headscope-order-strip")
export class HeadscopeOrderStrip extends PagePart {
  static override styles = css`
    .inline {
      gap: 4px;
      margin: 6px 0;
    }
    button {
      padding: 4px 8px;
      border: 1px solid var(--_line);
      border-radius: 4px;
      cursor: grab;
      touch-action: none;
    }
    .moved {
      border-color: var(--_accent);
    }
    .held {
      cursor: grabbing;
      background: var(--_line);
    }
  `;

  @property({ attribute: false }) tokens: readonly Token[] = [];
  /** The position of each of the first tokens; those behind them stand where they are. */
  @property({ attribute: false }) order: readonly number[] | undefined = undefined;

  /** The token under the reader's finger, and the order that letting go would make. */
  @state() private held: number | null = null;
  @state() private tried: readonly number[] | null = null;

  /** The token that the keyboard moves: its button goes to another place of the row, and must not lose the keyboard. */
  private walking: number | null = null;

  protected override updated(changed: PropertyValues<this>): void {
    if (this.walking === null) return;
    if (changed.has("order"))
      this.renderRoot.querySelector<HTMLElement>(`[data-token="${this.walking}"]`)?.focus();
    this.walking = null;
  }

  private get whole(): readonly number[] {
    return this.tried ?? wholeOrder(this.order, this.tokens.length);
  }

  override render(): TemplateResult {
    const { tokens, whole } = this;
    if (tokens.length > MOST_MOVABLE)
      return html`<p class="small muted">${message("at.order.long", { count: MOST_MOVABLE })}</p>`;
    const row = standing(whole);
    return html`<ol class="inline" @pointermove=${this.drag} @pointerup=${this.drop} @pointercancel=${this.leave}>
      ${repeat(
        row,
        (token) => token,
        (token, place) => html`<li>
          <button
            class=${[token === place ? "" : "moved", token === this.held ? "held" : ""].join(" ").trim() || nothing}
            data-token=${token}
            aria-label=${message("at.order.token", { token: this.labelOf(token), place: place + 1, count: row.length })}
            @pointerdown=${(event: PointerEvent) => this.hold(event, token)}
            @keydown=${(event: KeyboardEvent) => this.press(event, token, place)}
          >
            ${this.labelOf(token)}
          </button>
        </li>`,
      )}
    </ol>`;
  }

  private labelOf(token: number): string {
    const own = this.tokens[token];
    return own ? tokenLabel(own) : "";
  }

  private hold(event: PointerEvent, token: number): void {
    if (event.button !== 0) return;
    this.held = token;
    if (event.currentTarget instanceof HTMLElement)
      event.currentTarget.closest("ol")?.setPointerCapture(event.pointerId);
  }

  private readonly drag = (event: PointerEvent): void => {
    const { held } = this;
    if (held === null) return;
    const over =
      this.renderRoot instanceof ShadowRoot
        ? this.renderRoot.elementFromPoint(event.clientX, event.clientY)
        : null;
    const token = Number(over?.closest("[data-token]")?.getAttribute("data-token") ?? held);
    if (token !== held) this.tried = movedTo(this.whole, held, this.whole[token] ?? 0);
  };

  private readonly drop = (): void => {
    const { tried } = this;
    const before = wholeOrder(this.order, this.tokens.length);
    this.leave();
    if (tried?.some((position, token) => position !== before[token])) this.tell(tried);
  };

  private readonly leave = (): void => {
    this.held = null;
    this.tried = null;
  };

  private press(event: KeyboardEvent, token: number, place: number): void {
    if (event.key === "Escape" && this.held !== null) {
      event.stopPropagation();
      this.leave();
      return;
    }
    const last = this.tokens.length - 1;
    const to = {
      ArrowLeft: place - 1,
      ArrowUp: place - 1,
      ArrowRight: place + 1,
      ArrowDown: place + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (to < 0 || to > last || to === place) return;
    this.walking = token;
    this.tell(movedTo(this.whole, token, to));
  }

  private tell(order: readonly number[]): void {
    this.dispatchEvent(
      new CustomEvent("headscope-order", { detail: order, bubbles: true, composed: true }),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-order-strip": HeadscopeOrderStrip;
  }

  interface HTMLElementEventMap {
    "headscope-order": CustomEvent<readonly number[]>;
  }
}
