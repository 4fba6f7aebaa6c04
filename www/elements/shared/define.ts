/** Defines a tag unless something already did, so that a module may be imported from several places. */
export function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element);
}
