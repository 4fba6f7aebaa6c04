import { expect, test, type BrowserContext, type Page } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";
import { NEXT_MARK, nextBuild } from "./next-build.js";
import { SiteServer } from "./site-server.js";

const SITE = "dist/site";
const OFFLINE = "It opens again without a network.";

test.use({ serviceWorkers: "allow" });

let server: SiteServer;

test.beforeEach(async () => {
  server = new SiteServer(SITE);
  await server.start();
});

test.afterEach(async () => {
  await server.kill();
});

async function visit(context: BrowserContext, hash = ""): Promise<ExplorerPage> {
  const explorer = new ExplorerPage(await context.newPage());
  await explorer.page.goto(`${server.address}${hash}`);
  await explorer.settle();
  return explorer;
}

async function becomesOffline({ page }: ExplorerPage): Promise<void> {
  await expect(page.getByText(OFFLINE)).toBeVisible();
}

const isNext = (page: Page): Promise<boolean> =>
  page.evaluate((mark) => document.documentElement.dataset.build === mark, NEXT_MARK);

test("after one visit the page opens without the server, in the state of its address, with every part and language", async ({
  context,
}) => {
  const first = await visit(context, "#v=1&text=The+dog+bites+the+man.");
  await becomesOffline(first);
  const online = await first.texts();
  await first.page.close();
  await server.kill();

  const page = await context.newPage();
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await page.goto(
    `${server.address}#v=1&text=The+dog+bites+the+man.&theme=dark&edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}`,
  );
  await explorer.settle();
  await expect(explorer.chips).toHaveText(/Cross-attention 2\.3 silenced/);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Undo this edit" }).click();
  await explorer.settle();
  expect(await explorer.texts()).toEqual(online);
  await explorer.type("My sister has a black cat.");
  await expect(explorer.translation).not.toHaveValue(online[1]);
  await expect(explorer.inspected("weights")).toHaveText(/^[01]\.\d{3}$/);
  await page.reload();
  await explorer.settle();
  await expect(explorer.sentence).toHaveValue("My sister has a black cat.");
  for (const [picture, tag] of [
    ["Steps", "strip"],
    ["Lines", "lines"],
    ["Positions", "positions"],
  ] as const) {
    await page.getByRole("radio", { name: picture, exact: true }).check({ force: true });
    await expect(page.locator(`headscope-${tag}`).getByRole("application")).toBeVisible();
  }
  await page
    .locator("headscope-export-menu")
    .getByRole("button", { name: "Export", exact: true })
    .click();
  await expect(page.getByRole("button", { name: "Picture as SVG" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Workbench", exact: true }).click();
  await expect(
    page.locator("headscope-worked-matrices").getByRole("grid", { name: "context", exact: true }),
  ).toBeVisible();
  await page.getByRole("radio", { name: "简体中文" }).check({ force: true });
  await expect(page).toHaveTitle("Headscope：看见每一个注意力头");
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("without the server the models that were used are there; another one names the network and leads back", async ({
  context,
}) => {
  const first = await visit(context);
  await becomesOffline(first);
  await first.choose("Tiny GPT");
  await expect
    .poll(() =>
      first.page.evaluate(async () => {
        const stored = await Promise.all(
          (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
        );
        return stored.flat().some(({ url }) => url.includes("tiny-gpt/model.safetensors"));
      }),
    )
    .toBe(true);
  await first.page.close();
  await server.kill();

  const explorer = await visit(context);
  await explorer.choose("Tiny GPT");
  await expect(explorer.page.getByRole("heading", { name: "Decoder" })).toBeVisible();
  await explorer.picker.click();
  await explorer.model("Tiny BERT").click();
  const alert = explorer.page.getByRole("alert");
  await expect(alert).toContainText("This model is not on your device yet: config.json (http");
  await explorer.sentence.fill("Typed without a model.");
  await alert.getByRole("button", { name: "Back to Tiny GPT" }).click();
  await explorer.settle();
  await expect(alert).toHaveText("");
  await expect(explorer.sentence).toHaveValue("Typed without a model.");
  await explorer.picker.click();
  await explorer.model("Tiny BERT").click();
  await expect(alert).toContainText("Check the connection and load it again.");
  await server.start();
  await explorer.page.getByRole("button", { name: "Load the model" }).click();
  await explorer.settle();
  await expect(explorer.page.getByRole("alert")).toHaveText("");
  await expect(explorer.page.getByRole("heading", { name: "Encoder" })).toBeVisible();
});

test("a model is fetched once over two visits, and a new build shows at the next visit", async ({
  context,
}) => {
  const weights = (): number =>
    server.asked.filter((path) => path === "models/tiny-gpt/model.safetensors").length;
  const first = await visit(context);
  await becomesOffline(first);
  await first.choose("Tiny GPT");
  await first.page.close();
  const again = await visit(context, "#v=1&model=models/tiny-gpt");
  await expect(again.page.getByRole("heading", { name: "Decoder" })).toBeVisible();
  expect(weights()).toBe(1);
  await test.step("a new build", async () => {
    await again.page.close();
    const old = await visit(context);
    await becomesOffline(old);
    server.folder = nextBuild(SITE);

    const next = await visit(context);
    expect(await isNext(next.page)).toBe(true);
    expect(
      server.asked.filter((path) => path === "models/en-fr/config.json").length,
    ).toBeGreaterThan(1);
    expect(await isNext(old.page)).toBe(false);
    await old.choose("Tiny BERT");
    await expect(old.page.getByRole("heading", { name: "Encoder" })).toBeVisible();

    // A browser looks for a new service worker in its own time. Once no page of the earlier build is open, the new one is also what opens without a network.
    await becomesOffline(next);
    await next.page.close();
    await old.page.close();
    const elsewhere = await context.newPage();
    await elsewhere.goto(server.elsewhere);
    const builds = (): Promise<string[]> =>
      elsewhere.evaluate(async () =>
        (await caches.keys()).filter((name) => name.includes(" page ")),
      );
    await expect
      .poll(async () => (await builds()).map((name) => name.split(" ").at(-1)), { timeout: 30_000 })
      .toEqual(["fedcba9876543210"]);
    await visit(context).then(becomesOffline);
    await server.kill();
    expect(await isNext((await visit(context)).page)).toBe(true);
  });
});

test("a long session asks no other host, and another page on the same host is left alone", async ({
  context,
}) => {
  const hosts = new Set<string>();
  const preloads: string[] = [];
  context.on("console", (line) => line.text().includes("preload") && preloads.push(line.text()));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "blob:" && url.protocol !== "data:") hosts.add(url.host);
  });
  // A link to something else: of a preload that it does not use the browser would warn.
  const explorer = await visit(context, "#v=1&text=I+like+cats.&stack=encoder");
  await becomesOffline(explorer);
  await explorer.type("The girl who knows the boys is happy.");
  await explorer.stack("Encoder").check();
  for (const picture of ["Mask", "Positions", "Heatmap"])
    await explorer.page.getByRole("radio", { name: picture, exact: true }).check();
  await explorer.page.getByRole("button", { name: "Silence this head" }).click();
  await explorer.choose("Tiny GPT");
  await explorer.type("The dog and the cat and the dog and");
  await explorer.choose("Tiny BERT");
  await explorer.tokens("Tokens of your sentence").nth(2).click();
  await explorer.settle();
  await explorer.page.getByRole("radio", { name: "简体中文" }).check();
  await explorer.page.getByRole("radio", { name: "深色" }).check();
  await explorer.page.reload();
  await expect(explorer.page.getByRole("main")).toHaveAttribute("aria-busy", "false", {
    timeout: 30_000,
  });
  expect([...hosts]).toEqual([new URL(server.address).host]);
  expect(preloads).toEqual([]);
  await test.step("another page on the host", async () => {
    const elsewhere = await context.newPage();
    await elsewhere.goto(server.elsewhere);
    await expect(elsewhere).toHaveTitle("Another page");
    expect(await elsewhere.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  });
});
