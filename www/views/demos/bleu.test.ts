import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bleu } from "./bleu.js";

interface Corpus {
  name: string;
  hypotheses: string[];
  references: string[][];
  bleu: number;
}

const { corpora } = JSON.parse(readFileSync("tests/reference/bleu.json", "utf8")) as {
  corpora: Corpus[];
};

describe("BLEU", () => {
  it.each(corpora)("is sacreBLEU's: $name", ({ hypotheses, references, bleu: expected }) => {
    expect(
      bleu(hypotheses.map((written, at) => ({ written, references: references[at] ?? [] }))),
    ).toBeCloseTo(expected, 6);
  });

  it("is 100 for what a reference says, 0 for nothing", () => {
    expect(
      bleu([{ written: "Le chien mord l'homme.", references: ["Le chien mord l'homme."] }]),
    ).toBeCloseTo(100, 9);
    expect(bleu([])).toBe(0);
  });
});
