import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Executed } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { command, openPage } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/**
 * Which kernel computes, what else could (its content), how much it computed, the page as a file, and the promises:
 * nothing leaves it, and it opens again offline. Fires `headscope-page-file` with a file that was picked.
 */
@customElement("headscope-page-footer")
export class HeadscopePageFooter extends PagePart {
  static override styles = [
    partStyles,
    css`
      footer {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 4px 32px;
        padding: 12px 28px 20px;
        border-top: 1px solid var(--headscope-line);
        font-size: 12px;
        color: var(--headscope-muted);
        font-variant-numeric: tabular-nums;
      }

      .saved {
        display: flex;
        gap: 20px;
      }

      .private {
        margin-left: auto;
      }

      @container (max-width: 820px) {
        footer {
          padding: 12px 16px 20px;
        }

        .private {
          margin-left: 0;
        }
      }
    `,
  ];

  @property() kernel = "";
  /** Whether the page and a model are kept for a visit without a network. */
  @property({ type: Boolean }) opensOffline = false;
  @property({ attribute: false }) executed: Executed | null = null;

  @query("input") private readonly input!: HTMLInputElement;

  override render(): TemplateResult {
    const { executed } = this;
    return html`<footer>
      ${this.kernel ? html`<span>${message("foot.kernel", { kernel: this.kernel })}</span>` : nothing}
      <slot></slot>
      ${executed ? html`<span class="executed">${executedWords(executed)}</span>` : nothing}
      <span class="saved">
        <button @click=${() => command(this, "save-page")}>${message("foot.save")}</button>
        <button @click=${() => this.input.click()}>${message("foot.open")}</button>
        <input type="file" hidden accept=".json,application/json" tabindex="-1" aria-label=${message("foot.open")} @change=${this.picked} />
      </span>
      <span class="private">${message("foot.private")}${this.opensOffline ? html` <span role="status">${message("foot.offline")}</span>` : nothing}</span>
    </footer>`;
  }

  private readonly picked = (): void => {
    const [file] = this.input.files ?? [];
    // So that the same file can be picked again after it was mended.
    this.input.value = "";
    if (file) openPage(this, file);
  };
}

/** What was computed, and what was not: whole blocks that stay as they were, or, where a text goes on, the tokens before it in every block. */
function executedWords({ blocks, reusedBlocks: reused, reusedTokens: tokens }: Executed): string {
  return reused === 0 && tokens > 0
    ? message("foot.executedKept", { blocks, tokens })
    : message("foot.executed", { blocks, reused });
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-page-footer": HeadscopePageFooter;
  }
}
