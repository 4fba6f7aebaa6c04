// Figures and the explorer in other pages: articles, frames, other hosts, apps that bundle the
// package.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, cpSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import * as vite from "vite";
import webpack from "webpack";
import type * as Headscope from "../../www/headscope.js";
import {
  boxOf,
  expect,
  ExplorerPage,
  NOTHING,
  test,
  watch,
  type Locator,
  type Page,
} from "./page.js";
import { described, EmbedSite, ready, SCRIPT, SiteServer, STRICT, strictFor } from "./site.js";

const site = new EmbedSite();

function workersOf(page: Page): string[] {
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  return workers;
}

const CAT = 'model="models/tiny-gpt" text="A cat and a dog." stack="decoder" layer="2" head="2"';
const EXPLORER = `<head-scope ${CAT}></head-scope>`;
const FIGURE = `<headscope-heatmap ${CAT}></headscope-heatmap>`;

test("an article has figures under a strict policy", async ({ page }) => {
  const seen = watch(page);
  const workers = workersOf(page);
  await page.setViewportSize({ width: 1280, height: 200 });
  await page.goto(`${site.server.address}examples/plain.html`);
  const heatmap = page.locator("headscope-heatmap");
  await expect(heatmap).toHaveAttribute("state", "waiting");
  await page.waitForLoadState("networkidle");
  expect([site.count("models/"), workers.length]).toEqual([0, 0]);
  await page.emulateMedia({ media: "print" });
  for (const tag of ["lines", "heatmap", "grid"])
    await expect(page.locator(`headscope-${tag}`)).toHaveAttribute("state", "ready", {
      timeout: 60_000,
    });
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 800 });
  expect([workers.length, site.count("model.safetensors")]).toEqual([2, 2]);
  expect(seen).toEqual(NOTHING);
});

test("figures share a model and follow their attributes", async ({ page }) => {
  const workers: Promise<unknown>[] = [];
  page.on("worker", (worker) => workers.push(worker.waitForEvent("close", { timeout: 0 })));
  const names = ["tokens", "heatmap", "mask", "positions", "spectrum", "steps"];
  const [first = "", ...others] = names.map(
    (name) => `<headscope-${name} ${CAT}></headscope-${name}>`,
  );
  const dimensions = `<headscope-dimensions ${CAT.replace("models/", "./models/")}></headscope-dimensions>`;
  const space = '<svg width="9" height="3000"></svg>';
  await site.write(page, [first, space, ...others, dimensions, SCRIPT].join(""));
  // Those of the same model follow without being scrolled to, so that the page can be printed.
  for (const name of names)
    await expect(page.locator(`headscope-${name}`)).toHaveAttribute("state", "ready");
  await ready(page.locator("headscope-dimensions"));
  expect(workers).toHaveLength(1);
  const heatmap = page.locator("headscope-heatmap");
  const set = (...attribute: [name: string, value: string]): Promise<void> =>
    heatmap.evaluate((figure, to) => figure.setAttribute(...to), attribute);
  await set("text", "A cat sat.");
  await expect(heatmap.getByRole("application")).toHaveAccessibleName(/5 queries by 5 keys/);
  for (const [name, value, words] of [
    ["text", "  ", "There is no text to show."],
    ["text", "word ".repeat(600), "input/too-long"],
    ["model", "./nowhere", "load/not-found"],
  ] as const) {
    await set(name, value);
    await expect(heatmap).toContainText(words);
  }
  await expect(heatmap).toHaveAttribute("state", "failed");
  await set("text", "A cat.");
  await set("model", "models/tiny-gpt");
  await ready(heatmap);
  await page.locator("main").evaluate((main) => main.replaceChildren());
  await Promise.all(workers);
});

test("a figure names why it has no picture", async ({ browser }) => {
  const away = new SiteServer(site.folder, "/");
  await away.start();
  const foreign = STRICT.replace("connect-src", `connect-src ${new URL(away.address).origin}`);
  const figure = (model: string): string =>
    `<headscope-tokens model="${model}" text="A cat." stack="decoder"></headscope-tokens>`;
  const near = figure("models/tiny-gpt");
  const file = "models/tiny-gpt/config.json";
  for (const [policy, missing, body, code, words] of [
    [STRICT.replace("worker-src 'self'", "worker-src 'none'"), "", near, "blocked", "worker-src"],
    [STRICT.replace(" 'wasm-unsafe-eval'", ""), "", near, "blocked", "wasm-unsafe-eval"],
    [STRICT.replace("connect-src 'self'", ""), "", near, "blocked", file],
    [foreign, "", figure(`${away.address}models/tiny-gpt`), "cross-origin", away.address + file],
    [STRICT, "**/worker-*.js", near, "engine-not-found", "/articles/assets/worker-"],
    [STRICT, "**/*.wasm", near, "engine-not-found", "/articles/assets/headscope_relaxed_bg-"],
    [STRICT, `**/${file}`, near, "not-found", `/articles/${file}`],
  ] as const) {
    const server = new SiteServer(site.folder, "/articles/", { "Content-Security-Policy": policy });
    await server.start();
    const page = await browser.newPage();
    if (missing) await page.route(missing, (route) => route.fulfill({ status: 404 }));
    await site.write(page, `${body}${SCRIPT}`, "", server);
    const shown = page.locator("headscope-tokens");
    await expect(shown, words).toHaveAttribute("state", "failed", { timeout: 20_000 });
    await expect(shown).toContainText(`load/${code}`);
    await expect(shown).toContainText(words);
    await page.close();
    await server.kill();
  }
  await away.kill();
});

test("a script of another host needs blob: for its worker, and says so", async ({ browser }) => {
  const shared = { "Access-Control-Allow-Origin": "*" };
  const far = new SiteServer(site.folder, "/", shared);
  await far.start();
  const { origin } = new URL(far.address);
  const figure = `<headscope-tokens model="${far.address}models/tiny-gpt" text="A cat." stack="decoder"></headscope-tokens>`;
  const documented = strictFor(origin);
  for (const [policy, state] of [
    [documented.replace("worker-src blob:", `worker-src ${origin}`), "failed"],
    [documented, "ready"],
  ] as const) {
    const headers = { "Content-Security-Policy": policy };
    const server = new SiteServer(site.folder, "/articles/", headers);
    await server.start();
    const page = await browser.newPage();
    const script = `<script type="module" src="${far.address}embed.js"></script>`;
    await site.write(page, `${figure}${script}`, "", server);
    const shown = page.locator("headscope-tokens");
    await expect(shown, policy).toHaveAttribute("state", state, { timeout: 30_000 });
    if (state === "failed") await expect(shown).toContainText(/blocks blob:.* worker-src/);
    await page.close();
    await server.kill();
  }
  await far.kill();
});

test("a whole explorer leaves another page alone", async ({ page, explorer }) => {
  const seen = watch(page);
  writeFileSync(
    join(site.folder, "parts.css"),
    "head-scope::part(chip) { color: rgb(7, 8, 9) } head-scope::part(page-footer) { display: none }",
  );
  await site.write(
    page,
    `<label>Search <input id="own"></label><head-scope model="./models/tiny-bert" text="My brother plays the piano." stack="encoder" layer="2" head="1" cell="1-1" theme="dark"></head-scope>${SCRIPT}`,
    '<link rel="stylesheet" href="parts.css">',
  );
  await expect(page.locator("headscope-heatmap")).toBeVisible({ timeout: 30_000 });
  await expect(explorer.sentence).toHaveValue("My brother plays the piano.");
  const own = (): Promise<unknown[]> =>
    page.evaluate(() => {
      const { lang, dataset } = document.documentElement;
      return [location.href, document.title, lang, dataset.theme];
    });
  const before = await own();
  await explorer.head(1, 2).click();
  await explorer.keys("]");
  await expect(explorer.headTitle).toContainText("Layer 2");
  await page.locator("#own").press("[");
  await page.waitForTimeout(400);
  await expect(explorer.headTitle).toContainText("Layer 2");
  expect(await own()).toEqual(before);
  // The page styles parts through each shadow root.
  await expect(page.locator("headscope-tokens button").first()).toHaveCSS("color", "rgb(7, 8, 9)");
  await expect(page.locator("headscope-page-footer")).toHaveCSS("display", "none");
  // Its pictures are saved with their fonts under the strict policy.
  await explorer.openSheet();
  expect((await explorer.saveFromSheet("Picture", "SVG")).text).toContain("@font-face");
  expect((await explorer.saveFromSheet("Picture", "PNG")).bytes.length).toBeGreaterThan(1000);
  expect(seen).toEqual(NOTHING);
});

test("the copied code shows the same picture elsewhere", async ({ page, explorer }) => {
  await explorer.grantClipboard();
  const visit = async (state: string): Promise<void> => {
    await page.goto(`${site.server.address}#v=1&${state}`);
    await explorer.settle();
  };
  const embed = async (part: Locator, name: string): Promise<void> => {
    await part.getByRole("button", { name }).first().click();
    await expect(part.getByText("Copied.")).toBeVisible();
    await site.write(page, await explorer.copied());
  };
  const GPT = "model=models/tiny-gpt&text=The+cat+and+the+dog&stack=decoder&layer=2&head=2";
  const HEAD = "layer=2&head=3&cell=1-1";
  for (const [name, state] of [
    [
      "heatmap",
      `text=The+dog+%22bites%22+the+man.&${HEAD}&stage=scores&edits={'masks':[{'stack':'cross','layers':[1],'heads':[2],'block':[[1,1]]}]}`,
    ],
    ["lines", `${GPT}&picture=lines&mass=60&cell=3-2`],
    ["difference", `text=The+dog+bites.&${HEAD}&compare=other&other=The+cat+bites.`],
  ] as const) {
    await visit(state);
    const figure = page.locator(`headscope-${name}`);
    const before = await described(figure);
    await explorer.openSheet();
    await embed(explorer.sheet, "Copy embed code");
    await ready(figure);
    expect(await described(figure)).toEqual(before);
  }
  await visit(GPT);
  const sharing = page.locator("headscope-share-menu");
  await explorer.openMenu("Share");
  await embed(sharing, "Copy embed code of the singular values");
  await ready(page.locator("headscope-spectrum"));
  await expect(page.locator("headscope-spectrum figure svg")).toHaveCount(2);
  await visit(GPT);
  await explorer.openMenu("Share");
  await embed(sharing, "Copy embed code of all heads");
  await ready(page.locator("headscope-grid"));
});

test("the copied code has a picture for readers without JavaScript", async ({
  page,
  explorer,
  browser,
}) => {
  await explorer.grantClipboard();
  const codes: string[] = [];
  const copy = async (button: Locator): Promise<void> => {
    // Tests of one browser share its clipboard.
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await button.click();
    // The picture is of numbers that are read first.
    await expect.poll(() => explorer.copied(), { timeout: 60_000 }).not.toBe("");
    codes.push(await explorer.copied());
  };
  const state = "model=models/tiny-gpt&text=The+cat+and+the+dog&stack=decoder&layer=2&head=2";
  await page.goto(`${site.server.address}#v=1&${state}`);
  await explorer.settle();
  await explorer.openMenu("Share");
  const sharing = page.locator("headscope-share-menu");
  const button = (name: string): Locator => sharing.getByRole("button", { name, exact: true });
  await copy(button("Copy embed code"));
  await copy(button("Copy embed code of all heads"));
  await copy(button("Copy embed code of the singular values"));
  await copy(button("Copy explorer code"));
  await page.keyboard.press("Escape");
  for (const picture of ["Lines", "Dimensions", "Steps", "Layers"]) {
    await explorer.choose(picture);
    await explorer.openMenu("Share");
    await copy(button("Copy embed code"));
    await page.keyboard.press("Escape");
  }
  for (const code of codes) expect(code.length).toBeLessThan(80_000);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const reader = await plain.newPage();
  const { errors } = watch(reader);
  await site.write(reader, codes.join(""));
  const pictures = reader.getByRole("img");
  await expect(pictures).toHaveCount(codes.length);
  for (const picture of await pictures.all()) {
    await expect(picture).toHaveAccessibleName(/layer 2|Decoder/i);
    const box = await boxOf(picture);
    expect(Math.min(box.width, box.height)).toBeGreaterThan(40);
  }
  // The page's policy forbids styles in attributes.
  expect(errors).toEqual([]);
  await plain.close();
});

async function settled(page: Page): Promise<ExplorerPage> {
  await page.locator("head-scope").scrollIntoViewIfNeeded();
  await expect(page.locator("head-scope")).toHaveAttribute("state", "ready", { timeout: 60_000 });
  const explorer = new ExplorerPage(page);
  await explorer.settle();
  return explorer;
}

test("an explorer shares the worker of the figures", async ({ page }) => {
  const seen = watch(page);
  const workers = workersOf(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  writeFileSync(join(site.folder, "far.css"), "#far { height: 4000px }");
  await site.write(
    page,
    `<div id="here">${FIGURE}<div id="far"></div>${EXPLORER}</div><div id="there"></div>${SCRIPT}`,
    '<link rel="stylesheet" href="far.css">',
  );
  await ready(page.locator("headscope-heatmap").first());
  expect(site.count("explorer")).toBe(0);
  // A figure that comes later, in a shadow root.
  await page.evaluate((inside) => {
    const root = document.getElementById("there")?.attachShadow({ mode: "open" });
    if (root) root.innerHTML = inside;
  }, FIGURE);
  await ready(page.locator("#there headscope-heatmap"));
  const host = page.locator("head-scope");
  expect((await host.boundingBox())?.height).toBeGreaterThan(500);
  const explorer = await settled(page);
  expect([workers.length, site.count("model.safetensors")]).toEqual([1, 1]);
  await explorer.type("A bird sings.");
  const asked = site.server.asked.length;
  // Moved at once, and away for a while; the model waits for it.
  await page.evaluate(async () => {
    const moved = document.querySelector("head-scope") ?? "";
    document.getElementById("here")?.prepend(moved);
    document.querySelector("head-scope")?.remove();
    await new Promise((done) => setTimeout(done, 300));
    document.getElementById("here")?.append(moved);
  });
  await explorer.settle();
  await expect(explorer.sentence).toHaveValue("A bird sings.");
  await explorer.press("Undo");
  await expect(explorer.sentence).toHaveValue("A cat and a dog.");
  expect([workers.length, site.server.asked.length - asked]).toEqual([1, 0]);
  // The worker stays for the figure when the explorer goes, and ends with the last of them.
  const ended = page.workers()[0]?.waitForEvent("close", { timeout: 20_000 });
  await host.evaluate((element) => element.remove());
  await page.waitForTimeout(2500);
  expect(page.workers()).toHaveLength(1);
  await page
    .locator("headscope-heatmap")
    .evaluateAll((figures) => figures.forEach((figure) => figure.remove()));
  await ended;
  expect(seen).toEqual(NOTHING);
});

test("two explorers of a page have a language and a State each", async ({ page }) => {
  const seen = watch(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await site.write(
    page,
    `<head-scope id="one" ${CAT}></head-scope><head-scope id="two" language="zh-CN" ${CAT}></head-scope>${SCRIPT}`,
  );
  const one = page.locator("#one");
  const two = page.locator("#two");
  for (const place of [one, two]) {
    await place.scrollIntoViewIfNeeded();
    await expect(place).toHaveAttribute("state", "ready", { timeout: 60_000 });
  }
  await expect(one.locator("headscope-top-bar")).toContainText("Share");
  await expect(two.locator("headscope-top-bar")).not.toContainText("Share");
  await expect(two.locator("headscope-top-bar")).toContainText(/\p{Script=Han}/u);
  expect(await page.evaluate(() => document.documentElement.lang)).not.toBe("zh-CN");
  // The second follows what is done in the first.
  await page.evaluate(() => {
    const [first, second] = document.querySelectorAll("head-scope");
    if (!first || !second) throw new Error("There are no two explorers.");
    first.addEventListener("headscope-state", ({ detail }) => (second.state = detail.state));
    first.state = { head: 1 };
  });
  await one.locator("textarea").first().fill("A bird sings.");
  await expect(two.locator("textarea").first()).toHaveValue("A bird sings.");
  expect(await two.evaluate((place: HTMLElementTagNameMap["head-scope"]) => place.state)).toEqual({
    model: "models/tiny-gpt",
    text: "A bird sings.",
    stack: "decoder",
    head: "1",
    language: "zh-CN",
  });
  await two.evaluate((place) => place.setAttribute("text", "A cat."));
  await expect(two.locator("textarea").first()).toHaveValue("A cat.");
  await expect(one.locator("textarea").first()).toHaveValue("A bird sings.");
  expect(seen).toEqual(NOTHING);
});

test("an explorer is laid out by its own width", async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await site.write(page, `<div id="column">${EXPLORER}</div>${SCRIPT}`);
  const column = page.locator("#column");
  const fits = async (width: number): Promise<void> => {
    await column.evaluate((element, to) => (element.style.width = `${to}px`), width);
    await expect
      .poll(async () => (await page.locator("head-scope").boundingBox())?.width)
      .toBe(width);
    const over = page
      .locator("headscope-explorer")
      .evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(await over).toBe(0);
  };
  await fits(520);
  const explorer = await settled(page);
  await expect(explorer.tab("Text")).toHaveAttribute("aria-selected", "true");
  // The tour's sheet lies at the lower edge of the window, within the column.
  await explorer.button("Tour").click();
  const card = page.locator("headscope-tour-card");
  await expect(card).toBeInViewport();
  await expect.poll(async () => (await card.boundingBox())?.width).toBe(520);
  await explorer.button("Leave").click();
  // All parts side by side as soon as there is space.
  await fits(1200);
  await expect(page.getByRole("tablist")).toHaveCount(0);
  for (const part of ["heads-panel", "picture-panel", "inspector", "edits-panel"])
    await expect(page.locator(`headscope-${part}`)).toBeVisible();
});

test("an explorer scrolls within the height that its page gives it", async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  writeFileSync(join(site.folder, "low.css"), ".low { height: 600px }");
  await site.write(
    page,
    `${EXPLORER.replace("head-scope ", 'head-scope class="low" ')}<p id="below">Below</p>${SCRIPT}`,
    '<link rel="stylesheet" href="low.css">',
  );
  await settled(page);
  const host = page.locator("head-scope");
  const box = await host.boundingBox();
  expect(box?.height).toBe(600);
  expect((await page.locator("#below").boundingBox())?.y).toBeGreaterThanOrEqual(
    (box?.y ?? 0) + 600,
  );
  const inside = host.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  expect(await inside).toBeGreaterThan(0);
  await page.locator("headscope-page-footer").scrollIntoViewIfNeeded();
  expect(await host.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  // Without a height of its own it is as tall as its content, and the window scrolls.
  await host.evaluate((element) => element.classList.remove("low"));
  await expect.poll(async () => (await host.boundingBox())?.height).toBeGreaterThan(700);
  await expect(host).toHaveCSS("overflow", "visible");
});

test("a page whose script cannot run has words in place of figures", async ({ page, explorer }) => {
  await explorer.grantClipboard();
  await page.goto(`${site.server.address}#v=1&model=models/tiny-gpt&text=A+cat`);
  await explorer.settle();
  await explorer.openSheet();
  await explorer.sheet.getByRole("button", { name: "Copy embed code" }).first().click();
  await expect(explorer.sheet.getByText("Copied.")).toBeVisible();
  const code = await explorer.copied();
  const file = join(site.folder, "saved.html");
  writeFileSync(file, `<!doctype html><title>A page</title>${code}`);
  writeFileSync(
    join(site.folder, "sandboxed.html"),
    `<!doctype html><title>A page</title><iframe sandbox="allow-scripts" srcdoc='${code.replaceAll("'", "&#39;")}'></iframe>
    <iframe sandbox="allow-scripts" src="index.html"></iframe>`,
  );
  const words = /Tiny GPT · Decoder · Layer 2 · head 4.*opened as a file.*sandboxed frame/;
  await page.goto(`file://${file}`);
  await expect(page.locator("headscope-heatmap")).toContainText(words);
  const server = new SiteServer(site.folder, "/");
  await server.start();
  await page.goto(`${server.address}sandboxed.html`);
  const frame = (index: number, selector: string): Locator =>
    page.locator("iframe").nth(index).contentFrame().locator(selector);
  await expect(frame(0, "headscope-heatmap")).toContainText(words);
  await expect(frame(1, ".fallback")).toContainText("Access-Control-Allow-Origin");
  await server.kill();
  await page.goto(`file://${join(site.folder, "index.html")}`);
  await expect(page.locator(".fallback")).toContainText("As a file it does not run");
});

test("figures in sandboxed frames and on another host", async ({ page }) => {
  const seen = watch(page);
  const figure = `${FIGURE}${SCRIPT}`;
  const policy = `${STRICT}; require-trusted-types-for 'script'; trusted-types headscope lit-html`;
  const frames = [
    '<iframe sandbox="allow-scripts" src="figure.html"></iframe>',
    '<iframe sandbox="allow-scripts" src="index.html"></iframe>',
    `<iframe sandbox="allow-scripts" srcdoc='${figure}'></iframe>`,
    '<iframe src="trusted.html"></iframe>',
  ];
  // Without an origin, a frame asks as one of another host.
  const server = new SiteServer(site.folder, "/", { "Access-Control-Allow-Origin": "*" });
  const other = new SiteServer(site.folder, "/blog/");
  await Promise.all([server.start(), other.start()]);
  for (const [name, body] of Object.entries({
    "frames.html": frames.join(""),
    "figure.html": figure,
    "trusted.html": `<meta http-equiv="Content-Security-Policy" content="${policy}">${figure}`,
    "other.html": `${FIGURE}<script type="module" src="${server.address}embed.js"></script>`,
  }))
    writeFileSync(
      join(site.folder, name),
      `<!doctype html><title>A page</title><link rel="icon" href="data:,">${body}`,
    );
  await page.goto(`${server.address}frames.html`);
  for (const index of frames.keys()) {
    const shown = page.locator("iframe").nth(index).contentFrame().locator("headscope-heatmap");
    if (index === 1) await expect(shown).toBeVisible({ timeout: 30_000 });
    else await ready(shown);
    await expect(shown.getByRole("application")).toHaveAccessibleName(/\d+ queries by \d+ keys/);
  }
  await page.goto(`${other.address}other.html`);
  await ready(page.locator("headscope-heatmap"));
  await Promise.all([server.kill(), other.kill()]);
  expect(seen).toEqual(NOTHING);
});

const TAG = `headscope-heatmap ${CAT}`;

/**
 * Apps that have the package as a dependency: their code, the folder beside the page that holds
 * `models/`, and their build.
 */
const APPS = [
  {
    bundler: "Vite, with React",
    source: "app.tsx",
    // StrictMode mounts the component, unmounts it and mounts it again.
    code: `import "headscope/elements.js";
      import { loadModel } from "headscope";
      import { StrictMode, useEffect, useState } from "react";
      import { createRoot } from "react-dom/client";
      function App() {
        const [family, setFamily] = useState("");
        useEffect(() => {
          const unmounted = new AbortController();
          const loading = loadModel("./models/tiny-gpt", { signal: unmounted.signal });
          loading.then((model) => setFamily(model.info.family), () => undefined);
          return () => {
            unmounted.abort();
            loading.then((model) => model.dispose(), () => undefined);
          };
        }, []);
        return <StrictMode><output>{family}</output><${TAG} /></StrictMode>;
      }
      const main = document.body.appendChild(document.createElement("main"));
      createRoot(main).render(<StrictMode><App /></StrictMode>);`,
    home: "",
    build: (folder: string): Promise<unknown> =>
      vite.build({ root: folder, configFile: false, base: "./", logLevel: "warn" }),
  },
  {
    bundler: "webpack",
    source: "app.js",
    code: `import "headscope/elements.js";
      document.body.innerHTML = '<${TAG}></headscope-heatmap>';`,
    home: "",
    build: async (folder: string): Promise<void> => {
      const compiler = webpack({
        mode: "production",
        context: folder,
        entry: "./app.js",
        output: { path: join(folder, "dist"), filename: "app.js" },
        // It takes most of the time, and changes no address.
        optimization: { minimize: false },
        performance: false,
      });
      const stats = await promisify(compiler.run.bind(compiler))();
      expect(stats?.toString("errors-only")).toBe("");
    },
  },
  {
    bundler: "esbuild",
    source: "app.js",
    code: `import { configure } from "headscope/elements.js";
      configure({ home: "elsewhere" });
      document.body.innerHTML = '<${TAG}></headscope-heatmap>';`,
    home: "elsewhere",
    build: async (folder: string): Promise<void> => {
      const dist = join(folder, "dist");
      const from = join(folder, "node_modules/headscope");
      const entryPoints = [join(folder, "app.js")];
      await esbuild.build({ entryPoints, bundle: true, format: "esm", outdir: dist });
      for (const copied of ["worker.js", "assets"])
        cpSync(join(from, copied), join(dist, copied), { recursive: true });
    },
  },
];

/** The app's own code and its figure have one model, with one worker. */
async function sharesItsModel(page: Page): Promise<void> {
  await expect(page.locator("output")).toHaveText("gpt2");
  expect(page.workers()).toHaveLength(1);
}

/**
 * Opens an app by Vite's dev server. Some versions move what an entry imports away from the worker,
 * unless they leave the entry alone.
 */
async function servedByVite(root: string, allowed: string, page: Page): Promise<void> {
  mkdirSync(join(root, "public"));
  symlinkSync(resolve("models"), join(root, "public/models"));
  const fs = { allow: [allowed, resolve("models")] };
  const server = await vite.createServer({
    root,
    configFile: false,
    logLevel: "error",
    server: { port: 0, fs },
  });
  await server.listen();
  const entry = page.waitForRequest(/\/headscope\/elements\.jsx/);
  await page.goto(server.resolvedUrls?.local[0] ?? "");
  await entry;
  await ready(page.locator("headscope-heatmap"));
  await sharesItsModel(page);
  await server.close();
  rmSync(join(root, "public"), { recursive: true });
}

test("the package is bundled by Vite, webpack, esbuild", async ({ page }) => {
  test.setTimeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), "headscope-bundlers-"));
  const modules = join(folder, "node_modules");
  const installed = join(modules, "headscope");
  mkdirSync(installed, { recursive: true });
  const pack = ["pack", "--silent", "--pack-destination", folder];
  const tarball = execFileSync("npm", pack, { cwd: "dist/npm", encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", installed, "--strip-components=1"]);
  const { resolve: find } = createRequire(import.meta.url);
  for (const name of ["react", "react-dom"])
    symlinkSync(dirname(find(`${name}/package.json`)), join(modules, name));
  const seen = watch(page);
  for (const { bundler, source, code, home, build } of APPS)
    await test.step(bundler, async () => {
      const app = mkdtempSync(join(folder, "app-"));
      const dist = join(app, "dist");
      symlinkSync(modules, join(app, "node_modules"));
      writeFileSync(join(app, source), code);
      const html = (script: string): string =>
        `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="${script}"></script>`;
      writeFileSync(join(app, "index.html"), html(`./${source}`));
      if (bundler.startsWith("Vite")) await servedByVite(app, folder, page);
      await build(app);
      if (source === "app.js") writeFileSync(join(dist, "index.html"), html(source));
      mkdirSync(join(dist, home), { recursive: true });
      symlinkSync(resolve("models"), join(dist, home, "models"));
      const server = new SiteServer(dist, "/app/");
      await server.start();
      await page.goto(server.address);
      await ready(page.locator("headscope-heatmap"));
      const pad = page.locator("headscope-heatmap").getByRole("application");
      await expect(pad).toHaveAccessibleName(/7 queries by 7 keys/);
      if (bundler.startsWith("Vite")) await sharesItsModel(page);
      await server.kill();
    });
  expect(seen).toEqual(NOTHING);
  rmSync(folder, { recursive: true });
});

test("lens, attribution and effects show their numbers alone, from the package", async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "headscope-alone-"));
  cpSync("dist/npm", folder, { recursive: true });
  symlinkSync(resolve("models"), join(folder, "models"));
  const texts = { text: "The dogs in the garden", other: "The dog in the garden" };
  const of = `model="./models/tiny-gpt" text="${texts.text}" stack="decoder"`;
  const choices = 'demos="patching(what-residual,measure-probability)" entry="384"';
  const body = `<script type="module" src="elements.js"></script>
    <headscope-lens ${of}></headscope-lens>
    <headscope-attribution ${of} entry="384" against="299"></headscope-attribution>
    <headscope-effects ${of} other="${texts.other}" ${choices}></headscope-effects>`;
  writeFileSync(join(folder, "plain.html"), `<!doctype html><title>Plain</title>${body}`);
  const server = new SiteServer(folder, "/npm/");
  await server.start();
  const seen = watch(page);
  await page.goto(`${server.address}plain.html`);
  for (const name of ["lens", "attribution", "effects"]) {
    const figure = page.locator(`headscope-${name}`);
    await figure.scrollIntoViewIfNeeded();
    await ready(figure);
  }
  const wanted = await page.evaluate(
    async ([address, { text, other }]) => {
      const { loadModel } = (await import(`${address}headscope.js`)) as typeof Headscope;
      const model = await loadModel(`${address}models/tiny-gpt`);
      const run = await model.run({ text });
      const position = run.tokens.length - 1;
      const [best] = (await run.predictions({ positions: [position], topK: 1 }))[0] ?? [];
      const asked = { position, id: 384, against: 299 };
      const parts = (await run.attribution(asked)).parts.map(({ value }) => value);
      const cells: number[][] = [];
      const grid = model.patchGrid({
        clean: { text },
        corrupted: { text: other },
        target: { id: 384 },
        what: "residual",
      });
      for await (const { at, recovered } of grid)
        (cells[at.layer] ??= [])[at.positions?.[0] ?? 0] = recovered ?? NaN;
      model.dispose();
      return { best: best?.text.trim() ?? "", parts, cells };
    },
    [server.address, texts] as const,
  );
  // Figures and program shared one model, which the program's `dispose` left to the figures.
  expect(page.workers()).toHaveLength(1);
  const lens = page.locator("headscope-lens").getByRole("application");
  await expect(lens).toHaveAccessibleName(/^Predictions: 6 tokens by 5 depths/);
  const shown = await page
    .locator("headscope-lens")
    .evaluate((figure) => (figure as unknown as { words: string[] }).words);
  expect(shown.at(-1)?.trim()).toBe(wanted.best);
  // The strongest part is the first bar.
  const most = wanted.parts.toSorted((one, two) => Math.abs(two) - Math.abs(one))[0] ?? 0;
  const bars = page.locator("headscope-attribution");
  await expect(bars).toContainText(most.toFixed(2).replace("-", "−"));
  const table = page.locator("headscope-effects");
  await table.getByRole("button", { name: "Show values" }).click();
  const rows = table.getByRole("row");
  await expect(rows).toHaveCount(1 + wanted.cells.length);
  for (const [layer, cells] of wanted.cells.entries()) {
    const words = await rows
      .nth(layer + 1)
      .getByRole("cell")
      .allTextContents();
    // A small number is written with its power of ten.
    const numbers = words.map((one) => (one.includes("×") ? 0 : Number(one.replace("−", "-"))));
    expect(numbers).toHaveLength(cells.length);
    for (const [at, number] of numbers.entries())
      expect(Math.abs(number - (cells[at] ?? NaN))).toBeLessThan(1e-3);
  }
  expect(seen).toEqual(NOTHING);
  await server.kill();
  rmSync(folder, { recursive: true });
});

test("figures of numbers need neither a worker nor a core, and print what stands in them before", async ({
  page,
}) => {
  const seen = watch(page);
  const workers = workersOf(page);
  const file = (figure: string, properties: object): string =>
    JSON.stringify({ format: "headscope-figure", formatVersion: 1, figure, properties });
  const tensor = [
    [0.2, 0.8],
    [0.5, 0.5],
  ];
  const words = { queries: ["dog", "bites"], keys: ["the", "dog"] };
  writeFileSync(join(site.folder, "figure.json"), file("heatmap", { tensor, ...words }));
  writeFileSync(join(site.folder, "wrong.json"), file("heatmap", { tensor, queries: ["dog"] }));
  const grid = file("grid", { thumbnails: [[tensor, tensor]] });
  const far = '<link rel="stylesheet" href="far.css">';
  writeFileSync(join(site.folder, "far.css"), "#far { height: 4000px }");
  const picture = `<img src="examples/icon.svg" alt="dog reads dog">`;
  await site.write(
    page,
    `<headscope-grid><script type="application/json">${grid}</script></headscope-grid>
     <headscope-heatmap id="wrong" src="wrong.json">${picture}</headscope-heatmap>
     <div id="far"></div>
     <headscope-heatmap id="late" src="figure.json">${picture}</headscope-heatmap>${SCRIPT}`,
    far,
  );
  await ready(page.locator("headscope-grid"));
  const wrong = page.locator("#wrong");
  await expect(wrong).toHaveAttribute("state", "failed");
  await expect(wrong).toContainText("properties.queries: 2 for the rows of tensor, got 1");
  await expect(wrong.getByRole("img")).toBeHidden();
  const late = page.locator("#late");
  await expect(late).toHaveAttribute("state", "waiting");
  expect((await late.boundingBox())?.height).toBeGreaterThan(100);
  await page.emulateMedia({ media: "print" });
  await expect(wrong.getByRole("img")).toBeVisible();
  await ready(late);
  await expect(late.getByRole("img")).toBeHidden();
  await page.emulateMedia({ media: null });
  expect((await described(late))[0]).toContain("2 queries by 2 keys");
  expect([workers, site.count(".wasm"), site.count("worker")]).toEqual([[], 0, 0]);
  expect(seen).toEqual(NOTHING);
});
