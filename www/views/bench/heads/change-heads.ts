import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadMeasures, HeadRef, Stack } from "../../../data/index.js";
import { formatNumber, message } from "../../../i18n/index.js";
import {
  drawingOf,
  NAMED_PATTERNS,
  withGate,
  withPattern,
  type EditLists,
} from "../../../state/index.js";
import "../../../ui/choice.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { firstFailure, isExpected } from "../../run/failures.js";
import { Resource } from "../../../signals.js";
import { stacksOf } from "../../run/selection.js";
import { renderFailed } from "../failed-words.js";
import { saysMore, type OnBench } from "../on-bench.js";
import { ruleStyles } from "../rule-styles.js";
import { commonGate, commonPattern, targetHeads, TARGETS, type Target } from "./chosen-heads.js";
import "./draw-pattern.js";
import "./head-picker.js";
import "./head-rule.js";

const GATES = [0, 0.5, 1, 2] as const;
const PATTERNS = ["own", ...NAMED_PATTERNS, "drawn"] as const;

type Measures = Partial<Record<Stack, readonly HeadMeasures[]>>;

/** How loud some heads are, and whether they look where they computed: what is set shows what they have in common. */
@customElement("headscope-change-heads")
export class HeadscopeChangeHeads extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      .settings {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        align-items: center;
        gap: 8px 20px;
      }

      .settings > span {
        color: var(--headscope-muted);
      }

      headscope-head-picker,
      headscope-draw-pattern {
        grid-column: 1 / -1;
      }

      headscope-draw-pattern {
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }

      headscope-head-rule {
        margin-top: 12px;
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }

      @container (max-width: 820px) {
        .settings {
          grid-template-columns: minmax(0, 1fr);
          gap: 4px;
        }

        .settings > span {
          margin-top: 8px;
        }
      }
    `,
  ];

  @property({ attribute: false, hasChanged: saysMore }) on!: OnBench;
  @state() private target: Target = "head";
  @state() private picked: readonly HeadRef[] = [];
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
    const heads = this.heads;
    const unmeasured = firstFailure([this.measures]);
    const gate = commonGate(edits, heads);
    const pattern = commonPattern(edits, heads);
    const drawn = typeof pattern === "object" ? pattern : null;
    const place = {
      layer: head.layer + 1,
      head: head.head + 1,
      stack: message(`stack.${head.stack}`),
    };
    return html`<div class="settings">
        <span>${message("rule.for")}</span>
        <select aria-label=${message("headBench.target")} @change=${this.chooseTarget}>
          ${TARGETS.map((one) => html`<option value=${one} .selected=${one === this.target}>${one === "picked" ? message("headBench.picked", { count: this.picked.length }) : message(`rule.reach.${one}`, place)}</option>`)}
        </select>
        ${this.target === "picked" ? html`<headscope-head-picker .info=${model.info} .picked=${this.picked} @headscope-pick=${this.pick}></headscope-head-picker>` : nothing}
        <span>${message("headBench.gate")}</span>
        <headscope-choice
          look="segments"
          .label=${message("headBench.gate")}
          .value=${gate === null ? "" : String(gate)}
          .choices=${GATES.map((value) => ({ value: String(value), label: message(`headBench.gate.${value}`, { gate: formatNumber(value, 1) }) }))}
          @headscope-choose=${this.chooseGate}
        ></headscope-choice>
        <span>${message("headBench.pattern")}</span>
        <headscope-choice
          look="words"
          .label=${message("headBench.pattern")}
          .value=${pattern === undefined ? "" : pattern === null ? "own" : typeof pattern === "string" ? pattern : "drawn"}
          .choices=${PATTERNS.map((value) => ({ value, label: message(`pattern.${value}`) }))}
          @headscope-choose=${this.choosePattern}
        ></headscope-choice>
        ${drawn ? this.renderDrawn(drawn, head) : nothing}
      </div>
      ${this.failed === null ? nothing : html`<p class="small" role="status">${renderFailed(this.failed, message("headBench.notRead"))}</p>`}
      ${unmeasured === null ? nothing : html`<p class="small" role="status">${renderFailed(unmeasured, message("headBench.numbersNotRead"))}</p>`}
      ${this.measures.value ? html`<headscope-head-rule .measures=${this.measures.value} @headscope-pick=${this.pick}></headscope-head-rule>` : nothing}`;
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
      @headscope-drawn=${(event: CustomEvent<number[][]>) => this.set((edits, heads) => withPattern(edits, heads, event.detail, model.info.stacks))}
    ></headscope-draw-pattern>`;
  }

  private get heads(): HeadRef[] {
    const { head, model } = this.on;
    return head && model ? targetHeads(this.target, head, this.picked, model.info) : [];
  }

  private set(change: (edits: EditLists, heads: HeadRef[]) => EditLists): void {
    patch(this, { edits: change(this.on.edits, this.heads) });
  }

  private readonly chooseTarget = ({ target }: Event): void => {
    const chosen =
      target instanceof HTMLSelectElement ? TARGETS.find((one) => one === target.value) : undefined;
    if (!chosen) return;
    // Whoever picks begins with what was meant until now.
    if (chosen === "picked" && this.picked.length === 0) this.picked = this.heads;
    this.target = chosen;
  };

  private readonly pick = (event: CustomEvent<readonly HeadRef[]>): void => {
    event.stopPropagation();
    this.picked = event.detail;
    this.target = "picked";
  };

  private readonly chooseGate = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    const gate = GATES.find((one) => String(one) === event.detail);
    const sizes = this.on.model?.info.stacks;
    if (gate !== undefined && sizes)
      this.set((edits, heads) => withGate(edits, heads, gate, sizes));
  };

  private readonly choosePattern = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    const sizes = this.on.model?.info.stacks;
    const chosen = PATTERNS.find((one) => one === event.detail);
    if (!sizes || !chosen) return;
    if (chosen === "drawn") void this.draw();
    else
      this.set((edits, heads) =>
        withPattern(edits, heads, chosen === "own" ? null : chosen, sizes),
      );
  };

  /** A drawing begins as what the head that is looked at does now. */
  private async draw(): Promise<void> {
    const { head, run, model } = this.on;
    if (!head || !run || !model) return;
    // Whoever looks elsewhere meanwhile still asked it of these.
    const { heads } = this;
    this.failed = null;
    try {
      const drawing = drawingOf(await run.attention(head));
      // What another run computes may be of other words, or under other edits.
      if (this.on.run !== run) return;
      patch(this, { edits: withPattern(this.on.edits, heads, drawing, model.info.stacks) });
    } catch (thrown) {
      if (!isExpected(thrown)) this.failed = thrown;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-change-heads": HeadscopeChangeHeads;
  }
}
