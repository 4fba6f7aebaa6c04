import { html, mathml, type TemplateResult } from "lit";
import { formatValue } from "../../draw/text.js";
import { formatFixed, message } from "../../i18n/index.js";
import { LAST_TURNED } from "./fields.js";
import { curveOf, curves, table } from "./figures.js";
import "./dials.js";
import { demo } from "./demo.js";

const DIGITS = 6;

const turned = (position: string, vector: string): TemplateResult =>
  mathml`<mo>(</mo><msub><mi>R</mi><mrow>${position.length > 1 ? mathml`<mi>${position.charAt(0)}</mi><mo>+</mo><mi>s</mi>` : mathml`<mi>${position}</mi>`}</mrow></msub><mi>${vector}</mi><mo>)</mo>`;
const FORMULA = html`<math
  ><mrow
    >${turned("m", "q")}<mo>·</mo>${turned("n", "k")}<mo>=</mo>${turned("m+s", "q")}<mo>·</mo>${turned("n+s", "k")}</mrow></math><math><mrow><msub><mi>θ</mi><mi>i</mi></msub
    ><mo>=</mo><msup><mi>b</mi><mrow><mo>−</mo><mn>2</mn><mi>i</mi><mo>/</mo><mi>d</mi></mrow></msup></mrow
  ></math
>`;

/** Rotary positions: pairs of dimensions as turning hands, and a score that depends on the distance alone. */
export const rotary = demo("rotary", {
  formula: FORMULA,
  paper: "rotaryLab.paper",
  intro: "rotaryLab.intro",
  ask: (values, { lab, signal }) => lab.ask("rotary", values, { signal }),
  views: (found, { query, key, shift }) => {
    const score = message("rotaryLab.score");
    const at = (m: number, n: number): string => message("rotaryLab.score.at", { m, n });
    const row = (name: string, head: string, value: number) => ({
      key: name,
      head,
      cells: [formatFixed(value, DIGITS)],
    });
    const residue = {
      key: "residue",
      head: message("rotaryLab.residue"),
      cells: [formatValue(found.residue)],
    };
    const moved = row("shifted", at(query + shift, key + shift), found.shifted.score);
    return [
      {
        title: message("rotaryLab.hands"),
        name: `hands m ${query} n ${key} s ${shift}`,
        details: ["query", "key", "shift", "headDim", "base", "seed", "alike"],
        figure: () =>
          html`<headscope-rotary-dials .found=${found} .shift=${shift}></headscope-rotary-dials>`,
      },
      [
        {
          title: message("rotaryLab.scores"),
          notes: [message("rotaryLab.residue.hint")],
          figure: table(message("rotaryLab.scores"), [
            row("drawn", message("rotaryLab.score.drawn"), found.drawn.score),
            row("here", at(query, key), found.here.score),
            ...(shift === 0 ? [] : [moved]),
            residue,
          ]),
        },
        {
          title: message("rotaryLab.curve"),
          name: "scores",
          figure: curves([curveOf(score, found.scores, -LAST_TURNED)], {
            x: "m − n",
            y: score,
            marked: query - key,
            markedAs: `m − n = ${query - key}`.replace("-", "−"),
          }),
        },
      ],
    ];
  },
  plays: "shift",
  file: {
    name: "rotary",
    suffix: ({ headDim, base, seed, alike }) =>
      `d ${headDim} base ${base} seed ${seed}${alike ? " alike" : ""}`,
    details: ["headDim", "base", "seed", "alike"],
  },
});
