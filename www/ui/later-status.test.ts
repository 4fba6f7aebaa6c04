// @vitest-environment happy-dom
// What stands in place of a part of the page that is coming, or did not come.
import { html, type nothing, type TemplateResult } from "lit";
import { afterEach, beforeAll, expect, it } from "vitest";
import { all, mount, textOf, textsOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import { button } from "./testing/controls.js";
import { type HeadscopeLaterStatus, Later } from "./lazy.js";
import { PagePart } from "./page-part.js";

/** How the fetches of a part end, in order. */
let answers: ("fails" | "comes" | "waits")[] = [];
let arrive: (part: string) => void = () => undefined;

class Host extends PagePart {
  focusedTimes = 0;
  readonly later = new Later(() => {
    const answer = answers.shift();
    if (answer === "fails") return Promise.reject(new TypeError("no network"));
    return answer === "comes"
      ? Promise.resolve("part")
      : new Promise<string>((resolve) => (arrive = resolve));
  });

  override render(): TemplateResult | typeof nothing {
    return this.later.show(this, (part) => html`<p>${part}</p>`, 99.5);
  }

  override focus(): void {
    this.focusedTimes += 1;
  }
}
customElements.define("test-later-host", Host);

beforeAll(() => loadSentences("notices"));
afterEach(() => document.body.replaceChildren());

const status = (host: Host): HeadscopeLaterStatus | null =>
  host.renderRoot.querySelector("headscope-later-status");
async function settled(host: Host): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await host.updateComplete;
  await status(host)?.updateComplete;
}

it("a part that is coming has its room and says so; then the part is there", async () => {
  answers = ["waits"];
  const host = await mount(new Host(), {});
  const coming = status(host);
  if (!coming) throw new Error("there is no status");
  await coming.updateComplete;
  expect(textsOf(coming, "[role=status]")).toEqual([message("later.coming")]);
  expect([all(coming, "button"), textsOf(coming, "[role=alert]")]).toEqual([[], [""]]);
  expect(all(coming, ".place")[0]?.style.minHeight).toBe("100px");
  arrive("part");
  await settled(host);
  expect([status(host), textOf(host.renderRoot.querySelector("p"))]).toEqual([null, "part"]);
  expect(host.focusedTimes).toBe(0);
});

it("a part that failed says so with its code, and is asked for again by a button that stays", async () => {
  answers = ["fails", "fails", "comes"];
  const host = await mount(new Host(), {});
  await settled(host);
  const failed = status(host);
  if (!failed) throw new Error("there is no status");
  expect(textsOf(failed, "[role=status]")).toEqual([""]);
  expect(textsOf(failed, "[role=alert]")[0]).toContain(message("embed.unreached"));
  expect(textsOf(failed, "code")).toEqual(["page/part"]);
  const again = button(failed, message("embed.again"));
  expect(again.getAttribute("aria-disabled")).toBe("false");
  again.click();
  await host.updateComplete;
  await failed.updateComplete;
  expect(again.getAttribute("aria-disabled")).toBe("true");
  expect(button(failed, message("embed.again"))).toBe(again);
  // Nothing more is asked for until the second try has ended.
  again.click();
  await settled(host);
  expect([answers, host.focusedTimes]).toEqual([["comes"], 0]);
  again.click();
  await settled(host);
  expect([status(host), host.focusedTimes]).toEqual([null, 1]);
});
