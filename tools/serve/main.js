/**
 * `npm run preview` and `cargo xtask serve`: serves the folders that are named to browsers on
 * this machine.
 *
 *     node tools/serve/main.js [--port N] [--cores FOLDER] [--attached] FOLDER…
 *
 * With `--cores`, what is asked for under `/cores/` is answered once it is in that folder. With
 * `--attached`, the server ends when its standard input does: when the program that started it has
 * ended, however that came.
 */

import { createServer } from "node:http";
import process from "node:process";
import { parseArgs } from "node:util";
import { filesOf, SHARED } from "./files.js";

/** The address of the server: a page under construction is for this machine alone. */
const HOST = "127.0.0.1";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: "string", default: "4317" },
    cores: { type: "string" },
    attached: { type: "boolean", default: false },
  },
});

const awaited = values.cores
  ? { prefix: "/cores/", folder: values.cores, onWait: sayThatItIsComing }
  : undefined;

/** @param {string} file */
function sayThatItIsComing(file) {
  process.stdout.write(`The page asks for ${file}, which is still being built: it waits.\n`);
}

const server = createServer(filesOf(positionals, { headers: SHARED, ...(awaited && { awaited }) }));
server.on("error", (problem) => {
  process.stderr.write(`Port ${values.port} cannot be used (${problem.message}).\n`);
  process.exit(1);
});
server.listen(Number(values.port), HOST, () => {
  process.stdout.write(`\nHeadscope is at http://${HOST}:${values.port}/ (stop with Ctrl+C)\n`);
});

if (values.attached) process.stdin.on("end", () => process.exit()).resume();
