// The page without a network: what the service worker stored, new builds, other pages of the host.
import type { BrowserContext } from "@playwright/test";
import { expect, ExplorerPage, NOTHING, test, watch } from "./page.js";
import { NEXT_MARK, nextBuild, SiteServer } from "./site.js";

const SITE = "dist/site";

test.use({ serviceWorkers: "allow" });

let server: SiteServer;
test.beforeEach(async () => {
  server = new SiteServer(SITE);
  await server.start();
});
test.afterEach(() => server.kill());

async function visit(context: BrowserContext, hash = ""): Promise<ExplorerPage> {
  const explorer = new ExplorerPage(await context.newPage());
  await explorer.page.goto(`${server.address}${hash}`);
  await explorer.settle();
  return explorer;
}

const becomesOffline = ({ page }: ExplorerPage): Promise<void> =>
  expect(page.getByText("Available offline.")).toBeVisible({ timeout: 30_000 });

const isNext = ({ page }: ExplorerPage): Promise<boolean> =>
  page.evaluate((mark) => document.documentElement.dataset.build === mark, NEXT_MARK);

test("after one visit the page opens without the server", async ({ context }) => {
  const state = "#v=1&text=The+dog+bites+the+man.";
  const first = await visit(context, state);
  await becomesOffline(first);
  const online = await first.texts();
  await first.page.close();
  await server.kill();
  const explorer = await visit(
    context,
    `${state}&theme=dark&edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}`,
  );
  const { page } = explorer;
  const seen = watch(page);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Undo this edit" }).click();
  await explorer.settle();
  expect(await explorer.texts()).toEqual(online);
  await explorer.type("My sister has a black cat.");
  await expect(explorer.translation).not.toHaveValue(online[1]);
  await explorer.reload();
  await explorer.choose("Steps");
  await explorer.button("Attention calculator").click();
  await expect(page.getByRole("grid", { name: "context", exact: true })).toBeVisible();
  await explorer.set("简体中文");
  await expect(page).toHaveTitle("Headscope：看见每一个注意力头");
  expect(seen).toEqual(NOTHING);
});

test("models that were used are there without the server", async ({ context }) => {
  const first = await visit(context);
  await becomesOffline(first);
  await first.chooseModel("Tiny GPT");
  const cached = (): Promise<string[]> =>
    first.page.evaluate(async () => {
      const opened = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
      return (await Promise.all(opened)).flat().map(({ url }) => url);
    });
  await expect.poll(async () => (await cached()).join()).toContain("tiny-gpt/model.safetensors");
  await first.page.close();
  await server.kill();
  const explorer = await visit(context);
  await explorer.chooseModel("Tiny GPT");
  const choose = async (): Promise<void> => {
    await explorer.picker.click();
    await explorer.model("Tiny BERT").click();
    await expect(explorer.alert).toContainText("Could not download");
  };
  await choose();
  await explorer.press("Back to Tiny GPT");
  await expect(explorer.alert).toHaveText("");
  await choose();
  await server.start();
  await explorer.press("Load the model");
  await expect(explorer.page.getByRole("heading", { name: "Encoder" })).toBeVisible();
});

test("a model is fetched once; a new build shows next", async ({ context }) => {
  const count = (path: string): number => server.asked.filter((one) => one === path).length;
  const first = await visit(context);
  await becomesOffline(first);
  await first.chooseModel("Tiny GPT");
  await first.page.close();
  const again = await visit(context, "#v=1&model=models/tiny-gpt");
  expect(count("models/tiny-gpt/model.safetensors")).toBe(1);
  await again.page.close();
  const old = await visit(context);
  await becomesOffline(old);
  server.folder = nextBuild(SITE);
  const next = await visit(context);
  expect([await isNext(next), await isNext(old)]).toEqual([true, false]);
  expect(count("models/en-fr/config.json")).toBeGreaterThan(1);
  await old.chooseModel("Tiny BERT");
  await expect(old.page.getByRole("heading", { name: "Encoder" })).toBeVisible();
  // A browser looks for a new service worker in its own time. Once no page of the earlier build is
  // open, the new one is also what opens without a network.
  await becomesOffline(next);
  await next.page.close();
  await old.page.close();
  const elsewhere = await context.newPage();
  await elsewhere.goto(server.elsewhere);
  const scripts = (): Promise<string[]> =>
    elsewhere.evaluate(async () => {
      const opened = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
      const addresses = (await Promise.all(opened)).flat().map(({ url }) => url);
      return addresses.flatMap((url) => /assets\/(index-[\w-]+\.js)$/.exec(url)?.[1] ?? []);
    });
  await expect.poll(scripts, { timeout: 30_000 }).toEqual(["index-nextbuild.js"]);
  await visit(context).then(becomesOffline);
  await server.kill();
  expect(await isNext(await visit(context))).toBe(true);
});

test("a long session asks no other host", async ({ context }) => {
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
  await explorer.press("Ablate head");
  await explorer.chooseModel("Tiny BERT");
  await explorer.showPictureOf("Masks");
  await explorer.showPictureOf("Positional encoding");
  await explorer.choose("Heatmap");
  await explorer.set("简体中文");
  await explorer.set("深色", "设置");
  await explorer.reload();
  expect([...hosts]).toEqual([new URL(server.address).host]);
  expect(preloads).toEqual([]);
  const elsewhere = await context.newPage();
  await elsewhere.goto(server.elsewhere);
  await expect(elsewhere).toHaveTitle("Another page");
  expect(await elsewhere.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
});

test("a picture names its fonts only, and says so, unless its slices were used before", async ({
  context,
}) => {
  const saved = async (explorer: ExplorerPage): Promise<string> => {
    await explorer.openSheet();
    const { text } = await explorer.saveFromSheet("Picture", "SVG");
    return text;
  };
  const fontsIn = (svg: string): number => svg.match(/@font-face/g)?.length ?? 0;
  const online = await visit(context, "#v=1&text=The+dog.");
  await becomesOffline(online);
  expect(fontsIn(await saved(online))).toBe(3);
  await online.page.close();
  await server.kill();
  const offline = await visit(context, "#v=1&text=The+dog.");
  expect(fontsIn(await saved(offline))).toBe(3);
  await offline.keys("Escape");
  await offline.type("Мир.");
  expect(await saved(offline)).toContain("&quot;Noto Sans&quot;");
  await expect(offline.sheet.getByRole("status")).toContainText("Fonts could not be embedded");
});
