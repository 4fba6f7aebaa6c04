import { css, html, type TemplateResult } from "lit";
import { customElement, query } from "lit/decorators.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";

/** What each key does; the page, the grid and the figures listen for them. */
const KEYS: readonly { keys: readonly string[]; meaning: MessageKey }[] = [
  { keys: ["↑ ↓ ← →"], meaning: "keys.move" },
  { keys: ["Enter"], meaning: "keys.lock" },
  { keys: ["Shift Enter"], meaning: "keys.pick" },
  { keys: ["Esc"], meaning: "keys.release" },
  { keys: ["b"], meaning: "keys.block" },
  { keys: ["s"], meaning: "keys.silence" },
  { keys: ["o"], meaning: "keys.solo" },
  { keys: ["+", "−", "0"], meaning: "keys.zoom" },
  { keys: ["[", "]"], meaning: "keys.layer" },
  { keys: [",", "."], meaning: "keys.head" },
  { keys: ["Ctrl Z", "Ctrl Y"], meaning: "keys.undo" },
  { keys: ["?"], meaning: "keys.help" },
];

@customElement("headscope-keys-dialog")
export class HeadscopeKeysDialog extends PagePart {
  static override styles = css`
    dialog {
      max-width: min(440px, 100vw - 32px);
      margin: auto;
      padding: 24px 28px;
    }
    dialog::backdrop {
      background: rgb(0 0 0 / 35%);
    }
    dl {
      grid-template-columns: auto 1fr;
      gap: 8px 24px;
    }
    dd {
      text-align: left;
    }
    dl,
    p {
      margin: 16px 0;
    }
    kbd {
      padding: 2px 8px;
      border-radius: 4px;
      background: var(--_chip);
      color: var(--_ink);
      font: inherit;
    }
  `;

  @query("dialog") private readonly dialog!: HTMLDialogElement;

  override render(): TemplateResult {
    return html`<dialog aria-label=${message("keys.title")}>
      <h2>${message("keys.title")}</h2>
      <dl>${KEYS.map(({ keys, meaning }) => html`<dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${message(meaning)}</dd>`)}</dl>
      <p class="small muted">${message("keys.undoable")}</p>
      <form method="dialog"><button class="act">${message("keys.close")}</button></form>
    </dialog>`;
  }

  /** Opens it. It renders again before: it is on the page before its sentences are loaded. */
  async show(): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    if (!this.dialog.open) this.dialog.showModal();
  }
}
