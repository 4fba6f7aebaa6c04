// The page as one file: what of a package it has, under which names, and the model that it carries.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { carrying, filesOf, MODEL_PLACE, pageFile } from "./page-file.js";

let root = "";
const at = (path: string): string => join(root, path);
const write = (path: string, content = ""): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
};

const address = (path: string): string => `new URL("./${path}", import.meta.url)`;
const LEFT_OUT = "data:text/html,/";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "headscope-page-"));
  write(
    "site/index.html",
    `<html>
    <link rel="stylesheet" href="./page.css" crossorigin>
    <script type="module" src="./page.js"></script>
  <body>Text $1</body></html>
`,
  );
  write("site/page.css", "p { top: 0 }");
  write("site/page.js", `import "./a.js";import "./gone.js";${address("worker.js")}`);
  write(
    "site/a.js",
    [
      `import("./page.js")`,
      address("assets/headscope_bg-1.wasm"),
      address("assets/headscope_relaxed_bg-2.wasm"),
      address("assets/headscope_demos_bg-3.wasm"),
      address("assets/headscope_webgpu_bg-4.wasm"),
    ].join(";"),
  );
  write("site/other.js", "nothing imports this");
  write("site/worker.js", "the worker");
  write("site/assets/headscope_bg-1.wasm", "core");
  write("site/assets/headscope_relaxed_bg-2.wasm", "relaxed core");
  write("site/assets/headscope_demos_bg-3.wasm", "demos");
  write("site/assets/headscope_webgpu_bg-4.wasm", "gpu");
});
afterAll(() => rmSync(root, { recursive: true }));

/** The scripts and files of a page as its loader unpacks them. */
function unpacked(page: string): Record<"scripts" | "files", Record<string, string>> {
  const [, packed = ""] = /id="headscope-packed">([^<]*)</.exec(page) ?? [];
  const whole = inflateSync(Buffer.from(packed, "base64"));
  const length = whole.readUInt32LE();
  const table = JSON.parse(whole.toString("utf8", 4, 4 + length)) as Record<
    "scripts" | "files",
    [string, number][]
  >;
  let next = 4 + length;
  const texts = (list: [string, number][]): Record<string, string> =>
    Object.fromEntries(
      list.map(([name, bytes]) => [name, whole.toString("utf8", next, (next += bytes))]),
    );
  const [scripts, files] = [texts(table.scripts), texts(table.files)];
  expect(next).toBe(whole.length);
  return { scripts, files };
}

it("has the scripts that the page imports and the files that they fetch, one core for both builds", () => {
  const page = pageFile(at("site"));
  const held = (path: string): string => `new URL(headscopeFiles["${path}"])`;
  expect(unpacked(page)).toEqual({
    scripts: {
      "page.js": `import "headscope-file/a.js";import "./gone.js";${held("worker.js")}`,
      "a.js": [
        `import("headscope-file/page.js")`,
        held("assets/headscope_bg-1.wasm"),
        held("assets/headscope_bg-1.wasm"),
        held("assets/headscope_demos_bg-3.wasm"),
        `new URL("${LEFT_OUT}assets/headscope_webgpu_bg-4.wasm")`,
      ].join(";"),
    },
    files: {
      "worker.js": "the worker",
      "assets/headscope_bg-1.wasm": "core",
      "assets/headscope_demos_bg-3.wasm": "demos",
    },
  });
  expect(page).toContain("<style>\np { top: 0 }</style>");
  expect(page).not.toMatch(/<link|type="module"/);
  expect(page.indexOf("Text $1")).toBeLessThan(page.indexOf(MODEL_PLACE));
});

it("carries a model, whose name and address end no script", () => {
  const files = [
    { name: "config.json", bytes: Buffer.from("{}") },
    { name: "a b.gguf", bytes: Buffer.from([0, 255]) },
  ];
  const carried = { name: "</script>$&", address: "text=<b>", files };
  expect(carrying(`before ${MODEL_PLACE} after`, carried)).toBe(
    `before <script type="application/json" id="headscope-model">{"name":"\\u003c/script>$&","address":"text=\\u003cb>"}</script>
<script type="text/plain" data-file="config.json">e30=</script>
<script type="text/plain" data-file="a%20b.gguf">AP8=</script>
 after`,
  );
});

it("of a model's folder it carries what the page reads, the weights once", () => {
  const names = (path: string): string[] => filesOf(at(path)).map(({ name }) => name);
  for (const name of ["config.json", "tokenizer.json", "merges.txt", "notes.md", "w.bin"])
    write(`model/${name}`, name);
  expect(names("model")).toEqual(["config.json", "merges.txt", "tokenizer.json", "w.bin"]);
  write("model/model.safetensors");
  expect(names("model")).toEqual([
    "config.json",
    "merges.txt",
    "model.safetensors",
    "tokenizer.json",
  ]);
  const [merges] = filesOf(at("model/merges.txt"));
  expect(merges?.bytes.toString()).toBe("merges.txt");
});

it("carries 256 MB, and refuses a model that is larger", () => {
  write("large/model.gguf");
  truncateSync(at("large/model.gguf"), 256 * 2 ** 20 + 1);
  expect(() => filesOf(at("large/model.gguf"))).toThrow(
    expect.objectContaining({
      code: "command/too-large",
      expected: "at most 256 MB",
      got: "257 MB",
    }),
  );
});
