import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { emit } from "../elements/events.js";
import { PagePart } from "./page-part.js";
import { live } from "lit/directives/live.js";
import { TypedRuns } from "./typed-runs.js";
import styles from "./text-field.css?inline";

/** The length, in characters, from which a text is set smaller, and in a lower field. */
const LONG_TEXT = 200;
export const isLong = (text: string): boolean => text.length > LONG_TEXT;

/**
 * Whether a field takes the size of its text by itself; elsewhere a copy of the text below it has
 * that size, at the price of a layout more for each letter.
 */
const HAS_OWN_SIZE = CSS.supports("field-sizing", "content");

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

  private readonly runs = new TypedRuns();
  /** The text before the next input. */
  private last = "";
  /** Whether a run is being undone or done again, in steps of the browser. */
  private winding = false;

  protected override willUpdate(): void {
    if (this.value !== this.last) this.runs.clear();
    this.last = this.value;
    this.toggleAttribute("long", isLong(this.value));
  }

  override render(): TemplateResult {
    const { value, placeholder } = this;
    // A trailing newline only has height when something follows it.
    const mirrored = `${value || placeholder}\u200B`;
    return html`<div class="field">
      ${
        HAS_OWN_SIZE
          ? nothing
          : html`<div class="mirror large" aria-hidden="true">${mirrored}</div>`
      }
      <textarea
        class="large"
        rows="1"
        dir="auto"
        spellcheck="false"
        autocomplete="off"
        lang=${this.textLang || nothing}
        aria-label=${this.label}
        aria-description=${this.description || nothing}
        placeholder=${value ? nothing : placeholder}
        .value=${live(this.value)}
        @input=${this.report}
        @keydown=${this.pressed}
        @pointerdown=${this.moved}
        @blur=${this.moved}
      ></textarea>
    </div>`;
  }

  override focus(): void {
    this.area.focus();
  }

  /** Repeats a step of the browser's own history until the text is that of the whole run. */
  private wind(step: "undo" | "redo", goal: string | null): void {
    const { area } = this;
    this.winding = true;
    let before = "";
    while (goal !== null && area.value !== goal && area.value !== before) {
      before = area.value;
      // oxlint-disable-next-line typescript/no-deprecated -- nothing else reaches it
      document.execCommand(step);
    }
    this.winding = false;
  }

  private readonly moved = (): void => this.runs.close();

  private readonly pressed = ({ key }: KeyboardEvent): void => {
    if (MOVES.test(key)) this.moved();
  };

  private readonly report = ({ inputType = "" }: Partial<InputEvent>): void => {
    const { area, runs, last } = this;
    if (this.winding) return;
    if (inputType === "historyUndo") this.wind("undo", runs.undo());
    else if (inputType === "historyRedo") this.wind("redo", runs.redo());
    else runs.typed(inputType, last, area.value);
    this.value = this.last = area.value;
    emit(this, "headscope-text", this.value);
  };
}

/** Keys that move the caret. */
const MOVES = /^(?:Arrow|Home$|End$|Page)/;

declare global {
  interface HTMLElementEventMap {
    "headscope-text": CustomEvent<string>;
  }
}
