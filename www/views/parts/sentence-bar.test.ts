// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeSentenceBar } from "./sentence-bar.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-sentence-bar>", () => {
  it("invites to hide a token only where there are tokens", async () => {
    const bar = await mount(new HeadscopeSentenceBar(), {
      architecture: "encoder",
      hideable: true,
    });
    const remarks = (): string | undefined => bar.renderRoot.querySelector(".remarks")?.textContent;
    expect(remarks()).not.toContain("Click a token");
    bar.source = {
      ...bar.source,
      tokens: [
        { id: 5, text: "ours", position: 0, word: 0, special: false, role: null },
      ] as unknown as typeof bar.source.tokens,
    };
    await bar.updateComplete;
    expect(remarks()).toContain("Click a token to hide it");
  });

  it("says of a sample's remark that it is about what the model made of it by itself, as soon as that is not what is shown", async () => {
    const bar = await mount(new HeadscopeSentenceBar(), {
      architecture: "encoder-decoder",
      model: "models/en-fr",
      text: "The white house is old.",
      translation: "La maison blanche est vieille .",
    });
    const note = (): string | undefined => bar.renderRoot.querySelector(".note")?.textContent;
    const alone = note() ?? "";
    expect(alone).toContain("agree with “maison”");
    for (const changed of [{ target: "Le chat dort." }, { target: null, edited: true }]) {
      Object.assign(bar, changed);
      await bar.updateComplete;
      expect(note()).toBe(`Before your changes: ${alone}`);
    }
    bar.edited = false;
    await bar.updateComplete;
    expect(note()).toBe(alone);
  });
});
