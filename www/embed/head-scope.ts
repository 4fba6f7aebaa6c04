import { ReactiveElement } from "lit";
import { baseStyles } from "../elements/shared/base-styles.js";
import { PARTS } from "../elements/shared/controllers.js";
import { HeadscopeError } from "../engine/errors.js";
import { message } from "../i18n/index.js";
import { decodeAttributes } from "../state/index.js";
import { addSignFonts, placeStyles } from "../views/explorer/place-styles.js";
import { whenNear } from "./nearness.js";
import { Notice, wordsFor } from "./notice.js";

/** About as high as an explorer is: reserved, so that nothing moves when it appears. */
const HEIGHT = 800;

/** The explorer's own parts, for rules of the page around it. The parts of its figures pass through. */
const PLACES = "top-bar sentence heads picture-panel inspector edits page-footer".split(" ");

/**
 * The whole explorer in another page, which begins with the State of its attributes. Its code comes when the element is
 * near the window: three figures in an article do without.
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
      const { HeadscopeExplorer } = await import("../views/explorer/explorer.js");
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
