import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import * as esbuild from "esbuild";
import * as vite from "vite";
import webpack from "webpack";
import { described, ready } from "./embed-page.js";
import { watch } from "./explorer-page.js";
import { SiteServer } from "./site-server.js";

/** An app that has the package as a dependency, and how it is built. */
interface App {
  bundler: string;
  source: string;
  code: string;
  /** The folder beside the app's page that holds `models/`. */
  home: string;
  build: (folder: string) => Promise<unknown>;
}

const TAG = 'headscope-heatmap model="models/tiny-gpt" text="A cat and a dog." stack="decoder"';

const APPS: readonly App[] = [
  {
    bundler: "Vite, with React",
    source: "app.tsx",
    code: `
      import "headscope/elements.js";
      import { createRoot } from "react-dom/client";
      const root = document.body.appendChild(document.createElement("main"));
      createRoot(root).render(<${TAG} />);`,
    home: "",
    build: (folder) =>
      vite.build({ root: folder, configFile: false, base: "./", logLevel: "warn" }),
  },
  {
    bundler: "webpack",
    source: "app.js",
    code: `
      import "headscope/elements.js";
      document.body.innerHTML = '<${TAG}></headscope-heatmap>';`,
    home: "",
    build: (folder) =>
      new Promise<void>((done, fail) => {
        webpack(
          {
            mode: "production",
            context: folder,
            entry: "./app.js",
            output: { path: join(folder, "dist"), filename: "app.js" },
            // It takes most of the time, and changes no address.
            optimization: { minimize: false },
            performance: false,
          },
          (error, stats) => {
            if (error ?? stats?.hasErrors())
              fail(error ?? new Error(stats?.toString("errors-only")));
            else done();
          },
        );
      }),
  },
  {
    bundler: "esbuild",
    source: "app.js",
    code: `
      import { configure } from "headscope/elements.js";
      configure({ home: "elsewhere" });
      document.body.innerHTML = '<${TAG}></headscope-heatmap>';`,
    home: "elsewhere",
    build: async (folder) => {
      await esbuild.build({
        absWorkingDir: folder,
        entryPoints: ["app.js"],
        bundle: true,
        format: "esm",
        outdir: "dist",
        logLevel: "warning",
      });
      for (const copied of ["worker.js", "assets"])
        cpSync(join(folder, "node_modules/headscope", copied), join(folder, "dist", copied), {
          recursive: true,
        });
    },
  },
];

const folder = mkdtempSync(join(tmpdir(), "headscope-bundlers-"));
const modules = join(folder, "node_modules");

test.beforeAll(() => {
  const installed = join(modules, "headscope");
  mkdirSync(installed, { recursive: true });
  const pack = ["pack", "--silent", "--pack-destination", folder];
  const tarball = execFileSync("npm", pack, { cwd: "dist/npm", encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", installed, "--strip-components=1"]);
  for (const name of ["react", "react-dom"])
    symlinkSync(
      dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
      join(modules, name),
    );
});
test.afterAll(() => rmSync(folder, { recursive: true }));

for (const { bundler, source, code, home, build } of APPS) {
  test(`a figure of the packed package is drawn in an app that ${bundler} has built`, async ({
    page,
  }) => {
    const app = mkdtempSync(join(folder, "app-"));
    const dist = join(app, "dist");
    symlinkSync(modules, join(app, "node_modules"));
    writeFileSync(join(app, source), code);
    const html = (script: string): string =>
      `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="${script}"></script>`;
    writeFileSync(join(app, "index.html"), html(`./${source}`));
    await build(app);
    if (source === "app.js") writeFileSync(join(dist, "index.html"), html(source));
    mkdirSync(join(dist, home), { recursive: true });
    symlinkSync(resolve("models"), join(dist, home, "models"));

    const seen = watch(page);
    const server = new SiteServer(dist, "/app/");
    await server.start();
    await page.goto(server.address);
    const figure = page.locator("headscope-heatmap");
    await ready(figure);
    const [name, , number] = await described(figure);
    expect(name).toMatch(/7 queries by 7 keys/);
    expect(number).toMatch(/0\.\d/);
    const colours = await figure
      .locator("canvas")
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas
          .getContext("2d")
          ?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        return new Set(new Uint32Array(Uint8Array.from(data).buffer)).size;
      });
    expect(colours).toBeGreaterThan(10);
    expect(seen).toEqual({ foreign: [], errors: [] });
    await server.kill();
  });
}
