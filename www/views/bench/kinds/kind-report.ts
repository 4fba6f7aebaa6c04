import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { DropoutMean, HeadCost, HeadRef, Tensor } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import "../../../elements/matrices.js";
import { tokenLabels } from "../../../elements/shared/templates.js";
import type { Run } from "../../../headscope.js";
import { formatNumber, formatPercent, message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { firstFailure } from "../../run/failures.js";
import { Loader } from "../../run/loader.js";
import { renderFailed } from "../failed-words.js";
import type { Table } from "../../../export/provenance.js";
import { keepRegion } from "../saving/figure-numbers.js";
import "../saving/save-figure.js";

/** Draws whose mean is shown. */
const DRAWS = 1000;
/** A mean of more cells would take seconds. */
const MOST_CELLS = 60_000;
/** Below this a number is what f32 leaves of sums in another order. */
const ROUNDING = 1e-6;

/** All that is shown, with what it is of: until the next is read, that may be another head than the one looked at. */
interface Found {
  head: HeadRef;
  cost: HeadCost;
  /** Null where nothing is dropped, or where the text is too long. */
  dropped: DropoutMean | null;
  /** Labels of the queries and of the keys. */
  rows: readonly string[];
  columns: readonly string[];
  shape: readonly [number, number];
}

/** What the attention of the head that is looked at takes, beside exact attention, and how far it is from that. */
@customElement("headscope-kind-report")
export class HeadscopeKindReport extends PagePart {
  static override styles = [
    partStyles,
    css`
      :host {
        display: block;
      }

      table {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }

      th,
      td {
        padding: 4px 20px 4px 0;
        text-align: right;
        font-weight: 400;
      }

      thead th {
        color: var(--headscope-muted);
      }

      tbody th {
        text-align: left;
      }

      h3 {
        margin: 12px 0 4px;
        font-size: 14px;
        font-weight: 600;
      }

      .pictures {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(240px, 1fr));
        gap: 16px;
        margin-top: 12px;
      }

      figure {
        margin: 0;
        min-width: 0;
      }
    `,
  ];

  @property({ attribute: false }) run: Run | null = null;
  @property({ attribute: false }) head: HeadRef | null = null;
  /** Of the run, which stays the same object while it grows. */
  @property({ type: Number }) revision = 0;
  /** Whether the run is still being written: the thousand draws are for what stays. */
  @property({ type: Boolean }) growing = false;

  /** Whether the edits drop weights of this head. */
  @property({ type: Boolean }) drops = false;

  private readonly found = new Loader<Found>(() => this.requestUpdate());

  protected override willUpdate(): void {
    const { run, head, revision, growing } = this;
    if (!run || !head) this.found.clear();
    else if (!growing)
      this.found.want(`${revision} ${head.stack} ${head.layer} ${head.head}`, () =>
        readReport(run, head),
      );
  }

  override render(): TemplateResult | typeof nothing {
    const found = this.found.value;
    const failure = firstFailure([this.found]);
    if (failure !== null)
      return html`<p class="muted" role="status">${renderFailed(failure, message("kindReport.notRead"))}</p>`;
    if (!found) return nothing;
    const { cost, head } = found;
    const place = {
      layer: head.layer + 1,
      head: head.head + 1,
      kind: message(`kind.${cost.kind}`),
    };
    return html`<h3>${message("kindReport.title", place)}</h3>
      ${cost.untrained ? html`<p class="small"><b>${message("kindReport.untrained")}</b></p>` : nothing}
      ${cost.implied ? html`<p class="small muted">${message(`kindReport.implied.${impliedBy(cost)}`)}</p>` : nothing}
      <headscope-save-figure name="cost-of-kind" .heading=${message("kindReport.title", place)} .of=${head} .table=${costTable(cost)} .stale=${this.stale}><table>
        <thead>
          <tr>
            <td></td>
            <th scope="col">${message("kindReport.here")}</th>
            <th scope="col">${message("kindReport.exact")}</th>
            <th scope="col">${message("kindReport.ratio")}</th>
          </tr>
        </thead>
        <tbody>
          ${this.renderCounts("operations", cost.operations, cost.exactOperations)} ${this.renderCounts("bytes", cost.bytes, cost.exactBytes)}
        </tbody>
      </table></headscope-save-figure>
      ${isExact(cost) ? nothing : html`<p class="numbers small" role="status">${message("kindReport.pattern", departure(cost.pattern))} ${message("kindReport.output", departure(cost.output))}</p>`}
      <p class="small muted">${message("kindReport.counted")} ${isExact(cost) ? nothing : message("kindReport.inAll")}</p>
      ${found.dropped ? this.renderDropped(found.dropped, found) : this.drops ? renderTooLong(found) : nothing}`;
  }

  private get stale(): boolean {
    return this.growing || this.found.stale;
  }

  private renderCounts(what: "operations" | "bytes", here: number, exact: number): TemplateResult {
    return html`<tr data-count=${what}>
      <th scope="row">${message(`kindReport.${what}`)}</th>
      <td>${formatNumber(here)}</td>
      <td>${formatNumber(exact)}</td>
      <td>${exact > 0 ? formatPercent(here / exact) : "–"}</td>
    </tr>`;
  }

  private renderDropped(dropped: DropoutMean, found: Found): TemplateResult {
    const [queries, keys] = found.shape;
    const { undropped, mean, kept, draws } = dropped;
    const own = undropped.map((weight, at) => (kept[at] === 0 ? NaN : weight * (kept[at] ?? 1)));
    const furthest = mean.reduce(
      (largest, value, at) => Math.max(largest, Math.abs(value - (undropped[at] ?? 0))),
      0,
    );
    const sums = rowSums(own, queries);
    // The sum first: a long token gives way to it.
    const rowNames = (of: readonly number[]): string[] =>
      of.map((sum, query) => `${formatValue(sum)} · ${found.rows[query] ?? ""}`);
    const picture = (values: readonly number[], title: string): TemplateResult =>
      html`<figure>
        <headscope-numbers
          .tensor=${tensorOf(values, queries, keys)}
          .rowNames=${rowNames(rowSums(values, queries))}
          .columnNames=${found.columns}
          .titles=${{ rows: message("kindReport.rows"), columns: message("kindReport.columns"), values: title }}
          .comfortableHeight=${220}
          @headscope-region-change=${keepRegion}
        ></headscope-numbers>
      </figure>`;
    return html`<h3>${message("kindReport.dropout")}</h3>
      <p class="small muted">${message("kindReport.dropoutHint")}</p>
      <p class="numbers small" role="status" data-mean>${message("kindReport.mean", { draws: formatNumber(draws), furthest: formatValue(furthest), least: formatValue(Math.min(...sums)), most: formatValue(Math.max(...sums)) })}</p>
      <headscope-save-figure name="dropout" .heading=${message("kindReport.dropout")} .of=${found.head} .stale=${this.stale}><div class="pictures">
        ${picture(own, message("kindReport.thisDraw"))} ${picture(mean, message("kindReport.meanOf", { draws: formatNumber(draws) }))} ${picture(undropped, message("kindReport.undropped"))}
      </div></headscope-save-figure>`;
  }
}

/** What a row adds up to; what was dropped adds nothing. */
function rowSums(values: readonly number[], rows: number): number[] {
  const keys = values.length / rows;
  return Array.from({ length: rows }, (_, row) =>
    values
      .slice(row * keys, (row + 1) * keys)
      .reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0),
  );
}

function renderTooLong({ shape: [queries, keys] }: Found): TemplateResult | typeof nothing {
  const cells = queries * keys;
  if (cells <= MOST_CELLS) return nothing;
  return html`<h3>${message("kindReport.dropout")}</h3>
    <p class="small muted" role="status">${message("kindReport.tooLong", { draws: formatNumber(DRAWS), most: formatNumber(MOST_CELLS), cells: formatNumber(cells) })}</p>`;
}

/** What its pattern comes from in place of a softmax over its keys. */
function impliedBy({ kind }: HeadCost): "features" | "rank" | "segments" {
  if (kind === "low-rank") return "rank";
  return kind === "linformer" ? "segments" : "features";
}

/** Whether there is nothing to be compared with exact attention: it is that. */
function isExact({ kind, pattern, output }: HeadCost): boolean {
  return kind === "softmax" && pattern.largest < ROUNDING && output.largest < ROUNDING;
}

/** What is counted, and how far it is from exact attention. */
function costTable({
  operations,
  exactOperations,
  bytes,
  exactBytes,
  pattern,
  output,
}: HeadCost): Table {
  return {
    columns: ["", message("kindReport.here"), message("kindReport.exact")],
    rows: [
      [message("kindReport.operations"), operations, exactOperations],
      [message("kindReport.bytes"), bytes, exactBytes],
      [message("saving.weightsApart"), pattern.largest, 0],
      [message("saving.outputApart"), output.largest, 0],
    ],
  };
}

async function readReport(run: Run, head: HeadRef): Promise<Found> {
  const target = tokenLabels(run.targetTokens.length > 0 ? run.targetTokens : run.tokens);
  const source = tokenLabels(run.tokens);
  const [cost, { shape }] = await Promise.all([run.headCost(head), run.mask(head)]);
  const [queries = 0, keys = 0] = shape;
  const dropped =
    queries * keys <= MOST_CELLS ? await run.dropoutMean({ ...head, draws: DRAWS }) : null;
  return {
    head,
    cost,
    dropped: dropped && dropped.draws > 0 ? dropped : null,
    rows: head.stack === "encoder" ? source : target,
    columns: head.stack === "decoder" ? target : source,
    shape: [queries, keys],
  };
}

function departure({ largest, relative }: HeadCost["pattern"]): {
  largest: string;
  relative: string;
} {
  return {
    largest: largest < ROUNDING ? message("kindReport.rounding") : formatValue(largest),
    relative: relative === null ? "–" : formatPercent(relative),
  };
}

function tensorOf(values: readonly number[], queries: number, keys: number): Tensor {
  return { data: Float32Array.from(values), shape: [queries, keys], axes: ["query", "key"] };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-kind-report": HeadscopeKindReport;
  }
}
