/**
 * What a step of the tour or a question of learners shows. All of them are in `guides.ts`, which
 * hands them over here when it is loaded (`load-guides.ts`).
 */
import type { Edits } from "../data/index.js";
import type { MessageKey } from "../i18n/index.js";
import type { Guide, State } from "../state/index.js";

/** The fields of a State in which an example differs from a first visit. */
export type Example = Partial<Omit<State, "edits">> & { edits?: Edits };

/** A step of the tour or a question. */
export interface Guidance {
  /** The tag of the part of the page that the guidance is about. */
  part: string;
  state: Example;
  /** The action that the card offers, and the State after it. */
  action?: { name: MessageKey; state: Example };
  /** The demo whose long work starts with the question. */
  starts?: string;
}

type Guides = Readonly<Record<Guide, Guidance>>;

/** The guides, once their module is there. */
let known: Guides | null = null;

export function provideGuides(guides: Guides): void {
  known = guides;
}

/** The guidance of a step; null until the guides are loaded. */
export const guidanceOf = (step: Guide): Guidance | null => known?.[step] ?? null;
