import { css, ReactiveElement, unsafeCSS } from "lit";
import { baseStyles } from "../elements/shared/checked.js";
import { PARTS } from "../elements/shared/controllers.js";
import { HeadscopeError } from "../engine/errors.js";
import { message } from "../i18n/index.js";
import { decodeAttributes } from "../state/index.js";
import { whenNear } from "./nearness.js";
import { Notice, wordsFor } from "./notice.js";
import palette from "../styles/palette.css?inline";
import signs from "../styles/signs.css?inline";

/**
 * The element of another page that an explorer fills: colours, and the theme where it has its own.
 */
const placeStyles = css`
  ${unsafeCSS(palette)}
  :host {
    /* Its page may make it as narrow as its content, which is as wide as its container. */
    min-inline-size: min(100%, 320px);
    background: var(--headscope-paper);
  }
  :host([data-theme="light"]) {
    color-scheme: light;
  }
  :host([data-theme="dark"]) {
    color-scheme: dark;
  }
`;

let added = false;

/**
 * Adds the font faces of signs to a page: they hold for a whole document only, not for an element
 * of it, and have a name of their own.
 */
function addSignFonts(): void {
  if (added) return;
  added = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(signs);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** About as high as an explorer is: reserved, so that nothing moves when it appears. */
const HEIGHT = 800;

/**
 * The explorer's own parts, for rules of the page around it. The parts of its figures pass through.
 */
const PLACES = [
  "top-bar",
  "sentence",
  "heads",
  "picture-panel",
  "inspector",
  "edits",
  "page-footer",
];

/**
 * The whole explorer in another page, which begins with the State of its attributes. Its code comes
 * when the element is near the window: three figures in an article do without.
 */
export class HeadScope extends ReactiveElement {
  static override styles = [baseStyles, placeStyles];

  private readonly notice = new Notice(this);
  private stopWaiting: () => void = () => undefined;
  /** Whether the explorer is inside. */
  private filled = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.notice.attach();
    if (!this.filled) this.wait();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWaiting();
  }

  private wait(): void {
    this.notice.wait("embed.explorerWaiting", HEIGHT);
    this.stopWaiting();
    this.stopWaiting = whenNear(this, () => void this.fill());
  }

  private async fill(): Promise<void> {
    try {
      const { refuseUnread } = await import("./answer.js");
      refuseUnread(this, decodeAttributes(this));
      const { HeadscopeExplorer } = await import("../explorer/explorer.js");
      // An element that was moved meanwhile has asked twice.
      if (this.filled) return;
      this.filled = true;
      addSignFonts();
      this.notice.ready();
      const explorer = Object.assign(new HeadscopeExplorer(), { place: this });
      explorer.setAttribute("exportparts", [...PLACES, ...PARTS].join());
      this.renderRoot.append(explorer);
    } catch (thrown) {
      const words =
        thrown instanceof HeadscopeError
          ? await wordsFor(thrown)
          : { sentence: message("embed.unreached") };
      if (this.filled) return;
      this.notice.fail(words, () => this.wait());
    }
  }
}
