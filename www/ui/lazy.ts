import { html, type LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { renderDetails, styled } from "../elements/shared/templates.js";
import { HeadscopeError } from "../headscope.js";
import { type LaterPart, loadSentences, message } from "../i18n/index.js";
import { batch, signal, tracked } from "../signals.js";
import { PagePart } from "./page-part.js";
import styles from "./lazy.css?inline";

/**
 * A script that does not come for so long is reported as missing; the next try may find that it has
 * come.
 */
const SILENCE_MILLIS = 60_000;

const coming = signal(0);

export function isAnyComing(): boolean {
  return coming.value > 0;
}

/**
 * A module of the page that the first screen does without: fetched when it is first wanted, once
 * for all who want it. What could not be fetched is not asked for again by itself, which would ask
 * with every update.
 */
export class Later<Part> {
  @tracked failure: HeadscopeError | null = null;
  @tracked private part: Part | null = null;
  private arrival: Promise<void> | null = null;

  private readonly sentences: readonly LaterPart[];

  /** `sentences` names those that the part needs. */
  constructor(
    private readonly fetch: () => Promise<Part>,
    ...sentences: readonly LaterPart[]
  ) {
    this.sentences = sentences;
  }

  /** The part, if it is here; otherwise it is on its way from now on. */
  want(): Part | null {
    if (!this.part && !this.failure) void this.come();
    return this.part;
  }

  /**
   * Fetches it, also where that failed before; settles as soon as it is here, or is known not to
   * come.
   */
  come(): Promise<void> {
    if (this.part) return Promise.resolve();
    this.arrival ??= this.fetched();
    return this.arrival;
  }

  /** What the part makes; until it is here, a place of so many pixels in `host` that says so. */
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

  /** The keyboard was on a button that is gone: it moves to what was fetched. */
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

/** The place of a part of the page that is on its way, or could not be fetched. */
@customElement("headscope-later-status")
export class HeadscopeLaterStatus extends PagePart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) failure: HeadscopeError | null = null;
  @property({ attribute: false }) again: () => void = () => undefined;
  /** The height that is kept for it, so that nothing moves when it comes. */
  @property({ type: Number }) room = 0;

  /**
   * Whether it was tried again: the button stays, and with it the keyboard, until something comes
   * of it.
   */
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
