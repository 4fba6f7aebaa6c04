// Studies of held-out text, which an imitated GPU takes minutes for: they are held after a while, and what was computed
// until then is asked of the CPU.
import { expect, type Locator, type Page } from "@playwright/test";
import { begin, DONE, Patient, test } from "./gpu-pages.js";
import { playTape, rewindTape } from "./tape.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

/** As long as a study may take until enough of it is there. */
const ENOUGH = { timeout: 240_000 };

interface Study {
  what: string;
  address: string;
  /** Begins it, and holds it once enough was computed. */
  tell: (page: Page) => Promise<void>;
  /** What it reads, and how many of these at least. */
  reads: "probabilities" | "logits";
  least: number;
  /** The families of its edits. */
  edits: readonly string[];
}

const heads = (page: Page): Locator => page.locator("headscope-heads-bench");

/** Twelve held-out sentences as they are, which a translator also writes anew, then without one head and without another. */
const TEXTS = 36;

/** A pruning study, as far as that. */
const pruned = async (page: Page): Promise<void> => {
  await heads(page).getByRole("radio", { name: "Pruning" }).check();
  await heads(page).getByLabel("How many held-out sentences").selectOption("12");
  await heads(page).getByRole("button", { name: "Compute", exact: true }).click();
  await expect
    .poll(
      async () => Number(await heads(page).getByRole("progressbar").getAttribute("value")),
      ENOUGH,
    )
    .toBeGreaterThan(TEXTS);
  await heads(page).getByRole("button", { name: "Hold" }).click();
  await expect(heads(page).getByRole("button", { name: "Go on", exact: true })).toBeVisible(DONE);
};

/** The loss at each token of held-out text, under the model's own positions. */
const lost = async (page: Page): Promise<void> => {
  const lab = page.locator("headscope-length-lab");
  await lab.locator("#go").click();
  await expect(lab.locator("[data-line=model]")).toBeVisible(ENOUGH);
  await expect(lab.locator("#go")).toBeVisible(ENOUGH);
};

const GPT = "#v=1&model=models/tiny-gpt&text=The+cat+sleeps.&stack=decoder&layer=1&head=1";
const MARIAN = "#v=1&text=The+cat+sleeps.&target=Le+chat+dort.&stack=cross&layer=1&head=1";

const STUDIES: readonly Study[] = [
  {
    what: "a pruning study of a writer",
    address: `${GPT}&bench=heads`,
    tell: pruned,
    reads: "probabilities",
    least: TEXTS,
    edits: ["heads"],
  },
  {
    what: "a pruning study of a translator",
    address: `${MARIAN}&bench=heads`,
    tell: pruned,
    reads: "probabilities",
    least: TEXTS - 12,
    edits: ["heads"],
  },
  {
    what: "what a writer loses in a longer text",
    address: `${GPT}&bench=positions&labs=lengths(schemes-model)`,
    tell: lost,
    reads: "probabilities",
    least: 1,
    edits: [],
  },
];

for (const { what, address, tell, reads, least, edits } of STUDIES) {
  test(`${what} has the CPU's numbers on the GPU, as far as it came`, async ({ shared }) => {
    const { gpu } = await shared();
    await begin(gpu, address, "WGSL");
    await rewindTape(gpu);
    await tell(gpu);
    await new Patient(gpu).settle();
    const heard = await playTape(gpu);
    expect(heard.apart.slice(0, 8)).toEqual([]);
    expect(heard.reads[reads] ?? 0).toBeGreaterThanOrEqual(least);
    expect(heard.edits).toEqual(edits);
    await expect(gpu.getByText("Kernel: ")).toContainText("WGSL");
  });
}
