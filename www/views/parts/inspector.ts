import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { type Architecture, type Cell, isForbidden, type Spectrum } from "../../data/index.js";
import { valueAt } from "../../draw/layout.js";
import { formatValue } from "../../draw/text.js";
import "../../elements/bars.js";
import { labelAt, predictionLabel, tokenLabel } from "../../elements/shared/templates.js";
import { HELD, type SingularList } from "../../elements/spectrum.js";
import { formatFixed, formatList, formatPercent, message } from "../../i18n/index.js";
import { derived } from "../../signals.js";
import { LOOKINGS, type Picked, POOLS } from "../../state/index.js";
import {
  type DisplayedPattern,
  type HeadFigures,
  placeIn,
  rowOf,
  withoutName,
} from "../run/head.js";
import { type Expectation } from "../run/readings.js";
import { namedSpectra, topKeys, topKeysTitle } from "../run/head-words.js";
import { SessionPart } from "../session.js";
import { choiceOf } from "./controls.js";
import "./embed-buttons.js";

const PREDICTION_HINTS = {
  "encoder-decoder": "inspect.nextHint",
  encoder: "fill.hint",
  decoder: null,
} as const satisfies Record<Architecture, string | null>;

/** The least share that is printed as a number. */
const LEAST_SHARE = 0.001;
const MAX_ITEMS = 8;

const EMBEDDED = [["spectrum", "embed.copySpectrum"]] as const;

const inspectorStyles = css`
  /* Below the picture a number must not be a page away from its name. */
  section {
    max-width: 560px;
  }
  .together headscope-choice {
    font-size: 12px;
    --headscope-segment: 1px 10px;
  }
  section > * + *,
  dl + .small {
    margin-top: 8px;
  }
  .measures h3 {
    margin-top: 16px;
  }
  .charts {
    max-width: 480px;
    min-height: 128px;
  }
  .empty {
    padding: 0;
    text-align: left;
  }
`;

/**
 * The pair under the pointer, each number of which is one cell of a tensor of the run; where several tokens attend
 * together; the query's strongest keys; what the model predicts; and the measures of the head.
 */
@customElement("headscope-inspector")
export class HeadscopeInspector extends SessionPart {
  static override styles = inspectorStyles;

  override render(): TemplateResult {
    const { figures, focused, displayed, pairs, pointing } = this.session;
    const place = displayed && placeIn(displayed, focused);
    const title = message(pointing.hover.cell ? "inspect.title" : "inspect.pair");
    return html`
      ${this.renderTogether()}
      <section class="ruled" aria-label=${title}>
        <h2>${title}</h2>
        ${figures && focused ? this.renderPair(figures, focused, displayed, place) : html`<p class="muted">${message(figures ? "inspect.empty" : "figure.empty")}</p>`}
      </section>
      ${pairs?.changes ? html`<section class="ruled"><headscope-edit-changes></headscope-edit-changes></section>` : nothing}
      ${displayed && place ? html`<section class="ruled"><headscope-bars .heading=${topKeysTitle(displayed)} .max=${1} .items=${topKeys(displayed, place.query)}></headscope-bars></section>` : nothing}
      ${
        figures
          ? html`<section class="predictions ruled">${this.renderPredictions()}</section>
            <section class="measures ruled">${this.renderMeasures()}</section>`
          : nothing
      }
    `;
  }

  /** What several tokens attend to together, or what attends to them. */
  private renderTogether(): TemplateResult | typeof nothing {
    const { together } = this.session;
    if (!together) return nothing;
    const { picked, pool, looking, bothWays, items, most } = together;
    const positive = items.filter(({ value }) => value > 0);
    const bars = (positive.length > 0 ? positive : items)
      .toSorted((one, other) => other.value - one.value)
      .slice(0, MAX_ITEMS)
      .map(({ token, value }) => ({ label: tokenLabel(token), value, text: formatFixed(value) }));
    return html`<section class="together">
      <header class="inline ends">
        <h2>${message("together.title")}</h2>
        <button class="act small" @click=${() => this.session.update({ picked: null })}>${message("together.release")}</button>
      </header>
      <p class="picked serif"><bdi>${formatList(picked.map(tokenLabel))}</bdi></p>
      <div class="inline ends">
        ${
          bothWays
            ? choiceOf(
                "together.looking",
                LOOKINGS,
                looking,
                (value) => message(`together.${value}`),
                (chosen) => this.pick({ looking: chosen }),
              )
            : html`<span class="small muted">${message(`together.${looking}`)}</span>`
        }
        ${choiceOf(
          "together.pool",
          POOLS,
          pool,
          (value) => message(`together.${value}`),
          (chosen) => this.pick({ pool: chosen }),
          "segments",
        )}
      </div>
      <headscope-bars .max=${most} .items=${bars}></headscope-bars>
      ${items.length > bars.length ? html`<p class="small muted">${message("together.more", { count: bars.length, all: items.length })}</p>` : nothing}
    </section>`;
  }

  private pick(change: Partial<Picked>): void {
    const { together } = this.session;
    if (together) this.session.update({ picked: { ...together.selection, ...change } });
  }

  /** The run's numbers of two tokens, and the weight as the picture shows it where that is another. */
  private renderPair(
    figures: HeadFigures,
    cell: Cell,
    displayed: DisplayedPattern | null,
    place: Cell | null,
  ): TemplateResult {
    if (!displayed || !place) return this.renderTokens(figures, cell, false);
    const queries = displayed.rows[place.query]?.length ?? 0;
    const keys = displayed.columns[place.key]?.length ?? 0;
    const joined = queries * keys > 1;
    const own = this.renderTokens(figures, cell, joined);
    if (!joined && displayed.without === null) return own;
    const shown = html`<dl class="shown">
        <dt>${displayed.without === null ? message("pieces.weight") : message("pieces.without", { token: withoutName(displayed) })}</dt>
        <dd class="result" data-stage="shown">${formatFixed(valueAt(displayed.weights, place))}</dd>
      </dl>`;
    if (!joined) return html`${own}${shown}`;
    return html`${pairTitle(labelAt(displayed.queries, place.query), labelAt(displayed.keys, place.key))}${shown}
      <p class="small muted">${message("pieces.of", { queries, keys })}</p>
      ${own}`;
  }

  /** `ofPieces`: of two tokens that stand for words, under a smaller title. */
  private renderTokens(
    { stages, mask, dropped, fullyMasked, queries, keys }: HeadFigures,
    cell: Cell,
    ofPieces: boolean,
  ): TemplateResult {
    const query = labelAt(queries, cell.query);
    const key = labelAt(keys, cell.key);
    const row = rowOf(stages.masked, cell.query);
    // Where all is masked by −1e9 and not by −∞, softmax is over all keys.
    const count = row.filter((value) => !isForbidden(value)).length || row.length;
    const { unusual, size } = this.session;
    const fact = (stage: "raw" | "scores" | "weights", usual: string, more = ""): TemplateResult =>
      html`<dt>${unusual.includes(stage) ? message(`stage.${stage}`) : usual}</dt>
        <dd class=${stage === "weights" ? "result" : ""} data-stage=${stage}>${formatFixed(valueAt(stages[stage], cell))}${more}</dd>`;
    const isDropped = dropped && valueAt(dropped, cell) === 1;
    return html`
      ${ofPieces ? html`<p class="small muted">${message("pieces.model", { query, key })}</p>` : pairTitle(query, key)}
      <dl>
        ${fact("raw", message("inspect.raw"))}
        ${fact("scores", message("inspect.scaled", { size: size?.headDim ?? 0 }))}
        <dt>${message("inspect.mask")}</dt>
        <dd data-stage="mask">${valueAt(mask, cell) === 0 ? "+ 0" : formatFixed(valueAt(mask, cell), 0)}</dd>
        ${fact("weights", message("inspect.softmax", { count }), isDropped ? ` · ${message("figure.droppedCell")}` : "")}
      </dl>
      ${fullyMasked.includes(cell.query) ? html`<p class="small muted">${message("inspect.rowMasked")}</p>` : nothing}
    `;
  }

  /** What the model predicts at one place: after a token, or in place of a masked one. */
  private renderPredictions(): TemplateResult | typeof nothing {
    const { info, expectation } = this.session;
    if (!info) return nothing;
    if (!info.predicts) return note(message("inspect.nextNone"));
    if (!expectation) {
      const hint = PREDICTION_HINTS[info.architecture];
      const masks = info.architecture !== "encoder" || info.maskToken !== null;
      return hint && masks ? note(message(hint)) : nothing;
    }
    const { at, predictions, truth }: Expectation = expectation;
    const token = tokenLabel(at);
    const items = predictions.map((one) => ({
      label: predictionLabel(one, at, info),
      value: one.probability,
      text: formatPercent(one.probability),
      marked: one.id === truth?.id,
    }));
    return html`<headscope-bars .heading=${message(truth ? "fill.title" : "inspect.next", { token })} .max=${1} .items=${items}></headscope-bars>
      ${truth ? note(message("fill.true", { token, share: sharePercent(truth.probability) })) : nothing}`;
  }

  /** How far a head's weights spread and reach on the present text, and the singular values of its patterns. */
  private renderMeasures(): TemplateResult {
    const { measured, spectrum } = this.session;
    return html`<h2>${message("measures.title")}</h2>
      ${
        measured
          ? html`<dl>
            <dt>${message("measures.entropy")}</dt>
            <dd data-measure="entropy">${entropyWords(measured.entropy)}</dd>
            <dt>${message("measures.distance")}</dt>
            <dd data-measure="distance">${distanceWords(measured.distance, measured.entropy)}</dd>
          </dl>`
          : nothing
      }
      <h3>${message("spectrum.title")}</h3>
      ${
        spectrum === "too-long"
          ? note(message("error.selection/too-large"))
          : html`<div class="charts">${spectrum ? html`<headscope-spectrum .lists=${this.lists}></headscope-spectrum>` : note(message("spectrum.working"))}</div>
            ${spectrum ? this.renderSpectrum(spectrum) : nothing}`
      }`;
  }

  @derived private get lists(): SingularList[] {
    const { spectrum, unusual } = this.session;
    return spectrum && spectrum !== "too-long" ? namedSpectra(spectrum, unusual) : [];
  }

  private renderSpectrum({ scores, weights }: Spectrum): TemplateResult {
    const { state } = this.session;
    const columns = ["spectrum.index", "stage.scores", "stage.weights"] as const;
    const rows = Math.max(scores.values.length, weights.values.length);
    return html`<p class="small muted">${message("spectrum.hint", { share: formatPercent(HELD, 0) })}</p>
      <headscope-embed-buttons class="small muted" .shown=${state} .kinds=${EMBEDDED} link></headscope-embed-buttons>
      <details class="small">
        <summary>${message("spectrum.table")}</summary>
        <div class="scroll" role="region" tabindex="0" aria-label=${message("spectrum.table")}>
          <table>
            <thead><tr>${columns.map((column) => html`<th scope="col">${message(column)}</th>`)}</tr></thead>
            <tbody>
              ${[...Array(rows).keys()].map((index) => html`<tr><th scope="row">${index + 1}</th>${[scores, weights].map(({ values }) => html`<td>${singularWords(values[index])}</td>`)}</tr>`)}
            </tbody>
          </table>
        </div>
      </details>`;
  }
}

function note(words: string): TemplateResult {
  return html`<p class="small muted">${words}</p>`;
}

function pairTitle(query: string, key: string): TemplateResult {
  return html`<p class="pair"><bdi>${query}</bdi> <span>${message("inspect.looksAt")}</span> <bdi>${key}</bdi></p>`;
}

function sharePercent(share: number): string {
  return share < LEAST_SHARE ? `< ${formatPercent(LEAST_SHARE)}` : formatPercent(share);
}

function entropyWords(entropy: number | null): string {
  if (entropy === null) return "–";
  const nats = message("measures.nats", { value: formatFixed(entropy) });
  return `${nats} ${message("measures.bits", { value: formatFixed(entropy / Math.LN2) })}`;
}

/** Between two texts there is no distance; of a pattern over no tokens at all nothing is defined. */
function distanceWords(distance: number | null, entropy: number | null): string {
  if (distance !== null) return message("measures.tokens", { value: formatFixed(distance) });
  return entropy === null ? "–" : message("measures.noDistance");
}

/** A matrix with a number that is not finite has no singular values. */
function singularWords(value: number | undefined): string {
  return value === undefined ? "–" : formatValue(value);
}
