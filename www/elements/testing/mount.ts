import type { LitElement } from "lit";
import { vi } from "vitest";
import type { Tensor, Token } from "../../data/index.js";
import type { HeadscopeEvents } from "../events.js";

/** Puts an element on the page with its properties and waits until it has drawn them. */
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

/** Sets properties and waits until they are drawn. */
export async function put<Element extends LitElement>(
  element: Element,
  properties: Partial<Element>,
): Promise<Element> {
  Object.assign(element, properties);
  await element.updateComplete;
  return element;
}

/** Collects the details of an element's events of one name, on the page around it. */
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

/** Tokens by their texts, each a word of its own. */
export const tokensOf = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: false, role: null }));
export const numberedTokens = (name: string, count: number): Token[] =>
  tokensOf(...Array.from({ length: count }, (_, id) => `${name}${id}`));

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
/** The text of an element as it is shown where white space collapses; of no element, nothing. */
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

/** Presses keys on the stage, or an element in its place, one after the other. */
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

/** As much of a canvas as a picture needs that is only passed on. */
export function stubCanvas(): void {
  class Canvas {
    getContext(): null {
      return null;
    }
  }
  vi.stubGlobal("OffscreenCanvas", Canvas);
  vi.stubGlobal("ImageData", Canvas);
}

/** As in a browser: every element has room, which its observer reports at once. */
export function stubRoom(width = 400, height = 300): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly report: (entries: object[]) => void) {}
      observe(target: Element): void {
        this.report([{ target, contentRect: { width, height } }]);
      }
      disconnect(): void {
        // There is nothing to stop.
      }
    },
  );
}
