// Examples of `docs/examples` as a reader would have them: with a figure that the page saved, built
// by the real tool, and opened.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { ready, SiteServer } from "../e2e/site.js";
import { expect, NOTHING, test, watch, type Locator, type Page } from "../e2e/page.js";

/**
 * The folder in which npm packages are installed, with those of this package. Next.js builds no app
 * whose path has a link in it, as `target` may be one.
 */
export const HOSTS = existsSync("target/hosts")
  ? realpathSync("target/hosts")
  : resolve("target/hosts");
const APPS = join(HOSTS, "apps");
const MODULES = join(HOSTS, "node_modules");
const PYTHON = join(HOSTS, "python", process.platform === "win32" ? "Scripts" : "bin");

/** The programs of the tools, by their names. */
export const PROGRAMS = {
  python: join(PYTHON, "python"),
  sphinx: join(PYTHON, "sphinx-build"),
  mkdocs: join(PYTHON, "mkdocs"),
  mdbook: process.env.HEADSCOPE_MDBOOK ?? "mdbook",
  next: join(MODULES, ".bin/next"),
  astro: join(MODULES, ".bin/astro"),
  observable: join(MODULES, ".bin/observable"),
  deno: join(MODULES, ".bin/deno"),
} as const;

/** Runs a tool; what it wrote is the message of a failure. */
export function run(name: keyof typeof PROGRAMS, words: readonly string[], cwd: string): string {
  // mdBook finds its preprocessor on the path.
  const PATH = `${PYTHON}:${process.env.PATH ?? ""}`;
  const quiet = { NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1" };
  const env = { ...process.env, ...quiet, OBSERVABLE_TELEMETRY_DISABLE: "true", PATH };
  return execFileSync(PROGRAMS[name], words, { cwd, env, encoding: "utf8", stdio: "pipe" });
}

/** A copy of an example, with the files of its figure in a folder of it. */
export function example(name: string, figureIn: string): string {
  if (!existsSync(MODULES))
    throw new Error("target/hosts is not there: run `cargo xtask test hosts`.");
  mkdirSync(APPS, { recursive: true });
  const folder = mkdtempSync(join(APPS, `${name}-`));
  cpSync(join("docs/examples", name), folder, { recursive: true });
  cpSync("docs/examples/figure", join(folder, figureIn), { recursive: true });
  return folder;
}

/** The built package, installed as npm would install it. */
export function installPackage(): void {
  const folder = join(MODULES, "headscope");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pack = ["pack", "--silent", "--pack-destination", HOSTS];
  const tarball = execFileSync("npm", pack, { cwd: "dist/npm", encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", join(HOSTS, tarball), "-C", folder, "--strip-components=1"]);
}

/** The models beside a page that runs them. */
export function addModels(folder: string): void {
  mkdirSync(folder, { recursive: true });
  symlinkSync(resolve("models"), join(folder, "models"));
}

/** Opens pages of a built site, which are watched for errors and foreign requests. */
export async function opened(
  folder: string,
  page: Page,
  look: (address: string) => Promise<void>,
  path = "/site/",
): Promise<void> {
  const seen = watch(page);
  const server = new SiteServer(folder, path);
  await server.start();
  await look(server.address);
  await server.kill();
  expect(seen).toEqual(NOTHING);
}

/** A figure is drawn from the saved numbers: it says the weight of “The” on the start. */
export async function isDrawn(figure: Locator): Promise<void> {
  await ready(figure);
  const pad = figure.getByRole("application");
  await expect(pad).toHaveAccessibleName(/5 queries by 5 keys/);
  await pad.press("ArrowDown");
  await expect(figure.locator("[aria-live]")).toContainText(": 0.602");
}

/** Without JavaScript the picture is there in its place, with words. */
export async function isPicture(page: Page, address: string): Promise<void> {
  const browser = page.context().browser();
  const context = await browser?.newContext({ javaScriptEnabled: false });
  const plain = await context?.newPage();
  await plain?.goto(address);
  const picture = plain?.getByRole("img", { name: /ach word/ });
  if (!picture) throw new Error("There is no page.");
  await expect(picture).toBeVisible();
  const width = picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
  expect(await width).toBeGreaterThan(100);
  await context?.close();
}

export { expect, test, type Locator, type Page };
