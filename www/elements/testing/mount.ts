import type { LitElement } from "lit";
import { vi } from "vitest";
import type { Tensor, Token } from "../../data/index.js";
import type { HeadscopeEvents } from "../events.js";

/** Puts an element with its properties on the page and waits until it has rendered. */
export async function mount<Element extends LitElement>(
  element: Element,
  properties: Partial<Element>,
): Promise<Element> {
  document.body.append(Object.assign(element, properties));
  await element.updateComplete;
  // Colours and room can be read only after the first rendering; in a browser the size observer
  // asks for the second.
  element.requestUpdate();
  await element.updateComplete;
  return element;
}

/** Puts the element `<headscope-TAG>` on the page, as a page without types does. */
export function mountTag(tag: string, properties: object): Promise<LitElement> {
  const Element = customElements.get(`headscope-${tag}`) as new () => LitElement;
  return mount(new Element(), properties);
}

/** Sets properties and waits until the element has rendered. */
export async function put<Element extends LitElement>(
  element: Element,
  properties: Partial<Element>,
): Promise<Element> {
  Object.assign(element, properties);
  await element.updateComplete;
  return element;
}

/** Collects the details of an element's events of one name. */
export function eventsOf<Name extends keyof HeadscopeEvents>(
  element: LitElement,
  name: Name,
): HeadscopeEvents[Name][] {
  const details: HeadscopeEvents[Name][] = [];
  document.body.addEventListener(name, (event) => {
    if (event.target === element && event instanceof CustomEvent)
      details.push(event.detail as HeadscopeEvents[Name]);
  });
  return details;
}

/** Tokens with these texts, each a word on its own. */
export const tokensOf = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: false, role: null }));
export const numberedTokens = (name: string, count: number): Token[] =>
  tokensOf(...Array.from({ length: count }, (_, id) => `${name}${id}`));

/** How an image of 4 × 4 pixels is cut into patches, and the tokens of a class and its patches. */
export const PATCHES = { size: [4, 4], patch: [2, 2], grid: [2, 2], specials: 1 } as const;
export const PATCH_TOKENS: Token[] = tokensOf("[CLS]", "1,1", "1,2", "2,1", "2,2").map((token) => ({
  ...token,
  special: token.id === 0,
}));

export function matrixOf(
  width: number,
  values: readonly number[],
  axes = ["query", "key"],
): Tensor {
  return { data: Float32Array.from(values), shape: [values.length / width, width], axes };
}

export const all = ({ renderRoot }: LitElement, selector: string): HTMLElement[] => [
  ...renderRoot.querySelectorAll<HTMLElement>(selector),
];
/** The visible text of an element, with collapsed white space; empty without an element. */
export const textOf = (element: Element | null | undefined): string =>
  element?.textContent.replace(/\s+/g, " ").trim() ?? "";

export const textsOf = (element: LitElement, selector: string): string[] =>
  all(element, selector).map(textOf);

export const stageOf = (element: LitElement): HTMLElement => {
  const [stage] = all(element, ".stage");
  if (!stage) throw new Error("there is no stage");
  return stage;
};
export const nameOf = (element: LitElement): string | null =>
  stageOf(element).getAttribute("aria-label");
export const spoken = (element: LitElement): string => textsOf(element, "[aria-live]")[0] ?? "";

/** Presses keys in order on the stage, or on an element in it. */
export async function press(element: LitElement, ...keys: string[]): Promise<void> {
  const [target] = all(element, ".stage, [role=grid], [role=list], [role=toolbar]");
  for (const key of keys)
    target?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await element.updateComplete;
}

/** Shows or hides the table of the numbers. */
export async function tabulate(element: LitElement): Promise<void> {
  all(element, "button[aria-expanded]")[0]?.click();
  await element.updateComplete;
}

/** The cells of the table, row by row. */
export const rowsOf = (element: LitElement, within = "tr"): string[][] =>
  all(element, within).map(({ children }) =>
    Array.from(children, ({ textContent }) => textContent.replace(/\s+/g, " ").trim()),
  );

/** Replaces the canvas classes by stubs, for pictures that are passed on but not drawn. */
export function stubCanvas(): void {
  class Canvas {
    getContext(): null {
      return null;
    }
  }
  vi.stubGlobal("OffscreenCanvas", Canvas);
  vi.stubGlobal("ImageData", Canvas);
}

/** Replaces the resize observer by one that at once reports a size for every element. */
export function stubRoom(width = 400, height = 300): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly report: (entries: object[]) => void) {}
      observe(target: Element): void {
        this.report([{ target, contentRect: { width, height } }]);
      }
      unobserve(): void {
        // A size is reported once.
      }
      disconnect(): void {
        // There is nothing to stop.
      }
    },
  );
}
