// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { loadSentences } from "../i18n/index.js";
import type { Refusal } from "../session/run/failures.js";
import { type Form, HeadscopeRule, type NumberField } from "./form.js";

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

async function shown(form: Form): Promise<ShadowRoot> {
  rule.form = form;
  await rule.updateComplete;
  return rule.renderRoot as ShadowRoot;
}

describe("a list of what can be added", () => {
  const added: string[] = [];
  const list = async (control: "add" | "list"): Promise<HTMLSelectElement> => {
    const options = ["one", "two"].map((value) => ({ value, label: value }));
    const choose = (value: string): void => void added.push(value);
    const choosing = { control, label: "rule", value: "two", options, choose };
    const root = await shown({ lines: [[choosing]] });
    return root.querySelector("select") ?? expect.fail();
  };
  beforeEach(() => void added.splice(0));

  it("begins with a word that adds nothing, and goes back to it", async () => {
    const select = await list("add");
    expect(Array.from(select.options, ({ value }) => value)).toEqual(["", "one", "two"]);
    select.value = "two";
    select.dispatchEvent(new Event("change"));
    expect([added, select.value]).toEqual([["two"], ""]);
    const plain = await list("list");
    expect(Array.from(plain.options, ({ value }) => value)).toEqual(["one", "two"]);
    plain.value = "two";
    plain.dispatchEvent(new Event("change"));
    expect([added, plain.value]).toEqual([["two", "two"], "two"]);
  });

  it("is opened by the keys that would choose an entry at once, and by no others", async () => {
    const select = await list("add");
    const opened = vi.fn();
    Object.assign(select, { showPicker: opened });
    const isTaken = (key: string, more: KeyboardEventInit = {}): boolean => {
      opened.mockClear();
      const event = new KeyboardEvent("keydown", { key, cancelable: true, ...more });
      select.dispatchEvent(event);
      expect(opened).toHaveBeenCalledTimes(event.defaultPrevented ? 1 : 0);
      return event.defaultPrevented;
    };
    const choosing = "ArrowUp ArrowDown ArrowLeft ArrowRight PageUp PageDown Home End o 二";
    expect(choosing.split(" ").filter((key) => !isTaken(key))).toEqual([]);
    expect(["Enter", " ", "Tab", "Escape", "Shift", "F1"].filter((key) => isTaken(key))).toEqual(
      [],
    );
    const held = [{ altKey: true }, { ctrlKey: true }, { metaKey: true }];
    expect(held.filter((one) => isTaken("o", one))).toEqual([]);
    // A browser that cannot open it by itself adds at once, as with any list.
    Reflect.deleteProperty(select, "showPicker");
    const event = new KeyboardEvent("keydown", { key: "o", cancelable: true });
    select.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
    const plain = Object.assign(await list("list"), { showPicker: opened });
    opened.mockClear();
    plain.dispatchEvent(new KeyboardEvent("keydown", { key: "o", cancelable: true }));
    expect(opened).not.toHaveBeenCalled();
  });
});

describe("a form of an edit", () => {
  it("has its title and the button that removes it once, beside its first line", async () => {
    const press = vi.fn();
    const button = (label: string): object => ({ control: "button", label, press: vi.fn() });
    const lines = [[button("one"), null], [button("two")]] as Form["lines"];
    const remove = { label: "away", press };
    const root = await shown({ lines, remove, title: "Gate", named: true, hint: "h", status: "s" });
    const inLines = [...root.querySelectorAll(".inline")].map((line) =>
      [...line.children].map((one) => `${one.className}: ${one.textContent.trim()}`),
    );
    expect(inLines).toEqual([
      ["name: Gate", "press act: one", "remove muted: ×"],
      ["press act: two"],
    ]);
    expect([...root.querySelectorAll("legend, p")].map((one) => one.textContent)).toEqual([
      "Gate",
      "h",
      "s",
    ]);
    root.querySelector<HTMLElement>(".remove")?.click();
    expect(press).toHaveBeenCalledTimes(1);
    const bare = await shown({ lines, title: "Gate" });
    expect(bare.querySelectorAll(".name, .remove, p")).toHaveLength(0);
    expect(bare.querySelector("legend")?.textContent).toBe("Gate");
  });
});

describe("a slider", () => {
  const slide = async (more: Partial<NumberField>): Promise<HTMLInputElement> => {
    const take = (now: number): void => void taken.push(now);
    const slider = { control: "slider", id: "s", label: "width", value: 10, take } as const;
    const root = await shown({ lines: [[{ ...slider, least: 1, most: 100, ...more }]] });
    return root.querySelector<HTMLInputElement>("[type=range]") ?? expect.fail();
  };
  const move = (input: HTMLInputElement, value: number, ...names: string[]): void => {
    input.value = String(value);
    for (const name of names) input.dispatchEvent(new Event(name));
  };
  const ends = ({ min, max, step, value }: HTMLInputElement): string[] => [min, max, step, value];

  it("counts in steps, or in even parts of a logarithm", async () => {
    const plain = await slide({ step: 2 });
    expect(ends(plain)).toEqual(["1", "100", "2", "10"]);
    move(plain, 30, "input", "change");
    expect(taken).toEqual([30]);
    // Half of the way from 1 to 100 is 10; an end is the end itself.
    const logarithmic = await slide({ step: 0 });
    expect(ends(logarithmic)).toEqual(["0", "240", "1", "120"]);
    for (const at of [0, 60, 240]) move(logarithmic, at, "input");
    expect(taken).toEqual([30, 1, 3.2, 100]);
    move(logarithmic, 120, "input");
    // It is there already.
    expect(taken).toHaveLength(4);
  });

  it("that settles shows the number while it moves, and takes it when it is released", async () => {
    const input = await slide({ step: 1, settled: true });
    move(input, 40, "input");
    expect([field("s-typed").value, taken]).toEqual(["40", []]);
    move(input, 50, "input", "change");
    expect(taken).toEqual([50]);
  });

  it("says its number in words where it has some, and goes back from a refused one", async () => {
    const words = (value: number): string => `${value} tokens`;
    const input = await slide({ step: 1, words });
    expect(input.getAttribute("aria-valuetext")).toBe("10 tokens");
    expect(rule.renderRoot.querySelector("output")?.textContent).toBe("10 tokens");
    const refuse = (): Refusal => ({ sentence: "No.", code: "field/no" });
    const refusing = await slide({ step: 1, refuse });
    expect(refusing.getAttribute("aria-valuetext")).toBe("10");
    move(refusing, 12, "input");
    await rule.updateComplete;
    expect([refusing.value, taken, refusals()]).toEqual(["10", [], ["No. Details field/no"]]);
  });
});

it("a typed line is taken when typing rests, once, and not after its element has gone", async () => {
  vi.useFakeTimers();
  try {
    const take = (now: string): void => void taken.push(now);
    const line = { control: "line", id: "line", label: "text", text: "one", take } as const;
    await shown({ lines: [[line]] });
    const write = (text: string): void => {
      field("line").value = text;
      field("line").dispatchEvent(new Event("input"));
    };
    write("t");
    vi.advanceTimersByTime(249);
    write("two");
    vi.advanceTimersByTime(249);
    expect(taken).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(taken).toEqual(["two"]);
    write("three");
    rule.remove();
    vi.advanceTimersByTime(1000);
    expect(taken).toEqual(["two"]);
  } finally {
    vi.useRealTimers();
  }
});
