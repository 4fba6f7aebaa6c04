/**
 * Tells a built page that the documentation stands beside it: `npm run link:docs -- FOLDER`, by
 * default in dist/site, once FOLDER/docs is there.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const META = '<meta name="headscope-docs" content="docs/" />';

const [folder = "dist/site"] = process.argv.slice(2);
if (!existsSync(join(folder, "docs/index.html"))) {
  throw new Error(`${folder} has no docs/index.html: run npm run build:docs first.`);
}
const path = join(folder, "index.html");
const worker = join(folder, "service-worker.js");
const page = readFileSync(path, "utf8");
if (!page.includes(META)) {
  const linked = page.replace("</head>", `  ${META}\n  </head>`);
  writeFileSync(path, linked);
  // The service worker takes the page by its hash.
  const listed = readFileSync(worker, "utf8");
  writeFileSync(worker, listed.replaceAll(hashOf(page), hashOf(linked)));
}

/** @param {string} text */
function hashOf(text) {
  return createHash("sha256").update(text).digest("base64");
}
