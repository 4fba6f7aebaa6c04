import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../i18n/index.js";
import { BUNDLED_MODELS } from "../state/index.js";
import { architectureOf, FETCHED_FILES, MODEL_CARDS, modelLabel } from "./models.js";
import { samplesOf } from "./samples.js";

/** The architectures of the families, as their config.json names them. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  marian: "encoder-decoder",
  gpt2: "decoder",
  bert: "encoder",
};

describe("the table of models", () => {
  it("has every bundled model once", () => {
    expect(MODEL_CARDS.map(({ name }) => name)).toEqual(BUNDLED_MODELS);
  });

  it.each(MODEL_CARDS)(
    "says of $name what its folder says: its size to a tenth of a megabyte, and its architecture",
    ({ name, bytes, architecture }) => {
      const files = FETCHED_FILES.map((file) => `${name}/${file}`).filter((path) =>
        existsSync(path),
      );
      expect(files.length).toBeGreaterThanOrEqual(FETCHED_FILES.length - 1);
      const total = files.reduce((sum, path) => sum + statSync(path).size, 0);
      expect((bytes / 1e6).toFixed(1), `the files have ${total} bytes`).toBe(
        (total / 1e6).toFixed(1),
      );
      const { model_type: type } = JSON.parse(readFileSync(`${name}/config.json`, "utf8")) as {
        model_type: string;
      };
      expect(architecture).toBe(ARCHITECTURES[type]);
    },
  );

  it("knows nothing beforehand of a folder from a disk, except its name", () => {
    expect([
      architectureOf("opened/my-bert"),
      modelLabel("opened/my-bert"),
      modelLabel("opened/"),
    ]).toEqual([null, "my-bert", "Your files"]);
    setLanguage("zh-CN");
    expect([modelLabel("opened/my-bert"), modelLabel("models/tiny-gpt")]).toEqual([
      "my-bert",
      "小 GPT",
    ]);
    setLanguage("en");
  });
});

describe("the samples", () => {
  it.each(BUNDLED_MODELS)(
    "of %s each have a text of their own, and look where the model has a stack",
    (model) => {
      const samples = samplesOf(model);
      expect(new Set(samples.map(({ text }) => text)).size).toBe(samples.length);
      const architecture = architectureOf(model);
      for (const { look, hidden } of samples) {
        if (architecture !== "encoder-decoder") expect(look.stack).toBe(architecture);
        expect(hidden === undefined || architecture === "encoder").toBe(true);
      }
    },
  );
});
