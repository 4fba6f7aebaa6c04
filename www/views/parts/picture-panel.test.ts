// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { PICTURES } from "../../state/index.js";
import { HeadscopePicturePanel } from "./picture-panel.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-picture-panel>", () => {
  it.each(PICTURES)(
    "does not tell to click cells of %s before clicks block them",
    async (picture) => {
      const panel = await mount(new HeadscopePicturePanel(), { picture });
      const hint = (): string => panel.renderRoot.querySelector(".below p")?.textContent ?? "";
      expect(hint()).not.toMatch(/^$|[Cc]lick/);
      panel.blocking = true;
      await panel.updateComplete;
      if (picture !== "positions") expect(hint()).toMatch(/^Click a/);
    },
  );

  it("says what to do where a text is too long to be drawn, and nothing of a picture that is not there", async () => {
    const panel = await mount(new HeadscopePicturePanel(), { tooLong: true });
    const words = (): (string | undefined)[] =>
      [".below p", ".invitation"].map((name) => panel.renderRoot.querySelector(name)?.textContent);
    expect(words()).toEqual(["", "Shorten the text to see its attention."]);
    panel.blank = true;
    await panel.updateComplete;
    expect(words()).toEqual(["", "Type a sentence to see its attention."]);
  });
});
