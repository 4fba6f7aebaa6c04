/**
 * Serves the files of some folders: types, lengths, ranges and ETags by `serve-static`, which
 * Express is built on. Nothing is compressed, so that the length of a download is known.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import serveStatic from "serve-static";

/** @import { IncomingMessage, RequestListener, ServerResponse } from "node:http" */

/**
 * @typedef {object} Options
 * @property {Readonly<Record<string, string>>} [headers] of every answer
 * @property {Awaited} [awaited] files that are still being made
 */

/**
 * @typedef {object} Awaited
 * @property {string} prefix how their addresses begin, such as `/cores/`
 * @property {string} folder where each appears once it is complete
 * @property {(file: string) => void} onWait is called when a file is asked for that is not there
 */

/**
 * Headers by which other pages on this machine, such as a notebook, may fetch every file and read
 * its headers.
 */
export const SHARED = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
  // The next build has other files: a browser revalidates each time and keeps one copy.
  "Cache-Control": "no-cache",
};

const LOOK_AGAIN_MILLIS = 200;

/**
 * A listener for `createServer`. A file is that of the first folder that has one of its name.
 *
 * @param {readonly string[]} folders
 * @param {Options} options
 * @returns {RequestListener}
 */
export function filesOf(folders, { headers = {}, awaited } = {}) {
  const places = placesOf(folders);
  const coming = placesOf(awaited ? [awaited.folder] : []);
  return (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.method === "OPTIONS") {
      end(response, 204, "");
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      end(response, 405, "Only reading is possible here.");
    } else if (awaited && request.url?.startsWith(awaited.prefix)) {
      void whenThere(awaited, request, response).then(() => answer(coming, request, response));
    } else {
      answer(places, request, response);
    }
  };
}

/** @param {readonly string[]} folders */
const placesOf = (folders) => folders.map((folder) => serveStatic(folder, { cacheControl: false }));

/**
 * @param {readonly serveStatic.RequestHandler<ServerResponse>[]} places
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function answer([place, ...others], request, response) {
  if (!place) {
    end(response, 404, "There is no such file here.");
    return;
  }
  place(request, response, (problem) => {
    if (problem) end(response, problem.status, "The file cannot be sent like this.");
    else answer(others, request, response);
  });
}

/**
 * Waits for an awaited file and takes the prefix from its address.
 *
 * @param {Awaited} awaited
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
async function whenThere({ prefix, folder, onWait }, request, response) {
  const [path = ""] = (request.url ?? "").slice(prefix.length).split("?");
  const file = join(folder, path);
  if (!existsSync(file)) onWait(path);
  while (!existsSync(file) && !response.destroyed) await setTimeout(LOOK_AGAIN_MILLIS);
  request.url = `/${path}`;
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {string} sentence
 */
function end(response, status, sentence) {
  response.statusCode = status;
  if (sentence !== "") response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.end(sentence);
}
