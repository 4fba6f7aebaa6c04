import { html, nothing } from "lit";
import type { ModelInfo, Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { formatSigned } from "../../elements/matrices.js";
import "../../elements/positions.js";
import { theLab, type Model } from "../../headscope.js";
import { formatNumber, message } from "../../i18n/index.js";
import { curveOf, curves, placeMatrix } from "./figures.js";
import { demo } from "./demo.js";
import { MOST_POSITIONS, PAPER_BASE } from "./fields.js";
import { withRun } from "./study.js";

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

/** The most numbers of a table that the engine takes. */
const LARGEST_TABLE = 1 << 19;
/** An id that every vocabulary has; which one it is makes no difference to positions. */
const ANY = 0;

/** How many positions of a model can be shown. */
function mostPositions({ maxTokens, dModel }: ModelInfo): number {
  return Math.min(maxTokens, MOST_POSITIONS, Math.floor(LARGEST_TABLE / dModel));
}

/** All positions that can be shown are read at once, so that another length needs no run. */
const read = new WeakMap<Model, Promise<Tensor>>();

/** All positions of a model that can be shown, `[position, model_dim]`, read once; what failed is tried anew. */
function wholeTable(model: Model): Promise<Tensor> {
  const known = read.get(model);
  if (known) return known;
  const table = readTable(model);
  read.set(model, table);
  table.catch(() => read.delete(model));
  return table;
}

function firstRows({ data, shape: [, width = 0], axes }: Tensor, count: number): Tensor {
  return { data: data.subarray(0, count * width), shape: [count, width], axes };
}

/** The table that a model adds to its tokens, as a run of so many has it. */
function readTable(model: Model): Promise<Tensor> {
  const { architecture, stacks, startToken } = model.info;
  const ids = new Array<number>(mostPositions(model.info)).fill(ANY);
  // One token is as short as a target can be: it has nothing to do with the encoder's table.
  const targetIds = architecture === "encoder-decoder" ? [startToken ?? ANY] : null;
  return withRun(model, { ids, ...(targetIds && { targetIds }) }, (run) =>
    run.positions({ stack: stacks.encoder ? "encoder" : "decoder" }),
  );
}

/** How far a computed table is from what the engine computes for its size: the largest difference of two numbers. */
async function distanceFromWaves(
  { data, shape: [length = 0, dim = 0] }: Tensor,
  { positions }: ModelInfo,
  signal: AbortSignal,
): Promise<number> {
  const { table } = await (await theLab()).ask(
    "waves",
    { length, dim, base: PAPER_BASE, halves: positions === "sinusoidal (split halves)" },
    { signal },
  );
  return table.reduce(
    (most, number, at) => Math.max(most, Math.abs(number - (data[at] ?? NaN))),
    0,
  );
}
