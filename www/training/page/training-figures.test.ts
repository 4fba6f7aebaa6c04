// @vitest-environment happy-dom
// What the figures of a training show of a checkpoint, and what its controls ask for.
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  type HeadMeasures,
  ROLES,
  type RoleScores,
  type Stack,
  type Tensor,
} from "../../data/index.js";
import { emit } from "../../elements/events.js";
import type { HeadscopeGrid } from "../../elements/grid/element.js";
import type { HeadscopeHeatmap } from "../../elements/heatmap.js";
import { all, mount, put, textOf, textsOf } from "../../elements/testing/mount.js";
import { stubPainting } from "../../elements/testing/painted.js";
import { loadSentences, message } from "../../i18n/index.js";
import { button, choices, choose } from "../../ui/testing/controls.js";
import type { Checkpoint } from "../checkpoints.js";
import type { StackPicture } from "../picture.js";
import { fakeTraining } from "../testing/fake-training.js";
import type { Training } from "../training.js";
import type { Measured } from "../training-run.js";
import { HeadscopeTrainingFigures } from "./training-figures.js";

beforeAll(async () => {
  stubPainting(600);
  await loadSentences("training", "roles");
});
afterEach(() => document.body.replaceChildren());

const NO_ROLES = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as unknown as RoleScores;

/** A stack of 2 layers of 3 heads; a pattern says its place. */
function stackOf(stack: Stack, induction: number | null = null): StackPicture {
  const pattern = (layer: number, head: number): Tensor => ({
    data: Float32Array.of(10 * layer + head),
    shape: [1, 1],
    axes: ["query", "key"],
  });
  const places = [0, 1].flatMap((layer) => [0, 1, 2].map((head) => ({ layer, head })));
  const measures = places.map(({ layer, head }): HeadMeasures => {
    const own = layer === 1 && head === 2 ? { induction } : {};
    return { layer, head, entropy: 1, distance: null, roles: { ...NO_ROLES, ...own } };
  });
  return {
    stack,
    thumbnails: {
      data: new Float32Array(24),
      shape: [2, 3, 2, 2],
      axes: ["layer", "head", "query", "key"],
    },
    measures,
    patterns: [0, 1].map((layer) => [0, 1, 2].map((head) => pattern(layer, head))),
  };
}

const TEXT = { ids: [1, 2], targetIds: [3, 4, 5], asked: [] } as const;
const answer = (given: number, right: number): Checkpoint["picture"]["answers"][number] => ({
  position: 0,
  right,
  given,
  probability: 1,
});
const CHECKPOINT: Checkpoint = {
  step: 20,
  weights: new Uint8Array(),
  state: null,
  heldOut: { loss: 1, accuracy: 0 },
  picture: {
    text: TEXT,
    stacks: (["encoder", "decoder", "cross"] as const).map((stack) => stackOf(stack, 0.75)),
    answers: [answer(7, 7), answer(8, 9), answer(6, 6)],
  },
};
const MEASURED: Measured[] = [0, 20].map((step) => ({
  step,
  heldOut: { loss: 1, accuracy: 0 },
  stacks: [stackOf("decoder", step === 0 ? 0.1 : 0.75)],
}));

async function translating(): Promise<Training> {
  const training = await fakeTraining()("copy", {} as never, null, () => undefined);
  return { ...training, run: { course: { text: TEXT } } as unknown as Training["run"] };
}

async function figures(
  more: Partial<HeadscopeTrainingFigures> = {},
): Promise<HeadscopeTrainingFigures> {
  const given = { training: await translating(), checkpoint: CHECKPOINT, measured: MEASURED };
  return mount(new HeadscopeTrainingFigures(), { ...given, ...more });
}
const gridOf = (element: HeadscopeTrainingFigures): HeadscopeGrid =>
  all(element, "headscope-grid")[0] as HeadscopeGrid;
const heatmapOf = (element: HeadscopeTrainingFigures): HeadscopeHeatmap =>
  all(element, "headscope-heatmap")[0] as HeadscopeHeatmap;

it("show nothing without a training, and none of its numbers before the first checkpoint", async () => {
  expect(textOf((await mount(new HeadscopeTrainingFigures(), {})).renderRoot as never)).toBe("");
  const element = await figures({ checkpoint: null, measured: [] });
  expect(textsOf(element, "h3")).toEqual([
    message("training.heads", { step: 0 }),
    message("head.title", { layer: 0, head: 0 }),
  ]);
  expect([gridOf(element).thumbnails, heatmapOf(element).tensor]).toEqual([null, null]);
  for (const name of ["training.open", "training.save"] as const)
    expect(button(element, message(name)).disabled).toBe(true);
  expect(all(element, ".answers, headscope-choice")).toEqual([]);
});

it.each<[stack: Stack, queries: string, keys: string]>([
  ["encoder", "t1 t2", "t1 t2"],
  ["decoder", "t3 t4 t5", "t3 t4 t5"],
  ["cross", "t3 t4 t5", "t1 t2"],
])("have the tokens of both sides of the stack %s", async (stack, queries, keys) => {
  const element = await figures({ stack, head: { layer: 1, head: 1 } });
  const shown = heatmapOf(element);
  const textsIn = (tokens: HeadscopeHeatmap["queries"]): string =>
    tokens.map(({ text }) => text).join(" ");
  expect([textsIn(shown.queries), textsIn(shown.keys)]).toEqual([queries, keys]);
  expect(shown.tensor?.data[0]).toBe(11);
  expect(gridOf(element)).toMatchObject({ stack, basis: "here", selected: { layer: 1, head: 1 } });
  expect(textsOf(element, "h3")).toEqual([
    message("training.heads", { step: 20 }),
    message("head.title", { layer: 2, head: 2 }),
  ]);
  expect(Object.values(choices(element))[0]).toContain(`[${message(`stack.${stack}`)}]`);
});

it("show the last head where the chosen one is in a larger model, and the first stack", async () => {
  const element = await figures({ head: { layer: 5, head: 7 }, stack: null, label: "A" });
  expect(heatmapOf(element).tensor?.data[0]).toBe(12);
  expect(gridOf(element).stack).toBe("encoder");
  expect(textsOf(element, "h3")).toEqual([
    message("training.headsOf", { step: 20, run: "A" }),
    message("head.title", { layer: 2, head: 3 }),
  ]);
  const alone = { ...CHECKPOINT.picture, stacks: [stackOf("decoder")] };
  await put(element, { checkpoint: { ...CHECKPOINT, picture: alone } });
  expect(all(element, "headscope-choice")).toEqual([]);
});

it("name the roles of heads, and lead to the step at which a head took one", async () => {
  const [chooseStep, chooseHead] = [vi.fn(), vi.fn()];
  const element = await figures({ stack: "decoder", chooseStep, chooseHead });
  expect(gridOf(element).roles?.[1]?.[2]).toMatchObject({ role: "induction", score: 0.75 });
  const role = message("role.induction");
  const event = message("training.event", { step: 20, layer: 2, head: 3, role, score: "0.75" });
  expect(textsOf(element, ".events li")).toEqual([event]);
  button(element, event).click();
  expect([chooseStep.mock.calls, chooseHead.mock.calls]).toEqual([
    [[20]],
    [[{ layer: 1, head: 2 }]],
  ]);
  await put(element, { stack: "encoder" });
  expect(textsOf(element, ".events li")).toEqual([]);
});

it("ask for the head, the stack and the work that a user chooses", async () => {
  const asked = { chooseHead: vi.fn(), chooseStack: vi.fn(), open: vi.fn(), save: vi.fn() };
  const element = await figures({ stack: "decoder", ...asked });
  emit(gridOf(element), "headscope-head-select", { layer: 0, head: 2 });
  expect(asked.chooseHead.mock.calls).toEqual([[{ layer: 0, head: 2 }]]);
  choose(element, message("training.stack"), "cross");
  expect(asked.chooseStack).toHaveBeenLastCalledWith("cross");
  button(element, message("training.open")).click();
  expect([asked.open, asked.save].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  button(element, message("training.save")).click();
  expect(asked.save).toHaveBeenCalledTimes(1);
});

it("show the pair under the pointer, else the pinned one", async () => {
  const element = await figures();
  const [hovered, locked] = [
    { query: 0, key: 1 },
    { query: 1, key: 1 },
  ];
  emit(heatmapOf(element), "headscope-cell-lock", locked);
  await element.updateComplete;
  expect(heatmapOf(element)).toMatchObject({ focused: locked, locked });
  emit(heatmapOf(element), "headscope-cell-hover", hovered);
  await element.updateComplete;
  expect(heatmapOf(element)).toMatchObject({ focused: hovered, locked });
});

it("mark the wrong answers, with the right one, and count the right ones", async () => {
  const element = await figures();
  expect(textsOf(element, ".answers .muted")).toEqual([
    message("training.answers", { right: 2, count: 3 }),
  ]);
  const right = message("training.wrong", { right: "t9" });
  expect(textsOf(element, ".answer")).toEqual(["t7", `t8${right}`, "t6"]);
  expect(all(element, ".answer.wrong").map(({ title }) => title)).toEqual([right]);
  const silent = { ...CHECKPOINT, picture: { ...CHECKPOINT.picture, answers: [] } };
  await put(element, { checkpoint: silent });
  expect(all(element, ".answers")).toEqual([]);
});
