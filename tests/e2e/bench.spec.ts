// The bench: rules of masks, kinds of attention, positions, heads and blocks, the workbench, and links to its parts.
import {
  BITES,
  boxOf,
  drag,
  expect,
  test,
  type ExplorerPage,
  type Locator,
  type Page,
} from "./page.js";

const POSITIONS = "model=models/tiny-bert&text=The+dog+sees+the+cat.&bench=positions";
const GPT = "model=models/tiny-gpt&text=The+dog+sees+the+cat";
const demo = (page: Page, name: string): Locator => page.locator(`headscope-demo[name=${name}]`);

async function put(field: Locator, value: string): Promise<void> {
  await field.fill(value);
  await field.press("Enter");
}

async function cells(
  page: Page,
  tag: "headscope-heatmap" | "headscope-mask",
): Promise<(query: number, key: number) => [x: number, y: number]> {
  // The open drawer covers what is below.
  await page
    .locator("headscope-picture-panel .picture")
    .evaluate((picture) => picture.scrollIntoView({ block: "start" }));
  const { x, y, side } = await page
    .locator(`headscope-picture-panel ${tag}`)
    .evaluate(
      (figure: HTMLElement & { layout: { plot: { x: number; y: number }; cell: number } }) => {
        const stage = figure.shadowRoot?.querySelector(".stage")?.getBoundingClientRect();
        const { plot, cell } = figure.layout;
        return { x: (stage?.x ?? 0) + plot.x, y: (stage?.y ?? 0) + plot.y, side: cell };
      },
    );
  return (query, key) => [x + (key + 0.5) * side, y + (query + 0.5) * side];
}

test("masks: a rule is added, changed, refused and shared", async ({ page, explorer }) => {
  await explorer.open(`${BITES}&stack=encoder&picture=mask`);
  const tokens = await explorer.tokens.count();
  const mask = page.locator("headscope-mask").getByRole("application");
  await explorer.button("Masks").click();
  const add = page.getByLabel("Add a rule");
  await expect(add).toBeVisible();
  await add.selectOption("sliding window");
  await explorer.settle();
  const width = page.getByRole("spinbutton", { name: "each side" });
  await put(width, "1e10");
  await expect(page.locator("headscope-rule .refusal code")).toHaveText("field/out-of-range");
  await put(width, "0");
  await expect(mask).toHaveAccessibleName(new RegExp(`[ ,]${tokens} unmasked`));
  await explorer.choose("Heatmap");
  expect((await explorer.table())[1]).toEqual(
    Array.from({ length: tokens }, (_, key) => (key === 1 ? 1 : 0)),
  );
  await expect(explorer.chips).toHaveText([/Encoder: sliding window, each side 0/]);
  await explorer.reload();
  await expect(width).toHaveValue("0");
  await explorer.press("Remove rule");
  await expect(explorer.chips).toHaveCount(0);
  await explorer.press("Undo");
  await expect(explorer.chips).toHaveCount(1);
  await add.selectOption("no mask");
  await page.getByLabel("Combine with rules above").last().selectOption("and only");
  await explorer.button("inverted").last().click();
  await expect
    .poll(async () => (await explorer.table()).flat().some((cell) => cell > 0))
    .toBe(false);
});

test("masks: a stroke and keys block and open cells", async ({ page, explorer }) => {
  await explorer.open(`${BITES}&stack=encoder&picture=mask&bench=masks`);
  await explorer.button("Paint cells").click();
  await page.getByLabel("Stroke scope").selectOption("Encoder, all layers");
  const masked = await cells(page, "headscope-mask");
  await drag(page, masked(1, 0), masked(1, 4));
  await expect(explorer.chips).toHaveText([/Encoder: 5 cells blocked/]);
  await expect(page).toHaveURL(
    /edits=\{'masks':\[\{'stack':'encoder','block':\[\[1,0\],\[1,1\],\[1,2\],\[1,3\],\[1,4\]/,
  );
  await explorer.press("Undo");
  await explorer.open(`${GPT}&stage=masked&bench=masks`);
  const at = await cells(page, "headscope-heatmap");
  await explorer.figure.focus();
  for (const key of ["Escape", "Shift"]) {
    await drag(page, at(0, 1), at(0, 3), key);
    await expect(explorer.chips).toHaveText(key === "Escape" ? [] : [/3 cells unblocked/]);
  }
  await explorer.settle();
  const row = (await explorer.table())[0] ?? [];
  expect(row.slice(0, 5).map(Number.isFinite)).toEqual([true, true, true, true, false]);
  await explorer.fresh(`${BITES}&stack=encoder`);
  await explorer.button("Block cells").press("Enter");
  await explorer.figure.focus();
  await explorer.keys("PageUp", "Home", "Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown");
  await explorer.keys("Enter");
  await expect(explorer.chips).toHaveText([/6 cells blocked/]);
});

test("the open bench leaves its picture in view", async ({ page, explorer }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  /** How much of the picture's height lies above the drawer. */
  const share = async (): Promise<number> => {
    const figure = await boxOf(explorer.figure);
    const drawer = await boxOf(page.locator(".edits"));
    return figure.y < 0 ? 0 : (drawer.y - figure.y) / figure.height;
  };
  await explorer.open(BITES);
  await explorer.button("Masks").click();
  await expect(page.getByLabel("Add a rule")).toBeInViewport();
  await expect.poll(share).toBeGreaterThan(0.9);
  // Nothing of what is scrolled inside it makes the page longer.
  await explorer.press("Attention calculator");
  await expect(page.getByRole("grid", { name: "context", exact: true })).toBeVisible();
  const height = await page.evaluate(() => document.documentElement.scrollHeight - window.scrollY);
  const footer = await boxOf(page.locator("headscope-page-footer"));
  expect(height - footer.y - footer.height).toBeLessThan(2);
});

const HEAD = "stack=encoder&layer=1&head=1&bench=kinds";

test("an experiment changes the answer by one press", async ({ page, explorer }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  for (const [part, press] of [
    ["masks", "Attend only to itself, everywhere"],
    ["positions", "Encoder: remove positions"],
    ["kinds", "Remove √d everywhere"],
    ["heads", "ablated"],
  ] as const) {
    await explorer.open(`bench=${part}`);
    const first = page.locator("headscope-bench").getByText(press, { exact: true });
    await first.click();
    await explorer.settle();
    await expect(page.locator("headscope-edits-panel del").first()).toBeInViewport();
    await expect(explorer.sentence).toBeInViewport();
  }
});

test("kinds of attention: all heads get another kind, or one", async ({ page, explorer }) => {
  await explorer.open(`${BITES}&${HEAD}`);
  const operations = demo(page, "kind").locator("[data-row=operations] td");
  await expect(operations.first()).not.toBeEmpty();
  const [exact = "", same] = await operations.allTextContents();
  expect(exact).toBe(same);
  await page.getByLabel("Change all heads to").selectOption({ label: "sliding window (sparse)" });
  await expect(explorer.chips).toHaveText([/Everywhere: sliding window \(sparse\)/]);
  await page.getByLabel("Scope").selectOption("head");
  const width = page.getByRole("spinbutton", { name: "each side" });
  await put(width, "0");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/Encoder 1\.1: sliding window \(sparse\), each side 0/]);
  await expect(operations.first()).not.toHaveText(exact);
  expect((await explorer.table())[0]?.slice(0, 2)).toEqual([1, 0]);
  await expect(page).toHaveURL(/'kind':'sliding','parameters':\{'width':0\}/);
  await explorer.press("Remove variant");
  await expect(explorer.chips).toHaveCount(0);
  await explorer.open(
    `${BITES}&${HEAD}&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[0],'kind':'softmax','dropout':{'rate':0.5,'seed':3}}]}`,
  );
  await expect(explorer.picture.locator("headscope-heatmap .sign")).toHaveText("dropped");
  await explorer.choose("none");
  await put(page.getByRole("spinbutton", { name: "temperature" }), "2");
  await page
    .getByLabel("Attention variant", { exact: true })
    .selectOption({ label: "low-rank (SVD)" });
  await page.getByRole("slider", { name: "rank" }).press("Home");
  await expect(page).toHaveURL(
    /'scale':'none','temperature':2.*'parameters':\{'rank':0\}|'parameters':\{'rank':0\}.*'scale':'none','temperature':2/,
  );
});

test("an experiment is moved, played and undone", async ({ page, explorer }) => {
  await explorer.open(`${POSITIONS}&labs=places(open-yes)`);
  const waves = demo(page, "waves");
  const dim = waves.locator("#dim").getByRole("slider");
  await expect(dim).toHaveValue("64");
  await dim.scrollIntoViewIfNeeded();
  const box = await boxOf(dim);
  const y = box.y + box.height / 2;
  await drag(page, [box.x + box.width / 8, y], [box.x + box.width / 2, y]);
  expect(Number(await dim.inputValue())).toBeGreaterThan(128);
  // Where the bench was closed meanwhile, it opens where the change was made.
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

const heads = (page: Page): Locator => page.locator("headscope-heads-bench");

test("heads: a head is frozen or drawn by the keyboard", async ({ page, explorer }) => {
  await explorer.open(`${BITES}&stack=encoder&layer=1&head=2&bench=heads`);
  await page.getByLabel("Which heads").selectOption("head");
  const computed = await explorer.table();
  await heads(page).getByRole("radio", { name: "previous token" }).check();
  await expect(explorer.chips).toHaveText([/Encoder 1\.2: previous token/]);
  await explorer.settle();
  expect(await explorer.table()).toEqual(
    computed.map((row, query) => row.map((_, key) => (key === Math.max(0, query - 1) ? 1 : 0))),
  );
  await explorer.press("Undo");
  // A drawing begins as what the head does; its first row is given to its last key.
  await heads(page).getByRole("radio", { name: "hand-drawn" }).check();
  await heads(page).getByRole("radio", { name: "0%", exact: true }).check();
  // A pointer over the drawing would move the cursor as the page scrolls below it.
  await page.mouse.move(0, 0);
  await page.locator("headscope-draw-pattern").getByRole("application").focus();
  await explorer.keys("PageUp", "Home");
  for (let key = 1; key < computed.length; key += 1) await explorer.keys("b", "ArrowRight");
  await explorer.settle();
  const first = computed.map((_, key) => (key === computed.length - 1 ? 1 : 0));
  expect((await explorer.table())[0]).toEqual(first);
  await expect(page).toHaveURL(/'heads':\[1\],'pattern':\[\[0,0/);
  await explorer.reload();
  expect((await explorer.table())[0]).toEqual(first);
});

test("heads: a rule finds heads; blocks lose their norms", async ({ page, explorer }) => {
  await explorer.open(`${BITES}&bench=heads`);
  await heads(page).getByLabel("Head measure").selectOption("broad");
  await put(heads(page).getByRole("spinbutton", { name: "Threshold" }), "0.8");
  const pick = heads(page).getByRole("button", { name: /^Select \d+ heads?$/ });
  const count = Number(((await pick.textContent()) ?? "").replace(/\D/g, ""));
  await pick.click();
  await expect(page.locator("headscope-heads-bench .stacks [aria-pressed=true]")).toHaveCount(
    count,
  );
  await heads(page).getByRole("radio", { name: "ablated" }).check();
  await expect(explorer.chips).not.toHaveCount(0);
  await explorer.open(`${GPT}&bench=heads`);
  await heads(page).getByRole("radio", { name: "Layers", exact: true }).check();
  const row = heads(page).getByRole("group", { name: "feed-forward", exact: true });
  for (const name of ["left out", "none"]) await row.getByRole("radio", { name }).check();
  await expect(explorer.chips).toHaveCount(2);
  await expect(page).toHaveURL(
    /edits=\{'blocks':\[\{[^}]*'sublayers':\['feed-forward'\],'residual':false\},\{[^}]*'norm':'none'\}\]\}/,
  );
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

const workbench = (page: Page): Locator => page.locator("headscope-numbers-bench");
const cell = (page: Page, name: string): Locator =>
  page.getByRole("textbox", { name, exact: true });
const result = (page: Page, name: string): Locator =>
  workbench(page).locator("headscope-demo[name=worked]").getByRole("grid", { name, exact: true });

async function openWorkbench(explorer: ExplorerPage, state = "text=The+dog+bites."): Promise<void> {
  await explorer.fresh(`${state}&bench=numbers`);
  await expect(result(explorer.page, "context")).toBeVisible();
}

test("workbench: the worked example, typed and shared", async ({ page, explorer }) => {
  await openWorkbench(explorer);
  await workbench(page).getByRole("radio", { name: "8", exact: true }).check();
  const firstRow = (name: string): Locator =>
    result(page, name).locator("tbody tr").first().locator("[role=gridcell], td");
  await expect(firstRow("context")).toHaveText(["0.98522025", "1.74174051", "0.75652026"]);
  await result(page, "raw scores").getByRole("gridcell").nth(2).hover();
  await expect(workbench(page).locator(".made")).toHaveText(
    /^\s*QKᵀ\s*1,3 = 2 · 2 \+ 0 · 4 \+ 2 · 3\s*= 10\s*$/,
  );
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
  await workbench(page).getByLabel("Preset").selectOption("two identical tokens");
  await expect(cell(page, "Name of token 1")).toHaveValue("same");
  await explorer.button("Undo").click();
  await expect(cell(page, "X, row 1, column 1")).toHaveValue("0");
});

test("workbench: files go out and come in", async ({ page, explorer }) => {
  await openWorkbench(explorer);
  const csv = await explorer.save(explorer.button("Save X as csv"));
  const npy = await explorer.save(explorer.button("Save W_Q as npy"));
  expect([csv.name, npy.name]).toEqual([
    "headscope_workbench_x.csv",
    "headscope_workbench_w_query.npy",
  ]);
  const read = (matrix: string, name: string, buffer: Buffer): Promise<void> =>
    page
      .locator(`input[type=file][aria-label="A CSV or .npy file for ${matrix}"]`)
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  await workbench(page).getByLabel("Preset").selectOption("two heads");
  await read("W_Q", "q.npy", npy.bytes);
  await expect(page.getByText("W_Q is 3 × 3, but needs 4 rows")).toBeVisible();
  await explorer.button("Undo").click();
  await read("X", "x.csv", csv.bytes);
  await expect(cell(page, "Name of token 3")).toHaveValue("w₃");
  await read("X", "x.npy", Buffer.from("no such thing"));
  await expect(page.getByText("x.npy: Not a .npy file.")).toBeVisible();
  await cell(page, "W_V, row 1, column 1").focus();
  await cell(page, "W_V, row 1, column 1").evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "0,5\t−1\n2\t3");
    const paste = { clipboardData, bubbles: true, composed: true, cancelable: true };
    field.dispatchEvent(new ClipboardEvent("paste", paste));
  });
  await expect(cell(page, "W_V, row 1, column 1")).toHaveValue("0.5");
  await expect(cell(page, "W_V, row 2, column 2")).toHaveValue("3");
});

test("workbench: a head of the model has its weights", async ({ page, explorer }) => {
  await openWorkbench(explorer, `${BITES}&stack=encoder&layer=1&head=2`);
  const part = workbench(page).locator(".model");
  await part.getByRole("button").click();
  const residue = part.locator("[data-residue]");
  await expect(residue).toContainText("The weights below are the model’s");
  expect(Number(await residue.getAttribute("data-residue"))).toBeLessThan(1e-5);
});

test("a figure of the bench has a link and embed code", async ({ page, explorer, baseURL }) => {
  await explorer.grantClipboard();
  await explorer.open(`${POSITIONS}&labs=places(open-yes)`);
  const waves = demo(page, "waves");
  await put(waves.locator("#dim").getByRole("spinbutton"), "24");
  await put(waves.locator("#length").getByRole("spinbutton"), "20");
  const table = waves.locator("headscope-positions").getByRole("application");
  await expect(table).toHaveAccessibleName(/20 × 24/);
  const before = (await table.getAttribute("aria-label")) ?? "";
  const save = waves.locator("headscope-save-figure").first();
  await save.getByRole("button", { name: "Copy link" }).click();
  await expect(save.getByRole("status")).toHaveText("Link copied");
  const link = await explorer.copied();
  expect(decodeURIComponent(link)).toContain("labs=places(open-yes)waves(dim-24,length-20)");
  await save.getByRole("button", { name: "Copy embed code" }).click();
  await expect(save.getByRole("status")).toHaveText("Copied. Paste it into the HTML of a page.");
  const code = await explorer.copied();
  expect(code).toContain(
    'bench="positions" labs="places(open-yes)waves(dim-24,length-20)"></head-scope>',
  );
  const body = `<!doctype html><meta charset="utf-8">${code}`;
  await page.route("**/other.html", (route) => route.fulfill({ contentType: "text/html", body }));
  for (const address of [link, new URL("other.html", baseURL).href]) {
    await page.goto("about:blank");
    await page.goto(address);
    await expect(table).toHaveAccessibleName(before, { timeout: 30_000 });
  }
});

test("a link opens a part of the bench, or the nearest", async ({ page, explorer }) => {
  const notice = page.locator("headscope-notices p", { hasText: "link/unread" });
  for (const [bench, labs, named, shown] of [
    ["positions", "places(open-yes)waves(dim-1e9,length-20)", ["labs: dim"], /waves\(length-20\)/],
    // Known once the text is.
    ["heads", "heads(room-ranking)effect(word-5000)", ["labs: word"], /effect\(word-\d\)/],
    ["masks", "masks(open-cost)cost(of-memory)", [], /cost\(of-memory\)/],
  ] as const) {
    await explorer.fresh(`model=models/tiny-bert&text=The+dog.&bench=${bench}&labs=${labs}`);
    await expect(notice).toHaveCount(named.length > 0 ? 1 : 0);
    for (const part of named) await expect(notice).toContainText(part);
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(shown);
  }
});
