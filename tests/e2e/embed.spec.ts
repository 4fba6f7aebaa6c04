import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { described, EmbedSite, engine, ready, SCRIPT, STRICT } from "./embed-page.js";
import { ExplorerPage, shownNumber, watch } from "./explorer-page.js";
import { ExportMenu } from "./export-menu.js";
import { SiteServer } from "./site-server.js";

const MODELS = { gpt: "models/tiny-gpt", translator: "models/en-fr" };

const site = new EmbedSite();
const write = site.write.bind(site);

const TAGS = ["headscope-lines", "headscope-heatmap", "headscope-grid"];

test("an article with three figures runs under a strict policy, loads each model once, and nothing before it is near or printed", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const seen = watch(page);
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  await page.setViewportSize({ width: 1280, height: 200 });
  await page.goto(`${site.server.address}examples/plain.html`);
  await expect(page.locator("headscope-heatmap")).toHaveAttribute("state", "waiting");
  // Without a sign of its own a browser asks the host for one that is not there.
  const icon = await page.locator("link[rel=icon]").evaluate((link: HTMLLinkElement) => link.href);
  expect((await page.request.get(icon)).ok()).toBe(true);
  await page.waitForLoadState("networkidle");
  expect(site.server.asked.filter((path) => path.startsWith("models/"))).toEqual([]);
  expect(workers).toEqual([]);

  await page.emulateMedia({ media: "print" });
  for (const tag of TAGS)
    await expect(page.locator(tag)).toHaveAttribute("state", "ready", { timeout: 60_000 });
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(workers).toHaveLength(2);
  for (const model of Object.values(MODELS)) {
    expect(
      site.server.asked.filter((path) => path === `${model}/model.safetensors`),
      model,
    ).toHaveLength(1);
  }

  // The article's own rules for parts.
  await expect(page.locator("headscope-lines .weights")).toHaveCSS("font-style", "italic");
  await expect(page.locator("headscope-lines .foot")).toHaveCSS("font-size", "15px");

  // What is on the screen is what the model computes.
  const heatmap = page.locator("headscope-heatmap");
  const text = (await heatmap.getAttribute("text")) ?? "";
  const model = await engine(MODELS.translator);
  const run = await model.run({ text });
  const weights = await run.attention({ stack: "cross", layer: 1, head: 4 });
  const columns = weights.shape[1] ?? 0;
  // What the article says of its picture is so.
  const row = run.targetTokens.findIndex((token) => token.text === "chat");
  const looks = [...weights.data.subarray(row * columns, (row + 1) * columns)];
  expect(run.tokens[looks.indexOf(Math.max(...looks))]?.text).toBe("black");
  expect(run.targetTokens[row + 1]?.text).toBe("noir");
  const pad = heatmap.getByRole("application");
  await pad.focus();
  await page.keyboard.press("Enter");
  for (const key of [0, 1, 2]) {
    const live = heatmap.locator("[aria-live]");
    await expect(live).toContainText(run.tokens[key]?.text ?? "?");
    const spoken = (await live.textContent()) ?? "";
    expect(shownNumber(/: (.*)$/.exec(spoken)?.[1] ?? spoken)).toBeCloseTo(
      weights.data[0 * columns + key] ?? NaN,
      3,
    );
    await page.keyboard.press("ArrowRight");
  }
  model.dispose();

  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("figures share a model, follow their attributes, say what fails, and free it when they leave", async ({
  page,
}) => {
  const seen = watch(page);
  const workers: Promise<unknown>[] = [];
  page.on("worker", (worker) => workers.push(worker.waitForEvent("close", { timeout: 0 })));
  await write(
    page,
    `<headscope-tokens model="models/tiny-gpt" text="A cat and a dog." stack="decoder"></headscope-tokens>
     <svg width="9" height="3000"></svg>
     <headscope-heatmap model="models/tiny-gpt" text="A cat and a dog." stack="decoder" layer="1" head="2" edits="{'masks':[{'stack':'decoder','layers':[0],'heads':[1],'block':[[2,1]]}]}"></headscope-heatmap>
     <headscope-mask model="models/tiny-gpt" text="A cat and a dog." stack="decoder" layer="1" head="2"></headscope-mask>
     <headscope-positions model="models/tiny-gpt" text="A cat and a dog." stack="decoder"></headscope-positions>
     <headscope-dimensions model="./models/tiny-gpt" text="A cat" stack="decoder" layer="1" head="2"></headscope-dimensions>${SCRIPT}`,
  );
  // Those of the same model follow without being scrolled to, so that the page can be printed.
  for (const name of ["tokens", "heatmap", "mask", "positions"])
    await expect(page.locator(`headscope-${name}`)).toHaveAttribute("state", "ready");
  await ready(page.locator("headscope-dimensions"));
  expect(workers).toHaveLength(1);
  await expect(page.locator("headscope-tokens").getByRole("button")).toHaveCount(7);

  const heatmap = page.locator("headscope-heatmap");
  const pad = heatmap.getByRole("application");
  await expect(pad).toHaveAccessibleName(/7 queries by 7 keys/);
  await expect(heatmap.getByText("blocked by you")).toHaveCount(0);
  await heatmap.evaluate((figure) => {
    figure.setAttribute("text", "A cat");
    figure.setAttribute("text", "A cat sat.");
  });
  await expect(pad).toHaveAccessibleName(/5 queries by 5 keys/);

  await heatmap.evaluate((figure) => figure.setAttribute("text", "  "));
  await expect(heatmap).toContainText("There is no text to show.");
  await heatmap.evaluate((figure) => figure.setAttribute("text", "word ".repeat(600)));
  await expect(heatmap).toHaveAttribute("state", "failed");
  await expect(heatmap).toContainText("input/too-long");
  const missing = page.locator("headscope-mask");
  await missing.evaluate((figure) => figure.setAttribute("model", "./nowhere"));
  await expect(missing).toHaveAttribute("state", "failed");
  await expect(missing).toContainText("load/not-found");
  await missing.evaluate((figure) => figure.setAttribute("model", "models/tiny-gpt"));
  await ready(missing);

  await page.locator("main").evaluate((main) => main.replaceChildren());
  await Promise.all(workers);
  // Nothing but the file that is not there.
  expect(seen.errors.filter((line) => !line.includes("404"))).toEqual([]);
});

test("a figure names the policy, the server or the file for which it has no picture", async ({
  browser,
}) => {
  const away = new SiteServer(site.folder, "/");
  await away.start();
  const foreign = STRICT.replace("connect-src", `connect-src ${new URL(away.address).origin}`);
  const figure = (model: string): string =>
    `<headscope-tokens model="${model}" text="A cat." stack="decoder"></headscope-tokens>`;
  const near = figure(MODELS.gpt);
  const file = "models/tiny-gpt/config.json";
  for (const [policy, missing, body, code, words] of [
    [STRICT.replace("worker-src 'self'", "worker-src 'none'"), "", near, "blocked", "worker-src"],
    [STRICT.replace(" 'wasm-unsafe-eval'", ""), "", near, "blocked", "wasm-unsafe-eval"],
    [STRICT.replace("connect-src 'self'", ""), "", near, "blocked", file],
    [foreign, "", figure(`${away.address}${MODELS.gpt}`), "cross-origin", away.address + file],
    [STRICT, "**/worker-*.js", near, "engine-not-found", "/articles/assets/worker-"],
    [STRICT, "**/*.wasm", near, "engine-not-found", "/articles/assets/headscope_bg-"],
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

test("a page styles the parts of a figure, through each shadow root of the explorer too", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const seen = watch(page);
  writeFileSync(
    join(site.folder, "parts.css"),
    `headscope-lines::part(legend) { color: rgb(1, 2, 3) }
     headscope-steps::part(value) { color: rgb(4, 5, 6) }
     head-scope::part(legend), head-scope::part(chip), head-scope::part(bar) { outline: 3px solid rgb(7, 8, 9) }
     head-scope::part(page-footer) { display: none }`,
  );
  const figures = `<headscope-lines model="models/tiny-gpt" text="A cat and a dog." stack="decoder" layer="1" head="2"></headscope-lines>
    <headscope-steps model="models/tiny-gpt" text="A cat" stack="decoder" layer="1" head="2" number="attended.2-3"></headscope-steps>
    <head-scope model="models/tiny-bert" text="The cat sleeps." stack="encoder" layer="1" head="1" picture="lines" cell="1-1"></head-scope>${SCRIPT}`;
  const explorer = page.locator("head-scope");
  /** What the rules of the page come to: one figure, one in another, and three in the explorer's panels. */
  const looks = async (): Promise<string[]> => {
    for (const tag of ["headscope-lines", "headscope-steps"])
      await ready(page.locator(`main > ${tag}`));
    const inside = [
      explorer.locator("headscope-lines .weights"),
      explorer.locator("headscope-tokens button").first(),
      explorer.locator("headscope-bars .track i").first(),
    ];
    await explorer.scrollIntoViewIfNeeded();
    const colour = (part: Locator): Promise<string> =>
      part.evaluate((element) => getComputedStyle(element).color);
    const found = [
      await colour(page.locator("main > headscope-lines .weights")),
      await colour(page.locator("main > headscope-steps .value")),
    ];
    for (const part of inside) {
      await expect(part).toBeAttached({ timeout: 60_000 });
      found.push(await part.evaluate((element) => getComputedStyle(element).outlineColor));
    }
    found.push(
      await explorer
        .locator("headscope-page-footer")
        .evaluate((element) => getComputedStyle(element).display),
    );
    return found;
  };
  const styled = [
    "rgb(1, 2, 3)",
    "rgb(4, 5, 6)",
    "rgb(7, 8, 9)",
    "rgb(7, 8, 9)",
    "rgb(7, 8, 9)",
    "none",
  ];
  await write(page, figures, '<link rel="stylesheet" href="parts.css" disabled>');
  const plain = await looks();
  for (const [at, look] of styled.entries()) expect(plain[at], String(at)).not.toBe(look);
  await page.locator("link[disabled]").evaluate((link: HTMLLinkElement) => (link.disabled = false));
  await expect.poll(looks).toEqual(styled);
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("a whole explorer in another page leaves that page alone", async ({ page }) => {
  const seen = watch(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await write(
    page,
    `<label>Search <input id="own"></label><head-scope model="./models/tiny-bert" text="My brother plays the piano." stack="encoder" layer="2" head="1" theme="dark"></head-scope>${SCRIPT}`,
  );
  const explorer = new ExplorerPage(page);
  await expect(explorer.main).toBeVisible();
  await expect(page.locator("headscope-heatmap")).toBeVisible({ timeout: 30_000 });
  await expect(explorer.sentence).toHaveValue("My brother plays the piano.");
  await expect(page.locator("headscope-model-picker")).toContainText("./models/tiny-bert");
  await expect(explorer.headTitle).toContainText("Layer 2");
  const before = await page.evaluate(() => [
    location.href,
    document.title,
    document.documentElement.lang,
    document.documentElement.dataset.theme ?? "",
  ]);
  await page.locator("#own").press("]");
  await page.keyboard.press("s");
  await expect(explorer.headTitle).toContainText("Layer 2");
  await explorer.head(1, 2).click();
  await expect(explorer.headTitle).toContainText("Layer 1");
  await page.keyboard.press("]");
  await expect(explorer.headTitle).toContainText("Layer 2");
  await page.waitForTimeout(400);
  expect(
    await page.evaluate(() => [
      location.href,
      document.title,
      document.documentElement.lang,
      document.documentElement.dataset.theme ?? "",
    ]),
  ).toEqual(before);
  expect(
    await page.locator("head-scope").evaluate((host) => getComputedStyle(host).backgroundColor),
  ).toBe("rgb(21, 22, 26)");
  await test.step("its pictures are saved with their fonts under the strict policy", async () => {
    const menu = new ExportMenu(page);
    await menu.open();
    expect((await menu.save("Picture", "SVG")).text).toContain("@font-face");
    expect((await menu.save("Picture", "PNG")).bytes.length).toBeGreaterThan(1000);
  });
  expect(seen).toEqual({ foreign: [], errors: [] });
});

const CODES = [
  {
    name: "heatmap",
    hash: "#v=1&text=The+dog+%22bites%22+the+man.&layer=2&head=3&stage=scores&edits={'masks':[{'stack':'cross','layers':[1],'heads':[2],'block':[[1,1]]}]}&cell=1-1",
  },
  {
    name: "lines",
    hash: "#v=1&model=models/tiny-gpt&text=The+cat+and+the+dog&stack=decoder&layer=2&head=2&picture=lines&mass=60&cell=3-2",
  },
  {
    name: "difference",
    hash: "#v=1&text=The+dog+bites.&layer=2&head=3&compare=other&other=The+cat+bites.&cell=1-1",
  },
] as const;

/** Copies the embed code of the picture that is chosen in the menu. */
async function copyCode(page: Page): Promise<string> {
  const menu = page.getByRole("dialog", { name: "Export" });
  await menu.getByRole("button", { name: "Copy embed code" }).click();
  await expect(menu.getByText("Copied.")).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

test("the copied code shows the same picture in another page: of a head, a comparison, all heads, the singular values", async ({
  page,
  context,
}) => {
  test.setTimeout(180000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const { name, hash } of CODES) {
    await test.step(name, async () => {
      await page.goto(`${site.server.address}${hash}`);
      await new ExplorerPage(page).settle();
      const figure = page.locator(`headscope-${name}`);
      const before = await described(figure);
      await page.locator("headscope-top-bar").getByRole("button", { name: "Export" }).click();
      await write(page, await copyCode(page));
      await ready(figure);
      expect(await described(figure)).toEqual(before);
    });
  }
  await test.step("the second run of a comparison", async () => {
    await page.goto(
      `${site.server.address}#v=1&text=The+dog+bites.&stack=encoder&layer=2&head=3&compare=other&other=The+old+cat+bites.`,
    );
    await new ExplorerPage(page).settle();
    await expect(
      page.locator("headscope-pairs-panel headscope-heatmap").nth(1).getByRole("application"),
    ).toBeVisible({ timeout: 30_000 });
    await page.locator("headscope-top-bar").getByRole("button", { name: "Export" }).click();
    await page
      .getByRole("dialog", { name: "Export" })
      .getByRole("radio", { name: "second", exact: true })
      .check();
    await write(page, await copyCode(page));
    const figure = page.locator("headscope-heatmap");
    await ready(figure);
    await expect(figure).toHaveAttribute("text", "The old cat bites.");
  });
  await test.step("all heads and singular values", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(
      `${site.server.address}#v=1&model=models/tiny-gpt&text=The+cat+and+the+dog&stack=decoder&layer=2&head=2`,
    );
    await new ExplorerPage(page).settle();
    const copied = async (panel: string, button: string): Promise<string> => {
      await page.locator(panel).getByRole("button", { name: button }).click();
      await expect(page.locator(panel).getByText("Copied.")).toBeVisible();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await write(
      page,
      (await copied("headscope-head-measures", "Copy embed code")) +
        (await copied("headscope-heads-panel", "Copy embed code of all heads")),
    );
    for (const figure of await page.locator("headscope-spectrum, headscope-grid").all())
      await ready(figure);
    await expect(page.locator("headscope-spectrum svg")).toHaveCount(2);
    await expect(
      page
        .locator("headscope-grid")
        .getByRole("gridcell", { selected: true })
        .getByRole("button")
        .first(),
    ).toHaveAccessibleName(/^Layer 2, head 2/);
    await page
      .locator("headscope-grid")
      .getByRole("button", { name: "Show the heads as a table" })
      .click();
    await expect(page.locator("headscope-grid tbody tr").first()).toContainText(" nats");
  });
});

/** A head whose steps are shown alone, counted from one. */
const STEPS = {
  model: "tiny-gpt",
  text: "The dog and the cat drink milk.",
  stack: "decoder",
  layer: 2,
  head: 2,
} as const;

test("the steps of a block alone: a number is read under the pointer, held and traced", async ({
  page,
}) => {
  const { model, text, stack, layer, head } = STEPS;
  test.setTimeout(120_000);
  const seen = watch(page);
  const own = await engine(`models/${model}`);
  const run = await own.run({ text });
  const place = { stack, layer: layer - 1, head: head - 1 };
  const steps = await run.steps(place);
  await write(
    page,
    `<headscope-steps model="models/${model}" text="${text}" stack="${stack}" layer="${layer}" head="${head}" number="attended.2-3"></headscope-steps>${SCRIPT}`,
  );
  const figure = page.locator("headscope-steps");
  await ready(figure);
  const heading = figure.locator("headscope-sum .name");
  const value = figure.locator("[data-value]");
  const shown = async (): Promise<number> => shownNumber((await value.textContent()) ?? "");
  const cellOf = (step: string, row: number, column: number): number => {
    const { data, shape } = steps.find((one) => one.step === step)?.tensor ?? {
      data: [],
      shape: [],
    };
    return data[row * (shape[1] ?? 0) + column] ?? NaN;
  };
  expect(await shown()).toBeCloseTo(cellOf("attended", 1, 2), 3);
  await expect(figure.getByRole("application")).toHaveAccessibleName(
    new RegExp(`: ${steps.length} matrices of ${steps[0]?.tensor.shape[0]} tokens`),
  );

  const slider = figure.getByRole("slider");
  await slider.fill("1");
  const [first] = steps;
  await expect(heading).toHaveText(/, column 3$/);
  await expect.poll(shown).toBeCloseTo(cellOf(first?.step ?? "", 1, 2), 3);

  await expect.poll(() => figure.locator(".frame").evaluate((frame) => frame.scrollLeft)).toBe(0);
  const held = (await heading.textContent()) ?? "";
  const box = await figure.locator("canvas.marks").boundingBox();
  if (!box) throw new Error("nothing is drawn");
  await page.mouse.move(box.x + 190, box.y + 110);
  await expect(heading).not.toHaveText(held);
  await page.mouse.move(box.x + 190, box.y + box.height + 60);
  await expect(heading).toHaveText(held);
  await page.mouse.click(box.x + 190, box.y + 110);
  await expect(heading).not.toHaveText(held);

  // To what was learnt, through every block before.
  const learnt = figure.getByText("Here the trace ends");
  for (let step = 1; step <= 80 && !(await learnt.isVisible()); step += 1) {
    const before = (await heading.textContent()) ?? "";
    await figure.getByRole("button", { name: "Trace this number" }).click();
    await expect(figure.locator(".trail li")).toHaveCount(step + 1);
    await expect(heading).not.toHaveText(before);
  }
  await expect(learnt).toBeVisible();
  await figure.locator(".trail button").first().click();
  await expect(figure.locator(".trail")).toHaveCount(0);
  await expect(figure.getByRole("application")).toHaveAccessibleName(new RegExp(`head ${head} of`));

  await figure.getByRole("button", { name: "Play" }).click();
  const at = await slider.inputValue();
  await expect(slider).not.toHaveValue(at);
  await figure.getByRole("button", { name: "Pause" }).click();
  own.dispose();
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("a page on another host shows figures where the site allows it", async ({ page }) => {
  const seen = watch(page);
  const home = new SiteServer(site.folder, "/headscope/", { "Access-Control-Allow-Origin": "*" });
  const other = new SiteServer(site.folder, "/blog/");
  await Promise.all([home.start(), other.start()]);
  writeFileSync(
    join(site.folder, "other.html"),
    `<!doctype html><title>Another host</title><headscope-heatmap model="models/tiny-gpt" text="A cat" stack="decoder"></headscope-heatmap><script type="module" src="${home.address}embed.js"></script>`,
  );
  await page.goto(`${other.address}other.html`);
  await ready(page.locator("headscope-heatmap"));
  await Promise.all([home.kill(), other.kill()]);
  expect(seen).toEqual({ foreign: [], errors: [] });
});
