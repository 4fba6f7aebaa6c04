// Which model: from the list, from the disk.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as Headscope from "../../www/headscope.js";
import { MASKING_JSON } from "../../www/engine/testing/word-tokenizer.js";
import { boxOf, expect, NOTHING, test, watch, type Page } from "./page.js";
import { SiteServer } from "./site.js";

function countWeights(page: Page): Record<string, number> {
  const fetched: Record<string, number> = {};
  page.on("request", (request) => {
    const model = /models\/([\w-]+)\/model\.safetensors/.exec(request.url())?.[1];
    if (model) fetched[model] = (fetched[model] ?? 0) + 1;
  });
  return fetched;
}

test("the list of models says what each does", async ({ page, explorer }) => {
  const fetched = countWeights(page);
  await explorer.open();
  await expect(explorer.picker).toHaveAccessibleName("Model: English → French");
  await explorer.picker.press("Enter");
  const first = explorer.model("English → French");
  await expect(first).toBeFocused();
  await expect(first).toBeChecked();
  await expect(first).toContainText("loaded");
  await expect(explorer.model("Tiny GPT")).toContainText(/text generation · GPT-2/);
  await expect(explorer.model("Tiny BERT")).toContainText(
    /\d MB[\s\S]*masked language model · BERT/,
  );
  expect(fetched).toEqual({ "en-fr": 1 });
  await explorer.keys("End", "ArrowUp", "ArrowUp", "ArrowUp", "Enter");
  await explorer.settle();
  await expect(explorer.picker).toHaveAccessibleName("Model: Tiny BERT");
});

test("another model is chosen and undone; a sample is one step", async ({ page, explorer }) => {
  const seen = watch(page);
  const fetched = countWeights(page);
  await explorer.open();
  const before = await explorer.sentence.inputValue();
  await explorer.chooseModel("Tiny GPT");
  await expect(page).toHaveURL(/model=models\/tiny-gpt/);
  await expect(explorer.translation).toHaveCount(0);
  await expect(explorer.sentence).not.toHaveValue(before);
  await explorer.press("Undo");
  await expect(explorer.sentence).toHaveValue(before);
  await expect(explorer.radio("Cross-attention")).toBeChecked();
  expect(fetched).toEqual({ "en-fr": 1, "tiny-gpt": 1 });
  // A sample is one step.
  await explorer.open("text=Typed.&stack=encoder&layer=1&head=1");
  await page.getByLabel("Try a sample").selectOption("The dog bites the man.");
  const note = page.locator("headscope-sentence-bar .note");
  await expect(note).toContainText("Word order:");
  await explorer.press("Undo");
  await expect(explorer.sentence).toHaveValue("Typed.");
  await expect(explorer.headTitle).toHaveText("Layer 1 · head 1");
  await expect(note).toHaveText("");
  expect(seen).toEqual(NOTHING);
});

const FILES = ["config.json", "model.safetensors", "tokenizer.json"];

function folderOf(name: string, fill: (folder: string) => void): string {
  const folder = test.info().outputPath(name);
  mkdirSync(folder, { recursive: true });
  fill(folder);
  return folder;
}

test("a folder from the disk works and is in no link", async ({ page, explorer }) => {
  const seen = watch(page);
  await explorer.open("text=The+dog+bites+the+man.");
  // With another format beside it.
  const foreign = folderOf("my-bert", (folder) => {
    for (const file of FILES) cpSync(join("models/tiny-bert", file), join(folder, file));
    mkdirSync(join(folder, "onnx"));
    writeFileSync(join(folder, "onnx", "config.json"), "{}");
  });
  await explorer.folder.setInputFiles(foreign);
  await expect(explorer.picker).toHaveAccessibleName("Model: my-bert");
  await explorer.settle();
  await expect(page.locator("headscope-top-bar")).toContainText("from your disk, in no link");
  await expect(page).not.toHaveURL(/model=/);
  const files = FILES.map((name): [string, string] => [
    name,
    readFileSync(join("models/tiny-gpt", name)).toString("base64"),
  ]);
  const dataTransfer = await page.evaluateHandle((contents) => {
    const made = new DataTransfer();
    for (const [name, base64] of contents) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      made.items.add(new File([bytes], name));
    }
    return made;
  }, files);
  await page.dispatchEvent("body", "dragover", { dataTransfer });
  const zone = await boxOf(
    page.getByText("Drop a model, a study, a text, an image or a saved page."),
  );
  expect(zone.width * zone.height).toBeGreaterThan(0.9 * 1280 * 720);
  await page.dispatchEvent("body", "drop", { dataTransfer });
  await expect(explorer.picker).toHaveAccessibleName("Model: gpt2");
  await explorer.settle();
  const broken = folderOf("broken", (folder) => writeFileSync(join(folder, "notes.txt"), "hello"));
  const before = await explorer.sentence.inputValue();
  await explorer.folder.setInputFiles(broken);
  await expect(explorer.notices).toContainText(/no model: notes\.txt.*config\.json/);
  // The model that worked is still there.
  await expect(explorer.picker).toHaveAccessibleName("Model: gpt2");
  await expect(explorer.sentence).toHaveValue(before);
  const unreadable = folderOf("strange", (folder) =>
    writeFileSync(join(folder, "config.json"), '{"model_type":"strange"}'),
  );
  await explorer.folder.setInputFiles(unreadable);
  await expect(explorer.notices).toContainText("strange” was not opened");
  await expect(explorer.picker).toHaveAccessibleName("Model: gpt2");
  const text = await page.evaluateHandle(() => {
    const made = new DataTransfer();
    made.items.add(new File(["A cat sleeps.\n"], "notes.txt", { type: "text/plain" }));
    return made;
  });
  await page.dispatchEvent("body", "drop", { dataTransfer: text });
  await expect(explorer.sentence).toHaveValue("A cat sleeps.");
  expect(seen).toEqual(NOTHING);
});

/** A tokenizer of whole words, which begins each text with `<s>`. */
const WORDS = ["<s>", "<|user|>", "<|answer|>", "<unk>", "hello", "you", "be", "brief"];
const tokenizer = {
  added_tokens: WORDS.slice(0, 4).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: null,
  pre_tokenizer: { type: "WhitespaceSplit" },
  post_processor: {
    type: "TemplateProcessing",
    single: [{ SpecialToken: { id: "<s>", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
    pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } }],
    special_tokens: { "<s>": { id: "<s>", ids: [0], tokens: ["<s>"] } },
  },
  decoder: null,
  model: {
    type: "WordLevel",
    unk_token: "<unk>",
    vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
  },
};
const template =
  "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ m.content }}{% else %}{{ '<|user|>' ~ m.content }}{% endif %}{% endfor %}{{ '<|answer|>' }}";

test("a model's chat template writes the text, with its special tokens", async ({
  page,
  explorer,
}) => {
  const seen = watch(page);
  await explorer.open("text=hello+you&stack=decoder&layer=1&head=1");
  const folder = folderOf("my-chat", (made) => {
    cpSync("tests/reference/models/llama-tiny", made, { recursive: true });
    writeFileSync(join(made, "tokenizer.json"), JSON.stringify(tokenizer));
    const settings = { tokenizer_class: "PreTrainedTokenizerFast", bos_token: "<s>" };
    const file = JSON.stringify({ ...settings, chat_template: template });
    writeFileSync(join(made, "tokenizer_config.json"), file);
  });
  await explorer.folder.setInputFiles(folder);
  await expect(explorer.picker).toHaveAccessibleName("Model: my-chat");
  await explorer.settle();
  await page.getByRole("button", { name: "As a chat…" }).click();
  const form = page.getByRole("dialog", { name: "The text as a chat" });
  await form.getByLabel("System line (optional)").fill("be brief");
  await form.getByRole("button", { name: "Write as a chat" }).click();
  await expect(explorer.sentence).toHaveValue("<s>be brief<|user|>hello you<|answer|>");
  await explorer.settle();
  await expect(page).toHaveURL(/chat=on/);
  // One start token, and each special token of the template is one token.
  const tokens = page.getByRole("toolbar", { name: "Tokens of your sentence" });
  await expect(tokens).toContainText(
    /^\s*start\s*be\s*brief\s*<\|user\|>\s*hello\s*you\s*<\|answer\|>\s*$/,
  );
  await explorer.press("Undo");
  await expect(explorer.sentence).toHaveValue("hello you");
  await expect(page).not.toHaveURL(/chat=on/);
  expect(seen).toEqual(NOTHING);
});

test("a Llama from the disk is drawn and traced", async ({ page, explorer }) => {
  const seen = watch(page);
  await explorer.open("text=the+cat+the+cat&stack=decoder&layer=2&head=4&number=ff-gated.3-2");
  const llama = folderOf("my-llama", (folder) => {
    cpSync("tests/reference/models/llama-tiny", folder, { recursive: true });
    writeFileSync(join(folder, "tokenizer.json"), MASKING_JSON);
  });
  await explorer.folder.setInputFiles(llama);
  await expect(explorer.picker).toHaveAccessibleName("Model: my-llama");
  await explorer.settle();
  for (const name of ["Dimensions", "Positions", "Steps"]) {
    if (name === "Positions") await explorer.showPictureOf("Positional encoding");
    else await explorer.choose(name);
    await expect(page.locator(`headscope-${name.toLowerCase()}`)).toBeVisible();
  }
  const panel = page.locator("headscope-steps");
  const learnt = panel.getByText("The trace ends here");
  for (let step = 1; step <= 60 && !(await learnt.isVisible()); step += 1) {
    await panel.getByRole("button", { name: "Trace this value" }).click();
    await expect(panel.locator(".trail li")).toHaveCount(step + 1);
    await explorer.settle();
  }
  await expect(learnt).toBeVisible();
  // Nothing is added for the position: the token's own number is all there is.
  await expect(panel.getByText(/token “/)).toBeVisible();
  await expect(panel.getByText(/^position /)).toHaveCount(0);
  expect(seen).toEqual(NOTHING);
});

test("a model of a hub is measured, loaded, and opened again without the network", async ({
  page,
  explorer,
}) => {
  const hub = "https://hub.example";
  const fetched: string[] = [];
  const tokens = new Set<string | null>();
  let isBroken = true;
  let isOffline = true;
  await page.route(`${hub}/**`, async (route) => {
    const [name = "", ...around] = route.request().url().split("/").reverse();
    const method = route.request().method();
    if (isOffline) return route.abort("internetdisconnected");
    const headers = {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Headers": "authorization",
    };
    if (method === "OPTIONS") return route.fulfill({ headers });
    tokens.add(await route.request().headerValue("authorization"));
    if (method === "GET") fetched.push(name);
    if (!FILES.includes(name) || !around.includes("tiny"))
      return route.fulfill({ status: 404, headers });
    if (isBroken && method === "GET" && name === "model.safetensors")
      return route.fulfill({ status: 403, headers });
    const own = readFileSync(
      join("tests/reference/models/gpt2-tiny", name.replace("tokenizer", "config")),
    );
    const body = name === "tokenizer.json" ? Buffer.from(MASKING_JSON) : own;
    return route.fulfill({ headers: { ...headers, ETag: '"1"' }, body });
  });
  const form = page.locator("headscope-hub-form");
  const field = form.getByLabel("From Hugging Face");
  const openForm = async (): Promise<void> => {
    await explorer.picker.click();
    await form.getByText("Hub, token, stored models").click();
  };
  await explorer.open("text=the+cat");
  await openForm();
  await form.getByLabel("Address of the hub").fill(`${hub}/`);
  await form.getByLabel("Access token").fill("secret");
  await field.fill("org/tiny");
  await field.press("Enter");
  await expect(form.getByRole("alert")).toContainText(
    "hub.example cannot be reached, so “org/tiny” was not found.",
  );
  isOffline = false;
  await field.fill("org/absent");
  await field.press("Enter");
  await expect(form.getByRole("alert")).toContainText("load/not-found");
  await field.fill("org/tiny");
  await field.press("Enter");
  await expect(form.getByRole("status")).toContainText(/model\.safetensors\s*90 kB/);
  await form.getByRole("button", { name: "Load" }).click();
  await expect(explorer.alert).toContainText("load/unauthorized");
  await openForm();
  await expect(form).toContainText("None yet.");
  isBroken = false;
  await explorer.press("Load the model");
  await expect(explorer.picker).toHaveAccessibleName("Model: org/tiny");
  expect(tokens).toEqual(new Set(["Bearer secret"]));
  await expect(page).not.toHaveURL(/secret/);

  fetched.splice(0);
  await explorer.reload();
  await openForm();
  await expect(form.getByLabel("Access token")).toHaveValue("");
  await form.getByRole("button", { name: "org/tiny", exact: true }).click();
  await expect(explorer.picker).toHaveAccessibleName("Model: org/tiny");
  await explorer.settle();
  expect(fetched).toEqual([]);
  await openForm();
  await form.getByRole("button", { name: "Remove org/tiny" }).click();
  await expect(form).toContainText("None yet.");
});

test("two tabs fetch a model of a hub once, and the second goes on where the first ends", async ({
  context,
}) => {
  const hub = "https://hub.example";
  const fetched: string[] = [];
  let arrives = (): void => undefined;
  let gate = Promise.resolve();
  const shut = (): (() => void) => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    return open;
  };
  await context.route(`${hub}/**`, async (route) => {
    const name = route.request().url().split("/").at(-1) ?? "";
    const headers = { "Access-Control-Allow-Origin": "*", ETag: '"1"' };
    if (name === "tokenizer.json") return route.fulfill({ headers, body: MASKING_JSON });
    if (!["config.json", "model.safetensors"].includes(name))
      return route.fulfill({ status: 404, headers });
    if (name === "model.safetensors") {
      fetched.push(name);
      arrives();
      await gate;
    }
    const body = readFileSync(join("tests/reference/models/gpt2-tiny", name));
    // The page that asked may be closed.
    return route.fulfill({ headers, body }).catch(() => undefined);
  });
  const server = new SiteServer("dist/npm", "/npm/");
  await server.start();
  const waits: boolean[] = [];
  await context.exposeFunction("onProgress", (isWaiting: boolean) => waits.push(isWaiting));
  const opened = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(server.elsewhere);
    return page;
  };
  const load = (page: Page, model: string): Promise<number> =>
    page.evaluate(
      async ([address, model, hub]) => {
        const { loadModel } = (await import(address)) as typeof Headscope;
        const { onProgress: report } = window as unknown as { onProgress: (is: boolean) => void };
        const loaded = await loadModel(model, {
          hub,
          store: true,
          onProgress: ({ waitsForPage = false }) => report(waitsForPage),
        });
        loaded.dispose();
        return loaded.info.dModel;
      },
      [`${server.address}headscope.js`, model, hub] as const,
    );
  /** A page that has asked for the weights, which do not come yet. */
  const begun = async (model: string): Promise<[Page, Promise<number>]> => {
    const page = await opened();
    const asked = new Promise<void>((resolve) => (arrives = resolve));
    const loading = load(page, model);
    loading.catch(() => undefined);
    await asked;
    return [page, loading];
  };
  const second = await opened();
  for (const [model, ends] of [
    ["org/whole", false],
    ["org/broken", true],
  ] as const) {
    fetched.length = waits.length = 0;
    const open = shut();
    const [first, loading] = await begun(model);
    const other = load(second, model);
    await expect.poll(() => waits).toContain(true);
    if (ends) await first.close();
    open();
    expect(await other).toBeGreaterThan(0);
    if (!ends) expect(await loading).toBe(await other);
    expect(fetched).toHaveLength(ends ? 2 : 1);
  }
  await server.kill();
});
