// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked, button, choices, choose, words } from "../../ui/testing/asked.js";
import { HeadscopeTokenControls } from "./token-controls.js";

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

const controls = (
  properties: Partial<HeadscopeTokenControls> = {},
): Promise<HeadscopeTokenControls> => mount(new HeadscopeTokenControls(), properties);
const pressed = (element: HeadscopeTokenControls): (string | null)[] =>
  [...element.renderRoot.querySelectorAll(".toggle")].map((toggle) =>
    toggle.getAttribute("aria-pressed"),
  );

describe("<headscope-token-controls>", () => {
  it("shows how tokens are looked at, and counts on a phone what is not as it was at first", async () => {
    const element = await controls();
    const menu = element.renderRoot.querySelector("headscope-narrow-menu");
    expect(choices(element)).toEqual({ "Weights between": "[tokens] words" });
    expect([pressed(element), menu?.changed, menu?.name]).toEqual([
      ["false", "false"],
      0,
      "How tokens are looked at",
    ]);
    Object.assign(element, {
      unit: "word",
      specials: "hidden",
      several: true,
    } satisfies Partial<HeadscopeTokenControls>);
    await element.updateComplete;
    expect(choices(element)).toEqual({ "Weights between": "tokens [words]" });
    expect([pressed(element), menu?.changed]).toEqual([["true", "true"], 3]);
  });

  it("asks for words, for hidden special tokens and for them again, and for several at once", async () => {
    const element = await controls();
    const patches = asked(element, "headscope-patch");
    const several = asked(element, "headscope-several");
    choose(element, "Weights between", "word");
    button(element, "Hide special tokens").click();
    button(element, "Pick several").click();
    Object.assign(element, {
      specials: "hidden",
      several: true,
    } satisfies Partial<HeadscopeTokenControls>);
    await element.updateComplete;
    button(element, "Hide special tokens").click();
    button(element, "Pick several").click();
    expect(patches).toEqual([{ unit: "word" }, { specials: "hidden" }, { specials: "shown" }]);
    expect(several).toEqual([true, false]);
  });

  it("speaks Chinese, and follows a language that changes", async () => {
    const element = await controls();
    setLanguage("zh-CN");
    await element.updateComplete;
    const said = [words(element.renderRoot), ...Object.entries(choices(element)).flat()].join(" ");
    expect(said).toMatch(/\p{Script=Han}/u);
    expect(said).not.toMatch(/[a-z]{3}/i);
  });
});
