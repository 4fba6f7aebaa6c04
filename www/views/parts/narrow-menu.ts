import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";
import { keepInside, placeUnder } from "../../ui/popover.js";
import { sheetStyles } from "./sheet-styles.js";
import { partStyles } from "../../ui/base-styles.js";

const WIDTH = 280;

/**
 * Controls that stand in their row where the explorer is wide, and behind one button where it is narrow. They are the
 * same elements in both: what is slotted takes part in the row of whoever holds this element.
 */
@customElement("headscope-narrow-menu")
export class HeadscopeNarrowMenu extends PagePart {
  static override styles = [
    partStyles,
    sheetStyles,
    css`
      :host {
        display: block;
        font-size: inherit;
      }

      [popovertarget] {
        --_arrow: 5px;
        white-space: nowrap;
        color: var(--headscope-muted);
      }

      .menu {
        flex-direction: column;
        align-items: flex-start;
        gap: 4px;
        width: min(280px, calc(100vw - 32px));
        max-height: calc(100dvh - 32px);
        padding: 12px 16px;
        overflow: auto;
      }

      .menu:popover-open {
        display: flex;
      }

      .changed {
        width: 6px;
        height: 6px;
        border-radius: 50%;
        background: var(--headscope-accent);
      }

      /* The width from which an explorer has no tabs. */
      @container not (max-width: 820px) {
        :host {
          display: contents;
        }

        [popovertarget] {
          display: none;
        }

        .menu:not(:popover-open) {
          display: contents;
        }
      }
    `,
  ];

  /** What the button says, and what the group is called where that is more. */
  @property() label = "";
  @property() name = "";
  /** How many of the controls are not as they were at first: said where they cannot be seen. */
  @property({ type: Number }) changed = 0;

  @state() private expanded = false;
  @query("button") private readonly button!: HTMLElement;
  @query(".menu") private readonly menu!: HTMLElement;

  /** Closes a menu whose button is gone, because the explorer grew. */
  private readonly grown = new ResizeObserver(() => {
    if (this.expanded && this.button.offsetParent === null) this.menu.hidePopover();
  });

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.grown.disconnect();
  }

  override render(): TemplateResult {
    return html`
      <button popovertarget="menu" aria-expanded=${this.expanded}>
        ${this.label}${this.changed === 0 ? nothing : html`<span class="changed"></span><span class="visually-hidden">${message("menu.changed", { count: this.changed })}</span>`}
      </button>
      <div id="menu" class="menu" popover role="group" aria-label=${this.name || this.label} @beforetoggle=${this.place} @toggle=${this.toggled} @focusout=${this.left} @keydown=${this.pressed}>
        <slot></slot>
      </div>
    `;
  }

  /** Closes it, if it is open, and takes the keyboard back to the button. */
  close(): void {
    if (!this.expanded) return;
    this.menu.hidePopover();
    this.button.focus();
  }

  private readonly place = (event: Event): void => {
    if (event instanceof ToggleEvent && event.newState === "open")
      placeUnder(this.button, this.menu, WIDTH);
  };

  private readonly toggled = (event: Event): void => {
    this.expanded = event instanceof ToggleEvent && event.newState === "open";
    if (this.expanded) {
      keepInside(this.menu);
      this.grown.observe(document.documentElement);
    } else this.grown.disconnect();
  };

  /** The keyboard went on to the page behind. */
  private readonly left = ({ relatedTarget }: FocusEvent): void => {
    if (
      this.expanded &&
      relatedTarget instanceof Node &&
      !this.contains(relatedTarget) &&
      !this.renderRoot.contains(relatedTarget)
    )
      this.menu.hidePopover();
  };

  /** While it is open no key in it is meant for the page. */
  private readonly pressed = (event: KeyboardEvent): void => {
    if (!this.expanded) return;
    event.stopPropagation();
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.close();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-narrow-menu": HeadscopeNarrowMenu;
  }
}
