import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Locator, Page } from "@playwright/test";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds wrong on the page as it is, or in one part of it. */
export async function findings(
  page: Page,
  part: Locator = page.locator("html"),
): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const results = await part.evaluate((element) =>
    (
      window as unknown as { axe: { run(within: Node, options: RunOptions): Promise<AxeResults> } }
    ).axe.run(element === document.documentElement ? document : element, {
      resultTypes: ["violations"],
    }),
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${String(target)}: ${failureSummary ?? ""}`,
    ),
  );
}
