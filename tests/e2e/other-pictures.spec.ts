import { expect, test, type Page } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage, watch } from "./explorer-page.js";
import { engine, ExportMenu } from "./export-menu.js";
import { csvRows, npyFile, pngTexts } from "./files.js";

const TEXT = "The dog bites the man.";
const HEAD = { stack: "encoder", layer: 1, head: 2 } as const;
const HASH = `#v=1&text=${encodeURIComponent(TEXT)}&stack=encoder&layer=2&head=3&cell=2-1`;

const floats = (values: Iterable<number>): number[] => Array.from(values, Math.fround);

/** What an SVG holds, read by the browser's own parser. */
function insideSvg(
  page: Page,
  text: string,
): Promise<{
  broken: boolean;
  images: number;
  texts: string[];
  fonts: boolean;
  width: number;
  record: Record<string, unknown>;
}> {
  return page.evaluate((source) => {
    const file = new DOMParser().parseFromString(source, "image/svg+xml");
    return {
      broken: file.querySelector("parsererror") !== null,
      images: file.querySelectorAll("image").length,
      texts: [...file.querySelectorAll("text")].map(({ textContent }) => textContent),
      fonts: file.querySelector("style")?.textContent.includes("@font-face") ?? false,
      width: Number(file.documentElement.getAttribute("width")),
      record: JSON.parse(file.querySelector("metadata")?.textContent ?? "{}") as Record<
        string,
        unknown
      >,
    };
  }, text);
}

test("all heads, singular values, tokens and the strongest keys leave the page as pictures in their own fonts", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const seen = watch(page);
  const model = await engine("en-fr");
  const run = await model.run({ text: TEXT });
  await new ExplorerPage(page).open(HASH);
  const menu = new ExportMenu(page);
  await menu.open();
  expect(await findings(page)).toEqual([]);
  const { scores, weights } = await run.spectrum(HEAD);
  const row = (await run.attention(HEAD)).data.subarray(run.tokens.length, 2 * run.tokens.length);
  const texts = {
    "all heads as small pictures": ["1", "8", "broad", "0.86", "largest of the head", "weights"],
    "singular values": [
      `${scores.rank90} of ${run.tokens.length} hold 90%`,
      scores.values[0]?.toFixed(3) ?? "",
      weights.values[0]?.toFixed(3) ?? "",
    ],
    "tokens of the text": [
      "Tokens of your sentence",
      "ites",
      "end",
      "Tokens of the translation",
      "chien",
    ],
    "where the held query looks most": ["This query looks at", "dog", Math.max(...row).toFixed(3)],
  };
  const names = [
    "encoder_all-heads",
    "encoder_layer-2_head-3_singular-values",
    "tokens",
    "encoder_layer-2_head-3_strongest-keys-2",
  ];
  for (const [index, [label, wanted]] of Object.entries(texts).entries()) {
    await menu.picture(label);
    const svg = await menu.save("Picture", "SVG");
    expect(svg.name).toBe(`headscope_en-fr_${names[index] ?? ""}_the-dog-bites-the-man.svg`);
    const inside = await insideSvg(page, svg.text);
    expect(inside, label).toMatchObject({
      broken: false,
      fonts: true,
      images: index === 0 ? 24 : 0,
    });
    for (const words of [...wanted, `Text: ${TEXT}`]) expect(inside.texts, label).toContain(words);
    expect(inside.record).toMatchObject({ model: "en-fr", text: TEXT });
    const png = await menu.save("Picture", "PNG");
    expect(pngTexts(png.bytes).width).toBe(3 * inside.width);
    expect(JSON.parse(pngTexts(png.bytes).texts.Comment ?? "")).toEqual(inside.record);
  }
  model.dispose();
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("the numbers of all heads and the singular values are those of the run", async ({ page }) => {
  const model = await engine("en-fr");
  const run = await model.run({ text: TEXT });
  await new ExplorerPage(page).open(HASH);
  const menu = new ExportMenu(page);
  await menu.open();
  // A picture is chosen with its numbers.
  await menu.picture("all heads as small pictures");
  const small = await menu.save("Numbers", ".npy");
  expect(small.name).toBe("headscope_en-fr_encoder_thumbnails_the-dog-bites-the-man.npy");
  const thumbnails = await run.thumbnails({ stack: "encoder", size: 48 });
  expect(npyFile(small.bytes)).toEqual({ shape: [3, 8, 48, 48], data: thumbnails.data });
  await menu.picture("singular values");
  const singular = await menu.save("Numbers", "CSV");
  expect(singular.name).toBe(
    "headscope_en-fr_encoder_layer-2_head-3_singular-values_the-dog-bites-the-man.csv",
  );
  const { scores, weights } = await run.spectrum(HEAD);
  const [, ...lines] = csvRows(singular.text);
  expect(lines.map(([label]) => label)).toEqual(["1 scores", "2 weights"]);
  expect(lines.map(([, ...numbers]) => floats(numbers.map(Number)))).toEqual([
    floats(scores.values),
    floats(weights.values),
  ]);
  await menu.choose("divergence from layer 2, head 3");
  const json = JSON.parse((await menu.save("Numbers", "JSON")).text) as {
    data: number[][];
    layer: unknown;
    head: unknown;
    axes: string[];
  };
  const likeness = await run.likeness(HEAD);
  expect(likeness.map(({ layer, head }) => Math.fround(json.data[layer]?.[head] ?? NaN))).toEqual(
    floats(likeness.map(({ divergence }) => divergence ?? NaN)),
  );
  expect([json.axes, json.layer, json.head]).toEqual([
    ["layer", "head"],
    { index: 1, number: 2 },
    { index: 2, number: 3 },
  ]);
  await menu.choose("entropy, mean distance and role scores on this text");
  const measures = await run.measures({ stack: "encoder" });
  const [heads = [], ...rows] = csvRows((await menu.save("Numbers", "CSV")).text);
  expect(heads.slice(1, 4)).toEqual(["head\\measure", "1 entropy", "2 distance"]);
  expect(floats(rows.map(([, , entropy]) => Number(entropy)))).toEqual(
    floats(measures.map(({ entropy }) => entropy ?? NaN)),
  );
  model.dispose();
});
