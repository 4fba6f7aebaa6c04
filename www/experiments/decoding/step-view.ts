/**
 * The pictures of a step of decoding: the distribution after each setting, the drawn number, the
 * new row of attention in every head, and the kept keys and values.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { GenerationEvent, Prediction, Processor } from "../../data/index.js";
import "../../elements/bars.js";
import "../../elements/numbers.js";
import { styled } from "../../elements/shared/templates.js";
import {
  formatBytes,
  formatFixed,
  formatNumber,
  formatPercent,
  message,
} from "../../i18n/index.js";
import { placeNames } from "../../kit/figure-data.js";
import { keepRegion, type ShownOf } from "../../kit/save-figure.js";
import type { Cache, HeadRows } from "./step-numbers.js";

/** The bytes of a number of the cache. */
const FLOAT_BYTES = 4;
/** The height that a head's strip and the labels of a matrix take. */
const STRIP_HEIGHT = 15;
const LABELS_HEIGHT = 90;

/** What a step's pictures share: its number from one, and the names of tokens. */
export interface StepNames {
  step: number;
  nameOf: (prediction: Prediction) => string;
  /** The texts that files of the step name. */
  of: ShownOf;
}

/** The settings whose names the page writes in its own words. */
const NAMED = ["model", "temperature", "top_k", "top_p", "min_p"] as const;

/** The name of a setting that changed scores; of most it is that of the setting. */
function stageName(processor: Processor): string {
  const named = NAMED.find((one) => one === processor);
  return named
    ? message(`decoding.stage.${named}`)
    : message("decoding.stage.after", { processor });
}

/** The likeliest tokens after a setting. */
interface Stage {
  processor: Processor;
  /** The number of tokens that may still be written; null where no setting was used. */
  nPossible: number | null;
  candidates: readonly Prediction[];
}

/**
 * The distribution by the model alone and after each setting that changed a score. The written
 * token is among the first and the last ones even if it is none of the likeliest.
 */
export function stagesOf({
  stages,
  candidates,
  chosen,
  draw,
}: Pick<GenerationEvent, "stages" | "candidates" | "chosen" | "draw">): Stage[] {
  const alone: Stage = { processor: "model", nPossible: null, candidates };
  const shown: readonly Stage[] = stages.length > 0 ? stages : [alone];
  const last = shown.length - 1;
  return shown.map((stage, at) => {
    const isThere = stage.candidates.some(({ id }) => id === chosen.id);
    const own = at === 0 ? chosen.probability : at === last && draw ? draw.to - draw.from : null;
    const added = isThere || own === null ? [] : [{ ...chosen, probability: own }];
    const best = [...stage.candidates, ...added].toSorted(
      (one, other) => other.probability - one.probability,
    );
    return { ...stage, candidates: best };
  });
}

/**
 * Renders the likeliest tokens by the model alone and after each setting that changed a score; the
 * written one is marked.
 */
export function renderStages(
  one: Parameters<typeof stagesOf>[0],
  { step, nameOf, of }: StepNames,
): TemplateResult {
  const shown = stagesOf(one);
  const heading = message("decoding.distribution");
  const most = Math.max(
    ...shown.flatMap(({ candidates }) => candidates.map(({ probability }) => probability)),
  );
  return html`<headscope-save-figure
    name="decoding-distribution ${step}"
    .heading=${heading}
    .of=${of}
  >
    <div class="stages">
      ${shown.map(({ processor, nPossible, candidates: best }) => {
        const items = best.map((token) => ({
          label: nameOf(token),
          value: token.probability,
          text: formatPercent(token.probability),
          marked: token.id === one.chosen.id,
        }));
        return html`<figure>
          <figcaption class="small muted">
            ${stageName(processor)}${
              nPossible === null
                ? nothing
                : ` · ${message("decoding.possible", { count: nPossible })}`
            }
          </figcaption>
          <headscope-bars .items=${items} .max=${most}></headscope-bars>
        </figure>`;
      })}
    </div>
  </headscope-save-figure>`;
}

/** Renders the drawn number on the cumulated bar; nothing where no number was drawn. */
export function renderDraw(
  { draw, chosen }: Pick<GenerationEvent, "draw" | "chosen">,
  { nameOf }: Pick<StepNames, "nameOf">,
): TemplateResult | typeof nothing {
  if (!draw) return nothing;
  const { number, from, to } = draw;
  const percent = (share: number): string => `${share * 100}%`;
  const words = message("decoding.draw", {
    number: formatFixed(number, 4),
    token: nameOf(chosen),
    from: formatFixed(from, 4),
    to: formatFixed(to, 4),
  });
  return html`<div class="draw">
    <div class="cumulated" aria-hidden="true">
      <i class="range" style=${styled({ left: percent(from), width: percent(to - from) })}></i>
      <i class="number" style=${styled({ left: percent(number) })}></i>
    </div>
    <div class="ends small muted" aria-hidden="true"><span>0</span><span>1</span></div>
    <p class="small">${words}</p>
  </div>`;
}

/** Renders the row that a step added to the attention of every head. */
export function renderRows(
  { stack, tensor, heads, keys }: HeadRows,
  { step, of }: Pick<StepNames, "step" | "of">,
): TemplateResult {
  const heading = message(`decoding.rows.${stack}`);
  const titles = {
    rows: message("decoding.head"),
    columns: message("figure.key"),
    values: message("stage.weights"),
  };
  return html`<section>
    <h3>${heading}</h3>
    <headscope-save-figure name="decoding-${stack} ${step}" .heading=${heading} .of=${of}>
      <headscope-numbers
        .tensor=${tensor}
        .rowNames=${heads}
        .columnNames=${keys}
        .titles=${titles}
        .comfortableHeight=${heads.length * STRIP_HEIGHT + LABELS_HEIGHT}
        @headscope-region-change=${keepRegion}
      ></headscope-numbers>
    </headscope-save-figure>
  </section>`;
}

/** Renders the keys and values that the decoder keeps, by the step that added them. */
export function renderCache(
  { tokens, layers, floats, added, cross, ages }: Cache,
  keys: readonly string[],
  { step, of }: Pick<StepNames, "step" | "of">,
): TemplateResult {
  const heading = message("decoding.cache");
  const titles = {
    rows: message("decoding.layer"),
    columns: message("figure.key"),
    values: message("decoding.cache.step"),
  };
  const bytes = formatBytes(floats * FLOAT_BYTES);
  return html`<section>
    <h3>${heading}</h3>
    <p class="small muted">
      ${message("decoding.cache.words", {
        tokens: formatNumber(tokens),
        layers: formatNumber(layers),
        floats: formatNumber(floats),
        added: formatNumber(added),
        bytes,
      })}
      ${
        cross
          ? message("decoding.cache.cross", {
              tokens: formatNumber(cross.tokens),
              floats: formatNumber(cross.floats),
            })
          : nothing
      }
    </p>
    <headscope-save-figure name="decoding-cache ${step}" .heading=${heading} .of=${of}>
      <headscope-numbers
        counts
        .tensor=${ages}
        .rowNames=${placeNames(layers)}
        .columnNames=${keys}
        .titles=${titles}
        .comfortableHeight=${layers * STRIP_HEIGHT + LABELS_HEIGHT}
        @headscope-region-change=${keepRegion}
      ></headscope-numbers>
    </headscope-save-figure>
  </section>`;
}
