import { css, html, nothing, type TemplateResult } from "lit";
import type { Cell, Region, Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { strongestOf, valueAt } from "../../draw/layout.js";
import "../../elements/heatmap.js";
import "../../elements/matrices.js";
import { labelAt } from "../../elements/shared/templates.js";
import { message } from "../../i18n/index.js";
import { readHead, type HeadFigures } from "../run/figures.js";
import type { Pointed } from "./figures.js";
import { demo } from "./demo.js";

/** Side by side they have room for little more. */
const CELLS_HEIGHT = 176;

/** What the rules do to the chosen head, stage by stage: four pictures of the same pairs, with one cell in all of them. */
export const stages = demo("stages", {
  // The page has not read the head's numbers where a GPU paints it.
  reads: ({ figures, run, revision, head }) =>
    figures
      ? { figures }
      : run && head
        ? { figures: null, run, revision, stack: head.stack, layer: head.layer, head: head.head }
        : null,
  failed: "lab.failed",
  ask: async (_, __, subject) => subject.figures ?? readHead(subject.run, subject),
  summary: (figures, _, { pointed }) => {
    const { focused } = cells(figures, pointed);
    const { layer, head } = figures.head;
    return html`<p class="small muted note">${message("stages.intro", { layer: layer + 1, head: head + 1 })}</p>
      <p class="note reading" aria-live="off">${focused ? reading(figures, focused) : nothing}</p>`;
  },
  views: (figures) => [
    {
      heading: message("stages.title"),
      name: "stages",
      of: figures.head,
      figure: (pointed) => row(figures, pointed),
    },
  ],
  styles: css`
    .row {
      --_least: 248px;
    }
    figcaption {
      margin-bottom: 4px;
      font-weight: 600;
    }
    .reading {
      min-height: 1.45em;
    }
  `,
});

function row(figures: HeadFigures, pointed: Pointed): TemplateResult {
  const { stages: found, mask, queries, keys, fullyMasked } = figures;
  const { focused, held } = cells(figures, pointed);
  const { region, put } = pointed;
  const heatmap = (
    stage: "scores" | "masked" | "weights",
    tensor: Tensor,
    masked: HeadFigures["fullyMasked"] = [],
  ): TemplateResult => html`<figure>
    <figcaption>${message(`stages.${stage}`)}</figcaption>
    <headscope-heatmap .tensor=${tensor} .stage=${stage} .queries=${queries} .keys=${keys} .fullyMasked=${masked} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${region}></headscope-heatmap>
  </figure>`;
  return html`<div class="row columns"
    @headscope-cell-hover=${({ detail }: CustomEvent<Cell | null>) => put({ cell: detail })}
    @headscope-cell-lock=${({ detail }: CustomEvent<Cell | null>) => put({ held: detail })}
    @headscope-region-change=${(event: CustomEvent<Region | null>) => {
      event.stopPropagation();
      put({ region: event.detail });
    }}
  >
    ${heatmap("scores", found.scores)}
    <figure>
      <figcaption>${message("stages.mask")}</figcaption>
      <headscope-mask .mask=${mask} .queries=${queries} .keys=${keys} .fullyMasked=${fullyMasked} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${region}></headscope-mask>
    </figure>
    ${heatmap("masked", found.masked, fullyMasked)} ${heatmap("weights", found.weights, fullyMasked)}
  </div>`;
}

/** The pair that is shown: under the pointer, held, or else the strongest of the last query. */
function cells(
  { stages: { weights }, queries, keys }: HeadFigures,
  pointed: Pointed,
): { focused: Cell | null; held: Cell | null } {
  const within = (cell: Cell | null): Cell | null =>
    cell && cell.query < queries.length && cell.key < keys.length ? cell : null;
  const held = within(pointed.held);
  const last = keys.map((_, key) => ({ query: queries.length - 1, key }));
  return { focused: within(pointed.cell) ?? held ?? strongestOf(weights, last), held };
}

function reading(
  { stages: { scores, masked, weights }, mask, queries, keys }: HeadFigures,
  cell: Cell,
): TemplateResult {
  const pair = message("figure.cell", {
    query: labelAt(queries, cell.query),
    key: labelAt(keys, cell.key),
    value: "",
  }).trim();
  const [score, added, sum] = [scores, mask, masked].map((one) => formatValue(valueAt(one, cell)));
  return html`<bdi>${pair}</bdi> ${score} + ${added} = ${sum} → softmax → <b>${formatValue(valueAt(weights, cell))}</b>`;
}
