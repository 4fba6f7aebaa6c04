// @vitest-environment happy-dom
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { mount, put } from "../elements/testing/mount.js";
import { StickyHeights } from "./sticky-heights.js";

class Sticky extends LitElement {
  static override properties = { kinds: { attribute: false } };
  kinds: readonly string[] = [];
  readonly heights = new StickyHeights(this, ".sticky");

  override render(): TemplateResult[] {
    return this.kinds.map((kind) => html`<div class=${kind}></div>`);
  }
}
customElements.define("sticky-host", Sticky);

let watched = new Set<Element>();
let report: (target: Element, height: number) => void = () => undefined;

beforeEach(() => {
  watched = new Set();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(told: (entries: object[]) => void) {
        report = (target, blockSize) => told([{ target, borderBoxSize: [{ blockSize }] }]);
      }
      observe = (part: Element): void => void watched.add(part);
      unobserve = (part: Element): void => void watched.delete(part);
      disconnect = (): void => watched.clear();
    },
  );
  window.innerHeight = 1000;
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const statedOf = (part?: HTMLElement): string | undefined =>
  part?.style.getPropertyValue("--headscope-part-height");
const resize = (height: number): void => {
  window.innerHeight = height;
  window.dispatchEvent(new Event("resize"));
};

it("gives a part that is nearly as tall as the window its height, and no other", async () => {
  const host = await mount(new Sticky(), { kinds: ["sticky", "plain", "sticky"] });
  const [one, plain, two] = [...host.renderRoot.querySelectorAll<HTMLElement>("div")];
  if (!one || !plain || !two) throw new Error("nothing was rendered");
  expect([...watched]).toEqual([one, two]);
  report(one, 700);
  report(two, 701);
  expect([one, plain, two].map(statedOf)).toEqual(["", "", "701px"]);
  resize(900);
  expect([one, two].map(statedOf)).toEqual(["700px", "701px"]);
  report(one, 400);
  expect(statedOf(one)).toBe("");
});

it("forgets parts that have gone, and all of them with the element", async () => {
  const host = await mount(new Sticky(), { kinds: ["sticky", "sticky"] });
  const [one, two] = [...host.renderRoot.querySelectorAll<HTMLElement>("div")];
  if (!one || !two) throw new Error("nothing was rendered");
  report(two, 650);
  await put(host, { kinds: ["sticky"] });
  expect([...watched]).toEqual([one]);
  resize(500);
  expect(statedOf(two)).toBe("");
  report(one, 600);
  expect(statedOf(one)).toBe("600px");
  host.remove();
  expect(watched.size).toBe(0);
  resize(2000);
  expect(statedOf(one)).toBe("600px");
  document.body.append(host);
  await put(host, { kinds: ["sticky", "sticky"] });
  expect(watched.size).toBe(2);
});

it("keeps its height from its children, whose styles would follow each change of it", async () => {
  const registered = vi.fn();
  vi.stubGlobal("CSS", { registerProperty: registered });
  await mount(new Sticky(), { kinds: ["sticky"] });
  expect(registered.mock.calls).toEqual([
    [
      {
        name: "--headscope-part-height",
        syntax: "<length>",
        inherits: false,
        initialValue: "0px",
      },
    ],
  ]);
  // A second copy of the code finds it registered.
  registered.mockImplementation(() => {
    throw new DOMException("it is registered", "InvalidModificationError");
  });
  await expect(mount(new Sticky(), { kinds: ["sticky"] })).resolves.toBeInstanceOf(Sticky);
});
