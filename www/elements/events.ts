// The events of the elements. Every event bubbles and crosses shadow roots; only the user causes
// one, no property that a page sets, but for `headscope-failed`.
import type { Cell, DepthPlace, Region, StepCell, StepPlace } from "../data/index.js";

/** The token under the pointer or the keyboard; null for none. */
export interface TokenHoverDetail {
  index: number | null;
}

/** A token was clicked. `null` unlocks all tokens (Escape); `extend` adds to the locked ones. */
export interface TokenLockDetail {
  index: number | null;
  extend: boolean;
}

/** A head of the grid, by layer and head index, both zero-based. */
export interface HeadDetail {
  layer: number;
  head: number;
}

/** A head, and the number of heads in its layer. */
export interface HeadSoloDetail extends HeadDetail {
  heads: number;
}

/**
 * What an explorer shows since a user changed it: the attributes of a `<head-scope>` that shows the
 * same; null for a model from the user's own disk, which no attribute names.
 */
export interface StateDetail {
  state: Readonly<Record<string, string>> | null;
}

/** Why an element has nothing to show: a code, the same in every language, and a sentence. */
export interface FailedDetail {
  code: string;
  sentence: string;
}

export interface ChipRemoveDetail {
  id: string;
}

/** The cells of one stroke; `open` allows them, otherwise they are blocked. */
export interface CellsPaintDetail {
  cells: readonly Cell[];
  open: boolean;
}

/** The details of every `headscope-…` event, by name. */
export interface HeadscopeEvents {
  "headscope-token-hover": TokenHoverDetail;
  "headscope-token-lock": TokenLockDetail;
  "headscope-head-hover": HeadDetail | null;
  "headscope-head-select": HeadDetail;
  "headscope-head-toggle": HeadDetail;
  "headscope-head-solo": HeadSoloDetail;
  "headscope-cell-hover": Cell | null;
  "headscope-cell-lock": Cell | null;
  "headscope-cell-toggle": Cell;
  "headscope-cells-paint": CellsPaintDetail;
  "headscope-cells-stroke": CellsPaintDetail | null;
  "headscope-region-change": Region | null;
  "headscope-mass-change": number;
  "headscope-beside-toggle": number;
  "headscope-depth-choose": DepthPlace;
  "headscope-number-hover": StepCell | null;
  "headscope-number-hold": StepCell;
  "headscope-number-go": StepPlace | null;
  "headscope-number-follow": StepPlace;
  "headscope-number-trace": null;
  "headscope-number-back": null;
  "headscope-number-return": number;
  "headscope-chip-remove": ChipRemoveDetail;
  "headscope-chips-clear": null;
  "headscope-state": StateDetail;
  "headscope-failed": FailedDetail;
}

type EventsOf<Details> = { [Name in keyof Details]: CustomEvent<Details[Name]> };

declare global {
  interface HTMLElementEventMap extends EventsOf<HeadscopeEvents> {}
}

export function emit<Name extends keyof HTMLElementEventMap>(
  source: EventTarget,
  name: Name,
  detail: HTMLElementEventMap[Name] extends CustomEvent<infer Detail> ? Detail : never,
): void {
  source.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

/** The code of a failure for which a part of Headscope itself was not fetched. */
export const UNREACHED = "load/unreached";

/** The sentence of the last failure that each element reported. */
const lastSentences = new WeakMap<Element, string>();

/**
 * Tells on an element that it cannot show what it is asked for: by its attribute `state`, and by
 * one event until it shows something or fails for another reason.
 */
export function tellFailure(element: Element, detail: FailedDetail): void {
  const isSame = /failed|waiting/.test(element.getAttribute("state") ?? "");
  const isKnown = isSame && lastSentences.get(element) === detail.sentence;
  element.setAttribute("state", "failed");
  lastSentences.set(element, detail.sentence);
  if (!isKnown) emit(element, "headscope-failed", detail);
}
