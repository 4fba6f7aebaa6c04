import type { ReactiveElement, ReactiveController } from "lit";
import { lightnessOf } from "../../draw/colours.js";
import type { Inks } from "../../draw/theme.js";
import { shownScale, zoomOf } from "./zoom.js";

const connected = new Set<ReactiveElement>();

/**
 * Defines a tag unless it is defined, so that several bundles may import its module. Without a
 * document, such as where a server renders pages, nothing is defined.
 */
export function define(tag: string, element: typeof ReactiveElement): void {
  if (!("document" in globalThis) || customElements.get(tag)) return;
  element.addInitializer((one) => {
    passParts(one);
    one.addController({
      hostConnected: () => connected.add(one),
      hostDisconnected: () => connected.delete(one),
    });
  });
  customElements.define(tag, element as unknown as CustomElementConstructor);
}

/**
 * Calls `then` with every element of a class, connected or still to come, also inside closed shadow
 * roots.
 */
export function meet(element: typeof ReactiveElement, then: (one: ReactiveElement) => void): void {
  element.addInitializer(then);
  for (const one of connected) if (one instanceof element) then(one);
}

/** The CSS parts of the elements, by which a page styles what is in their shadow roots. */
export const PARTS: readonly string[] = [
  "bar",
  "button",
  "canvas",
  "caption",
  "chip",
  "controls",
  "empty",
  "foot",
  "head",
  "label",
  "legend",
  "picture",
  "table",
  "tip",
  "value",
];

/**
 * Exports the parts of an element inside another Headscope element, which exports them again:
 * `::part` reaches through one shadow root only.
 */
export function passParts(element: ReactiveElement): void {
  const hostConnected = (): void => {
    const root = element.getRootNode();
    if (!(root instanceof ShadowRoot) || !root.host.localName.startsWith("headscope-")) return;
    const parts = root.host.getAttribute("exportparts");
    if (parts !== null && !element.hasAttribute("exportparts"))
      element.setAttribute("exportparts", parts);
  };
  element.addController({ hostConnected });
}

/** The sides of an element whose length matters. */
export type Sides = "width" | "both";

/**
 * The size of an element's content, the CSS zoom and the transforms around it, and the pixel ratio
 * of its screen; renders the element again when one of them changes. The height counts only for
 * `both`. All are known from the browser's last layout: a read during an update would make the
 * browser lay out the page once more.
 */
export class SizeController implements ReactiveController {
  width = 0;
  height = 0;
  zoom = 1;
  /** The CSS pixels of the window in one of the element, by zooms and transforms around it. */
  scale = 1;
  private density: MediaQueryList | null = null;
  /** The pixels of the screen in one of the element, when its zoom was read; null for unknown. */
  private pixels: number | null = null;
  private readonly observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    const height = this.sides() === "both" ? (entry?.contentRect.height ?? 0) : 0;
    const isScaled = entry !== undefined && this.isScaledAsBefore(entry);
    const zoom = isScaled ? this.zoom : zoomOf(this.host);
    if (!isScaled) this.look();
    if (width === this.width && height === this.height && zoom === this.zoom) return;
    Object.assign(this, { width, height, zoom });
    this.host.requestUpdate();
  });
  /**
   * Reads the scale. A browser tells no change of a transform: it may have changed with the window,
   * or until a pointer comes.
   */
  private readonly look = (): void => {
    const scale = shownScale(this.host);
    if (scale === this.scale) return;
    this.scale = scale;
    this.host.requestUpdate();
  };
  private readonly ratioChanged = (): void => {
    this.watchDensity();
    this.host.requestUpdate();
  };

  /**
   * Whether the zoom is that of the last reading, up to a pixel of the element's width: a reading
   * makes the browser compute the style that another observer has changed.
   */
  private isScaledAsBefore({
    contentRect,
    devicePixelContentBoxSize,
  }: ResizeObserverEntry): boolean {
    const pixels = (devicePixelContentBoxSize as readonly ResizeObserverSize[] | undefined)?.[0];
    const scale = pixels && contentRect.width > 0 ? pixels.inlineSize / contentRect.width : null;
    const before = this.pixels;
    this.pixels = scale;
    return scale !== null && before !== null && Math.abs(scale - before) * contentRect.width <= 1;
  }

  constructor(
    private readonly host: ReactiveElement,
    private readonly sides: () => Sides = () => "width",
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    try {
      // The pixels of the screen change with the zoom, also where the CSS pixels do not.
      this.observer.observe(this.host, { box: "device-pixel-content-box" });
    } catch {
      // Safari knows no such box.
      this.observer.observe(this.host);
    }
    addEventListener("resize", this.look);
    this.host.addEventListener("pointerenter", this.look);
    this.watchDensity();
  }

  hostDisconnected(): void {
    this.observer.disconnect();
    removeEventListener("resize", this.look);
    this.host.removeEventListener("pointerenter", this.look);
    this.density?.removeEventListener("change", this.ratioChanged);
  }

  /** The pixels of the screen in a CSS pixel of the element. */
  get ratio(): number {
    return window.devicePixelRatio * this.scale;
  }

  /**
   * Watches the pixel ratio; a resolution query matches one ratio, so each change needs a new
   * query.
   */
  private watchDensity(): void {
    this.density?.removeEventListener("change", this.ratioChanged);
    this.density = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    this.density.addEventListener("change", this.ratioChanged);
  }
}

/** The sides of a box beyond which it can be scrolled. */
const ENDS = ["above", "below", "before", "after"] as const;

/**
 * Marks an element that scrolls with the attribute `more`: the sides at which some of its content
 * is out of sight, for a fade there. Its content is its first element.
 */
export class ScrollHints implements ReactiveController {
  private readonly size = new ResizeObserver(() => this.mark());
  private watched: Element | null = null;

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.addEventListener("scroll", this.mark, { passive: true });
    this.size.observe(this.host);
  }

  hostDisconnected(): void {
    this.host.removeEventListener("scroll", this.mark);
    this.size.disconnect();
    this.watched = null;
  }

  hostUpdated(): void {
    const content = this.host.renderRoot.querySelector("*");
    if (content === this.watched) return;
    if (this.watched) this.size.unobserve(this.watched);
    if (content) this.size.observe(content);
    this.watched = content;
  }

  private readonly mark = (): void => {
    const { host } = this;
    // In a text from right to left it is negative.
    const left = Math.abs(host.scrollLeft);
    const slack = 2;
    const hidden = {
      above: host.scrollTop > slack,
      below: host.scrollHeight - host.clientHeight - host.scrollTop > slack,
      before: left > slack,
      after: host.scrollWidth - host.clientWidth - left > slack,
    };
    const more = ENDS.filter((end) => hidden[end]).join(" ");
    if (more === (host.getAttribute("more") ?? "")) return;
    if (more === "") host.removeAttribute("more");
    else host.setAttribute("more", more);
  };
}

const DARK_PAPER = 50;

/**
 * The custom properties of an element as colours for a canvas. Renders the element again when the
 * theme or the language, which has fonts of its own, changes, in the system, in the page, or in a
 * host around the element, and when a font has been fetched.
 */
export class InkController implements ReactiveController {
  private known: Inks | null = null;
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private readonly page = new MutationObserver(() => this.reset());
  private readonly reset = (): void => {
    this.known = null;
    this.host.requestUpdate();
  };

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.system.addEventListener("change", this.reset);
    // A canvas does not follow a font that comes after it was painted; happy-dom has no fonts.
    (document as Partial<Document>).fonts?.addEventListener("loadingdone", this.reset);
    const observe = (element: Element, ...attributeFilter: string[]): void =>
      this.page.observe(element, { attributes: true, attributeFilter });
    observe(document.documentElement, "class", "style", "data-theme", "lang");
    observe(this.host, "data-theme");
    let root = this.host.getRootNode();
    for (; root instanceof ShadowRoot; root = root.host.getRootNode())
      observe(root.host, "data-theme", "lang");
    this.reset();
  }

  hostDisconnected(): void {
    this.system.removeEventListener("change", this.reset);
    (document as Partial<Document>).fonts?.removeEventListener("loadingdone", this.reset);
    this.page.disconnect();
  }

  /** The present colours. The host must have rendered once. */
  get inks(): Inks {
    return (this.known ??= this.read());
  }

  private read(): Inks {
    const probe = document.createElement("span");
    // In a high-contrast theme every text has one colour, but these are asked for by name.
    probe.style.setProperty("forced-color-adjust", "none");
    this.host.renderRoot.append(probe);
    const style = getComputedStyle(probe);
    const colour = (name: string): string => {
      probe.style.color = `var(--_${name})`;
      return style.color;
    };
    const names = ["paper", "ink", "muted", "line", "accent"];
    const [paper = "", ink = "", muted = "", line = "", accent = ""] = names.map(colour);
    const ground = lightnessOf(paper) < DARK_PAPER ? "dark" : "light";
    const inks = { ground, paper, ink, muted, line, accent, font: style.fontFamily } as const;
    probe.remove();
    return inks;
  }
}

/** A cache of the result of a costly step, valid as long as its inputs are the same values. */
export class Memo<Result> {
  private last: { inputs: readonly unknown[]; result: Result } | null = null;

  get(inputs: readonly unknown[], make: () => Result): Result {
    const { last } = this;
    if (last && areSame(inputs, last.inputs)) return last.result;
    const result = make();
    this.last = { inputs, result };
    return result;
  }
}

/** Whether each of some values is the same as before; no call for a value that is. */
function areSame(values: readonly unknown[], before: readonly unknown[]): boolean {
  for (let at = 0; at < values.length; at += 1)
    if (values[at] !== before[at] && !Object.is(values[at], before[at])) return false;
  return true;
}
