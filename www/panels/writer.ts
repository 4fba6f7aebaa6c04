/**
 * How the model goes on with the text: its continuation with candidates for the next token, the
 * button that lets the text grow, how the next token is chosen, and how fast the model writes.
 */
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { tokenLabel } from "../elements/shared/templates.js";
import { formatNumber, formatPercent, message } from "../i18n/index.js";
import type { NextToken } from "../session/run/output.js";
import { type Given, givenOf, GrowingText, PRESS_TOKENS } from "../session/run/pen.js";
import { SessionPart } from "../session/session.js";
import type { Sampling } from "../state/index.js";
import { Later } from "../ui/lazy.js";
import { Popover } from "../ui/popover.js";
import styles from "./writer.css?inline";

const FORM = new Later(() => import("../kit/sampling-form.js"), "experiments");

const MAX_CANDIDATES = 5;
/** The width of the sheet with the settings. */
const SHEET_WIDTH = 340;

/** A decoder's continuation, and the controls of a text that a model goes on with. */
@customElement("headscope-writer")
export class HeadscopeWriter extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** The text that was written last, and the State's text after it. */
  @state() private last: GrowingText | null = null;

  private readonly sheet = new Popover(this, SHEET_WIDTH);
  protected override readonly turn = 1;

  override render(): TemplateResult {
    const given = givenOf(this.session);
    const isDecoder = this.session.architecture === "decoder";
    return html`${isDecoder ? this.renderWritten() : nothing}
      <div class="go inline next">
        ${isDecoder ? this.renderCandidates() : nothing}
        <div class="controls inline">
          ${given ? this.renderButton(given) : nothing} ${this.renderSettings()}
          <span class="small muted" role="status">${this.report()}</span>
        </div>
      </div>`;
  }

  private renderWritten(): TemplateResult {
    const { computation } = this.session;
    const { continuation, stale } = computation;
    const { written = "" } = continuation ?? {};
    // Whether nothing was generated is only known once the model has answered. With words the
    // answer is not asked for: each change of it would render the writer again.
    const none =
      written.trim() === "" &&
      !computation.busy &&
      computation.run !== null &&
      computation.failure === null;
    const words = none ? message("go.nothing") : written.trimStart();
    const look = classMap({ written: true, large: true, muted: true, stale });
    return html`<p class=${look}>${words}</p>`;
  }

  /** Renders the likeliest next tokens, each a button that adds it. */
  private renderCandidates(): TemplateResult | typeof nothing {
    const { continuation } = this.session.computation;
    if (!continuation) return nothing;
    const { text, candidates } = continuation;
    return html`<ul class="candidates inline" aria-label=${message("go.candidates")}>
      ${candidates
        .slice(0, MAX_CANDIDATES)
        .map((next) => html`<li>${this.renderCandidate(text, next)}</li>`)}
    </ul>`;
  }

  private renderCandidate(text: string, { prediction, addition }: NextToken): TemplateResult {
    const { session } = this;
    const share = formatPercent(prediction.probability);
    const ends = session.info?.endTokens.includes(prediction.id) === true;
    const role = ends ? "end" : null;
    const token = tokenLabel({ ...prediction, word: 0, special: ends, role });
    const words = html`<bdi>${token}</bdi
      >${addition === null ? html` <small class="muted">${message("go.part")}</small>` : nothing}
      <small class="muted">${share}</small>`;
    const label = message("go.add", { token, share });
    // A token that ends the text, or that no text can contain, is no button.
    return addition
      ? html`<button
          class="candidate chip"
          aria-label=${label}
          title=${label}
          @click=${() => session.update({ text: text + addition })}
        >
          ${words}
        </button>`
      : html`<span class="candidate chip special">${words}</span>`;
  }

  private renderButton(given: Given): TemplateResult {
    const { session } = this;
    const { computation } = session;
    const { pen } = computation;
    const isFull = given.room <= 0 && pen === null;
    const press = (): void => {
      if (pen) computation.stop();
      else if (!computation.busy && !isFull) this.write(given);
    };
    return html`<button
      id="write"
      class="act"
      aria-disabled=${isFull}
      title=${isFull ? message("writing.full", { most: given.ids.length }) : nothing}
      @click=${press}
    >
      ${pen ? message("writing.stop") : message("writing.continue", { count: PRESS_TOKENS })}
    </button>`;
  }

  private write(given: Given): void {
    const { session } = this;
    this.last = new GrowingText(session.store, given);
    void session.computation.write(session.state, this.last);
  }

  /** What is known of the text that is being written, or was written last. */
  private report(): string {
    const { last, session } = this;
    if (!last || !last.wrote(session.state)) return "";
    const { speed, ended } = last;
    const digits = (speed ?? 0) < 10 ? 1 : 0;
    const words =
      speed === null ? [] : [message("writing.speed", { speed: formatNumber(speed, digits) })];
    // Beside a decoder's text the continuation says it.
    const isSilent = session.architecture === "decoder" || !ended;
    return [...words, ...(isSilent ? [] : [message("writing.ended")])].join(" · ");
  }

  private renderSettings(): TemplateResult {
    const { sampling } = this.session.state;
    const { expanded } = this.sheet;
    return html`<button
        class="small"
        popovertarget="sheet"
        aria-haspopup="dialog"
        aria-expanded=${expanded}
        title=${message("writing.settings")}
      >
        ${samplingWords(sampling)}
      </button>
      <div id="sheet" popover role="dialog" aria-label=${message("writing.settings")}>
        ${
          expanded
            ? FORM.show(this, () => html`<headscope-sampling-form></headscope-sampling-form>`, 64)
            : nothing
        }
      </div>`;
  }
}

/** How the next token is chosen, in a few words. */
function samplingWords(sampling: Sampling | null): string {
  if (sampling === null) return message("writing.likeliest");
  const { temperature, seed } = sampling;
  return temperature === 1
    ? message("writing.drawn", { seed })
    : message("writing.drawn.temperature", { temperature: formatNumber(temperature, 2), seed });
}
