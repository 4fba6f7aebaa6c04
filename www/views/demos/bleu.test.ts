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
});
