// What page tests share: the explorer as a reader meets it, and readers of what it saves.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type Axe from "axe-core";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import config from "./playwright.config.js";

export { expect };
export type { Locator, Page };

export const BITES = "text=The+dog+bites+the+man.";

export const test = base.extend<{ explorer: ExplorerPage }>({
  explorer: async ({ page }, use) => use(new ExplorerPage(page)),
});

class Opened {
  constructor(readonly page: Page) {}
}

export class ExplorerPage extends Opened {
  readonly sentence = this.page.getByRole("textbox", { name: "Your sentence" });
  readonly translation = this.page.getByRole("textbox", {
    name: /Model translation|Your own translation/,
  });
  // In another page it is not the main part.
  readonly main = this.page.locator("headscope-explorer .parts");
  readonly chips = this.page.locator("headscope-chips .chip");
  readonly unedited = this.page.locator(".unedited");
  readonly notices = this.page.getByRole("status", { name: "Notices" });
  readonly alert = this.page.locator("headscope-notices [role=alert]");
  readonly inspector = this.page.locator("headscope-inspector");
  readonly picture = this.page.locator("headscope-picture-panel");
  readonly figure = this.page.locator("headscope-heatmap").getByRole("application");
  readonly headTitle = this.page.locator("headscope-heads-panel .head").getByRole("heading");
  readonly tokens = this.toolbar("Tokens of your sentence");
  readonly targetTokens = this.toolbar("Tokens of the translation");
  readonly picker = this.page.getByRole("button", { name: /^Model: / });
  readonly folder = this.page.locator("headscope-model-picker input[type=file]");
  readonly sheet = this.page.getByRole("dialog", { name: "Export" });

  private toolbar(name: string): Locator {
    return this.page.getByRole("toolbar", { name }).getByRole("button");
  }

  /**
   * Opens the page at a state, given by its address without the version, and waits for its picture.
   */
  async open(state = ""): Promise<void> {
    const hash = state === "" ? "" : `#v=1&${state}`;
    // The address may be behind the page, which then would not follow it.
    if (hash !== "" && this.page.url().endsWith(hash)) await this.page.goto("about:blank");
    await this.page.goto(`./${hash}`);
    // A page that is open already follows its address in a task of its own.
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await this.settle();
  }

  async fresh(state = ""): Promise<void> {
    await this.page.goto("about:blank");
    await this.open(state);
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.settle();
  }

  async linked(): Promise<ExplorerPage> {
    const other = new ExplorerPage(await this.page.context().newPage());
    await other.page.goto(this.page.url());
    await other.settle();
    return other;
  }

  /** Waits until nothing is being computed or read any more. */
  async settle(timeout = 30_000): Promise<void> {
    const figure = this.page.locator(
      "headscope-heatmap, headscope-image, headscope-lines, headscope-dimensions, headscope-steps, headscope-mask, headscope-positions, headscope-lens, .invitation",
    );
    await expect(figure.filter({ visible: true }).first()).toBeVisible({ timeout });
    await expect(this.main).toHaveAttribute("aria-busy", "false", { timeout });
  }

  async type(text: string): Promise<void> {
    await this.sentence.fill(text);
    await this.settle();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  async press(name: string): Promise<void> {
    await this.button(name).click();
    await this.settle();
  }

  radio(name: string): Locator {
    return this.page.getByRole("radio", { name, exact: true });
  }

  async choose(name: string): Promise<void> {
    await this.radio(name).check({ force: true });
    await this.settle();
  }

  /** Shows the picture of an experiment, which it opens. */
  async showPictureOf(experiment: "Masks" | "Positional encoding"): Promise<void> {
    const opener = this.button(experiment);
    if ((await opener.getAttribute("aria-expanded")) === "false") await this.press(experiment);
    await this.button(/^Show the .+ instead of the heatmap$/).click();
    await this.settle();
  }

  async keys(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Chooses a value in the settings menu, which is called `menu` in the page's language. */
  async set(name: string, menu = "Settings"): Promise<void> {
    await this.openMenu(menu);
    await this.choose(name);
    await this.page.keyboard.press("Escape");
  }

  /** Opens a menu of the header. */
  async openMenu(name: string): Promise<void> {
    await this.button(name).click();
    await expect(
      this.page.getByRole("dialog", { name }).locator("button, input").first(),
    ).toBeVisible();
  }

  head(layer: number, head: number): Locator {
    return this.page.getByRole("button", {
      name: new RegExp(`^Layer ${layer}, head ${head}(, ablated)?(: .*)?$`),
    });
  }

  model(name: string): Locator {
    return this.page.getByRole("menuitemradio", { name });
  }

  async chooseModel(name: string): Promise<void> {
    await this.picker.click();
    await this.model(name).click();
    await this.settle();
  }

  tab(name: string): Locator {
    return this.page.getByRole("tab", { name: new RegExp(`^${name}( \\d+)?$`) });
  }

  inspected(stage: "raw" | "scores" | "mask" | "weights"): Locator {
    return this.inspector.locator(`[data-stage="${stage}"]`);
  }

  async inspectedNumber(stage: "raw" | "scores" | "weights"): Promise<number> {
    return numberIn(this.inspected(stage));
  }

  async texts(): Promise<[string, string]> {
    return [await this.sentence.inputValue(), await this.translation.inputValue()];
  }

  /**
   * The table under a figure, row by row without its sums; the picture's own where none is named.
   */
  async table(figure = this.picture): Promise<number[][]> {
    const show = figure.getByRole("button", { name: "Show values" }).first();
    if (await show.count()) await show.click();
    const rows = await figure
      .locator("tbody tr")
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll("td:not(.sum)")].map((cell) => cell.textContent)),
      );
    return rows.map((row) =>
      row.map((text) => (text === "dropped" ? 0 : text === "–" ? NaN : shownNumber(text))),
    );
  }

  async openSheet(): Promise<void> {
    const button = this.page.locator("headscope-export-menu .open");
    await expect(button).toBeEnabled({ timeout: 30_000 });
    await button.click();
    await expect(this.page.locator("headscope-export-sheet")).toBeVisible();
  }

  async save(button: Locator): Promise<{ name: string; bytes: Buffer; text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), button.click()]);
    const bytes = await readFile(await download.path());
    return { name: download.suggestedFilename(), bytes, text: bytes.toString("utf8") };
  }

  saveFromSheet(what: "Picture" | "Values", format: string): ReturnType<ExplorerPage["save"]> {
    return this.save(this.sheet.getByRole("button", { name: `${what} as ${format}`, exact: true }));
  }

  copied(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  grantClipboard(): Promise<void> {
    return this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  }
}

/** A number as the page prints it: `−1,234.567`, `8.7 × 10⁻⁵` or `−∞`. */
export const shownNumber = (text: string): number =>
  Number(
    text
      .trim()
      .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String("⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)))
      .replace(/ × 10⁻/, "e-")
      .replace(/[−,∞]/g, (sign) => ({ "−": "-", "∞": "Infinity" })[sign] ?? ""),
  );

export const numberIn = async (place: Locator): Promise<number> =>
  shownNumber((await place.textContent()) ?? "");

export async function boxOf(
  place: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error("it is not on the page");
  return box;
}

/** The middle of each cell of a matrix in the window, by its query and its key. */
export async function cellsOf(
  page: Page,
  tag: "headscope-heatmap" | "headscope-mask",
): Promise<(query: number, key: number) => [x: number, y: number]> {
  // The edits cover what is below.
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

/**
 * The share of the window that an element has: what of it can be seen, neither clipped nor covered.
 */
export function shareOf(place: Locator): Promise<number> {
  return place.evaluate((element) => {
    const steps = 50;
    const box = element.getBoundingClientRect();
    const left = Math.max(0, box.left);
    const top = Math.max(0, box.top);
    const width = Math.min(innerWidth, box.right) - left;
    const height = Math.min(innerHeight, box.bottom) - top;
    const holds = (node: Node | null): boolean => {
      if (node === null || node === document) return false;
      return node === element || holds(node instanceof ShadowRoot ? node.host : node.parentNode);
    };
    const topAt = (x: number, y: number): Element | null => {
      let found = document.elementFromPoint(x, y);
      for (;;) {
        const inner: Element | null = found?.shadowRoot?.elementFromPoint(x, y) ?? null;
        if (inner === null || inner === found) return found;
        found = inner;
      }
    };
    let seen = 0;
    for (let row = 0.5; row < steps; row += 1)
      for (let column = 0.5; column < steps; column += 1) {
        const x = left + (column / steps) * width;
        const y = top + (row / steps) * height;
        if (holds(topAt(x, y))) seen += 1;
      }
    return ((seen / steps ** 2) * width * height) / (innerWidth * innerHeight);
  });
}

/** Checks that a user sees all of these elements: nothing clips them and nothing covers them. */
export async function expectInView(places: Locator): Promise<void> {
  const hidden = async (): Promise<(string | null)[]> => {
    const handles = await places.elementHandles();
    return Promise.all(handles.map((handle) => handle.evaluate(hiddenBy)));
  };
  await expect(places).not.toHaveCount(0);
  await expect.poll(hidden).toEqual(expect.not.arrayContaining([expect.any(String)]));
}

/**
 * What hides a part of an element: the window, an ancestor that clips it, or what lies over it;
 * null if all of it is in view. It runs in the page.
 */
function hiddenBy(element: Element): string | null {
  const slack = 1;
  const named = ({ localName, className }: Element): string =>
    `${localName}.${typeof className === "string" ? className : ""}`;
  const parentOf = (one: Node): Node | null =>
    (one instanceof Element ? one.assignedSlot : null) ??
    one.parentNode ??
    (one instanceof ShadowRoot ? one.host : null);
  const box = element.getBoundingClientRect();
  const isWithin = (left: number, top: number, right: number, bottom: number): boolean =>
    box.left >= left - slack &&
    box.top >= top - slack &&
    box.right <= right + slack &&
    box.bottom <= bottom + slack;
  if (box.width === 0 || box.height === 0) return "it has no size";
  if (!isWithin(0, 0, innerWidth, innerHeight)) return "the window";
  // A text may be wider than its box.
  if (
    element.scrollWidth > element.clientWidth + slack &&
    getComputedStyle(element).display !== "inline"
  )
    return "its own width";
  for (let one = parentOf(element); one; one = parentOf(one)) {
    if (!(one instanceof Element) || one === document.documentElement) continue;
    const { overflowX, overflowY, clipPath } = getComputedStyle(one);
    if (`${overflowX}${overflowY}` === "visiblevisible" && clipPath === "none") continue;
    const { left, top } = one.getBoundingClientRect();
    const { currentCSSZoom: zoom = 1 } = one as { currentCSSZoom?: number };
    const [x, y] = [left + zoom * one.clientLeft, top + zoom * one.clientTop];
    if (!isWithin(x, y, x + zoom * one.clientWidth, y + zoom * one.clientHeight)) return named(one);
  }
  const composed = (root: Document | ShadowRoot, x: number, y: number): Element | null => {
    const found = root.elementFromPoint(x, y);
    return found?.shadowRoot && found.shadowRoot !== root
      ? (composed(found.shadowRoot, x, y) ?? found)
      : found;
  };
  const isRelated = (over: Element): boolean => {
    for (let one: Node | null = over; one; one = parentOf(one)) if (one === element) return true;
    // A point beside a wrapped line belongs to what the element lies in.
    return over.contains(element);
  };
  const inset = 2;
  const points = [
    [box.left + box.width / 2, box.top + box.height / 2],
    [box.left + inset, box.top + inset],
    [box.right - inset, box.top + inset],
    [box.left + inset, box.bottom - inset],
    [box.right - inset, box.bottom - inset],
  ] as const;
  for (const [x, y] of points) {
    const over = composed(document, x, y);
    if (over && !isRelated(over)) return `under ${named(over)}`;
  }
  return null;
}

/**
 * The tags of elements of the page that no script has defined, and which therefore stay empty; the
 * dialog of questions is defined when it opens.
 */
export function undefinedTags(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const within = (root: ParentNode): string[] =>
      [...root.querySelectorAll("*")].flatMap((one) => [
        ...(one.matches(":not(:defined, headscope-help-dialog)") ? [one.localName] : []),
        ...(one.shadowRoot ? within(one.shadowRoot) : []),
      ]);
    return within(document);
  });
}

type Point = readonly [x: number, y: number];

/**
 * Moves the pressed pointer from one point to another; the given keys are pressed before it is
 * released.
 */
export async function drag(page: Page, from: Point, to: Point, ...keys: string[]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 5 });
  for (const key of keys) await page.keyboard.press(key);
  await page.mouse.up();
}

export function watch(page: Page): { foreign: string[]; errors: string[] } {
  const seen: { foreign: string[]; errors: string[] } = { foreign: [], errors: [] };
  page.on("request", (request) => {
    if (/^http(?!s?:\/\/localhost[:/])/.test(request.url())) seen.foreign.push(request.url());
  });
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("console", (line) => {
    if (line.type() === "error") seen.errors.push(line.text());
  });
  return seen;
}

export const NOTHING = { foreign: [], errors: [] };

/** Delays requests for addresses like this until the returned function is called. */
export async function delay(page: Page, address: string | RegExp): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Holds back each message to the workers of a page that is opened from now on. */
export async function slowWorkers(page: Page, millis: number): Promise<void> {
  await page.addInitScript((wait) => {
    window.Worker = class extends Worker {
      override postMessage(
        message: unknown,
        more: Transferable[] | StructuredSerializeOptions = [],
      ): void {
        setTimeout(() => super.postMessage(message, more as Transferable[]), wait);
      }
    };
  }, millis);
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export async function findings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} at ${String(node.target)}: ${node.failureSummary ?? ""}`),
    );
  });
}

const { launchOptions } = config.use ?? {};

const GPU_FLAGS = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** Options of a test on a GPU: Chromium's software adapter, which is right and slow. */
export const SOFTWARE_GPU = {
  actionTimeout: 30_000,
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), ...GPU_FLAGS],
  },
};
