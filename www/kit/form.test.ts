// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { loadSentences } from "../i18n/index.js";
import type { Refusal } from "../session/run/failures.js";
import { HeadscopeRule, type NumberField } from "./form.js";

let rule: HeadscopeRule;
let taken: unknown[];

/** Shows a form with a number and a text, rendered again after each change. */
async function show(value = 4, text = "one", more: Partial<NumberField> = {}): Promise<void> {
  const limits = { least: 0, most: 9999, step: 0, ...more };
  const take = (now: number): void => change(now, now, text);
  const enter = (typed: string): Refusal | null => {
    if (typed !== "two") return { sentence: "No.", code: "field/no" };
    change(typed, value, typed);
    return null;
  };
  const change = (now: unknown, ...held: [number, string]): void => {
    taken.push(now);
    void show(...held, more);
  };
  const number = {
    control: "number",
    id: "number",
    label: "width",
    value,
    ...limits,
    take,
  } as const;
  rule.form = { lines: [[number, { control: "text", id: "text", text, enter }]] };
  await rule.updateComplete;
}

const field = (id = "number"): HTMLInputElement =>
  rule.renderRoot.querySelector<HTMLInputElement>(`#${id}`) ?? expect.fail();
const type = async (text: string, id = "number"): Promise<void> => {
  field(id).value = text;
  field(id).dispatchEvent(new Event("change"));
  await rule.updateComplete;
};
const refusals = (): string[] =>
  [...rule.renderRoot.querySelectorAll(".refusal")].map(({ textContent }) =>
    textContent.replace(/\s+/g, " ").trim(),
  );

beforeEach(async () => {
  await loadSentences("experiments");
  rule = await mount(new HeadscopeRule(), {});
  taken = [];
  await show();
});
afterEach(() => document.body.replaceChildren());

describe("fields for numbers", () => {
  it("have their bounds, their step and the keys of a phone, a text has none", async () => {
    const bounds = (id: string): (string | null)[] =>
      ["type", "min", "max", "inputmode"].map((name) => field(id).getAttribute(name));
    expect(bounds("number")).toEqual(["number", "0", "9999", "decimal"]);
    expect(bounds("text")).toEqual(["text", null, null, null]);
    await show(4, "one", { least: -2, most: 3, step: 1 });
    expect(bounds("number")).toEqual(["number", "-2", "3", "numeric"]);
  });

  it("keep what is being typed until it is entered, left, or its value changes elsewhere", async () => {
    const write = (text: string, id = "number"): void => {
      field(id).value = text;
      field(id).dispatchEvent(new Event("input"));
    };
    const again = async (): Promise<unknown> => {
      rule.requestUpdate();
      return rule.updateComplete;
    };
    write("7");
    write("tw", "text");
    await again();
    expect([field().value, field("text").value, taken]).toEqual(["7", "tw", []]);
    field().dispatchEvent(new Event("change"));
    await rule.updateComplete;
    expect([field().value, taken]).toEqual(["7", [7]]);
    field("text").dispatchEvent(new Event("blur"));
    await again();
    expect(field("text").value).toBe("one");
  });

  const EVEN = { step: 2, even: true };
  it.each([
    ["", {}, "Enter a number from 0 to 9,999.", "not-a-number"],
    ["1e9", {}, "1e9 is out of range: enter a number from 0 to 9,999.", "out-of-range"],
    ["1.5", { step: 1 }, "1.5 is not whole: enter a whole number from 0 to 9,999.", "not-whole"],
    ["5", EVEN, "5 is odd: enter an even number from 0 to 9,999.", "not-even"],
    ["3", { refuse: () => ({ sentence: "No.", code: "field/no" }) }, "No.", "no"],
  ])("keep “%s”, mark it and say why it is refused", async (typed, more, words, code) => {
    const sentence = `${words}${code === "no" ? "" : " Nothing was changed."} Details field/${code}`;
    await show(4, "one", more);
    await type("three", "text");
    await type(typed);
    const shown = [field().value, field("text").value, taken];
    expect(shown).toEqual([typed, "three", []]);
    expect(refusals()).toEqual(["No. Details field/no", sentence]);
    const described = field().getAttribute("aria-describedby") ?? "none";
    expect(rule.renderRoot.querySelector(`#${described}`)?.textContent).toContain(
      sentence.split(" ")[0],
    );
    await type("two", "text");
    expect([refusals(), taken]).toEqual([[sentence], ["two"]]);
  });

  it("restore their value when that changes elsewhere, and at Escape, which goes no further", async () => {
    await type("1e9");
    await show(8);
    expect([field().value, refusals()]).toEqual(["8", []]);
    await type("-1");
    const beyond: string[] = [];
    document.body.addEventListener("keydown", ({ key }) => beyond.push(key));
    for (const expected of [[], ["Escape"]]) {
      const escape = { key: "Escape", bubbles: true, composed: true };
      field().dispatchEvent(new KeyboardEvent("keydown", escape));
      await rule.updateComplete;
      expect([field().value, refusals(), beyond]).toEqual(["8", [], expected]);
    }
  });
});
