import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

it("takes no Chinese character from a Korean font: those lend signs alone, in English alone", () => {
  const [english, chinese] = read("palette.css").split(":lang(zh)");
  const lists = /--headscope-font-\w+: [^;]+/g;
  expect(english?.match(lists)).toHaveLength(2);
  for (const fonts of english?.match(lists) ?? []) {
    expect(fonts).not.toContain("CJK KR");
    expect(fonts).toMatch(/"Headscope (serif )?signs", "Noto (Sans|Serif) CJK SC"/);
  }
  expect(chinese).not.toMatch(/KR|signs/);
  const faces = read("signs.css").split("@font-face").slice(1);
  expect(
    faces.filter(
      (face) =>
        /font-family: "Headscope (serif )?signs"/.test(face) &&
        face.includes("unicode-range: U+B7, U+2018-201D, U+2026;"),
    ),
  ).toHaveLength(faces.length);
});
