import { ContextConsumer } from "@lit/context";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { isBundled, linkTo, type State } from "../../state/index.js";
import { embedCode, type Embedded } from "../export/embed-code.js";
import { home } from "../home.js";
import { fittingState } from "../run/selection.js";
import { sessionContext } from "../session.js";
import { PagePart } from "../../ui/page-part.js";

/** What can be copied, with the words of its button. */
export type CopyKind = readonly [kind: Embedded | "link", label: MessageKey];

/** Of a figure of the bench: the page with it, and an explorer that shows it. */
const OF_FIGURE: readonly CopyKind[] = [
  ["link", "bar.link"],
  ["explorer", "embed.copyPicture"],
];

/** Copies the link to the page with its pictures, and the HTML that shows them in other pages; where copying is not allowed, it is shown to be copied by hand. */
@customElement("headscope-embed-buttons")
export class HeadscopeEmbedButtons extends PagePart {
  static override styles = css`
    button:hover {
      text-decoration: underline;
    }
    textarea {
      margin-top: 4px;
      background: var(--_chip);
      font-family: ui-monospace, monospace;
    }
    p {
      overflow-wrap: anywhere;
    }
    /* Among the buttons that a figure has already. */
    :host(.figure) {
      display: inline-block;
      color: var(--_muted);
      font-size: 12px;
    }
    :host(.figure) button {
      min-width: min(40px, var(--_touch));
    }
  `;

  private readonly explorer = new ContextConsumer(this, { context: sessionContext });

  /** What the pictures show; null while there is nothing. */
  @property({ attribute: false }) shown: State | null = null;
  @property({ attribute: false }) kinds: readonly CopyKind[] = [];
  /** Whether these buttons also offer the link to the page. */
  @property({ type: Boolean }) link = false;
  /** What the figure is called beside which they stand: then they are about the page as it is when one is pressed. */
  @property({ attribute: false }) heading = "";
  /** Receives the report of the last text; without it the report is shown here. */
  @property({ attribute: false }) say: ((report: string) => void) | null = null;

  @state() private report: MessageKey | null = null;
  /** What could not be put where it can be pasted from. */
  @state() private byHand: string | null = null;

  override render(): TemplateResult | typeof nothing {
    const { heading, link, byHand, report } = this;
    const explorer = this.explorer.value;
    if (!this.shown && heading === "") return nothing;
    const kinds = heading === "" ? this.kinds : OF_FIGURE;
    const named = (label: MessageKey): string | typeof nothing =>
      heading === "" ? nothing : `${message(label)}: ${heading}`;
    return html`<div class="inline">
        ${link ? html`<button @click=${() => explorer?.command("copy-link")}>${message(explorer?.links.linkCopied ? "bar.linkCopied" : "bar.link")}</button>` : nothing}
        ${kinds.map(([kind, label]) => html`<button aria-label=${named(label)} @click=${() => void this.copy(kind)}>${message(label)}</button>`)}
      </div>
      ${byHand === null ? nothing : html`<textarea class="boxed small" readonly rows="5" aria-label=${report === null ? nothing : message(report)} .value=${byHand}></textarea>`}
      ${this.say ? nothing : html`<p class="small muted" aria-live="polite">${report && message(report)}</p>`}`;
  }

  /** A figure refuses what its model and text do not have, which an explorer's State may hold for another model. */
  private fitting(kind: Embedded, state: State): State {
    const subject = kind === "explorer" ? null : (this.explorer.value?.firstSubject ?? null);
    return subject ? fittingState(state, subject.info, subject.run) : state;
  }

  private async copy(kind: Embedded | "link"): Promise<void> {
    this.byHand = null;
    const state = this.heading === "" ? this.shown : (this.explorer.value?.state ?? null);
    if (!state) return;
    const isLink = kind === "link";
    const bundled = isBundled(state.model);
    const link = isLink && bundled ? linkTo(state, home()) : null;
    const text = isLink ? link : embedCode(kind, this.fitting(kind, state));
    if (text === null)
      this.put(!isLink ? "embed.ownModel" : bundled ? "notice.noLink" : "saving.ownModel");
    else
      try {
        await navigator.clipboard.writeText(text);
        this.put(isLink ? "bar.linkCopied" : "embed.copied");
      } catch {
        this.byHand = text;
        this.put(isLink ? "saving.byHand" : "embed.byHand");
      }
  }

  private put(report: MessageKey): void {
    this.report = report;
    this.say?.(message(report));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-embed-buttons": HeadscopeEmbedButtons;
  }
}
