import { css, html, nothing, type TemplateResult } from "lit";
import type { Cell, Region } from "../../../data/index.js";
import { strongestOf, valueAt } from "../../../draw/layout.js";
import { formatValue } from "../../../draw/text.js";
import "../../../elements/matrices.js";
import { labelAt } from "../../../elements/shared/templates.js";
import { message } from "../../../i18n/index.js";
import { readHead, type HeadFigures } from "../../run/head.js";
import { cellWithin } from "../../run/selection.js";
import { demo, type Pointed } from "../demo.js";

/** Side by side they have room for little more. */
const CELLS_HEIGHT = 176;
const STAGES = ["scores", "mask", "masked", "weights"] as const;

/** What the rules do to the chosen head, stage by stage: four pictures of the same pairs, with one cell in all of them. */
export const stages = demo("stages", {
  listed: { title: "stages.title", place: 1 },
  // The page has not read the head's numbers where a GPU paints it.
  reads: ({ figures, run, revision, head }) =>
    figures
      ? { figures }
      : run && head
        ? { figures: null, run, revision, stack: head.stack, layer: head.layer, head: head.head }
        : null,
  failed: "lab.failed",
  ask: async (_, __, subject) => subject.figures ?? readHead(subject.run, subject),
  summary: (figures, _, __, { pointed }) => {
    const { stages: found, mask, queries, keys, head } = figures;
    const { focused } = cells(figures, pointed);
    const [score, added, sum, weight] = [found.scores, mask, found.masked, found.weights].map(
      (one) => focused && formatValue(valueAt(one, focused)),
    );
    const pair = focused && {
      query: labelAt(queries, focused.query),
      key: labelAt(keys, focused.key),
      value: "",
    };
    return html`<p class="small muted note">${message("stages.intro", { layer: head.layer + 1, head: head.head + 1 })}</p>
      <p class="note reading" aria-live="off">${pair ? html`<bdi>${message("figure.cell", pair).trim()}</bdi> ${score} + ${added} = ${sum} → softmax → <b>${weight}</b>` : nothing}</p>`;
  },
  views: (figures) => [
    {
      name: "stages",
      of: figures.head,
      figure: (pointed) => {
        const { stages: found, mask, queries, keys, fullyMasked } = figures;
        const { focused, held } = cells(figures, pointed);
        const { region, put } = pointed;
        const keep = (event: CustomEvent<Region | null>): void => {
          event.stopPropagation();
          put({ region: event.detail });
        };
        const picture = (stage: (typeof STAGES)[number]): TemplateResult =>
          stage === "mask"
            ? html`<headscope-mask .mask=${mask} .queries=${queries} .keys=${keys} .fullyMasked=${fullyMasked} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${region}></headscope-mask>`
            : html`<headscope-heatmap .tensor=${found[stage]} .stage=${stage} .queries=${queries} .keys=${keys} .fullyMasked=${stage === "scores" ? [] : fullyMasked} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${region}></headscope-heatmap>`;
        return html`<div class="row columns"
          @headscope-cell-hover=${({ detail }: CustomEvent<Cell | null>) => put({ cell: detail })}
          @headscope-cell-lock=${({ detail }: CustomEvent<Cell | null>) => put({ held: detail })}
          @headscope-region-change=${keep}
        >${STAGES.map((stage) => html`<figure><figcaption class="strong">${message(`stages.${stage}`)}</figcaption>${picture(stage)}</figure>`)}</div>`;
      },
    },
  ],
  styles: css`
    .row {
      --_least: 248px;
    }
    figcaption {
      margin-bottom: 4px;
    }
    .reading {
      min-height: 1.45em;
    }
  `,
});

/** The pair that is shown: under the pointer, held, or else the strongest of the last query. */
function cells({ stages: { weights }, queries, keys }: HeadFigures, pointed: Pointed) {
  const held = cellWithin(pointed.held, weights);
  const last = keys.map((_, key) => ({ query: queries.length - 1, key }));
  return { focused: cellWithin(pointed.cell, weights) ?? held ?? strongestOf(weights, last), held };
}
