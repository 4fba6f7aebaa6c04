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
  type Sublayer,
} from "../../data/index.js";
import { formatList, formatNumber, message } from "../../i18n/index.js";
import { equals, Resource } from "../../signals.js";
import {
  drawingOf,
  headsOf,
  NAMED_PATTERNS,
  NORM_PLACES,
  scopeAt,
  settingOf,
  STACKS,
  sublayersOf,
  withSetting,
  type EditLists,
  type Part,
  type Reach,
} from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import "../demos/demo-element.js";
import { HEAD_PARTS } from "../demos/fields.js";
import { blockOf, norm } from "../demos/norm.js";
import { pruning } from "../demos/pruning.js";
import { ranking } from "../demos/ranking.js";
import { Settings } from "../demos/settings.js";
import { stream } from "../demos/stream.js";
import { patch } from "../parts/events.js";
import { firstFailure, isExpected } from "../run/failures.js";
import { stacksOf } from "../run/selection.js";
import type { BenchContext } from "./context.js";
import "./draw-pattern.js";
import { renderFailed, renderNoRun } from "./failures.js";
import { captionedOneOf, oneOf, reachField, renderForms, type Form } from "./form.js";
import "./head-picker.js";

/** Edits of whole heads and whole blocks, and what such edits show of a model. */
@customElement("headscope-heads-bench")
export class HeadscopeHeadsBench extends PagePart {
  static override styles = css`
    headscope-choice {
      margin-bottom: 12px;
    }
    .norm {
      margin-top: 12px;
      padding-top: 12px;
      border-top: 1px solid var(--_line);
    }
  `;

  @property({ attribute: false }) on: BenchContext | null = null;
  private readonly settings = new Settings(this, "heads");

  override render(): TemplateResult {
    const { on, settings } = this;
    const { room } = settings.values;
    if (!on?.head || !on.model || !on.run) return renderNoRun(on?.text ?? "");
    return html`${choice({
      label: message("headBench.rooms"),
      values: HEAD_PARTS,
      value: room,
      show: (one) => message(`headBench.room.${one}`),
      choose: (one) => settings.set("room", one),
    })}
    ${this.renderPart(on, room)}`;
  }

  private renderPart(on: BenchContext, part: (typeof HEAD_PARTS)[number]): TemplateResult {
    switch (part) {
      case "heads":
        return html`<headscope-change-heads .on=${on}></headscope-change-heads>`;
      case "blocks":
        return html`<headscope-change-blocks .on=${on}></headscope-change-blocks>`;
      case "ranking":
        return html`<headscope-demo .demo=${ranking} .on=${on}></headscope-demo>`;
      case "pruning":
        return html`<headscope-demo .demo=${pruning} .on=${on}></headscope-demo>`;
      case "stream":
        return html`<headscope-demo .demo=${stream} .on=${on}></headscope-demo><headscope-demo class="norm" .demo=${norm} .on=${on}></headscope-demo>`;
    }
  }
}

const GATES = [0, 0.5, 1, 2] as const;
const PATTERNS = ["own", ...NAMED_PATTERNS, "drawn"] as const;
const SIDES = ["above", "below"] as const;
const LISTED = 24;

type Measures = Partial<Record<Stack, readonly HeadMeasures[]>>;

/** The heads that a setting is for: those of a scope around the shown head, or those that were picked. */
const TARGETS = ["head", "layer", "stack", "everywhere", "picked"] as const satisfies readonly (
  | Reach
  | "picked"
)[];
type Target = (typeof TARGETS)[number];

/** What a condition can ask of a head: a measure on the present text, or a role's score there. */
type Measured = "entropy" | "distance" | Role;
const MEASURED: readonly Measured[] = ["entropy", "distance", ...ROLES.map(({ role }) => role)];

interface Condition {
  measured: Measured;
  side: (typeof SIDES)[number];
  number: number;
}

/** The gates and patterns of heads; a control shows the value that all of them share. */
@customElement("headscope-change-heads")
export class HeadscopeChangeHeads extends PagePart {
  static override styles = css`
    headscope-head-picker,
    headscope-draw-pattern {
      padding: 4px 0 12px;
    }
  `;

  @property({ attribute: false }) on!: BenchContext;
  @state() private target: Target = "head";
  @state() private picked: readonly HeadRef[] = [];
  @state() private condition: Condition = { measured: "entropy", side: "above", number: 1.5 };
  @state() private failed: unknown = null;
  private readonly measures = new Resource<Measures>();

  protected override willUpdate(): void {
    const { model, run, revision } = this.on;
    if (!model || !run) return;
    this.measures.want(`${revision}`, async () => {
      const stacks = stacksOf(model.info);
      const found = stacks.map(async (stack) => [stack, await run.measures({ stack })] as const);
      return Object.fromEntries(await Promise.all(found));
    });
  }

  override render(): TemplateResult | typeof nothing {
    const { head, model, edits } = this.on;
    if (!head || !model) return nothing;
    const pattern = commonPattern(edits, this.heads);
    const failures = [
      [this.failed, message("headBench.notRead")],
      [firstFailure([this.measures]), message("headBench.numbersNotRead")],
    ] as const;
    const picker = html`<headscope-head-picker .info=${model.info} .picked=${this.picked} @headscope-pick=${({ detail }: CustomEvent<readonly HeadRef[]>) => this.pick(detail)}></headscope-head-picker>`;
    return html`${renderForms([this.targetForm(head)])}
      ${this.target === "picked" ? picker : nothing}
      ${renderForms([this.settingForm(pattern)])}
      ${typeof pattern === "object" && pattern ? this.renderDrawn(pattern, head) : nothing}
      ${failures.map(([failure, words]) => (failure === null ? nothing : html`<p class="small" role="status">${renderFailed(failure, words)}</p>`))}
      ${this.measures.value ? renderForms([this.conditionForm(this.measures.value)]) : nothing}`;
  }

  private targetForm(head: HeadRef): Form {
    const choose = (chosen: Target): void => {
      // The first picked heads are those of the scope before.
      if (chosen === "picked" && this.picked.length === 0) this.picked = this.heads;
      this.target = chosen;
    };
    const field = { label: message("headBench.target"), value: this.target, choose };
    const picked = message("headBench.picked", { count: this.picked.length });
    const show = (one: Target): string | null => (one === "picked" ? picked : null);
    return { lines: [[reachField(field, head, TARGETS, show)]] };
  }

  private settingForm(pattern: FrozenPattern | null | undefined): Form {
    const gate = common(this.heads.map((head) => settingOf(this.on.edits, head, "gate")));
    const drawn = typeof pattern === "object" && pattern !== null;
    const gates = captionedOneOf({
      control: "segments",
      label: message("headBench.gate"),
      value: String(gate ?? ""),
      values: GATES.map((value) => `${value}` as const),
      show: (value) => message(`headBench.gate.${value}`, { gate: formatNumber(Number(value), 1) }),
      choose: (value) =>
        this.set((edits, heads, { stacks }) =>
          withSetting(edits, heads, "gate", Number(value), stacks),
        ),
    });
    const patterns = captionedOneOf({
      control: "words",
      label: message("headBench.pattern"),
      value: drawn ? "drawn" : pattern === null ? "own" : (pattern ?? ""),
      values: PATTERNS,
      show: (value) => message(`pattern.${value}`),
      choose: (value) => {
        if (value === "drawn") void this.draw();
        else this.setPattern(value === "own" ? null : value);
      },
    });
    return { lines: [[gates], [patterns]] };
  }

  /** Heads by a condition on their measures; they are listed before they are picked. */
  private conditionForm(measures: Measures): Form {
    const { condition } = this;
    const { measured, side, number } = condition;
    const found = headsBy(condition, measures);
    const [least, most] = [0, mostOf(measured)];
    const list = oneOf({
      control: "list",
      label: message("headRule.measure"),
      caption: message("headRule.heads"),
      value: measured,
      values: MEASURED,
      show: nameOf,
      choose: (one) => {
        const nearest = Math.min(mostOf(one), Math.max(0, number));
        this.condition = { ...condition, measured: one, number: nearest };
      },
    });
    const sides = oneOf({
      control: "list",
      label: message("headRule.side"),
      value: side,
      values: SIDES,
      show: (one) => message(`headRule.${one}`),
      choose: (one) => (this.condition = { ...condition, side: one }),
    });
    const take = (typed: number): void => void (this.condition = { ...condition, number: typed });
    const label = message("headRule.number");
    return {
      lines: [
        [
          list,
          sides,
          { control: "number", id: "number", label, value: number, least, most, step: 0.05, take },
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
    this.set(
      (edits, own, { stacks }) => withSetting(edits, own, "pattern", pattern, stacks),
      heads,
    );
  }

  /** A drawing begins as the weights of the shown head. */
  private async draw(): Promise<void> {
    const { head, run } = this.on;
    if (!head || !run) return;
    // Another head may be shown when the answer arrives.
    const { heads } = this;
    this.failed = null;
    try {
      const drawing = drawingOf(await run.attention(head));
      // Another run may have other tokens, or other edits.
      if (this.on.run === run) this.setPattern(drawing, heads);
    } catch (thrown) {
      if (!isExpected(thrown)) this.failed = thrown;
    }
  }
}

export function targetHeads(
  target: Target,
  head: HeadRef,
  picked: readonly HeadRef[],
  { stacks }: Pick<ModelInfo, "stacks">,
): HeadRef[] {
  return target === "picked" ? [...picked] : headsOf(scopeAt(target, head), stacks);
}

/** The fixed pattern of all these heads; null where they have their own, undefined where they differ. */
function commonPattern(
  edits: EditLists,
  heads: readonly HeadRef[],
): FrozenPattern | null | undefined {
  const [first = null, ...others] = heads.map((head) => settingOf(edits, head, "pattern"));
  return others.every((pattern) => equals(pattern, first)) ? first : undefined;
}

/** The value that all of them are; undefined where they differ. */
function common<Value>([first, ...others]: readonly Value[]): Value | undefined {
  return others.every((value) => value === first) ? first : undefined;
}

/** The heads that fulfil a condition, of those that have the measure. */
export function headsBy({ measured, side, number }: Condition, measures: Measures): HeadRef[] {
  const fulfils = (head: HeadMeasures): boolean => {
    const value =
      measured === "entropy" || measured === "distance" ? head[measured] : head.roles[measured];
    return value !== null && (side === "above" ? value > number : value < number);
  };
  return STACKS.flatMap((stack) =>
    (measures[stack] ?? []).filter(fulfils).map(({ layer, head }) => ({ stack, layer, head })),
  );
}

/** The largest value of a measure on a text of a hundred thousand tokens: nats, tokens, or a score. */
function mostOf(measured: Measured): number {
  if (measured === "entropy") return 12;
  return measured === "distance" ? 100_000 : 1;
}

function nameOf(measured: Measured): string {
  if (measured === "entropy") return message("headRule.entropy");
  return measured === "distance"
    ? message("measures.distance")
    : message("headRule.role", { role: message(`role.${measured}`) });
}

/** The heads stack by stack, such as “Encoder 1.2, 3.4”. */
function listOf(heads: readonly HeadRef[]): string {
  if (heads.length === 0) return message("headRule.noHead");
  const listed = heads.slice(0, LISTED);
  const words = STACKS.flatMap((stack) => {
    const own = listed.filter((one) => one.stack === stack);
    const names = own.map(({ layer, head }) => `${layer + 1}.${head + 1}`);
    return own.length === 0 ? [] : [`${message(`stack.${stack}`)} ${formatList(names)}`];
  }).join(" · ");
  return heads.length > listed.length
    ? message("headRule.andMore", { heads: words, count: heads.length - listed.length })
    : words;
}

/** How each sublayer of a block is connected to the residual stream: with its residual or without, and where its norm is. */
@customElement("headscope-change-blocks")
export class HeadscopeChangeBlocks extends PagePart {
  @property({ attribute: false }) on!: BenchContext;
  @state() private reach: "layer" | "stack" = "layer";

  override render(): TemplateResult | typeof nothing {
    const { head, model } = this.on;
    if (!head || !model) return nothing;
    const stack = blockOf(head);
    const count = model.info.stacks[stack]?.layers ?? 0;
    const layers = this.reach === "layer" ? [head.layer] : [...Array(count).keys()];
    const reach = reachField(
      {
        label: message("headBench.blocks"),
        value: this.reach,
        choose: (chosen) => (this.reach = chosen),
      },
      { ...head, stack },
      ["layer", "stack"],
    );
    return html`${renderForms([
      { lines: [[reach]], hint: message("headBench.blocksHint") },
      ...sublayersOf(stack, model.info.stacks).map((sublayer) =>
        this.sublayerForm(
          sublayer,
          layers.map((layer) => ({ stack, layer, sublayer })),
          model.info,
        ),
      ),
    ])}`;
  }

  /** One sublayer of some layers: a control shows the value that all of them share. */
  private sublayerForm(sublayer: Sublayer, joints: readonly Part[], info: ModelInfo): Form {
    const { edits } = this.on;
    const name = message(`sublayer.${sublayer}`);
    const residual = common(joints.map((joint) => settingOf(edits, joint, "residual")));
    const residuals = oneOf({
      control: "segments",
      caption: message("headBench.residual"),
      label: `${name}: ${message("headBench.residual")}`,
      value: residual === undefined ? "" : residual ? "on" : "off",
      values: ["on", "off"],
      show: (value) => message(`headBench.residual.${value}`),
      choose: (value) =>
        patch(this, { edits: withSetting(edits, joints, "residual", value === "on", info.stacks) }),
    });
    const norms = oneOf({
      control: "segments",
      caption: message("headBench.norm"),
      label: `${name}: ${message("headBench.norm")}`,
      value: common(joints.map((joint) => settingOf(edits, joint, "norm"))) ?? "",
      values: NORM_PLACES,
      show: (value) => message(`headBench.norm.${value}`),
      choose: (value) =>
        patch(this, { edits: withSetting(edits, joints, "norm", value, info.stacks) }),
    });
    return { title: name, named: true, lines: [[residuals, norms]] };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-heads-bench": HeadscopeHeadsBench;
    "headscope-change-heads": HeadscopeChangeHeads;
    "headscope-change-blocks": HeadscopeChangeBlocks;
  }
}
