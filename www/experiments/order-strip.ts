import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Token } from "../data/index.js";
import { emit } from "../elements/events.js";
import { isShortcut, moveInRow } from "../elements/shared/grid-navigation.js";
import { labelAt } from "../elements/shared/templates.js";
import { message } from "../i18n/index.js";
import { standing } from "../state/index.js";
import { movedTo, wholeOrder } from "../state/experiment-edits.js";
import { PagePart } from "../ui/page-part.js";
import styles from "./order-strip.css?inline";

const MOST_MOVABLE = 128;

/**
 * The tokens of a text in the order of their positions. Each can be dragged to another place, or
 * moved by the arrow keys. Fires `headscope-order` with the position of each token.
 */
@customElement("headscope-order-strip")
export class HeadscopeOrderStrip extends PagePart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) tokens: readonly Token[] = [];
  /** The position of each of the first tokens; later tokens keep their own. */
  @property({ attribute: false }) order: readonly number[] | undefined = undefined;
  /** The dragged token; `tried` is the order that releasing it would make. */
  @state() private dragged: number | null = null;
  @state() private tried: readonly number[] | null = null;
  /**
   * The token that a key moves: its button goes to another place of the row, and must not lose the
   * focus.
   */
  private moving: number | null = null;

  protected override updated(changed: PropertyValues<this>): void {
    if (this.moving !== null && changed.has("order"))
      this.renderRoot.querySelector<HTMLElement>(`[data-token="${this.moving}"]`)?.focus();
    this.moving = null;
  }

  override render(): TemplateResult {
    const { tokens, dragged } = this;
    if (tokens.length > MOST_MOVABLE)
      return html`<p class="small muted">${message("at.order.long", { count: MOST_MOVABLE })}</p>`;
    const row = standing(this.tried ?? this.whole);
    const classes = (token: number, place: number): string =>
      [token === place ? "" : "moved", token === dragged ? "held" : ""].join(" ").trim();
    return html`<ol
      class="inline"
      @pointermove=${this.drag}
      @pointerup=${this.drop}
      @pointercancel=${this.leave}
    >
      ${repeat(
        row,
        (token) => token,
        (token, place) =>
          html`<li>
            <button
              class=${classes(token, place) || nothing}
              data-token=${token}
              aria-label=${message("at.order.token", {
                token: labelAt(tokens, token),
                place: place + 1,
                count: row.length,
              })}
              @pointerdown=${(event: PointerEvent) => this.hold(event, token)}
              @keydown=${(event: KeyboardEvent) => this.press(event, token, place)}
            >
              ${labelAt(tokens, token)}
            </button>
          </li>`,
      )}
    </ol>`;
  }

  private get whole(): readonly number[] {
    return wholeOrder(this.order, this.tokens.length);
  }

  private hold(event: PointerEvent, token: number): void {
    if (event.button !== 0) return;
    this.dragged = token;
    const { currentTarget: button, pointerId } = event;
    if (button instanceof HTMLElement) button.closest("ol")?.setPointerCapture(pointerId);
  }

  private readonly drag = ({ clientX, clientY }: PointerEvent): void => {
    const { dragged, renderRoot } = this;
    if (dragged === null || !(renderRoot instanceof ShadowRoot)) return;
    const over = renderRoot.elementFromPoint(clientX, clientY)?.closest("[data-token]");
    const token = Number(over?.getAttribute("data-token") ?? dragged);
    const now = this.tried ?? this.whole;
    if (token !== dragged) this.tried = movedTo(now, dragged, now[token] ?? 0);
  };

  private readonly drop = (): void => {
    const { tried, whole } = this;
    this.leave();
    if (tried?.some((position, token) => position !== whole[token]))
      emit(this, "headscope-order", tried);
  };

  private readonly leave = (): void => {
    this.dragged = null;
    this.tried = null;
  };

  private press(event: KeyboardEvent, token: number, place: number): void {
    if (event.key === "Escape" && this.dragged !== null) {
      event.stopPropagation();
      this.leave();
      return;
    }
    const { key } = event;
    const along = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[key] ?? key;
    const to = moveInRow(along, place, this.tokens.length);
    if (to === null || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (to === place) return;
    this.moving = token;
    emit(this, "headscope-order", movedTo(this.tried ?? this.whole, token, to));
  }
}

declare global {
  interface HTMLElementEventMap {
    "headscope-order": CustomEvent<readonly number[]>;
  }
}
