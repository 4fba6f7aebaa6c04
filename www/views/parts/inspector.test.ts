// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import { mount } from "../../elements/testing/mount.js";
import { readHead } from "../run/figures.js";
import { DEFAULT_STATE, NO_EDITS } from "../../state/index.js";
import { HeadscopeInspector } from "./inspector.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-inspector>", () => {
  it("does not call softmax or √d what an edit made otherwise", async () => {
    const head = { stack: "encoder", layer: 0, head: 0 } as const;
    const figures = await readHead(await new FakeModel().run({ text: "a b" }), head, {
      beside: [],
      vectors: false,
    });
    const inspector = await mount(new HeadscopeInspector(), {
      figures,
      focused: { query: 0, key: 0 },
      headDim: 4,
      state: DEFAULT_STATE,
    });
    const names = (): string[] =>
      [...inspector.renderRoot.querySelectorAll("dt")].map(({ textContent }) => textContent);
    expect(names()).toEqual(["q · k", "÷ √4", "mask", "softmax over 3 keys"]);
    inspector.state = {
      ...DEFAULT_STATE,
      edits: {
        ...NO_EDITS,
        attention: [{ kind: "low-rank" }, { stack: "encoder", layers: [3], kind: "cosine" }],
      },
    };
    await inspector.updateComplete;
    expect(names()).toEqual(["q · k", "÷ √4", "mask", "weights"]);
    inspector.state = { ...DEFAULT_STATE, edits: { ...NO_EDITS, attention: [{ kind: "cosine" }] } };
    await inspector.updateComplete;
    expect(names()).toEqual(["raw", "scores", "mask", "softmax over 3 keys"]);
  });

  it("invites to point at cells only where there is a picture of some", async () => {
    const inspector = await mount(new HeadscopeInspector(), {});
    const empty = (): string | undefined =>
      inspector.renderRoot.querySelector(".empty")?.textContent;
    expect(empty()).toBe("Nothing to show yet.");
    inspector.figures = await readHead(
      await new FakeModel().run({ text: "a b" }),
      { stack: "encoder", layer: 0, head: 0 },
      { beside: [], vectors: false },
    );
    await inspector.updateComplete;
    expect(empty()).toMatch(/^Point at a cell/);
  });
});
