/**
 * The page as one HTML file, which opens from a disk: the scripts and the core of the package, and
 * perhaps a model, as texts that a loader unpacks.
 *
 * A page from a disk may import no files and start no thread from one. So each script is imported
 * from memory, by an import map from the names in `NAMED` form, and files whose addresses a script
 * makes itself (`new URL("./NAME", import.meta.url)`) are `data:` addresses. What the file leaves
 * out has an address at which the page finds no file.
 */
import { builtin } from "../engine/in-node.js";
import { refuse } from "../engine/errors.js";

/** The place of a carried model in the file without one. */
export const MODEL_PLACE = "<!-- model -->";

/** The most bytes of a model that a file can carry: a browser holds it as text, too. */
const MOST_BYTES = 256 * 2 ** 20;

/** The files of a model that the page reads. */
const OF_MODEL = /\.(json|jinja|txt|model|safetensors|gguf|bin)$/;

const ENTRY = "page.js";
/** The beginning of the name of a script in the file. */
const NAMED = "headscope-file/";

/** An address that a script makes of a file beside it. */
const ADDRESS = /new URL\("\.\/([^"]+)", import\.meta\.url\)/g;
/** Another script that a script imports. */
const IMPORT = /"\.\/([\w.-]+\.js)"/g;

/** The beginning of addresses of what is left out: a web page is no file of the engine. */
const LEFT_OUT = "data:text/html,/";

/** The core that every browser runs, under the addresses of both builds for the CPU. */
const CORE = /^assets\/headscope(?:_relaxed)?_bg-/;
const PLAIN = "headscope_bg-";
/** The files that the page fetches, apart from the core. */
const CARRIED = /^(?:worker\.js|assets\/headscope_(?:demos|tokenizer)_bg-.*)$/;

/** What stands before the bytes that a file carries: names and lengths, in their order. */
interface Contents {
  scripts: [name: string, bytes: number][];
  files: [path: string, bytes: number][];
}

/** The page of the package in a folder as one file, with `MODEL_PLACE` in it. */
export function pageFile(folder: string): string {
  const fs = builtin("node:fs");
  const read = (name: string): Buffer => fs.readFileSync(builtin("node:path").join(folder, name));
  const content = builtin("node:zlib").deflateSync(packed(folder, read), { level: 9 });
  return read("index.html")
    .toString()
    .replace(
      / *<link\s+rel="stylesheet" href="\.\/([^"]+)"[^>]*>\n/,
      (_, style: string) => `    <style>\n${read(style).toString()}</style>\n`,
    )
    .replace(/ *<script type="module"[^>]*><\/script>\n/, "")
    .replace(
      "</body>",
      () => `${MODEL_PLACE}
    <script type="text/plain" id="headscope-packed">${content.toString("base64")}</script>
    <script>${LOADER}</script>
  </body>`,
    );
}

/**
 * All scripts of the page and the files that they fetch: the length of the table of contents in 4
 * bytes, the table as JSON, and the bytes one behind the other.
 */
function packed(folder: string, read: (name: string) => Buffer): Buffer {
  const names = builtin("node:fs").readdirSync(folder);
  const assets = builtin("node:fs").readdirSync(`${folder}/assets`);
  const core = assets.find((name) => name.startsWith(PLAIN)) ?? "";
  const scripts = new Map<string, Buffer>();
  const files = new Map<string, Buffer>();
  const carried = (path: string): string => {
    const kept = CORE.test(path) ? `assets/${core}` : path;
    if (!CARRIED.test(kept) && !CORE.test(path)) return `new URL("${LEFT_OUT}${path}")`;
    files.set(kept, read(kept));
    return `new URL(headscopeFiles[${JSON.stringify(kept)}])`;
  };
  const take = (name: string): void => {
    if (scripts.has(name)) return;
    scripts.set(name, Buffer.alloc(0));
    const text = read(name)
      .toString()
      .replace(ADDRESS, (_, path: string) => carried(path))
      .replace(IMPORT, (written, other: string) => {
        // The glue of a core names its own imports in the same form.
        if (!names.includes(other)) return written;
        take(other);
        return `"${NAMED}${other}"`;
      });
    scripts.set(name, Buffer.from(text));
  };
  take(ENTRY);
  const lengths = (map: Map<string, Buffer>): [string, number][] =>
    [...map].map(([name, bytes]) => [name, bytes.length]);
  const contents: Contents = { scripts: lengths(scripts), files: lengths(files) };
  const table = Buffer.from(JSON.stringify(contents));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(table.length);
  return Buffer.concat([length, table, ...scripts.values(), ...files.values()]);
}

/** The address that begins a visit, and the model of a file. */
export interface Carried {
  name: string;
  /** What stands behind `#` at the first visit. */
  address: string;
  files: readonly { name: string; bytes: Uint8Array }[];
}

/** A file with a model. */
export function carrying(page: string, { name, address, files }: Carried): string {
  const about = JSON.stringify({ name, address }).replaceAll("<", "\\u003c");
  const parts = files.map(
    (file) =>
      `<script type="text/plain" data-file="${encodeURIComponent(file.name)}">${Buffer.from(file.bytes).toString("base64")}</script>\n`,
  );
  return page.replace(
    MODEL_PLACE,
    () =>
      `<script type="application/json" id="headscope-model">${about}</script>\n${parts.join("")}`,
  );
}

/**
 * The files of a model on a disk.
 * @throws command/too-large
 */
export function filesOf(path: string): Carried["files"] {
  const fs = builtin("node:fs");
  const paths = builtin("node:path");
  const isFile = fs.statSync(path).isFile();
  const names = isFile ? [] : fs.readdirSync(path).filter((name) => OF_MODEL.test(name));
  // A folder may have the weights in both forms, of which the page reads one.
  const hasBoth = names.some((name) => name.endsWith(".safetensors"));
  const kept = names.filter((name) => !hasBoth || !name.endsWith(".bin"));
  const found = isFile ? [path] : kept.map((name) => paths.join(path, name));
  const bytes = found.reduce((sum, file) => sum + fs.statSync(file).size, 0);
  if (bytes > MOST_BYTES) {
    const expected = `at most ${MOST_BYTES / 2 ** 20} MB`;
    const got = `${Math.ceil(bytes / 2 ** 20)} MB`;
    const message = `The files of ${path} have ${got}; a page of one file can carry ${expected}. Serve the model with \`headscope ${path}\`.`;
    throw refuse("command/too-large", "--model", expected, got, message);
  }
  return found.map((file) => ({ name: paths.basename(file), bytes: fs.readFileSync(file) }));
}

/** Unpacks what a file carries, and starts the page: a script as text, not of this program. */
const LOADER = `
(async () => {
  const bytesOf = (text) => {
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  };
  try {
    const packed = document.getElementById("headscope-packed");
    const unpacking = new DecompressionStream("deflate");
    const stream = new Blob([bytesOf(packed.textContent)]).stream().pipeThrough(unpacking);
    const whole = await new Response(stream).arrayBuffer();
    packed.remove();
    const length = new DataView(whole).getUint32(0, true);
    const contents = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)));
    let at = 4 + length;
    const next = (bytes) => new Uint8Array(whole, (at += bytes) - bytes, bytes);
    const imports = {};
    for (const [name, bytes] of contents.scripts)
      imports["${NAMED}" + name] = URL.createObjectURL(
        new Blob([next(bytes)], { type: "text/javascript" }),
      );
    const files = (globalThis.headscopeFiles = {});
    for (const [path, bytes] of contents.files) {
      const type = path.endsWith(".js") ? "text/javascript" : "application/wasm";
      const reader = new FileReader();
      reader.readAsDataURL(new Blob([next(bytes)], { type }));
      await new Promise((resolve) => (reader.onload = resolve));
      files[path] = reader.result;
    }
    const about = document.getElementById("headscope-model");
    if (about) {
      const { name, address } = JSON.parse(about.textContent);
      const parts = [...document.querySelectorAll("script[data-file]")];
      const model = parts.map((part) => {
        const file = new File([bytesOf(part.textContent)], decodeURIComponent(part.dataset.file));
        part.remove();
        return file;
      });
      globalThis.headscopeModel = { name, files: model };
      if (location.hash === "" && address !== "") location.hash = address;
    }
    const map = document.createElement("script");
    map.type = "importmap";
    map.textContent = JSON.stringify({ imports });
    document.head.append(map);
    await import("${NAMED}${ENTRY}");
  } catch (error) {
    const place = document.querySelector(".fallback");
    if (place) place.textContent = "This browser cannot open the page (" + error + "). Use a current one.";
  }
})();
`;
