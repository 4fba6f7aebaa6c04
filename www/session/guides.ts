/**
 * The targets of the steps of the tour and of the questions of learners: the State that shows the
 * answer, the part of the page that a card points to, and the action that the card offers.
 *
 * Everything that their texts say about the models is tested against the models' numbers
 * (`tests/node/tour.test.ts`).
 */
import { type Guide, USUAL_SAMPLING } from "../state/index.js";
import { type Example, type Guidance, provideGuides } from "./guidance.js";
import { isShowable } from "./showable.js";

/** Whether a page has the model of a step of the tour or of a question. */
export const isGuideShowable = (guide: Guide): boolean => isShowable(GUIDES[guide].state);

/** A text whose next token is drawn at a temperature. */
const drawnAt = (temperature: number): Example => ({
  model: "models/tiny-gpt",
  text: "He has an old",
  stack: "decoder",
  layer: 0,
  head: 1,
  experiment: "decoding",
  sampling: { ...USUAL_SAMPLING, temperature },
});

export const GUIDES: Readonly<Record<Guide, Guidance>> = {
  row: {
    part: "headscope-picture-panel",
    state: {
      model: "models/tiny-bert",
      text: "My brother plays the piano every day.",
      stack: "encoder",
      layer: 0,
      head: 1,
      locked: { query: 3, key: 2 },
    },
  },
  match: {
    part: "headscope-inspector",
    state: {
      model: "models/tiny-bert",
      text: "My brother plays the piano every day.",
      stack: "encoder",
      layer: 2,
      head: 3,
      locked: { query: 3, key: 2 },
      stage: "raw",
    },
  },
  softmax: {
    part: "headscope-picture-panel",
    state: {
      model: "models/tiny-bert",
      text: "My brother plays the piano every day.",
      stack: "encoder",
      layer: 2,
      head: 3,
      locked: { query: 3, key: 2 },
      stage: "scores",
    },
    action: {
      name: "stage.weights",
      state: {
        model: "models/tiny-bert",
        text: "My brother plays the piano every day.",
        stack: "encoder",
        layer: 2,
        head: 3,
        locked: { query: 3, key: 2 },
      },
    },
  },
  heads: {
    part: "headscope-heads-panel",
    state: {
      model: "models/tiny-bert",
      text: "My brother plays the piano every day.",
      stack: "encoder",
      layer: 1,
      head: 0,
    },
  },
  mask: {
    part: "headscope-picture-panel",
    state: {
      model: "models/tiny-gpt",
      stack: "decoder",
      layer: 0,
      head: 1,
      text: "Tom and Mary went to the station.",
      picture: "mask",
      locked: { query: 3, key: 4 },
    },
  },
  order: {
    part: "headscope-picture-panel",
    state: { stack: "encoder", picture: "positions", text: "The woman knows the man." },
    action: {
      name: "tour.order.action",
      state: { stack: "encoder", picture: "positions", text: "The man knows the woman." },
    },
  },
  cross: { part: "headscope-picture-panel", state: {} },
  edit: {
    part: "headscope-heads-panel",
    state: {
      model: "models/tiny-gpt",
      stack: "decoder",
      layer: 0,
      head: 1,
      text: "He has an old car. He has an old",
      locked: { query: 10, key: 9 },
    },
    action: {
      name: "head.ablate",
      state: {
        model: "models/tiny-gpt",
        stack: "decoder",
        layer: 0,
        head: 1,
        text: "He has an old car. He has an old",
        locked: { query: 10, key: 9 },
        edits: { heads: [{ stack: "decoder", layers: [0], heads: [1], gate: 0 }] },
      },
    },
  },
  it: {
    part: "headscope-picture-panel",
    state: {
      text: "He took the apple and ate it.",
      stack: "encoder",
      layer: 2,
      head: 2,
      locked: { query: 6, key: 3 },
    },
    action: {
      name: "tour.it.action",
      state: {
        text: "He took the apple and ate it.",
        stack: "encoder",
        layer: 2,
        head: 2,
        locked: { query: 6, key: 3 },
        stage: "norms",
      },
    },
  },
  unscaled: {
    part: "headscope-edits-panel",
    state: {
      text: "I have a black cat and a white dog.",
      layer: 2,
      head: 5,
      locked: { query: 5, key: 3 },
      experiment: "variants",
      edits: { attention: [{ kind: "softmax", scale: "none" }] },
    },
  },
  future: {
    part: "headscope-edits-panel",
    state: {
      model: "models/tiny-gpt",
      text: "She lives in a small house near the river.",
      stack: "decoder",
      layer: 0,
      head: 1,
      experiment: "masks",
      demos: "masks(open-cheat)",
      edits: { masks: [{ stack: "decoder", mode: "replace", preset: { kind: "none" } }] },
    },
  },
  unordered: {
    part: "headscope-picture-panel",
    state: {
      text: "The girl loves the boy.",
      edits: { positions: [{ stack: "encoder", scheme: "none" }] },
    },
  },
  previous: {
    part: "headscope-heads-panel",
    state: {
      model: "models/tiny-gpt",
      text: "She lives in a small house near the river.",
      stack: "decoder",
      layer: 0,
      head: 1,
      roleFilter: "previous",
      locked: { query: 5, key: 4 },
    },
  },
  important: {
    part: "headscope-experiments",
    starts: "effect",
    state: {
      model: "models/tiny-gpt",
      text: "I don't want to go to school. I don't want to go to school",
      stack: "decoder",
      layer: 0,
      head: 1,
      experiment: "heads",
      demos: "heads(room-ranking)effect(word-17)",
    },
  },
  translation: { part: "headscope-picture-panel", state: { locked: { query: 4, key: 4 } } },
  sink: {
    part: "headscope-picture-panel",
    state: {
      model: "models/tiny-gpt",
      text: "She lives in a small house near the river.",
      stack: "decoder",
      layer: 2,
      head: 0,
      locked: { query: 7, key: 0 },
    },
  },
  cost: {
    part: "headscope-experiments",
    state: { stack: "encoder", experiment: "masks", demos: "masks(open-cost)" },
  },
  vectors: {
    part: "headscope-picture-panel",
    state: { picture: "dimensions", locked: { query: 4, key: 4 } },
  },
  weights: {
    part: "headscope-picture-panel",
    state: {
      picture: "steps",
      locked: { query: 4, key: 4 },
      number: { step: "weights", row: 4, column: 4 },
    },
  },
  output: {
    part: "headscope-picture-panel",
    state: {
      picture: "steps",
      locked: { query: 4, key: 4 },
      number: { step: "attended", row: 4, column: 0 },
    },
  },
  residual: {
    part: "headscope-picture-panel",
    state: {
      picture: "steps",
      locked: { query: 4, key: 4 },
      number: { step: "normed", row: 4, column: 0 },
    },
  },
  padding: {
    part: "headscope-experiments",
    state: { stack: "encoder", experiment: "masks", demos: "masks(open-pad)" },
  },
  schemes: {
    part: "headscope-experiments",
    state: { stack: "encoder", experiment: "positions", demos: "places(open-yes)" },
  },
  induction: {
    part: "headscope-picture-panel",
    starts: "patching",
    state: {
      model: "models/tiny-gpt",
      text: "I don't want to go to school. I don't want to go to",
      stack: "decoder",
      layer: 2,
      head: 2,
      locked: { query: 16, key: 8 },
    },
    action: {
      name: "tour.induction.action",
      state: {
        model: "models/tiny-gpt",
        text: "I don't want to go to school. I don't want to go to",
        stack: "decoder",
        layer: 2,
        head: 2,
        locked: { query: 16, key: 8 },
        experiment: "patching",
        otherText: "I don't want to go to bed. I don't want to go to",
      },
    },
  },
  meaning: {
    part: "headscope-picture-panel",
    state: {
      model: "models/tiny-bert",
      text: "She sits on the bank of the river.",
      compare: "other",
      otherText: "She has money in the bank.",
      stack: "encoder",
      layer: 1,
      head: 3,
      locked: { query: 6, key: 9 },
    },
  },
  sparse: {
    part: "headscope-edits-panel",
    state: {
      stack: "encoder",
      layer: 2,
      experiment: "variants",
      edits: {
        attention: [
          { stack: "encoder", layers: [0], kind: "sliding", parameters: { width: 2 } },
          { stack: "encoder", layers: [1], kind: "blocks", parameters: { size: 4, neighbours: 1 } },
          { stack: "encoder", layers: [2], kind: "linear" },
        ],
      },
    },
  },
  rank: { part: "headscope-inspector", state: { stack: "encoder", layer: 2, head: 6 } },
  patches: {
    part: "headscope-picture-panel",
    state: {
      model: "models/tiny-vit",
      stack: "encoder",
      layer: 3,
      head: 0,
      picture: "image",
      locked: { query: 0, key: 22 },
    },
  },
  layers: {
    part: "headscope-picture-panel",
    state: {
      model: "models/tiny-gpt",
      text: "He has an old car. He has an old",
      stack: "decoder",
      layer: 2,
      head: 0,
      picture: "layers",
    },
  },
  explanation: {
    part: "headscope-inspector",
    state: {
      model: "models/tiny-gpt",
      text: "I don't want to go to school. I don't want to go to",
      stack: "decoder",
      layer: 2,
      head: 0,
      picture: "layers",
    },
  },
  temperature: {
    part: "headscope-experiments",
    state: drawnAt(2),
    action: { name: "tour.temperature.action", state: drawnAt(0.5) },
  },
  beams: {
    part: "headscope-experiments",
    state: {
      text: "He made up his mind to quit smoking.",
      experiment: "decoding",
      demos: "decoding(mode-beams)beams(beams-4,tokens-20)",
    },
  },
  writing: {
    part: "headscope-experiments",
    state: { experiment: "decoding", demos: "decoding(step-5)" },
  },
  forming: {
    part: "headscope-training",
    // The preset of that name (`www/training/presets.ts`), which nothing below it may import.
    state: { training: "induction_heads.2_positions.rotary_steps.800" },
  },
};

provideGuides(GUIDES);
