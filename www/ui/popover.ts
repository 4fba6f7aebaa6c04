import { css, type LitElement, type ReactiveController } from "lit";
import { tracked } from "../signals.js";

/** A sheet of choices under a button, which a small arrow head marks. */
export const sheetStyles = css`
  [popovertarget] {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }

  [popovertarget]::after {
    content: "";
    width: var(--_arrow, 6px);
    height: var(--_arrow, 6px);
    margin-top: -4px;
    border: solid currentColor;
    border-width: 0 1.5px 1.5px 0;
    rotate: 45deg;
  }

  [popover] {
    position: fixed;
    inset: auto;
    width: min(var(--_width), calc(100vw - 32px));
    max-height: calc(100dvh - 32px);
    margin: 0;
    overflow: auto;
    border: 1px solid var(--headscope-line);
    border-radius: 8px;
    background: var(--headscope-paper);
    color: var(--headscope-ink);
    box-shadow: 0 8px 32px rgb(0 0 0 / 12%);
  }

  /* Marks what is chosen or changed. */
  .dot {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--headscope-accent);
  }
`;

const MARGIN = 16;

/**
 * Places a popover of that width under its button and inside the window, to the side with more space; call it before
 * the popover opens.
 */
function placeUnder(button: Element, popover: HTMLElement, width: number): void {
  const { left, right, bottom } = button.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const wanted = left + right > room ? right - width : left - MARGIN;
  popover.style.top = `${bottom + 4}px`;
  popover.style.left = `${Math.max(MARGIN, Math.min(wanted, room - width - MARGIN))}px`;
}

const EVENTS = ["beforetoggle", "toggle", "focusout", "keydown"] as const;

/**
 * The popover of an element and the button that opens it. It closes on Escape, when the focus moves elsewhere, and when
 * its button disappears; while it is open, none of its keys reaches the page.
 */
export class Popover implements ReactiveController, EventListenerObject {
  @tracked expanded = false;
  private sheet: HTMLElement | null = null;
  /** A button elsewhere on the page that it was opened under. */
  private opener: HTMLElement | null = null;
  /** Moves the open sheet up as far as the window's lower edge asks, again when its contents grow. */
  private readonly size = new ResizeObserver(() => {
    if (!this.sheet) return;
    const { top, height } = this.sheet.getBoundingClientRect();
    const lowest = window.innerHeight - height - MARGIN;
    this.sheet.style.top = `${Math.max(MARGIN, Math.min(top, lowest))}px`;
  });

  constructor(
    private readonly host: LitElement,
    private readonly width: number,
    private readonly opening: () => void = () => undefined,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    if (this.sheet) return;
    this.sheet = this.host.renderRoot.querySelector("[popover]");
    for (const name of EVENTS) this.sheet?.addEventListener(name, this);
  }

  hostDisconnected(): void {
    window.removeEventListener("resize", this);
    this.size.disconnect();
  }

  /** Opens it under another button than its own. */
  open(under: HTMLElement): void {
    this.opener = under;
    this.sheet?.showPopover();
  }

  close(): void {
    if (!this.expanded) return;
    const { button } = this;
    this.sheet?.hidePopover();
    button?.focus();
  }

  handleEvent(event: Event): void {
    const { sheet, button } = this;
    if (!sheet || !button) return;
    if (event.type === "resize") {
      if (button.offsetParent === null) sheet.hidePopover();
    } else if (event.type === "beforetoggle") {
      if (!(event instanceof ToggleEvent) || event.newState !== "open") return;
      placeUnder(button, sheet, this.width);
      this.opening();
    } else if (event.type === "toggle") {
      this.expanded = event instanceof ToggleEvent && event.newState === "open";
      if (this.expanded) this.size.observe(sheet);
      else {
        this.size.disconnect();
        this.opener = null;
      }
      window[this.expanded ? "addEventListener" : "removeEventListener"]("resize", this);
    } else if (!this.expanded) return;
    else if (event instanceof KeyboardEvent) {
      event.stopPropagation();
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.close();
    } else if (event instanceof FocusEvent && event.relatedTarget instanceof Node) {
      const { relatedTarget: next } = event;
      if (!this.host.contains(next) && !this.host.renderRoot.contains(next)) sheet.hidePopover();
    }
  }

  private get button(): HTMLElement | null {
    return this.opener ?? this.host.renderRoot.querySelector("[popovertarget]");
  }
}
