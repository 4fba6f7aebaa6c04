import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadRef, ModelInfo, Sublayer } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import {
  joinedAs,
  NORM_PLACES,
  sublayersOf,
  withNorm,
  withResidual,
  type BlockStack,
  type EditLists,
  type Joint,
} from "../../../state/index.js";
import { partStyles } from "../../../ui/base-styles.js";
import { PagePart } from "../../../ui/page-part.js";
import { patch } from "../../parts/events.js";
import type { OnBench } from "../on-bench.js";
import { oneOf, reachField, renderForms, type Form } from "../rule-editor.js";

const REACHES = ["layer", "stack"] as const;
const RESIDUALS = ["on", "off"] as const;

/** How each sublayer of a block is joined to the residual stream: with its residual or without, and where its norm stands. */
@customElement("headscope-change-blocks")
export class HeadscopeChangeBlocks extends PagePart {
  static override styles = [partStyles];

  @property({ attribute: false }) on!: OnBench;
  @state() private reach: (typeof REACHES)[number] = "layer";

  override render(): TemplateResult | typeof nothing {
    const { head, model, edits } = this.on;
    if (!head || !model) return nothing;
    const { info } = model;
    const stack = blockStack(head);
    const put = (changed: EditLists): void => patch(this, { edits: changed });
    const layers =
      this.reach === "layer"
        ? [head.layer]
        : Array.from({ length: info.stacks[stack]?.layers ?? 0 }, (_, layer) => layer);
    const reach = reachField(
      {
        label: message("headBench.blocks"),
        value: this.reach,
        choose: (chosen) => (this.reach = chosen),
      },
      { ...head, stack },
      REACHES,
    );
    return html`${renderForms([
      { lines: [[reach]], hint: message("headBench.blocksHint") },
      ...sublayersOf(stack, info).map((sublayer) =>
        sublayerForm(
          edits,
          sublayer,
          layers.map((layer) => ({ stack, layer, sublayer })),
          info,
          put,
        ),
      ),
    ])}`;
  }
}

/** One sublayer of some layers: what all of them have in common is chosen. */
function sublayerForm(
  edits: EditLists,
  sublayer: Sublayer,
  joints: readonly Joint[],
  info: ModelInfo,
  put: (edits: EditLists) => void,
): Form {
  const name = message(`sublayer.${sublayer}`);
  const all = joints.map((joint) => joinedAs(edits, joint));
  const [first] = all;
  const residual = all.every((one) => one.residual === first?.residual) ? first?.residual : null;
  const norm = all.every((one) => one.norm === first?.norm) ? first?.norm : null;
  return {
    title: name,
    named: true,
    lines: [
      [
        oneOf({
          control: "segments",
          caption: message("headBench.residual"),
          label: `${name}: ${message("headBench.residual")}`,
          value: residual === null ? "" : residual ? "on" : "off",
          values: RESIDUALS,
          show: (value) => message(`headBench.residual.${value}`),
          choose: (value) => put(withResidual(edits, joints, value === "on", info)),
        }),
        oneOf({
          control: "segments",
          caption: message("headBench.norm"),
          label: `${name}: ${message("headBench.norm")}`,
          value: norm ?? "",
          values: NORM_PLACES,
          show: (value) => message(`headBench.norm.${value}`),
          choose: (value) => put(withNorm(edits, joints, value, info)),
        }),
      ],
    ],
  };
}

/** Cross-attention is a sublayer of the decoder's blocks. */
function blockStack({ stack }: HeadRef): BlockStack {
  return stack === "cross" ? "decoder" : stack;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-change-blocks": HeadscopeChangeBlocks;
  }
}
