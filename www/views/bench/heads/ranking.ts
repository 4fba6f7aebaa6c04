import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { isolated, type Cell, type HeadRef, type Stack, type Tensor } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { formatSigned } from "../../../elements/matrices.js";
import { Memo } from "../../../elements/shared/controllers.js";
import { styled, tokenLabel } from "../../../elements/shared/templates.js";
import { message } from "../../../i18n/index.js";
import { fittingEdits } from "../../../state/index.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles, progressStyles } from "../../../ui/base-styles.js";
import { isCrash, isExpected } from "../../run/failures.js";
import { limitsOf, stacksOf } from "../../run/selection.js";
import { crashedWords, renderFailed } from "../failed-words.js";
import { placeIn } from "../lab-values.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE } from "../lab-table.js";
import { saysMore, type OnBench } from "../on-bench.js";
import { ruleStyles } from "../rule-styles.js";
import type { Table } from "../../../export/provenance.js";
import { keepRegion } from "../saving/figure-numbers.js";
import "../saving/save-figure.js";
import {
  askable,
  headsInTurn,
  measureEffects,
  ranked,
  type Asked,
  type Effect,
} from "./effects.js";
import { isOfThese, subjectOf, type Subject } from "./ranked-subject.js";

const LISTED = 12;
const MAP_HEIGHT = 220;
/** Results come faster than anybody reads. */
const BETWEEN_RENDERS_MILLIS = 120;

/** All heads by what they do for a chosen word: the sentence is run once more without each of them. */
@customElement("headscope-head-ranking")
export class HeadscopeHeadRanking extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    progressStyles,
    css`
      .results {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        gap: 12px 40px;
        margin-top: 12px;
      }

      ol {
        display: grid;
        grid-template-columns: max-content minmax(40px, 1fr) max-content;
        align-content: start;
        gap: 2px 12px;
        margin: 0;
        padding: 0;
        list-style: none;
        font-variant-numeric: tabular-nums;
      }

      li,
      li button {
        display: grid;
        grid-column: 1 / -1;
        grid-template-columns: subgrid;
        align-items: center;
        text-align: left;
      }

      .track i {
        display: block;
        height: 8px;
        min-width: 1px;
        border-radius: 1px;
        background: var(--headscope-bar);
      }

      .go {
        color: var(--headscope-accent);
      }

      @container (max-width: 820px) {
        .results {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  @property({ attribute: false, hasChanged: saysMore }) on!: OnBench;
  @state() private word = 0;
  @state() private effects: readonly Effect[] = [];
  @state() private running: AbortController | null = null;
  @state() private failed: unknown = null;
  /** What the effects are about, of other words or edits they are none; and the run that they are measured of, which may be computed anew. */
  private about: (Subject & { asked: Asked; run: unknown; revision: number }) | null = null;
  protected readonly settings = new LabSettings(
    this,
    "effect",
    {
      word: setting(
        LAB_TABLE.effect.word,
        () => this.word,
        (word) => (this.word = word),
      ),
    },
    () => this.on.run !== null && !this.on.growing,
  );
  /** Results come faster than they are rendered. */
  private found: Effect[] = [];
  private rendered = 0;
  private readonly mapped = new Memo<Tensor>();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override willUpdate(): void {
    const { run, revision, model } = this.on;
    if (run && model && this.settings.arriving)
      this.word = Math.max(0, placeIn(askable(run, model.info).length, this.word));
    if (!this.about) return;
    if (this.about.run !== run || this.about.revision !== revision) this.stop();
    if (isOfThese(this.about, this.on, this.word)) return;
    this.stop();
    this.about = null;
    this.effects = [];
    this.failed = null;
  }

  override render(): TemplateResult | typeof nothing {
    const { run, model } = this.on;
    if (!run || !model) return nothing;
    const words = askable(run, model.info);
    const asked = words[Math.min(this.word, words.length - 1)];
    if (!asked) return html`<p class="muted">${message("ranking.noWord")}</p>`;
    const all = headsInTurn(model.info).length;
    const done = this.effects.length;
    return html`<div class="line">
        <label
          >${message(asked.kind === "share" ? "ranking.word" : "ranking.state")}
          <select aria-label=${message("ranking.choose")} @change=${this.choose}>
            ${words.map(({ token }, index) => html`<option value=${index} .selected=${index === Math.min(this.word, words.length - 1)}>${index + 1} · ${isolated(tokenLabel(token))}</option>`)}
          </select>
        </label>
        ${
          this.running
            ? html`<progress max=${all} .value=${done} aria-label=${message("ranking.progress")}></progress>
              <span class="numbers small">${message("ranking.done", { done, all })}</span>
              <button @click=${this.stop}>${message("ranking.stop")}</button>`
            : this.renderGo(asked, all)
        }
      </div>
      <p class="small muted">${message(asked.kind === "share" ? "ranking.shareHint" : "ranking.stateHint")}</p>
      ${this.failed === null ? nothing : html`<p class="small" role="status">${renderFailed(this.failed, isCrash(this.failed) ? crashedWords(this.failed, done > 0) : message("ranking.failed"))}</p>`}
      ${done > 0 ? this.renderResults(this.about?.asked ?? asked) : nothing}`;
  }

  /** What was stopped halfway goes on where it was; the same once more would come to the same. */
  private renderGo(asked: Asked, all: number): TemplateResult {
    const done = this.effects.length;
    const begun = done > 0 && done < all;
    // Nothing can be asked of a run that was lost, and what is written once more is not yet what was measured.
    const lost = isCrash(this.failed) && this.about?.run === this.on.run;
    return html`<button class="go" ?disabled=${lost || (begun && this.on.growing)} @click=${() => void this.measure(asked)}>${message(begun ? "ranking.goOn" : "ranking.go", { count: all - (begun ? done : 0) })}</button>
      ${begun ? html`<span class="numbers small">${message("ranking.done", { done, all })}</span>` : nothing}`;
  }

  private renderResults(asked: Asked): TemplateResult {
    const signed = asked.kind === "share";
    const list = ranked(this.effects).slice(0, LISTED);
    const most = Math.abs(list[0]?.value ?? 0);
    const [rows, heads] = this.rows;
    const tensor = this.mapped.get([this.effects], () => mapOf(this.effects, rows, heads));
    const values = message(signed ? "ranking.share" : "ranking.moved");
    const heading = message("ranking.list");
    const details = [`${message(signed ? "ranking.word" : "ranking.state")}: ${asked.token.text}`];
    return html`<headscope-save-figure name=${`heads-by-effect ${asked.position + 1} ${asked.token.text}`} .heading=${heading} .details=${details} .table=${tableOf(this.effects, values)}><div class="results">
      <ol aria-label=${message("ranking.list")}>
        ${list.map(
          ({ head, value }) => html`<li>
            <button @click=${() => this.focusHead(head)}>
              <span>${nameOf(head)}</span>
              <span class="track" aria-hidden="true"><i style=${styled({ width: `${most > 0 ? (Math.abs(value) / most) * 100 : 0}%` })}></i></span>
              <span>${signed ? formatSigned(value) : formatValue(value)}</span>
            </button>
          </li>`,
        )}
      </ol>
      <headscope-numbers
        .tensor=${tensor}
        .rowNames=${rows.map(({ stack, layer }) => message("ranking.row", { stack: message(`stack.${stack}`), layer: layer + 1 }))}
        .columnNames=${Array.from({ length: heads }, (_, head) => `${head + 1}`)}
        .titles=${{ rows: message("ranking.layer"), columns: message("ranking.head"), values }}
        .signed=${signed}
        .comfortableHeight=${MAP_HEIGHT}
        @headscope-cell-hover=${stop}
        @headscope-cell-toggle=${stop}
        @headscope-region-change=${keepRegion}
        @headscope-cell-lock=${(event: CustomEvent<Cell | null>) => this.chooseCell(event, rows)}
      ></headscope-numbers>
    </div></headscope-save-figure>`;
  }

  /** The layers of all stacks one below the other, and how many heads the widest has. */
  private get rows(): [{ stack: Stack; layer: number }[], number] {
    const info = this.on.model?.info;
    if (!info) return [[], 0];
    const stacks = stacksOf(info);
    const rows = stacks.flatMap((stack) =>
      Array.from({ length: info.stacks[stack]?.layers ?? 0 }, (_, layer) => ({ stack, layer })),
    );
    return [rows, Math.max(...stacks.map((stack) => info.stacks[stack]?.heads ?? 0))];
  }

  private async measure(asked: Asked): Promise<void> {
    const { model, run, revision, edits } = this.on;
    if (!model || !run) return;
    this.stop();
    const heads = headsInTurn(model.info);
    const running = new AbortController();
    const effects = this.effects.length < heads.length ? [...this.effects] : [];
    const known = new Set(effects.map(({ head }) => nameOf(head)));
    this.running = running;
    this.failed = null;
    this.found = effects;
    this.effects = [...effects];
    this.about = { ...subjectOf(this.on, model, run, this.word), asked, run, revision };
    const tell = (effect: Effect): void => {
      effects.push(effect);
      if (this.running !== running || performance.now() - this.rendered < BETWEEN_RENDERS_MILLIS)
        return;
      this.rendered = performance.now();
      this.effects = [...effects];
    };
    try {
      const fitting = fittingEdits(
        edits,
        limitsOf(model.info, run.tokens.length, run.targetTokens.length),
      );
      const missing = heads.filter((head) => !known.has(nameOf(head)));
      await measureEffects({ model, run, edits: fitting }, asked, missing, {
        signal: running.signal,
        tell,
      });
    } catch (thrown) {
      if (this.running === running && (isCrash(thrown) || !isExpected(thrown)))
        this.failed = thrown;
    }
    if (this.running !== running) return;
    this.effects = effects;
    this.running = null;
  }

  /** What was measured until then stays. */
  private readonly stop = (): void => {
    if (!this.running) return;
    this.running.abort();
    this.running = null;
    this.effects = [...this.found];
  };

  private readonly choose = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) this.word = Number(target.value);
  };

  private chooseCell(
    event: CustomEvent<Cell | null>,
    rows: readonly { stack: Stack; layer: number }[],
  ): void {
    event.stopPropagation();
    const row = event.detail ? rows[event.detail.query] : undefined;
    const heads = row && (this.on.model?.info.stacks[row.stack]?.heads ?? 0);
    if (row && event.detail && heads !== undefined && event.detail.key < heads)
      this.focusHead({ ...row, head: event.detail.key });
  }

  private focusHead({ stack, layer, head }: HeadRef): void {
    patch(this, { stack, layer, head });
  }
}

/** `[layer of a stack, head]`; NaN where there is no head, or nothing was measured yet. */
function mapOf(
  effects: readonly Effect[],
  rows: readonly { stack: Stack; layer: number }[],
  heads: number,
): Tensor {
  const data = new Float32Array(rows.length * heads).fill(NaN);
  for (const { head, value } of effects) {
    const row = rows.findIndex(({ stack, layer }) => stack === head.stack && layer === head.layer);
    data[row * heads + head.head] = value;
  }
  return { data, shape: [rows.length, heads], axes: ["layer", "head"] };
}

/** Every head that was measured, the one that counts most first. */
function tableOf(effects: readonly Effect[], values: string): Table {
  const columns = [
    message("ranking.stack"),
    message("ranking.layer"),
    message("ranking.head"),
    values,
  ];
  return {
    columns,
    rows: ranked(effects).map(({ head: { stack, layer, head }, value }) => [
      message(`stack.${stack}`),
      layer + 1,
      head + 1,
      value,
    ]),
  };
}

function nameOf({ stack, layer, head }: HeadRef): string {
  return message("edits.head", {
    stack: message(`stack.${stack}`),
    layer: layer + 1,
    head: head + 1,
  });
}

function stop(event: Event): void {
  event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-head-ranking": HeadscopeHeadRanking;
  }
}
