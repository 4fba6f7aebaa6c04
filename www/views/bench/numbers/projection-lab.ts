import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Operations, Projections } from "../../../data/index.js";
import { theLab, type Lab } from "../../../engine/index.js";
import { formatFixed, formatNumber, message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import "../../../ui/choice.js";
import { partStyles } from "../../../ui/base-styles.js";
import { renderFailed } from "../failed-words.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, PROJECTION_SIZES } from "../lab-table.js";
import { labStyles } from "./lab-styles.js";
import { measure, type ProjectionSize, type ProjectionTimes } from "./stopwatch.js";

/** The sizes of the first Transformer: 64 words of 512 numbers, 8 heads of 64. */
const PAPER: ProjectionSize = { words: 64, modelDim: 512, width: 512, nHeads: 8 };
const WAYS = ["split", "wide"] as const;

/** h small projections beside one wide one that is dealt out: the same numbers, the same operations, and the time of both. */
@customElement("headscope-projection-lab")
export class HeadscopeProjectionLab extends PagePart {
  static override styles = [partStyles, labStyles];

  /** What the engine found of the numbers on the bench. */
  @property({ attribute: false }) projections: Projections | null = null;
  /** Words, numbers of a word, width of the queries, heads. */
  @property({ attribute: false }) size: ProjectionSize = PAPER;
  @property({ attribute: false }) lab: () => Promise<Pick<Lab, "ask">> = theLab;

  @state() private at: (typeof PROJECTION_SIZES)[number] = "own";
  @state() private times: ProjectionTimes | null = null;
  @state() private measuring: AbortController | null = null;
  @state() private failure: unknown = null;
  protected readonly settings = new LabSettings(this, "projection", {
    at: setting(
      LAB_TABLE.projection.at,
      () => this.at,
      (at) => (this.at = at),
    ),
  });

  private get measured(): ProjectionSize {
    return this.at === "own" ? this.size : PAPER;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("size");
    // Another size has other times; the same size, told anew, has not.
    if (before && this.at === "own" && JSON.stringify(before) !== JSON.stringify(this.size))
      this.forget();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  override render(): TemplateResult {
    const { projections, at, times, measuring, failure } = this;
    const { words, modelDim, width, nHeads } = this.measured;
    const shape = { words, inner: modelDim, width, heads: nHeads, own: width / nHeads };
    return html`<section aria-labelledby="title">
      <h3 id="title">${message("numbers.projection.title")}</h3>
      <p class="note">${message("numbers.projection.note", shape)}</p>
      ${projections && at === "own" ? html`<p role="status">${message(projections.different === 0 ? "numbers.projection.same" : "numbers.projection.different", { count: projections.compared, different: projections.different })} <span class="muted">${message("numbers.projection.operations", { wide: formatNumber(total(projections.wide)), split: formatNumber(total(projections.split)) })}</span></p>` : nothing}
      <div class="line">
        <span>${message("numbers.projection.at")}
          <headscope-choice
            look="segments"
            .label=${message("numbers.projection.at")}
            .value=${at}
            .choices=${PROJECTION_SIZES.map((value) => ({ value, label: message(`numbers.projection.at.${value}`) }))}
            @headscope-choose=${(event: CustomEvent<string>) => this.choose(event.detail)}
          ></headscope-choice>
        </span>
        <button class="press" ?disabled=${measuring !== null} @click=${this.begin}>${message(measuring ? "measure.done" : "measure.go")}</button>
      </div>
      <div role="status">${failure === null ? nothing : renderFailed(failure)}${times ? this.renderTimes(times) : nothing}</div>
    </section>`;
  }

  private renderTimes({ ways, repeats, rounds, overlap }: ProjectionTimes): TemplateResult {
    return html`<div class="scroll"><table class="facts">
        <thead><tr><td></td><th scope="col">${message("numbers.projection.multiplications")}</th><th scope="col">${message("numbers.projection.additions")}</th><th scope="col">${message("numbers.projection.time")}</th></tr></thead>
        <tbody>
          ${WAYS.map((way) => {
            const { micros, operations } = ways[way];
            return html`<tr><th scope="row">${message(`numbers.projection.${way}`, { heads: this.measured.nHeads })}</th><td>${formatNumber(operations.multiplications)}</td><td>${formatNumber(operations.additions)}</td><td data-way=${way}>${timeText(micros)}</td></tr>`;
          })}
        </tbody>
      </table></div>
      <p class="small muted">${message("numbers.projection.measured", { rounds, repeats })} ${message(ways.wide.check === ways.split.check ? "numbers.projection.checked" : "numbers.projection.unchecked")} ${overlap ? message("numbers.projection.overlap") : nothing}</p>`;
  }

  private choose(at: string): void {
    this.at = at === "paper" ? "paper" : "own";
    this.forget();
  }

  private forget(): void {
    this.measuring?.abort();
    this.measuring = null;
    this.times = null;
    this.failure = null;
  }

  private readonly begin = (): void => {
    this.forget();
    const running = new AbortController();
    this.measuring = running;
    void this.take(running);
  };

  private async take(running: AbortController): Promise<void> {
    try {
      const times = await measure(await this.lab(), this.measured, undefined, running.signal);
      if (this.measuring === running) this.times = times;
    } catch (thrown) {
      if (this.measuring === running) this.failure = thrown;
    } finally {
      if (this.measuring === running) this.measuring = null;
    }
  }
}

/** In so many digits that no time is said to be none; a clock that does not show it says nothing. */
function timeText(micros: number): string {
  if (micros === 0) return "–";
  const digits = micros < 10 ? Math.min(8, Math.max(2, Math.ceil(-Math.log10(micros)) + 1)) : 0;
  return `${formatFixed(micros, digits)} µs`;
}

function total({ multiplications, additions }: Operations): number {
  return multiplications + additions;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-projection-lab": HeadscopeProjectionLab;
  }
}
