// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { HeadscopeGrowingText } from "./text-field.js";
import { asked } from "./testing/asked.js";

const field = (properties: Partial<HeadscopeGrowingText> = {}): Promise<HeadscopeGrowingText> =>
  mount(new HeadscopeGrowingText(), { label: "Your sentence", ...properties });
const area = ({ renderRoot }: HeadscopeGrowingText): HTMLTextAreaElement => {
  const found = renderRoot.querySelector("textarea");
  if (!found) throw new Error("there is nothing to type in");
  return found;
};
const mirrored = ({ renderRoot }: HeadscopeGrowingText): string =>
  renderRoot.querySelector(".mirror")?.textContent ?? "";

afterEach(() => document.body.replaceChildren());

describe("<headscope-growing-text>", () => {
  it("fires every change, and is as high as its text, its last empty line included", async () => {
    const element = await field({ value: "The", placeholder: "Type" });
    const texts = asked(element, "headscope-text");
    area(element).value = "The cat\n";
    area(element).dispatchEvent(new Event("input"));
    await element.updateComplete;
    expect([texts, mirrored(element)]).toEqual([["The cat\n"], "The cat\n\u200B"]);
    element.value = "";
    await element.updateComplete;
    expect([area(element).value, mirrored(element)]).toEqual(["", "Type\u200B"]);
  });

  it("shows the text that it is given even where a reader typed the same field meanwhile", async () => {
    const element = await field({ value: "one" });
    area(element).value = "typed, and not yet heard of";
    element.label = "Another name";
    await element.updateComplete;
    expect(area(element).value).toBe("one");
  });
});
