import { html } from "lit";
import type { Scores } from "../../../data/index.js";
import type { CurveLine } from "../../../draw/charts.js";
import { formatValue } from "../../../draw/text.js";
import "../../../elements/bars.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { curves, demo, table, type View } from "../demo.js";
import { number, SEEDS } from "../../../kit/fields.js";

/** The width of the widest head. */
const MOST_SCORES = 512;
const SIDES = ["plain", "scaled"] as const;
const MEASURES = ["variance", "entropy", "jacobian"] as const;

/** The demo of the scale 1/√d: drawn queries and keys of any width, with and without it. */
export const scores = demo("scores", {
  fields: {
    dim: number(64, "scoreDemo.dim", { least: 1, most: MOST_SCORES }),
    seed: number(1, "variant.number.seed", SEEDS),
  },
  title: "scoreDemo.title",
  intro: "scoreDemo.intro",
  ask: (values, { core, signal }) => core.ask("scores", values, { signal }),
  summary: ({ here }) => {
    const rows = MEASURES.map((key) => ({
      key,
      head: message(`scoreDemo.${key}`),
      cells: SIDES.map((side) => formatValue(here[side][key])),
    }));
    const columns = ["", ...SIDES.map((side) => message(`scoreDemo.${side}`))];
    return html`${table(message("scoreDemo.title"), rows, columns)}
      <p class="small muted note">${message("scoreDemo.hint")}</p>`;
  },
  views: (found, { dim }) => {
    const along = MEASURES.map((name): View => {
      const y = message(`scoreDemo.${name}`);
      return {
        heading: `${message("scoreDemo.title")}: ${y}`,
        name,
        // d in octaves; the variance grows linearly with d.
        figure: curves(linesOf(found, name), {
          x: "d",
          y,
          scales: { x: "log", ...(name === "variance" && { y: "log" }) },
          range: { x: [1, MOST_SCORES] },
          marked: dim,
        }),
      };
    });
    const weights = SIDES.map((side): View => {
      const heading = message("scoreDemo.weights", { side: message(`scoreDemo.${side}`) });
      const items = found.here[side].weights.slice(0, 8).map((value, at) => {
        return { label: formatNumber(at + 1), value, text: formatValue(value) };
      });
      return {
        heading,
        name: `weights ${side} d ${dim}`,
        figure: html`<headscope-bars .heading=${heading} .items=${items}></headscope-bars>`,
      };
    });
    return [...along, ...weights];
  },
  file: { suffix: ({ seed }) => `seed ${seed}` },
});

/**
 * Lines of both sides at every drawn width, including the chosen one, and for the entropy its
 * maximum.
 */
function linesOf({ along, here, widest }: Scores, measure: (typeof MEASURES)[number]): CurveLine[] {
  const others = along.filter(({ dim }) => dim !== here.dim);
  const all = [...others, here].sort((one, other) => one.dim - other.dim);
  const line = (side: (typeof SIDES)[number] | "widest"): CurveLine => ({
    name: message(`scoreDemo.${side}`),
    ...(side === "widest" && { tone: "quiet" }),
    points: all.map((at) => ({ x: at.dim, y: side === "widest" ? widest : at[side][measure] })),
  });
  return [...SIDES.map(line), ...(measure === "entropy" ? [line("widest")] : [])];
}
