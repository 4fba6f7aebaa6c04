import { expect, test, type Locator } from "@playwright/test";
import { apart } from "./apart.js";
import { EmbedSite, ready, SCRIPT } from "./embed-page.js";
import { DONE, Patient } from "./gpu-pages.js";
import { SOFTWARE_GPU } from "./software-gpu.js";

test.use(SOFTWARE_GPU);
// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const site = new EmbedSite();

const HEAD =
  'model="models/tiny-bert" text="The cat bites the dog." stack="encoder" layer="2" head="3"';

/** What a figure was given to show: its numbers, as plain lists. */
const given = (figure: Locator, names: readonly string[]): Promise<unknown> =>
  figure.evaluate((element, names) => {
    const plain = (value: unknown): unknown => {
      if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
      if (Array.isArray(value)) return value.map(plain);
      return typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
        : value;
    };
    return names.map((name) => plain(Reflect.get(element, name)));
  }, names);

test("figures and an explorer in somebody's page compute on the GPU if they are asked to, with the CPU's numbers, by one thread for each", async ({
  page,
}) => {
  const threads: string[] = [];
  page.on("worker", (worker) => threads.push(worker.url()));
  await page.setViewportSize({ width: 1280, height: 900 });
  const figures = [
    ["headscope-heatmap", ["tensor"]],
    ["headscope-lines", ["patterns"]],
    ["headscope-dimensions", ["stages", "vectors"]],
    ["headscope-steps", ["steps", "explanation"]],
    ["headscope-spectrum", ["lists"]],
    ["headscope-grid", ["thumbnails", "measures"]],
  ] as const;
  const tag = (name: string, more: string): string => `<${name} ${HEAD} ${more}></${name}>`;
  const difference = ["", 'backend="webgpu"']
    .map((backend) => tag("headscope-difference", `other="The dog bites the cat." ${backend}`))
    .join("");
  await site.write(
    page,
    figures.map(([name]) => tag(name, "") + tag(name, 'backend="webgpu"')).join("") +
      difference +
      tag("head-scope", 'backend="webgpu"') +
      SCRIPT,
  );
  for (const [name, properties] of [...figures, ["headscope-difference", ["tensor"]] as const]) {
    const [own, other] = [
      page.locator(`${name}:not([backend])`).first(),
      page.locator(`${name}[backend]`).first(),
    ];
    for (const figure of [own, other]) await expect(() => ready(figure)).toPass(DONE);
    await expect(own).toHaveAttribute("computed-by", "cpu");
    await expect(other).toHaveAttribute("computed-by", "webgpu");
    const wanted = await given(own, properties);
    expect(JSON.stringify(wanted)).toMatch(/\d\.\d/);
    expect(apart(wanted, await given(other, properties)).slice(0, 4), name).toEqual([]);
  }
  const host = page.locator("head-scope");
  await host.scrollIntoViewIfNeeded();
  await expect(host).toHaveAttribute("state", "ready", DONE);
  await expect(host.getByText("Kernel: ")).toContainText("WGSL", DONE);
  await new Patient(page).settle();
  expect(threads).toHaveLength(2);
});
