import { expect, type Locator, type Page } from "@playwright/test";

/** The stage whose number the inspector shows. */
export type InspectedStage = "raw" | "scores" | "mask" | "weights";

/** The explorer. */
export class ExplorerPage {
  readonly sentence: Locator;
  readonly translation: Locator;
  readonly main: Locator;
  readonly chips: Locator;
  readonly unedited: Locator;

  constructor(readonly page: Page) {
    this.sentence = page.getByRole("textbox", { name: "Your sentence" });
    this.translation = page.getByRole("textbox", {
      name: /What the model wrote|Your own translation/,
    });
    // In another page it is not the main part.
    this.main = page.locator("headscope-explorer .parts");
    this.chips = page.locator("headscope-chips .chip");
    this.unedited = page.locator(".unedited");
  }

  /** Opens the page at an address and waits for its first picture. */
  async open(hash = ""): Promise<void> {
    // The address may be behind the page, which then would not follow it.
    if (hash !== "" && this.page.url().endsWith(hash)) await this.page.goto("about:blank");
    await this.page.goto(`./${hash}`);
    // A page that is open already follows its address in a task of its own.
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await this.settle();
  }

  /** Waits until nothing is being computed or read any more. */
  async settle(): Promise<void> {
    // On a phone another part of the page may be open in the picture's place.
    const figure = this.page.locator(
      "headscope-heatmap, headscope-lines, headscope-dimensions, headscope-steps, headscope-mask, headscope-positions, .invitation",
    );
    const elsewhere = this.page.locator("[role=tab][aria-selected=true]:not(#tab-picture)");
    await expect(figure.or(elsewhere).filter({ visible: true }).first()).toBeVisible({
      timeout: 30_000,
    });
    await expect(this.main).toHaveAttribute("aria-busy", "false", { timeout: 30_000 });
  }

  /** One of the tabs that a phone has in the place of columns. */
  tab(name: "Heads" | "Picture" | "Details" | "Edits"): Locator {
    return this.page.getByRole("tab", { name: new RegExp(`^${name}( \\d+)?$`) });
  }

  async type(text: string): Promise<void> {
    await this.sentence.fill(text);
    await this.settle();
  }

  /** The picture's own key pad. */
  get figure(): Locator {
    return this.page.locator("headscope-heatmap").getByRole("application");
  }

  /** What stands where the picture would be when there is no text. */
  get invitation(): Locator {
    return this.page.getByText("Type a sentence to see its attention.");
  }

  stack(name: "Encoder" | "Decoder" | "Cross-attention"): Locator {
    return this.page.getByRole("radio", { name, exact: true });
  }

  stage(name: "raw" | "scores" | "masked" | "weights"): Locator {
    return this.page.getByRole("radio", { name, exact: true });
  }

  head(layer: number, head: number): Locator {
    return this.page.getByRole("button", {
      name: new RegExp(`^Layer ${layer}, head ${head}(, silenced)?(: .*)?$`),
    });
  }

  get headTitle(): Locator {
    return this.page.locator("headscope-heads-panel .head").getByRole("heading");
  }

  /** The button that shows which model is in use. */
  get picker(): Locator {
    return this.page.getByRole("button", { name: /^Model: / });
  }

  /** One of the models in the list. */
  model(name: string): Locator {
    return this.page.getByRole("menuitemradio", { name });
  }

  /** Changes the model by the list. */
  async choose(name: string): Promise<void> {
    await this.picker.click();
    await this.model(name).click();
    await this.settle();
  }

  /** The input behind "Open a folder…". */
  get folder(): Locator {
    return this.page.locator("headscope-model-picker input[type=file]");
  }

  inspected(stage: InspectedStage): Locator {
    return this.page.locator(`headscope-inspector [data-stage="${stage}"]`);
  }

  async inspectedNumber(stage: "raw" | "scores" | "weights"): Promise<number> {
    return shownNumber((await this.inspected(stage).textContent()) ?? "");
  }

  /** The texts of the chips of one strip. */
  tokens(label: "Tokens of your sentence" | "Tokens of the translation"): Locator {
    return this.page.getByRole("toolbar", { name: label }).getByRole("button");
  }

  /** The sentence and its translation, as the page shows them. */
  async texts(): Promise<[string, string]> {
    return [await this.sentence.inputValue(), await this.translation.inputValue()];
  }
}

/** A number as the page prints it: `−1,234.567`, `8.7 × 10⁻⁵` or `−∞`. */
export function shownNumber(text: string): number {
  const plain = text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String("⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)));
  return Number(
    plain
      .replace(/ × 10⁻/, "e-")
      .replaceAll("−", "-")
      .replaceAll(",", "")
      .replace("∞", "Infinity"),
  );
}

/** Collects what must never happen: requests to other hosts, and unhandled errors. */
export function watch(page: Page): { foreign: string[]; errors: string[] } {
  const seen: { foreign: string[]; errors: string[] } = { foreign: [], errors: [] };
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.hostname !== "localhost")
      seen.foreign.push(request.url());
  });
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("console", (line) => {
    if (line.type() === "error") seen.errors.push(line.text());
  });
  return seen;
}
