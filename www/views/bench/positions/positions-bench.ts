import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadRef, PositionEdit, PositionParameters, Token } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import type { Model, Run } from "../../../headscope.js";
import {
  isUntrained,
  NO_EDITS,
  placementOf,
  POSITION_NUMBERS,
  SCHEME_NUMBERS,
  SCHEMES,
  turnsIn,
  withPlacement,
  type EditLists,
  type PlacedStack,
  type PositionNumber,
} from "../../../state/index.js";
import "../../../ui/choice.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { NumberFields } from "../number-fields.js";
import { ruleStyles } from "../rule-styles.js";
import "./order-strip.js";
import { brokenHeads } from "../../demos/broken-heads.js";
import { lengths } from "../../demos/lengths.js";
import type { OnPage } from "../../demos/kit.js";
import "../../demos/kit.js";
import "../../demos/position-demos.js";
import { refusedBuckets } from "./refused-buckets.js";
import { renderUnread } from "../unread.js";

const LAYOUTS = ["model", "interleaved", "halves"] as const;
const TABLES = ["own", "drawn"] as const;
const NO_TOKENS: readonly Token[] = [];

/** How the tokens of a stack know where they stand: the scheme, its numbers, the order, and what these do to the heads. */
@customElement("headscope-positions-bench")
export class HeadscopePositionsBench extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      .line {
        padding: 8px 0;
      }

      .hint {
        margin-bottom: 10px;
      }

      section,
      headscope-demo {
        display: block;
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }

      input[type="number"] {
        width: 96px;
      }
    `,
  ];

  @property({ attribute: false }) edits: EditLists = NO_EDITS;
  @property({ attribute: false }) head: HeadRef | null = null;
  @property({ attribute: false }) model: Model | null = null;
  @property({ attribute: false }) run: Run | null = null;
  /** The sentence on the page. */
  @property() text = "";
  @property({ type: Number }) revision = 0;
  /** Whether more of the run is on its way. */
  @property({ type: Boolean }) growing = false;

  private readonly fields = new NumberFields(this);

  override render(): TemplateResult {
    const { head, model, run } = this;
    const edits =
      head && model && run ? this.renderEdits(model) : renderUnread(this.text, "at.noText");
    return html`${edits}<headscope-position-lab .model=${model}></headscope-position-lab>`;
  }

  /** The tokens whose positions are shown. */
  private get tokens(): readonly Token[] {
    const { model, run } = this;
    if (!model || !run) return NO_TOKENS;
    return model.info.architecture === "encoder-decoder" && this.stack === "decoder"
      ? run.targetTokens
      : run.tokens;
  }

  private renderEdits(model: Model): TemplateResult {
    const { stack, tokens } = this;
    const placement = placementOf(this.edits, stack);
    const scheme = placement.scheme ?? "model";
    const headDim = model.info.stacks[stack]?.headDim ?? 0;
    const turns = turnsIn(headDim);
    return html`<p class="muted">${message("at.intro")}</p>
      <div class="line">
        ${this.renderStacks(model)}
        <label
          >${message("at.scheme")}
          <select id="scheme" @change=${this.chooseScheme}>
            ${SCHEMES.map((one) => html`<option value=${one} .selected=${one === scheme} ?disabled=${one === "rotary" && !turns}>${message(`at.${one}`)}</option>`)}
          </select></label
        >
        ${this.renderParts(placement)}
      </div>
      ${this.fields.troubles()}
      <p class="small muted hint">${message(`at.${scheme}.hint`)} ${isUntrained(placement) ? message("at.untrained.hint") : nothing} ${turns ? nothing : message("at.rotary.odd", { width: headDim })}</p>
      <section>
        <h3>${message("at.order")}</h3>
        <p class="small muted">${message("at.order.hint")}</p>
        <headscope-order-strip .tokens=${tokens} .order=${placement.order} @headscope-order=${(event: CustomEvent<number[]>) => this.put({ ...placement, order: event.detail })}></headscope-order-strip>
        ${placement.order ? html`<button id="restore" @click=${() => this.put({ ...placement, order: [] })}>${message("at.order.restore")}</button>` : nothing}
      </section>
      <headscope-demo .demo=${brokenHeads} .on=${this.on}></headscope-demo>
      <headscope-demo .demo=${lengths} .on=${this.on}></headscope-demo>`;
  }

  private get on(): OnPage {
    const { edits, head, model, run, revision, growing } = this;
    return { edits, head, model, run, revision, growing };
  }

  /** The stack whose positions are shown: that of the head; cross-attention's queries stand in the decoder. */
  private get stack(): PlacedStack {
    return this.head?.stack === "encoder" ? "encoder" : "decoder";
  }

  private renderStacks({ info }: Model): TemplateResult | typeof nothing {
    if (info.architecture !== "encoder-decoder") return nothing;
    return html`<headscope-choice
      look="segments"
      .label=${message("at.stack")}
      .value=${this.stack}
      .choices=${(["encoder", "decoder"] as const).map((value) => ({ value, label: message(`stack.${value}`) }))}
      @headscope-choose=${({ detail }: CustomEvent<string>) => patch(this, { stack: detail === "encoder" ? "encoder" : "decoder" })}
    ></headscope-choice>`;
  }

  private renderParts(placement: PositionEdit): (TemplateResult | typeof nothing)[] {
    const { scheme = "model", parameters = {} } = placement;
    const drawn = scheme === "learned" && parameters.seed !== undefined;
    const numbers = SCHEME_NUMBERS[scheme].filter(
      (name) => name !== "seed" || scheme !== "learned" || drawn,
    );
    return [
      scheme === "learned" ? this.renderTable(placement, drawn) : nothing,
      scheme === "sinusoidal" ? this.renderLayout(placement) : nothing,
      ...numbers.map((name) => this.renderNumber(placement, name)),
    ];
  }

  private renderTable(placement: PositionEdit, drawn: boolean): TemplateResult {
    return this.renderChoice(
      "table",
      message("at.table"),
      TABLES.map((one) => [one, message(`at.table.${one}`)]),
      drawn ? "drawn" : "own",
      (value) =>
        this.put({
          ...placement,
          parameters: value === "drawn" ? { seed: POSITION_NUMBERS.seed.absent } : {},
        }),
    );
  }

  private renderLayout(placement: PositionEdit): TemplateResult {
    const { interleaved, ...others } = placement.parameters ?? {};
    const layout = interleaved === undefined ? "model" : interleaved ? "interleaved" : "halves";
    return this.renderChoice(
      "layout",
      message("at.layout"),
      LAYOUTS.map((one) => [one, message(`at.layout.${one}`)]),
      layout,
      (value) =>
        this.put({
          ...placement,
          parameters:
            value === "model" ? others : { ...others, interleaved: value === "interleaved" },
        }),
    );
  }

  private renderChoice(
    id: string,
    label: string,
    options: readonly (readonly [string, string])[],
    value: string,
    choose: (value: string) => void,
  ): TemplateResult {
    return html`<label
      >${label}
      <select id=${id} @change=${({ target }: Event) => target instanceof HTMLSelectElement && choose(target.value)}>
        ${options.map(([option, words]) => html`<option value=${option} .selected=${option === value}>${words}</option>`)}
      </select></label
    >`;
  }

  private renderNumber(placement: PositionEdit, name: PositionNumber): TemplateResult {
    const { least, most, absent, whole } = POSITION_NUMBERS[name];
    const value = placement.parameters?.[name] ?? absent;
    const withNumber = (typed: number): PositionParameters => ({
      ...placement.parameters,
      [name]: typed,
    });
    const field = {
      id: name,
      value,
      least,
      most,
      whole,
      ...(name === "buckets" && { step: 2, even: true }),
    };
    return html`<label>${message(`at.number.${name}`)} ${this.fields.number({ ...field, refuse: (typed) => refusedBuckets(withNumber(typed)), take: (typed) => this.put({ ...placement, parameters: withNumber(typed) }) })}</label>`;
  }

  private readonly chooseScheme = ({ target }: Event): void => {
    const scheme = SCHEMES.find(
      (one) => target instanceof HTMLSelectElement && one === target.value,
    );
    const { order } = placementOf(this.edits, this.stack);
    if (scheme) this.put({ scheme, ...(order && { order }) });
  };

  private put(placement: PositionEdit): void {
    patch(this, { edits: withPlacement(this.edits, this.stack, placement) });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-positions-bench": HeadscopePositionsBench;
  }
}
