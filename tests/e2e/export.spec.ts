import { expect, test, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, watch } from "./explorer-page.js";
import { engine, ExportMenu } from "./export-menu.js";
import { csvRecord, csvRows, npyFile, npyRecord, pngTexts } from "./files.js";

type Tensor = Headscope.Tensor;

/** What an SVG holds, read by the browser's own parser. */
function insideSvg(
  page: Page,
  text: string,
): Promise<{
  broken: boolean;
  cells: number;
  texts: string[];
  title: string;
  record: Record<string, unknown>;
  width: number;
}> {
  return page.evaluate((source) => {
    const file = new DOMParser().parseFromString(source, "image/svg+xml");
    const textOf = (name: string): string => file.querySelector(name)?.textContent ?? "";
    return {
      broken: file.querySelector("parsererror") !== null,
      cells: file.querySelectorAll(".cells rect").length,
      texts: [...file.querySelectorAll("text")].map((element) => element.textContent),
      title: textOf("title"),
      record: JSON.parse(textOf("metadata")) as Record<string, unknown>,
      width: Number(file.documentElement.getAttribute("width")),
    };
  }, text);
}

const floats = (values: Iterable<number>): number[] => Array.from(values, Math.fround);
const sizeOf = ({ shape: [rows = 0, columns = 0] }: Tensor): { rows: number; columns: number } => ({
  rows,
  columns,
});

const SAVED = {
  model: "tiny-gpt",
  more: "&model=models/tiny-gpt&layer=2&head=2",
  text: "The dog and the cat",
  head: { stack: "decoder", layer: 1, head: 1 },
} as const;

test("pictures, numbers and steps of a head are saved as the run has them, in each format", async ({
  page,
}) => {
  test.setTimeout(180000);
  const { model: name, more, text, head } = SAVED;
  const seen = watch(page);
  const model = await engine(name);
  const run = await model.run({ text });
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&text=${encodeURIComponent(text)}${more}`);
  const menu = new ExportMenu(page);
  await menu.open();
  const weights = await run.attention(head);
  const { rows, columns } = sizeOf(weights);
  const start = `headscope_${name}_${head.stack}_layer-${head.layer + 1}_head-${head.head + 1}`;
  const words = text.toLowerCase().match(/\w+/g)?.join("-") ?? "";

  const svg = await menu.save("Picture", "SVG");
  expect(svg.name).toBe(`${start}_weights_${words}.svg`);
  const picture = await insideSvg(page, svg.text);
  expect(picture).toMatchObject({ broken: false, cells: rows * columns });
  expect(picture.title).toContain(`layer ${head.layer + 1} · head ${head.head + 1} · weights`);
  expect(picture.record).toMatchObject({
    model: name,
    text,
    stack: head.stack,
    head: { index: head.head, number: head.head + 1 },
  });
  for (const token of run.tokens) if (!token.special) expect(picture.texts).toContain(token.text);
  for (const words of ["weights", "mass received", `Text: ${text}`])
    expect(picture.texts).toContain(words);

  const png = await menu.save("Picture", "PNG");
  expect(png.name).toBe(`${start}_weights_${words}.png`);
  const { width, texts } = pngTexts(png.bytes);
  expect(width).toBe(3 * picture.width);
  expect(texts.Title).toBe(picture.title);
  expect(JSON.parse(texts.Comment ?? "")).toEqual(picture.record);

  const csv = await menu.save("Numbers", "CSV");
  const place = {
    model: name,
    text,
    stack: head.stack,
    layer: { index: head.layer, number: head.layer + 1 },
    head: { index: head.head, number: head.head + 1 },
  };
  expect(csvRecord(csv.text)).toMatchObject({ ...place, quantity: "weights" });
  const [heads = [], ...lines] = csvRows(csv.text);
  expect(heads).toHaveLength(columns + 1);
  expect(lines.map(([label]) => label)).toEqual(
    run.tokens.map((token, index) => `${index + 1} ${token.text}`),
  );
  expect(lines.flatMap(([, ...numbers]) => floats(numbers.map(Number)))).toEqual(
    Array.from(weights.data),
  );

  const json = JSON.parse((await menu.save("Numbers", "JSON")).text) as {
    data: number[][];
    layer: unknown;
    labels: Record<string, string[]>;
    target: string | null;
  };
  expect(floats(json.data.flat())).toEqual(Array.from(weights.data));
  expect(json.labels.key).toEqual(run.tokens.map((token) => token.text));
  expect(json.target).toBe(null);
  expect(json.layer).toEqual({ index: head.layer, number: head.layer + 1 });

  for (const [label, wanted] of [
    ["masked", await run.attention({ ...head, stage: "masked" })],
    ["mask", await run.mask(head)],
    ["queries (Q)", await run.qkv({ ...head, part: "query" })],
    ["values (V)", await run.qkv({ ...head, part: "value" })],
    ["logits of the whole vocabulary", await run.logits()],
  ] as const) {
    await menu.choose(label);
    const { bytes } = await menu.save("Numbers", ".npy");
    const npy = npyFile(bytes);
    expect(npy.shape, label).toEqual(wanted.shape);
    expect(npyRecord(bytes), label).toMatchObject(
      label.startsWith("logits") ? { model: name, text, quantity: "logits" } : place,
    );
    expect(
      Buffer.from(npy.data.buffer).equals(
        Buffer.from(wanted.data.buffer, wanted.data.byteOffset, wanted.data.byteLength),
      ),
      label,
    ).toBe(true);
  }
  await menu.choose("masked");
  const scores = (await menu.save("Numbers", "JSON")).text;
  expect(scores.includes('"-Infinity"')).toBe(true);
  model.dispose();
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("each step of its block", async () => {
    await page.goto("about:blank");
    const { model: name, more, text, head } = SAVED;
    const model = await engine(name);
    const run = await model.run({ text });
    const steps = await run.steps(head);
    await new ExplorerPage(page).open(`#v=1&text=${encodeURIComponent(text)}${more}&picture=steps`);
    const menu = new ExportMenu(page);
    await menu.open();
    const list = menu.dialog.getByRole("combobox", { name: "Which numbers" });
    await expect(list.locator("optgroup").nth(1).locator("option")).toHaveCount(steps.length);
    await expect(list).toHaveValue("step weights");
    for (const { step, tensor } of steps) {
      await list.selectOption(`step ${step}`);
      const npy = await menu.save("Numbers", ".npy");
      expect(npy.name).toContain(`_head-${head.head + 1}_step-${step}_`);
      const { shape, data } = npyFile(npy.bytes);
      expect(shape, step).toEqual(tensor.shape);
      expect(
        Buffer.from(data.buffer).equals(
          Buffer.from(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength),
        ),
        step,
      ).toBe(true);
    }
    await list.selectOption("step value");
    const { labels, axes } = JSON.parse((await menu.save("Numbers", "JSON")).text) as {
      labels: Record<string, string[]>;
      axes: string[];
    };
    expect(labels[axes[0] ?? ""]).toEqual(run.tokens.map((token) => token.text));
    model.dispose();
  });
});

test("the mask, positions, all heads, singular values, tokens and strongest keys are saved as pictures, dark if that is chosen", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&text=The+dog+bites+the+man.&stack=decoder&picture=mask&theme=dark&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[2],'block':[[1,0]]}]}&layer=2&head=3",
  );
  const menu = new ExportMenu(page);
  await menu.open();
  const count = await explorer.tokens("Tokens of the translation").count();
  const mask = await menu.save("Picture", "SVG");
  expect(mask.name).toBe(
    "headscope_en-fr_decoder_layer-2_head-3_mask_edited_the-dog-bites-the-man.svg",
  );
  const inside = await insideSvg(page, mask.text);
  expect(inside.cells).toBe((count * (count + 1)) / 2 - 1);
  for (const words of ["may look", "may not look", "blocked by you"])
    expect(inside.texts).toContain(words);
  expect(inside.record.edits).toMatchObject({ masks: [{ block: [[1, 0]] }] });
  expect(mask.text).toMatch(/<rect x="0" y="0" [^>]*fill="#ffffff"/);
  await menu.dialog.getByRole("radio", { name: "as on screen" }).check({ force: true });
  expect((await menu.save("Picture", "SVG")).text).toMatch(/<rect x="0" y="0" [^>]*fill="#15161a"/);
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "Positions" }).check();
  await explorer.settle();
  await menu.open();
  const positions = await menu.save("Picture", "SVG");
  expect(positions.name).toBe("headscope_en-fr_decoder_positions_edited_the-dog-bites-the-man.svg");
  const strip = await insideSvg(page, positions.text);
  expect(strip.broken).toBe(false);
  expect(strip.texts).toContain("value");
  const csv = csvRows((await menu.save("Numbers", "CSV")).text);
  expect(csv).toHaveLength(count + 1);
  await page.keyboard.press("Escape");
  await explorer.open("#v=1&text=The+dog+bites+the+man.&stack=encoder&layer=2&head=3&cell=2-1");
  await menu.open();
  for (const [label, name, text] of [
    ["all heads as small pictures", "encoder_all-heads", "largest of the head"],
    ["singular values", "encoder_layer-2_head-3_singular-values", /of 8 hold 90%/],
    ["tokens of the text", "tokens", "Tokens of your sentence"],
    ["where the held query looks most", "encoder_layer-2_head-3_strongest-keys-2", "dog"],
  ] as const) {
    await menu.picture(label);
    const svg = await menu.save("Picture", "SVG");
    expect(svg.name).toBe(`headscope_en-fr_${name}_the-dog-bites-the-man.svg`);
    const { broken, texts } = await insideSvg(page, svg.text);
    expect(broken).toBe(false);
    expect(texts.some((one) => new RegExp(text).test(one))).toBe(true);
  }
});

test("two runs are saved with their difference, the numbers of either and the cosines of their words", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const seen = watch(page);
  const [text, otherText] = ["The dog bites the man.", "The man bites the dog."];
  const model = await engine("en-fr");
  const [one, other] = [await model.run({ text }), await model.run({ text: otherText })];
  const head = { stack: "encoder", layer: 1, head: 2 } as const;
  const [a, b] = [await one.attention(head), await other.attention(head)];
  await new ExplorerPage(page).open(
    `#v=1&text=${encodeURIComponent(text)}&compare=other&other=${encodeURIComponent(otherText)}&stack=encoder&layer=2&head=3`,
  );
  const menu = new ExportMenu(page);
  await menu.open();

  const svg = await menu.save("Picture", "SVG");
  expect(svg.name).toBe(
    "headscope_en-fr_encoder_layer-2_head-3_weights-compared_the-dog-bites-the-man_vs-the-man-bites-the-dog.svg",
  );
  const picture = await insideSvg(page, svg.text);
  expect(picture).toMatchObject({ broken: false, cells: 3 * 64 });
  for (const words of [
    text,
    otherText,
    "The first less the second",
    "weights",
    "difference",
    `First: ${text}`,
    `Second: ${otherText}`,
  ])
    expect(picture.texts).toContain(words);
  expect(picture.record).toMatchObject({
    text,
    quantity: "weights-compared",
    comparedWith: { text: otherText, target: other.targetText },
  });
  const png = await menu.save("Picture", "PNG");
  expect(JSON.parse(pngTexts(png.bytes).texts.Comment ?? "")).toEqual(picture.record);

  for (const [part, name, title] of [
    ["first", "weights_the-dog-bites-the-man_vs-the-man-bites-the-dog.svg", "weights of the first"],
    [
      "second",
      "weights_the-man-bites-the-dog_vs-the-dog-bites-the-man.svg",
      "weights of the second",
    ],
    [
      "difference",
      "weights-difference_the-dog-bites-the-man_vs-the-man-bites-the-dog.svg",
      "weights: the first less the second",
    ],
  ] as const) {
    await menu.dialog.getByRole("radio", { name: part, exact: true }).check();
    const alone = await menu.save("Picture", "SVG");
    expect(alone.name).toBe(`headscope_en-fr_encoder_layer-2_head-3_${name}`);
    const seenAlone = await insideSvg(page, alone.text);
    expect(seenAlone).toMatchObject({ broken: false, cells: 64 });
    expect(seenAlone.texts.join("\n")).toContain(title);
    await expect(menu.dialog.getByRole("button", { name: "Copy embed code" })).toHaveCount(1);
  }

  // The dog b ites the man . </s> | The man b ites the dog . </s>
  const to = [0, 5, 2, 3, 4, 1, 6, 7];
  const wanted = to.flatMap((row, query) =>
    to.map((column, key) =>
      Math.fround((a.data[query * 8 + key] ?? NaN) - (b.data[row * 8 + column] ?? NaN)),
    ),
  );
  const csv = await menu.save("Numbers", "CSV");
  expect(csv.name).toContain(
    "_weights-difference_the-dog-bites-the-man_vs-the-man-bites-the-dog.csv",
  );
  const [, ...lines] = csvRows(csv.text);
  expect(lines.map(([label]) => label)).toEqual(
    one.tokens.map((token, index) => `${index + 1} ${token.text}`),
  );
  expect(lines.flatMap(([, ...numbers]) => floats(numbers.map(Number)))).toEqual(wanted);
  expect(Array.from(npyFile((await menu.save("Numbers", ".npy")).bytes).data)).toEqual(wanted);

  for (const [label, run, own] of [
    ["weights of the first", one, a],
    ["weights of the second", other, b],
  ] as const) {
    await menu.choose(label);
    const json = JSON.parse((await menu.save("Numbers", "JSON")).text) as {
      data: number[][];
      text: string;
      comparedWith: { text: string };
      labels: Record<string, string[]>;
    };
    expect(floats(json.data.flat())).toEqual(Array.from(own.data));
    expect([json.text, json.comparedWith.text]).toEqual(
      run === one ? [text, otherText] : [otherText, text],
    );
    expect(json.labels.key).toEqual(run.tokens.map((token) => token.text));
  }

  await menu.choose("Encoder: cosines of the words, layer by layer");
  const cosines = JSON.parse((await menu.save("Numbers", "JSON")).text) as {
    data: number[][];
    labels: Record<string, string[]>;
  };
  expect(cosines.labels.word?.slice(0, 3)).toEqual(["The", "dog", "bites"]);
  const dog = await one.cosines({ stack: "encoder", positions: [1], other, otherPositions: [5] });
  expect(floats(cosines.data[1] ?? [])).toEqual(floats(dog.map((cosine) => cosine ?? NaN)));
  model.dispose();
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("the menu is worked by the keyboard, loses none of many files, and announces a large one", async ({
  page,
  context,
}) => {
  test.setTimeout(180000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const menu = new ExportMenu(page);
  await expect(menu.button).toBeEnabled();
  await menu.button.focus();
  await page.keyboard.press("Enter");
  await expect(menu.dialog.getByRole("button", { name: "Picture as SVG" })).toBeFocused();
  // None of the page's own keys works in here.
  await page.keyboard.press("s");
  await expect(explorer.chips).toHaveCount(0);
  await menu.dialog.getByRole("button", { name: "Copy link" }).focus();
  await page.keyboard.press("Enter");
  await expect(menu.dialog.getByRole("button", { name: "Link copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    "#v=1&text=The+dog+bites+the+man.",
  );
  await page.keyboard.press("Escape");
  await expect(menu.dialog).toBeHidden();
  await expect(menu.button).toBeFocused();
  await test.step("many files", async () => {
    await new ExplorerPage(page).open("#v=1&text=The+dog+bites+the+man.");
    const menu = new ExportMenu(page);
    await menu.open();
    const names: string[] = [];
    page.on("download", (download) => names.push(download.suggestedFilename()));
    const many = 24;
    const csv = menu.dialog.getByRole("button", { name: "Numbers as CSV" });
    await csv.evaluate((button: HTMLElement, times) => {
      for (let at = 0; at < times; at += 1) button.click();
    }, many);
    const report = menu.dialog.getByRole("status");
    await expect(report).toHaveText("Preparing…");
    await expect(report).toHaveText(/^Saved as headscope_/, { timeout: 20_000 });
    await expect.poll(() => names.length).toBe(many);
  });
  await test.step("large files", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=models/tiny-gpt&text=${encodeURIComponent("the cat and the dog ".repeat(24).trim())}`,
    );
    const menu = new ExportMenu(page);
    await menu.open();
    const svg = await menu.save("Picture", "SVG");
    expect(svg.text).toContain("data:image/png;base64,");
    expect((await insideSvg(page, svg.text)).broken).toBe(false);
    await menu.choose("logits of the whole vocabulary");
    await expect(menu.dialog).toContainText(/About [\d.]+ MB as CSV or JSON, [\d.]+ MB as \.npy/);
  });
});
