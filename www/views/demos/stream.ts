import type { StreamDepth, Tensor } from "../../data/index.js";
import { html } from "lit";
import { tokenLabels } from "../../elements/shared/templates.js";
import { message } from "../../i18n/index.js";
import { matrix } from "./figures.js";
import { demo } from "./demo.js";
import { blockOf, tokensOf } from "./norm.js";

const HEIGHT = 240;

/** The residual stream token by token and depth by depth. */
export const stream = demo("stream", {
  reads: ({ run, revision, head }) =>
    run && head ? { run, revision, stack: blockOf(head) } : null,
  failed: "headBench.numbersNotRead",
  ask: async (_, __, { run, stack }) => ({
    depths: await run.residuals({ stack }),
    tokens: [...tokensOf(run, stack)],
  }),
  summary: (_, { of }) => html`<p class="small muted note">${message(`stream.${of}.hint`)}</p>`,
  views: ({ depths, tokens }, { of: measure }, { stack }) => {
    const values = message(`stream.${measure}`);
    const depthName = ({ layer, point }: StreamDepth): string =>
      point === "embedding" || point === "final-norm"
        ? message(`stream.at.${point}`)
        : message("stream.at", { layer: layer + 1, sublayer: message(`sublayer.${point}`) });
    return [
      {
        heading: values,
        name: `stream-${measure}`,
        of: { stack },
        figure: matrix({
          tensor: tensorOf(depths, measure, tokens.length),
          values,
          signed: measure === "mean" || measure === "similarity",
          height: HEIGHT,
          rows: { title: message("moved.depth"), names: depths.map(depthName) },
          columns: { title: message("moved.token"), names: tokenLabels(tokens) },
        }),
      },
    ];
  },
});

/** `[depth, token]`; NaN where a measure is not defined. */
function tensorOf(
  depths: readonly StreamDepth[],
  measure: Exclude<keyof StreamDepth, "layer" | "point">,
  tokens: number,
): Tensor {
  const rows = depths.map((depth) =>
    Array.from({ length: tokens }, (_, token) => depth[measure]?.[token] ?? NaN),
  );
  return {
    data: Float32Array.from(rows.flat()),
    shape: [depths.length, tokens],
    axes: ["depth", "token"],
  };
}
