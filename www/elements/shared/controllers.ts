import type { ReactiveElement, ReactiveController } from "lit";
import { lightnessOf } from "../../draw/colours.js";
import type { Inks } from "../../draw/theme.js";

/** The elements that stand in the page, in whatever tree. */
const present = new Set<ReactiveElement>();

/** Defines a tag unless something already did, so that a module may be imported from several places. */
export function define(tag: string, element: typeof ReactiveElement): void {
  if (customElements.get(tag)) return;
  element.addInitializer((one) => {
    new PartsController(one);
    one.addController({
      hostConnected: () => present.add(one),
      hostDisconnected: () => present.delete(one),
    });
  });
  customElements.define(tag, element as unknown as CustomElementConstructor);
}

/**
 * Calls `then` with every element of a class: those that stand in the page already and those that come. They say
 * themselves where they are, so that none is missed in a shadow root, even in one that nobody can look into.
 */
export function meet(element: typeof ReactiveElement, then: (one: ReactiveElement) => void): void {
  element.addInitializer(then);
  for (const one of present) if (one instanceof element) then(one);
}

/** Names by which somebody's page may style what stands in the shadow roots: the same thing has the same name in every element. */
export const PARTS = [
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
] as const;

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

/**
 * The room that an element has, and the density of its screen; renders it again when either changes. Its own height
 * counts only for `both`.
 */
export class SizeController implements ReactiveController {
  width = 0;
  height = 0;
  ratio = window.devicePixelRatio;
  private density: MediaQueryList | null = null;
  private readonly observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    const height = this.sides === "both" ? (entry?.contentRect.height ?? 0) : 0;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.host.requestUpdate();
  });
  private readonly redense = (): void => {
    this.watchDensity();
    this.host.requestUpdate();
  };

  constructor(
    private readonly host: ReactiveElement,
    private readonly sides: "width" | "both" = "width",
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.observer.observe(this.host);
    this.watchDensity();
  }

  hostDisconnected(): void {
    this.observer.disconnect();
    this.density?.removeEventListener("change", this.redense);
  }

  /** A resolution query only tells that it no longer holds, so each change asks a new one. */
  private watchDensity(): void {
    this.density?.removeEventListener("change", this.redense);
    this.ratio = window.devicePixelRatio;
    this.density = matchMedia(`(resolution: ${this.ratio}dppx)`);
    this.density.addEventListener("change", this.redense);
  }
}

/** Below this CIE lightness of the paper, more is drawn lighter instead of darker. */
const DARK_PAPER = 50;

/**
 * Reads an element's custom properties as the colours that a canvas needs, and
 * renders it again when the page's or the system's theme changes, or the language, which has fonts of its own; and those of
 * a place around it within somebody else's page, which has its own.
 */
export class InkController implements ReactiveController {
  private known: Inks | null = null;
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private readonly page = new MutationObserver(() => this.forget());
  private readonly forget = (): void => {
    this.known = null;
    this.host.requestUpdate();
  };

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.system.addEventListener("change", this.forget);
    this.page.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["class", "style", "data-theme", "lang"],
    });
    for (
      let root = this.host.getRootNode();
      root instanceof ShadowRoot;
      root = root.host.getRootNode()
    )
      this.page.observe(root.host, { attributes: true, attributeFilter: ["data-theme", "lang"] });
    this.forget();
  }

  hostDisconnected(): void {
    this.system.removeEventListener("change", this.forget);
    this.page.disconnect();
  }

  /** The inks of now. The host must have rendered once. */
  get inks(): Inks {
    this.known ??= this.read();
    return this.known;
  }

  private read(): Inks {
    const probe = document.createElement("span");
    this.host.renderRoot.append(probe);
    const style = getComputedStyle(probe);
    const colour = (name: string): string => {
      probe.style.color = `var(${name})`;
      return style.color;
    };
    const paper = colour("--_paper");
    const inks: Inks = {
      ground: lightnessOf(paper) < DARK_PAPER ? "dark" : "light",
      paper,
      ink: colour("--_ink"),
      muted: colour("--_muted"),
      line: colour("--_line"),
      accent: colour("--_accent"),
      font: style.fontFamily,
    };
    probe.remove();
    return inks;
  }
}

/** Keeps the result of a costly step for as long as its inputs are the very same values. */
export class Memo<Result> {
  private last: { inputs: readonly unknown[]; result: Result } | null = null;

  get(inputs: readonly unknown[], make: () => Result): Result {
    const { last } = this;
    if (last && inputs.every((input, index) => Object.is(input, last.inputs[index])))
      return last.result;
    const result = make();
    this.last = { inputs, result };
    return result;
  }
}
