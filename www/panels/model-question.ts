/** The question whether a model that a link names may be fetched. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { renderDetails } from "../elements/shared/templates.js";
import { storedFolders } from "../engine/stored.js";
import { formatBytes, message } from "../i18n/index.js";
import { modelLabel } from "../session/models/models.js";
import type { Refusal } from "../session/run/failures.js";
import { SessionPart } from "../session/session.js";
import type { AddressedModel } from "../state/index.js";
import { type Offer, offerOf, refusalOf, removeEarlier, renderFacts } from "./model-offer.js";

/**
 * Asks the reader about a model: names its server and its size, of which alone the server was
 * asked. A model whose files are all stored in the browser is opened without the question.
 */
@customElement("headscope-model-question")
export class HeadscopeModelQuestion extends SessionPart {
  static override styles = css`
    .band {
      --_band: 8px;
      background: var(--_chip);
    }
    p {
      flex: 1 1 320px;
      overflow-wrap: anywhere;
    }
    .ways {
      gap: 8px;
    }
    dl {
      max-width: 480px;
    }
  `;

  /** The model that waits for the answer. */
  @property({ attribute: false }) model!: AddressedModel;

  @state() private offer: Offer | null = null;
  @state() private failure: Refusal | null = null;
  private measuring = new AbortController();
  protected override readonly turn = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.measuring.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("model")) void this.measure();
  }

  override render(): TemplateResult {
    const { model, offer, failure, session } = this;
    return html`<section class="band" aria-label=${message("ask.label")}>
      <div class="inline">
        <p role=${failure ? "alert" : "status"}>
          ${failure ? failure.sentence : this.sentence()}
          ${failure ? renderDetails(html`<code>${failure.code}</code>`) : nothing}
        </p>
        <div class="ways inline">
          ${
            failure
              ? html`<button class="act" @click=${this.measure}>${message("ask.again")}</button>`
              : html`<button class="act" ?disabled=${offer === null} @click=${this.agree}>
                  ${message("ask.yes")}
                </button>`
          }
          <button class="act" @click=${() => session.refuse(model)}>${message("ask.no")}</button>
        </div>
      </div>
      ${
        offer
          ? html`<details class="small">
              <summary>${message("hub.files", { model: modelLabel(model) })}</summary>
              ${renderFacts(offer)}
            </details>`
          : nothing
      }
    </section>`;
  }

  private sentence(): string {
    const { model, offer, session } = this;
    const names = { model: modelLabel(model), host: new URL(session.addressOf(model)).host };
    if (offer === null) return message("ask.measuring", names);
    return offer.isWhole
      ? message("ask.size", { ...names, bytes: formatBytes(offer.bytes) })
      : message("ask.unknown", names);
  }

  private readonly measure = async (): Promise<void> => {
    this.measuring.abort();
    const { signal } = (this.measuring = new AbortController());
    const { model, session } = this;
    const address = session.addressOf(model);
    this.offer = this.failure = null;
    try {
      const offer = await offerOf(model, session, signal);
      if (signal.aborted) return;
      if (offer.size.files.every(({ stored }) => stored === "yes")) session.agree(model, 0);
      else this.offer = offer;
    } catch (thrown) {
      if (signal.aborted) return;
      const refusal = this.within(() => refusalOf(thrown, model, address));
      // What is stored opens without its server.
      const stored = refusal.code === "load/network" ? await storedFolders().catch(() => []) : [];
      const known = stored.find((folder) => folder.address === address);
      if (known) session.agree(model, known.bytes);
      else this.failure = refusal;
    }
  };

  private readonly agree = async (): Promise<void> => {
    const { offer, model, session } = this;
    if (!offer) return;
    await removeEarlier(offer, session.addressOf(model));
    session.agree(model, offer.isWhole ? offer.bytes : null);
  };
}
