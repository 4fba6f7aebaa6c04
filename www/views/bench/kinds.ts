// The attention variants of heads, one below the other, and what the shown head costs under them.
import { html, type TemplateResult } from "lit";
import { KIND_PARTS, type AttentionEdit, type HeadRef, type KindName } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import {
  ATTENTION_KINDS,
  CHEAP_KINDS,
  FACTORS,
  kindEdit,
  kindValues,
  numbersOf,
  RATES,
  removeEdit,
  scopeAt,
  scopeIn,
  SEEDS,
  STACKS,
  type KindValues,
  withEdit,
} from "../../state/index.js";
import "../demos/demo-element.js";
import { kindReport } from "../demos/kind-report.js";
import { scores } from "../demos/scores.js";
import type { BenchContext, PatchState } from "./context.js";
import { renderNoRun } from "./failures.js";
import {
  bare,
  numberField,
  oneOf,
  renderForms,
  scopeField,
  type Control,
  type Form,
} from "./form.js";

export function renderKinds(on: BenchContext, patch: PatchState): TemplateResult {
  const { edits, head, run, text } = on;
  if (!head || !run) return renderNoRun(text);
  const forms = edits.attention.map((edit, index) => ({
    ...kindForm(edit, index + 1, head, run.tokens.length, (changed) =>
      patch({ edits: withEdit(edits, "attention", changed, index) }),
    ),
    remove: {
      label: message("kindBench.remove"),
      press: () => patch({ edits: removeEdit(edits, { list: "attention", index }) }),
    },
  }));
  const fits = (kind: KindName): boolean => KIND_PARTS[kind].stacks.includes(head.stack);
  const offered = (kind: KindName): ReturnType<typeof inGroup> & { disabled: boolean } => ({
    ...inGroup(kind),
    disabled: !fits(kind),
  });
  const add = (kind: KindName): void => {
    const edit = kindEdit(kindValues({ kind }), scopeAt("head", head));
    patch({ edits: withEdit(edits, "attention", edit) });
  };
  const adding = oneOf("add", "kindBench.add", ATTENTION_KINDS, "", add, offered);
  const hint = ATTENTION_KINDS.every(fits) ? {} : { hint: message("kindBench.disabled") };
  return html`<p class="muted intro">${message("kindBench.intro")}</p>
    ${renderForms([...forms, { lines: [[adding]], ...hint }])}
    <headscope-demo .demo=${kindReport} .on=${on}></headscope-demo>
    <headscope-demo .demo=${scores}></headscope-demo>`;
}

/** One variant with its numbers, scale, temperature and dropout, and for which heads; `tokens` counts the keys. */
function kindForm(
  edit: AttentionEdit,
  number: number,
  head: HeadRef,
  tokens: number,
  put: (edit: AttentionEdit) => void,
): Form {
  const values = kindValues(edit);
  const { kind, parameters, scale, rate } = values;
  const { scaled, dropped, product, stacks } = KIND_PARTS[kind];
  const change = (changed: Partial<KindValues>): void =>
    put(kindEdit({ ...values, ...changed }, scopeIn(edit)));
  const own = numbersOf(kind).map(([name, range]): Control => {
    const take = (typed: number): void => change({ parameters: { ...parameters, [name]: typed } });
    const value = parameters[name] ?? range.usual;
    const field = numberField(name, `kind.number.${name}`, value, range, take);
    if (name !== "rank") return field;
    // The number of singular values at most; a larger number of a link stays.
    const most = Math.max(value, Math.min(range.most, tokens));
    return { ...field, control: "slider", label: message("kind.number.rank"), most, settled: true };
  });
  const by = typeof scale === "number";
  // Cosines and additive scores do not grow with √d, so that the model's scale is none.
  const scales = oneOf(
    "segments",
    "kindBench.scale",
    product ? (["model", "none", "by"] as const) : (["model", "by"] as const),
    by ? "by" : scale,
    (one) => change({ scale: one === "by" ? 1 : one }),
    (one) => message(`kindBench.scale.${product || one === "by" ? one : "none"}`),
  );
  const factor = (name: "temperature" | "rate" | "seed", range = FACTORS): Control =>
    numberField(name, `kindBench.${name}`, values[name], range, (typed) =>
      change({ [name]: typed }),
    );
  const softmax = [
    scales,
    by && numberField("scale", "kindBench.factor", scale, FACTORS, (to) => change({ scale: to })),
    factor("temperature"),
    dropped && factor("rate", RATES),
    rate > 0 && { ...factor("seed", SEEDS), id: "dropout-seed" },
  ];
  // Scale, temperature and dropout are kept where the other kind has them.
  const toKind = (to: KindName): void => change({ kind: to, parameters: {} });
  return {
    title: message("kindBench.title", { number, kind: message(`kind.${kind}`) }),
    lines: [
      [
        bare(oneOf("list", "kindBench.kind", ATTENTION_KINDS, kind, toKind, inGroup)),
        ...own,
        scopeField(scopeIn(edit), head, (scope) => put(kindEdit(values, scope))),
      ],
      ...(scaled ? [softmax] : []),
    ],
    hint: [
      message(`kind.${kind}.hint`),
      stacks.length < STACKS.length ? message("kindBench.notEverywhere") : "",
    ].join(" "),
  };
}

function inGroup(kind: KindName): { label: string; group: string } {
  const isCheap = CHEAP_KINDS.some((one) => one === kind);
  const group = message(isCheap ? "kindBench.cheaper" : "kindBench.scores");
  return { label: message(`kind.${kind}`), group };
}
