import { html, nothing } from "lit";
import { formatValue } from "../../draw/text.js";
import { formatSigned } from "../../elements/matrices.js";
import "../../elements/positions.js";
import { formatNumber, message } from "../../i18n/index.js";
import { curveOf, curves, placeMatrix } from "./figures.js";
import { demo } from "./demo.js";
import { distanceFromWaves, firstRows, mostPositions, wholeTable } from "./model-table.js";

const FORMULA = html`<math
    ><mrow><msub><mi>x</mi><mi>p</mi></msub><mo>=</mo><mi>E</mi><mo>[</mo><msub><mi>w</mi><mi>p</mi></msub><mo>]</mo><mo>+</mo><mi>P</mi><mo>[</mo><mi>p</mi><mo>]</mo></mrow></math
  ><math
    ><mrow
      ><mi>cos</mi><mo>(</mo><mi>p</mi><mo>,</mo><mi>q</mi><mo>)</mo><mo>=</mo
      ><mfrac
        ><mrow><mi>P</mi><mo>[</mo><mi>p</mi><mo>]</mo><mo>·</mo><mi>P</mi><mo>[</mo><mi>q</mi><mo>]</mo></mrow
        ><mrow><mo>‖</mo><mi>P</mi><mo>[</mo><mi>p</mi><mo>]</mo><mo>‖</mo><mo>·</mo><mo>‖</mo><mi>P</mi><mo>[</mo><mi>q</mi><mo>]</mo><mo>‖</mo></mrow></mfrac
      ></mrow
    ></math
  >`;

/** The table of positions that the loaded model adds to its tokens, and how alike its rows are. */
export const learned = demo("learned", {
  formula: FORMULA,
  paper: "posLab.learned.paper",
  // Rotary positions turn queries and keys: they add nothing.
  absent: ({ model }) =>
    !model
      ? message("posLab.noModel")
      : model.info.positions === "rotary"
        ? message("posLab.noTable", { scheme: message("at.rotary") })
        : null,
  fit: ({ model }) => model && { length: { within: { most: mostPositions(model.info) } } },
  reads: ({ model }) => (model ? { model } : null),
  ask: async ({ length }, { lab, signal }, { model }) => {
    const { info } = model;
    const table = firstRows(await wholeTable(model), length);
    signal.throwIfAborted();
    return {
      table,
      alike: await lab.ask("likeness", { table: [...table.data], dim: info.dModel }, { signal }),
      /** How far it is from the computed table; null where it was learned. */
      fromWaves: info.positions === "learned" ? null : await distanceFromWaves(table, info, signal),
    };
  },
  summary: ({ alike, fromWaves }, { length }, { subject }) => {
    const { info } = subject.model;
    const half = Math.floor(length / 2);
    const far = {
      far: formatNumber(half),
      near: formatSigned(alike.cosinesApart[1] ?? NaN),
      value: formatSigned(alike.cosinesApart[half] ?? NaN),
    };
    const origin =
      fromWaves === null
        ? message("posLab.learned.own", {
            positions: formatNumber(info.maxTokens),
            dimensions: formatNumber(info.dModel),
          })
        : message("posLab.learned.computed", { difference: formatValue(fromWaves) });
    return html`<p class="note" data-from-waves=${fromWaves ?? nothing}>${origin} ${message("posLab.learned.alike", far)}</p>
      <p class="small muted note">${message("posLab.learned.count")}</p>`;
  },
  views: ({ table, alike }, { length }) => {
    const cosine = message("posLab.cosineOf");
    return [
      {
        title: message("posLab.table"),
        name: "table",
        figure: () => html`<headscope-positions .tensor=${table}></headscope-positions>`,
      },
      [
        {
          title: message("posLab.cosines"),
          notes: [message("posLab.cosines.hint")],
          name: "similarity",
          figure: placeMatrix(alike.cosines, length, cosine),
        },
        {
          title: message("posLab.cosineProfile"),
          name: "profile",
          figure: curves([curveOf(cosine, alike.cosinesApart)], {
            x: message("posLab.apart"),
            y: cosine,
          }),
        },
      ],
    ];
  },
  file: { name: "positions" },
});
