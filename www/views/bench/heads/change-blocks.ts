import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadRef, Sublayer } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import {
  joinedAs,
  NORM_PLACES,
  sublayersOf,
  withNorm,
  withResidual,
  type BlockStack,
  type Joint,
} from "../../../state/index.js";
import "../../../ui/choice.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { saysMore, type OnBench } from "../on-bench.js";
import { ruleStyles } from "../rule-styles.js";

const REACHES = ["layer", "stack"] as const;
const RESIDUALS = ["on", "off"] as const;

/** How each sublayer of a block is joined to the stream: with its residual or without, and where its norm stands. */
@customElement("headscope-change-blocks")
export class HeadscopeChangeBlocks extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      table {
        margin: 12px 0;
        border-collapse: collapse;
      }

      th {
        padding: 4px 20px 4px 0;
        text-align: left;
        font-weight: 400;
        color: var(--headscope-muted);
      }

      tbody th {
        color: var(--headscope-ink);
      }

      td {
        padding: 4px 20px 4px 0;
      }

      @container (max-width: 820px) {
        table,
        tbody,
        tr,
        td,
        tbody th {
          display: block;
        }

        thead {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false, hasChanged: saysMore }) on!: OnBench;
  @state() private reach: (typeof REACHES)[number] = "layer";

  override render(): TemplateResult | typeof nothing {
    const { head, model } = this.on;
    if (!head || !model) return nothing;
    const stack = blockStack(head);
    const place = { layer: head.layer + 1, stack: message(`stack.${stack}`) };
    return html`<label
        >${message("rule.for")}
        <select aria-label=${message("headBench.blocks")} @change=${this.chooseReach}>
          ${REACHES.map((reach) => html`<option value=${reach} .selected=${reach === this.reach}>${message(`rule.reach.${reach}`, place)}</option>`)}
        </select>
      </label>
      <table>
        <thead>
          <tr>
            <th scope="col">${message("headBench.sublayer")}</th>
            <th scope="col">${message("headBench.residual")}</th>
            <th scope="col">${message("headBench.norm")}</th>
          </tr>
        </thead>
        <tbody>
          ${sublayersOf(stack, model.info).map((sublayer) => this.renderSublayer(sublayer))}
        </tbody>
      </table>
      <p class="small muted">${message("headBench.blocksHint")}</p>`;
  }

  private renderSublayer(sublayer: Sublayer): TemplateResult {
    const joints = this.joints(sublayer);
    const all = joints.map((joint) => joinedAs(this.on.edits, joint));
    const [first] = all;
    const residual = all.every((one) => one.residual === first?.residual)
      ? first?.residual
        ? "on"
        : "off"
      : "";
    const norm = all.every((one) => one.norm === first?.norm) ? (first?.norm ?? "") : "";
    const name = message(`sublayer.${sublayer}`);
    return html`<tr>
      <th scope="row">${name}</th>
      <td>
        <headscope-choice
          look="segments"
          .label="${name}: ${message("headBench.residual")}"
          .value=${residual}
          .choices=${RESIDUALS.map((value) => ({ value, label: message(`headBench.residual.${value}`) }))}
          @headscope-choose=${(event: CustomEvent<string>) => this.chooseResidual(event, joints)}
        ></headscope-choice>
      </td>
      <td>
        <headscope-choice
          look="segments"
          .label="${name}: ${message("headBench.norm")}"
          .value=${norm}
          .choices=${NORM_PLACES.map((value) => ({ value, label: message(`headBench.norm.${value}`) }))}
          @headscope-choose=${(event: CustomEvent<string>) => this.chooseNorm(event, joints)}
        ></headscope-choice>
      </td>
    </tr>`;
  }

  /** The sublayer of the block that is looked at, or of all blocks of its stack. */
  private joints(sublayer: Sublayer): Joint[] {
    const { head, model } = this.on;
    if (!head || !model) return [];
    const stack = blockStack(head);
    const layers =
      this.reach === "layer"
        ? [head.layer]
        : Array.from({ length: model.info.stacks[stack]?.layers ?? 0 }, (_, layer) => layer);
    return layers.map((layer) => ({ stack, layer, sublayer }));
  }

  private readonly chooseReach = ({ target }: Event): void => {
    const reach =
      target instanceof HTMLSelectElement ? REACHES.find((one) => one === target.value) : undefined;
    if (reach) this.reach = reach;
  };

  private chooseResidual(event: CustomEvent<string>, joints: readonly Joint[]): void {
    event.stopPropagation();
    const { model, edits } = this.on;
    if (model)
      patch(this, { edits: withResidual(edits, joints, event.detail === "on", model.info) });
  }

  private chooseNorm(event: CustomEvent<string>, joints: readonly Joint[]): void {
    event.stopPropagation();
    const { model, edits } = this.on;
    const norm = NORM_PLACES.find((one) => one === event.detail);
    if (model && norm) patch(this, { edits: withNorm(edits, joints, norm, model.info) });
  }
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
