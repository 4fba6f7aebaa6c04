import { html, nothing } from "lit";
import type { Tensor } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { formatSigned } from "../../../draw/number-words.js";
import "../../../elements/positions.js";
import { Memo } from "../../../elements/shared/controllers.js";
import type { Model } from "../../../headscope.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { curveOf, curves, demo, placeMatrix } from "../demo.js";
import { number, PAPER_BASE } from "../../../kit/fields.js";
import { largest, withRun } from "../../../kit/study.js";
import { imageInput, ShownImage } from "../../../session/run/shown-image.js";

/** The most positions of a model that are shown. */
const MOST_POSITIONS = 512;
/** The most numbers of a table that the engine accepts. */
const LARGEST_TABLE = 1 << 19;
/** An id that every vocabulary has; positions do not depend on the id. */
const ANY = 0;

/** The demo of the loaded model's position table, and the similarity of its rows. */
export const learned = demo("learned", {
  fields: { length: number(128, "posDemo.length", { least: 2, most: MOST_POSITIONS }) },
  listed: { title: "posDemo.learned", place: 2 },
  paper: "posDemo.learned.paper",
  // Rotary positions rotate queries and keys: they add nothing.
  absent: ({ model }) => {
    if (!model) return message("posDemo.noModel");
    const isRotary = model.info.positions === "rotary";
    return isRotary ? message("posDemo.noTable", { scheme: message("at.rotary") }) : null;
  },
  fit: ({ model }) => model && { length: { within: { most: mostPositions(model) } } },
  reads: ({ model }) => (model ? { model } : null),
  ask: async ({ length }, { core, signal }, { model }) => {
    const { data, axes } = await wholeTable(model);
    const { dModel: dim, positions } = model.info;
    const table = { data: data.subarray(0, length * dim), shape: [length, dim], axes };
    signal.throwIfAborted();
    const alike = await core.ask("similarity", { table: [...table.data], dim }, { signal });
    // The largest difference between a number and the computed table's; null for a learned table.
    if (positions === "learned") return { table, alike, fromWaves: null };
    const halves = positions === "sinusoidal (split halves)";
    const waves = await core.ask("waves", { length, dim, base: PAPER_BASE, halves }, { signal });
    const apart = waves.table.map((value, at) => Math.abs(value - (data[at] ?? NaN)));
    return { table, alike, fromWaves: largest(apart) };
  },
  summary: ({ alike, fromWaves }, { length }, { model }) => {
    const half = Math.floor(length / 2);
    const far = {
      far: formatNumber(half),
      near: formatSigned(alike.cosinesApart[1] ?? NaN),
      value: formatSigned(alike.cosinesApart[half] ?? NaN),
    };
    const positions = formatNumber(model.info.maxTokens);
    const dimensions = formatNumber(model.info.dModel);
    const origin =
      fromWaves === null
        ? message("posDemo.learned.own", { positions, dimensions })
        : message("posDemo.learned.computed", { difference: formatValue(fromWaves) });
    return html`<p class="note" data-from-waves=${fromWaves ?? nothing}>
        ${origin} ${message("posDemo.learned.alike", far)}
      </p>
      <p class="small muted note">${message("posDemo.learned.count")}</p>`;
  },
  views: ({ table, alike }, { length }) => {
    const cosine = message("posDemo.cosineOf");
    const apart = { x: message("posDemo.apart"), y: cosine };
    return [
      {
        title: message("posDemo.table"),
        name: "table",
        figure: html`<headscope-positions .tensor=${table}></headscope-positions>`,
      },
      [
        {
          title: message("posDemo.cosines"),
          notes: [message("posDemo.cosines.hint")],
          name: "similarity",
          figure: placeMatrix(alike.cosines, length, cosine),
        },
        {
          title: message("posDemo.cosineProfile"),
          name: "profile",
          figure: curves([curveOf(cosine, alike.cosinesApart)], apart),
        },
      ],
    ];
  },
  file: { name: "positions" },
});

function mostPositions({ info: { maxTokens, dModel } }: Model): number {
  return Math.min(maxTokens, MOST_POSITIONS, Math.floor(LARGEST_TABLE / dModel));
}

let read = new Memo<Promise<Tensor>>();

/**
 * All positions of a model that can be shown, `[position, model_dim]`, read once for every length;
 * a failed read is tried again.
 */
function wholeTable(model: Model): Promise<Tensor> {
  const { architecture, stacks, startToken } = model.info;
  const ids = new Array<number>(mostPositions(model)).fill(ANY);
  // A target of one token, the shortest: it does not affect the encoder's table.
  const target = architecture === "encoder-decoder" && { targetIds: [startToken ?? ANY] };
  const stack = stacks.encoder ? "encoder" : "decoder";
  const table = read.get([model], () =>
    withRun(model, imageInput(model, new ShownImage()) ?? { ids, ...target }, (run) =>
      run.positions({ stack }),
    ),
  );
  table.catch(() => (read = new Memo()));
  return table;
}
