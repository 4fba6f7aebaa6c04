import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assignedRole } from "../../www/data/index.js";
import type { Edits, Model, Run, Stack, Stage } from "../../www/headscope.js";
import { DEFAULT_STATE, type ModelName, type TourStep } from "../../www/state/index.js";
import { loadGuides } from "../../www/session/load-guides.js";
import { arrivalAt } from "../../www/session/tour-steps.js";
import { loadModel } from "./package.js";

/* What the words of the tour say of the models, held against the models. */

const models = new Map<ModelName, Promise<Model>>();
beforeAll(loadGuides);
afterAll(async () => {
  for (const model of models.values()) (await model).dispose();
});

async function modelOf(name: ModelName): Promise<Model> {
  const loaded =
    models.get(name) ?? loadModel(fileURLToPath(new URL(`../../${name}`, import.meta.url)));
  models.set(name, loaded);
  return loaded;
}

/** The pattern of the head that a step shows, by token. */
interface Seen {
  model: Model;
  run: Run;
  queries: string[];
  keys: string[];
  row: (query: number, stage?: Stage) => Promise<number[]>;
}

async function seen(step: TourStep, edits?: Edits): Promise<Seen> {
  const { model: name, text, masked, stack, layer, head } = arrivalAt(step, DEFAULT_STATE);
  const model = await modelOf(name);
  const run = await model.run({ text, masked: [...masked], ...(edits && { edits }) });
  const texts = (side: Run["tokens"]): string[] => side.map((token) => token.text);
  const target = texts(run.targetTokens.length > 0 ? run.targetTokens : run.tokens);
  const keys = stack === "decoder" ? target : texts(run.tokens);
  const row = async (query: number, stage: Stage = "weights"): Promise<number[]> => {
    const { data } = await run.attention({ stack, layer, head, stage });
    return [...data.subarray(query * keys.length, (query + 1) * keys.length)];
  };
  return { model, run, queries: stack === "encoder" ? texts(run.tokens) : target, keys, row };
}

const strongest = (row: number[]): number => row.indexOf(Math.max(...row));

describe("the tour says of the models what is so", () => {
  it("row: every row but the first looks at the token before", async () => {
    const { queries, row } = await seen("row");
    const looks = await Promise.all(queries.map(async (_, query) => strongest(await row(query))));
    expect(looks.slice(1)).toEqual(queries.slice(1).map((_, before) => before));
    expect([queries[3], queries[2], queries[5], queries[4]]).toEqual([
      "plays",
      "brother",
      "piano",
      "the",
    ]);
  });

  it("match: queries and keys have 32 numbers, and “brother” fits “plays” best", async () => {
    const { model, queries, keys, row } = await seen("match");
    expect([
      queries[3],
      keys[strongest(await row(3, "raw"))],
      model.info.stacks.encoder?.headDim,
    ]).toEqual(["plays", "brother", 32]);
  });

  it("softmax: one more in score is 2.7 times the share, 0.57 against 0.21", async () => {
    const { keys, row } = await seen("softmax");
    const scores = await row(3, "scores");
    const weights = await row(3);
    expect([keys[2], keys[1]]).toEqual(["brother", "my"]);
    expect((scores[2] ?? NaN) - (scores[1] ?? NaN)).toBeCloseTo(1, 1);
    expect([weights[2]?.toFixed(2), weights[1]?.toFixed(2)]).toEqual(["0.57", "0.21"]);
    expect(Math.E.toFixed(1)).toBe("2.7");
  });

  it("heads: four layers of four, the one that is shown looks at the next token, and the others are there", async () => {
    const { model } = await seen("heads");
    const worn = model.notes?.roles.encoder?.map((heads) => heads.map(assignedRole)) ?? [];
    expect(worn.map((heads) => heads.length)).toEqual([4, 4, 4, 4]);
    const { layer, head } = arrivalAt("heads", DEFAULT_STATE);
    expect(worn[layer]?.[head]).toBe("next");
    expect(worn.flat()).toEqual(expect.arrayContaining(["previous", "self", "broad"]));
  });

  it("mask: no token looks at a later one, “Mary” not at “went”", async () => {
    const { queries, keys, row } = await seen("mask");
    const { locked } = arrivalAt("mask", DEFAULT_STATE);
    expect([queries[locked?.query ?? -1], keys[locked?.key ?? -1]]).toEqual(["Mary", "went"]);
    for (const query of queries.keys()) {
      expect((await row(query, "masked")).map((score) => score === -Infinity)).toEqual(
        keys.map((_, key) => key > query),
      );
      expect((await row(query)).map((weight) => weight === 0)).toEqual(
        keys.map((_, key) => key > query),
      );
    }
  });

  it("order: no two places have the same numbers, and two words that are exchanged are so in the translation", async () => {
    const { model, run } = await seen("order");
    const { data, shape } = await run.positions({ stack: "encoder" });
    const [places = 0, width = 0] = shape;
    const rows = Array.from({ length: places }, (_, place) =>
      data.subarray(place * width, (place + 1) * width).join(),
    );
    expect(new Set(rows).size).toBe(places);
    const exchanged = await model.run({
      text: arrivalAt("order", DEFAULT_STATE).text.replace(/(woman)(.*)(man)/, "$3$2$1"),
    });
    const nouns = ({ targetText }: Run): string[] => targetText.match(/femme|homme/g) ?? [];
    expect([nouns(run), nouns(exchanged)]).toEqual([
      ["femme", "homme"],
      ["homme", "femme"],
    ]);
  });

  it("cross: each row looks at the English word of which the next French one is made", async () => {
    const { queries, keys, row } = await seen("cross");
    const made = await Promise.all(
      queries.slice(1).map(async (next, before) => [next, keys[strongest(await row(before))]]),
    );
    expect(made).toEqual(
      expect.arrayContaining([
        ["Elle", "She"],
        ["lui", "him"],
        ["donna", "gave"],
        ["le", "the"],
        ["livre", "book"],
        ["il", "he"],
        ["voulait", "wanted"],
        ["lire", "read"],
      ]),
    );
    // What the words say.
    expect(queries[queries.indexOf("donna") - 1]).toBe("lui");
  });

  it("edit: “car” has about 70% because later heads find it, and without the head that is shown neither is so", async () => {
    const { stack, layer, head, locked } = arrivalAt("edit", DEFAULT_STATE);
    const edits: Edits = { heads: [{ stack, layers: [layer], heads: [head], gate: 0 }] };
    const speaking = await seen("edit");
    const silent = await seen("edit", edits);
    const last = locked?.query ?? -1;
    const car = speaking.keys.indexOf("car");
    expect([
      speaking.queries[last],
      speaking.queries[car - 1],
      speaking.queries.length - 1,
    ]).toEqual(["old", "old", last]);
    const believed = async ({ run }: Seen): Promise<(readonly [string, number])[]> => {
      const [best = []] = await run.predictions({ positions: [last], topK: 5 });
      return best.map(({ text, probability }) => [text, probability] as const);
    };
    const [best = ["", NaN]] = await believed(speaking);
    expect([best[0], best[1].toFixed(1)]).toEqual(["car", "0.7"]);
    expect((await believed(silent)).map(([text]) => text)).not.toContain("car");
    // Ten of the twelve later heads, and then one.
    expect([
      await finders(speaking, stack, layer, last, car),
      await finders(silent, stack, layer, last, car),
    ]).toEqual([10, 1]);
  });
});

/** How many heads of the layers after `layer` give most of a query's attention to a key. */
async function finders(
  { model, run, keys }: Seen,
  stack: Stack,
  layer: number,
  query: number,
  key: number,
): Promise<number> {
  const { layers, heads } = model.info.stacks[stack] ?? { layers: 0, heads: 0 };
  let count = 0;
  for (let later = layer + 1; later < layers; later += 1) {
    for (let head = 0; head < heads; head += 1) {
      const { data } = await run.attention({ stack, layer: later, head });
      if ((data[query * keys.length + key] ?? 0) > 0.5) count += 1;
    }
  }
  return count;
}
