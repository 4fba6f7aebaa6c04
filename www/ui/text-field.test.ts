// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { HeadscopeGrowingText } from "./text-field.js";

const field = (properties: Partial<HeadscopeGrowingText> = {}): Promise<HeadscopeGrowingText> =>
  mount(new HeadscopeGrowingText(), { label: "Your sentence", ...properties });
const area = ({ renderRoot }: HeadscopeGrowingText): HTMLTextAreaElement => {
  const found = renderRoot.querySelector("textarea");
  if (!found) throw new Error("there is nothing to type in");
  return found;
};

afterEach(() => document.body.replaceChildren());

describe("<headscope-growing-text>", () => {
  it("shows the text that it is given even where a reader typed the same field meanwhile", async () => {
    const element = await field({ value: "one" });
    area(element).value = "typed, and not yet heard of";
    element.label = "Another name";
    await element.updateComplete;
    expect(area(element).value).toBe("one");
  });
});
