import { html, nothing, type TemplateResult, css } from "lit";
import { property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import { message } from "../i18n/index.js";
import { emit } from "./events.js";
import { CheckedElement, given, listOf } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

const chipsStyles = css`
  .inline {
    gap: 8px;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    min-height: 28px;
    max-width: 100%;
    padding-left: 10px;
    font-size: 13px;
  }
  small {
    flex: none;
    margin-left: 8px;
    padding-left: 8px;
    border-left: 1px solid var(--_line);
  }
  .inactive {
    background: none;
    box-shadow: inset 0 0 0 1px var(--_line);
    color: var(--_muted);
  }
  .remove::before {
    content: "×";
  }
  .remove {
    flex: none;
    min-height: 28px;
    width: 28px;
    font-size: 18px;
    line-height: 1;
    color: var(--_muted);
  }
`;

export interface Chip {
  id: string;
  label: string;
  /** Without effect at the moment. */
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
  static override styles = chipsStyles;
  @given(listOf({ id: "text", label: "text" })) chips: Chip[] = [];
  @property() label = "";

  protected override render(): TemplateResult | typeof nothing {
    if (this.chips.length === 0) return nothing;
    const render = ({ id, label, note, inactive = false }: Chip): TemplateResult =>
      html`<li part="chip" class=${classMap({ chip: true, inactive })}>
        <bdi class="cut">${label}</bdi>${note ? html`<small class="small muted">${note}</small>` : nothing}
        <button class="remove" part="button" aria-label=${message("edits.remove", { edit: label })} @click=${() => emit(this, "headscope-chip-remove", { id })}></button>
      </li>`;
    return html`<ul class="inline" aria-label=${this.label || nothing}>
      ${repeat(this.chips, ({ id }) => id, render)}
      <li>
        <button class="clear small underlined" part="button" @click=${() => emit(this, "headscope-chips-clear", null)}>${message("edits.clear")}</button>
      </li>
    </ul>`;
  }
}

define("headscope-chips", HeadscopeChips);
