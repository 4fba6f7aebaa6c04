import type { LitElement } from "lit";
import type { HeadscopeEvents } from "../events.js";

/** Puts an element on the page with its properties and waits until it has drawn them. */
export async function mount<Element extends LitElement>(
  element: Element,
  properties: Partial<Element>,
): Promise<Element> {
  Object.assign(element, properties);
  document.body.append(element);
  await element.updateComplete;
  // Colours and room can be read only after the first rendering; in a browser the size observer asks for the second.
  element.requestUpdate();
  await element.updateComplete;
  return element;
}

/** Collects what an element says under `name`, as heard on the page around it. */
export function heard<Name extends keyof HeadscopeEvents>(
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
