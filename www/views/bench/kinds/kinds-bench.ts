import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { KIND_PARTS, type AttentionEdit, type HeadRef } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import {
  addKind,
  ATTENTION_KINDS,
  changeKind,
  CHEAP_KINDS,
  FACTORS,
  kindEdit,
  kindValues,
  MODEL_KIND,
  numbersOf,
  RATES,
  removeEdit,
  scopeAt,
  scopeIn,
  SEEDS,
  STACKS,
  type AttentionKind,
  type EditLists,
  type KindValues,
} from "../../../state/index.js";
import { partStyles } from "../../../ui/base-styles.js";
import { PagePart } from "../../../ui/page-part.js";
import { kindReport } from "../../demos/kind-report.js";
import "../../demos/kit.js";
import { scores } from "../../demos/scores.js";
import { patch } from "../../parts/events.js";
import type { OnBench } from "../on-bench.js";
import {
  numberIn,
  oneOf,
  renderForms,
  scopeField,
  type Control,
  type Form,
} from "../rule-editor.js";
import { renderUnread } from "../unread.js";

const SCALES = ["model", "none", "by"] as const;

/** The attention variants of heads, one below the other, and what the head that is shown costs under them. */
@customElement("headscope-kinds-bench")
export class HeadscopeKindsBench extends PagePart {
  static override styles = [
    partStyles,
    css`
      headscope-demo {
        display: block;
        margin-top: 16px;
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }

      .intro {
        padding-bottom: 10px;
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;

  override render(): TemplateResult {
    const { on } = this;
    if (!on?.head || !on.run) return renderUnread(on?.text ?? "");
    const { edits, head, run } = on;
    const put = (changed: EditLists): void => patch(this, { edits: changed });
    return html`<p class="muted intro">${message("kindBench.intro")}</p>
      ${renderForms([
        ...edits.attention.map((edit, index) =>
          kindForm(edit, index + 1, head, run.tokens.length, (changed) =>
            put(
              changed
                ? changeKind(edits, index, changed)
                : removeEdit(edits, { list: "attention", index }),
            ),
          ),
        ),
        addingForm(edits, head, put),
      ])}
      <headscope-demo .demo=${kindReport} .on=${on}></headscope-demo>
      <headscope-demo .demo=${scores}></headscope-demo>`;
  }
}

/** One variant with its numbers, scale, temperature and dropout, and for which heads; `tokens` is how many keys there are. */
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
    const number = numberIn(name, caption, parameters[name] ?? range.usual, range, (typed) =>
      change({ parameters: { ...parameters, [name]: typed } }),
    );
    if (name !== "rank") return number;
    // From none of the pattern's directions to all that it can have; a larger one that an address asks for stays.
    const most = Math.max(number.value, Math.min(range.most, tokens));
    return { ...number, control: "slider", label: caption, most };
  });
  const by = typeof scale === "number";
  // Cosines and additive scores are no products that grow with √d: as the model has it is as they are.
  const scales = oneOf({
    control: "segments",
    label: message("kindBench.scale"),
    caption: message("kindBench.scale"),
    value: by ? "by" : scale,
    values: product ? SCALES : (["model", "by"] as const),
    show: (one) => message(`kindBench.scale.${product || one === "by" ? one : "none"}`),
    choose: (one) => change({ scale: one === "by" ? 1 : one }),
  });
  return {
    title: message("kindBench.title", { number, kind: message(`kind.${kind}`) }),
    lines: [
      [
        oneOf({
          control: "list",
          id: "kind",
          label: message("kindBench.kind"),
          value: kind,
          values: ATTENTION_KINDS,
          show: (one) => ({ label: message(`kind.${one}`), group: groupOf(one) }),
          // Its numbers are its own; scale, temperature and dropout go on where they make sense.
          choose: (one) => change({ kind: one, parameters: {} }),
        }),
        ...own,
        scopeField(scopeIn(edit), head, (scope) => put(kindEdit(values, scope))),
      ],
      ...(scaled
        ? [
            [
              scales,
              by
                ? numberIn("scale", message("kindBench.factor"), scale, FACTORS, (typed) =>
                    change({ scale: typed }),
                  )
                : null,
              numberIn(
                "temperature",
                message("kindBench.temperature"),
                temperature,
                FACTORS,
                (typed) => change({ temperature: typed }),
              ),
              dropped
                ? numberIn("rate", message("kindBench.rate"), rate, RATES, (typed) =>
                    change({ rate: typed }),
                  )
                : null,
              rate > 0
                ? numberIn("dropout-seed", message("kindBench.seed"), seed, SEEDS, (typed) =>
                    change({ seed: typed }),
                  )
                : null,
            ],
          ]
        : []),
    ],
    remove: { label: message("kindBench.remove"), press: () => put(null) },
    hint: [
      message(`kind.${kind}.hint`),
      stacks.length < STACKS.length ? message("kindBench.notEverywhere") : "",
    ].join(" "),
  };
}

/** Adds a variant for the head that is shown, where it can have it. */
function addingForm(edits: EditLists, head: HeadRef, put: (edits: EditLists) => void): Form {
  const holds = (kind: AttentionKind): boolean => KIND_PARTS[kind].stacks.includes(head.stack);
  const add = oneOf({
    control: "add",
    id: "add",
    label: message("kindBench.add"),
    caption: message("kindBench.add"),
    value: "",
    values: ATTENTION_KINDS,
    show: (kind) => ({
      label: message(`kind.${kind}`),
      group: groupOf(kind),
      disabled: !holds(kind),
    }),
    choose: (kind) => {
      const values = { ...MODEL_KIND, ...kindValues({ kind }) };
      put(addKind(edits, kindEdit(values, scopeAt("head", head))));
    },
  });
  return {
    lines: [[add]],
    ...(!ATTENTION_KINDS.every(holds) && { hint: message("kindBench.disabled") }),
  };
}

function groupOf(kind: AttentionKind): string {
  const isCheap = CHEAP_KINDS.some((one) => one === kind);
  return message(isCheap ? "kindBench.cheaper" : "kindBench.scores");
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-kinds-bench": HeadscopeKindsBench;
  }
}
