import { type LitElement, type ReactiveController } from "lit";
import { zoomOf } from "../elements/shared/zoom.js";
import { tracked } from "../signals.js";

const MARGIN = 16;

/**
 * Places a popover of the given width under its button and inside the window, to the side with more
 * space; called before the popover opens.
 */
function placeUnder(button: Element, popover: HTMLElement, width: number): void {
  const zoom = zoomOf(button);
  const box = button.getBoundingClientRect();
  const [left, right, bottom] = [box.left / zoom, box.right / zoom, box.bottom / zoom];
  const room = document.documentElement.clientWidth / zoom;
  const wanted = left + right > room ? right - width : left - MARGIN;
  popover.style.top = `${bottom + 4}px`;
  popover.style.left = `${Math.max(MARGIN, Math.min(wanted, room - width - MARGIN))}px`;
}

const EVENTS = ["beforetoggle", "toggle", "focusout", "keydown"] as const;

/**
 * The popover of an element and the button that opens it. It closes on Escape, when the focus moves
 * elsewhere, and when its button disappears; while it is open, none of its keys reaches the page.
 */
export class Popover implements ReactiveController, EventListenerObject {
  @tracked expanded = false;
  private sheet: HTMLElement | null = null;
  /**
   * Moves the open sheet up as far as the window's lower edge requires, again when its contents
   * grow.
   */
  private readonly size = new ResizeObserver(() => {
    if (!this.sheet) return;
    const zoom = zoomOf(this.sheet);
    const { top, height } = this.sheet.getBoundingClientRect();
    const lowest = (window.innerHeight - height) / zoom - MARGIN;
    this.sheet.style.top = `${Math.max(MARGIN, Math.min(top / zoom, lowest))}px`;
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
    this.sheet?.style.setProperty("--_width", `${this.width}px`);
    for (const name of EVENTS) this.sheet?.addEventListener(name, this);
  }

  hostDisconnected(): void {
    window.removeEventListener("resize", this);
    this.size.disconnect();
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
      else this.size.disconnect();
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
    return this.host.renderRoot.querySelector("[popovertarget]");
  }
}
