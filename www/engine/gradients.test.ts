// What the thread that records is asked about runs: which it repeats, with which text, and which it
// holds.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GradientQuestion, RunRequest } from "../data/index.js";
import { Client } from "./client.js";
import { GradientCore, type SoFar } from "./gradients.js";
import type { RunState } from "./protocol.js";
import { FakeThreads } from "./testing/fake-threads.js";

const QUESTION: GradientQuestion = {
  what: "gradient",
  target: { position: 0, id: 3 },
  at: [],
};

let threads: FakeThreads;
let core: GradientCore;

beforeEach(async () => {
  threads = new FakeThreads();
  const files = { config: "{}", checkpoint: [], backend: "cpu" } as const;
  const { client } = await Client.load(threads.spawn, { ...files, checkpoint: [] });
  core = await GradientCore.open(client);
});
afterEach(() => core.dispose());

/** A run that has read and written these tokens. */
function soFar(request: RunRequest, targetIds: number[] = [], translates = false): SoFar {
  const source = { request, translates, pixels: () => Promise.resolve(undefined) };
  return { source, state: { targetIds } as RunState };
}
const ofIds = (id: number): SoFar => soFar({ ids: [id] });
const ask = async (run: SoFar, other?: SoFar): Promise<number[][]> => {
  const found = (await core.ask(QUESTION, run, other)) as { data: Float32Array }[];
  return found.map(({ data }) => [...data]);
};
const begun = (): RunRequest[] => threads.log.begun;
const freed = (): number[][] => threads.log.freed.map(({ request }) => request.ids);

it("a question of two runs is asked with the one that the first is compared with", async () => {
  const [one, other] = [ofIds(4), ofIds(5)];
  expect(await ask(one, other)).toEqual([[4], [5]]);
  expect(await ask(other, one)).toEqual([[5], [4]]);
  expect(await ask(one)).toEqual([[4]]);
  expect(begun()).toHaveLength(2);
});

it("two runs are held, and the one that was begun first makes room for a third", async () => {
  const [one, other, third] = [ofIds(4), ofIds(5), ofIds(8)];
  for (const run of [one, other, one, third, other]) await ask(run);
  expect(begun().map(({ ids }) => ids)).toEqual([[4], [5], [8]]);
  await vi.waitFor(() => expect(freed()).toEqual([[4]]));
  expect(await ask(one)).toEqual([[4]]);
  await vi.waitFor(() => expect(freed()).toEqual([[4], [5]]));
});

it("a run that is forgotten is released, and computed again when it is asked", async () => {
  const [one, other] = [ofIds(4), ofIds(5)];
  await ask(one);
  core.forget(other);
  core.forget(one);
  await vi.waitFor(() => expect(freed()).toEqual([[4]]));
  expect(await ask(one)).toEqual([[4]]);
  expect(begun()).toHaveLength(2);
});

it("a run that is refused is released, and tried again when it is asked again", async () => {
  const refused = ofIds(200);
  for (const _ of [1, 2])
    await expect(ask(refused)).rejects.toMatchObject({ code: "input/bad-id" });
  core.forget(refused);
  const sent = threads.last.sent.map((message) =>
    message.kind === "call" ? message.call.kind : message.kind,
  );
  expect(sent).toEqual(["load", "begin", "release", "begin", "release"]);
  expect(await ask(ofIds(4))).toEqual([[4]]);
});

it("the numbers of an image go along, and no later run takes over rows of this one", async () => {
  const pixels = Float32Array.of(1, 2);
  const source = {
    request: { ids: [4] },
    translates: false,
    pixels: () => Promise.resolve(pixels),
  };
  await ask({ source, state: { targetIds: [] } as unknown as RunState });
  const [, begin] = threads.last.sent;
  expect(begin).toMatchObject({ call: { kind: "begin", isAside: true, pixels } });
});

it.each<[string, SoFar, RunRequest]>([
  [
    "as it was asked",
    soFar({ ids: [4, 5], attentionMask: [1, 0] }),
    { ids: [4, 5], attentionMask: [1, 0] },
  ],
  [
    "with the translation that was written",
    soFar({ ids: [4, 5], generate: {} }, [0, 8, 10], true),
    { ids: [4, 5], targetIds: [0, 8, 10] },
  ],
  [
    "with all that a decoder wrote",
    soFar({ ids: [4], generate: {} }, [4, 8, 10]),
    { ids: [4, 8, 10] },
  ],
  [
    "whose written tokens are real, and of the first kind",
    soFar(
      { ids: [4, 5], attentionMask: [0, 1], tokenTypeIds: [1, 1], generate: {} },
      [4, 5, 8, 10],
    ),
    { ids: [4, 5, 8, 10], attentionMask: [0, 1, 1, 1], tokenTypeIds: [1, 1, 0, 0] },
  ],
])("a run is repeated %s", async (_, run, request) => {
  await ask(run);
  expect(begun()).toEqual([request]);
});
