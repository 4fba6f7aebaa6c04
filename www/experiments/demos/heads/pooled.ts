import { css, html } from "lit";
import type { Cell, Step } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import { placeNames, tensorOf } from "../../../kit/figure-data.js";
import { nameOfReceiver } from "../../../session/edit-labels.js";
import type { Studied } from "../../../session/studies.js";
import { demo, matrix, type View } from "../demo.js";

/*
 * The effects of patches over all pairs of texts of a study (docs/studies.md): a grid for each kind
 * of patch that the study has.
 */

type Effects = NonNullable<Studied["effects"]>;
type Grid = Effects["grids"][number];

/** What a patch of a step is called. */
const KINDS: Partial<Record<Step, "head" | "pattern" | "values" | "feed-forward" | "residual">> = {
  context: "head",
  weights: "pattern",
  value: "values",
  "ff-output": "feed-forward",
  input: "residual",
};

export const pooled = demo("pooled", {
  reads: ({ studied }) => studied?.effects ?? null,
  ask: (_values, _asking, effects: Effects) => Promise.resolve(effects),
  views: ({ grids, texts: { name, count, failed } }, _values, _effects, { update }) => {
    const all = message("pooled.texts", { name, count: count - failed });
    const texts = failed === 0 ? all : message("pooled.failed", { texts: all, failed });
    const choose =
      ({ stack, of }: Grid) =>
      (event: CustomEvent<Cell | null>): void => {
        event.stopPropagation();
        if (!event.detail) return;
        const { query: layer, key } = event.detail;
        update({ stack, layer, ...(of === "heads" && { head: key }) });
      };
    return grids.map((grid) => viewOf(grid, texts, choose(grid)));
  },
  styles: css`
    .results > * + * {
      margin-top: 8px;
    }
  `,
});

function viewOf(
  { stack, step, of, direction, measure, receiver, cells }: Grid,
  texts: string,
  choose: (event: CustomEvent<Cell | null>) => void,
): View {
  const layers = Math.max(0, ...cells.map(({ layer }) => layer + 1));
  const columns = Math.max(0, ...cells.map(({ column }) => column + 1));
  const numbers = Array.from({ length: layers * columns }, () => NaN);
  for (const { layer, column, recovered } of cells)
    numbers[layer * columns + column] = recovered ?? NaN;
  const kind = KINDS[step];
  const what = kind ? message(`patching.what.${kind}`) : step;
  const values = message("patching.recovered");
  const ofHeads = of === "heads";
  const column = message(ofHeads ? "ranking.head" : "figure.position");
  const figure = matrix({
    tensor: tensorOf(numbers, columns, ["layer", ofHeads ? "head" : "position"]),
    values,
    signed: true,
    height: 130,
    rows: { title: message("ranking.layer"), names: placeNames(layers) },
    columns: { title: column, names: placeNames(columns) },
  });
  const made = message("pooled.of", {
    direction: message(`patching.direction.${direction}`),
    measure: message(`pooled.${measure}`),
  });
  const heading = message("pooled.title", { what });
  const to = receiver && nameOfReceiver(receiver);
  const paths = to ? [message("patching.line.receiver", { receiver: to })] : [];
  const lines = [texts, message(`stack.${stack}`), made, ...paths];
  return {
    title: heading,
    heading,
    name: `effects ${kind ?? step} ${stack} ${direction} ${measure}${to ? ` ${to}` : ""}`,
    lines,
    of: "study",
    csv: {
      columns: [
        message("ranking.stack"),
        message("ranking.layer"),
        column,
        message("pooled.count"),
        values,
      ],
      rows: cells.map((cell) => [
        message(`stack.${stack}`),
        cell.layer + 1,
        cell.column + 1,
        cell.count,
        cell.recovered ?? NaN,
      ]),
    },
    figure: html`<div class="results" @headscope-cell-lock=${choose}>
      <p class="small muted">${lines.join(" · ")}</p>
      ${figure}
      <p class="small muted">${message("pooled.hint")}</p>
    </div>`,
  };
}
