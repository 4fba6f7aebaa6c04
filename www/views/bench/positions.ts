// How the tokens of a stack get their positions: the scheme, its numbers, the order, and what these do to the heads.
import { html, nothing, type TemplateResult } from "lit";
import type { HeadRef, PositionEdit, PositionParameters } from "../../data/index.js";
import type { Model, Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import {
  isUntrained,
  placementOf,
  POSITION_NUMBERS,
  SCHEME_NUMBERS,
  SCHEMES,
  turnsIn,
  withPlacement,
  type PlacedStack,
} from "../../state/index.js";
import { brokenHeads } from "../demos/broken-heads.js";
import "../demos/demo-element.js";
import "../demos/demo-lists.js";
import { lengths } from "../demos/lengths.js";
import type { BenchContext, PatchState } from "./context.js";
import { renderNoRun } from "./failures.js";
import {
  captionedOneOf,
  numberIn,
  oneOf,
  refusedBuckets,
  renderForms,
  type Control,
  type Form,
} from "./form.js";
import "./order-strip.js";

const LAYOUTS = ["model", "interleaved", "halves"] as const;
const TABLES = ["own", "drawn"] as const;
const PLACED = ["encoder", "decoder"] as const satisfies readonly PlacedStack[];

export function renderPositions(on: BenchContext, patch: PatchState): TemplateResult {
  const { head, model, run, text } = on;
  return html`${head && model && run ? renderEdits(on, head, model, run, patch) : renderNoRun(text, "at.noText")}
    <headscope-position-demos .model=${model}></headscope-position-demos>`;
}

function renderEdits(
  on: BenchContext,
  head: HeadRef,
  model: Model,
  run: Run,
  patch: PatchState,
): TemplateResult {
  const { edits } = on;
  // Cross-attention's queries stand in the decoder.
  const stack = head.stack === "encoder" ? "encoder" : "decoder";
  const placement = placementOf(edits, stack);
  const put = (placed: PositionEdit): void => patch({ edits: withPlacement(edits, stack, placed) });
  const translates = model.info.architecture === "encoder-decoder";
  const stacks = oneOf({
    control: "segments",
    label: message("at.stack"),
    value: stack,
    values: PLACED,
    show: (one) => message(`stack.${one}`),
    choose: (chosen) => patch({ stack: chosen }),
  });
  const width = model.info.stacks[stack]?.headDim ?? 0;
  const tokens = translates && stack === "decoder" ? run.targetTokens : run.tokens;
  return html`<p class="muted">${message("at.intro")}</p>
    ${renderForms([placementForm(placement, width, put, translates ? [stacks] : [])])}
    <section>
      <h3>${message("at.order")}</h3>
      <p class="small muted">${message("at.order.hint")}</p>
      <headscope-order-strip .tokens=${tokens} .order=${placement.order} @headscope-order=${(event: CustomEvent<number[]>) => put({ ...placement, order: event.detail })}></headscope-order-strip>
      ${placement.order ? html`<button id="restore" @click=${() => put({ ...placement, order: [] })}>${message("at.order.restore")}</button>` : nothing}
    </section>
    <headscope-demo .demo=${brokenHeads} .on=${on}></headscope-demo>
    <headscope-demo .demo=${lengths} .on=${on}></headscope-demo>`;
}

/** The scheme of one stack with its numbers, after the controls `before` it; `width` is that of its heads. */
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
  const schemes = captionedOneOf({
    control: "list",
    id: "scheme",
    label: message("at.scheme"),
    value: scheme,
    values: SCHEMES,
    show: (one) => ({ label: message(`at.${one}`), disabled: one === "rotary" && !turns }),
    choose: (one) => put({ scheme: one, ...(order && { order }) }),
  });
  const tables = captionedOneOf({
    control: "list",
    id: "table",
    label: message("at.table"),
    value: drawn ? "drawn" : "own",
    values: TABLES,
    show: (one) => message(`at.table.${one}`),
    choose: (one) => withParameters(one === "drawn" ? { seed: POSITION_NUMBERS.seed.usual } : {}),
  });
  const layouts = captionedOneOf({
    control: "list",
    id: "layout",
    label: message("at.layout"),
    value: interleaved === undefined ? "model" : interleaved ? "interleaved" : "halves",
    values: LAYOUTS,
    show: (one) => message(`at.layout.${one}`),
    choose: (one) =>
      withParameters(one === "model" ? others : { ...others, interleaved: one === "interleaved" }),
  });
  const numbers = SCHEME_NUMBERS[scheme]
    .filter((name) => name !== "seed" || scheme !== "learned" || drawn)
    .map((name): Control => {
      const range = POSITION_NUMBERS[name];
      const changed = (typed: number): PositionParameters => ({ ...parameters, [name]: typed });
      const caption = message(`at.number.${name}`);
      return {
        ...numberIn(name, caption, parameters[name] ?? range.usual, range, (typed) =>
          withParameters(changed(typed)),
        ),
        className: "wide",
        refuse: (typed) => refusedBuckets(changed(typed)),
        ...(name === "buckets" && { step: 2, even: true }),
      };
    });
  return {
    lines: [
      [
        ...before,
        schemes,
        scheme === "learned" ? tables : null,
        scheme === "sinusoidal" ? layouts : null,
        ...numbers,
      ],
    ],
    hint: [
      message(`at.${scheme}.hint`),
      isUntrained(placement) ? message("at.untrained.hint") : "",
      turns ? "" : message("at.rotary.odd", { width }),
    ].join(" "),
  };
}
