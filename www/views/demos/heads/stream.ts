import { html } from "lit";
import { blockStackOf, type StreamDepth } from "../../../data/index.js";
import { tokenLabels } from "../../../elements/shared/templates.js";
import { message } from "../../../i18n/index.js";
import { tokensOf } from "../../run/selection.js";
import { demo, matrix, tensorOf } from "../demo.js";
import { named } from "../fields.js";

const MEASURES = ["norm", "mean", "deviation", "share", "similarity"] as const;

/** The residual stream token by token and depth by depth. */
export const stream = demo("stream", {
  fields: {
    of: named("stream", "stream.measure", MEASURES, "norm", { asks: false }),
  },
  reads: ({ run, revision, head }) =>
    run && head ? { run, revision, stack: blockStackOf(head) } : null,
  failed: "headBench.numbersNotRead",
  ask: async (_, __, { run, stack }) => ({
    depths: await run.residuals({ stack }),
    tokens: [...tokensOf(run, stack).queries],
  }),
  summary: (_, { of }) => html`<p class="small muted note">${message(`stream.${of}.hint`)}</p>`,
  views: ({ depths, tokens }, { of: measure }, { stack }) => {
    const values = message(`stream.${measure}`);
    const nameOf = ({ layer, point }: StreamDepth): string =>
      point === "embedding" || point === "final-norm"
        ? message(`stream.at.${point}`)
        : message("stream.at", { layer: layer + 1, sublayer: message(`sublayer.${point}`) });
    // NaN where a measure is not defined.
    const numbers = depths.flatMap((depth) => tokens.map((_, at) => depth[measure]?.[at] ?? NaN));
    return [
      {
        heading: values,
        name: `stream-${measure}`,
        of: { stack },
        figure: matrix({
          tensor: tensorOf(numbers, tokens.length, ["depth", "token"]),
          values,
          signed: measure === "mean" || measure === "similarity",
          height: 240,
          rows: { title: message("moved.depth"), names: depths.map(nameOf) },
          columns: { title: message("moved.token"), names: tokenLabels(tokens) },
        }),
      },
    ];
  },
});
