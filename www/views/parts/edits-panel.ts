import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Chip } from "../../elements/chips/element.js";
import "../../elements/chips/index.js";
import { message } from "../../i18n/index.js";
import { NO_EDITS, removeEdit, type EditLists } from "../../state/index.js";
import { refOf } from "../edit-labels.js";
import { command, patch } from "./events.js";
import { PagePart } from "./page-part.js";
import { partStyles } from "./styles.js";

/** The active edits as chips, each of which can be taken back, and undo and redo. */
@customElement("headscope-edits-panel")
export class HeadscopeEditsPanel extends PagePart {
  static override styles = [
    partStyles,
    css`
      section {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 8px 20px;
        padding: 12px 28px;
        border-top: 1px solid var(--headscope-line);
      }

      .chips {
        flex: 1 1 300px;
        min-width: 0;
      }

      .history {
        display: flex;
        gap: 20px;
      }

      @media (max-width: 820px) {
        section {
          padding: 12px 16px;
        }
      }
    `,
  ];

  @property({ attribute: false }) edits: EditLists = NO_EDITS;
  @property({ attribute: false }) chips: Chip[] = [];
  @property({ type: Boolean }) canUndo = false;
  @property({ type: Boolean }) canRedo = false;

  override render(): TemplateResult {
    return html`<section aria-label=${message("edits.title")}>
      <h2>${message("edits.title")}</h2>
      <div class="chips">
        ${this.chips.length === 0
          ? html`<p class="muted">${message("edits.none")}</p>`
          : html`<headscope-chips
              .chips=${this.chips}
              .label=${message("edits.title")}
              @headscope-chip-remove=${this.removeChip}
              @headscope-chips-clear=${() => patch(this, { edits: NO_EDITS })}
            ></headscope-chips>`}
      </div>
      <div class="history">
        <button ?disabled=${!this.canUndo} @click=${() => command(this, "undo")}>${message("edits.undo")}</button>
        <button ?disabled=${!this.canRedo} @click=${() => command(this, "redo")}>${message("edits.redo")}</button>
      </div>
    </section>`;
  }

  private readonly removeChip = (event: CustomEvent<{ id: string }>): void => {
    const ref = refOf(event.detail.id);
    if (ref) patch(this, { edits: removeEdit(this.edits, ref) });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-edits-panel": HeadscopeEditsPanel;
  }
}
