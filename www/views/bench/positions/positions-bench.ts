import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadRef, PositionEdit, PositionParameters } from "../../../data/index.js";
import type { Model, Run } from "../../../headscope.js";
import { message } from "../../../i18n/index.js";
import {
  isUntrained,
  placementOf,
  POSITION_NUMBERS,
  SCHEME_NUMBERS,
  SCHEMES,
  turnsIn,
  withPlacement,
  type PlacedStack,
} from "../../../state/index.js";
import { partStyles } from "../../../ui/base-styles.js";
import { PagePart } from "../../../ui/page-part.js";
import { brokenHeads } from "../../demos/broken-heads.js";
import "../../demos/kit.js";
import { lengths } from "../../demos/lengths.js";
import "../../demos/demo-lists.js";
import { patch } from "../../parts/events.js";
import { refusedBuckets } from "../number-fields.js";
import type { OnBench } from "../on-bench.js";
import { numberIn, oneOf, renderForms, type Control, type Form } from "../rule-editor.js";
import { renderUnread } from "../unread.js";
import "./order-strip.js";

const LAYOUTS = ["model", "interleaved", "halves"] as const;
const TABLES = ["own", "drawn"] as const;
const PLACED = ["encoder", "decoder"] as const satisfies readonly PlacedStack[];

/** How the tokens of a stack know where they stand: the scheme, its numbers, the order, and what these do to the heads. */
@customElement("headscope-positions-bench")
export class HeadscopePositionsBench extends PagePart {
  static override styles = [
    partStyles,
    css`
      section,
      headscope-demo {
        display: block;
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;

  override render(): TemplateResult {
    const { on } = this;
    const [model, run] = [on?.model ?? null, on?.run ?? null];
    return html`${on?.head && model && run ? this.renderEdits(on, on.head, model, run) : renderUnread(on?.text ?? "", "at.noText")}
      <headscope-position-demos .model=${model}></headscope-position-demos>`;
  }

  private renderEdits(on: OnBench, head: HeadRef, model: Model, run: Run): TemplateResult {
    const { edits } = on;
    // Cross-attention's queries stand in the decoder.
    const stack = head.stack === "encoder" ? "encoder" : "decoder";
    const placement = placementOf(edits, stack);
    const put = (placed: PositionEdit): void =>
      patch(this, { edits: withPlacement(edits, stack, placed) });
    const translates = model.info.architecture === "encoder-decoder";
    const stacks = oneOf({
      control: "segments",
      label: message("at.stack"),
      value: stack,
      values: PLACED,
      show: (one) => message(`stack.${one}`),
      choose: (chosen) => patch(this, { stack: chosen }),
    });
    return html`<p class="muted">${message("at.intro")}</p>
      ${renderForms([placementForm(placement, model.info.stacks[stack]?.headDim ?? 0, put, translates ? [stacks] : [])])}
      <section>
        <h3>${message("at.order")}</h3>
        <p class="small muted">${message("at.order.hint")}</p>
        <headscope-order-strip .tokens=${translates && stack === "decoder" ? run.targetTokens : run.tokens} .order=${placement.order} @headscope-order=${(event: CustomEvent<number[]>) => put({ ...placement, order: event.detail })}></headscope-order-strip>
        ${placement.order ? html`<button id="restore" @click=${() => put({ ...placement, order: [] })}>${message("at.order.restore")}</button>` : nothing}
      </section>
      <headscope-demo .demo=${brokenHeads} .on=${on}></headscope-demo>
      <headscope-demo .demo=${lengths} .on=${on}></headscope-demo>`;
  }
}

/** The scheme of one stack with its numbers, after what stands `before` it; `width` is that of its heads. */
function placementForm(
  placement: PositionEdit,
  width: number,
  put: (placement: PositionEdit) => void,
  before: readonly Control[],
): Form {
  const { scheme = "model", parameters = {}, order } = placement;
  const { interleaved, ...others } = parameters;
  const withParameters = (changed: PositionParameters): void =>
    put({ ...placement, parameters: changed });
  const turns = turnsIn(width);
  const drawn = parameters.seed !== undefined;
  const list = <Value extends string>(
    id: string,
    label: string,
    value: Value,
    values: readonly Value[],
    show: Parameters<typeof oneOf<Value>>[0]["show"],
    choose: (value: Value) => void,
  ): Control => oneOf({ control: "list", id, label, caption: label, value, values, show, choose });
  return {
    lines: [
      [
        ...before,
        list(
          "scheme",
          message("at.scheme"),
          scheme,
          SCHEMES,
          (one) => ({ label: message(`at.${one}`), disabled: one === "rotary" && !turns }),
          (one) => put({ scheme: one, ...(order && { order }) }),
        ),
        scheme === "learned"
          ? list(
              "table",
              message("at.table"),
              drawn ? "drawn" : "own",
              TABLES,
              (one) => message(`at.table.${one}`),
              (one) => withParameters(one === "drawn" ? { seed: POSITION_NUMBERS.seed.usual } : {}),
            )
          : null,
        scheme === "sinusoidal"
          ? list(
              "layout",
              message("at.layout"),
              interleaved === undefined ? "model" : interleaved ? "interleaved" : "halves",
              LAYOUTS,
              (one) => message(`at.layout.${one}`),
              (one) =>
                withParameters(
                  one === "model" ? others : { ...others, interleaved: one === "interleaved" },
                ),
            )
          : null,
        ...SCHEME_NUMBERS[scheme]
          .filter((name) => name !== "seed" || scheme !== "learned" || drawn)
          .map((name): Control => {
            const range = POSITION_NUMBERS[name];
            const changed = (typed: number): PositionParameters => ({
              ...parameters,
              [name]: typed,
            });
            return {
              ...numberIn(
                name,
                message(`at.number.${name}`),
                parameters[name] ?? range.usual,
                range,
                (typed) => withParameters(changed(typed)),
              ),
              className: "wide",
              refuse: (typed) => refusedBuckets(changed(typed)),
              ...(name === "buckets" && { step: 2, even: true }),
            };
          }),
      ],
    ],
    hint: [
      message(`at.${scheme}.hint`),
      isUntrained(placement) ? message("at.untrained.hint") : "",
      turns ? "" : message("at.rotary.odd", { width }),
    ].join(" "),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-positions-bench": HeadscopePositionsBench;
  }
}
