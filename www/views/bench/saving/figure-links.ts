import {
  css,
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { customElement, property } from "lit/decorators.js";
import { message } from "../../../i18n/index.js";
import { isBundled, linkTo } from "../../../state/index.js";
import { embedCode } from "../../export/embed-code.js";
import { home } from "../../home.js";
import { copyFieldStyles } from "../../parts/copy-field-styles.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { askState } from "../lab-settings.js";

/** Copies the link to the page with a figure on its bench, or the HTML of an explorer that shows it; where nobody may copy, it shows that to be copied by hand. */
export class FigureLinks implements ReactiveController {
  /** What could not be put where it can be pasted from. */
  private byHand: string | null = null;

  /** `say` hears what became of it. */
  constructor(
    private readonly host: ReactiveControllerHost & EventTarget,
    private readonly say: (report: string) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.byHand = null;
  }

  buttons(heading: string): TemplateResult {
    return html`<button aria-label="${message("bar.link")}: ${heading}" @click=${() => void this.copy("link")}>${message("bar.link")}</button>
      <button aria-label="${message("embed.copyPicture")}: ${heading}" @click=${() => void this.copy("code")}>${message("embed.copyPicture")}</button>`;
  }

  field(): TemplateResult | typeof nothing {
    return this.byHand === null
      ? nothing
      : html`<textarea readonly rows="3" aria-label=${message("saving.byHand")} .value=${this.byHand}></textarea>`;
  }

  private async copy(what: "link" | "code"): Promise<void> {
    this.byHand = null;
    const state = askState(this.host);
    if (!state) return;
    const own = !isBundled(state.model);
    const text =
      what === "code" ? embedCode("explorer", state) : own ? null : linkTo(state, home());
    if (text === null) {
      this.tell(
        message(own ? (what === "code" ? "embed.ownModel" : "saving.ownModel") : "notice.noLink"),
      );
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      this.tell(message(what === "code" ? "embed.copied" : "bar.linkCopied"));
    } catch {
      this.byHand = text;
      this.tell(message("saving.byHand"));
    }
  }

  private tell(report: string): void {
    this.say(report);
    this.host.requestUpdate();
  }
}

export const linkFieldStyles = [
  copyFieldStyles,
  css`
    textarea {
      font-size: 12px;
    }
  `,
];

/** The two buttons by themselves, among those that a picture has already. */
@customElement("headscope-figure-links")
export class HeadscopeFigureLinks extends PagePart {
  static override styles = [
    partStyles,
    linkFieldStyles,
    css`
      :host {
        display: inline-flex;
        flex-wrap: wrap;
        gap: 0 12px;
        min-width: 0;
        color: var(--headscope-muted);
        font-size: 12px;
      }

      @media (pointer: coarse) {
        button {
          min-width: 40px;
          min-height: 40px;
        }
      }
    `,
  ];

  /** What the picture is called. */
  @property({ attribute: false }) heading = "";
  private report = "";
  private readonly links = new FigureLinks(this, (report) => (this.report = report));

  override render(): TemplateResult {
    return html`${this.links.buttons(this.heading)} <span role="status">${this.report}</span>${this.links.field()}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-figure-links": HeadscopeFigureLinks;
  }
}
