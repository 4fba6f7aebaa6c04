// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { describe, expect, it } from "vitest";

/** All modules that define elements; figures in other people's pages use the same classes. */
const MODULES = import.meta.glob<unknown>([
  "./elements/**/*.ts",
  "./{kit,experiments,panels,explorer}/**/*.ts",
  "!./**/*.test.ts",
  "!./**/testing/**",
]);
const SOURCES = import.meta.glob<string>(
  ["./{elements,kit,experiments,panels,explorer,embed}/**/*.ts", "!./**/*.test.ts"],
  { query: "?raw", import: "default" },
);

/** An opening tag of a Headscope element in a template, up to its end; `=>` does not end a tag. */
const TAG = /<(headscope-[a-z-]+)((?:[^<>`]|=>|\$\{(?:[^{}`]|\{[^{}]*\})*\})*)>/g;
const PROPERTY = /\s\.([A-Za-z]\w*)=\$\{/g;

/** Whether an element has a property: one that Lit watches, or a setter that is not Lit's own. */
function takes(tag: string, name: string): boolean {
  const element = customElements.get(tag) as
    (typeof LitElement & { prototype: object }) | undefined;
  if (!element) return false;
  for (
    let of: object | null = element.prototype;
    of && of !== HTMLElement.prototype;
    of = Object.getPrototypeOf(of) as object | null
  ) {
    if (Object.getOwnPropertyDescriptor(of, name)?.set) return true;
  }
  return element.elementProperties.has(name);
}

describe("templates", () => {
  // A property that an element does not have is taken without a word, and shows nothing.
  it("give every element only properties that it has", async () => {
    await Promise.all(Object.values(MODULES).map((load) => load()));
    const given: string[] = [];
    const strange: string[] = [];
    for (const [path, load] of Object.entries(SOURCES)) {
      for (const [, tag = "", inside = ""] of (await load()).matchAll(TAG)) {
        for (const [, name = ""] of inside.matchAll(PROPERTY)) {
          given.push(name);
          if (!takes(tag, name)) strange.push(`${path}: <${tag} .${name}>`);
        }
      }
    }
    expect(given.length).toBeGreaterThan(100);
    expect(strange).toEqual([]);
  }, 60_000);
});
