// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import type { Tensor } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { mount } from "../../elements/testing/mount.js";
import { meanVariation, readExpectationChange, rowVariation } from "./changes.js";
import { HeadscopeEditChanges } from "./edit-changes.js";
import type { HeadChange } from "./head-change.js";

const HEAD = { stack: "encoder", layer: 0, head: 2 } as const;
const tensor = (values: number[]): Tensor => ({
  data: Float32Array.from(values),
  shape: [2, 2],
  axes: ["query", "key"],
});

afterEach(() => document.body.replaceChildren());

async function edited(): Promise<{ runs: { before: Run; after: Run }; head: HeadChange }> {
  const model = new FakeModel();
  const [before, after] = [
    await model.run({ text: "a b c" }),
    await model.run({
      text: "a b c",
      edits: { masks: [{ ...HEAD, layers: [0], heads: [2], block: [[1, 1]] }] },
    }),
  ];
  return {
    runs: { before, after },
    head: { before: await before.attention(HEAD), after: await after.attention(HEAD) },
  };
}

describe("variation", () => {
  it("is the share of a row's weight that moved", () => {
    const [before, after] = [tensor([1, 0, 0.5, 0.5]), tensor([0, 1, 0.5, 0.5])];
    expect([
      rowVariation(before, after, 0),
      rowVariation(before, after, 1),
      meanVariation(before, after),
      meanVariation(after, after),
    ]).toEqual([1, 0, 0.5, 0]);
  });
});

describe("<headscope-edit-changes>", () => {
  it("says a pair's weight before and after, and the difference", async () => {
    const { head } = await edited();
    const element = await mount(new HeadscopeEditChanges(), {
      head,
      focused: { query: 1, key: 1 },
    });
    const before = head.before.data[1 * 4 + 1] ?? NaN;
    const cells = [...element.renderRoot.querySelectorAll("tbody td")].map(
      ({ textContent }) => textContent,
    );
    expect(cells).toEqual([before.toFixed(3), "0", `−${before.toFixed(3)}`]);
    expect(element.renderRoot.querySelector('[data-change="row"]')?.textContent).toContain(
      rowVariation(head.before, head.after, 1).toFixed(3),
    );
  });

  it("lists the probabilities that changed most, with their sign", async () => {
    const {
      head,
      runs: { before, after },
    } = await edited();
    const expectation = await readExpectationChange(before, after, { kind: "after", position: 1 });
    expect(expectation?.shares.every((change) => change.before === change.after)).toBe(true);
    const element = await mount(new HeadscopeEditChanges(), {
      head,
      expectation: expectation && {
        ...expectation,
        shares: expectation.shares
          .slice(0, 1)
          .map((share) => ({ ...share, before: 0.5, after: 0.25 })),
      },
    });
    expect(
      [...element.renderRoot.querySelectorAll("tbody td")].map(({ textContent }) => textContent),
    ).toEqual(["50.00%", "25.00%", "−25.00%"]);
    element.expectation = expectation && {
      ...expectation,
      shares: expectation.shares
        .slice(0, 2)
        .map((share, at) => ({ ...share, before: 0.5, after: at === 0 ? 0.49999 : 0.50001 })),
    };
    await element.updateComplete;
    expect(
      [...element.renderRoot.querySelectorAll("td:last-child")]
        .slice(-2)
        .map(({ textContent }) => textContent),
    ).toEqual(["0.00%", "0.00%"]);
  });

  it("waits for the original", async () => {
    const element = await mount(new HeadscopeEditChanges(), {});
    expect(element.renderRoot.querySelector("table")).toBeNull();
  });
});
