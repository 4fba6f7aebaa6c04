import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { AttentionCost, Layer, Stack } from "../../../data/index.js";
import "../../../elements/curves/index.js";
import type { CurveLine } from "../../../draw/curves.js";
import { largeWords } from "../../../draw/large.js";
import { Memo } from "../../../elements/shared/memo.js";
import { formatNumber, formatPercent, language, message } from "../../../i18n/index.js";
import "../../../ui/choice.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { firstFailure } from "../../run/failures.js";
import { Loader } from "../../run/loader.js";
import { renderFailed } from "../failed-words.js";
import type { OnBench } from "../on-bench.js";
import "../saving/save-figure.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, QUANTITIES } from "../lab-table.js";
import {
  COST_WORDS,
  lengthsFor,
  linesOf,
  listedLengths,
  MARKED,
  memoryWords,
  type Quantity,
} from "./cost-figures.js";
import { labStyles } from "./lab-styles.js";

/** The rows of the paper's Table 1, as it writes them. */
const TABLE: Readonly<
  Record<Layer["kind"], { operations: string; sequential: string; path: string }>
> = {
  attention: { operations: "n² · d", sequential: "1", path: "1" },
  recurrent: { operations: "n · d²", sequential: "n", path: "n" },
  convolutional: { operations: "k · n · d²", sequential: "1", path: "logₖ n" },
  restricted: { operations: "r · n · d", sequential: "1", path: "n ⁄ r" },
};

const SCALES = { x: "log", y: "log" } as const;

/** The costs of a layer for a text of so many queries: until the next are read, that may be another than the one looked at. */
interface Costs {
  stack: Stack;
  layer: number;
  present: number;
  all: AttentionCost[];
}

/** What attention costs under the rules in force, for texts of up to 100,000 tokens, beside full attention and other layers. */
@customElement("headscope-mask-cost")
export class HeadscopeMaskCost extends PagePart {
  static override styles = [
    partStyles,
    labStyles,
    css`
      .figures {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        gap: 16px 40px;
        margin: 8px 0;
      }

      .figures > * {
        min-width: 0;
      }

      .paper {
        margin-top: 12px;
      }

      @container (max-width: 1000px) {
        .figures {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;
  @state() private quantity: Quantity = "pairs";

  private readonly costs = new Loader<Costs>(() => this.requestUpdate());
  private readonly drawn = new Memo<CurveLine[]>();
  private readonly marks = new Memo<{ x: number; words: string }[]>();

  protected override willUpdate(): void {
    const { run, head, mask, revision } = this.on ?? {};
    if (!run || !head || !mask) {
      this.costs.clear();
      return;
    }
    const { stack, layer } = head;
    const present = mask.shape[0] ?? 0;
    this.costs.want(`${revision} ${stack} ${layer} ${present}`, async () => ({
      stack,
      layer,
      present,
      all: await run.cost({ stack, layer, lengths: lengthsFor(present) }),
    }));
  }
  protected readonly settings = new LabSettings(this, "cost", {
    of: setting(
      LAB_TABLE.cost.of,
      () => this.quantity,
      (quantity) => (this.quantity = quantity),
    ),
  });

  override render(): TemplateResult {
    const { value } = this.costs;
    const { model } = this.on ?? {};
    const failure = firstFailure([this.costs]);
    if (failure !== null)
      return html`<p class="failed">${renderFailed(failure, message("lab.failed"))}</p>`;
    if (!value || !model) return html`<p class="muted">${message("lab.waiting")}</p>`;
    const { stack, layer, present, all: costs } = value;
    const lines = this.drawn.get([costs, this.quantity, language()], () =>
      linesOf(costs, this.quantity),
    );
    const headDim = model.info.stacks[stack]?.headDim ?? 0;
    const heads = costs[0]?.heads ?? 0;
    return html`<p class="small muted">${message("cost.intro", { layer: layer + 1, heads, size: headDim })}</p>
      <headscope-choice
        look="segments"
        .label=${message("cost.quantity")}
        .value=${this.quantity}
        .choices=${QUANTITIES.map((value) => ({ value, label: message(`cost.${value}`) }))}
        @headscope-choose=${this.choose}
      ></headscope-choice>
      <div class="figures">
        <headscope-save-figure name=${`cost ${this.quantity}`} .heading=${message("cost.title")} .of=${{ stack, layer }} .stale=${this.costs.stale}><headscope-curves
          .lines=${lines}
          .titles=${{ x: message("cost.axis"), y: message(`cost.${this.quantity}`) }}
          .scales=${SCALES}
          .words=${COST_WORDS[this.quantity]}
          .marked=${present > 0 ? present : null}
          .markedAs=${message("cost.here")}
          .marks=${this.marks.get([language()], () => MARKED.map((x) => ({ x, words: formatNumber(x) })))}
        ></headscope-curves></headscope-save-figure>
        <div>
          <div class="wide" tabindex="0" role="group" aria-label=${message("cost.table")}>${this.renderTable(costs, present)}</div>
          <div class="wide paper" tabindex="0" role="group" aria-label=${message("cost.layers")}>${this.renderPaper(costs, present, headDim * heads)}</div>
        </div>
      </div>`;
  }

  private renderTable(costs: readonly AttentionCost[], present: number): TemplateResult {
    const rows = listedLengths(present).flatMap(
      (tokens) => costs.find((cost) => cost.tokens === tokens) ?? [],
    );
    const estimated = rows.some(({ exact }) => !exact);
    return html`<table>
        <caption>${message("cost.table")}</caption>
        <thead>
          <tr>
            <th scope="col">${message("cost.tokens")}</th>
            <th scope="col">${message("cost.allPairs")}</th>
            <th scope="col">${message("cost.openPairs")}</th>
            <th scope="col">${message("cost.share")}</th>
            <th scope="col">${message("cost.headMemory")}</th>
            <th scope="col">${message("cost.openMemory")}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ tokens, heads, full, masked, exact }) => html`<tr>
              <th scope="row">${formatNumber(tokens)}</th>
              <td>${largeWords(full.cells / heads)}</td>
              <td>${exact ? "" : "≈ "}${largeWords(masked.cells / heads)}</td>
              <td>${shareWords(masked.cells / full.cells)}</td>
              <td>${memoryWords(full.weightBytes / heads)}</td>
              <td>${memoryWords(masked.weightBytes / heads)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      ${estimated ? html`<p class="small muted">${message("cost.estimated")}</p>` : nothing}`;
  }

  /** Table 1 of the paper with its numbers for the text on the page. */
  private renderPaper(
    costs: readonly AttentionCost[],
    present: number,
    width: number,
  ): TemplateResult | typeof nothing {
    const here = costs.find(({ tokens }) => tokens === present);
    if (!here) return nothing;
    return html`<table>
        <caption>${message("cost.paper", { tokens: formatNumber(here.tokens), size: formatNumber(width) })}</caption>
        <thead>
          <tr>
            <th scope="col">${message("cost.layer")}</th>
            <th scope="col">${message("cost.perLayer")}</th>
            <th scope="col">${message("cost.sequential")}</th>
            <th scope="col">${message("cost.path")}</th>
          </tr>
        </thead>
        <tbody>
          ${here.layers.map((layer) => {
            const formula = TABLE[layer.kind];
            const cell = (written: string, value: number): TemplateResult =>
              html`<td><span class="muted">${written === "1" ? "" : `${written} = `}</span>${largeWords(value)}</td>`;
            return html`<tr>
              <th scope="row">${message(`cost.kind.${layer.kind}`)}</th>
              ${cell(formula.operations, layer.operations)} ${cell(formula.sequential, layer.sequential)} ${cell(formula.path, layer.path)}
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="small muted">${message("cost.paperNote", { neighbours: formatNumber(here.masked.cells / here.heads / here.tokens, 1) })}</p>`;
  }

  private readonly choose = ({ detail }: CustomEvent<string>): void => {
    this.quantity = QUANTITIES.find((one) => one === detail) ?? this.quantity;
  };
}

/** A share of which something is left to be read however small it is. */
function shareWords(share: number): string {
  return formatPercent(share, share > 0 && share < 0.001 ? 4 : 1);
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-cost": HeadscopeMaskCost;
  }
}
