import { beforeAll, describe, expect, it } from "vitest";
import { type HeadMeasures, type Role, ROLES, type RoleScores } from "../../data/index.js";
import { loadSentences } from "../../i18n/index.js";
import type { Measured, TrainingRun } from "../training-run.js";
import { headLines, roleEvents } from "./heads-forming.js";
import { roleMarks, trainingAnswer } from "./training-answer.js";

beforeAll(() => loadSentences("training", "roles"));

const NO_ROLES = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as unknown as RoleScores;

const head = (at: number, roles: Partial<Record<Role, number>>): HeadMeasures => ({
  layer: 0,
  head: at,
  entropy: at,
  distance: null,
  roles: { ...NO_ROLES, ...roles },
});

const measured = (step: number, measures: HeadMeasures[]): Measured => ({
  step,
  heldOut: { loss: 1, accuracy: 0 },
  stacks: [{ stack: "decoder", measures }],
});

describe("when heads take their roles", () => {
  it("is the first step from which a head has the role that it still has", () => {
    const scores = [0.1, 0.6, 0.3, 0.7, 0.9];
    const all = scores.map((induction, at) => measured(20 * at, [head(0, { induction })]));
    expect(roleEvents(all, "decoder")).toEqual([
      { step: 60, layer: 0, head: 0, role: "induction", score: 0.9 },
    ]);
    expect(roleEvents(all.slice(0, 3), "decoder")).toEqual([]);
  });

  it("is not known of a head that had its role by chance before the first step", () => {
    const all = [0, 20].map((step) => measured(step, [head(0, { previous: 0.9 })]));
    expect(roleEvents(all, "decoder")).toEqual([]);
  });

  it("names the most specific role first, then the earliest", () => {
    const before = measured(0, [head(0, {}), head(1, {}), head(2, {})]);
    const first = measured(20, [head(0, {}), head(1, { previous: 0.8 }), head(2, {})]);
    const last = [{ previous: 0.6 }, { previous: 0.8 }, { induction: 0.5 }].map((roles, at) =>
      head(at, roles),
    );
    const events = roleEvents([before, first, measured(40, last)], "decoder");
    expect(events.map(({ head: at, step }) => [at, step])).toEqual([
      [2, 40],
      [1, 20],
      [0, 40],
    ]);
  });
});

it("a training is answered by its loss, the head that narrowed most, and two that took a role", () => {
  const narrow = (one: HeadMeasures, entropy: number): HeadMeasures => ({ ...one, entropy });
  const before = [0, 1, 2].map((at) => narrow(head(at, {}), 2));
  const after = [
    narrow(head(0, { previous: 0.9 }), 1.5),
    narrow(head(1, { induction: 0.8 }), 0.25),
    narrow(head(2, { self: 0.9 }), 2.5),
  ];
  const run = {
    measured: [
      { ...measured(0, before), heldOut: { loss: 4096, accuracy: 0 } },
      { ...measured(40, after), heldOut: { loss: 1.254, accuracy: 1 } },
    ],
  } as unknown as TrainingRun;
  expect(trainingAnswer(run).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    "held-out loss: 4,096 → 1.25 at step 40",
    "head 1.2, entropy in nats: 2.00 → 0.25 at step 40",
    "head 1.2: induction: from step 40",
    "head 1.1: previous token: from step 40",
  ]);
  expect(trainingAnswer(run)[0]?.numbers).toEqual({ loss: 1.254, step: 40 });
  expect(roleMarks({ run, name: "" }, "decoder").map(({ x }) => x)).toEqual([40, 40, 40]);
  const unchanged = {
    measured: [measured(0, before), measured(20, before)],
  } as unknown as TrainingRun;
  expect(trainingAnswer(unchanged)).toHaveLength(1);
  for (const early of [[], run.measured.slice(0, 1)])
    expect(trainingAnswer({ measured: early } as unknown as TrainingRun)).toEqual([]);
});

it("draws a line for each head, with a gap where it was not measured", () => {
  const all = [measured(0, [head(1, {})]), measured(20, [head(0, {}), head(1, {})])];
  const lines = headLines(
    all,
    "decoder",
    ({ entropy }) => entropy,
    (layer, at) => `${layer}.${at}`,
  );
  expect(lines).toEqual([
    {
      name: "0.0",
      points: [
        { x: 0, y: NaN },
        { x: 20, y: 0 },
      ],
    },
    {
      name: "0.1",
      points: [
        { x: 0, y: 1 },
        { x: 20, y: 1 },
      ],
    },
  ]);
});
