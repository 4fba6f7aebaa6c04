// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { addressOf, isLinkedFrom, loadedFrom } from "./addresses.js";

afterEach(() => document.head.replaceChildren());

const HOME = "https://a.org/b/";

/** Lists the bundled models that stand beside the page, as index.html does. */
function list(content: string): void {
  document.head.append(Object.assign(document.createElement("meta"), { content }));
  document.querySelector("meta")?.setAttribute("name", "headscope-models");
}

it("a bundled model that does not stand beside the page is refused, and no other", () => {
  expect(loadedFrom("models/tiny-gpt", HOME)).toBe("https://a.org/b/models/tiny-gpt/");
  list("models/en-fr=1f models/tiny-gpt");
  expect(loadedFrom("models/en-fr", HOME)).toBe("https://a.org/b/models/en-fr/?v=1f");
  expect(loadedFrom("models/tiny-gpt", HOME)).toBe("https://a.org/b/models/tiny-gpt/");
  expect(() => loadedFrom("models/tiny-bert", HOME)).toThrow(
    expect.objectContaining({ code: "load/no-examples", expected: "models/tiny-bert" }),
  );
  expect(loadedFrom("at/https://c.org/d", HOME)).toBe("https://c.org/d/");
});

it("what stands beside this page is in no link to another page", () => {
  const own = document.baseURI;
  expect(isLinkedFrom("at/./mine/", own)).toBe(true);
  expect(isLinkedFrom("at/./mine/", HOME)).toBe(false);
  expect(isLinkedFrom("models/en-fr", HOME)).toBe(true);
  expect(isLinkedFrom("at/https://c.org/d/", HOME)).toBe(true);
  expect(isLinkedFrom("opened/mine", own)).toBe(false);
});

it.each([
  ["at/org/name", "https://huggingface.co/org/name/resolve/main/"],
  ["at/org/name/a.gguf", "https://huggingface.co/org/name/resolve/main/a.gguf"],
  ["at/https://c.org/d?v=1", "https://c.org/d/?v=1"],
  ["at/https://c.org/a.gguf?v=1", "https://c.org/a.gguf?v=1"],
  ["at/./a.gguf", new URL("a.gguf", document.baseURI).href],
] as const)("the model %s is at %s", (model, address) => {
  expect(addressOf(model, HOME)).toBe(address);
});
