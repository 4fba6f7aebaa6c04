// @vitest-environment happy-dom
import { LitElement, type TemplateResult } from "lit";
import { afterEach, expect, it, vi } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { RestingText } from "./resting-text.js";

class Host extends LitElement {
  readonly text = new RestingText(this, "one");

  override render(): TemplateResult {
    return this.text.field();
  }
}
customElements.define("resting-text-host", Host);

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

it("takes what was typed once the keys rest, keeps it meanwhile, and gives way to a link, even to one that says what holds", async () => {
  const host = await mount(new Host(), {});
  vi.useFakeTimers();
  const shown = async (): Promise<(string | undefined)[]> => {
    host.requestUpdate();
    await host.updateComplete;
    return [host.renderRoot.querySelector("input")?.value, host.text.value];
  };
  const type = (text: string): void => {
    const input = host.renderRoot.querySelector("input");
    if (input) input.value = text;
    input?.dispatchEvent(new Event("input"));
  };
  type("tw");
  expect(await shown()).toEqual(["tw", "one"]);
  type("two");
  vi.advanceTimersByTime(249);
  expect(await shown()).toEqual(["two", "one"]);
  vi.advanceTimersByTime(1);
  expect(await shown()).toEqual(["two", "two"]);
  type("three");
  host.text.put("two");
  vi.advanceTimersByTime(1000);
  expect(await shown()).toEqual(["two", "two"]);
});
