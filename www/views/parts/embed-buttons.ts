import { consume } from "@lit/context";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { isBundled, linkTo, type State } from "../../state/index.js";
import { embedCode, type Embedded } from "../export/embed-code.js";
import { home } from "../home.js";
import { fittingState } from "../run/selection.js";
import { type Session, sessionContext } from "../session.js";
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

  @consume({ context: sessionContext, subscribe: true })
  @property({ attribute: false })
  session: Session | null = null;

  /** What the pictures show, where that is not what the page shows. */
  @property({ attribute: false }) shown: State | null = null;
  @property({ attribute: false }) kinds: readonly CopyKind[] = OF_FIGURE;
  /** The figure beside which they stand. */
  @property({ attribute: false }) heading = "";
  /** Receives the report of the last text; without it the report is shown here. */
  @property({ attribute: false }) say: ((report: string) => void) | null = null;

  @state() private report: MessageKey | null = null;
  /** What could not be put where it can be pasted from. */
  @state() private byHand: string | null = null;

  override render(): TemplateResult {
    const { heading, kinds, byHand, report } = this;
    const words = report && message(report);
    const named = (label: MessageKey): string | typeof nothing =>
      heading === "" ? nothing : `${message(label)}: ${heading}`;
    return html`<div class="inline">${kinds.map(([kind, label]) => html`<button aria-label=${named(label)} @click=${() => void this.copy(kind)}>${message(label)}</button>`)}</div>
      ${byHand === null ? nothing : html`<textarea class="boxed small" readonly rows="5" aria-label=${words ?? nothing} .value=${byHand}></textarea>`}
      ${this.say ? nothing : html`<p class="small muted" aria-live="polite">${words}</p>`}`;
  }

  private async copy(kind: Embedded | "link"): Promise<void> {
    this.byHand = null;
    const { session } = this;
    const state = this.shown ?? session?.state;
    if (!state) return;
    const isLink = kind === "link";
    const bundled = isBundled(state.model);
    // A figure refuses what its model and text do not have, which an explorer's State may hold for another model.
    const subject = isLink || kind === "explorer" ? null : session?.firstSubject;
    const fitting = subject ? fittingState(state, subject.info, subject.run) : state;
    const text = isLink ? bundled && linkTo(state, home()) : embedCode(kind, fitting);
    this.report = isLink ? "bar.linkCopied" : "embed.copied";
    if (!text)
      this.report = !isLink ? "embed.ownModel" : bundled ? "notice.noLink" : "saving.ownModel";
    else
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        this.byHand = text;
        this.report = isLink ? "saving.byHand" : "embed.byHand";
      }
    this.say?.(message(this.report));
  }
}
