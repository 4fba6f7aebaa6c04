import { cpSync, existsSync, readdirSync, readFileSync, type Dirent } from "node:fs";
import { resolve } from "node:path";
import { minify } from "terser";
import type { Plugin, ResolvedConfig } from "vite";

const root = resolve(import.meta.dirname, "../..");

/**
 * Rewrites each address to the form that all bundlers follow, `new URL("./file", import.meta.url)`,
 * where Vite nests two.
 */
export function plainAddresses(): Plugin {
  // A minifier writes strings between backticks, which not every bundler follows.
  const address =
    /(?:new URL\()?new URL\(["`]([^"`]+)["`],\s*import\.meta\.url\)(?:\.href,\s*(?:""|``)\s*\+\s*import\.meta\.url\))?/g;
  const later = /\bimport\(`([^`$]+)`\)/g;
  return {
    name: "headscope-plain-addresses",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === "chunk")
          file.code = file.code
            .replaceAll(address, 'new URL("./$1", import.meta.url)')
            .replaceAll(later, 'import("$1")');
    },
  };
}

/**
 * Marks the calls that make colour maps and lists of colours as pure: two maps are used of a file
 * that makes forty, and without the mark the bundle would contain all of them. The bundler's own
 * list of pure functions is of names, and would drop calls on any variable of such a name.
 */
export function leaveColourMaps(): Plugin {
  const makers =
    /(?<=[=(,] ?)(?=(?:new Array\(3\)\.concat|(?:ramp|cubehelix)(?:\$1)?|colors|rgb|interpolateCubehelixLong)\()/g;
  return {
    name: "headscope-leave-colour-maps",
    apply: "build",
    transform: {
      filter: { id: /[\\/]d3-scale-chromatic[\\/]/ },
      handler: (code) => ({ code: code.replaceAll(makers, "/* @__PURE__ */ "), map: null }),
    },
  };
}

/** Removes indents and the comments of style sheets from templates. */
export function leanTemplates(): Plugin {
  return {
    name: "headscope-lean-templates",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]www[\\/].*\.ts$/ },
      handler: (code) => ({
        code: code
          .replaceAll(/\bcss`[^`]*`/g, (sheet) =>
            sheet.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/\s+/g, " "),
          )
          .replaceAll(/\n[ \t]+/g, "\n"),
        map: null,
      }),
    },
  };
}

/**
 * Leaves out the part of Vite that wraps each dynamic import in a helper, which preloads style
 * sheets and imports of the imported script: no part of the page has any that is named.
 */
export function plainImports(): Plugin {
  return {
    name: "headscope-plain-imports",
    apply: "build",
    configResolved: ({ plugins }) => {
      const at = plugins.findIndex(({ name }) => name === "native:import-analysis-build");
      if (at < 0) throw new Error("Vite wraps imports in a plugin of another name.");
      (plugins as Plugin[]).splice(at, 1);
    },
  };
}

/** The scripts of a first visit that `smallestStart` minifies. */
const STARTS = ["explorer", "service-worker"];

/**
 * Minifies scripts of a first visit once more, with a minifier that is slower than the bundler's
 * own and leaves less.
 */
export function smallestStart(): Plugin {
  return {
    name: "headscope-smallest-start",
    apply: "build",
    generateBundle: {
      order: "post",
      handler: async (_, bundle) => {
        for (const chunk of Object.values(bundle))
          if (chunk.type === "chunk" && STARTS.includes(chunk.name)) {
            const { code } = await minify(chunk.code, {
              module: true,
              ecma: 2020,
              compress: { passes: 2, keep_fargs: false },
              nameCache: { vars: { props: exportedNames(chunk.code) } },
            });
            chunk.code = code ?? chunk.code;
          }
      },
    },
  };
}

/**
 * The names under which a script exports its parts, by the names that they have in it, as the
 * minifier keeps them: a list of one name each is much shorter than one of two.
 */
function exportedNames(code: string): Record<string, string> {
  const pairs = (/\bexport\{([^}]*)\}/.exec(code)?.[1] ?? "").split(",").flatMap((part) => {
    const [own = "", exported = own] = part.split(" as ");
    return RESERVED.has(exported) ? [] : [[`$${own}`, exported]];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Short names that a script may export, but not give to a part. */
const RESERVED = new Set(["default", "do", "for", "if", "in", "let", "new", "try", "var"]);

/** The packages of lit that have builds of their own for Node. */
const LIT =
  /[\\/]node_modules[\\/](?:lit-html|lit-element|@lit[\\/]reactive-element)[\\/](?=[\w-]+\.js$|directives[\\/]|decorators[\\/])/;
const SHIM = "@lit-labs/ssr-dom-shim";
const SHIMMED = "export class HTMLElement {}; export const customElements = undefined;";

/**
 * Takes lit's own builds that a program without a document can import, such as a server that
 * renders pages. Its shim of a document is left out: there, classes extend an empty one.
 */
export function litWithoutDocument(): Plugin {
  return {
    name: "headscope-lit-without-document",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer) {
      if (source === SHIM) return `\0${SHIM}`;
      if (!/^(?:\.{0,2}\/|lit|@lit\/)/.test(source) || importer === undefined) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      const id = found?.id.replace(LIT, "$&node/");
      return id !== undefined && id !== found?.id && existsSync(id) ? id : found;
    },
    load: (id) => (id === `\0${SHIM}` ? SHIMMED : null),
    transform: {
      // Nothing becomes a global where there are no custom elements.
      filter: { id: /reactive-element[\\/]node[\\/]reactive-element\.js$/ },
      handler: (code) => ({ code: code.replace(/\w+\.customElements\?\?=\w+;/, ""), map: null }),
    },
  };
}

/** Writes the licences of the crates in the core beside the core. */
export function coreLicences(): Plugin {
  return {
    name: "headscope-core-licences",
    apply: "build",
    generateBundle() {
      const source = readFileSync(resolve(root, "www/engine/wasm/licences.md"), "utf8");
      this.emitFile({ type: "asset", fileName: "licences/rust.md", source });
    },
  };
}

/** A plugin of workers that refuses npm packages, since Vite writes no licences for a worker. */
export function onlyOwnSources(): Plugin {
  return {
    name: "headscope-only-own-sources",
    moduleParsed({ id }) {
      if (id.includes("node_modules"))
        throw new Error(`${id} is in a worker: write its licence into the build, too.`);
    },
  };
}

/**
 * Serves folders unchanged: the bundled models, and examples of other people's pages beside the
 * script that they load.
 */
export function copyFolders(): Plugin {
  let site = "";
  return {
    name: "headscope-copy-folders",
    apply: "build",
    configResolved: (config) => {
      site = outputFolder(config);
    },
    closeBundle() {
      cpSync(resolve(root, "models"), resolve(site, "models"), { recursive: true });
      const examples = resolve(root, "docs/examples");
      // Its folders are sources for other tools.
      for (const { name } of readdirSync(examples, { withFileTypes: true }).filter(isPagePart))
        cpSync(resolve(examples, name), resolve(site, "examples", name));
    },
  };
}

const isPagePart = (one: Dirent): boolean => one.isFile() && !one.name.endsWith(".md");

/** The output folder of a build, which `--outDir` may have set. */
export const outputFolder = ({ root: from, build }: ResolvedConfig): string =>
  resolve(from, build.outDir);

/** The entries of single elements. */
export const FIGURES: readonly string[] = readdirSync(resolve(root, "www/embed/entries")).map(
  (file) => file.replace(/\.ts$/, ""),
);

/**
 * The entry of a module in the package's `exports`. Vite's dev server moves the `.js` files that a
 * page imports into one file elsewhere, away from the worker and the wasm, but not files that end
 * with `.jsx`. So a copy of each entry with that ending serves the condition `development`, except
 * in Node, which does not read such files.
 */
function entryOf(types: string, name: string): Record<string, string> {
  const file = `./${name}.js`;
  return { types, node: file, development: `./${name}.jsx`, default: file };
}

const typesOf = (name: string): string => `./types/entries/${name}.d.ts`;

/** What a page may use of the entry of an element, by those of all elements. */
function declarationsOf(exported: readonly string[]): string {
  const names = exported.filter((name) => /^(?:Headscope|HeadScope|configure)/.test(name));
  return `export { ${names.join(", ")} } from "../embed/types.js";
export type { HeadscopeTags } from "../embed/types.js";
`;
}

/**
 * Writes the package.json of the npm package, with the version of this repository, and the copies
 * that it names.
 */
export function describePackage(): Plugin {
  return {
    name: "headscope-describe-package",
    generateBundle(_, bundle) {
      const elements = ["elements", "loader", ...FIGURES];
      for (const name of ["headscope", ...elements]) {
        const entry = bundle[`${name}.js`];
        if (entry?.type !== "chunk") throw new Error(`The package has no ${name}.js`);
        this.emitFile({ type: "asset", fileName: `${name}.jsx`, source: entry.code });
        if (name === "loader" || FIGURES.includes(name))
          this.emitFile({
            type: "asset",
            fileName: typesOf(name).slice(2),
            source: declarationsOf(entry.exports),
          });
      }
      const { version, license, author, homepage, bugs, repository, engines, dependencies } =
        JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as PackageJson;
      const description = {
        name: "headscope",
        version,
        description: "Real Transformers in a web page, with every attention head at work",
        keywords: KEYWORDS,
        license,
        author,
        homepage,
        bugs,
        repository,
        type: "module",
        engines,
        // The modules of the elements define them on import.
        customElements: "custom-elements.json",
        sideEffects: [
          ...elements.flatMap((name) => [`./${name}.js`, `./${name}.jsx`]),
          "./anywidget.js",
          "./figures.js",
          "./reveal.js",
          "./*-*.js",
          "./worker.js",
          "./cli.js",
          "./embed.js",
          "./embed-frame.js",
          "./page.js",
          "./serve.js",
        ],
        bin: { headscope: "./cli.js" },
        exports: {
          ".": entryOf("./types/headscope.d.ts", "headscope"),
          "./elements.js": entryOf("./types/embed/types.d.ts", "elements"),
          ...Object.fromEntries(
            FIGURES.map((name) => [`./${name}.js`, entryOf(typesOf(name), name)]),
          ),
          // Written by `package-site.ts`, with the address of the models beside it.
          "./embed.js": { types: typesOf("loader"), default: "./embed.js" },
          // Written after the package, by `notebook.ts` and `figures.ts`.
          "./anywidget.js": "./anywidget.js",
          "./figures.js": "./figures.js",
          "./reveal.js": { types: "./reveal.d.ts", default: "./reveal.js" },
          "./react": { types: "./types/embed/react.d.ts" },
          "./package.json": "./package.json",
        },
        // The code of lit is bundled; the type declarations of the elements import its types.
        dependencies: { lit: dependencies.lit },
      };
      this.emitFile({
        type: "asset",
        fileName: "package.json",
        source: `${JSON.stringify(description, null, 2)}\n`,
      });
      this.emitFile({ type: "asset", fileName: "reveal.d.ts", source: REVEAL_TYPES });
      for (const [fileName, text] of Object.entries(TEXTS))
        this.emitFile({
          type: "asset",
          fileName,
          source: readFileSync(resolve(root, text), "utf8"),
        });
    },
  };
}

/** The types of the plug-in of reveal.js, apart from those of the elements that it loads. */
const REVEAL_TYPES = `/** The plug-in of reveal.js: \`Reveal.initialize({ plugins: [Headscope] })\`. */
export default function Headscope(): { id: string; init(deck: object): void };
`;

const KEYWORDS = [
  "attention",
  "transformer",
  "visualization",
  "interpretability",
  "webassembly",
  "webgpu",
  "custom-elements",
  "gguf",
  "safetensors",
];

/** The texts of the package, and their source files in the repository. */
const TEXTS = {
  "README.md": "docs/package.md",
  "LICENSE-MIT": "LICENSE-MIT",
  "LICENSE-APACHE": "LICENSE-APACHE",
};

interface PackageJson {
  version: string;
  license: string;
  author: string;
  homepage: string;
  bugs: string;
  repository: { type: string; url: string };
  engines: Record<string, string>;
  dependencies: { lit: string };
}
