import type { ReactiveController, ReactiveElement } from "lit";

/**
 * Passes the parts of an element on where it stands inside one of ours that passes its own on: a rule reaches no further
 * than one shadow root by itself, and where an element is drawn is not for the page around it to know.
 */
export class PartsController implements ReactiveController {
  constructor(private readonly element: ReactiveElement) {
    element.addController(this);
  }

  hostConnected(): void {
    const { element } = this;
    const root = element.getRootNode();
    const passed =
      root instanceof ShadowRoot && root.host.localName.startsWith("headscope-")
        ? root.host.getAttribute("exportparts")
        : null;
    if (passed !== null && !element.hasAttribute("exportparts"))
      element.setAttribute("exportparts", passed);
  }
}
