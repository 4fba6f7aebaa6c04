// The experiment: what only a page shows of it: strokes over cells, its place, sliders, dragged
// tokens, the calculator.
import {
  BITES,
  boxOf,
  cellsOf,
  drag,
  expect,
  expectInView,
  slowWorkers,
  test,
  type ExplorerPage,
  type Locator,
  type Page,
} from "./page.js";

const POSITIONS = "model=models/tiny-bert&text=The+dog+sees+the+cat.&experiment=positions";
const GPT = "model=models/tiny-gpt&text=The+dog+sees+the+cat";
const demo = (page: Page, name: string): Locator => page.locator(`headscope-demo[name=${name}]`);

test("masks: a stroke blocks and opens cells", async ({ page, explorer }) => {
  await explorer.open(`${BITES}&stack=encoder&picture=mask&experiment=masks`);
  await explorer.button("Paint cells").click();
  await page.getByLabel("Stroke scope").selectOption("Encoder, all layers");
  const masked = await cellsOf(page, "headscope-mask");
  await drag(page, masked(1, 0), masked(1, 4));
  await expect(explorer.chips).toHaveText([/Encoder: 5 cells blocked/]);
  await expect(page).toHaveURL(
    /edits=\{'masks':\[\{'stack':'encoder','block':\[\[1,0\],\[1,1\],\[1,2\],\[1,3\],\[1,4\]/,
  );
  await explorer.press("Undo");
  await explorer.open(`${GPT}&stage=masked&experiment=masks`);
  const at = await cellsOf(page, "headscope-heatmap");
  await explorer.figure.focus();
  for (const key of ["Escape", "Shift"]) {
    await drag(page, at(0, 1), at(0, 3), key);
    // What a stroke does is decided by the mask that its first cell shows.
    await explorer.settle();
    await expect(explorer.chips).toHaveText(key === "Escape" ? [] : [/3 cells unblocked/]);
  }
});

test("an experiment that opens leaves heading, inspector and picture where they were", async ({
  page,
  explorer,
}) => {
  const { figure, inspector, picture } = explorer;
  const heading = page.locator("headscope-top-bar");
  const experiments = page.locator("headscope-experiments");
  // A click of a locator scrolls to where a sticky button would stand otherwise.
  const open = async (name: string): Promise<void> => {
    const { x, y, width, height } = await boxOf(explorer.button(name));
    await page.mouse.click(x + width / 2, y + height / 2);
    await explorer.settle();
  };
  const boxes = async (): Promise<object> => ({
    heading: await boxOf(heading),
    sentence: await boxOf(page.locator("headscope-sentence-bar")),
    inspector: await boxOf(inspector),
    picture: await boxOf(picture),
    figure: await boxOf(figure),
  });
  for (const [width, height] of [
    [1400, 900],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await explorer.fresh(BITES);
    const before = await boxes();
    for (const name of [
      "Masks",
      "Positional encoding",
      "Attention variants",
      "Heads & layers",
      "Patching",
      "Attention calculator",
    ]) {
      await open(name);
      await expect(experiments.getByRole("heading", { name, level: 2 })).toBeInViewport();
      await expect(experiments.locator("select, .choice, .line-field").first()).toBeInViewport();
      expect(await boxes()).toEqual(before);
      // Beside the picture, and no wider than its column.
      const { x, width: column } = await boxOf(experiments);
      expect(x + column).toBeLessThanOrEqual((await boxOf(picture)).x);
      const isWider = await experiments.evaluate((host) => host.scrollWidth > host.clientWidth);
      expect(isWider).toBe(false);
    }
  }
  await test.step("the picture stays beside a long experiment that is scrolled", async () => {
    const last = experiments.locator("headscope-number-grid").last();
    await last.scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(400);
    await expect(figure).toBeInViewport({ ratio: 0.9 });
    await open("Masks");
    await expect(experiments.getByRole("heading", { name: "Masks" })).toBeInViewport();
  });
});

test("a grid of patches is in view, and a cell of it becomes an edit", async ({
  page,
  explorer,
}) => {
  const texts = "text=The+dogs+in+the+garden&other=The+dog+in+the+garden";
  const numbers = demo(page, "patching").locator("headscope-numbers");
  for (const [width, height] of [
    [1400, 900],
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await explorer.fresh(`model=models/tiny-gpt&${texts}&stack=decoder&experiment=patching`);
    await explorer.button("Patch 16 cells").click();
    await expect(demo(page, "patching").locator("#stop")).toHaveCount(0);
    await expect(numbers.locator(".stage")).toBeInViewport({ ratio: 0.9 });
  }
  await page.setViewportSize({ width: 1400, height: 900 });
  await numbers.getByRole("application").focus();
  for (const key of ["Home", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await explorer.settle();
  // A patch into the corrupted text: that text is the sentence now.
  await expect(explorer.sentence).toHaveValue("The dog in the garden");
  await expect(explorer.chips).toHaveText([/The dogs in the garden/]);
  await expect(page).toHaveURL(/patches.*context.*demos=patching\(sentence-corrupted\)/);
  await expect(numbers.locator(".stage")).toBeInViewport({ ratio: 0.9 });
  await explorer.press("Undo");
  await expect(explorer.chips).toHaveCount(0);
  await expect(page).toHaveURL(/text=The\+dogs/);
});

test("decoding: steps by keys, a branch by a press, and the drawn number on the bar", async ({
  page,
  explorer,
}) => {
  const drawn = "sampling=temperature-1.5,seed-11";
  await explorer.open(`${GPT}&stack=decoder&experiment=decoding&${drawn}`);
  const part = page.locator("headscope-decoding-experiment");
  const rows = part.locator("headscope-numbers").first();
  await expect(rows.getByRole("application")).toBeVisible();
  const slider = part.getByRole("slider", { name: "Step" });
  await slider.press("ArrowRight");
  await expect(part.locator(".status")).toContainText("Step 2");
  await expect(part.locator(".chip[aria-current=step]")).toHaveCount(1);
  await expect(page).toHaveURL(/demos=decoding\(step-2\)/);
  // The number stands within the range that it fell into.
  const [number, range] = await Promise.all([
    boxOf(part.locator(".cumulated .number")),
    boxOf(part.locator(".cumulated .range")),
  ]);
  expect(number.x + number.width / 2).toBeGreaterThanOrEqual(range.x - 1);
  expect(number.x + number.width / 2).toBeLessThanOrEqual(range.x + range.width + 1);
  await part.locator(".turns button").first().click();
  await expect(part.locator(".line")).toHaveCount(2);
  await explorer.press("Undo");
  await expect(part.locator(".line")).toHaveCount(1);
  await expect(part.locator(".status")).toContainText("Step 2");
});

test("an experiment changes the answer by one press", async ({ page, explorer }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  for (const [part, press] of [
    ["masks", "Let every token see only itself"],
    ["positions", "Decoder: remove positions"],
    ["kinds", "Stop dividing by √d"],
    // A gate of 0 is the slider's beginning.
    ["heads", "Head gate"],
  ] as const) {
    await explorer.open(`experiment=${part}`);
    const panel = page.locator("headscope-experiments");
    if (part === "heads") await panel.getByRole("slider", { name: press }).press("Home");
    else await panel.getByText(press, { exact: true }).click();
    await explorer.settle();
    await expect(page.locator("headscope-edits-panel mark").first()).toBeInViewport();
    await expect(explorer.sentence).toBeInViewport();
  }
});

test("an experiment is moved, played and undone", async ({ page, explorer }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await explorer.open(`${POSITIONS}&demos=places(open-yes)`);
  const waves = demo(page, "waves");
  const dim = waves.locator("#dim").getByRole("slider");
  await expect(dim).toHaveValue("64");
  // The parts of the drawer arrive one after the other, and move what is below them.
  await expect(async () => {
    await dim.scrollIntoViewIfNeeded();
    const box = await boxOf(dim);
    const y = box.y + box.height / 2;
    await drag(page, [box.x + box.width / 8, y], [box.x + box.width / 2, y]);
    expect(Number(await dim.inputValue())).toBeGreaterThan(128);
  }).toPass({ timeout: 10_000 });
  // Where the experiments was closed meanwhile, it opens where the change was made.
  await page.locator("headscope-edits-panel .experiments [aria-expanded=true]").click();
  await expect(waves).toHaveCount(0);
  await explorer.button("Undo").click();
  await expect(dim).toHaveValue("64");
  await explorer.choose("RoPE");
  const rotary = demo(page, "rotary");
  const shift = rotary.locator("#shift").getByRole("slider");
  await expect(shift).toBeVisible({ timeout: 30_000 });
  await rotary.getByRole("button", { name: "Shift both" }).click();
  await expect.poll(async () => Number(await shift.inputValue())).toBeGreaterThan(5);
  await rotary.getByRole("button", { name: "Stop" }).click();
});

test("positions: tokens are moved by keys and the pointer", async ({ page, explorer }) => {
  await explorer.open(POSITIONS);
  const tokens = page.locator("headscope-order-strip [data-token]");
  const order = async (): Promise<string[]> =>
    (await tokens.allTextContents()).map((text) => text.trim());
  const before = await order();
  await tokens.nth(1).focus();
  await explorer.keys("ArrowRight");
  await explorer.settle();
  expect((await order()).slice(1, 3)).toEqual([before[2], before[1]]);
  await expect(tokens.nth(2)).toBeFocused();
  await expect(explorer.chips).toHaveText([/permuted positions/]);
  await expect(page).toHaveURL(/edits=\{'positions':\[\{'stack':'encoder','order':\[0,2,1[,\]]/);
  const middle = async (at: number): Promise<[number, number]> => {
    const { x, y, width, height } = await boxOf(tokens.nth(at));
    return [x + width / 2, y + height / 2];
  };
  const dragged = (await order())[4];
  await drag(page, await middle(4), await middle(0));
  await explorer.settle();
  expect((await order())[0]).toBe(dragged);
  await explorer.press("Restore text order");
  expect(await order()).toEqual(before);
});

const calculator = (page: Page): Locator => page.locator("headscope-calculator");
const cell = (page: Page, name: string): Locator =>
  page.getByRole("textbox", { name, exact: true });
const result = (page: Page, name: string): Locator =>
  calculator(page).locator("headscope-demo[name=worked]").getByRole("grid", { name, exact: true });

async function openCalculator(
  explorer: ExplorerPage,
  state = "text=The+dog+bites.",
): Promise<void> {
  await explorer.fresh(`${state}&experiment=calculator`);
  await expect(result(explorer.page, "context")).toBeVisible();
}

test("calculator: the worked example, typed and shared", async ({ page, explorer }) => {
  await openCalculator(explorer);
  await calculator(page).getByRole("radio", { name: "8", exact: true }).check();
  const firstRow = (name: string): Locator =>
    result(page, name).locator("tbody tr").first().locator("[role=gridcell], td");
  await expect(firstRow("context")).toHaveText(["0.98522025", "1.74174051", "0.75652026"]);
  await cell(page, "X, row 1, column 1").focus();
  await page.keyboard.type("0");
  await explorer.keys("ArrowRight");
  await expect(cell(page, "X, row 1, column 2")).toBeFocused();
  await expect(firstRow("queries")).toHaveText(Array<RegExp>(3).fill(/^\s*0(\.0*)?\s*$/));
  await expect(page).toHaveURL(/numbers=/);
  // It needs no model.
  await page.route("**/models/**", (route) => route.abort());
  await page.reload();
  await expect(cell(page, "X, row 1, column 1")).toHaveValue("0");
  const { name } = await explorer.save(explorer.button("Save X as csv"));
  expect(name).toBe("headscope_calculator_x.csv");
});

test("calculator: a head of the model has its weights", async ({ page, explorer }) => {
  await openCalculator(explorer, `${BITES}&stack=encoder&layer=1&head=2`);
  const part = calculator(page).locator(".model");
  await part.getByRole("button").click();
  const residue = part.locator("[data-residue]");
  await expect(residue).toContainText("The weights below are the model’s");
  expect(Number(await residue.getAttribute("data-residue"))).toBeLessThan(1e-5);
});

test("beams: the tree by pointer and keys, what a branch looks at, and both orders", async ({
  page,
  explorer,
}) => {
  const search = "demos=decoding(mode-beams)beams(beams-4,tokens-20)";
  await explorer.open(`text=I+have+a+black+cat.&experiment=decoding&${search}`);
  const part = page.locator("headscope-beam-search");
  const tree = part.locator("headscope-beam-tree").getByRole("application");
  await expect(tree).toBeVisible();
  const rows = part.locator("table tr");
  await expect(rows).toHaveCount(5);
  await expect(part.locator("tr[aria-current]")).toHaveCount(1);
  const bars = part.locator("headscope-bars");
  await expect(bars).toBeVisible();
  await expect(bars).toContainText("What chose this token: Cross-attention");
  // A key leads to the parent, which the State holds.
  await tree.press("ArrowLeft");
  await expect(page).toHaveURL(/branch-\d+/);
  await expect(part).toContainText("kept");
  const words = part.locator("p.status");
  const before = await words.textContent();
  const scroller = part.locator("headscope-beam-tree .scroll");
  const ranking = part.locator(".scroll:has(table)");
  await scroller.evaluate((element) => (element.scrollLeft = 0));
  const { x, y } = await boxOf(tree);
  await page.mouse.move(x + 20, y + 40);
  await expect(words).toContainText("Step 1: ");
  await page.mouse.move(0, 0);
  await expect(words).toHaveText(before ?? "");
  expect((await boxOf(ranking)).width).toBe((await boxOf(scroller)).width);
});

test("a demo's answer stays in view when its button adds a rule", async ({ page, explorer }) => {
  const answer = page.locator("headscope-experiments #sum");
  // A slow model brings the effect of the rule after the button has its answer.
  await slowWorkers(page, 300);
  for (const [width, height] of [
    [1400, 900],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await explorer.fresh(
      "model=models/tiny-gpt&stack=decoder&text=The+little+girl+gave+her+brother+a+red+apple.&experiment=masks",
    );
    await page.getByText("Without the causal mask: the model reads ahead").click();
    await explorer.press("Remove the causal mask");
    await expect(answer).toContainText("with your edits");
    await expectInView(answer);
  }
});
