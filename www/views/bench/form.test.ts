// @vitest-environment happy-dom
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { loadSentences, setLanguage } from "../../i18n/index.js";
import type { Refusal } from "./failures.js";
import { Fields, type NumberField } from "./form.js";

class Host extends LitElement {
  static override properties = { held: {}, words: {}, more: {} };
  declare held: number;
  declare words: string;
  declare more: Partial<NumberField>;
  taken: unknown[] = [];
  private readonly fields = new Fields(this);

  constructor() {
    super();
    Object.assign(this, { held: 4, words: "one", more: {} });
  }

  private enterText(typed: string): Refusal | null {
    if (typed !== "two") return { sentence: "No.", code: "field/no" };
    this.taken.push((this.words = typed));
    return null;
  }

  override render(): TemplateResult {
    return html`${this.fields.render({ control: "number", id: "number", label: "width", value: this.held, least: 0, most: 9999, step: 0, ...this.more, take: (value) => this.taken.push((this.held = value)) })}
    ${this.fields.render({ control: "text", id: "text", text: this.words, enter: (typed) => this.enterText(typed) })}
    ${this.fields.troubles()}`;
  }
}
customElements.define("number-fields-host", Host);

const field = (host: Host, id = "number"): HTMLInputElement => {
  const found = host.renderRoot.querySelector<HTMLInputElement>(`#${id}`);
  if (!found) throw new Error("no field");
  return found;
};
const type = async (host: Host, text: string, id = "number"): Promise<void> => {
  field(host, id).value = text;
  field(host, id).dispatchEvent(new Event("change"));
  await host.updateComplete;
};
const refusals = (host: Host): string[] =>
  [...host.renderRoot.querySelectorAll(".refusal")].map(({ textContent }) =>
    textContent.replace(/\s+/g, " ").trim(),
  );

beforeEach(() => loadSentences("bench"));
afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("fields for numbers", () => {
  it("keep what is being typed until it is entered, left, or its value changes elsewhere", async () => {
    const host = await mount(new Host(), {});
    const write = (text: string, id = "number"): void => {
      field(host, id).value = text;
      field(host, id).dispatchEvent(new Event("input"));
    };
    const again = async (): Promise<unknown> => {
      host.requestUpdate();
      return host.updateComplete;
    };
    write("7");
    write("tw", "text");
    await again();
    expect([field(host).value, field(host, "text").value, host.taken]).toEqual(["7", "tw", []]);
    field(host).dispatchEvent(new Event("change"));
    await host.updateComplete;
    expect([field(host).value, host.taken]).toEqual(["7", [7]]);
    write("8");
    host.held = 12;
    await host.updateComplete;
    expect(field(host).value).toBe("12");
    field(host, "text").dispatchEvent(new Event("blur"));
    await again();
    expect(field(host, "text").value).toBe("one");
  });

  const EVEN = { step: 2, even: true };
  it.each([
    ["", {}, "A number from 0 to 9,999 belongs here.", "not-a-number"],
    ["1e9", {}, "1e9 is out of range: take a number from 0 to 9,999.", "out-of-range"],
    ["1.5", { step: 1 }, "1.5 is not whole: take a whole number from 0 to 9,999.", "not-whole"],
    ["5", EVEN, "5 is odd: take an even number from 0 to 9,999.", "not-even"],
    ["3", { refuse: () => ({ sentence: "No.", code: "field/no" }) }, "No.", "no"],
  ])("keep “%s”, mark it and say why it is refused", async (typed, more, words, code) => {
    const sentence = `${words}${code === "no" ? "" : " Nothing was changed."} field/${code}`;
    const host = await mount(new Host(), { more });
    await type(host, "three", "text");
    await type(host, typed);
    const shown = [field(host).value, field(host, "text").value, host.taken];
    expect(shown).toEqual([typed, "three", []]);
    expect(refusals(host)).toEqual(["No. field/no", sentence]);
    const described = field(host).getAttribute("aria-describedby") ?? "none";
    expect(host.renderRoot.querySelector(`#${described}`)?.textContent).toContain(
      sentence.split(" ")[0],
    );
    await type(host, "two", "text");
    expect([refusals(host), host.taken]).toEqual([[sentence], ["two"]]);
  });

  it("restore their value when that changes elsewhere, and at Escape, which goes no further", async () => {
    const host = await mount(new Host(), {});
    await type(host, "1e9");
    host.held = 8;
    await host.updateComplete;
    expect([field(host).value, refusals(host)]).toEqual(["8", []]);
    await type(host, "-1");
    const beyond: string[] = [];
    document.body.addEventListener("keydown", ({ key }) => beyond.push(key));
    for (const expected of [[], ["Escape"]]) {
      const escape = { key: "Escape", bubbles: true, composed: true };
      field(host).dispatchEvent(new KeyboardEvent("keydown", escape));
      await host.updateComplete;
      expect([field(host).value, refusals(host), beyond]).toEqual(["8", [], expected]);
    }
  });
});
