import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { fetchedScripts, MOST_SCRIPTS } from "./feel-meter.js";

test.use({ locale: "zh-CN" });

test("in Chinese the page, its bench, its exports and the tour have Chinese words", async ({
  page,
}) => {
  const fetched: string[] = [];
  page.context().on("request", (request) => fetched.push(request.url()));
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&stack=encoder");
  // A browser that prefers Chinese gets it without being asked.
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  expect(fetched.filter((address) => /\/zh-CN-[^/]*\.js$/.test(address))).not.toEqual([]);
  expect.soft(fetchedScripts("dist/site", fetched)).toBeLessThanOrEqual(MOST_SCRIPTS);
  await page.getByRole("radio", { name: "English" }).check();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByRole("radio", { name: "简体中文" }).check();
  await expect(page).toHaveTitle("Headscope：看见每一个注意力头");
  await expect(page.getByRole("radio", { name: "热力图" })).toBeChecked();
  await test.step("a rule of the bench, by the keyboard", async () => {
    await page.getByRole("button", { name: "掩码", exact: true }).press("Enter");
    await page.getByLabel("添加规则").selectOption("分块");
    await page.getByRole("spinbutton", { name: "块长" }).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("3");
    await page.keyboard.press("Tab");
    await expect(explorer.chips).toHaveText([/编码器：分块/]);
    await expect(page).toHaveURL(
      /edits=\{'masks':\[\{'stack':'encoder','preset':\{'kind':'block','size':3\}\}\]\}/,
    );
    await page.getByRole("button", { name: "删除这条规则" }).press("Enter");
    await expect(explorer.chips).toHaveCount(0);
  });
  await test.step("a saved picture", async () => {
    await page
      .locator("headscope-export-menu")
      .getByRole("button", { name: "导出", exact: true })
      .click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page
        .getByRole("dialog", { name: "导出" })
        .getByRole("button", { name: "图，存为 PNG" })
        .click(),
    ]);
    expect(download.suggestedFilename()).toBe(
      "headscope_en-fr_encoder_layer-2_head-5_weights_the-dog-bites-the-man.png",
    );
    await page.keyboard.press("Escape");
  });
  await test.step("a link to a step of the tour", async () => {
    await page.goto("./#v=1&tour=5&language=zh-CN");
    const heading = page.locator("headscope-tour-card").getByRole("heading");
    await expect(heading).toHaveText(/第 5 步，共 8 步\s+谁不能看谁/);
    await expect(page.locator("headscope-mask")).toBeVisible();
    await expect(heading).not.toBeFocused();
  });
});
