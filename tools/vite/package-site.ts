import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";
import { FRAME_PAGE } from "./embed-script.ts";

const root = resolve(import.meta.dirname, "../..");

/** Writes the files by which the package is a site, too: the page, and the script of figures. */
export function siteOfPackage(): Plugin {
  return {
    name: "headscope-site-of-package",
    // Behind the style sheet, which is written last.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const style = Object.keys(bundle).find((name) => name.endsWith(".css"));
        if (style === undefined) throw new Error("The package has no style sheet");
        const page = readFileSync(resolve(root, "index.html"), "utf8")
          .replace("./www/styles/page.css", `./${style}`)
          .replace("./www/main.ts", "./page.js")
          // Which of the bundled models are there, the server says.
          .replace("</head>", '  <meta name="headscope-models" content="" />\n  </head>');
        this.emitFile({ type: "asset", fileName: "index.html", source: page });
        // The models are not there when the package is built.
        this.emitFile({ type: "asset", fileName: "first-picture.json", source: "{}" });
        this.emitFile({ type: "asset", fileName: "embed.js", source: EMBED });
        const frame = readFileSync(resolve(root, FRAME_PAGE), "utf8");
        this.emitFile({ type: "asset", fileName: "embed.html", source: frame });
      },
    },
  };
}

/** The script of figures under the name that a site gives it, with the models beside it. */
const EMBED = `import { configure } from "./loader.js";
if ("document" in globalThis) configure({ home: new URL("./", import.meta.url).href });
export { configure };
`;
