/**
 * The tags of the package in TSX: `import type {} from "headscope/react"`. Nothing else in the
 * package uses React.
 */
import type { LitElement } from "lit";
import type { ClassAttributes, HTMLAttributes } from "react";
import type { Given, HeadscopeEvents } from "../elements/index.js";
import type { HeadscopeTags } from "./types.js";

/** Attributes of a figure without an explorer, or of the start of an explorer. */
type Attribute =
  | "model"
  | "text"
  | "target"
  | "stack"
  | "layer"
  | "head"
  | "masked"
  | "role-filter"
  | "sort"
  | "stage"
  | "joined"
  | "entry"
  | "cell"
  | "picked"
  | "by"
  | "specials"
  | "sink"
  | "picture"
  | "region"
  | "mass"
  | "beside"
  | "number"
  | "edits"
  | "experiment"
  | "demos"
  | "numbers"
  | "compare"
  | "other"
  | "othermodel"
  | "otherhead"
  | "aligned"
  | "pairs"
  | "tour"
  | "lesson"
  | "backend"
  | "colours"
  | "theme"
  | "height"
  | "src"
  | "language"
  | "caption"
  | "exportparts";

type Own<Element> = Exclude<keyof Element, keyof LitElement>;

/** An element's own properties. React sets a property instead of an attribute of the same name. */
type Properties<Element> = {
  [
    Name in Own<Element> as Element[Name] extends (...given: never[]) => unknown ? never : Name
  ]?: Given<Element[Name]>;
};

type Listeners = {
  [Name in keyof HeadscopeEvents as `on${Name}`]?: (
    event: CustomEvent<HeadscopeEvents[Name]>,
  ) => void;
};

type Props<Element> = Omit<HTMLAttributes<Element>, Own<Element>> &
  ClassAttributes<Element> &
  Properties<Element> &
  Listeners &
  Partial<Record<Exclude<Attribute, Own<Element>>, string | number>>;

type Elements = { [Tag in keyof HeadscopeTags]: Props<HeadscopeTags[Tag]> };

declare module "react" {
  // oxlint-disable-next-line typescript/no-namespace -- React's own types are merged by it.
  namespace JSX {
    interface IntrinsicElements extends Elements {}
  }
}
