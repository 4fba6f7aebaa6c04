import { html } from "lit";
import { formatValue } from "../../../draw/text.js";
import { formatFixed, message } from "../../../i18n/index.js";
import { curveOf, curves, demo, table } from "../demo.js";
import "../dials.js";
import { BASES, number, PAPER_BASE, SEEDS } from "../fields.js";

const LAST_TURNED = 127;

/** Rotary positions: pairs of dimensions as turning hands, and a score that depends on the distance alone. */
export const rotary = demo("rotary", {
  fields: {
    query: number(9, "rotaryLab.query", { least: 0, most: LAST_TURNED }),
    key: number(4, "rotaryLab.key", { least: 0, most: LAST_TURNED }),
    shift: number(20, "rotaryLab.shift", { least: 0, most: 1024 }),
    headDim: number(16, "rotaryLab.headDim", { least: 2, most: 128, step: 2, even: true }),
    base: number(PAPER_BASE, "rotaryLab.base", BASES),
    seed: number(1, "rotaryLab.seed", SEEDS),
    alike: { control: "flag", opens: false, label: "rotaryLab.alike" },
  },
  listed: { title: "posLab.rotary", place: 3 },
  paper: "rotaryLab.paper",
  intro: "rotaryLab.intro",
  ask: (values, { lab, signal }) => lab.ask("rotary", values, { signal }),
  views: (found, { query, key, shift }) => {
    const score = message("rotaryLab.score");
    const at = (m: number, n: number): string => message("rotaryLab.score.at", { m, n });
    const row = (name: string, head: string, ...cells: string[]) => ({ key: name, head, cells });
    const fixed = (of: "drawn" | "here" | "shifted"): string => formatFixed(found[of].score, 6);
    const rows = [
      row("drawn", message("rotaryLab.score.drawn"), fixed("drawn")),
      row("here", at(query, key), fixed("here")),
      ...(shift === 0 ? [] : [row("shifted", at(query + shift, key + shift), fixed("shifted"))]),
      row("residue", message("rotaryLab.residue"), formatValue(found.residue)),
    ];
    return [
      {
        title: message("rotaryLab.hands"),
        name: `hands m ${query} n ${key} s ${shift}`,
        details: ["query", "key", "shift", "headDim", "base", "seed", "alike"],
        figure: html`<headscope-rotary-dials .found=${found} .shift=${shift}></headscope-rotary-dials>`,
      },
      [
        {
          title: message("rotaryLab.scores"),
          notes: [message("rotaryLab.residue.hint")],
          figure: table(message("rotaryLab.scores"), rows),
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
