import { type CSSResultGroup, type CSSResultOrNative, LitElement, unsafeCSS } from "lit";
import { baseStyles } from "../elements/shared/checked.js";
import { passParts } from "../elements/shared/controllers.js";
import { LocaleController } from "../elements/shared/locale.js";
import type { Locale } from "../i18n/index.js";
import { asRendering, effect } from "../signals.js";
import parts from "../styles/parts.css?inline";

const partStyles = unsafeCSS(parts);

/**
 * A part of the page: it renders in the language around it, and again when a signal changes that it
 * read while it rendered.
 */
export class PagePart extends LitElement {
  private stopFollowing: (() => void) | undefined;
  private readonly localeController = new LocaleController(this);

  static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return super.finalizeStyles([baseStyles, partStyles, styles]);
  }

  constructor() {
    super();
    passParts(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopFollowing?.();
  }

  protected override performUpdate(): void {
    if (!this.isUpdatePending) return;
    this.stopFollowing?.();
    let first = true;
    this.stopFollowing = effect(() => {
      if (!first) this.signalled();
      else {
        first = false;
        this.within(() => asRendering(() => super.performUpdate()));
      }
    });
  }

  /**
   * The result of `act`, whose words are in the language of this part: an update has that language
   * by itself, but an event listener or code after a wait does not.
   */
  protected within<Result>(act: () => Result): Result {
    return this.locale.within(act);
  }

  /** The locale in which the part renders. */
  get locale(): Locale {
    return this.localeController.locale;
  }

  /** Called when a signal has changed that the last update read. */
  protected signalled(): void {
    this.requestUpdate();
  }
}
