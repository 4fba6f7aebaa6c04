// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import { mount } from "../../elements/testing/mount.js";
import { readHead } from "../run/figures.js";
import { HeadscopeInspector } from "./inspector.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-inspector>", () => {
  it("invites to point at cells only where there is a picture of some", async () => {
    const inspector = await mount(new HeadscopeInspector(), {});
    const empty = (): string | undefined => inspector.renderRoot.querySelector(".empty")?.textContent;
    expect(empty()).toBe("Nothing to show yet.");
    inspector.figures = await readHead(await new FakeModel().run({ text: "a b" }), { stack: "encoder", layer: 0, head: 0 }, { beside: [], vectors: false });
    await inspector.updateComplete;
    expect(empty()).toMatch(/^Point at a cell/);
  });
});
