import { html, type TemplateResult } from "lit";
import type { HeadRef, Tensor } from "../../data/index.js";
import type { Model, Run } from "../../headscope.js";
import { loadSentences } from "../../i18n/index.js";
import { EDIT_LISTS, type Bench, type BroughtNumbers, type EditLists, type Reach } from "../../state/index.js";
import { Later } from "../later/later.js";
import type { HeadFigures } from "../run/figures.js";

/** What the parts of the bench are told. */
export interface OnBench {
  edits: EditLists;
  /** The head that is looked at; null while there is none. */
  head: HeadRef | null;
  /** Its mask as it is now, additive, `[query, key]`. */
  mask: Tensor | null;
  model: Model | null;
  /** The run on the screen. It stays the same object while it grows; `revision` says so. */
  run: Run | null;
  revision: number;
  /** What is on the workbench; null for the example that it opens on. */
  numbers: BroughtNumbers | null;
  /** All that is read of the head; null until it is. */
  figures: HeadFigures | null;
  /** The sentence on the page. */
  text: string;
  /** Whether the run is still being written. */
  growing: boolean;
  /** Whether cells of the picture are painted, and for whom. */
  painting: Painting;
}

/** How cells are painted. */
export interface Painting {
  on: boolean;
  reach: Reach;
}

/** Whether they are told anything else: it comes anew with every move of the pointer. */
export function saysMore(now: OnBench | null, before: OnBench | null | undefined): boolean {
  if (!now || !before) return now !== before;
  const { painting, ...others } = now;
  const same = (name: keyof typeof others): boolean => now[name] === before[name];
  return painting.on !== before.painting.on || painting.reach !== before.painting.reach || !(Object.keys(others) as (keyof typeof others)[]).every(same);
}

interface BenchPart {
  later: Later<unknown>;
  draw: (on: OnBench) => TemplateResult;
}

/** A part of the bench: what fetches it, with the sentences of all, and what draws it. Its figures are saved and held against each other as elsewhere. */
function part(fetch: () => Promise<unknown>, draw: BenchPart["draw"]): BenchPart {
  return { later: new Later(() => Promise.all([fetch(), loadSentences("bench", "exporting", "pairs", "rules")])), draw };
}

/** The parts of the bench, each fetched when it is first opened. */
export const BENCH_PARTS: Readonly<Record<Bench, BenchPart>> = {
  masks: part(
    () => Promise.all([import("./mask-bench.js"), import("./masks/labs.js")]),
    (on) => html`<headscope-mask-bench .edits=${on.edits} .head=${on.head} .mask=${on.mask} .painting=${on.painting}></headscope-mask-bench><headscope-mask-labs .on=${on}></headscope-mask-labs>`,
  ),
  numbers: part(
    () => import("./numbers/numbers-bench.js"),
    ({ numbers, figures, edits }) => html`<headscope-numbers-bench .numbers=${numbers} .figures=${figures} .edited=${EDIT_LISTS.some((list) => edits[list].length > 0)}></headscope-numbers-bench>`,
  ),
  heads: part(
    () => import("./heads/heads-bench.js"),
    (on) => html`<headscope-heads-bench .on=${on}></headscope-heads-bench>`,
  ),
  kinds: part(
    () => import("./kinds/kinds-bench.js"),
    (on) => html`<headscope-kinds-bench .on=${on}></headscope-kinds-bench>`,
  ),
  positions: part(
    () => import("./positions/positions-bench.js"),
    ({ edits, head, model, run, revision }) =>
      html`<headscope-positions-bench .edits=${edits} .head=${head} .model=${model} .run=${run} .revision=${revision}></headscope-positions-bench>`,
  ),
};
