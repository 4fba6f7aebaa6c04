/**
 * The server of the page in the package: its files, the models of a folder and a model that was
 * named, for this machine alone.
 */

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, dirname, join } from "node:path";
import { filesOf, SHARED } from "./files.js";

/** @import { RequestListener, Server } from "node:http" */

/**
 * @typedef {object} Site
 * @property {string} folder the folder with index.html
 * @property {string | null} models the folder with the folders of models
 * @property {{ name: string, path: string } | null} opened a model's folder or GGUF file
 */

/** The headers of files for the page itself. */
const OWN = { "Cache-Control": "no-cache" };
/** The name of a folder that an attribute of the page can list. */
const LISTED = /^[\w.-]+$/;
/** The listener that has no file. */
const NOTHING = filesOf([]);
/** The place of the list of models in index.html. */
const LIST = '<meta name="headscope-models" content="" />';

/**
 * The server of a site, which does not listen yet.
 *
 * @param {Site} site
 * @returns {Server}
 */
export function siteServer({ folder, models, opened }) {
  const site = filesOf([folder], { headers: SHARED });
  const page = readFileSync(join(folder, "index.html"), "utf8");
  if (!page.includes(LIST)) throw new Error("index.html has no list of models");
  return createServer((request, response) => {
    const { host = "", origin } = request.headers;
    // A page of another site could give its own name this machine's address.
    if (!isOfThisMachine(`http://${host}`)) {
      response.writeHead(403, { "Content-Type": "text/plain; charset=utf-8" });
      response.end("This page is served to this machine alone: open it at 127.0.0.1.");
      return;
    }
    const [path = ""] = (request.url ?? "").split("?");
    // Other pages of this machine, such as notebooks, may read the models; other sites may not.
    const isNear = origin !== undefined && isOfThisMachine(origin);
    const headers = isNear ? { ...SHARED, "Access-Control-Allow-Origin": origin } : OWN;
    if (path === "/" || path === "/index.html") {
      const listed = listOf(models).map((name) => `models/${name}`);
      response.writeHead(200, { ...SHARED, "Content-Type": "text/html; charset=utf-8" });
      response.end(page.replace(LIST, LIST.replace('""', `"${listed.join(" ")}"`)));
    } else if (models !== null && path.startsWith("/models/")) {
      below("/models", filesOf([models], { headers }))(request, response);
    } else if (opened !== null && path.startsWith("/opened/")) {
      modelOf(opened, headers)(request, response);
    } else {
      site(request, response);
    }
  });
}

/**
 * Whether an address is one of this machine.
 *
 * @param {string} address
 */
function isOfThisMachine(address) {
  const hostname = URL.canParse(address) ? new URL(address).hostname : "";
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}

/**
 * The folders of models in a folder.
 *
 * @param {string | null} models
 */
function listOf(models) {
  if (models === null) return [];
  const entries = readdirSync(models, { withFileTypes: true });
  return entries
    .filter((one) => one.isDirectory() && LISTED.test(one.name))
    .map(({ name }) => name);
}

/**
 * The listener for the files of a named model, under its own name.
 *
 * @param {{ name: string, path: string }} model
 * @param {Record<string, string>} headers
 * @returns {RequestListener}
 */
function modelOf({ name, path }, headers) {
  const isFolder = name.endsWith("/");
  const files = filesOf([isFolder ? path : dirname(path)], { headers });
  const prefix = isFolder ? `/opened/${encodeURIComponent(name.slice(0, -1))}` : "/opened";
  return (request, response) => {
    const [asked = ""] = (request.url ?? "").split("?");
    // Of the folder of a file, nothing else.
    const other = !isFolder && decoded(asked) !== `/opened/${basename(path)}`;
    if (other) NOTHING(request, response);
    else below(prefix, files)(request, response);
  };
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}

/**
 * A listener for addresses below a prefix; nothing is elsewhere.
 *
 * @param {string} prefix
 * @param {RequestListener} files
 * @returns {RequestListener}
 */
const below = (prefix, files) => (request, response) => {
  const { url = "" } = request;
  const isBelow = url.startsWith(`${prefix}/`);
  if (isBelow) request.url = url.slice(prefix.length);
  (isBelow ? files : NOTHING)(request, response);
};
