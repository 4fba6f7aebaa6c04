import { html } from "lit";
import "../../../elements/positions.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { curveOf, curves, demo, placeMatrix, tensorOf } from "../demo.js";
import { BASES, IN_VIEW, named, number, PAPER_BASE } from "../fields.js";

/** Sinusoidal positions of any width, base and length: the table, one pair's waves, and how alike positions are. */
export const sinusoidal = demo("waves", {
  fields: {
    dim: number(64, "posLab.dim", { least: 2, most: 512, step: 2 }),
    base: number(PAPER_BASE, "posLab.base", BASES),
    length: number(64, "posLab.length", { least: 2, most: 256 }),
    layout: named("at.layout", "at.layout", ["interleaved", "halves"], "interleaved"),
    pair: number(4, "posLab.pair", {
      least: 0,
      most: 255,
      within: (of) => ({ most: Math.ceil(of("dim") / 2) - 1 }),
      ...IN_VIEW,
    }),
  },
  listed: { title: "posLab.sinusoidal", place: 1, name: "sinusoidal" },
  paper: "posLab.sinusoidal.paper",
  intro: "posLab.sinusoidal.intro",
  ask: async ({ dim, base, length, layout }, { lab, signal }) => {
    const asked = { dim, base, length, halves: layout === "halves" };
    const waves = await lab.ask("waves", asked, { signal });
    const alike = await lab.ask("likeness", { table: waves.table, dim }, { signal });
    return { ...waves, alike };
  },
  views: ({ table, wavelengths, alike }, { dim, length, layout, pair: chosen }) => {
    const pair = Math.min(chosen, wavelengths.length - 1);
    const column = (at: number): number[] => table.filter((_, index) => index % dim === at);
    const [sine, cosine] =
      layout === "halves" ? [pair, Math.ceil(dim / 2) + pair] : [2 * pair, 2 * pair + 1];
    // Of an odd width the last pair has no cosine.
    const waves = [
      curveOf(message("posLab.sine"), column(sine), 1),
      ...(cosine < dim ? [curveOf(message("posLab.cosine"), column(cosine), 1)] : []),
    ];
    const product = message("posLab.product");
    const wave = wavelengths[pair] ?? NaN;
    const wavelength = formatNumber(wave, wave < 1000 ? 2 : 0);
    const tensor = tensorOf(table, dim, ["position", "model_dim"]);
    return [
      {
        title: message("posLab.table"),
        name: "table",
        figure: html`<headscope-positions .tensor=${tensor}></headscope-positions>`,
      },
      {
        title: message("posLab.products"),
        notes: [message(dim % 2 === 0 ? "posLab.products.hint" : "posLab.products.odd")],
        name: "products",
        figure: placeMatrix(alike.products, length, product),
      },
      {
        title: message("posLab.wave"),
        field: "pair",
        notes: [message("posLab.wavelength", { pair, length: wavelength })],
        name: `pair ${pair}`,
        figure: curves(waves, { x: message("figure.position"), y: message("figure.value") }),
      },
      {
        title: message("posLab.profile"),
        name: "profile",
        figure: curves([curveOf(product, alike.productsApart)], {
          x: message("posLab.apart"),
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
