import { describe, expect, it, vi } from "vitest";
import type { At, Edits, PatchEdit, Stacks, Token } from "../data/index.js";
import { failed } from "../../tests/support/fake-model.js";
import type { Run, RunInput } from "./contract.js";
import { placePatches, type PlacedPatches } from "./patches.js";

const STACKS = { encoder: { layers: 3, heads: 4 } } as Stacks;

const AT: At = { stack: "encoder", layer: 1, step: "context", head: 0, positions: [1] };

const tokensOf = (ids: number[]): Token[] => ids.map((id) => ({ id }) as Token);

/** Runs of ids, or of as many tokens as a text has letters; an activation is the first id. */
function fakes() {
  const released = vi.fn();
  /** The numbers of the patches of each run. */
  const asked = new Map<Run, { data: number[] }>();
  const compute = vi.fn((input: RunInput) => {
    const ids = input.ids ?? Array.from(input.text ?? "", (letter) => letter.charCodeAt(0));
    const run: Partial<Run> = {
      tokens: tokensOf(ids),
      targetTokens: tokensOf(input.targetIds ?? []),
      activation: ({ layer }: At) =>
        layer > 1
          ? Promise.reject(failed("selection/bad-layer"))
          : Promise.resolve({
              data: Float32Array.of(ids[0] ?? 0, 0.5),
              shape: [1, 2],
              axes: ["position", "head_dim"],
            }),
      direct: ({ from, other }) => {
        const { data } = asked.get(other) ?? { data: [] };
        return Promise.resolve({
          data: Float32Array.of(from.length, ...data),
          shape: [1, 1 + data.length],
          axes: ["position", "head_dim"],
        });
      },
      release: released,
    };
    const senders = input.edits?.patches ?? [];
    const data = senders.flatMap(({ from }) => ("values" in from ? from.values.flat() : []));
    asked.set(run as Run, { data });
    return Promise.resolve(run as Run);
  });
  return { compute, released };
}

const patched = (
  edits: Edits,
  compute: (input: RunInput) => Promise<Run>,
  { targetIds, lenient = false }: RunInput = {},
  writesTarget = false,
): Promise<PlacedPatches> => {
  const input = { ids: [1, 2, 3], ...(targetIds && { targetIds }) };
  const request = { ...input, lenient };
  return placePatches({ input, edits, request, stacks: STACKS, writesTarget }, compute);
};

describe("patches", () => {
  it("have the numbers of their source's run, which is computed once and released", async () => {
    const { compute, released } = fakes();
    const values = { values: [[9, 9]] };
    const patches = [
      { at: AT, from: { ids: [7, 2, 3] } },
      { at: { ...AT, layer: 0 }, from: { ids: [7, 2, 3] } },
      { at: AT, from: { text: "abc" } },
      { at: AT, from: values },
    ];
    const { edits, placed, misfits } = await patched({ heads: [], patches }, compute);
    expect([placed, misfits]).toEqual([patches, []]);
    expect(edits).toEqual({
      heads: [],
      patches: [
        { at: AT, from: { values: [[7, 0.5]] } },
        { at: { ...AT, layer: 0 }, from: { values: [[7, 0.5]] } },
        { at: AT, from: { values: [[97, 0.5]] } },
        { at: AT, from: values },
      ],
    });
    expect(compute).toHaveBeenCalledTimes(2);
    expect(released).toHaveBeenCalledTimes(2);
  });

  it("of numbers alone need no run", async () => {
    const { compute } = fakes();
    const edits = { patches: [{ at: AT, from: { values: [[1, 2]] } }] };
    expect((await patched(edits, compute)).edits).toEqual(edits);
    expect(compute).not.toHaveBeenCalled();
  });

  it("read the target of the patched run unless they have their own", async () => {
    const { compute } = fakes();
    const edits = {
      patches: [
        { at: AT, from: { ids: [7, 2, 3] } },
        { at: AT, from: { ids: [7, 2, 3], targetIds: [0, 8] } },
      ],
    };
    await patched(edits, compute, { targetIds: [0, 5] });
    expect(compute.mock.calls.map(([input]) => input.targetIds)).toEqual([
      [0, 5],
      [0, 8],
    ]);
  });

  it.each<[string, Edits["patches"] & {}, RunInput, string]>([
    ["a longer text", [{ at: AT, from: { ids: [1, 9, 2, 3] } }], {}, "token 2"],
    ["a shorter text", [{ at: AT, from: { ids: [1, 2] } }], {}, "token 3"],
    [
      "another target",
      [{ at: AT, from: { ids: [7, 2, 3], targetIds: [0] } }],
      { targetIds: [0, 5] },
      "the target of the source of patch 0",
    ],
  ])("from %s are refused, and the run is released", async (_, patches, input, words) => {
    const { compute, released } = fakes();
    await expect(patched({ patches }, compute, input)).rejects.toMatchObject({
      code: "selection/other-length",
      message: expect.stringContaining(words) as string,
    });
    expect(released).toHaveBeenCalledTimes(1);
  });

  it("without counterparts are left out of a lenient request, with the reason", async () => {
    const { compute } = fakes();
    const elsewhere = { ...AT, layer: 9 };
    compute.mockImplementationOnce(() => Promise.reject(failed("input/empty")));
    const patches = [
      { at: AT, from: { text: "" } },
      { at: AT, from: { ids: [7, 2, 3] } },
      { at: AT, from: { text: "ab" } },
      { at: elsewhere, from: { text: "abc" } },
    ];
    const { edits, placed, misfits } = await patched({ patches }, compute, { lenient: true });
    expect(edits.patches).toEqual([{ at: AT, from: { values: [[7, 0.5]] } }]);
    expect(placed).toEqual([patches[1]]);
    expect(misfits.map(({ list, index, says }) => [list, index, says])).toEqual([
      ["patches", 0, "inactive"],
      ["patches", 2, "inactive"],
      ["patches", 3, "otherModel"],
    ]);
    compute.mockImplementationOnce(() => Promise.reject(failed("run/aborted")));
    await expect(patched({ patches }, compute, { lenient: true })).rejects.toMatchObject({
      code: "run/aborted",
    });
  });

  it("of paths arrive together at their receiver, in the run without paths", async () => {
    const { compute, released } = fakes();
    const sender = (head: number): At => ({ stack: "encoder", layer: 0, step: "context", head });
    const to = { stack: "encoder", layer: 1, head: 2, part: "key" } as const;
    const patches: PatchEdit[] = [
      { at: sender(0), from: { ids: [7, 2, 3] }, to },
      { at: AT, from: { values: [[8, 8]] } },
      { at: sender(1), from: { ids: [6, 2, 3] }, to: { ...to, part: "key" } },
    ];
    const { edits, placed } = await patched({ patches }, compute);
    expect(placed).toEqual(patches);
    const at = { stack: "encoder", layer: 1, head: 2, step: "key-rotated" };
    // Two senders, in a run with the patch that is no path and the output of each.
    expect(edits.patches).toEqual([
      { at: AT, from: { values: [[8, 8]] } },
      { at, from: { values: [[2, 8, 8, 7, 0.5, 6, 0.5]] } },
    ]);
    expect(compute).toHaveBeenCalledTimes(4);
    expect(released).toHaveBeenCalledTimes(4);
  });

  it("of paths that do not lead to their receiver are left out of a lenient request", async () => {
    const { compute } = fakes();
    const from = { ids: [7, 2, 3] };
    const patches: PatchEdit[] = [
      { at: { stack: "encoder", layer: 1, step: "context", head: 0 }, from, to: "logits" },
      {
        at: { stack: "encoder", layer: 1, step: "context", head: 0 },
        from,
        to: { stack: "encoder", layer: 1, head: 0 },
      },
    ];
    await expect(patched({ patches }, compute)).rejects.toMatchObject({
      code: "selection/bad-layer",
    });
    const { misfits, placed } = await patched({ patches: patches.slice(1) }, compute, {
      lenient: true,
    });
    expect([placed, misfits[0]?.says]).toEqual([[], "otherModel"]);
    const nowhere = [{ ...patches[0], to: "there" }] as unknown as PatchEdit[];
    await expect(patched({ patches: nowhere }, compute, { lenient: true })).rejects.toMatchObject({
      code: "input/malformed",
    });
  });

  it("read a text under its own edits, cut down where those of the run are", async () => {
    const { compute } = fakes();
    const edits = { heads: [{ gate: 0 }] };
    const patches = [{ at: AT, from: { ids: [7, 2, 3], edits } }];
    await patched({ patches }, compute);
    expect(compute.mock.lastCall?.[0]).toEqual({ ids: [7, 2, 3], edits });
    const input = { ids: [1, 2, 3], lenient: true };
    const request = { input, edits: { patches }, request: input, stacks: STACKS };
    await placePatches({ ...request, writesTarget: false }, compute);
    expect(compute.mock.lastCall?.[0]).toEqual({ ids: [7, 2, 3], edits, lenient: true });
  });

  it("of a target that the model writes need one that is known", async () => {
    const { compute } = fakes();
    const at: At = { stack: "decoder", layer: 1, step: "context", head: 0 };
    const edits = { patches: [{ at, from: { text: "abc" } }] };
    await expect(patched(edits, compute, {}, true)).rejects.toMatchObject({
      code: "selection/other-length",
    });
  });

  it.each([null, { at: AT }, { at: AT, from: "abc" }])("such as %j are refused", async (patch) => {
    const { compute } = fakes();
    const patches = [patch as never];
    await expect(patched({ patches }, compute)).rejects.toMatchObject({ code: "input/malformed" });
  });
});
