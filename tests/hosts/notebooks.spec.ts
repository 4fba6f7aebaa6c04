// Notebooks: a figure of arrays, what was chosen in it, the whole explorer, and exported HTML.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FrameLocator } from "@playwright/test";
import { addModels, example, expect, PROGRAMS, test, type Locator, type Page } from "./hosts.js";

/** The kernel of a notebook starts slowly on a busy machine. */
const STARTED = { timeout: 120_000 };

let server: ChildProcess | null = null;
test.afterEach(() => {
  server?.kill();
  server = null;
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** A copy of an example with the models beside it; settings of a user's own stay as they are. */
function notebook(name: string): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = example(name, "figure");
  addModels(folder);
  const [JUPYTER_CONFIG_DIR, JUPYTER_DATA_DIR, IPYTHONDIR] = ["config", "data", "ipython"].map(
    (part) => join(folder, part),
  );
  return {
    folder,
    env: { ...process.env, JUPYTER_CONFIG_DIR, JUPYTER_DATA_DIR, IPYTHONDIR },
  };
}

/** Starts a server of notebooks, and opens a page of it once it answers. */
async function serve(
  page: Page,
  words: (port: number) => readonly string[],
  { folder, env }: ReturnType<typeof notebook>,
  path: string,
): Promise<void> {
  const port = await freePort();
  server = spawn(PROGRAMS.python, ["-m", ...words(port)], { cwd: folder, env, stdio: "ignore" });
  const address = `http://127.0.0.1:${port}/${path}`;
  await expect
    .poll(
      () =>
        page.goto(address).then(
          (answer) => answer?.ok() ?? false,
          () => false,
        ),
      STARTED,
    )
    .toBe(true);
}

/** Chooses a head and a pair in the figure of the examples. */
async function choose(figure: Locator): Promise<void> {
  const pad = figure.getByRole("application").first();
  await expect(pad).toHaveAccessibleName(/5 queries by 5 keys/, STARTED);
  await figure
    .getByRole("button", { name: /head 3/ })
    .first()
    .click();
  await pad.focus();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await pad.press(key);
}

/** The whole explorer runs the model in its frame. */
async function explores(frame: FrameLocator): Promise<void> {
  // A frame out of sight is not painted.
  await frame.owner().scrollIntoViewIfNeeded(STARTED);
  const pad = frame.getByRole("application").first();
  await expect(pad).toHaveAccessibleName(/6 queries by 6 keys/, STARTED);
}

test("JupyterLab: a figure, what was chosen, the explorer", async ({ page }) => {
  const words = (port: number): string[] => [
    ...["jupyterlab", "--no-browser", "--allow-root", `--ServerApp.port=${port}`],
    ...["--IdentityProvider.token=", "--LabApp.news_url="],
  ];
  await serve(page, words, notebook("jupyter"), "lab/tree/heads.ipynb");
  const cells = page.locator(".jp-Notebook .jp-CodeCell");
  await expect(cells).toHaveCount(4, STARTED);
  // A cell that is run before the kernel answers asks for one, and is not run.
  await expect(page.getByText("Python 3 (ipykernel) | Idle")).toBeVisible(STARTED);
  const run = async (at: number): Promise<Locator> => {
    await cells.nth(at).locator(".cm-content").click();
    await page.keyboard.press("Shift+Enter");
    return cells.nth(at).locator(".jp-OutputArea");
  };
  await choose((await run(0)).locator("headscope-attention"));
  await expect(await run(1)).toContainText("2 (2, 0)", STARTED);
  await explores((await run(3)).frameLocator("iframe"));
});

test("JupyterLab: an exported page needs no Python", async ({ page }) => {
  const { folder, env } = notebook("jupyter");
  const words = ["-m", "nbconvert", "--execute", "--to", "html", "heads.ipynb"];
  execFileSync(PROGRAMS.python, words, { cwd: folder, env, stdio: "pipe" });
  await page.goto(pathToFileURL(join(folder, "heads.html")).href);
  const pad = page.locator("iframe").first().contentFrame().getByRole("application").first();
  await expect(pad).toHaveAccessibleName(/5 queries by 5 keys/, STARTED);
});

test("marimo: a figure, what was chosen, the explorer", async ({ page }) => {
  const words = (port: number): string[] => [
    ...["marimo", "run", "heads.py", "--headless", "--no-token", "--port", `${port}`],
  ];
  await serve(page, words, notebook("marimo"), "");
  await choose(page.locator("headscope-attention"));
  await expect(page.getByText("Chosen: head 2, pair (2, 0)")).toBeVisible(STARTED);
  await explores(page.frameLocator("iframe"));
});
