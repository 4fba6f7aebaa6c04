/** What a page can do that has no example models, in place of its picture. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import { SessionPart } from "../session/session.js";

/** Ways on without a model: one of the reader, one that is trained, and the calculator. */
@customElement("headscope-without-models")
export class HeadscopeWithoutModels extends SessionPart {
  static override styles = css`
    :host {
      display: block;
      padding: 24px 0;
      max-width: 560px;
    }
    .ways {
      gap: 8px;
      margin-top: 12px;
    }
  `;

  override render(): TemplateResult {
    const { session } = this;
    const { offerFiles } = session.page;
    return html`<p>${message("without.can")}</p>
      <div class="ways inline">
        ${
          offerFiles
            ? html`<button class="act" @click=${offerFiles}>${message("bar.own")}</button>`
            : nothing
        }
        <button class="act" @click=${() => session.update({ training: "" })}>
          ${message("training.enter")}
        </button>
        <button class="act" @click=${this.calculate}>${message("experiments.calculator")}</button>
      </div>`;
  }

  /** Opens the calculator, in a narrow explorer in its tab. */
  private readonly calculate = (): void => {
    const { session } = this;
    session.update({ experiment: "calculator" });
    session.page.reveal?.("headscope-edits-panel");
  };
}
