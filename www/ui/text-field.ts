import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { emit } from "../elements/events.js";
import { PagePart } from "./page-part.js";
import { live } from "lit/directives/live.js";
import styles from "./text-field.css?inline";

/** The length, in characters, from which a text is set smaller. */
const LONG_TEXT = 200;

/**
 * A text field that is as tall as its text, up to a part of the window; a long text is set smaller.
 * Fires `headscope-text` with the text on every change.
 */
@customElement("headscope-growing-text")
export class HeadscopeGrowingText extends PagePart {
  static override styles = unsafeCSS(styles);

  @property() value = "";
  @property() label = "";
  @property() placeholder = "";
  @property() description = "";
  /** The language of the text, for spelling and for screen readers. */
  @property({ attribute: "text-lang" }) textLang = "";
  @property({ type: Boolean, reflect: true }) quiet = false;
  @query("textarea") private readonly area!: HTMLTextAreaElement;

  protected override willUpdate(): void {
    this.toggleAttribute("long", this.value.length > LONG_TEXT);
  }

  override render(): TemplateResult {
    // A trailing newline only has height when something follows it.
    const mirrored = `${this.value || this.placeholder}\u200B`;
    return html`<div class="field">
      <div class="mirror large" aria-hidden="true" .textContent=${mirrored}></div>
      <textarea
        class="large"
        rows="1"
        dir="auto"
        spellcheck="false"
        autocomplete="off"
        lang=${this.textLang || nothing}
        aria-label=${this.label}
        aria-description=${this.description || nothing}
        placeholder=${this.placeholder}
        .value=${live(this.value)}
        @input=${this.report}
      ></textarea>
    </div>`;
  }

  override focus(): void {
    this.area.focus();
  }

  private readonly report = (): void => {
    this.value = this.area.value;
    emit(this, "headscope-text", this.value);
  };
}

declare global {
  interface HTMLElementEventMap {
    "headscope-text": CustomEvent<string>;
  }
}
