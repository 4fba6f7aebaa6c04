// A run that takes long enough to be stopped.
import type { Page } from "@playwright/test";

/** A text of 510 tokens. */
export const LONG_TEXT = "the man and the dog ".repeat(102).trim();

/** On a fast machine even a long run is over before the page speaks of it: here it speaks at once. */
export async function speakAtOnce(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    window.setTimeout = ((act: () => void, millis?: number) =>
      wait(act, millis === 600 ? 0 : millis)) as typeof window.setTimeout;
  });
}

/** What the page says of a run when it first names a layer; it is stopped in the same frame, for the words of one layer are soon those of the next. */
export function stopAtLayer(page: Page): Promise<{ words: string; bar: string | null }> {
  return page.locator("headscope-notices").evaluate(
    (element) =>
      new Promise<{ words: string; bar: string | null }>((resolve) => {
        const look = (): void => {
          const line = element.shadowRoot?.querySelector("progress")?.parentElement;
          const words = line?.querySelector("p")?.textContent.trim() ?? "";
          if (!line || !words.includes("layer")) {
            requestAnimationFrame(look);
            return;
          }
          resolve({
            words,
            bar: line.querySelector("progress")?.getAttribute("aria-label") ?? null,
          });
          line.querySelector("button")?.click();
        };
        look();
      }),
  );
}
