import { html } from "lit";
import { formatValue } from "../../../draw/text.js";
import { formatSigned } from "../../../elements/matrices.js";
import { message } from "../../../i18n/index.js";
import { demo, linkedMatrix, tensorOf, type View } from "../demo.js";
import { number, SEEDS } from "../fields.js";

const TERMS = ["a", "b", "c", "d", "sum"] as const;

/** Transformer-XL's four terms of a score, each as a matrix of its own beside their sum; drawn, untrained. */
export const fourTerms = demo("terms", {
  fields: {
    length: number(12, "schemeLab.tokens", { least: 1, most: 48 }),
    dim: number(16, "fourTerms.dim", { least: 1, most: 128 }),
    seed: number(1, "schemeLab.seed", SEEDS),
  },
  listed: { title: "posLab.fourTerms", place: 6, name: "fourTerms" },
  paper: "fourTerms.paper",
  intro: "fourTerms.intro",
  ask: (values, { lab, signal }) => lab.ask("fourTerms", values, { signal }),
  /** The arithmetic of the pair under the pointer, or of the last one. */
  summary: (found, { length }, _, { pointed: { cell } }) => {
    const isWithin = cell && cell.query < length && cell.key < length;
    const last = { query: length - 1, key: Math.max(0, length - 2) };
    const { query, key } = isWithin ? cell : last;
    const at = query * length + key;
    const terms = found.terms
      .map((term) => formatSigned(term[at] ?? NaN).replace(/^([+−])/, "$1 "))
      .join(" ");
    return html`<p class="note" id="sum"><span data-cell="${query},${key}">${message("fourTerms.pair", { query: query + 1, key: key + 1 })} ${terms.replace(/^\+ /, "")} = <b>${formatValue(found.scores[at] ?? NaN)}</b></span> <span class="small muted">${message("fourTerms.residue", { residue: formatValue(found.residue) })}</span></p>`;
  },
  views: ({ terms, scores }, { length }) => {
    const all = [...terms, scores];
    const beside = tensorOf(all.flat(), length);
    return TERMS.map((name, at): View => {
      const tensor = tensorOf(all[at] ?? [], length);
      const values = message(`fourTerms.${name}.short`);
      return {
        title: message(`fourTerms.${name}`),
        notes: [message(`fourTerms.${name}.hint`)],
        name,
        figure: linkedMatrix({ tensor, values, signed: true, height: 220, beside }),
      };
    });
  },
  file: {
    name: "four terms",
    suffix: ({ length, dim, seed }) => `tokens ${length} d ${dim} seed ${seed}`,
    details: ["length", "dim", "seed"],
  },
});
