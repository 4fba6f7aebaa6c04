import { type CSSResultGroup, type CSSResultOrNative, LitElement, unsafeCSS } from "lit";
import { baseStyles } from "../elements/shared/checked.js";
import { passParts } from "../elements/shared/controllers.js";
import { effect } from "../signals.js";
import parts from "../styles/parts.css?inline";

const partStyles = unsafeCSS(parts);

/**
 * A part of the page: it renders again when a signal changes that it read while it rendered, as the
 * language is.
 */
export class PagePart extends LitElement {
  private stopFollowing: (() => void) | undefined;

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
        super.performUpdate();
      }
    });
  }

  /** A signal changed that the last update read. */
  protected signalled(): void {
    this.requestUpdate();
  }
}
