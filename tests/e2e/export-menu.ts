import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";

/** The explorer's menu of what can be saved. */
export class ExportMenu {
  constructor(private readonly page: Page) {}

  get button(): ReturnType<Page["getByRole"]> {
    return this.page
      .locator("headscope-export-menu")
      .getByRole("button", { name: "Export", exact: true });
  }

  get dialog(): ReturnType<Page["getByRole"]> {
    return this.page.getByRole("dialog", { name: "Export" });
  }

  async open(): Promise<void> {
    await expect(this.button).toBeEnabled({ timeout: 30_000 });
    await this.button.click();
    await expect(this.dialog).toBeVisible();
  }

  /** Chooses which picture, by the name in the list. */
  async picture(label: string): Promise<void> {
    await this.dialog.getByRole("combobox", { name: "Which picture" }).selectOption({ label });
  }

  /** The list of numbers that can be saved. */
  get numbers(): ReturnType<Page["getByRole"]> {
    return this.dialog.getByRole("combobox", { name: "Which numbers" });
  }

  /** Chooses which numbers, by the name in the list. */
  async choose(label: string): Promise<void> {
    await this.numbers.selectOption({ label });
  }

  /** Saves a file, and gives back its name and bytes. */
  async save(
    what: "Picture" | "Numbers",
    format: string,
  ): Promise<{ name: string; bytes: Buffer; text: string }> {
    const [download] = await Promise.all([
      this.page.waitForEvent("download"),
      this.dialog.getByRole("button", { name: `${what} as ${format}`, exact: true }).click(),
    ]);
    const bytes = await readFile(await download.path());
    // A name that is read from the right stands apart from the sentence around it, by invisible marks.
    await expect
      .poll(async () =>
        (await this.dialog.getByRole("status").textContent())
          ?.replaceAll(/[\u2066-\u2069]/g, "")
          .trim(),
      )
      .toBe(`Saved as ${download.suggestedFilename()}`);
    return { name: download.suggestedFilename(), bytes, text: bytes.toString("utf8") };
  }
}

/** The same engine outside the page, through the public package. */
export async function engine(model: string): Promise<Headscope.Model> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  return headscope.loadModel(resolve("dist/site/models", model));
}
