// The pictures of a head: lines, dimensions, mask, positions, steps; zoomed, by word, on the screen
// itself.
import { BITES, boxOf, drag, expect, test, type Locator, type Page } from "./page.js";

const TEXT = "My sister doesn't like milk.";
const HEAD = `text=${encodeURIComponent(TEXT)}&stack=cross&layer=2&head=6&cell=3-2`;
const picture = (page: Page, name: string): Locator => page.locator(`headscope-${name}`);
const pad = (page: Page, name: string): Locator => picture(page, name).getByRole("application");

test("lines: links by share, and a locked pair", async ({ page, explorer }) => {
  await explorer.open(`${HEAD}&picture=lines`);
  const lines = picture(page, "lines");
  const links = async (share: string): Promise<number> => {
    await lines.getByRole("slider").fill(share);
    const name = (await pad(page, "lines").getAttribute("aria-label")) ?? "";
    return Number(/ (\d+) links$/.exec(name)?.[1]);
  };
  expect(await links("95")).toBeGreaterThan(await links("75"));
  await lines.getByRole("button", { name: "Head 2", exact: true }).click();
  await lines.getByRole("button", { name: "Head 8", exact: true }).click();
  await explorer.settle();
  await expect(page).toHaveURL(/mass=75&beside=2,8/);
  await expect(lines.locator("[aria-live]")).toContainText(/head 6 .+ · head 2 .+ · head 8 /);
  const pair = explorer.inspector.locator(".pair");
  await pad(page, "lines").focus();
  await explorer.keys("ArrowRight", "ArrowDown", "Enter");
  await expect(page).toHaveURL(/cell=3-3/);
  const locked = (await pair.textContent()) ?? "";
  for (const name of ["Dimensions", "Heatmap", "Lines"]) {
    await explorer.choose(name);
    await expect(pair).toHaveText(locked);
  }
  const canvas = await boxOf(lines.locator("canvas.marks"));
  await page.mouse.click(canvas.x + canvas.width / 2 - 240, canvas.y + 44 + 10);
  await expect(page).toHaveURL(/cell=1-/);
});

test("the mask and the positions are pictures of their experiments", async ({ page, explorer }) => {
  await explorer.open(`text=${encodeURIComponent(TEXT)}&stack=decoder`);
  await expect(explorer.radio("Mask")).toHaveCount(0);
  await explorer.showPictureOf("Masks");
  await expect(explorer.radio("Mask")).toBeChecked();
  const count = await explorer.targetTokens.count();
  await expect(pad(page, "mask")).toHaveAccessibleName(
    new RegExp(`${count} queries by ${count} keys, ${(count * (count + 1)) / 2} unmasked`),
  );
  await explorer.showPictureOf("Positional encoding");
  await expect(pad(page, "positions")).toHaveAccessibleName(new RegExp(`: ${count} × `));
  // Its table is opened by the keyboard, which goes on into it.
  await picture(page, "positions").getByRole("button", { name: "Show values" }).focus();
  await explorer.keys("Enter", "Tab");
  await expect(picture(page, "positions").locator(".scroll")).toBeFocused();
  await expect(picture(page, "positions").locator("tbody tr")).toHaveCount(count);
});

const panel = (page: Page): Locator => page.locator("headscope-steps");
const STEPS =
  "model=models/tiny-gpt&text=The+dog+and+the+cat&stack=decoder&layer=2&head=3&picture=steps";

test("steps: are played, walked by keys and locked", async ({ page, explorer }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await explorer.open(`${STEPS}&number=input.1-1`);
  await panel(page).getByRole("button", { name: "Play" }).click();
  await expect(page).toHaveURL(/number=(entered|query)\./);
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await pad(page, "strip").focus();
  await explorer.keys(".", "ArrowRight");
  await expect(page).toHaveURL(/number=(query|key)\.1-\d+/);
  const held = page.url();
  const box = await boxOf(panel(page).locator("canvas.marks"));
  await page.mouse.click(box.x + 150, box.y + 90);
  await expect(page).not.toHaveURL(held);
});

/** 61 tokens: too many to read as one picture. */
const LONG = `model=models/tiny-gpt&text=${"the+dog+sees+her+".repeat(15).slice(0, -1)}`;
const part = /Queries (\d+)–(\d+) of (\d+), keys (\d+)–(\d+) of (\d+)/;

async function shownPart(figure: Locator): Promise<number[]> {
  await expect(figure).toHaveAccessibleName(part);
  return (part.exec((await figure.getAttribute("aria-label")) ?? "") ?? []).slice(1).map(Number);
}

test("a long text is zoomed, dragged, scrolled, shared", async ({ page, explorer }) => {
  await explorer.open(LONG);
  const count = await explorer.tokens.count();
  await explorer.figure.evaluate((figure) => figure.scrollIntoView());
  const box = await boxOf(explorer.figure);
  const centre = { x: box.x + box.width / 2, y: box.y + 300 };
  await page.mouse.move(centre.x, centre.y);
  const spoken = picture(page, "heatmap").locator("[aria-live]");
  const before = (await spoken.textContent()) ?? "";
  await page.keyboard.down("Control");
  for (let notch = 0; notch < 5; notch++) await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  const [first = 0, last = 0, queries, firstKey = 0] = await shownPart(explorer.figure);
  expect(queries).toBe(count);
  expect(last - first + 1).toBeLessThan(count / 2);
  await expect(spoken).toHaveText(before);
  await drag(page, [centre.x, centre.y], [centre.x + 60, centre.y + 80]);
  await expect.poll(async () => (await shownPart(explorer.figure))[0]).toBeLessThan(first);
  const now = await shownPart(explorer.figure);
  expect(now[3]).toBeLessThan(firstKey);
  // A drag is no click: no pair is locked. The address follows a drag a moment later.
  await expect(page).not.toHaveURL(/cell=/);
  await expect(page).toHaveURL(new RegExp(`region=${now[0]}-${now[1]}x${now[3]}-${now[4]}(&|$)`));
  await explorer.reload();
  expect(await shownPart(explorer.figure)).toEqual(now);
  // Other pictures scroll.
  await explorer.choose("Lines");
  const frame = picture(page, "lines").locator(".frame");
  await pad(page, "lines").focus();
  await explorer.keys("End");
  await expect.poll(() => frame.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100);
});

test("a long text is shown around its pair, with names that can be read", async ({
  page,
  explorer,
}) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await explorer.open(`model=models/tiny-gpt&text=${"The+cat+sees+the+dog.+".repeat(25)}`);
  const count = await explorer.tokens.count();
  expect(count).toBeGreaterThan(140);
  const [, last, queries] = await shownPart(explorer.figure);
  expect([last, queries]).toEqual([count, count]);
  // Every row is in view, and the picture fills its column.
  const heatmap = await boxOf(picture(page, "heatmap"));
  const { cell, plot } = await picture(page, "heatmap").evaluate(
    (figure: HTMLElement & { layout: { plot: { width: number; height: number }; cell: number } }) =>
      figure.layout,
  );
  expect(cell).toBeGreaterThanOrEqual(14);
  expect(plot.width / heatmap.width).toBeGreaterThan(0.6);
  const figure = await boxOf(explorer.figure);
  expect(figure.y + figure.height).toBeLessThan((await boxOf(page.locator(".edits"))).y);
  const foot = picture(page, "heatmap").locator(".foot");
  await expect(foot).not.toContainText("is named");
  await explorer.button("Show all").click();
  await expect(explorer.figure).not.toHaveAccessibleName(/Queries/);
  await expect(foot).toContainText(/One key in 5 is named. One query in 5 is named./);
  await expect(page).toHaveURL(new RegExp(`region=1-${count}x1-${count}(&|$)`));
  await explorer.reload();
  await expect(explorer.figure).not.toHaveAccessibleName(/Queries/);
  await test.step("tokens that are scrolled out of sight fade", async () => {
    const strip = page.locator("headscope-tokens").first();
    await expect(strip).toHaveAttribute("more", "below");
    await strip.evaluate((tokens) => tokens.scrollTo({ top: tokens.scrollHeight }));
    await expect(strip).toHaveAttribute("more", "above");
    await explorer.type("The cat.");
    await expect(strip).not.toHaveAttribute("more", /./);
  });
});

const PIECES = "text=The+photographer+misunderstood+the+unbelievable+architecture.";

test("tokens are picked; a sink is left out", async ({ page, explorer }) => {
  await explorer.open(`${PIECES}&stack=encoder&layer=2&head=3`);
  await explorer.tokens.nth(2).click({ modifiers: ["Shift"] });
  await explorer.tokens.nth(4).focus();
  await explorer.keys("Shift+Enter");
  await expect(page).toHaveURL(/picked=s3,5/);
  await explorer.keys("Escape");
  await expect(page).not.toHaveURL(/picked=/);
  await explorer.open(`${PIECES}&model=models/tiny-gpt&stack=decoder&layer=3&head=1`);
  // A head that is scrolled under the pointer would be shown instead.
  await page.mouse.move(0, 0);
  const note = page.getByRole("complementary", { name: "Attention sink" });
  await expect(note).toContainText(/“start” takes \d+%/);
  await note.getByRole("button", { name: "Renormalise without “start”" }).click();
  await expect(page).toHaveURL(/sink=out/);
});

test("a picture is sharp, and its cells are under the pointer, in a zoom or a transform", async ({
  page,
  explorer,
}) => {
  await explorer.open(BITES);
  await page.evaluate(() => {
    const figure = Object.assign(document.createElement("headscope-heatmap"), {
      id: "own",
      tensor: [
        [0.2, 0.8],
        [0.5, 0.5],
      ],
      queries: ["a", "b"],
      keys: ["c", "d"],
    });
    figure.style.cssText = "display: block; width: 400px";
    const place = document.createElement("div");
    place.id = "place";
    place.style.cssText = "width: 400px; margin: 120px";
    place.append(figure);
    document.body.prepend(place);
  });
  const canvas = page.locator("#own canvas.cells");
  /** The pixels of the canvas in a pixel of the screen, where a transform shows it. */
  const sharpness = (shown = "none"): Promise<number> =>
    canvas.evaluate((one: HTMLCanvasElement, shown) => {
      const { a, b, c, d } = new DOMMatrix(shown);
      return one.width / one.offsetWidth / Math.sqrt(Math.abs(a * d - b * c));
    }, shown);
  /** The cells under places that are spread over the picture, as a transform shows it. */
  const cells = (shown = "none"): Promise<string> =>
    canvas.evaluate((one: HTMLCanvasElement, shown) => {
      const box = one.getBoundingClientRect();
      const { x, y } = box;
      const { a, b, c, d } = new DOMMatrix(shown);
      const found: string[] = [];
      const hear = ({ detail }: CustomEvent): unknown => found.push(JSON.stringify(detail));
      // Where a pointer was before, it has left.
      const corner = { clientX: x, clientY: y, bubbles: true, composed: true };
      one.dispatchEvent(new PointerEvent("pointermove", corner));
      document.addEventListener("headscope-cell-hover", hear as EventListener);
      for (let down = 0.05; down < 1; down += 0.1)
        for (let across = 0.05; across < 1; across += 0.1) {
          const right = (across - 0.5) * one.offsetWidth;
          const below = (down - 0.5) * one.offsetHeight;
          const clientX = x + box.width / 2 + a * right + c * below;
          const clientY = y + box.height / 2 + b * right + d * below;
          const at = { clientX, clientY, bubbles: true, composed: true };
          one.dispatchEvent(new PointerEvent("pointermove", at));
          found.push("|");
        }
      document.removeEventListener("headscope-cell-hover", hear as EventListener);
      return found.join("");
    }, shown);
  await expect.poll(() => sharpness()).toBeCloseTo(1, 2);
  const plain = await cells();
  expect(new Set(plain.match(/"query":\d,"key":\d/g))).toHaveProperty("size", 4);
  for (const [name, value] of [
    ["zoom", "2"],
    ["transform", "scale(1.5)"],
    ["transform", "scale(0.5)"],
    ["transform", "rotate(90deg)"],
    ["transform", "rotate(30deg) scale(1.2, -0.8)"],
    ["rotate", "-75deg"],
    ["scale", "-1 1"],
  ] as const)
    await test.step(`${name}: ${value}`, async () => {
      const shown =
        name === "transform"
          ? value
          : `${name === "rotate" ? name : "scale"}(${value.replace(" ", ",")})`;
      const set = (to: string): Promise<void> =>
        page
          .locator("#place")
          .evaluate((one, [of, as]) => one.style.setProperty(of, as), [name, to] as const);
      await set(value);
      expect(await cells(shown)).toBe(plain);
      // A browser tells no change of a transform: a pointer that comes makes the picture look.
      await page.mouse.move(700, 700);
      await page.locator("#own").hover();
      await expect.poll(() => sharpness(shown)).toBeCloseTo(1, 2);
      expect(await cells(shown)).toBe(plain);
      await set(name === "zoom" ? "1" : "none");
    });
  await test.step("moved in space, it has no cell under the pointer", async () => {
    await page.locator("#place").evaluate((one) => (one.style.transform = "rotateX(40deg)"));
    expect(await cells()).not.toMatch(/query/);
  });
});
