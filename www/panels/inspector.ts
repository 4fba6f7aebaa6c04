import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { type Cell, rowOf } from "../data/index.js";
import type { Token } from "../data/index.js";
import { extentOf } from "../draw/colours.js";
import { valueAt } from "../draw/layout.js";
import "../elements/bars.js";
import {
  labelAt,
  patchLabelAt,
  patchNameAt,
  predictionLabel,
  tokenLabel,
} from "../elements/shared/templates.js";
import { formatFixed, formatPercent, laterMessage, message } from "../i18n/index.js";
import {
  type DisplayedPattern,
  type HeadFigures,
  placeIn,
  withoutName,
} from "../session/run/head.js";
import { pairVerb, topKeys, topKeysTitle } from "../session/run/head-words.js";
import { SessionPart } from "../session/session.js";
import { Later } from "../ui/lazy.js";

const PREDICTION_HINTS = {
  "encoder-decoder": "inspect.nextHint",
  encoder: "fill.hint",
  decoder: null,
} as const;

const TOGETHER = new Later(() => import("./together.js"), "notices");
const SPECTRUM = new Later(() => import("./head-spectrum.js"), "pictures");
const CIRCUITS = new Later(() => import("./head-circuits.js"), "circuits", "notices");

/** The least share that is printed as a number. */
const LEAST_SHARE = 0.001;

/**
 * The pair under the pointer, each number of which is one cell of a tensor of the run; the joint
 * attention of several tokens; the query's strongest keys; the model's predictions; and the
 * measures of the head.
 */
@customElement("headscope-inspector")
export class HeadscopeInspector extends SessionPart {
  static override styles = css`
    /* Below the picture a number must not be a page away from its name. */
    section {
      max-width: 560px;
    }
    section > * + *,
    dl + .small {
      margin-top: 8px;
    }
    summary h3 {
      display: inline;
    }
    dd span {
      white-space: nowrap;
    }
  `;

  /** The titles of the open folds. */
  @state() private unfolded: readonly string[] = [];

  override render(): TemplateResult {
    const { session } = this;
    const { figures, focused, displayed, pairs, pointing, state } = session;
    // Defined with the picture.
    if (state.picture === "layers")
      return html`<headscope-layers-inspector></headscope-layers-inspector>`;
    const place = displayed && placeIn(displayed, focused);
    const title = message(pointing.hover.cell ? "inspect.title" : "inspect.pair");
    return html`
      ${session.together ? TOGETHER.show(this, (part) => part.renderTogether(session)) : nothing}
      <section class="ruled" aria-label=${title}>
        <h2>${title}</h2>
        ${
          figures && focused
            ? this.renderPair(figures, focused, displayed, place)
            : html`<p class="muted">${message(figures ? "inspect.empty" : "figure.empty")}</p>`
        }
      </section>
      ${
        pairs?.changes
          ? html`<section class="ruled">
              <headscope-edit-changes
                .head=${pairs.changes.head}
                .focused=${focused}
              ></headscope-edit-changes>
            </section>`
          : nothing
      }
      ${
        displayed && place
          ? html`<section class="ruled">
              <headscope-bars
                .heading=${topKeysTitle(displayed)}
                .max=${1}
                .items=${topKeys(displayed, place.query, this.listed)}
              ></headscope-bars>
            </section>`
          : nothing
      }
      ${
        figures
          ? html`<section class="predictions ruled">${this.renderPredictions()}</section>
              <section class="measures ruled">${this.renderMeasures()}</section>`
          : nothing
      }
    `;
  }

  /** Gives the name of a token in a list. */
  private get listed(): (tokens: readonly Token[], index: number) => string {
    return this.session.info?.image ? patchNameAt : labelAt;
  }

  /** Gives the name of a token in a sentence. */
  private get nameAt(): (tokens: readonly Token[], index: number) => string {
    return this.session.info?.image ? patchLabelAt : labelAt;
  }

  /** Renders the run's numbers of a pair, below the displayed weight if that differs. */
  private renderPair(
    { stages, mask, dropped, other = null, fullyMasked, queries, keys }: HeadFigures,
    cell: Cell,
    displayed: DisplayedPattern | null,
    place: Cell | null,
  ): TemplateResult {
    const { unusual, size } = this.session;
    const query = this.nameAt(queries, cell.query);
    const key = this.nameAt(keys, cell.key);
    const row = rowOf(stages.masked, cell.query);
    // In a row masked by −1e9 and not by −∞, softmax is over all keys.
    const count = row.length - extentOf(row).masked || row.length;
    const fact = (stage: "raw" | "scores" | "weights", usual: string, more = ""): TemplateResult =>
      html`<dt>${unusual.includes(stage) ? message(`stage.${stage}`) : usual}</dt>
        <dd class=${stage === "weights" ? "result" : ""} data-stage=${stage}>
          ${formatFixed(valueAt(stages[stage], cell))}${more}
        </dd>`;
    const [replaced] = other?.patterns ?? [];
    const isDropped = dropped && valueAt(dropped, cell) === 1;
    const own = html`<dl>
        ${fact("raw", message("inspect.raw"))}
        ${fact("scores", message("inspect.scaled", { size: size?.headDim ?? 0 }))}
        <dt>${message("inspect.mask")}</dt>
        <dd data-stage="mask">
          ${valueAt(mask, cell) === 0 ? "+ 0" : formatFixed(valueAt(mask, cell), 0)}
        </dd>
        ${fact(
          "weights",
          message("inspect.softmax", { count }),
          isDropped ? ` · ${message("figure.droppedCell")}` : "",
        )}
        ${
          replaced && other
            ? html`<dt>${message(`stage.${other.of}`)}</dt>
                <dd class="result" data-stage=${other.of}>
                  ${formatFixed(valueAt(replaced.weights, cell))}
                </dd>`
            : nothing
        }
      </dl>
      ${
        fullyMasked.includes(cell.query)
          ? note(laterMessage("notices", "inspect.rowMasked"))
          : nothing
      }`;
    const title = (one: string, other: string): TemplateResult =>
      html`<p class="pair">
        <bdi>${one}</bdi>
        <span>${pairVerb({ stages }, cell)}</span>
        <bdi>${other}</bdi>
      </p>`;
    if (!displayed || !place) return html`${title(query, key)}${own}`;
    const pieces = {
      queries: displayed.rows[place.query]?.length ?? 0,
      keys: displayed.columns[place.key]?.length ?? 0,
    };
    const { without } = displayed;
    const shown = html`<dl class="shown">
      <dt>
        ${
          without === null
            ? message("pieces.weight")
            : message("pieces.without", { token: withoutName(displayed) })
        }
      </dt>
      <dd class="result" data-stage="shown">${formatFixed(valueAt(displayed.weights, place))}</dd>
    </dl>`;
    if (pieces.queries * pieces.keys <= 1)
      return html`${title(query, key)}${own}${without === null ? nothing : shown}`;
    return html`${title(
      this.nameAt(displayed.queries, place.query),
      this.nameAt(displayed.keys, place.key),
    )}${shown}
    ${note(laterMessage("notices", "pieces.of", pieces))}
    ${note(laterMessage("notices", "pieces.model", { query, key }))} ${own}`;
  }

  /**
   * Renders the model's predictions at one position: after a token, or in place of a masked one.
   */
  private renderPredictions(): TemplateResult | typeof nothing {
    const { info, expectation } = this.session;
    if (!info) return nothing;
    if (!info.predicts) return note(message("inspect.nextNone"));
    if (!expectation) {
      const hint = PREDICTION_HINTS[info.architecture];
      const masks = info.architecture !== "encoder" || info.maskToken !== null;
      return hint && masks ? note(message(hint)) : nothing;
    }
    const { at, predictions, truth } = expectation;
    const token = tokenLabel(at);
    const likely = predictions.filter(
      ({ id, probability }) => probability >= LEAST_SHARE || id === truth?.id,
    );
    const items = likely.map((one) => ({
      label: predictionLabel(one, at, info),
      value: one.probability,
      text: formatPercent(one.probability),
      marked: one.id === truth?.id,
    }));
    const share = formatPercent(Math.max(LEAST_SHARE, truth?.probability ?? 0));
    const less = truth && truth.probability < LEAST_SHARE ? "< " : "";
    return html`<headscope-bars
        .heading=${
          info.image
            ? message("image.classes")
            : message(truth ? "fill.title" : "inspect.next", { token })
        }
        .max=${1}
        .items=${items}
      ></headscope-bars>
      ${truth ? note(message("fill.true", { token, share: less + share })) : nothing}`;
  }

  /**
   * Renders the entropy and distance of a head's weights on the present text, and, behind words,
   * the singular values of its patterns and what it does without any text.
   */
  private renderMeasures(): TemplateResult {
    const { measured, retention } = this.session;
    const { tour } = this.session.state;
    const { entropy = null, distance = null } = measured ?? {};
    const inUnit = (unit: "nats" | "bits" | "tokens", value: number): string =>
      message(`measures.${unit}`, { value: formatFixed(value) });
    // In cross-attention there is no distance; without tokens nothing is defined.
    const hasDistance = distance !== null || entropy === null;
    const facts = html`<dl>
      <dt>${message("measures.entropy")}</dt>
      <dd data-measure="entropy">
        ${
          entropy === null
            ? "–"
            : html`${inUnit("nats", entropy)} <span>${inUnit("bits", entropy / Math.LN2)}</span>`
        }
      </dd>
      ${
        hasDistance
          ? html`<dt>${message("measures.distance")}</dt>
              <dd data-measure="distance">
                ${distance === null ? "–" : inUnit("tokens", distance)}
              </dd>`
          : nothing
      }
      ${
        retention
          ? html`<dt title=${message("measures.retentionHint")}>
                ${message("measures.retention")}
              </dt>
              <dd data-measure="retention">${message("measures.retained", { ...retention })}</dd>`
          : nothing
      }
    </dl>`;
    return html`<h2>${message("measures.title")}</h2>
      ${measured && facts}
      ${this.renderFold(
        "spectrum.title",
        tour === "rank",
        SPECTRUM,
        () => html`<headscope-head-spectrum></headscope-head-spectrum>`,
      )}
      ${this.renderFold(
        "measures.circuits",
        false,
        CIRCUITS,
        () => html`<headscope-head-circuits></headscope-head-circuits>`,
      )}`;
  }

  /** Renders numbers of the head behind a word; `asked` opens them, as a question does. */
  private renderFold(
    title: "spectrum.title" | "measures.circuits",
    asked: boolean,
    numbers: Later<unknown>,
    made: () => TemplateResult,
  ): TemplateResult {
    const isOpen = asked || this.unfolded.includes(title);
    const follow = ({ target }: Event): void => {
      const others = this.unfolded.filter((one) => one !== title);
      this.unfolded = (target as HTMLDetailsElement).open ? [...others, title] : others;
    };
    return html`<details class="far" data-fold=${title} ?open=${isOpen} @toggle=${follow}>
      <summary><h3>${message(title)}</h3></summary>
      ${isOpen ? numbers.show(this, made) : nothing}
    </details>`;
  }
}

function note(words: string): TemplateResult {
  return html`<p class="small muted">${words}</p>`;
}
