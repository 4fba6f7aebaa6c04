import { noChange } from "lit";
import { directive, Directive, type ElementPart } from "lit/directive.js";

/**
 * Hands an element several properties at once, so that what many figures are told is written down once:
 * `<headscope-lines ${setProperties(pairs)} .mass=${mass}>`. A property that is the same as before changes nothing.
 */
class SetProperties extends Directive {
  private element: Element | null = null;

  override update({ element }: ElementPart, [properties]: [object]): typeof noChange {
    this.element = element;
    return this.render(properties);
  }

  override render(properties: object): typeof noChange {
    if (this.element) Object.assign(this.element, properties);
    return noChange;
  }
}

export const setProperties = directive(SetProperties);
