import type { ReactiveElement } from "lit";
import { PartsController } from "./passed-parts.js";

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
