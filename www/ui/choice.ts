import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { property } from "lit/decorators.js";
import { PagePart } from "./page-part.js";
import { emit } from "../elements/events.js";
import { isOther } from "../elements/shared/checked.js";
import { define } from "../elements/shared/controllers.js";
import { styled } from "../elements/shared/templates.js";
import styles from "./choice.css?inline";

export interface Choice {
  value: string;
  label: string;
  /** The language of the label, if it is not the page's. */
  lang?: string;
  /** Colours shown in place of the label, which becomes the accessible name and the title. */
  swatch?: readonly string[];
}

/**
 * A choice of one of several words in a row: native radio buttons, so arrows, names and states come
 * from the browser. Fires `headscope-choose` with the value. `look` is "tabs" (underlined),
 * "segments" (a pill) or "words".
 */
export class HeadscopeChoice extends PagePart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false, hasChanged: isOther }) choices: readonly Choice[] = [];
  @property() value = "";
  @property() label = "";
  @property({ reflect: true }) look: "tabs" | "segments" | "words" = "words";

  override render(): TemplateResult {
    return html`<fieldset>
      <legend class="visually-hidden">${this.label}</legend>
      ${this.choices.map(
        ({ value, label, lang, swatch }) =>
          html`<label
            lang=${lang ?? ""}
            title=${swatch ? label : nothing}
            class=${swatch ? "coloured" : ""}
          >
            <input
              type="radio"
              name="choice"
              .value=${value}
              .checked=${value === this.value}
              @change=${this.choose}
            />${swatch ? this.renderSwatch(label, swatch) : label}
          </label>`,
      )}
    </fieldset>`;
  }

  private renderSwatch(label: string, colours: readonly string[]): TemplateResult {
    return html`<span class="visually-hidden">${label}</span>
      <span class="swatch" aria-hidden="true"
        >${colours.map((colour) => html`<i style=${styled({ background: colour })}></i>`)}</span
      >`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("value") || changed.has("choices"))
      requestAnimationFrame(() => this.revealChosen());
  }

  /** Scrolls the chosen word into sight where the row that it is in scrolls, but not the page. */
  private revealChosen(): void {
    const chosen = this.renderRoot.querySelector("label:has(:checked)");
    // One that does not scroll keeps its place.
    for (const row of [this, this.parentElement]) {
      if (!chosen || !row) return;
      const { left, right } = chosen.getBoundingClientRect();
      const shown = row.getBoundingClientRect();
      row.scrollLeft += Math.min(0, left - shown.left) + Math.max(0, right - shown.right);
    }
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("input:checked")?.focus();
  }

  private readonly choose = (event: Event): void => {
    if (event.target instanceof HTMLInputElement)
      emit(this, "headscope-choose", event.target.value);
  };
}

/** A row of choices between `values`; `choose` receives the chosen one. */
export function choice<Value extends string>(
  label: string,
  values: readonly Value[],
  value: string,
  show: (value: Value) => string | Omit<Choice, "value">,
  choose: (value: Value) => void,
  look: HeadscopeChoice["look"] = "words",
): TemplateResult {
  return html`<headscope-choice
    look=${look}
    .label=${label}
    .value=${value}
    .choices=${values.map((one) => {
      const shown = show(one);
      return { value: one, ...(typeof shown === "string" ? { label: shown } : shown) };
    })}
    @headscope-choose=${({ detail }: CustomEvent<string>) => {
      const chosen = values.find((one) => one === detail);
      if (chosen !== undefined) choose(chosen);
    }}
  ></headscope-choice>`;
}

define("headscope-choice", HeadscopeChoice);

declare global {
  interface HTMLElementEventMap {
    "headscope-choose": CustomEvent<string>;
  }
}
