// The library's tokenizer over a wasm that stands in for it: what it is given, and what happens
// after it has stopped.
import { expect, it, vi } from "vitest";
import { parseDescription } from "./description.js";
import { LibraryEngine, type WasmTokenizers } from "./library.js";

const JSON_TEXT = '{"added_tokens":[],"model":{"type":"BPE","vocab":{},"merges":[]}}';
const NUMBERED = JSON.stringify({ ...JSON.parse(JSON_TEXT), unread: { x: 7, y: 9 } });

type Ask = (text: string, pair: string | undefined, addsSpecial: boolean) => unknown;

/** A wasm whose tokenizers encode by `encode`, and the arguments of each that was opened. */
function wasmOf(encode: Ask): { wasm: WasmTokenizers; opened: unknown[][]; resets: () => number } {
  const opened: unknown[][] = [];
  class WasmTokenizer {
    encode = encode;
    constructor(json: string, pieces: string[], ids: Uint32Array) {
      opened.push([json, pieces, Array.from(ids)]);
    }
    decode = (ids: Uint32Array, skips: boolean): string => `${Array.from(ids).join("+")} ${skips}`;
    decodePieces = (pieces: string[]): string => pieces.join("|");
    piece = (id: number): string => `piece ${id}`;
    id = (piece: string): number => piece.length;
    addedTexts = (): string[] => ["<s>", "new"];
    addedIds = (): Uint32Array => Uint32Array.of(1, 5);
    addedSpecial = (): Uint8Array => Uint8Array.of(1, 0);
  }
  const reset = vi.fn();
  const wasm = { WasmTokenizer, __wbg_reset_state: reset } as unknown as WasmTokenizers;
  return { wasm, opened, resets: () => reset.mock.calls.length };
}

const engineOf = (wasm: WasmTokenizers, json = JSON_TEXT): LibraryEngine =>
  new LibraryEngine(wasm, json, parseDescription(json));
const trap = (): never => {
  throw new WebAssembly.RuntimeError("unreachable");
};

it("asks the library, which gets the pieces with other ids beside the file", () => {
  const asked = vi.fn<Ask>(() => "encoded");
  const { wasm, opened } = wasmOf(asked);
  const engine = engineOf(wasm, NUMBERED);
  expect(opened).toEqual([[JSON_TEXT, ["x", "y"], [7, 9]]]);
  expect(engine.added).toEqual([
    { id: 1, content: "<s>", special: true },
    { id: 5, content: "new", special: false },
  ]);
  expect(engine.encode("a", "b", false)).toBe("encoded");
  expect(engine.encode("a", null, true)).toBe("encoded");
  // Both kinds of texts are tried when it is opened.
  expect(asked.mock.calls).toEqual([
    ["a", undefined, true],
    ["a", "a", true],
    ["a", "b", false],
    ["a", undefined, true],
  ]);
  expect(engine.decode([1, 2])).toBe("1+2 true");
  expect(engine.decodePieces(["a", "b"])).toBe("a|b");
  expect([engine.piece(3), engine.id("four")]).toEqual(["piece 3", 4]);
  engineOf(wasm);
  expect(opened[1]).toEqual([JSON_TEXT, [], []]);
});

it("that stops is started anew, and every tokenizer is opened again", () => {
  const { wasm, opened, resets } = wasmOf((text) => (text === "stop" ? trap() : text));
  const [one, other] = [engineOf(wasm), engineOf(wasm)];
  expect(() => one.encode("stop", null, true)).toThrow(
    /^reading the text: expected a text that the model's tokenizer can cut.*RuntimeError: unreach/,
  );
  expect([resets(), opened.length]).toEqual([1, 2]);
  expect([one.encode("on", null, true), other.encode("on", null, true)]).toEqual(["on", "on"]);
  expect(opened).toHaveLength(4);
  one.encode("on", null, true);
  expect(opened).toHaveLength(4);
});

it("refuses in the library's own words, and lets other errors through", () => {
  const said = (text: string): never => {
    // oxlint-disable-next-line typescript/only-throw-error -- the library throws its sentences
    throw text;
  };
  const refusing = wasmOf((_, pair) => (pair === undefined ? "" : said("no template")));
  expect(() => engineOf(refusing.wasm)).toThrow(
    expect.objectContaining({ code: "load/bad-tokenizer", got: "no template" }) as Error,
  );
  expect(refusing.resets()).toBe(0);
  const failing = wasmOf((text) => (text === "b" ? said("too long") : text));
  expect(() => engineOf(failing.wasm).encode("b", null, true)).toThrow(
    expect.objectContaining({ code: "tokenizer/failed", got: "too long" }) as Error,
  );
  const broken = wasmOf((text) => {
    if (text === "b") throw new TypeError("a fault of this page");
  });
  expect(() => engineOf(broken.wasm).encode("b", null, true)).toThrow(TypeError);
});
