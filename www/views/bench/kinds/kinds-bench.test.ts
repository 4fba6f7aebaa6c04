// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AttentionEdit, DropoutMean, HeadCost, HeadRef, Tensor } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import type { Run } from "../../../headscope.js";
import { NO_EDITS, type EditLists } from "../../../state/index.js";
import type { OnBench } from "../on-bench.js";
import { ON_BENCH } from "../testing/on-bench.js";
import type { HeadscopeKindReport } from "./kind-report.js";
import type { HeadscopeKindRule } from "./kind-rule.js";
import { HeadscopeKindsBench } from "./kinds-bench.js";

// The laboratory below has its own test.
vi.mock("../../demos/scores.js", () => ({ scores: null }));

const HEAD: HeadRef = { stack: "encoder", layer: 0, head: 1 };
const COST: HeadCost = {
  kind: "linear",
  implied: true,
  untrained: true,
  operations: 50,
  bytes: 64,
  exactOperations: 200,
  exactBytes: 128,
  pattern: { largest: 0.25, relative: 0.5 },
  output: { largest: 1e-9, relative: null },
};
const DROPPED: DropoutMean = {
  draws: 1000,
  mean: [0.25, 0.75, 0.5, 0.5],
  undropped: [0.25, 0.75, 0.5, 0.625],
  kept: [0, 2, 2, 2],
};
const MASK: Tensor = { data: new Float32Array(4), shape: [2, 2], axes: ["query", "key"] };

// Only what the report reads of a run.
const run = (dropped: DropoutMean | null): Run =>
  ({
    tokens: [],
    targetTokens: [],
    headCost: () => Promise.resolve(COST),
    mask: () => Promise.resolve(MASK),
    dropoutMean: () => Promise.resolve(dropped ?? { ...DROPPED, draws: 0 }),
  }) as unknown as Run;

async function bench(
  attention: readonly AttentionEdit[] = [],
  dropped: DropoutMean | null = null,
): Promise<{
  element: HeadscopeKindsBench;
  edits: () => EditLists;
  rules: () => HeadscopeKindRule[];
  report: () => HeadscopeKindReport;
}> {
  const on: OnBench = {
    ...ON_BENCH,
    edits: { ...NO_EDITS, attention },
    head: HEAD,
    run: run(dropped),
  };
  const element = await mount(new HeadscopeKindsBench(), { on });
  element.addEventListener("headscope-patch", ({ detail }) => {
    if (detail.edits && element.on) element.on = { ...element.on, edits: detail.edits };
  });
  return {
    element,
    edits: () => element.on?.edits ?? NO_EDITS,
    rules: () => [...element.renderRoot.querySelectorAll("headscope-kind-rule")],
    report: () => {
      const found = element.renderRoot.querySelector("headscope-kind-report");
      if (!found) throw new Error("no report");
      return found;
    },
  };
}

async function change(
  part: HeadscopeKindRule | HeadscopeKindsBench,
  selector: string,
  value: string,
): Promise<void> {
  const field = part.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event("change"));
  await part.updateComplete;
  for (const element of document.querySelectorAll("headscope-kinds-bench"))
    await element.updateComplete;
}

async function read(report: HeadscopeKindReport): Promise<string> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  await report.updateComplete;
  return report.renderRoot.textContent.replace(/\s+/g, " ");
}

afterEach(() => document.body.replaceChildren());

describe("<headscope-kinds-bench>", () => {
  it("changes the head that is looked at, and each edit in its place", async () => {
    const { element, edits, rules } = await bench();
    await change(element, "#add", "sliding");
    expect(edits().attention).toEqual([
      { stack: "encoder", layers: [0], heads: [1], kind: "sliding", parameters: { width: 2 } },
    ]);
    const [rule] = rules();
    if (!rule) throw new Error("no rule");
    await change(rule, "#width", "5");
    await change(rule, "#temperature", "0.5");
    await change(rule, "#rate", "0.3");
    await change(rule, "#dropout-seed", "8");
    await change(rule, "#reach", "stack");
    expect(edits().attention).toEqual([
      {
        stack: "encoder",
        kind: "sliding",
        parameters: { width: 5 },
        temperature: 0.5,
        dropout: { rate: 0.3, seed: 8 },
      },
    ]);
    await change(rule, "#kind", "linear");
    expect(edits().attention).toEqual([{ stack: "encoder", kind: "linear" }]);
    expect(rule.renderRoot.querySelector("#temperature")).toBeNull();
    rule.renderRoot.querySelector<HTMLButtonElement>(".remove")?.click();
    await element.updateComplete;
    expect([edits().attention, rules()]).toEqual([[], []]);
  });

  it("has a slider for the rank, from none to as many as there are tokens; each rest is one change", async () => {
    const { element, edits, rules } = await bench([{ stack: "encoder", kind: "low-rank" }]);
    if (element.on)
      element.on = {
        ...element.on,
        run: Object.assign(run(null), { tokens: Array.from({ length: 9 }) }),
      };
    await element.updateComplete;
    const slider = rules()[0]?.renderRoot.querySelector("headscope-number-slider");
    await slider?.updateComplete;
    const range = slider?.renderRoot.querySelector<HTMLInputElement>("input[type=range]");
    expect([range?.min, range?.max, range?.value]).toEqual(["0", "9", "4"]);
    if (!range) throw new Error("no slider");
    range.value = "2";
    range.dispatchEvent(new Event("input"));
    expect([
      slider?.renderRoot.querySelector<HTMLInputElement>("input[type=number]")?.value,
      edits().attention[0]?.parameters,
    ]).toEqual(["2", undefined]);
    range.dispatchEvent(new Event("change"));
    await element.updateComplete;
    expect(edits().attention).toEqual([
      { stack: "encoder", kind: "low-rank", parameters: { rank: 2 } },
    ]);
  });

  it("switches the scale off and sets it to a number", async () => {
    const { edits, rules } = await bench([{ kind: "softmax" }]);
    const [rule] = rules();
    if (!rule) throw new Error("no rule");
    const choose = async (detail: string): Promise<void> => {
      rule.renderRoot
        .querySelector("headscope-choice")
        ?.dispatchEvent(new CustomEvent("headscope-choose", { detail }));
      await rule.updateComplete;
    };
    await choose("none");
    expect(edits().attention).toEqual([{ kind: "softmax", scale: "none" }]);
    await choose("by");
    await change(rule, "#scale", "0.7");
    expect(edits().attention).toEqual([{ kind: "softmax", scale: 0.7 }]);
  });

  it("takes no nonsense: the field keeps it, and a sentence with a code says what could stand there", async () => {
    const { edits, rules } = await bench([{ kind: "chunked", parameters: { size: 4 } }]);
    const [rule] = rules();
    if (!rule) throw new Error("no rule");
    for (const [id, text, code] of [
      ["size", "", "field/not-a-number"],
      ["size", "0", "field/out-of-range"],
      ["temperature", "1e9", "field/out-of-range"],
      ["temperature", "-1", "field/out-of-range"],
    ] as const) {
      await change(rule, `#${id}`, text);
      const field = rule.renderRoot.querySelector<HTMLInputElement>(`#${id}`);
      expect([
        field?.value,
        field?.getAttribute("aria-invalid"),
        rule.renderRoot.querySelector(`#refused-${id} code`)?.textContent,
      ]).toEqual([text, "true", code]);
      expect(edits().attention).toEqual([{ kind: "chunked", parameters: { size: 4 } }]);
    }
  });

  it("says what was counted and how far the head is from exact attention", async () => {
    const { report } = await bench([{ kind: "linear" }]);
    const text = await read(report());
    expect(text).toContain("Layer 1 · head 2");
    expect(text).toContain("Untrained");
    expect(text).toContain("implies");
    expect(text).toContain("at most 0.25");
    expect(text).toContain("at most rounding");
    const cells = [...report().renderRoot.querySelectorAll("[data-count=operations] td")].map(
      (cell) => cell.textContent,
    );
    expect(cells).toEqual(["50", "200", "25.0%"]);
    expect(report().renderRoot.querySelector("[data-mean]")).toBeNull();
  });

  it("says of each kind whose pattern is implied what that comes from", async () => {
    const of = async (kind: HeadCost["kind"]): Promise<string> => {
      const { element, report } = await bench();
      element.on = {
        ...ON_BENCH,
        head: HEAD,
        revision: 1,
        run: { ...run(null), headCost: () => Promise.resolve({ ...COST, kind }) } as unknown as Run,
      };
      await element.updateComplete;
      await read(report());
      return read(report());
    };
    for (const kind of ["linear", "performer"] as const)
      expect(await of(kind)).toContain("takes no softmax of a row");
    const [rank, segments] = [await of("low-rank"), await of("linformer")];
    expect(rank).toContain("the softmax’s own, cut down to this rank");
    expect(segments).toContain("its softmax over segments");
    expect(rank + segments).not.toContain("takes no softmax");
  });

  it("compares exact attention with nothing, but what is not quite it", async () => {
    const apart = { largest: 1e-9, relative: 0 };
    const of = async (cost: Partial<HeadCost>): Promise<string> => {
      const { element, report } = await bench();
      element.on = {
        ...ON_BENCH,
        head: HEAD,
        revision: 1,
        run: {
          ...run(null),
          headCost: () => Promise.resolve({ ...COST, pattern: apart, output: apart, ...cost }),
        } as unknown as Run,
      };
      await element.updateComplete;
      await read(report());
      return read(report());
    };
    expect(await of({ kind: "softmax" })).not.toContain("differ");
    expect(await of({ kind: "chunked" })).toContain("at most rounding");
    expect(await of({ kind: "softmax", pattern: { largest: 0.25, relative: 0.5 } })).toContain(
      "at most 0.25",
    );
  });

  it("hatches what dropout took, and shows the mean beside the undropped weights", async () => {
    const { report } = await bench([{ dropout: { rate: 0.5, seed: 1 } }], DROPPED);
    const text = await read(report());
    expect(text).toContain("1,000 seeds");
    expect(text).toContain("further than 0.125");
    const [own, mean, undropped] = [
      ...report().renderRoot.querySelectorAll("headscope-numbers"),
    ].map(({ tensor }) => [...(tensor?.data ?? [])]);
    expect(own).toEqual([NaN, 1.5, 1, 1.25]);
    expect([mean, undropped]).toEqual([DROPPED.mean, DROPPED.undropped]);
    const sums = [...report().renderRoot.querySelectorAll("headscope-numbers")].map(
      ({ rowNames }) => rowNames.map((name) => Number(name.split(" · ")[0])),
    );
    const [rows = 0, columns = 0] = MASK.shape;
    const sumsOf = (values: readonly number[]): number[] =>
      Array.from({ length: rows }, (_, row) =>
        values.slice(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
      );
    expect(sums).toEqual([[1.5, 2.25], sumsOf(DROPPED.mean), sumsOf(DROPPED.undropped)]);
  });

  it("says that a long text's mean is not taken, where weights are dropped", async () => {
    const { element, report } = await bench([{ dropout: { rate: 0.5, seed: 1 } }]);
    const long = {
      ...run(DROPPED),
      mask: () => Promise.resolve({ ...MASK, shape: [300, 300] }),
    } as unknown as Run;
    if (element.on) element.on = { ...element.on, run: long, revision: 1 };
    await element.updateComplete;
    expect(await read(report())).toContain("at most 60,000 cells; this one has 90,000");
    if (element.on) element.on = { ...element.on, edits: NO_EDITS };
    await element.updateComplete;
    expect(await read(report())).not.toContain("60,000");
  });

  it("keeps the last head's numbers under its own title until the next head is read, and says when that fails", async () => {
    let answer: (cost: HeadCost) => void = () => undefined;
    let refuse: (thrown: Error) => void = () => undefined;
    const slow = {
      ...run(DROPPED),
      headCost: () =>
        new Promise<HeadCost>((resolve, reject) => ([answer, refuse] = [resolve, reject])),
    };
    const { element, report } = await bench();
    const look = async (head: HeadRef): Promise<string> => {
      element.on = { ...ON_BENCH, head, run: slow as unknown as Run };
      await element.updateComplete;
      return read(report());
    };
    expect(await read(report())).toContain("Layer 1 · head 2");
    expect(await look({ stack: "cross", layer: 1, head: 0 })).toContain("Layer 1 · head 2");
    answer({ ...COST, operations: 7 });
    const text = await read(report());
    expect(text).toContain("Layer 2 · head 1");
    expect(report().renderRoot.querySelector("[data-count=operations] td")?.textContent).toBe("7");
    await look(HEAD);
    refuse(new Error("out of memory"));
    expect(await read(report())).toContain("could not be read");
  });

  it("draws its thousand seeds for what stays: not while the text grows, and once for what came last", async () => {
    const draws: HeadRef[] = [];
    const counting = {
      ...run(DROPPED),
      dropoutMean: (which: HeadRef) => (draws.push(which), Promise.resolve(DROPPED)),
    } as unknown as Run;
    const { element, report } = await bench();
    for (let revision = 1; revision < 6; revision += 1) {
      element.on = { ...ON_BENCH, head: HEAD, run: counting, revision, growing: true };
      await element.updateComplete;
      await read(report());
    }
    expect(draws).toHaveLength(0);
    for (let revision = 6; revision < 12; revision += 1) {
      element.on = { ...ON_BENCH, head: HEAD, run: counting, revision };
      await element.updateComplete;
      await report().updateComplete;
    }
    await read(report());
    await read(report());
    expect(draws.length).toBeGreaterThan(0);
    expect(draws.length).toBeLessThan(6);
  });
});
