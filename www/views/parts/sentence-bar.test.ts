// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeSentenceBar } from "./sentence-bar.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-sentence-bar>", () => {
  it("invites to hide a token only where there are tokens", async () => {
    const bar = await mount(new HeadscopeSentenceBar(), { architecture: "encoder", hideable: true });
    const remarks = (): string | undefined => bar.renderRoot.querySelector(".remarks")?.textContent;
    expect(remarks()).not.toContain("Click a token");
    bar.source = { ...bar.source, tokens: [{ id: 5, text: "ours", position: 0, word: 0, special: false, role: null }] as unknown as typeof bar.source.tokens };
    await bar.updateComplete;
    expect(remarks()).toContain("Click a token to hide it");
  });
});
