// The signs of the steps, which are the same in every language, and the formula of each.
import { html, type TemplateResult } from "lit";
import type { CellOperation, Step, Weight } from "../../data/index.js";

/** What a step is called in a formula, and what is done to come to it; an index follows an underscore. */
export const SYMBOLS: Readonly<Record<Step, readonly [symbol: string, operation: string]>> = {
  embedded: ["E + P", ""],
  input: ["X", "LN"],
  memory: ["Enc", ""],
  entered: ["LN(X)", "LN"],
  query: ["Q", "W_Q"],
  key: ["K", "W_K"],
  value: ["V", "W_V"],
  raw: ["QKᵀ", "Q · K"],
  scores: ["QKᵀ/√d", "÷ √d"],
  masked: ["S + M", "+ M"],
  weights: ["A", "softmax"],
  context: ["AV", "· V"],
  attended: ["O", "W_O"],
  sum: ["X + O", "+ X"],
  normed: ["Y", "LN"],
  looked: ["Z", ""],
  "looked-sum": ["Y + Z", "+ Y"],
  "looked-normed": ["Y′", "LN"],
  "ff-entered": ["LN(Y)", "LN"],
  "ff-hidden": ["H", "W_1"],
  "ff-activated": ["φ(H)", "φ"],
  "ff-output": ["F", "W_2"],
  "ff-sum": ["Y + F", "+ Y"],
  "ff-normed": ["X′", "LN"],
  final: ["LN(X′)", "LN"],
};

/** What the trained matrices are called. */
export const WEIGHTS: Readonly<Record<Weight, string>> = { query: "W_Q", key: "W_K", value: "W_V", output: "W_O", inner: "W₁", outer: "W₂" };

const mapped = (x: string, index: string): TemplateResult =>
  html`<math><mrow><munder><mo>∑</mo><mi>i</mi></munder><msub><mi>${x}</mi><mi>i</mi></msub><msub><mi>W</mi><mrow><mi>${index}</mi><mo>,</mo><mi>i</mi></mrow></msub><mo>+</mo><msub><mi>b</mi><mi>${index}</mi></msub></mrow></math>`;

const MAPPED: Partial<Readonly<Record<Step, TemplateResult>>> = {
  query: mapped("x", "Q"),
  key: mapped("x", "K"),
  value: mapped("x", "V"),
  attended: mapped("c", "O"),
  "ff-hidden": mapped("y", "1"),
  "ff-output": mapped("h", "2"),
  raw: html`<math><mrow><munder><mo>∑</mo><mi>i</mi></munder><msub><mi>q</mi><mi>i</mi></msub><msub><mi>k</mi><mi>i</mi></msub></mrow></math>`,
  context: html`<math><mrow><mi>g</mi><munder><mo>∑</mo><mi>j</mi></munder><msub><mi>a</mi><mi>j</mi></msub><msub><mi>v</mi><mi>j</mi></msub></mrow></math>`,
};

const FORMULAS: Readonly<Record<Exclude<CellOperation["kind"], "product" | "same">, TemplateResult>> = {
  scale: html`<math><mrow><mi>q</mi><mo>·</mo><mi>k</mi><mo>/</mo><msqrt><msub><mi>d</mi><mi>h</mi></msub></msqrt></mrow></math>`,
  mask: html`<math><mrow><mi>s</mi><mo>+</mo><mi>m</mi></mrow></math>`,
  softmax: html`<math><mfrac><msup><mi>e</mi><mrow><mi>s</mi><mo>−</mo><mi>max</mi></mrow></msup><mrow><munder><mo>∑</mo><mi>j</mi></munder><msup><mi>e</mi><mrow><msub><mi>s</mi><mi>j</mi></msub><mo>−</mo><mi>max</mi></mrow></msup></mrow></mfrac></math>`,
  add: html`<math><mrow><mi>x</mi><mo>+</mo><mi>f</mi><mo>(</mo><mi>x</mi><mo>)</mo></mrow></math>`,
  norm: html`<math><mrow><mfrac><mrow><mi>x</mi><mo>−</mo><mi>μ</mi></mrow><msqrt><mrow><msup><mi>σ</mi><mn>2</mn></msup><mo>+</mo><mi>ε</mi></mrow></msqrt></mfrac><mi>γ</mi><mo>+</mo><mi>β</mi></mrow></math>`,
  activation: html`<math><mrow><mi>φ</mi><mo>(</mo><mi>h</mi><mo>)</mo></mrow></math>`,
  embedding: html`<math><mrow><mi>s</mi><mi>E</mi><mo>[</mo><mi>id</mi><mo>]</mo><mo>+</mo><mi>P</mi><mo>[</mo><mi>p</mi><mo>]</mo></mrow></math>`,
};

/** The formula that makes the cells of a step; null where a step takes over what another has. */
export function formulaOf(step: Step, { kind }: CellOperation): TemplateResult | null {
  if (kind === "same") return null;
  return kind === "product" ? (MAPPED[step] ?? null) : FORMULAS[kind];
}
