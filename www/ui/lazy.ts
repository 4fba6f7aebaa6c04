import { html, type LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { renderDetails, styled } from "../elements/shared/templates.js";
import { HeadscopeError } from "../headscope.js";
import { type LaterPart, loadSentences, message } from "../i18n/index.js";
import { batch, signal, tracked } from "../signals.js";
import { PagePart } from "./page-part.js";
import styles from "./lazy.css?inline";

/**
 * The time after which a script that has not arrived is reported as missing; the next try may find
 * that it has arrived.
 */
const SILENCE_MILLIS = 60_000;

const coming = signal(0);

export function isAnyComing(): boolean {
  return coming.value > 0;
}

/**
 * A module of the page that the first screen does not need: loaded when first wanted, once for all
 * users. After a failure it is not requested again automatically, which would happen with every
 * update.
 */
export class Later<Part> {
  @tracked failure: HeadscopeError | null = null;
  @tracked private part: Part | null = null;
  private arrival: Promise<void> | null = null;

  private readonly sentences: readonly LaterPart[];

  /** `sentences` names the sentences that the part needs. */
  constructor(
    private readonly fetch: () => Promise<Part>,
    ...sentences: readonly LaterPart[]
  ) {
    this.sentences = sentences;
  }

  /** The part, if it is loaded; otherwise loading starts. */
  want(): Part | null {
    if (!this.part && !this.failure) void this.come();
    return this.part;
  }

  /**
   * Loads the part, also after a failure; settles as soon as it is loaded, or is known to have
   * failed.
   */
  come(): Promise<void> {
    if (this.part) return Promise.resolve();
    this.arrival ??= this.fetched();
    return this.arrival;
  }

  /**
   * The template that `made` returns for the part; until it is loaded, a status of `room` pixels in
   * `host`.
   */
  show(
    host: LitElement,
    made: (part: Part) => TemplateResult | typeof nothing,
    room = 0,
  ): TemplateResult | typeof nothing {
    const part = this.want();
    return part === null
      ? html`<headscope-later-status
          .failure=${this.failure}
          .again=${() => void this.again(host)}
          .room=${room}
        ></headscope-later-status>`
      : made(part);
  }

  /** Tries again, and then moves the focus from the removed button to the loaded part. */
  private async again(host: LitElement): Promise<void> {
    await this.come();
    await host.updateComplete;
    if (!this.failure) host.focus();
  }

  private async fetched(): Promise<void> {
    this.failure = null;
    coming.value = coming.peek() + 1;
    let part: Part | null = null;
    let failure: HeadscopeError | null = null;
    try {
      const all = Promise.all([this.fetch(), loadSentences(...this.sentences)]);
      [part] = await Promise.race([all, silence()]);
    } catch (thrown) {
      const got = thrown instanceof Error ? thrown.message : String(thrown);
      const doing = "fetching a part of the page";
      const details = { code: "page/part", doing, expected: "a script", got, message: got };
      failure = new HeadscopeError(details, { cause: thrown });
    }
    this.arrival = null;
    batch(() => {
      this.part = part;
      this.failure = failure;
      coming.value = coming.peek() - 1;
    });
  }
}

function silence(): Promise<never> {
  return new Promise((_, reject) =>
    setTimeout(() => reject(new Error("no answer within 60 seconds")), SILENCE_MILLIS),
  );
}

/** The status of a part of the page that is being loaded, or has failed. */
@customElement("headscope-later-status")
export class HeadscopeLaterStatus extends PagePart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) failure: HeadscopeError | null = null;
  @property({ attribute: false }) again: () => void = () => undefined;
  /** The height that is kept for the part, so that nothing moves when it arrives. */
  @property({ type: Number }) room = 0;

  /** Whether a second try was made: the button stays, and with it the focus, until the try ends. */
  @state() private tried = false;

  override render(): TemplateResult {
    const { failure, tried } = this;
    return html`<div class="place" style=${styled({ "min-height": `${Math.ceil(this.room)}px` })}>
      <div role="status">
        ${failure ? nothing : html`<p class="coming small muted">${message("later.coming")}</p>`}
      </div>
      <div role="alert">
        ${
          failure
            ? html`<p>
                ${message("embed.unreached")} ${renderDetails(html`<code>${failure.code}</code>`)}
              </p>`
            : nothing
        }
      </div>
      ${
        failure || tried
          ? html`<button class="act" aria-disabled=${failure === null} @click=${this.pressed}>
              ${message("embed.again")}
            </button>`
          : nothing
      }
    </div>`;
  }

  private readonly pressed = (): void => {
    if (!this.failure) return;
    this.tried = true;
    this.again();
  };
}
