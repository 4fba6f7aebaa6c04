import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import { message } from "../i18n/index.js";
import { emit } from "./events.js";
import { CheckedElement, given, listOf } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import styles from "./chips.css?inline";

export interface Chip {
  id: string;
  label: string;
  /** Whether the chip has no effect at the moment. */
  inactive?: boolean;
  note?: string;
}

/**
 * Labels with buttons that remove them.
 *
 * @fires headscope-chip-remove - the chip to remove
 * @fires headscope-chips-clear - remove all
 */
export class HeadscopeChips extends CheckedElement {
  static override styles = unsafeCSS(styles);
  @given(listOf({ id: "text", label: "text" })) chips: Chip[] = [];
  @property() label = "";

  protected override render(): TemplateResult | typeof nothing {
    if (this.chips.length === 0) return nothing;
    const render = ({ id, label, note, inactive = false }: Chip): TemplateResult =>
      html`<li part="chip" class=${classMap({ chip: true, inactive })}>
        <bdi class="cut">${label}</bdi
        >${note ? html`<small class="small muted">${note}</small>` : nothing}
        <button
          class="remove"
          part="button"
          aria-label=${message("edits.remove", { edit: label })}
          @click=${() => emit(this, "headscope-chip-remove", { id })}
        ></button>
      </li>`;
    return html`<ul class="inline" aria-label=${this.label || nothing}>
      ${repeat(this.chips, ({ id }) => id, render)}
      <li>
        <button
          class="clear small underlined"
          part="button"
          @click=${() => emit(this, "headscope-chips-clear", null)}
        >
          ${message("edits.clear")}
        </button>
      </li>
    </ul>`;
  }
}

define("headscope-chips", HeadscopeChips);
