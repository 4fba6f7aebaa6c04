import { css, html, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { formatNumber } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { NumberFields, type Refusal } from "./number-fields.js";
import { ruleStyles } from "./rule-styles.js";

/** Steps of a slider whose numbers grow by factors. */
const STEPS = 240;
/** Digits that such a slider gives its numbers; more can be typed. */
const DIGITS = 2;

/**
 * A number that is slid or typed; what is out of its range is not taken, and it says so. Fires `headscope-slide` with the number, and shows
 * what whoever hears it makes of it.
 */
@customElement("headscope-number-slider")
export class HeadscopeNumberSlider extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      .line {
        flex-wrap: nowrap;
        gap: 8px;
        color: var(--headscope-muted);
      }

      input[type="range"] {
        flex: none;
        width: min(180px, 34vw);
        border: 0;
        accent-color: var(--headscope-accent);
      }

      input[type="number"] {
        flex: none;
        width: 88px;
      }
    `,
  ];

  @property() label = "";
  @property({ type: Number }) value = 1;
  @property({ type: Number }) least = 1;
  @property({ type: Number }) most = 1;
  /** What the slider moves by, and whether typed numbers have to be whole, or even. */
  @property({ type: Number }) step = 1;
  @property({ type: Boolean }) whole = false;
  @property({ type: Boolean }) even = false;
  /** Whether only what the slider comes to rest at is told: where every number is a change that can be undone. */
  @property({ type: Boolean }) settled = false;
  /** Whether the same way of the slider is the same factor, not the same sum. */
  @property({ type: Boolean }) logarithmic = false;

  /** What speaks against a number that is in range. */
  @property({ attribute: false }) refuse: ((value: number) => Refusal | null) | null = null;

  private readonly fields = new NumberFields(this);

  @query('input[type="number"]') private readonly passing!: HTMLInputElement;

  override render(): TemplateResult {
    const { label, value, least, most, logarithmic } = this;
    const slid = logarithmic
      ? {
          least: 0,
          most: STEPS,
          step: 1,
          at: Math.round((STEPS * Math.log(value / least)) / Math.log(most / least)),
        }
      : { least, most, step: this.step, at: value };
    return html`<div class="line">
      <span aria-hidden="true">${label}</span>
      <input type="range" aria-label=${label} aria-valuetext=${formatNumber(value, DIGITS)} min=${slid.least} max=${slid.most} step=${slid.step} .value=${live(String(slid.at))} @input=${this.slide} @change=${this.rest} />
      ${this.fields.number({ id: "typed", label, value, least, most, whole: this.whole, even: this.even, ...(this.refuse && { refuse: this.refuse }), take: (typed) => this.tell(typed) })}
    </div>
    ${this.fields.troubles()}`;
  }

  private readonly slide = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    // On its way the number is seen, though nobody is told of it.
    if (this.settled) this.passing.value = String(this.at(target));
    else this.tell(this.at(target));
  };

  private readonly rest = ({ target }: Event): void => {
    if (this.settled && target instanceof HTMLInputElement) this.tell(this.at(target));
  };

  /** The number where the slider stands. */
  private at({ value }: HTMLInputElement): number {
    const { least, most } = this;
    return this.logarithmic
      ? Number((least * (most / least) ** (Number(value) / STEPS)).toPrecision(DIGITS))
      : Number(value);
  }

  private tell(value: number): void {
    const refusal = this.refuse?.(value) ?? null;
    this.fields.mark(
      "typed",
      refusal && { refusal, typed: String(value), held: String(this.value) },
    );
    if (!refusal && value !== this.value)
      this.dispatchEvent(
        new CustomEvent("headscope-slide", { detail: value, bubbles: true, composed: true }),
      );
    // Also where nothing comes of it, the slider goes back to the number that holds, and so does what was typed unless it is refused.
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-number-slider": HeadscopeNumberSlider;
  }
  interface HTMLElementEventMap {
    "headscope-slide": CustomEvent<number>;
  }
}
