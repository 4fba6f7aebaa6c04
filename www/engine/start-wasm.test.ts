// How a package of wasm starts, and what is said of one that does not.
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { refuse } from "./errors.js";
import { started } from "./start-wasm.js";

afterEach(() => vi.unstubAllGlobals());

/** The package of wasm: this very file stands for its bytes. */
const FILE = import.meta.url;
const packaged = (fails?: Error) => ({
  default: vi.fn(() => (fails ? Promise.reject(fails) : Promise.resolve())),
});

it("a package gets its file once, as long as it runs", async () => {
  const module = packaged();
  const imports = (): Promise<typeof module> => Promise.resolve(module);
  expect(await started(imports, FILE)).toBe(module);
  expect(await started(imports, FILE)).toBe(module);
  expect(module.default.mock.calls).toEqual([[{ module_or_path: readFileSync(new URL(FILE)) }]]);
});

it("a package that failed to start is tried again", async () => {
  const module = packaged();
  module.default.mockRejectedValueOnce(new Error("out of memory"));
  const imports = (): Promise<typeof module> => Promise.resolve(module);
  const refused = { code: "load/wasm", got: "Error: out of memory" };
  await expect(started(imports, FILE)).rejects.toMatchObject(refused);
  expect(await started(imports, FILE)).toBe(module);
  expect(module.default).toHaveBeenCalledTimes(2);
});

describe("a package that does not start", () => {
  it.each<[got: string, code: string]>([
    ["violates the following Content Security Policy directive", "load/blocked"],
    ["blocked by CSP", "load/blocked"],
    ["call to WebAssembly.compile() blocked: 'unsafe-eval'", "load/blocked"],
    ["SIMD unsupported", "load/wasm"],
  ])("because of “%s” is refused with %s", async (got, code) => {
    const fails = started(() => Promise.resolve(packaged(new Error(got))), FILE);
    await expect(fails).rejects.toMatchObject({
      code,
      ...(code === "load/wasm" && { got: `Error: ${got}` }),
    });
  });

  it("keeps the reason that its file has", async () => {
    const missing = new URL("./no-such.wasm", FILE).href;
    const none = started(() => Promise.resolve(packaged()), missing);
    await expect(none).rejects.toMatchObject({ code: "load/wasm" });
    const known = refuse("load/timeout", "fetching", "an answer", "none");
    const imports = (): Promise<never> => Promise.reject(known);
    await expect(started(imports, FILE)).rejects.toBe(known);
  });

  it("because its script cannot be imported says what is wrong at the address of the script", async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response("", { status: 404 })));
    vi.stubGlobal("fetch", fetched);
    const script = "https://example.org/engine.js";
    const failing = (words: string) => () => Promise.reject(new TypeError(words));
    const named = started(failing(`Failed to fetch dynamically imported module: ${script}`), FILE);
    await expect(named).rejects.toMatchObject({ code: "load/engine-not-found" });
    expect(String((fetched.mock.calls as unknown[][])[0]?.[0])).toBe(script);
    const nameless = started(failing("Importing a module script failed."), FILE);
    await expect(nameless).rejects.toMatchObject({ code: "load/wasm" });
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});
