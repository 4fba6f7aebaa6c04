import { html, type TemplateResult } from "lit";
import { loadSentences } from "../../i18n/index.js";
import { hasEdits, type Bench } from "../../state/index.js";
import { Later } from "../../ui/lazy.js";
import type { OnBench } from "./on-bench.js";

interface BenchPart {
  later: Later<unknown>;
  draw: (on: OnBench) => TemplateResult;
}

/** A part of the bench: what fetches it, with the sentences of all, and what draws it. Its figures are saved and held against each other as elsewhere. */
function part(fetch: () => Promise<unknown>, draw: BenchPart["draw"]): BenchPart {
  return {
    later: new Later(() =>
      Promise.all([fetch(), loadSentences("bench", "export", "pairs", "rules")]),
    ),
    draw,
  };
}

/** The parts of the bench, each fetched when it is first opened. */
export const BENCH_PARTS: Readonly<Record<Bench, BenchPart>> = {
  masks: part(
    () => Promise.all([import("./mask-bench.js"), import("../demos/demo-lists.js")]),
    (on) =>
      html`<headscope-mask-bench .on=${on}></headscope-mask-bench><headscope-mask-demos .on=${on}></headscope-mask-demos>`,
  ),
  numbers: part(
    () => import("./numbers/numbers-bench.js"),
    ({ numbers, figures, edits }) =>
      html`<headscope-numbers-bench .numbers=${numbers} .figures=${figures} .edited=${hasEdits(edits)}></headscope-numbers-bench>`,
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
    (on) => html`<headscope-positions-bench .on=${on}></headscope-positions-bench>`,
  ),
};
