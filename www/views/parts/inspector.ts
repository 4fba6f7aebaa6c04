import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { type Architecture, type Cell, isForbidden, type ModelInfo } from "../../data/index.js";
import { valueAt } from "../../draw/layout.js";
import "../../elements/bars.js";
import { labelAt, predictionLabel, tokenLabel } from "../../elements/shared/templates.js";
import { formatFixed, formatList, formatPercent, message } from "../../i18n/index.js";
import { LOOKINGS, type Picked, POOLS } from "../../state/index.js";
import { factsStyles, partStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import type { HeadFigures } from "../run/figures.js";
import { type DisplayedPattern, placeIn } from "../run/displayed.js";
import type { Expectation } from "../run/readings.js";
import { SessionPart } from "../session.js";
import "./head-measures.js";
import { rowOf, topKeys, topKeysTitle, withoutName } from "./lens-words.js";

/** What the model expects at one place: after a token, or instead of one that is hidden from it. */
@customElement("headscope-predictions")
export class HeadscopePredictions extends SessionPart {
  static override styles = [
    partStyles,
    css`
      p + p,
      headscope-bars + p {
        margin-top: 8px;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { info, expectation } = this.session;
    if (!info) return nothing;
    if (!info.predicts) return html`<p class="small muted">${message("inspect.nextNone")}</p>`;
    if (expectation) return renderExpectation(expectation, info);
    const hint = HINTS[info.architecture];
    return hint && (info.architecture !== "encoder" || info.maskToken !== null)
      ? html`<p class="small muted">${message(hint)}</p>`
      : nothing;
  }
}

const HINTS = {
  "encoder-decoder": "inspect.nextHint",
  encoder: "fill.hint",
  decoder: null,
} as const satisfies Record<Architecture, string | null>;

/** The least share that is printed as a number. */
const LEAST_SHOWN = 0.001;

function sharePercent(share: number): string {
  return share < LEAST_SHOWN ? `< ${formatPercent(LEAST_SHOWN)}` : formatPercent(share);
}

function renderExpectation(
  { at, predictions, truth }: Expectation,
  info: ModelInfo,
): TemplateResult {
  const items = predictions.map((prediction) => ({
    label: predictionLabel(prediction, at, info),
    value: prediction.probability,
    text: formatPercent(prediction.probability),
    marked: prediction.id === truth?.id,
  }));
  return html`<headscope-bars .heading=${message(truth ? "fill.title" : "inspect.next", { token: tokenLabel(at) })} .max=${1} .items=${items}></headscope-bars>
    ${truth ? html`<p class="small muted">${message("fill.true", { token: tokenLabel(at), share: sharePercent(truth.probability) })}</p>` : nothing}`;
}

/** How many tokens the list has at most. */
const MOST_ITEMS = 8;

/** Where several tokens look together, or what looks at them. Changes the State. */
@customElement("headscope-together-list")
export class HeadscopeTogetherList extends SessionPart {
  static override styles = [
    partStyles,
    css`
      header,
      .choices {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 16px;
      }

      header button {
        padding: 0;
        color: var(--headscope-accent);
      }

      .picked {
        margin: 8px 0;
        font: 400 18px/1.35 var(--headscope-font-text);
        overflow-wrap: anywhere;
      }

      .choices {
        align-items: center;
        margin-bottom: 8px;
      }

      headscope-choice {
        font-size: 12px;
        --headscope-segment: 1px 10px;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { together } = this.session;
    if (!together) return nothing;
    const { picked, pool, looking, bothWays, items, most } = together;
    const any = items.filter(({ value }) => value > 0);
    const strongest = (any.length > 0 ? any : items)
      .toSorted((one, other) => other.value - one.value)
      .slice(0, MOST_ITEMS);
    const bars = strongest.map(({ token, value }) => ({
      label: tokenLabel(token),
      value,
      text: formatFixed(value),
    }));
    return html`
      <header>
        <h2>${message("together.title")}</h2>
        <button class="small" @click=${() => this.session.update({ picked: null })}>${message("together.release")}</button>
      </header>
      <p class="picked"><bdi>${formatList(picked.map(tokenLabel))}</bdi></p>
      <div class="choices">
        ${
          bothWays
            ? choice({
                label: message("together.looking"),
                values: LOOKINGS,
                value: looking,
                show: (value) => message(`together.${value}`),
                choose: (chosen) => this.change({ looking: chosen }),
              })
            : html`<span class="small muted">${message(`together.${looking}`)}</span>`
        }
        ${choice({
          label: message("together.pool"),
          look: "segments",
          values: POOLS,
          value: pool,
          show: (value) => message(`together.${value}`),
          choose: (chosen) => this.change({ pool: chosen }),
        })}
      </div>
      <headscope-bars .max=${most} .items=${bars}></headscope-bars>
      ${items.length > bars.length ? html`<p class="small muted">${message("together.more", { count: bars.length, all: items.length })}</p>` : nothing}
    `;
  }

  private change(change: Partial<Picked>): void {
    const { together } = this.session;
    if (together) this.session.update({ picked: { ...together.wish, ...change } });
  }
}

/** The pair under the pointer: every number is one cell of a tensor of the run. */
@customElement("headscope-inspector")
export class HeadscopeInspector extends SessionPart {
  static override styles = [
    partStyles,
    factsStyles,
    css`
      /* Where it stands below the picture, a number that is a page away from its name is not found. */
      section {
        max-width: 560px;
      }

      section + section {
        margin-top: 20px;
        padding-top: 20px;
        border-top: 1px solid var(--headscope-line);
      }

      .pair {
        margin: 12px 0;
      }

      dl + .shown {
        margin-top: 4px;
      }

      p.pieces {
        margin: 12px 0 4px;
      }

      p.empty {
        margin-top: 8px;
      }
    `,
  ];

  override render(): TemplateResult {
    const { figures, focused, displayed, together, pairs, pointing } = this.session;
    const place = displayed && placeIn(displayed, focused);
    const title = message(pointing.hover.cell ? "inspect.title" : "inspect.pair");
    const changes = pairs?.changes;
    return html`
      ${together ? html`<section><headscope-together-list></headscope-together-list></section>` : nothing}
      <section aria-label=${title}>
        <h2>${title}</h2>
        ${figures && focused ? (displayed && place ? this.renderLooked(displayed, place, this.renderPair(figures, focused, isJoined(displayed, place))) : this.renderPair(figures, focused, false)) : html`<p class="empty muted">${message(figures ? "inspect.empty" : "figure.empty")}</p>`}
      </section>
      ${changes ? html`<section><headscope-edit-changes .head=${changes.head} .expectation=${changes.expectation}></headscope-edit-changes></section>` : nothing}
      ${displayed && place ? this.renderTopKeys(displayed, place) : nothing}
      ${
        figures
          ? html`<section><headscope-predictions></headscope-predictions></section>
            <section><headscope-head-measures></headscope-head-measures></section>`
          : nothing
      }
    `;
  }

  /** The weight as the picture shows it, where that is not the model's own between two tokens, beside the own numbers. */
  private renderLooked(
    displayed: DisplayedPattern,
    place: Cell,
    own: TemplateResult,
  ): TemplateResult {
    const joined = isJoined(displayed, place);
    if (!joined && displayed.without === null) return own;
    const counts = {
      queries: displayed.rows[place.query]?.length ?? 0,
      keys: displayed.columns[place.key]?.length ?? 0,
    };
    const shown = html`<dl class="shown">
        <dt>${displayed.without === null ? message("pieces.weight") : message("pieces.without", { token: withoutName(displayed) })}</dt>
        <dd class="result" data-stage="shown">${formatFixed(valueAt(displayed.weights, place))}</dd>
      </dl>`;
    if (!joined) return html`${own}${shown}`;
    return html`${pairTitle(labelAt(displayed.queries, place.query), labelAt(displayed.keys, place.key))}${shown}
      <p class="small muted">${message("pieces.of", counts)}</p>
      ${own}`;
  }

  /** The run's own numbers of two tokens; of those that speak for words, under their own small title. */
  private renderPair(
    { stages, mask, dropped, fullyMasked, queries, keys }: HeadFigures,
    cell: Cell,
    ofPieces: boolean,
  ): TemplateResult {
    const query = labelAt(queries, cell.query);
    const key = labelAt(keys, cell.key);
    const row = rowOf(stages.masked, cell.query);
    // Where all is forbidden by −1e9 and not by −∞, all is looked at.
    const count = row.filter((value) => !isForbidden(value)).length || row.length;
    const { unusual, headDim } = this.session;
    const nameOf = (stage: "raw" | "scores" | "weights", usual: string): string =>
      unusual.includes(stage) ? message(`stage.${stage}`) : usual;
    return html`
      ${ofPieces ? html`<p class="small muted pieces">${message("pieces.model", { query, key })}</p>` : pairTitle(query, key)}
      <dl>
        <dt>${nameOf("raw", message("inspect.raw"))}</dt>
        <dd data-stage="raw">${formatFixed(valueAt(stages.raw, cell))}</dd>
        <dt>${nameOf("scores", message("inspect.scaled", { size: headDim }))}</dt>
        <dd data-stage="scores">${formatFixed(valueAt(stages.scores, cell))}</dd>
        <dt>${message("inspect.mask")}</dt>
        <dd data-stage="mask">${valueAt(mask, cell) === 0 ? "+ 0" : formatFixed(valueAt(mask, cell), 0)}</dd>
        <dt>${nameOf("weights", message("inspect.softmax", { count }))}</dt>
        <dd class="result" data-stage="weights">${formatFixed(valueAt(stages.weights, cell))}${dropped && valueAt(dropped, cell) === 1 ? ` · ${message("figure.droppedCell")}` : nothing}</dd>
      </dl>
      ${fullyMasked.includes(cell.query) ? html`<p class="empty small muted">${message("inspect.rowMasked")}</p>` : nothing}
    `;
  }

  private renderTopKeys(displayed: DisplayedPattern, { query }: Cell): TemplateResult {
    return html`<section><headscope-bars .heading=${topKeysTitle(displayed)} .max=${1} .items=${topKeys(displayed, query)}></headscope-bars></section>`;
  }
}

/** Whether a cell of the picture stands for several cells of tokens. */
function isJoined({ rows, columns }: DisplayedPattern, { query, key }: Cell): boolean {
  return (rows[query]?.length ?? 0) * (columns[key]?.length ?? 0) > 1;
}

function pairTitle(query: string, key: string): TemplateResult {
  return html`<p class="pair"><bdi>${query}</bdi> <span>${message("inspect.looksAt")}</span> <bdi>${key}</bdi></p>`;
}
