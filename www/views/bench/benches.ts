import { html, type TemplateResult } from "lit";
import type { HeadRef, Tensor } from "../../data/index.js";
import type { Model, Run } from "../../headscope.js";
import { loadBenchSentences } from "../../i18n/index.js";
import type { Bench, EditLists } from "../../state/index.js";
import { Later } from "../later/later.js";

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
}

/** Whether they are told anything else: it comes anew with every move of the pointer. */
export function saysMore(now: OnBench | null, before: OnBench | null | undefined): boolean {
  if (!now || !before) return now !== before;
  return now.edits !== before.edits || now.head !== before.head || now.mask !== before.mask || now.model !== before.model || now.run !== before.run || now.revision !== before.revision;
}

interface BenchPart {
  later: Later<unknown>;
  draw: (on: OnBench) => TemplateResult;
}

/** A part of the bench: what fetches it, with the sentences of all, and what draws it. */
function part(fetch: () => Promise<unknown>, draw: BenchPart["draw"]): BenchPart {
  return { later: new Later(() => Promise.all([fetch(), loadBenchSentences()])), draw };
}

/** The parts of the bench, each fetched when it is first opened. */
export const BENCH_PARTS: Readonly<Record<Bench, BenchPart>> = {
  masks: part(
    () => import("./mask-bench.js"),
    ({ edits, head, mask }) => html`<headscope-mask-bench .edits=${edits} .head=${head} .mask=${mask}></headscope-mask-bench>`,
  ),
  positions: part(
    () => import("./positions/positions-bench.js"),
    ({ edits, head, model, run, revision }) =>
      html`<headscope-positions-bench .edits=${edits} .head=${head} .model=${model} .run=${run} .revision=${revision}></headscope-positions-bench>`,
  ),
};
