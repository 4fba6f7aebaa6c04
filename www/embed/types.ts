/**
 * The types of the package's `elements.js`: those of `index.ts`, without the declarations of the
 * explorer, which a `<head-scope>` fetches and only it uses.
 */
import type { ReactiveElement } from "lit";
import type * as elements from "../elements/index.js";

export * from "../elements/index.js";
export { configure } from "../session/models/home.js";

/** The whole explorer, whose fields are its attributes. */
export declare class HeadScope extends ReactiveElement {
  /**
   * The State of the explorer, as the attributes of a `<head-scope>` that shows the same; null for
   * a model from the user's own disk. Setting it changes the fields that it names, and no others;
   * null as a value stands for the default of a field, and null as a whole changes nothing.
   *
   * @throws HeadscopeError `attribute/unreadable` for a name that no field has, or a value that a
   *   field cannot have
   */
  get state(): Readonly<Record<string, string>> | null;
  set state(state: Readonly<Record<string, string | number | null>> | null);
  /** Scrolls to a part of the explorer, named by its CSS part. */
  reveal(
    part:
      "top-bar" | "sentence" | "heads" | "picture-panel" | "inspector" | "edits" | "page-footer",
  ): void;
}

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
