import { html } from "lit";
import { formatValue } from "../../../draw/text.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { curveOf, curves, demo, matrix, table, tensorOf } from "../demo.js";
import { HEADS, number } from "../fields.js";

/** More lines could not be distinguished: of more heads some are picked evenly, with the chosen one. */
const MOST_LINES = 8;

/** ALiBi: a slope for each of any number of heads, and what their scores lose by distance. */
export const alibi = demo("alibi", {
  fields: {
    heads: number(8, "schemeLab.heads", { least: 1, most: 64 }),
    head: number(0, "schemeLab.head", { ...HEADS, most: 63 }),
    length: number(24, "schemeLab.tokens", { least: 2, most: 64 }),
    causal: { control: "flag", opens: true, label: "alibiLab.causal", asks: false },
  },
  listed: { title: "posLab.alibi", place: 4 },
  paper: "alibiLab.paper",
  intro: "alibiLab.intro",
  ask: ({ heads, length, head }, { lab, signal }) =>
    lab.ask("alibi", { heads, length, head }, { signal }),
  views: ({ slopes, biases, matrix: found }, { length, head, causal }) => {
    const heads = formatNumber(slopes.length);
    const [distance, bias] = [message("alibiLab.distance"), message("alibiLab.bias")];
    // The heads that have a line: all of them, or some of many.
    const most = Math.min(MOST_LINES, slopes.length);
    const evenly = Array.from({ length: most }, (_, at) =>
      Math.round((at * (slopes.length - 1)) / Math.max(1, most - 1)),
    );
    const picked = [...new Set([...evenly, head])].sort((one, other) => one - other);
    const lines = picked.map((at) => {
      const name = message("schemeLab.headNumber", { head: formatNumber(at + 1) });
      const line = curveOf(name, biases.slice(at * length, (at + 1) * length));
      return { ...line, ...(at === head && { tone: "accent" as const }) };
    });
    // What a causal mask forbids has no number.
    const seen = found.map((value, at) =>
      causal && at % length > Math.floor(at / length) ? NaN : value,
    );
    const some = message("alibiLab.some", { shown: formatNumber(lines.length), heads });
    const isPower = Number.isInteger(Math.log2(slopes.length));
    const row = (slope: number, at: number) => {
      const power = html`2<sup>${formatNumber(Math.log2(slope), 3).replace("-", "−")}</sup>`;
      const cells = [formatNumber(slope, 6), power];
      return { key: String(at), head: formatNumber(at + 1), chosen: at === head, cells };
    };
    const columns = ["schemeLab.head", "alibiLab.slope", "alibiLab.powerOfTwo"] as const;
    const names = columns.map((key) => message(key));
    return [
      {
        title: message("alibiLab.slopes"),
        notes: [
          message(isPower ? "alibiLab.power" : "alibiLab.noPower", {
            heads,
            ratio: formatValue(2 ** (-8 / slopes.length)),
            power: formatNumber(2 ** Math.floor(Math.log2(slopes.length))),
          }),
        ],
        figure: table(message("alibiLab.slopes"), slopes.map(row), names),
      },
      {
        title: message("alibiLab.lines"),
        notes: slopes.length > MOST_LINES ? [some] : [],
        name: "lines",
        figure: curves(lines, { x: distance, y: bias }),
      },
      {
        title: message("alibiLab.matrix", { head: formatNumber(head + 1) }),
        notes: [message(causal ? "alibiLab.matrix.causal" : "alibiLab.matrix.both")],
        name: `head ${head + 1}${causal ? " causal" : ""}`,
        figure: matrix({ tensor: tensorOf(seen, length), values: bias, signed: true }),
      },
    ];
  },
  file: {
    name: "alibi",
    suffix: ({ heads, length }) => `heads ${heads} tokens ${length}`,
    details: ["heads", "length"],
  },
});
