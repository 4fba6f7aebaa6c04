// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { textOf } from "../elements/testing/mount.js";
import { FAKE_INFO, FakeModel } from "../../tests/support/fake-model.js";
import type { Edits, HeadRef } from "../data/index.js";
import { loadSentences, message } from "../i18n/index.js";
import { editLists, editsOf } from "../state/index.js";
import { EXPERIMENT_PARTS, HeadscopeExperiments } from "./experiments.js";
import { sessionOf, show } from "../session/testing/session.js";
import { HeadscopeHeadsExperiment } from "./heads.js";
import { RuleForms } from "./testing/rule-forms.js";

// What stands below the forms has its own tests.
vi.mock("./demos/variants/scores.js", () => ({ scores: null }));

type Part = "masks" | "variants" | "positions" | "heads" | "blocks";

/** Renders a part of the experiments on a page that applies its edits. */
async function forms(
  name: Part,
  edits: Edits = {},
  head: HeadRef = { stack: "encoder", layer: 0, head: 1 },
  model = new FakeModel(),
): Promise<RuleForms & { edits: () => Edits }> {
  const experiment = name === "blocks" ? "heads" : name;
  await EXPERIMENT_PARTS[experiment].come();
  const texts = { text: "one two three", target: "un deux trois" };
  const demos = experiment === "heads" ? `heads(room-${name})` : null;
  const session = await sessionOf(
    { ...texts, ...head, edits: editLists(edits), experiment, demos },
    model,
  );
  const part = experiment === "heads" ? new HeadscopeHeadsExperiment() : new HeadscopeExperiments();
  const page = new RuleForms(await show(part, session));
  return Object.assign(page, { edits: () => editsOf(session.state.edits) });
}

const CROSS: HeadRef = { stack: "cross", layer: 1, head: 2 };
const ONE = { stack: "encoder", layers: [0], heads: [1] } as const;
const WINDOW = { kind: "window", width: 2 } as const;

beforeAll(() => loadSentences("experiments", "rules"));
afterEach(() => document.body.replaceChildren());
// What the last session shows in a frame to come, it shows while there are frames.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 300)));

describe("the rule editor", () => {
  it.each<{
    name: string;
    experiment: Part;
    edits?: object;
    head?: HeadRef;
    /** Steps of the form `label = value`; a step without a value presses the control. */
    steps: readonly string[];
    gives: object;
  }>([
    {
      name: "adds rules for the stack that is shown; everybody takes the place of the model's own mask",
      experiment: "masks",
      steps: ["Add a rule = window", "Add a rule = none"],
      gives: {
        masks: [
          { stack: "encoder", preset: WINDOW },
          { stack: "encoder", mode: "replace", preset: { kind: "none" } },
        ],
      },
    },
    {
      name: "changes every part of a rule in its place",
      experiment: "masks",
      edits: {
        masks: [
          { stack: "encoder", preset: WINDOW },
          { ...ONE, block: [[1, 0]] },
        ],
      },
      steps: [
        "Rule type = global",
        "each side = 0",
        "token positions = 3, 1",
        "Combine with rules above = replace",
        "Scope = head",
        "inverted",
        "past only",
        "Mask value = -1e9",
      ],
      gives: {
        masks: [
          {
            ...ONE,
            mode: "replace",
            invert: true,
            preset: { kind: "global", tokens: [0, 2], width: 0, oneSided: true },
          },
          { ...ONE, block: [[1, 0]] },
          { fill: "-1e9" },
        ],
      },
    },
    {
      name: "removes a rule",
      experiment: "masks",
      edits: { masks: [{ preset: WINDOW }, { ...ONE, block: [[1, 0]] }] },
      steps: ["Remove rule"],
      gives: { masks: [{ ...ONE, block: [[1, 0]] }] },
    },
    {
      name: "adds a variant to all heads and changes its numbers",
      experiment: "variants",
      steps: [
        "Change all heads to = sliding",
        "each side = 5",
        "temperature = 0.5",
        "dropout = 0.3",
        "dropout seed = 8",
        "Scope = stack",
      ],
      gives: {
        attention: [
          {
            stack: "encoder",
            kind: "sliding",
            parameters: { width: 5 },
            temperature: 0.5,
            dropout: { rate: 0.3, seed: 8 },
          },
        ],
      },
    },
    {
      name: "puts a scheme with its numbers in the place of the model's own",
      experiment: "positions",
      steps: ["Scheme = t5", "buckets = 8"],
      gives: { positions: [{ stack: "encoder", scheme: "t5", parameters: { buckets: 8 } }] },
    },
    {
      name: "has a table of positions that is drawn",
      experiment: "positions",
      edits: { positions: [{ stack: "encoder", scheme: "learned" }] },
      steps: ["Table = drawn", "seed = 5"],
      gives: { positions: [{ stack: "encoder", scheme: "learned", parameters: { seed: 5 } }] },
    },
    {
      name: "sets gates and patterns of a layer, a head",
      experiment: "heads",
      head: CROSS,
      steps: ["Fixed pattern = uniform", "Which heads = head", "Head gate = 0.5"],
      gives: {
        heads: [
          { stack: "cross", layers: [1], pattern: "uniform" },
          { stack: "cross", layers: [1], heads: [2], gate: 0.5 },
        ],
      },
    },
    {
      name: "sets blocks of a layer and of a stack; cross-attention's are the decoder's",
      experiment: "blocks",
      head: CROSS,
      steps: [
        "feed-forward: residual = off",
        "Which layers = stack",
        "cross-attention: norm = pre",
      ],
      gives: {
        blocks: [
          { stack: "decoder", layers: [1], sublayers: ["feed-forward"], residual: false },
          { stack: "decoder", sublayers: ["cross-attention"], norm: "pre" },
        ],
      },
    },
  ])("$experiment: $name", async ({ experiment, edits, head, steps, gives }) => {
    const page = await forms(experiment, edits, head);
    for (const { textContent } of page.all("fieldset")) expect(textContent).not.toContain("false");
    for (const step of steps) {
      const [label = "", value = null] = step.split(" = ");
      await page.set(label, value);
    }
    expect(page.edits()).toEqual(gives);
  });

  it.each([
    ["masks", "token positions", "one", "field/not-tokens"],
    ["masks", "token positions", "0", "field/not-tokens"],
    ["positions", "buckets", "256", "field/buckets"],
  ] as const)(
    "%s: the field “%s” refuses “%s” with %s, and nothing is changed",
    async (experiment, label, typed, code) => {
      const before: Edits = {
        masks: [{ preset: { kind: "global", tokens: [0, 1], width: 1 } }],
        positions: [{ stack: "encoder", scheme: "t5", parameters: { buckets: 8 } }],
      };
      const page = await forms(experiment, before);
      await page.set(label, typed);
      expect(page.edits()).toEqual(before);
      expect(page.all(".refusal code").map(({ textContent }) => textContent)).toEqual([code]);
    },
  );

  it("names where a rule holds that is about other heads", async () => {
    const page = await forms("masks", {
      masks: [{ stack: "encoder", layers: [2], preset: { kind: "causal" } }],
    });
    const list = page.find("Scope") as HTMLSelectElement;
    expect(textOf(list.selectedOptions[0])).toBe("Encoder, layer 3");
  });

  it("does not offer what the head, the model or the number of rules has no place for", async () => {
    const kinds = await forms("variants", {}, { stack: "decoder", layer: 0, head: 0 });
    expect(kinds.disabled("Change all heads to")).toEqual(["low-rank", "linformer"]);
    const hint = message("variantsExperiment.disabled");
    const saysWhy = (of: RuleForms): boolean => of.all("p").some((one) => textOf(one) === hint);
    expect([saysWhy(kinds), saysWhy(await forms("variants"))]).toEqual([true, false]);
    const full = await forms("masks", {
      masks: Array.from({ length: 256 }, () => ({ preset: { kind: "causal" as const } })),
    });
    expect((full.find("Add a rule") as HTMLSelectElement).disabled).toBe(true);
  });

  it.each<[part: Part, edits: Edits, fields: string[]]>([
    [
      "masks",
      {
        masks: [
          { preset: { kind: "dilated", width: 2, dilation: 3 } },
          { preset: { kind: "random", width: 0, keys: 2, seed: 1, tokens: [] } },
          { preset: { kind: "block", size: 4 } },
          { preset: { kind: "strided", stride: 4 } },
          { preset: { kind: "prefix", length: 4 } },
        ],
      },
      [
        "width 0…4294967295: 2",
        "dilation 1…4294967295: 3",
        "width 0…4294967295: 0",
        "keys 0…64: 2",
        "seed 0…4294967295: 1",
        "size 1…4294967295: 4",
        "stride 1…4294967295: 4",
        "length 0…4294967295: 4",
      ],
    ],
    [
      "positions",
      { positions: [{ stack: "encoder", scheme: "sinusoidal" }] },
      ["base 0.000001…1000000000000: 10000"],
    ],
    [
      "positions",
      { positions: [{ stack: "encoder", scheme: "t5" }] },
      ["buckets 4…512: 32", "maxDistance 3…1048576: 128", "seed 0…4294967295: 1"],
    ],
  ])(
    "%s: fields of %j go from the least to the most that a run takes",
    async (part, edits, fields) => {
      const page = await forms(part, edits);
      const shown = page.all("[type=number]").map((field) => {
        const { id, min, max, value } = field as HTMLInputElement;
        return `${id} ${min}…${max}: ${value}`;
      });
      expect(shown).toEqual(fields);
    },
  );

  it("slides the rank to as many directions as there are tokens; each rest is one change", async () => {
    const page = await forms("variants", { attention: [{ stack: "encoder", kind: "low-rank" }] });
    const range = page.find("rank") as HTMLInputElement;
    expect([range.min, range.max, range.value]).toEqual(["0", "4", "4"]);
    range.value = "2";
    range.dispatchEvent(new Event("input"));
    expect(page.edits().attention?.[0]?.parameters).toBeUndefined();
    range.dispatchEvent(new Event("change"));
    expect(page.edits().attention).toEqual([
      { stack: "encoder", kind: "low-rank", parameters: { rank: 2 } },
    ]);
  });

  it("does not offer rotary positions where a head's width is odd, and says why", async () => {
    const page = await forms("positions");
    expect(page.disabled("Scheme")).toEqual([]);
    const stacks = { encoder: { layers: 3, heads: 8, kvHeads: 8, headDim: 5 } };
    const odd = await forms("positions", {}, undefined, new FakeModel({ ...FAKE_INFO, stacks }));
    expect(odd.disabled("Scheme")).toEqual(["rotary"]);
    const words = odd.all("p").map(({ textContent }) => textContent);
    expect(words.join()).toContain("RoPE needs an even head width; this model has 5");
  });
});
