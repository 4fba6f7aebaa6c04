import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  ROLES,
  type FrozenPattern,
  type HeadMeasures,
  type HeadRef,
  type ModelInfo,
  type Role,
  type Stack,
} from "../../../data/index.js";
import { formatList, formatNumber, message } from "../../../i18n/index.js";
import {
  drawingOf,
  gateOf,
  headsOf,
  NAMED_PATTERNS,
  patternOf,
  scopeAt,
  STACKS,
  withGate,
  withPattern,
  type EditLists,
  type Reach,
} from "../../../state/index.js";
import { partStyles } from "../../../ui/base-styles.js";
import { PagePart } from "../../../ui/page-part.js";
import { patch } from "../../parts/events.js";
import { firstFailure, isExpected } from "../../run/failures.js";
import { Resource } from "../../../signals.js";
import { stacksOf } from "../../run/selection.js";
import { renderFailed } from "../failed-words.js";
import type { OnBench } from "../on-bench.js";
import { oneOf, reachField, renderForms, type Form } from "../rule-editor.js";
import "./draw-pattern.js";
import "./head-picker.js";

const GATES = [0, 0.5, 1, 2] as const;
const PATTERNS = ["own", ...NAMED_PATTERNS, "drawn"] as const;
const SIDES = ["above", "below"] as const;
/** Of the heads that a condition finds, more than these are not listed. */
const LISTED = 24;

type Measures = Partial<Record<Stack, readonly HeadMeasures[]>>;

/** The gates and patterns of heads: what is set shows what they have in common. */
@customElement("headscope-change-heads")
export class HeadscopeChangeHeads extends PagePart {
  static override styles = [
    partStyles,
    css`
      headscope-head-picker,
      headscope-draw-pattern {
        display: block;
        padding: 4px 0 12px;
      }
    `,
  ];

  @property({ attribute: false }) on!: OnBench;
  @state() private target: Target = "head";
  @state() private picked: readonly HeadRef[] = [];
  @state() private rule: HeadRule = { measured: "entropy", side: "above", number: 1.5 };
  @state() private failed: unknown = null;
  private readonly measures = new Resource<Measures>();

  protected override willUpdate(): void {
    const { model, run, revision } = this.on;
    if (!model || !run) return;
    const stacks = stacksOf(model.info);
    this.measures.want(`${revision}`, async () =>
      Object.fromEntries(
        await Promise.all(
          stacks.map(async (stack) => [stack, await run.measures({ stack })] as const),
        ),
      ),
    );
  }

  override render(): TemplateResult | typeof nothing {
    const { head, model, edits } = this.on;
    if (!head || !model) return nothing;
    const pattern = commonPattern(edits, this.heads);
    const failures = [
      [this.failed, message("headBench.notRead")],
      [firstFailure([this.measures]), message("headBench.numbersNotRead")],
    ] as const;
    return html`${renderForms([this.targetForm(head)])}
      ${this.target === "picked" ? html`<headscope-head-picker .info=${model.info} .picked=${this.picked} @headscope-pick=${({ detail }: CustomEvent<readonly HeadRef[]>) => this.pick(detail)}></headscope-head-picker>` : nothing}
      ${renderForms([this.settingForm(pattern)])}
      ${typeof pattern === "object" && pattern ? this.renderDrawn(pattern, head) : nothing}
      ${failures.map(([failure, words]) => (failure === null ? nothing : html`<p class="small" role="status">${renderFailed(failure, words)}</p>`))}
      ${this.measures.value ? renderForms([this.conditionForm(this.measures.value)]) : nothing}`;
  }

  private targetForm(head: HeadRef): Form {
    const choose = (chosen: Target): void => {
      // Picking begins with the heads that were meant until then.
      if (chosen === "picked" && this.picked.length === 0) this.picked = this.heads;
      this.target = chosen;
    };
    const targets = reachField(
      { label: message("headBench.target"), value: this.target, choose },
      head,
      TARGETS,
      (one) =>
        one === "picked" ? message("headBench.picked", { count: this.picked.length }) : null,
    );
    return { lines: [[targets]] };
  }

  private settingForm(pattern: FrozenPattern | null | undefined): Form {
    const gate = commonGate(this.on.edits, this.heads);
    const gates = oneOf({
      control: "segments",
      label: message("headBench.gate"),
      caption: message("headBench.gate"),
      value: gate === null ? "" : String(gate),
      values: GATES.map((value) => `${value}` as const),
      show: (value) => message(`headBench.gate.${value}`, { gate: formatNumber(Number(value), 1) }),
      choose: (value) =>
        this.set((edits, heads, { stacks }) => withGate(edits, heads, Number(value), stacks)),
    });
    const patterns = oneOf({
      control: "words",
      label: message("headBench.pattern"),
      caption: message("headBench.pattern"),
      value:
        typeof pattern === "object" && pattern
          ? "drawn"
          : pattern === null
            ? "own"
            : (pattern ?? ""),
      values: PATTERNS,
      show: (value) => message(`pattern.${value}`),
      choose: (value) => {
        if (value === "drawn") void this.draw();
        else this.setPattern(value === "own" ? null : value);
      },
    });
    return { lines: [[gates], [patterns]] };
  }

  /** Heads by a condition on what they measure on this text: which they are stands there before they are picked. */
  private conditionForm(measures: Measures): Form {
    const { rule } = this;
    const found = headsBy(rule, measures);
    const { least, most } = rangeOf(rule.measured);
    return {
      lines: [
        [
          oneOf({
            control: "list",
            label: message("headRule.measure"),
            caption: message("headRule.heads"),
            value: rule.measured,
            values: MEASURED,
            show: nameOf,
            choose: (measured) => {
              const range = rangeOf(measured);
              // What one measure can be, another may not: the nearest number that it can be stands there.
              const number = Math.min(range.most, Math.max(range.least, rule.number));
              this.rule = { ...rule, measured, number };
            },
          }),
          oneOf({
            control: "list",
            label: message("headRule.side"),
            value: rule.side,
            values: SIDES,
            show: (side) => message(`headRule.${side}`),
            choose: (side) => (this.rule = { ...rule, side }),
          }),
          {
            control: "number",
            id: "number",
            label: message("headRule.number"),
            value: rule.number,
            least,
            most,
            step: 0.05,
            take: (number) => (this.rule = { ...rule, number }),
          },
          {
            control: "button",
            label: message("headRule.pick", { count: found.length }),
            disabled: found.length === 0,
            press: () => this.pick(found),
          },
        ],
      ],
      status: listOf(found),
    };
  }

  private renderDrawn(
    drawing: readonly number[][],
    { stack }: HeadRef,
  ): TemplateResult | typeof nothing {
    const { run, model } = this.on;
    if (!run || !model) return nothing;
    const translates = model.info.architecture === "encoder-decoder";
    const queries = stack === "encoder" || !translates ? run.tokens : run.targetTokens;
    const keys = stack === "decoder" && translates ? run.targetTokens : run.tokens;
    return html`<headscope-draw-pattern
      .drawing=${drawing}
      .queries=${queries}
      .keys=${keys}
      @headscope-drawn=${({ detail }: CustomEvent<number[][]>) => this.setPattern(detail)}
    ></headscope-draw-pattern>`;
  }

  private get heads(): HeadRef[] {
    const { head, model } = this.on;
    return head && model ? targetHeads(this.target, head, this.picked, model.info) : [];
  }

  private pick(heads: readonly HeadRef[]): void {
    this.picked = heads;
    this.target = "picked";
  }

  private set(
    change: (edits: EditLists, heads: HeadRef[], info: ModelInfo) => EditLists,
    heads = this.heads,
  ): void {
    const { edits, model } = this.on;
    if (model) patch(this, { edits: change(edits, heads, model.info) });
  }

  private setPattern(pattern: FrozenPattern | null, heads = this.heads): void {
    this.set((edits, meant, { stacks }) => withPattern(edits, meant, pattern, stacks), heads);
  }

  /** A drawing begins as the weights of the head that is shown. */
  private async draw(): Promise<void> {
    const { head, run } = this.on;
    if (!head || !run) return;
    // The heads that it was asked for, whatever is shown meanwhile.
    const { heads } = this;
    this.failed = null;
    try {
      const drawing = drawingOf(await run.attention(head));
      // What another run computes may be of other words, or under other edits.
      if (this.on.run === run) this.setPattern(drawing, heads);
    } catch (thrown) {
      if (!isExpected(thrown)) this.failed = thrown;
    }
  }
}

/** For which heads a setting holds: those that a head is part of, or those that were picked. */
export const TARGETS = [
  "head",
  "layer",
  "stack",
  "everywhere",
  "picked",
] as const satisfies readonly (Reach | "picked")[];
export type Target = (typeof TARGETS)[number];

/** The heads that are meant. */
export function targetHeads(
  target: Target,
  head: HeadRef,
  picked: readonly HeadRef[],
  { stacks }: Pick<ModelInfo, "stacks">,
): HeadRef[] {
  return target === "picked" ? [...picked] : headsOf(scopeAt(target, head), stacks);
}

/** The factor that some heads have in common; null where they differ. */
export function commonGate(edits: EditLists, heads: readonly HeadRef[]): number | null {
  return common(heads.map((head) => gateOf(edits, head)));
}

/** What stands in place of the weights of all of them; undefined where they differ, null where they are computed. */
export function commonPattern(
  edits: EditLists,
  heads: readonly HeadRef[],
): FrozenPattern | null | undefined {
  const patterns = heads.map((head) => patternOf(edits, head));
  const [first = null] = patterns;
  return patterns.every(
    (pattern) => pattern === first || JSON.stringify(pattern) === JSON.stringify(first),
  )
    ? first
    : undefined;
}

function common(values: readonly number[]): number | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

/** What a rule can ask of a head: a measure on the present text, or how far it plays a role there. */
export type Measured = "entropy" | "distance" | Role;
export const MEASURED: readonly Measured[] = [
  "entropy",
  "distance",
  ...ROLES.map(({ role }) => role),
];

/** All heads whose measure is above a number, or below it. */
export interface HeadRule {
  measured: Measured;
  side: "above" | "below";
  number: number;
}

/** What a head measures; null where that is not defined for it. */
export function measureOf(
  { entropy, distance, roles }: HeadMeasures,
  measured: Measured,
): number | null {
  if (measured === "entropy") return entropy;
  return measured === "distance" ? distance : roles[measured];
}

/** The heads of some stacks that a rule is about, of those that have the measure. */
export function headsBy(
  { measured, side, number }: HeadRule,
  measures: Partial<Record<HeadRef["stack"], readonly HeadMeasures[]>>,
): HeadRef[] {
  return STACKS.flatMap((stack) =>
    (measures[stack] ?? []).flatMap((one) => {
      const value = measureOf(one, measured);
      const holds = value !== null && (side === "above" ? value > number : value < number);
      return holds ? [{ stack, layer: one.layer, head: one.head }] : [];
    }),
  );
}

/** What a measure can be, on any text that is not longer than a hundred thousand tokens: nats of a row, tokens, or a score. */
function rangeOf(measured: Measured): { least: number; most: number } {
  if (measured === "entropy") return { least: 0, most: 12 };
  return { least: 0, most: measured === "distance" ? 100_000 : 1 };
}

function nameOf(measured: Measured): string {
  if (measured === "entropy") return message("headRule.entropy");
  return measured === "distance"
    ? message("measures.distance")
    : message("headRule.role", { role: message(`role.${measured}`) });
}

/** The heads stack by stack, such as “Encoder 1.2, 3.4”. */
function listOf(heads: readonly HeadRef[]): string {
  if (heads.length === 0) return message("headRule.nobody");
  const shown = heads.slice(0, LISTED);
  const stacks = [...new Set(shown.map(({ stack }) => stack))];
  const said = stacks
    .map(
      (stack) =>
        `${message(`stack.${stack}`)} ${formatList(shown.filter((one) => one.stack === stack).map(({ layer, head }) => `${layer + 1}.${head + 1}`))}`,
    )
    .join(" · ");
  return heads.length > shown.length
    ? message("headRule.andMore", { heads: said, count: heads.length - shown.length })
    : said;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-change-heads": HeadscopeChangeHeads;
  }
}
