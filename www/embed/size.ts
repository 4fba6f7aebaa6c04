/** The height that a page gives an element by the attribute `height`, and the styles of a theme. */
import type { ReactiveElement } from "lit";
import { HEIGHT, type Unread } from "./attributes.js";
import { sheetOf } from "./notice.js";

/** An element with a theme of its own in its page has a ground of its own, too. */
const THEMES = `
  :host([data-theme]) { background: var(--_paper); }
  :host([data-theme="light"]) { color-scheme: light; }
  :host([data-theme="dark"]) { color-scheme: dark; }
`;

/** The height in CSS pixels that its page gives an element; null for its own. */
export function heightOf(host: Element): number | null {
  const written = host.getAttribute(HEIGHT);
  return written !== null && /^[1-9]\d{0,4}$/.test(written) ? Number(written) : null;
}

/** An attribute that is there and cannot be read; null where it is not there. */
export function unreadOf(host: Element, name: string, form: string): Unread | null {
  const value = host.getAttribute(name);
  return value === null ? null : { written: `${name}="${value}"`, form };
}

/** Keeps an element in the height that its page asks for, and in its theme. */
export class Size {
  private readonly sheet = new CSSStyleSheet();
  private adopted = false;
  /** Whether the element has or had a height. */
  isUsed = false;

  constructor(private readonly host: ReactiveElement) {}

  /** Sets the height, in which the element scrolls where it has more. */
  set(): Unread | null {
    const height = heightOf(this.host);
    this.adopt();
    this.isUsed ||= height !== null;
    this.sheet.replaceSync(
      height === null ? "" : `:host { block-size: ${height}px; overflow: auto; }`,
    );
    return height === null ? unreadOf(this.host, HEIGHT, "1, 2, 3 …") : null;
  }

  private adopt(): void {
    const root = this.host.renderRoot;
    if (!(root instanceof ShadowRoot) || this.adopted) return;
    this.adopted = true;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(THEMES), this.sheet];
  }
}
