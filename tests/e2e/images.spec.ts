// Models of images: a folder, attention over the image, an image of one's own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, findings, test, watch, NOTHING } from "./page.js";

const REFERENCE = "tests/reference/families";

/**
 * The folder of a tiny model among the reference vectors, the others beside it: 4 patches behind
 * two other tokens.
 */
function tinyModel(name: string): string {
  const bytes = readFileSync(`${REFERENCE}.safetensors`);
  const data = 8 + Number(bytes.readBigUInt64LE());
  const header = Buffer.from(bytes.toString("utf8", 8, data).replaceAll(`"${name}/weights/`, '"'));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  const folder = test.info().outputPath("my-deit");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "model.safetensors"),
    Buffer.concat([size, header, bytes.subarray(data)]),
  );
  const families = JSON.parse(readFileSync(`${REFERENCE}.json`, "utf8")) as Record<
    string,
    { config: object }
  >;
  writeFileSync(join(folder, "config.json"), JSON.stringify(families[name]?.config));
  return folder;
}

test("a model of images shows its attention over the image", async ({ page, explorer }) => {
  const seen = watch(page);
  await explorer.open();
  await explorer.folder.setInputFiles(tinyModel("deit-classified"));
  await expect(page.getByRole("img", { name: "Sample image" })).toBeVisible();
  await explorer.settle();
  await expect(explorer.sentence).toHaveCount(0);
  await expect(page.locator("headscope-sentence-bar")).toContainText(
    /What the model sees: .*LABEL/,
  );
  // A model of images opens on its image.
  const image = page.locator("headscope-image");
  const figure = image.getByRole("application");
  await figure.focus();
  await explorer.keys("PageUp", "ArrowDown", "ArrowDown", "Enter");
  await expect(figure).toHaveAccessibleName(/^Weights of “?row 2, column 1/);
  const box = await figure.boundingBox();
  // The last patch of two rows of two.
  await figure.click({ position: { x: (box?.width ?? 0) * 0.7, y: (box?.height ?? 0) * 0.75 } });
  await expect(figure).toHaveAccessibleName(/^Weights of “?row 2, column 2/);
  await explorer.settle();
  expect(await findings(page)).toEqual([]);
  const numbers = async (): Promise<string> => {
    await image.getByRole("button", { name: "Show values" }).click();
    const text = await image.getByRole("table").innerText();
    await image.getByRole("button", { name: "Hide values" }).click();
    return text;
  };
  const before = await numbers();
  const chooser = page.waitForEvent("filechooser");
  await explorer.button("Choose an image").click();
  await (await chooser).setFiles("docs/screenshots/explorer-light.png");
  await expect(page.getByRole("img", { name: "Image", exact: true })).toBeVisible();
  await explorer.settle();
  await expect.poll(numbers).not.toBe(before);
  const chosen = await numbers();
  const save = await test.step("no link holds the image, a saved page does", async () => {
    await explorer.openMenu("Share");
    const sheet = page.locator("headscope-share-sheet");
    await expect(sheet).toContainText("Neither a link nor embed code can hold your image");
    const saved = await explorer.save(sheet.getByRole("button", { name: "Save page as file" }));
    await page.keyboard.press("Escape");
    return { name: saved.name, mimeType: "application/json", buffer: saved.bytes };
  });
  const dataTransfer = await page.evaluateHandle(async () => {
    const made = new DataTransfer();
    const canvas = new OffscreenCanvas(4, 4);
    canvas.getContext("2d");
    const black = await canvas.convertToBlob();
    made.items.add(new File([black], "black.png", { type: black.type }));
    return made;
  });
  await page.dispatchEvent("body", "drop", { dataTransfer });
  await expect.poll(numbers).not.toBe(chosen);
  await explorer.openMenu("Share");
  await page.locator("headscope-share-sheet input[type=file]").setInputFiles(save);
  await page.keyboard.press("Escape");
  await expect.poll(numbers).toBe(chosen);
  await page.locator("headscope-sentence-bar input[type=file]").setInputFiles("README.md");
  await expect(explorer.notices).toContainText("The browser cannot read this file as an image.");
  await expect(page).not.toHaveURL(/model=/);
  await expect(page.locator("headscope-inspector")).toContainText(/row \d, column \d/);
  // A model of texts has no image to draw on. The first step back is that of the saved page's pair.
  await explorer.press("Undo");
  await explorer.press("Undo");
  await expect(explorer.figure).toHaveAccessibleName(/^Attention, weights/);
  expect(seen).toEqual(NOTHING);
});

test("a slider goes through the training of the image model", async ({ page, explorer }) => {
  await explorer.open("model=models/tiny-vit");
  const bar = page.locator("headscope-sentence-bar");
  const slider = page.getByRole("slider", { name: "Training" });
  await expect(slider).toHaveAttribute("aria-valuetext", /^step 3,000: 92/);
  const seen = async (): Promise<string> => await bar.locator(".guesses").innerText();
  const trained = await seen();
  await explorer.choose("Heatmap");
  await slider.fill("0");
  await explorer.settle();
  await expect(slider).toHaveAttribute("aria-valuetext", /^step 0: /);
  await expect(page).toHaveURL(/model=\.\/models\/tiny-vit\/steps\/step-0/);
  expect(await seen()).not.toBe(trained);
  // The picture that was chosen stays.
  await expect(page.locator("headscope-heatmap")).toBeVisible();
  await explorer.press("Undo");
  await explorer.settle();
  expect(await seen()).toBe(trained);
});
