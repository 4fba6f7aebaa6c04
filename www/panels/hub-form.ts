import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { renderDetails } from "../elements/shared/templates.js";
import { HUB } from "../engine/remote-folder.js";
import { removeStored, type StoredFolder, storedFolders } from "../engine/stored.js";
import { formatBytes, message } from "../i18n/index.js";
import type { AddressedModel } from "../state/index.js";
import { modelLabel } from "../session/models/models.js";
import { asFailure, type Refusal } from "../session/run/failures.js";
import { SessionPart } from "../session/session.js";
import { type Offer, offerOf, refusalOf, removeEarlier, renderFacts } from "./model-offer.js";
import styles from "./hub-form.css?inline";

/** The parts of a hub address: an id, a revision after one of the hub's words, and a GGUF file. */
const ON_HUB =
  /^([\w-][\w.-]*(?:\/[\w-][\w.-]*)?)(?:\/(?:tree|blob|resolve)\/([^/]+))?(?:\/([^/]+\.gguf))?$/;

/** The model of a text: an id on the hub, the address of its page there, or any other address. */
export function modelOf(text: string, hub: string): AddressedModel {
  const typed = text.trim().replace(/\/+$/, "");
  const path = typed.startsWith(`${hub}/`) ? typed.slice(hub.length + 1) : typed;
  const [, id, revision = "main", file = ""] = ON_HUB.exec(path) ?? [];
  return `at/${id === undefined ? typed : `${hub}/${id}/resolve/${revision}/${file}`}`;
}

/**
 * The form for a model of a hub: its size is shown first, then it is loaded. A fold has the hub, a
 * token, and the stored models.
 */
@customElement("headscope-hub-form")
export class HeadscopeHubForm extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** Called when a model is opened. */
  @property({ attribute: false }) opened: () => void = () => undefined;

  @state() private offer: Offer | null = null;
  @state() private failure: Refusal | null = null;
  @state() private stored: readonly StoredFolder[] = [];
  @state() private measuring: AbortController | null = null;
  @query("form input") private readonly field!: HTMLInputElement;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.list();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.measuring?.abort();
  }

  override render(): TemplateResult {
    const { offer, failure, measuring } = this;
    return html`
      <form class="inline small" @submit=${this.measure}>
        <label
          ><span class="strong">${message("hub.field")}</span>
          <input
            class="boxed"
            name="model"
            required
            placeholder="org/name"
            autocapitalize="off"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="hint"
          />
        </label>
        <button class="act" aria-disabled=${measuring !== null}>${message("hub.measure")}</button>
      </form>
      <p id="hint" class="small muted next">${message("hub.hint")}</p>
      <div role="status">
        ${
          measuring
            ? html`<p class="small muted next">${message("hub.measuring")}</p>`
            : offer
              ? this.renderOffer(offer)
              : nothing
        }
      </div>
      <div role="alert">
        ${
          failure
            ? html`<p class="failure next">
                ${failure.sentence} ${renderDetails(html`<code>${failure.code}</code>`)}
              </p>`
            : nothing
        }
      </div>
      <details class="small">
        <summary>${message("hub.more")}</summary>
        ${this.renderSettings()}
      </details>
    `;
  }

  private renderOffer(offer: Offer): TemplateResult {
    return html`<div class="offer small next">
      <h3>${message("hub.files", { model: modelLabel(offer.model) })}</h3>
      ${renderFacts(offer)}
      <p class="inline next">
        <button class="act" @click=${this.load}>${message("hub.load")}</button>
        <button class="act" @click=${() => (this.offer = null)}>${message("hub.cancel")}</button>
      </p>
    </div>`;
  }

  private renderSettings(): TemplateResult {
    const { hub } = this.session.models;
    const field = (name: keyof typeof hub, type: string, label: string): TemplateResult =>
      html`<label class="next"
        >${label}
        <input
          class="boxed"
          name=${name}
          type=${type}
          .value=${hub[name]}
          autocomplete="off"
          spellcheck="false"
          @change=${({ target }: Event) => this.set(name, (target as HTMLInputElement).value)}
        />
      </label>`;
    return html`
      ${field("hub", "url", message("hub.address"))}
      ${field("token", "password", message("hub.token"))}
      <p class="muted">${message("hub.tokenHint")}</p>
      <h3 class="next">${message("hub.storedModels")}</h3>
      ${this.stored.length === 0 ? html`<p class="muted">${message("hub.none")}</p>` : nothing}
      <ul>
        ${this.stored.map(({ folder, address, bytes }) => {
          const model: AddressedModel = `at/${address}`;
          const name = modelLabel(model);
          return html`<li class="inline">
            <button class="name link" @click=${() => this.open(model, bytes)}>${name}</button>
            <span class="muted">${formatBytes(bytes)}</span>
            <button
              class="link"
              aria-label=${message("hub.removeModel", { model: name })}
              @click=${() => this.removeModel(folder)}
            >
              ${message("hub.remove")}
            </button>
          </li>`;
        })}
      </ul>
    `;
  }

  private set(name: "hub" | "token", value: string): void {
    const text = value.trim().replace(/\/+$/, "");
    this.session.models.hub[name] = name === "hub" && !URL.canParse(text) ? HUB : text;
    this.offer = null;
    this.requestUpdate();
  }

  private readonly measure = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.measuring) return;
    const { hub } = this.session.models;
    const model = modelOf(this.field.value, hub.hub);
    const measuring = (this.measuring = new AbortController());
    this.offer = this.failure = null;
    const address = this.session.addressOf(model);
    try {
      this.offer = await offerOf(model, this.session, measuring.signal);
    } catch (thrown) {
      // What is stored opens without the hub.
      const known = this.stored.find((folder) => folder.address === address);
      if (known && asFailure(thrown).code === "load/network") this.open(model, known.bytes);
      else if (!measuring.signal.aborted)
        this.failure = this.within(() => refusalOf(thrown, model, address));
    }
    this.measuring = null;
  };

  private readonly load = async (): Promise<void> => {
    const { offer } = this;
    if (!offer) return;
    const { model, bytes } = offer;
    await removeEarlier(offer, this.session.addressOf(model));
    this.open(model, bytes);
  };

  private open(model: AddressedModel, bytes: number): void {
    this.opened();
    this.session.openAddress(model, bytes);
  }

  private async removeModel(folder: string): Promise<void> {
    await removeStored(folder);
    await this.list();
  }

  private async list(): Promise<void> {
    this.stored = await storedFolders().catch(() => []);
  }
}
