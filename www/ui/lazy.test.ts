// @vitest-environment happy-dom
import { html, type TemplateResult } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { effect } from "../signals.js";
import { type HeadscopeLaterStatus, isAnyComing, Later } from "./lazy.js";
import { PagePart } from "./page-part.js";

const ROOM = 240;

/** A fetch that is answered by hand. */
function byHand(): {
  fetch: () => Promise<string>;
  asked: () => number;
  arrive: (part: string) => void;
  fail: (reason: unknown) => void;
} {
  let asked = 0;
  let now: { resolve: (part: string) => void; reject: (reason: unknown) => void } | undefined;
  return {
    fetch: () => {
      asked += 1;
      return new Promise((resolve, reject) => (now = { resolve, reject }));
    },
    asked: () => asked,
    arrive: (part) => now?.resolve(part),
    fail: (reason) => now?.reject(reason),
  };
}

/** An element with a place that is taken later. */
class Page extends PagePart {
  later: Later<string> | null = null;

  protected override render(): TemplateResult {
    return html`${this.later?.show(this, (part) => html`<b>${part}</b>`, ROOM)}`;
  }
}
customElements.define("test-page", Page);

afterEach(() => document.body.replaceChildren());

describe("a part of the page that comes later", () => {
  it("is fetched when it is first wanted, once, and tells of its way", async () => {
    const { fetch, asked, arrive } = byHand();
    const later = new Later(fetch);
    const seen: boolean[] = [];
    const stop = effect(() => void seen.push(isAnyComing()));
    expect([later.want(), later.want(), asked(), isAnyComing()]).toEqual([null, null, 1, true]);
    arrive("lines");
    await later.come();
    expect([later.want(), asked(), isAnyComing()]).toEqual(["lines", 1, false]);
    expect(seen).toEqual([false, true, false]);
    stop();
  });

  it("that failed is not asked for again with every update, only when a person asks", async () => {
    const { fetch, asked, arrive, fail } = byHand();
    const later = new Later(fetch);
    later.want();
    fail(new TypeError("Failed to fetch dynamically imported module"));
    await later.come();
    expect([later.want(), later.want(), asked()]).toEqual([null, null, 1]);
    expect([later.failure?.code, later.failure?.got]).toEqual([
      "page/part",
      "Failed to fetch dynamically imported module",
    ]);
    const again = later.come();
    expect([asked(), later.failure]).toEqual([2, null]);
    arrive("lines");
    await again;
    expect(later.want()).toBe("lines");
  });

  it("that does not come within a minute counts as failed", async () => {
    vi.useFakeTimers();
    const later = new Later(byHand().fetch);
    later.want();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect([later.failure?.code, later.failure?.got]).toEqual([
      "page/part",
      "no answer within 60 seconds",
    ]);
  });

  it("keeps its room until it is there, and says with its code when it does not come", async () => {
    const { fetch, asked, arrive, fail } = byHand();
    const page = await mount(new Page(), { later: new Later(fetch) });
    const status = (): HeadscopeLaterStatus | null =>
      page.renderRoot.querySelector("headscope-later-status");
    const said = (role: string): string | undefined =>
      status()
        ?.renderRoot.querySelector(`[role=${role}]`)
        ?.textContent.replaceAll(/\s+/g, " ")
        .trim();
    await status()?.updateComplete;
    expect([said("status"), said("alert")]).toEqual(["This part of the page is on its way.", ""]);
    expect(status()?.renderRoot.querySelector<HTMLElement>(".place")?.style.minHeight).toBe(
      `${ROOM}px`,
    );
    fail(new TypeError("no network"));
    await vi.waitFor(() =>
      expect(said("alert")).toBe(
        "A part of Headscope could not be fetched. Try again, or reload the page. page/part",
      ),
    );
    expect(said("status")).toBe("");
    status()?.renderRoot.querySelector("button")?.click();
    await vi.waitFor(() => expect(said("status")).not.toBe(""));
    expect(asked()).toBe(2);
    arrive("lines");
    await vi.waitFor(() => expect(page.renderRoot.querySelector("b")?.textContent).toBe("lines"));
    expect(status()).toBeNull();
  });
});
