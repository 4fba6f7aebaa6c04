import { html } from "lit";
import "../../../elements/positions.js";
import { formatNumber, message, formatFixed } from "../../../i18n/index.js";
import { curveOf, curves, demo, placeMatrix, table } from "../demo.js";
import { tensorOf } from "../../../kit/figure-data.js";
import { BASES, IN_VIEW, named, number, PAPER_BASE, SEEDS } from "../../../kit/fields.js";
import { formatValue } from "../../../draw/text.js";
import "../../../kit/dials.js";

/**
 * The demo of sinusoidal positions of any width, base and length: the table, one pair's waves, and
 * the similarity of positions.
 */
export const sinusoidal = demo("waves", {
  fields: {
    dim: number(64, "posDemo.dim", { least: 2, most: 512, step: 2 }),
    base: number(PAPER_BASE, "posDemo.base", BASES),
    length: number(64, "posDemo.length", { least: 2, most: 256 }),
    layout: named("at.layout", "at.layout", ["interleaved", "halves"], "interleaved"),
    pair: number(4, "posDemo.pair", {
      least: 0,
      most: 255,
      within: (of) => ({ most: Math.ceil(of("dim") / 2) - 1 }),
      ...IN_VIEW,
    }),
  },
  listed: { title: "posDemo.sinusoidal", place: 1, name: "sinusoidal" },
  paper: "posDemo.sinusoidal.paper",
  intro: "posDemo.sinusoidal.intro",
  ask: async ({ dim, base, length, layout }, { core, signal }) => {
    const asked = { dim, base, length, halves: layout === "halves" };
    const waves = await core.ask("waves", asked, { signal });
    const alike = await core.ask("similarity", { table: waves.table, dim }, { signal });
    return { ...waves, alike };
  },
  views: ({ table, wavelengths, alike }, { dim, length, layout, pair: chosen }) => {
    const pair = Math.min(chosen, wavelengths.length - 1);
    const column = (at: number): number[] => table.filter((_, index) => index % dim === at);
    const [sine, cosine] =
      layout === "halves" ? [pair, Math.ceil(dim / 2) + pair] : [2 * pair, 2 * pair + 1];
    // With an odd width the last pair has no cosine.
    const waves = [
      curveOf(message("posDemo.sine"), column(sine), 1),
      ...(cosine < dim ? [curveOf(message("posDemo.cosine"), column(cosine), 1)] : []),
    ];
    const product = message("posDemo.product");
    const wave = wavelengths[pair] ?? NaN;
    const wavelength = formatNumber(wave, wave < 1000 ? 2 : 0);
    const tensor = tensorOf(table, dim, ["position", "model_dim"]);
    return [
      {
        title: message("posDemo.table"),
        name: "table",
        figure: html`<headscope-positions .tensor=${tensor}></headscope-positions>`,
      },
      {
        title: message("posDemo.products"),
        notes: [message(dim % 2 === 0 ? "posDemo.products.hint" : "posDemo.products.odd")],
        name: "products",
        figure: placeMatrix(alike.products, length, product),
      },
      {
        title: message("posDemo.wave"),
        field: "pair",
        notes: [message("posDemo.wavelength", { pair, length: wavelength })],
        name: `pair ${pair}`,
        figure: curves(waves, { x: message("figure.position"), y: message("figure.value") }),
      },
      {
        title: message("posDemo.profile"),
        name: "profile",
        figure: curves([curveOf(product, alike.productsApart)], {
          x: message("posDemo.apart"),
          y: product,
        }),
      },
    ];
  },
  file: {
    name: "sinusoidal",
    suffix: ({ dim, base, length }) => `d ${dim} base ${base} length ${length}`,
    details: ["dim", "base", "length"],
  },
});

const LAST_TURNED = 127;

/**
 * The demo of rotary positions: pairs of dimensions as rotating hands, and a score that depends on
 * the distance alone.
 */
export const rotary = demo("rotary", {
  fields: {
    query: number(9, "rotaryDemo.query", { least: 0, most: LAST_TURNED }),
    key: number(4, "rotaryDemo.key", { least: 0, most: LAST_TURNED }),
    shift: number(20, "rotaryDemo.shift", { least: 0, most: 1024 }),
    headDim: number(16, "rotaryDemo.headDim", { least: 2, most: 128, step: 2, even: true }),
    base: number(PAPER_BASE, "rotaryDemo.base", BASES),
    seed: number(1, "rotaryDemo.seed", SEEDS),
    alike: { control: "flag", opens: false, label: "rotaryDemo.alike" },
  },
  listed: { title: "posDemo.rotary", place: 3 },
  paper: "rotaryDemo.paper",
  intro: "rotaryDemo.intro",
  ask: (values, { core, signal }) => core.ask("rotary", values, { signal }),
  views: (found, { query, key, shift }) => {
    const score = message("rotaryDemo.score");
    const at = (m: number, n: number): string => message("rotaryDemo.score.at", { m, n });
    const row = (name: string, head: string, ...cells: string[]) => ({ key: name, head, cells });
    const fixed = (of: "drawn" | "here" | "shifted"): string => formatFixed(found[of].score, 6);
    const rows = [
      row("drawn", message("rotaryDemo.score.drawn"), fixed("drawn")),
      row("here", at(query, key), fixed("here")),
      ...(shift === 0 ? [] : [row("shifted", at(query + shift, key + shift), fixed("shifted"))]),
      row("residue", message("rotaryDemo.residue"), formatValue(found.residue)),
    ];
    return [
      {
        title: message("rotaryDemo.hands"),
        name: `hands m ${query} n ${key} s ${shift}`,
        details: ["query", "key", "shift", "headDim", "base", "seed", "alike"],
        figure: html`<headscope-rotary-dials
          .found=${found}
          .shift=${shift}
        ></headscope-rotary-dials>`,
      },
      [
        {
          title: message("rotaryDemo.scores"),
          notes: [message("rotaryDemo.residue.hint")],
          figure: table(message("rotaryDemo.scores"), rows),
        },
        {
          title: message("rotaryDemo.curve"),
          name: "scores",
          figure: curves([curveOf(score, found.scores, -LAST_TURNED)], {
            x: "m − n",
            y: score,
            marked: query - key,
            markedAs: `m − n = ${formatNumber(query - key)}`,
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
