import { expect, test } from "@playwright/test";
import { EmbedSite, ready, SCRIPT } from "./embed-page.js";
import { ExplorerPage, watch } from "./explorer-page.js";

const site = new EmbedSite();

test("without an adapter nothing is offered, and what asks for a GPU is computed on the CPU", async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&text=The+dog+bites+the+man.&edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}&backend=webgpu",
  );
  await expect(
    page.getByText(
      "This browser gives no GPU. The CPU computes instead; your text and edits are kept. gpu/absent",
    ),
  ).toBeVisible();
  await expect(page.getByText("Kernel: ")).toContainText("simd128");
  await expect(page.getByRole("switch", { name: "Compute on the GPU" })).toHaveCount(0);
  await expect(explorer.chips).toHaveCount(1);
  await expect(explorer.translation).not.toHaveValue("");
  await expect(page).not.toHaveURL(/backend=/);
  expect(fetched.filter((address) => address.includes("headscope_gpu"))).toEqual([]);
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("a figure in another page", async () => {
    await site.write(
      page,
      `<headscope-heatmap model="models/tiny-gpt" text="A cat and a dog." stack="decoder" layer="2" head="2" backend="webgpu"></headscope-heatmap>${SCRIPT}`,
    );
    const figure = page.locator("headscope-heatmap");
    await ready(figure);
    await expect(figure).toHaveAttribute("computed-by", "cpu");
    await expect(figure.getByRole("application")).toHaveAccessibleName(/^Attention, weights: /);
    expect(site.server.asked.filter((path) => path.includes("headscope_gpu"))).toEqual([]);
    expect(seen).toEqual({ foreign: [], errors: [] });
  });
});
