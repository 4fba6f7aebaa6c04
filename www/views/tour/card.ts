import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { TOUR, type TourStep } from "../../state/index.js";
import { PagePart } from "../../ui/page-part.js";

/**
 * The text of a tour step and the buttons to other steps. It is above the sentence, on a phone at the bottom,
 * and covers nothing.
 */
@customElement("headscope-tour-card")
export class HeadscopeTourCard extends PagePart {
  static override styles = css`
    .band {
      --_band: 14px 16px;
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 4px 32px;
      background: var(--_chip);
    }
    h2 {
      align-self: center;
      font: 600 18px/1.4 var(--headscope-font-text);
    }
    h2:focus:not(:focus-visible) {
      outline: none;
    }
    .count {
      margin-right: 8px;
      font: 400 12px/1.4 var(--_font-ui);
    }
    .words {
      grid-column: 1 / -1;
      max-width: 880px;
    }
    .ways {
      grid-area: 1 / 2;
    }
    /* A sheet of one height, so that the buttons are always at the same place. */
    @container (max-width: 820px) {
      :host {
        order: 2;
        position: sticky;
        bottom: 0;
        z-index: 1;
      }
      .band {
        --_band: 12px 0;
        grid-template: auto 1fr auto / 1fr;
        height: var(--headscope-tour-sheet);
        overflow: auto;
        border-width: 1px 0 0;
      }
      .ways {
        grid-area: 3 / 1;
        position: sticky;
        bottom: 0;
        flex-wrap: nowrap;
        padding: 4px 0;
        background: var(--_chip);
      }
    }
  `;

  @property() step: TourStep = TOUR[0];
  /** Whether the page shows something else than what the step is about. */
  @property({ type: Boolean }) elsewhere = false;

  /** Shows another step; null leaves the tour. */
  @property({ attribute: false }) go: (step: TourStep | null) => void = () => undefined;

  @query("h2") private readonly heading!: HTMLElement;
  /** Whether a step was asked for here: then the focus goes to its heading. */
  private asked = false;

  override render(): TemplateResult {
    const { step } = this;
    const at = TOUR.indexOf(step);
    const [before, after] = [at > 0 ? TOUR[at - 1] : undefined, TOUR[at + 1]];
    return html`<section class="band" aria-labelledby="title" @keydown=${this.pressed}>
      <h2 id="title" tabindex="-1" aria-describedby="words">
        <span class="count muted">${message("tour.count", { step: at + 1, count: TOUR.length })}</span>
        ${message(`tour.${step}.title`)}
      </h2>
      <p id="words" class="words serif">${message(`tour.${step}.words`)}</p>
      <div class="ways inline">
        <button class="link" ?disabled=${before === undefined} @click=${() => this.ask(before)}>${message("tour.back")}</button>
        <button class="act" @click=${() => (after ? this.ask(after) : this.go(null))}>${message(after ? "tour.next" : "tour.finish")}</button>
        ${this.elsewhere ? html`<button class="link" @click=${() => this.ask(step)}>${message("tour.again")}</button>` : nothing}
        ${after ? html`<button class="link leave end" @click=${() => this.go(null)}>${message("tour.leave")}</button>` : nothing}
      </div>
    </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.asked || !(changed.has("step") || changed.has("elsewhere"))) return;
    this.asked = false;
    this.focus();
  }

  /** Takes the keyboard to the heading, from where the step is read. */
  override focus(): void {
    this.heading.focus();
  }

  /** Whether it lies at the bottom of the window, over whatever scrolls by. */
  get isSheet(): boolean {
    return getComputedStyle(this).position === "sticky";
  }

  private ask(step: TourStep | undefined): void {
    if (step === undefined) return;
    this.asked = true;
    this.go(step);
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    // Elsewhere on the page this key unlocks a cell.
    event.preventDefault();
    this.go(null);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-tour-card": HeadscopeTourCard;
  }
}
