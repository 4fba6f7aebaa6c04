/** An example State for each term that the help explains. */
import type { Example } from "../../session/guidance.js";

export const TERMS = {
  token: {},
  embedding: {
    stack: "encoder",
    layer: 0,
    picture: "steps",
    number: { step: "input", row: 1, column: 0 },
  },
  position: { stack: "encoder", picture: "positions" },
  projection: { picture: "dimensions", locked: { query: 4, key: 4 } },
  raw: { stage: "raw", locked: { query: 4, key: 4 } },
  scaled: { stage: "scores", locked: { query: 4, key: 4 } },
  weights: { locked: { query: 4, key: 4 } },
  head: { stack: "encoder" },
  context: {
    picture: "steps",
    locked: { query: 4, key: 4 },
    number: { step: "context", row: 4, column: 0 },
  },
  output: {
    picture: "steps",
    locked: { query: 4, key: 4 },
    number: { step: "attended", row: 4, column: 0 },
  },
  residual: {
    picture: "steps",
    locked: { query: 4, key: 4 },
    number: { step: "sum", row: 4, column: 0 },
  },
  norm: {
    picture: "steps",
    locked: { query: 4, key: 4 },
    number: { step: "normed", row: 4, column: 0 },
  },
  ffn: {
    picture: "steps",
    locked: { query: 4, key: 4 },
    number: { step: "ff-hidden", row: 4, column: 0 },
  },
  encoder: { stack: "encoder" },
  decoder: { stack: "decoder" },
  cross: {},
  causal: {
    model: "models/tiny-gpt",
    text: "The cat bites the dog.",
    stack: "decoder",
    picture: "mask",
  },
  padding: { stack: "encoder", experiment: "masks", demos: "masks(open-pad)" },
  logits: {
    model: "models/tiny-gpt",
    text: "The cat bites the dog.",
    stack: "decoder",
    locked: { query: 4, key: 4 },
  },
  masked: {
    model: "models/tiny-bert",
    text: "He does not speak French.",
    masked: [4],
    stack: "encoder",
  },
  sink: {
    model: "models/tiny-gpt",
    text: "The cat bites the dog.",
    stack: "decoder",
    layer: 2,
    head: 0,
  },
  induction: {
    model: "models/tiny-gpt",
    text: "He has an old car. He has an old",
    stack: "decoder",
    layer: 2,
    head: 2,
  },
  ablation: {
    edits: { heads: [{ stack: "cross", layers: [1], heads: [4], gate: 0 }] },
    compare: "original",
  },
  entropy: { headSort: "entropy" },
  rope: { stack: "encoder", experiment: "positions", demos: "places(open-yes,part-rotary)" },
} as const satisfies Readonly<Record<string, Example>>;
