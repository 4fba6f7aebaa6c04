// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../../tests/support/fake-model.js";
import { message } from "../../../i18n/index.js";
import { all, onPage, show, text, writer } from "../testing/demo.js";
import { gradientDepths, integrated, jacobian, jacobianNorms } from "./gradients.js";

/** `‖diag(p) − p pᵀ‖` cell by cell. */
function normByCells(row: readonly number[]): number {
  const cells = row.flatMap((p, i) => row.map((q, j) => (i === j ? p : 0) - p * q));
  return Math.hypot(...cells);
}

describe("the softmax's Jacobian", () => {
  it("has the norm of its cells, and none where a row is one token's", () => {
    const rows = [
      [0.5, 0.5, 0],
      [0.2, 0.3, 0.5],
      [0, 1, 0],
      [0, 0, 0],
    ];
    const weights = {
      data: Float32Array.from(rows.flat()),
      shape: [4, 3],
      axes: ["query", "key"],
    };
    const found = jacobianNorms(weights);
    rows.forEach((row, at) => expect(found[at]).toBeCloseTo(normByCells(row), 6));
    expect(found[2]).toBe(0);
  });

  it("is compared with that of the head whose scores are not divided", async () => {
    const model = writer(1);
    const runs = vi.spyOn(model, "run");
    await show(jacobian, await onPage(model));
    await expect.poll(() => runs.mock.calls).toHaveLength(2);
    expect(runs.mock.lastCall?.[0].edits?.attention).toEqual([
      { stack: "decoder", layers: [0], heads: [0], scale: "none" },
    ]);
  });
});

describe("integrated gradients", () => {
  const askedOf = async (model: FakeModel, demos: string | null = null) => {
    const page = await onPage(model);
    const asked = vi.spyOn(page.run, "integratedGradients");
    const element = await show(integrated, page, demos);
    return { element, asked: asked.mock.lastCall?.[0] };
  };

  it("begin at the mask token, the padding, or zeros, as the model has them", async () => {
    const masking = new FakeModel({ ...FAKE_READER, maskToken: 9, padToken: 3 });
    expect((await askedOf(masking)).asked).toMatchObject({ baseline: 9, steps: 32 });
    const padding = "integrated(baseline-padding,points-8)";
    expect((await askedOf(masking, padding)).asked).toMatchObject({ baseline: 3, steps: 8 });
    const none = new FakeModel({ ...FAKE_READER, maskToken: null, padToken: null });
    expect((await askedOf(none)).asked).not.toHaveProperty("baseline");
  });

  it("show the sum of all tokens beside what it comes near to", async () => {
    const { element } = await askedOf(new FakeModel({ ...FAKE_READER, maskToken: 9 }));
    await expect.poll(() => all(element, "[data-sum]")).toHaveLength(1);
    const [foot] = all(element, "[data-sum]");
    expect(foot?.dataset).toMatchObject({ sum: foot?.dataset.difference });
    expect(text(element, "[data-sum]")).toContain(message("integrated.hint"));
  });

  it("are not offered of an image", async () => {
    const image = { size: [8, 8], patchSize: 4, channels: 3 } as never;
    const { asked } = await askedOf(new FakeModel({ ...FAKE_INFO, image }));
    expect(asked).toBeUndefined();
  });
});

it("gradients by depth are also those without residuals and without norms", async () => {
  const model = writer(1);
  const runs = vi.spyOn(model, "run");
  await show(gradientDepths, await onPage(model));
  const blocks = () => runs.mock.calls.map(([input]) => input.edits?.blocks);
  await expect.poll(blocks).toEqual([undefined, [{ residual: false }], [{ norm: "none" }]]);
});
