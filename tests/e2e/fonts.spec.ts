import { readFileSync } from "node:fs";
import { expect, test, type BrowserContext, type Page } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";
import { ExportMenu } from "./export-menu.js";
import { SiteServer } from "./site-server.js";

/** A name that no system has: what is set in it is set in what the file carries. */
const PROOF = "Headscope Proof";
const FAMILY = /"Noto Sans( Math| SC)?"/g;

interface Face {
  family: string;
  weight: string;
  range: string;
  bytes: number;
}

/** The fonts that a file carries, by its own style sheet. */
function facesOf(svg: string): Face[] {
  const rules = svg.matchAll(
    /@font-face\{font-family:"([^"]+)";font-weight:([\d ]+);src:url\(data:font\/woff2;base64,([^)]*)\) format\("woff2"\);unicode-range:([^}]+)\}/g,
  );
  return [...rules].map(([, family = "", weight = "", data = "", range = ""]) => ({
    family,
    weight,
    range,
    bytes: Buffer.from(data, "base64").length,
  }));
}

/** Opens a file as a document of its own, with its fonts under names of their own, and measures every text in it. */
async function widthsInside(
  context: BrowserContext,
  svg: string,
): Promise<{
  unloaded: number;
  texts: { text: string; width: number; size: number; weight: string }[];
}> {
  const renamed = svg
    .replaceAll(FAMILY, (_, more: string | undefined) => `"${PROOF}${more ?? ""}"`)
    .replaceAll(
      /&quot;Noto Sans( Math| SC)?&quot;/g,
      (_, more: string | undefined) => `&quot;${PROOF}${more ?? ""}&quot;`,
    );
  const page = await context.newPage();
  await page.route("**/saved.svg", (route) =>
    route.fulfill({ body: renamed, contentType: "image/svg+xml" }),
  );
  await page.goto("http://localhost/saved.svg");
  const measured = await page.evaluate(async () => {
    const used = [...document.fonts];
    await Promise.all(used.map((face) => face.load()));
    await document.fonts.ready;
    const texts = [...document.querySelectorAll("text")].map((element) => ({
      text: element.textContent,
      width: element.getComputedTextLength(),
      size: Number(element.getAttribute("font-size")),
      weight: element.getAttribute("font-weight") ?? "400",
    }));
    return { unloaded: used.filter(({ status }) => status !== "loaded").length, texts };
  });
  await page.close();
  return measured;
}

/** How wide texts are in a font file of its own package. */
async function widthsIn(
  context: BrowserContext,
  path: string,
  texts: readonly { text: string; size: number }[],
): Promise<number[]> {
  const page = await context.newPage();
  const widths = await page.evaluate(
    async ([data, wanted]) => {
      const face = new FontFace("Package", `url(data:font/woff2;base64,${data})`);
      document.fonts.add(await face.load());
      const brush = new OffscreenCanvas(1, 1).getContext("2d");
      if (!brush) throw new Error("no canvas");
      return wanted.map(({ text, size }) => {
        brush.font = `${size}px Package`;
        return brush.measureText(text).width;
      });
    },
    [readFileSync(path).toString("base64"), texts] as const,
  );
  await page.close();
  return widths;
}

/** By how much two pictures differ on the average, of 255: the SVG as a browser draws it, and the PNG. */
async function unlike(page: Page, svg: string, png: Buffer): Promise<number> {
  return page.evaluate(
    async ([source, data]) => {
      const image = new Image();
      const drawnOf = async (
        address: string,
        width: number,
        height: number,
      ): Promise<Uint8ClampedArray> => {
        image.src = address;
        await image.decode();
        // Its fonts come a moment after it is decoded the first time.
        await new Promise((resolve) => setTimeout(resolve, 300));
        const brush = new OffscreenCanvas(width, height).getContext("2d");
        if (!brush) throw new Error("no canvas");
        brush.drawImage(image, 0, 0, width, height);
        return brush.getImageData(0, 0, width, height).data;
      };
      const bitmap = await createImageBitmap(
        await (await fetch(`data:image/png;base64,${data}`)).blob(),
      );
      const [width, height] = [bitmap.width, bitmap.height];
      const one = await drawnOf(
        URL.createObjectURL(new Blob([source], { type: "image/svg+xml" })),
        width,
        height,
      );
      const two = await drawnOf(`data:image/png;base64,${data}`, width, height);
      let sum = 0;
      for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (two[at] ?? 0));
      return sum / one.length;
    },
    [svg, png.toString("base64")] as const,
  );
}

function fontsAsked(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".woff2")) asked.push(request.url());
  });
  return asked;
}

test("a saved picture carries the slices of its letters, and leaves letters without one to the system", async ({
  page,
  context,
}) => {
  test.setTimeout(120000);
  const seen = watch(page);
  const asked = fontsAsked(page);
  await new ExplorerPage(page).open(
    "#v=1&text=The+dog+bites+the+man.&stack=encoder&layer=2&head=3",
  );
  const menu = new ExportMenu(page);
  await menu.open();
  expect(asked).toEqual([]);
  const { text: svg } = await menu.save("Picture", "SVG");
  const faces = facesOf(svg);
  expect(faces.map(({ family, weight }) => `${family} ${weight}`)).toEqual([
    "Noto Sans 400",
    "Noto Sans 600",
    "Noto Sans Math 400",
  ]);
  expect(asked).toHaveLength(3);
  expect(svg.replaceAll(/xmlns="[^"]*"|https?:\/\/localhost[^"&]*/g, "")).not.toMatch(
    /https?:|url\((?!data:|#)/,
  );

  const { unloaded, texts } = await widthsInside(context, svg);
  expect(unloaded).toBe(0);
  const plain = texts.filter(({ weight }) => weight === "400");
  expect(plain.length).toBeGreaterThan(10);
  const wanted = await widthsIn(
    context,
    "node_modules/@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2",
    plain,
  );
  plain.forEach(({ text, width }, index) =>
    expect(Math.abs(width - (wanted[index] ?? NaN)), text).toBeLessThan(0.02 * width + 0.1),
  );

  const png = await menu.save("Picture", "PNG");
  const [own, foreign] = [
    await unlike(page, svg, png.bytes),
    await unlike(page, svg.replace(/<style>[^]*?<\/style>/, ""), png.bytes),
  ];
  expect(own).toBeLessThan(foreign / 2);
  expect(asked).toHaveLength(3);
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("letters without a slice", async () => {
    await page.goto("about:blank");
    const text = "Ünïcode: Ελλ мир שלום 🙂 √2";
    await new ExplorerPage(page).open(`#v=1&text=${encodeURIComponent(text)}&stack=encoder`);
    const menu = new ExportMenu(page);
    await menu.open();
    const { text: svg } = await menu.save("Picture", "SVG");
    const { unloaded, texts } = await widthsInside(context, svg);
    expect(unloaded).toBe(0);
    // What is read from the right is set apart from the word before it, by invisible marks.
    expect(texts.map(({ text: written }) => written)).toContain(`Text: \u2068${text}\u2069`);
    const families = facesOf(svg).map(({ family }) => family);
    expect(families).toContain("Noto Sans Math");
    expect(families).not.toContain("Noto Sans SC");
  });
});

test("a Chinese picture carries the slices of its characters, and the page uses its own fonts", async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  const seen = watch(page);
  await new ExplorerPage(page).open(
    "#v=1&text=The+dog.&stack=encoder&layer=2&head=3&picture=steps",
  );
  await page.getByRole("radio", { name: "简体中文" }).check({ force: true });
  await expect(page).toHaveTitle("Headscope：看见每一个注意力头");
  const title = page.getByRole("heading").first();
  const before = await title.boundingBox();
  await page
    .locator("headscope-export-menu")
    .getByRole("button", { name: "导出", exact: true })
    .click();
  const dialog = page.getByRole("dialog", { name: "导出" });
  const save = async (format: string): Promise<Buffer> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: `图，存为 ${format}`, exact: true }).click(),
    ]);
    return readFileSync(await download.path());
  };
  const svg = (await save("SVG")).toString("utf8");
  const faces = facesOf(svg);
  expect(faces.filter(({ family }) => family === "Noto Sans SC").length).toBeGreaterThan(0);
  expect(
    new Set(faces.filter(({ family }) => family === "Noto Sans SC").map(({ weight }) => weight)),
  ).toEqual(new Set(["100 900"]));
  const { unloaded, texts } = await widthsInside(context, svg);
  expect(unloaded).toBe(0);
  // Each of these characters is as wide as it is high, in these fonts and under whatever weight.
  const chinese = texts.filter(({ text }) => /^\p{Script=Han}+$/u.test(text));
  expect(chinese.length).toBeGreaterThan(3);
  for (const { text, width, size } of chinese)
    expect(width, text).toBeCloseTo(size * Array.from(text).length, 1);
  const png = await save("PNG");
  const [own, foreign] = [
    await unlike(page, svg, png),
    await unlike(page, svg.replace(/<style>[^]*?<\/style>/, ""), png),
  ];
  expect(own).toBeLessThan(foreign / 2);
  expect(await title.boundingBox()).toEqual(before);
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test.describe("without a network", () => {
  test.use({ serviceWorkers: "allow" });
  let server: SiteServer;
  test.beforeEach(async () => {
    server = new SiteServer("dist/site");
    await server.start();
  });
  test.afterEach(() => server.kill());

  test("a picture names its fonts only, and says so, unless its slices were used before", async ({
    context,
  }) => {
    test.setTimeout(180_000);
    const page = await context.newPage();
    await page.goto(`${server.address}#v=1&text=The+dog.`);
    await new ExplorerPage(page).settle();
    await expect(page.getByText("It opens again without a network.")).toBeVisible();
    expect(server.asked.filter((path) => path.endsWith(".woff2"))).toEqual([]);
    const menu = new ExportMenu(page);
    await menu.open();
    expect(facesOf((await menu.save("Picture", "SVG")).text)).toHaveLength(3);
    await page.close();
    await server.kill();

    const again = await context.newPage();
    await again.goto(`${server.address}#v=1&text=The+dog.`);
    await new ExplorerPage(again).settle();
    const offline = new ExportMenu(again);
    await offline.open();
    expect(facesOf((await offline.save("Picture", "SVG")).text)).toHaveLength(3);
    await again.keyboard.press("Escape");
    await again.getByRole("textbox", { name: "Your sentence" }).fill("Мир.");
    await new ExplorerPage(again).settle();
    await offline.open();
    const [download] = await Promise.all([
      again.waitForEvent("download"),
      offline.dialog.getByRole("button", { name: "Picture as SVG" }).click(),
    ]);
    await expect(offline.dialog.getByRole("status")).toHaveText(
      `Saved as ${download.suggestedFilename()} Its fonts could not be fetched, so it names them only: elsewhere it may look a little different.`,
    );
    const svg = readFileSync(await download.path(), "utf8");
    expect(svg).toContain("Мир");
    expect(svg).toContain("&quot;Noto Sans&quot;");
  });
});
