/**
 * The types of the package's `elements.js`: those of `index.ts`, without the declarations of the
 * explorer, which a `<head-scope>` fetches and nothing outside of it names.
 */
import type { ReactiveElement } from "lit";
import type * as elements from "../elements/index.js";

export * from "../elements/index.js";
export { configure } from "../session/models/home.js";

/** The whole explorer, which begins with what its attributes say. */
export declare class HeadScope extends ReactiveElement {}

/**
 * The elements of figures by their tags: a class `HeadscopeHeatmap` has the tag
 * `headscope-heatmap`.
 */
type Figures = {
  [
    Name in keyof typeof elements as Name extends `Headscope${infer Rest}`
      ? `headscope-${Lowercase<Rest>}`
      : never
  ]: InstanceType<(typeof elements)[Name]>;
};

/** Every tag of the package. */
export interface HeadscopeTags extends Figures {
  "head-scope": HeadScope;
}

declare global {
  interface HTMLElementTagNameMap extends HeadscopeTags {}
}
