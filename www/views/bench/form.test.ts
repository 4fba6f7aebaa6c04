// @vitest-environment happy-dom
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { loadSentences, setLanguage } from "../../i18n/index.js";
import { Fields, type NumberField, type Refusal } from "./form.js";

class Host extends LitElement {
  static override properties = {
    held: { attribute: false },
    words: { attribute: false },
    more: { attribute: false },
  };
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
    return html`${this.fields.render({ control: "number", id: "number", label: "width", value: this.held, least: 0, most: 9999, ...this.more, take: (value) => this.taken.push((this.held = value)) })}
    ${this.fields.render({ control: "text", id: "text", text: this.words, inputMode: "numeric", enter: (typed) => this.enterText(typed) })}
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
const said = (host: Host): string[] =>
  [...host.renderRoot.querySelectorAll(".refusal")].map(({ textContent }) =>
    textContent.replace(/\s+/g, " ").trim(),
  );

beforeEach(() => loadSentences("bench"));
afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("fields for numbers", () => {
  it("take a number that is in range", async () => {
    const host = await mount(new Host(), {});
    await type(host, "7.5");
    expect([
      host.taken,
      field(host).value,
      said(host),
      field(host).getAttribute("aria-invalid"),
    ]).toEqual([[7.5], "7.5", [], null]);
  });

  it("keep what is being typed while something else arrives, until what holds is changed from elsewhere or it is left", async () => {
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

  it("keep what cannot be taken, mark it, and say why by a sentence and its code", async () => {
    const host = await mount(new Host(), {});
    const sentences = {
      "": "A number from 0 to 9,999 belongs here. Nothing was changed. field/not-a-number",
      "1e9":
        "1e9 is out of range: take a number from 0 to 9,999. Nothing was changed. field/out-of-range",
      "-3": "-3 is out of range: take a number from 0 to 9,999. Nothing was changed. field/out-of-range",
    };
    for (const [typed, sentence] of Object.entries(sentences)) {
      await type(host, typed);
      const { value } = field(host);
      expect([value, said(host), host.taken], typed).toEqual([typed, [sentence], []]);
      expect(field(host).getAttribute("aria-invalid")).toBe("true");
      expect(
        host.renderRoot.querySelector(`#${field(host).getAttribute("aria-describedby") ?? "none"}`)
          ?.textContent,
      ).toContain("Nothing was changed");
    }
    host.more = { whole: true, even: true };
    await host.updateComplete;
    await type(host, "1.5");
    expect(said(host)).toEqual([
      "1.5 is not whole: take a whole number from 0 to 9,999. Nothing was changed. field/not-whole",
    ]);
    await type(host, "5");
    expect(said(host)).toEqual([
      "5 is odd: take an even number from 0 to 9,999. Nothing was changed. field/not-even",
    ]);
    await type(host, "6");
    expect([said(host), host.taken]).toEqual([[], [6]]);
  });

  it("say what else speaks against a number, and of which field they speak", async () => {
    const host = await mount(new Host(), {
      more: {
        refuse: (value: number) => (value % 2 ? { sentence: "Odd.", code: "field/odd" } : null),
      },
    });
    await type(host, "3");
    await type(host, "three", "text");
    expect([said(host), field(host, "text").value, host.taken]).toEqual([
      ["Odd. field/odd", "No. field/no"],
      "three",
      [],
    ]);
    await type(host, "two", "text");
    expect([said(host), host.taken]).toEqual([["Odd. field/odd"], ["two"]]);
  });

  it("show again what holds when that changes elsewhere, and at Escape, which goes no further", async () => {
    const host = await mount(new Host(), {});
    await type(host, "1e9");
    host.held = 8;
    await host.updateComplete;
    expect([field(host).value, said(host)]).toEqual(["8", []]);
    await type(host, "-1");
    const beyond: string[] = [];
    document.body.addEventListener("keydown", ({ key }) => beyond.push(key));
    const escape = (): boolean =>
      field(host).dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }),
      );
    escape();
    await host.updateComplete;
    expect([field(host).value, said(host), beyond, host.taken]).toEqual(["8", [], [], []]);
    escape();
    expect(beyond).toEqual(["Escape"]);
  });
});
