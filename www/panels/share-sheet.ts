/** All ways to share what the page shows: its link, the code of embeds, and a file. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import "../kit/embed-buttons.js";
import { modelLabel } from "../session/models/models.js";
import { SessionPart } from "../session/session.js";
import { isOpened } from "../state/index.js";

/** The contents of the share menu. */
@customElement("headscope-share-sheet")
export class HeadscopeShareSheet extends SessionPart {
  static override styles = css`
    .own {
      margin-bottom: 12px;
    }
    h2:not(:first-child) {
      margin-top: 12px;
    }
    .saved {
      gap: 0 16px;
    }
    .saved button:hover {
      text-decoration: underline;
    }
  `;

  @query("input") private readonly input!: HTMLInputElement;

  override render(): TemplateResult {
    const { session } = this;
    const { model } = session.state;
    const isOwn = isOpened(model);
    const words = [
      isOwn && message("menus.own", { name: modelLabel(model) }),
      session.hasOwnImage && message("menus.ownImage"),
    ];
    const file = html`<h2>${message("menus.file")}</h2>
      <div class="saved inline">
        <button @click=${() => session.command("save-page")}>${message("foot.save")}</button>
        <button @click=${() => this.input.click()}>${message("foot.open")}</button>
      </div>
      <p class="small muted">${message("menus.fileHint")}</p>
      <input
        type="file"
        hidden
        accept=".json,application/json"
        tabindex="-1"
        aria-label=${message("foot.open")}
        @change=${this.picked}
      />`;
    const link = html`<h2>${message("menus.page")}</h2>
      <headscope-embed-buttons kinds="link explorer"></headscope-embed-buttons>`;
    const figures = html`<h2>${message("menus.figures")}</h2>
      <headscope-embed-buttons kinds="picture grid spectrum"></headscope-embed-buttons>`;
    // What holds the page stands first.
    return html`${words.map((one) => (one ? html`<p class="small own">${one}</p>` : nothing))}
    ${isOwn ? html`${file}${figures}` : html`${link}${figures}${file}`}`;
  }

  private readonly picked = (): void => {
    const [file] = this.input.files ?? [];
    // So that the same file can be picked again after it was corrected.
    this.input.value = "";
    if (file) void this.session.links.openFile(file);
  };
}
