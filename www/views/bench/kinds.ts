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
  type EditLists,
  type KindValues,
  withEdit,
} from "../../state/index.js";
import "../demos/demo-element.js";
import { kindReport } from "../demos/kind-report.js";
import { scores } from "../demos/scores.js";
import type { BenchContext, PatchState } from "./context.js";
import { renderNoRun } from "./failures.js";
import {
  captionedOneOf,
  numberIn,
  oneOf,
  renderForms,
  scopeField,
  type Control,
  type Form,
} from "./form.js";

const SCALES = ["model", "none", "by"] as const;

export function renderKinds(on: BenchContext, patch: PatchState): TemplateResult {
  const { edits, head, run, text } = on;
  if (!head || !run) return renderNoRun(text);
  const put = (changed: EditLists): void => patch({ edits: changed });
  const forms = edits.attention.map((edit, index) =>
    kindForm(edit, index + 1, head, run.tokens.length, (changed) =>
      put(
        changed
          ? withEdit(edits, "attention", changed, index)
          : removeEdit(edits, { list: "attention", index }),
      ),
    ),
  );
  return html`<p class="muted intro">${message("kindBench.intro")}</p>
    ${renderForms([...forms, addingForm(edits, head, put)])}
    <headscope-demo .demo=${kindReport} .on=${on}></headscope-demo>
    <headscope-demo .demo=${scores}></headscope-demo>`;
}

/** One variant with its numbers, scale, temperature and dropout, and for which heads; `tokens` counts the keys. */
function kindForm(
  edit: AttentionEdit,
  number: number,
  head: HeadRef,
  tokens: number,
  put: (edit: AttentionEdit | null) => void,
): Form {
  const values = kindValues(edit);
  const { kind, parameters, scale, temperature, rate, seed } = values;
  const { scaled, dropped, product, stacks } = KIND_PARTS[kind];
  const change = (changed: Partial<KindValues>): void =>
    put(kindEdit({ ...values, ...changed }, scopeIn(edit)));
  const own = numbersOf(kind).map(([name, range]): Control => {
    const caption = message(`kind.number.${name}`);
    const field = numberIn(name, caption, parameters[name] ?? range.usual, range, (typed) =>
      change({ parameters: { ...parameters, [name]: typed } }),
    );
    if (name !== "rank") return field;
    // The number of singular values at most; a larger number of a link stays.
    const most = Math.max(field.value, Math.min(range.most, tokens));
    return { ...field, control: "slider", label: caption, most, settled: true };
  });
  const by = typeof scale === "number";
  // Cosines and additive scores do not grow with √d, so that the model's scale is none.
  const scales = captionedOneOf({
    control: "segments",
    label: message("kindBench.scale"),
    value: by ? "by" : scale,
    values: product ? SCALES : (["model", "by"] as const),
    show: (one) => message(`kindBench.scale.${product || one === "by" ? one : "none"}`),
    choose: (one) => change({ scale: one === "by" ? 1 : one }),
  });
  const [factor, heat, share, seeds] = (["factor", "temperature", "rate", "seed"] as const).map(
    (name) => message(`kindBench.${name}`),
  ) as [string, string, string, string];
  const softmax: (Control | null)[] = [
    scales,
    by ? numberIn("scale", factor, scale, FACTORS, (typed) => change({ scale: typed })) : null,
    numberIn("temperature", heat, temperature, FACTORS, (typed) => change({ temperature: typed })),
    dropped ? numberIn("rate", share, rate, RATES, (typed) => change({ rate: typed })) : null,
    rate > 0
      ? numberIn("dropout-seed", seeds, seed, SEEDS, (typed) => change({ seed: typed }))
      : null,
  ];
  const kinds = oneOf({
    control: "list",
    id: "kind",
    label: message("kindBench.kind"),
    value: kind,
    values: ATTENTION_KINDS,
    show: (one) => ({ label: message(`kind.${one}`), group: groupOf(one) }),
    // Scale, temperature and dropout are kept where the other kind has them.
    choose: (one) => change({ kind: one, parameters: {} }),
  });
  return {
    title: message("kindBench.title", { number, kind: message(`kind.${kind}`) }),
    lines: [
      [kinds, ...own, scopeField(scopeIn(edit), head, (scope) => put(kindEdit(values, scope)))],
      ...(scaled ? [softmax] : []),
    ],
    remove: { label: message("kindBench.remove"), press: () => put(null) },
    hint: [
      message(`kind.${kind}.hint`),
      stacks.length < STACKS.length ? message("kindBench.notEverywhere") : "",
    ].join(" "),
  };
}

/** Adds a variant for the shown head, where it can have it. */
function addingForm(edits: EditLists, head: HeadRef, put: (edits: EditLists) => void): Form {
  const fits = (kind: KindName): boolean => KIND_PARTS[kind].stacks.includes(head.stack);
  const add = captionedOneOf({
    control: "add",
    id: "add",
    label: message("kindBench.add"),
    value: "",
    values: ATTENTION_KINDS,
    show: (kind) => ({
      label: message(`kind.${kind}`),
      group: groupOf(kind),
      disabled: !fits(kind),
    }),
    choose: (kind) => {
      put(withEdit(edits, "attention", kindEdit(kindValues({ kind }), scopeAt("head", head))));
    },
  });
  const hint = ATTENTION_KINDS.every(fits) ? {} : { hint: message("kindBench.disabled") };
  return { lines: [[add]], ...hint };
}

function groupOf(kind: KindName): string {
  const isCheap = CHEAP_KINDS.some((one) => one === kind);
  return message(isCheap ? "kindBench.cheaper" : "kindBench.scores");
}
