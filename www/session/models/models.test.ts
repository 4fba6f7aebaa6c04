import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ModelNotes } from "../../data/index.js";
import { PAGE_LOCALE } from "../../i18n/index.js";
import { BUNDLED_MODELS, ROLE_FILTERS, type RoleFilter } from "../../state/index.js";
import { MODEL_CARDS } from "./bundled-models.js";
import { cardOf, fetchedFiles, modelLabel } from "./models.js";
import { rankHeads } from "../run/head-order.js";
import { samplesOf } from "./samples.js";

/** The architectures of the families, as their config.json names them. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  marian: "encoder-decoder",
  gpt2: "decoder",
  bert: "encoder",
  vit: "encoder",
};

it("the table of models has every bundled model once", () => {
  expect(MODEL_CARDS.map(({ name }) => name)).toEqual(BUNDLED_MODELS);
});

describe.each(MODEL_CARDS)("the bundled model $name", (card) => {
  const { name, bytes, architecture, roles } = card;

  it("has the size and the architecture that the table says", () => {
    const files = fetchedFiles(card).map((file) => `${name}/${file}`);
    const total = files.reduce((sum, path) => sum + statSync(path).size, 0);
    expect((bytes / 1e6).toFixed(1), `the files have ${total} bytes`).toBe(
      (total / 1e6).toFixed(1),
    );
    const config = JSON.parse(readFileSync(`${name}/config.json`, "utf8")) as Record<
      string,
      string
    >;
    expect(architecture).toBe(ARCHITECTURES[config.model_type ?? ""]);
  });

  it("has the roles that the table says, by the scores of its notes", () => {
    if (card.reads === "image") {
      expect([roles, existsSync(`${name}/headscope.json`)]).toEqual([{}, false]);
      return;
    }
    const notes = JSON.parse(readFileSync(`${name}/headscope.json`, "utf8")) as ModelNotes;
    const measured = Object.entries(notes.roles).map(([stack, heldOut]) => {
      const size = { layers: heldOut.length, heads: heldOut[0]?.length ?? 0 };
      const knownRoles = { basis: "heldOut", scores: heldOut } as const;
      const known = { knownRoles, measures: null, divergences: null };
      const has = (role: RoleFilter): boolean =>
        rankHeads(size, role, "place", known)?.length !== 0;
      return [stack, ROLE_FILTERS.filter(has)];
    });
    expect(roles).toEqual(Object.fromEntries(measured));
  });

  it("has samples with a text of their own each, at a stack that it has", () => {
    const samples = samplesOf(name);
    expect(new Set(samples.map(({ text }) => text)).size).toBe(samples.length);
    for (const { stack, masked } of samples) {
      if (architecture !== "encoder-decoder") expect(stack).toBe(architecture);
      expect(masked === undefined || architecture === "encoder").toBe(true);
    }
  });
});

it("of a folder from a disk nothing is known beforehand, except its name", () => {
  const labels = (): string[] =>
    (["opened/my-bert", "opened/", "models/tiny-gpt", "at/./own/my-gpt/"] as const).map(modelLabel);
  expect(cardOf("opened/my-bert")).toBeUndefined();
  expect(labels()).toEqual(["my-bert", "Your files", "Tiny GPT", "my-gpt"]);
  PAGE_LOCALE.speak("zh-CN");
  expect([labels()[0], labels()[2]]).toEqual(["my-bert", "小 GPT"]);
  PAGE_LOCALE.speak("en");
});
