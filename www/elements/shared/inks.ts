import type { ReactiveController, ReactiveElement } from "lit";
import { lightnessOf } from "../../draw/lab.js";
import type { Inks } from "../../draw/theme.js";

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
