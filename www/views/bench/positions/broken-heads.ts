import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { formatValue } from "../../../draw/text.js";
import { formatFixed, formatNumber, message, type MessageKey } from "../../../i18n/index.js";
import type { Model, Run } from "../../../headscope.js";
import { NO_EDITS, type EditLists, type PlacedStack } from "../../../state/index.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { isCrash, isExpected } from "../../run/failures.js";
import { hasTokensOf } from "../../run/target-ids.js";
import { crashedWords, failedWords, renderFailed } from "../failed-words.js";
import type { Table } from "../../../export/provenance.js";
import "../saving/save-figure.js";
import { measure, type ChangedHead, type Measured, type Residue } from "./measured.js";

/** The largest divergence there is, in nats. */
const MOST = Math.LN2;
/** From here on a head is said to have changed: a tenth of what is possible. */
const BROKEN = MOST / 10;
/** What is left of rounding is this much smaller than what another order does under the model's own positions. */
const ROUNDING = 1e-4;

/** A run that the engine stopped over. */
interface Stopped extends Pick<Run, "tokens" | "targetTokens"> {
  run: Run;
}

/** Which heads another scheme or order of positions breaks, and what permuting the tokens does; measured when it is asked for. */
@customElement("headscope-broken-heads")
export class HeadscopeBrokenHeads extends PagePart {
  static override styles = [
    partStyles,
    css`
      :host {
        display: block;
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }

      ol {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(270px, 100%), 1fr));
        gap: 2px 24px;
        margin: 6px 0;
        padding: 0;
        list-style: none;
      }

      li button {
        display: flex;
        justify-content: space-between;
        gap: 12px;
        width: 100%;
        min-height: 28px;
        text-align: left;
        font-variant-numeric: tabular-nums;
      }

      p {
        margin: 4px 0;
      }
    `,
  ];

  @property({ attribute: false }) edits: EditLists = NO_EDITS;
  @property() stack: PlacedStack = "encoder";
  @property({ attribute: false }) model: Model | null = null;
  @property({ attribute: false }) run: Run | null = null;
  @property({ type: Number }) revision = 0;
  /** Whether more of the run is on its way: what is measured of half of it would be forgotten with the next word. */
  @property({ type: Boolean }) growing = false;

  @state() private measured: Measured | null = null;
  @state() private failed: unknown = null;
  @state() private working: AbortController | null = null;
  /** The run that the engine stopped over, and what it had read: another takes its place. */
  private stopped: Stopped | null = null;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const { run, model, stopped } = this;
    const asked = ["edits", "stack", "model"].some((name) => changed.has(name));
    if (!asked && stopped && model && (!run || hasTokensOf(upTo(stopped, run), run, model.info)))
      return;
    // What was measured was measured of another run.
    if (asked || changed.has("run") || changed.has("revision")) this.forget();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  override render(): TemplateResult {
    const { measured, working, failed } = this;
    const awaited = this.growing || (this.stopped !== null && this.stopped.run === this.run);
    return html`<h3>${message("at.heads")}</h3>
      <p class="small muted">${message("at.permuted.hint")}</p>
      <button id="measure" ?disabled=${working !== null || awaited} @click=${this.measure}>${message(working ? "at.measuring" : "at.measure")}</button>
      <div role="status">
        ${failed === null ? nothing : html`<p>${renderFailed(failed, isCrash(failed) ? crashedWords(failed, false) : message("at.failed", { sentence: failedWords(failed) }))}</p>`} ${measured ? this.renderMeasured(measured) : nothing}
      </div>`;
  }

  private renderMeasured({ heads, residue, own }: Measured): TemplateResult {
    const isSame = residue.row <= (own?.row ?? 0) * ROUNDING;
    const said = message(isSame ? "at.permuted.same" : "at.permuted.other", numbersOf(residue));
    return html`<p data-residue=${residue.row} data-number=${residue.number}>${said} ${own ? html`<span data-own=${own.row} data-own-number=${own.number}>${message("at.permuted.own", numbersOf(own))}</span>` : nothing} ${!isSame && this.stack === "decoder" ? message("at.permuted.causal") : nothing}</p>
      ${heads === null ? html`<p class="small muted">${message("at.heads.none")}</p>` : this.renderHeads(heads)}`;
  }

  private renderHeads(heads: readonly ChangedHead[]): TemplateResult {
    const broken = heads.filter(({ divergence }) => divergence > BROKEN);
    const whole = heads.slice(broken.length);
    const numbers = {
      most: formatFixed(MOST),
      count: formatNumber(heads.length),
      broken: formatNumber(broken.length),
      threshold: formatFixed(BROKEN),
    };
    return html`<p class="small muted">${message("at.heads.hint", numbers)}</p>
      <headscope-save-figure name="broken-heads" .heading=${message("at.heads")} .table=${tableOf(heads)}>${broken.length > 0 ? this.renderList(broken, "at.heads.broken") : nothing}
        ${whole.length > 0 ? html`<details ?open=${broken.length === 0}><summary>${message("at.heads.whole", { count: whole.length })}</summary>${this.renderList(whole, "at.heads.others")}</details>` : nothing}</headscope-save-figure>`;
  }

  private renderList(heads: readonly ChangedHead[], name: MessageKey): TemplateResult {
    return html`<ol aria-label=${message(name)}>
      ${heads.map(
        ({ stack, layer, head, divergence }) => html`<li>
          <button @click=${() => patch(this, { stack, layer, head })}>
            <span>${message(`stack.${stack}`)} · ${message("at.heads.head", { layer: layer + 1, head: head + 1 })}</span>
            <span data-divergence=${divergence}>${formatFixed(divergence)}</span>
          </button>
        </li>`,
      )}
    </ol>`;
  }

  private forget(): void {
    this.working?.abort();
    this.working = null;
    this.measured = null;
    this.failed = null;
    this.stopped = null;
  }

  private readonly measure = async (): Promise<void> => {
    const { model, run, edits, stack } = this;
    if (!model || !run) return;
    this.forget();
    const working = new AbortController();
    this.working = working;
    try {
      const measured = await measure(model, run, edits, stack, working.signal);
      if (this.working === working) this.measured = measured;
    } catch (error) {
      // Where a newer run has taken its place, that one can be measured.
      if (isCrash(error)) this.stop(error, working, run);
      else if (this.working === working && !isExpected(error)) this.failed = error;
    } finally {
      if (this.working === working) this.working = null;
    }
  };

  /** The page may have let the lost run go before this hears of it; only a newer measuring has nothing to do with it. */
  private stop(crash: unknown, working: AbortController, run: Run): void {
    if (this.working && this.working !== working) return;
    this.failed = crash;
    this.stopped = { run, tokens: [...run.tokens], targetTokens: [...run.targetTokens] };
  }
}

function numbersOf({ number, row }: Residue): { number: string; row: string } {
  return { number: formatValue(number), row: formatValue(row) };
}

/** As much of what was read as has been written again by now. */
function upTo({ tokens, targetTokens }: Stopped, run: Run): Pick<Run, "tokens" | "targetTokens"> {
  return { tokens, targetTokens: targetTokens.slice(0, run.targetTokens.length) };
}

/** All of them, not only those that are listed. */
function tableOf(heads: readonly ChangedHead[]): Table {
  return {
    columns: [
      "stack",
      message("ranking.layer"),
      message("ranking.head"),
      message("saving.divergence"),
    ],
    rows: heads.map(({ stack, layer, head, divergence }) => [
      stack,
      layer + 1,
      head + 1,
      divergence,
    ]),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-broken-heads": HeadscopeBrokenHeads;
  }
}
